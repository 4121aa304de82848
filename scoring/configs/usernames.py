"""usernames (METRICS §5; AmBench §8, appendix D.4): is a handle that reads as a modifier recognised?"""

from scoring import columns, entities, recognition
from scoring.metrics import Difference, record

NAME = "usernames"
PREFIX = "us"
REPLICATES, OPTIONS = False, {}
FIELDS = entities.FIELDS
COLUMNS = ("id", "text", "name", "stratum", "template_id")
HEADLINE = {"recall": "higher", "fdr": "lower", "always_found": "higher", "mixed": "lower"}
DIRECTIONS = HEADLINE | recognition.DIRECTIONS | {"gap_to_baseline": "higher"}
STRATA = ("ambiguous", "baseline")
TARGETS = ("PERSON", "USERNAME")
LEAST, STAGES, EMPTY = entities.LEAST, entities.STAGES, entities.EMPTY

keys_of = entities.keys_of
trim = entities.trim
is_empty = entities.is_empty
check = entities.check_offsets


def score(truth, answers, failed, *, labels, progress=iter):
    """All records of one submission; arguments as in ambiguous_names.score."""
    cells = _cells(truth, answers, failed, labels, progress)
    return [
        record(metric, group, made, with_templates=metric in HEADLINE)
        for group, metrics in _measures(cells).items()
        for metric, made in metrics.items()
    ]


def measures(truth, answers, failed, *, labels, salt=""):
    """Every metric as a measure, by group and metric; `salt` keys the resampling."""
    return _measures(_cells(truth, answers, failed, labels, iter, salt))


def _cells(truth, answers, failed, labels, progress, salt=""):
    outcomes = entities.score_rows(truth, answers, failed, labels, progress, TARGETS)
    strata, names, templates = (
        columns.coded(columns.pieces(truth, name)) for name in ("stratum", "name", "template_id")
    )
    return {
        stratum: recognition.cell_of(
            strata.is_(stratum), outcomes, failed, names.codes, names, templates, (NAME, stratum, "", salt)
        )
        for stratum in STRATA
        if strata.is_(stratum).any()
    }


def _measures(cells):
    groups = {stratum: _metrics(cell) for stratum, cell in cells.items()}
    if len(groups) == len(STRATA):
        found, baseline = cells["ambiguous"].share("found"), cells["baseline"].share("found", when_failed=1)
        groups["ambiguous"]["gap_to_baseline"] = Difference(found, baseline)
    return groups


def _metrics(cell):
    """Both target labels count as right; as_person and as_username show them apart."""
    made = recognition.recall_metrics(cell) | recognition.discovery_metrics(cell)
    made |= recognition.consistency_metrics(cell) | recognition.predicted_metrics(cell)
    return made | {"as_person": cell.share("found_person"), "as_username": cell.share("found_username")}


def tables(records):
    """The table on the screen: a header and one row a group."""
    columns = ("recall", "fdr", "always_found", "mixed", "as_person", "as_username")
    return [recognition.table(records, STRATA, columns)]
