"""ambiguous_names (METRICS §4; AmBench §5): is a name recognised although it is one letter from an entity?"""

import numpy as np

from scoring import columns, detail, entities, recognition
from scoring.metrics import Average, Difference, record

NAME = "ambiguous_names"
PREFIX = "an"
REPLICATES, OPTIONS = False, {}
FIELDS = entities.FIELDS
COLUMNS = ("id", "text", "name", "stratum", "name_type", "template_id", "neighbours", "popularity")
HEADLINE = {
    "recall": "higher",
    "fdr": "lower",
    "always_found": "higher",
    "mixed": "lower",
    "ambiguity_effect": "higher",
    "false_person_rate": "lower",
}
DIRECTIONS = (
    HEADLINE
    | recognition.DIRECTIONS
    | {"neighbour_type_rate": "lower", "ambiguity_effect_neighbour_type": "lower", "gap_to_baseline": "higher"}
)
TYPES = ("location", "organization", "syndrome", "bacteria", "mineral")
STRATA = ("ambiguous", "matched", "baseline", "entity_control")
NEIGHBOUR_LABEL = {
    "location": "LOCATION",
    "organization": "ORGANIZATION",
    "syndrome": "HEALTH",
    "bacteria": "OTHER",
    "mineral": "OTHER",
}
PREDICTED = ("PERSON", "LOCATION", "ORGANIZATION", "HEALTH", "OTHER")
CONTROL_AVERAGE_WITHOUT = "syndrome"

LEAST, STAGES, EMPTY = entities.LEAST, entities.STAGES, entities.EMPTY

keys_of = entities.keys_of
trim = entities.trim
is_empty = entities.is_empty
check = entities.check_offsets


def score(truth, answers, failed, *, labels, progress=iter):
    """All records of one submission.

    Args:
        truth: Arrow table with COLUMNS.
        answers: predictions by id.
        failed: boolean array over the truth's rows.
        labels: entities.Labels.
        progress: wraps the iteration over rows (a progress bar).

    Returns:
        list of records (metrics.record).
    """
    cells = _cells(truth, answers, failed, labels, progress)
    records = [
        record(metric, group, made, with_templates=metric in HEADLINE)
        for group, metrics in _measures(cells).items()
        for metric, made in metrics.items()
    ]
    ambiguous = {group_name(*key): cell for key, cell in cells.items() if key[0] == "ambiguous"}
    return records + detail.records(ambiguous, "ambiguous", _details(truth))


def measures(truth, answers, failed, *, labels, salt=""):
    """Every metric as a measure, by group and metric: what `compare` holds against another submission.

    `salt` keys the resampling, so that two independent sets of rows are drawn independently.
    """
    return _measures(_cells(truth, answers, failed, labels, iter, salt))


def _measures(cells):
    groups = {group_name(*key): _metrics(*key, cell) for key, cell in cells.items()}
    _add_contrasts(groups, cells)
    _add_averages(groups)
    return groups


def group_name(stratum, name_type):
    """A group's name as METRICS §4 writes it."""
    return f"{stratum}/{name_type}" if name_type else stratum


def _cells(truth, answers, failed, labels, progress, salt=""):
    """A Cell for each (stratum, type) that has rows; baseline is one cell over all types."""
    outcomes = entities.score_rows(truth, answers, failed, labels, progress)
    outcomes.table["found_other"] = np.maximum(outcomes.table["found_other"], outcomes.table["found_username"])
    strata, types, names, templates = (
        columns.coded(columns.pieces(truth, name)) for name in ("stratum", "name_type", "name", "template_id")
    )
    clusters = columns.where(strata.is_("ambiguous"), first_neighbours(truth), names)
    units = types.codes * np.int64(len(names.texts)) + names.codes
    cells = {}
    for stratum in STRATA:
        for name_type in ("",) if stratum == "baseline" else TYPES:
            mask = strata.is_(stratum) & (types.is_(name_type) | (not name_type))
            if mask.any():
                key = (NAME, stratum, name_type, salt)
                cells[stratum, name_type] = recognition.cell_of(mask, outcomes, failed, units, clusters, templates, key)
    return cells


def _details(truth):
    """Columns of the whole truth that detail.records cuts by."""
    pieces = (piece.cast("int64") for piece in columns.pieces(truth, "popularity"))
    counts = [piece.fill_null(0).to_numpy(zero_copy_only=False) for piece in pieces]
    return {
        "template": columns.coded(columns.pieces(truth, "template_id")),
        "popularity": np.concatenate([np.zeros(0, dtype=np.int64), *counts]).astype(np.int64),
    }


def first_neighbours(truth):
    """Text of each row's first neighbour, "" where it has none, as a columns.Coded."""
    return columns.coded(map(_firsts, columns.pieces(truth, "neighbours")))


def _firsts(lists):
    """The texts that come first in an Arrow array of lists of neighbours, as an Arrow array."""
    import pyarrow as pa
    import pyarrow.compute as pc

    sizes = pc.list_value_length(lists).to_numpy(zero_copy_only=False)
    texts = pa.concat_arrays([pc.struct_field(lists.flatten(), "text"), pa.array([""], pa.string())])
    starts = np.concatenate(([0], np.cumsum(sizes)))[:-1].astype(np.int64)
    return texts.take(pa.array(np.where(sizes > 0, starts, len(texts) - 1)))


def _metrics(stratum, name_type, cell):
    if stratum == "entity_control":
        return {"false_person_rate": recognition.false_person_rate(cell)}
    made = recognition.recall_metrics(cell) | recognition.discovery_metrics(cell)
    made |= recognition.consistency_metrics(cell) | recognition.predicted_metrics(cell, PREDICTED)
    if name_type:
        made["neighbour_type_rate"] = cell.share(_neighbour_outcome(name_type), when_failed=1)
    return made


def _neighbour_outcome(name_type):
    return f"found_{NEIGHBOUR_LABEL[name_type].casefold()}"


def _add_contrasts(groups, cells):
    """ambiguity_effect, its twin by neighbour type, and gap_to_baseline; a failed row is its worst case."""
    baseline = cells.get(("baseline", ""))
    for name_type in TYPES:
        cell, control = cells.get(("ambiguous", name_type)), cells.get(("matched", name_type))
        if cell is None:
            continue
        made = groups[group_name("ambiguous", name_type)]
        recall = cell.share("found", when_failed=0)
        if control is not None:
            made["ambiguity_effect"] = Difference(recall, control.share("found", when_failed=1))
            outcome = _neighbour_outcome(name_type)
            made["ambiguity_effect_neighbour_type"] = Difference(
                cell.share(outcome, when_failed=1), control.share(outcome, when_failed=0)
            )
        if baseline is not None:
            made["gap_to_baseline"] = Difference(recall, baseline.share("found", when_failed=1))


def _add_averages(groups):
    """<stratum>/average over the types; that of entity_control leaves syndromes out."""
    for stratum in ("ambiguous", "matched", "entity_control"):
        left_out = CONTROL_AVERAGE_WITHOUT if stratum == "entity_control" else None
        members = [groups.get(group_name(stratum, name_type)) for name_type in TYPES if name_type != left_out]
        members = [member for member in members if member]
        if members:
            metrics = {metric: None for member in members for metric in member}
            groups[f"{stratum}/average"] = {
                metric: Average(tuple(member[metric] for member in members if metric in member)) for metric in metrics
            }


def tables(records):
    """The tables on the screen, each a header and one row a group; recall never stands without fdr."""
    named = [group_name(stratum, kind) for stratum in ("ambiguous", "matched") for kind in (*TYPES, "average")]
    controls = [group_name("entity_control", kind) for kind in (*TYPES, "average")]
    columns = ("recall", "fdr", "always_found", "mixed", "ambiguity_effect")
    return [
        recognition.table(records, [*named, "baseline"], columns),
        recognition.table(records, controls, ("false_person_rate",)),
    ]
