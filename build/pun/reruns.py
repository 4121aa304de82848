"""Rerun panels: what a model says of the same names again and again (PUN §6.1, §7.1, Table 9)."""

from collections import Counter
from statistics import mean, stdev

from build.configs.unknown.panels import SIZES
from build.errors import BuildError
from build.pun.runs import SQLITE
from build.validation.store import Store
from scoring.configs import unknown_names as scorer
from scoring.replicates import by_row
from scoring.submission import read_submission
from scoring.unknown import agreement

LABELS = ("found", "ambiguous", "no_info", "fail")
NO_INFO = "no_info"
RELEASED, FROM_SOURCE = "released unknowns", "all source no_info"
PLACES = 4


def labels(paths, release, adjudicate=None):
    """{name: [label of each rerun]} over files, one after the other, with similar and attractor as ambiguous.

    Args:
        paths: predictions files for unknown_names, whose replicates are reruns in the order of their numbers, or run
            stores with a screen, whose runs are reruns in the order of their start.
        adjudicate: "rules" to label free text of predictions.

    Raises:
        BuildError, UserError: for a file that is neither.
    """
    made = {}
    for path in paths:
        found = _of_store(path) if _is_store(path) else _of_predictions(path, release, adjudicate)
        for name, given in found.items():
            made.setdefault(name, []).extend(agreement.merged(given))
    return made


def _is_store(path):
    try:
        with open(path, "rb") as stream:
            return stream.read(len(SQLITE)) == SQLITE
    except OSError:
        return False  # the reader of predictions says what is wrong


def _of_store(path):
    made = {}
    with Store(path, readonly=True) as store:
        for run_id in store.runs():
            for name in store.run(run_id)["names"]:
                label = store.screened(run_id, name)
                if label is not None:
                    made.setdefault(name, []).append(label)
    if not made:
        raise BuildError(f"{path}: no run of this store has a screen; 'validate --screen-model' makes one")
    return made


def _of_predictions(path, release, adjudicate):
    submission = read_submission(path, release)
    if submission.config != scorer.NAME:
        raise BuildError(f"{path}: is of {submission.config}; panels are of {scorer.NAME}")
    answers, _ = scorer.interpret(submission.truth, submission.answers, adjudicate)
    given = {key: answer["label"] for key, answer in answers.items()} | dict.fromkeys(submission.failures, "fail")
    names = dict(zip(*(submission.truth.column(name).to_pylist() for name in ("id", "name")), strict=True))
    return {names[row_id]: [given[key] for key in keys.values()] for row_id, keys in by_row(given).items()}


def released(release):
    """The unknown names of a release, of all splits, as a set."""
    tables = [release.table(entry, ["name", "stratum"]).to_pylist() for entry in release.splits(scorer.NAME)]
    return {row["name"] for rows in tables for row in rows if row["stratum"] == "unknown"}


def table(panel, unknown, source=None):
    """Rows like the paper's Table 9, a row for each size of panel and cohort.

    Args:
        panel: {name: labels}, as `labels` gives them.
        unknown: the released unknown names.
        source: {name: the label of the run before the reruns}; adds the cohort of its no_info names, and how often a
            rerun repeats the source's label.

    Raises:
        BuildError: when no unknown name has as many reruns as the smallest panel.
    """
    largest = max((len(found) for name, found in panel.items() if name in unknown), default=0)
    if largest < SIZES[0]:
        raise BuildError(f"no unknown name has {SIZES[0]} replicates; a panel asks each name at least so often")
    cohorts = {FROM_SOURCE: [name for name in panel if (source or {}).get(name) == NO_INFO]} if source else {}
    cohorts[RELEASED] = [name for name in panel if name in unknown]
    made = []
    for size in SIZES:
        for cohort, names in cohorts.items():
            asked = {name: panel[name][:size] for name in names if len(panel[name]) >= size}
            if asked:
                made.append(row(size, cohort, asked, source))
    return made


def row(size, cohort, asked, source=None):
    """One row: {name: labels} of a cohort counted over label calls, and over names."""
    counts = Counter(label for given in asked.values() for label in given)
    calls = size * len(asked)
    kappa, _ = agreement.fleiss(list(asked.values()))
    always = sum(set(given) == {NO_INFO} for given in asked.values())
    shares = {f"{label}_pct": round(100 * counts[label] / calls, 1) for label in LABELS}
    made = {"reps": size, "cohort": cohort, "names": len(asked), "label_calls": calls}
    made |= {label: counts[label] for label in LABELS} | shares
    made |= {"always_no_info": always, "always_no_info_pct": round(100 * always / len(asked), 1)}
    made["equal_pairs"] = round(mean(agreement.equal_pairs(given) for given in asked.values()), PLACES)
    made["kappa"] = None if kappa is None else round(kappa, PLACES)
    return made | (_repeated(size, asked, source) if source else {})


def _repeated(size, asked, source):
    """Share of labels equal to the source's, mean and standard deviation over the reruns (§7.1)."""
    known = {name: given for name, given in asked.items() if name in source}
    if not known:
        return {"equal_to_source": None, "equal_to_source_sd": None}
    shares = [mean(given[at] == source[name] for name, given in known.items()) for at in range(size)]
    return {"equal_to_source": round(mean(shares), PLACES), "equal_to_source_sd": round(stdev(shares), PLACES)}


def transitions(panel, source):
    """{(source label, rerun label): count} over all label calls on names that the source labelled."""
    pairs = Counter((source[name], label) for name, given in panel.items() if name in source for label in given)
    return dict(sorted(pairs.items()))
