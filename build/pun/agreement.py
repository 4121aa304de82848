"""Agreement of a validation run with the released verdicts (PUN §6.1): for those who revalidate the names."""

from collections import Counter

from build.errors import BuildError
from build.pun import runs
from build.validation.verdicts import ACCEPTED, LOCAL_EVIDENCE, WEB_EVIDENCE

LOCAL = "local"
CLASSES = dict.fromkeys(ACCEPTED, "clean") | {WEB_EVIDENCE: "evidence", LOCAL_EVIDENCE: "evidence"}


def merged(verdict):
    """A verdict whatever its provider: clean, evidence, ambiguous or validation_incomplete."""
    return CLASSES.get(verdict, verdict)


def agreement(path, release, run_id=None):
    """How a run's verdicts agree with those of the release.

    Args:
        path: the run, in any form that runs.verdicts reads.
        release: scoring.truth.Release.

    Returns:
        dict with released_by and run_by (providers), local (the sides that asked the local index alone),
        not_in_release and not_in_run (numbers of names), and groups: {stratum, or "all": `of_pairs`}.

    Raises:
        BuildError: for a file that cannot be read, or without any released name.
    """
    ours, theirs = _released(release), runs.verdicts(path, run_id)
    shared = sorted(ours.keys() & theirs.keys())
    if not shared:
        raise BuildError(f"{path}: holds no name that the release has a verdict on")
    pairs = {"all": [(merged(ours[name]["verdict"]), merged(theirs[name][0])) for name in shared]}
    for name, pair in zip(shared, pairs["all"], strict=True):
        pairs.setdefault(ours[name]["stratum"], []).append(pair)
    sides = {
        "released": {ours[name]["provider"] or runs.NOT_TOLD for name in shared},
        "run": {theirs[name][1] for name in shared},
    }
    return {
        "released_by": ", ".join(sorted(sides["released"])),
        "run_by": ", ".join(sorted(sides["run"])),
        "local": [side for side, providers in sides.items() if LOCAL in providers],
        "not_in_release": len(theirs) - len(shared),
        "not_in_run": len(ours) - len(shared),
        "groups": {group: of_pairs(found) for group, found in pairs.items()},
    }


def _released(release):
    rows = {}
    for entry in release.splits("unknown_names"):
        for row in release.table(entry, ["name", "stratum", "verdict", "provider"]).to_pylist():
            if row["verdict"]:
                rows[row["name"]] = row
    return rows


def of_pairs(pairs):
    """names, equal (share), kappa (Cohen's) and table {(one, other): count} of a list of (one, other) labels."""
    return {
        "names": len(pairs),
        "equal": round(sum(one == other for one, other in pairs) / len(pairs), 4),
        "kappa": cohen(pairs),
        "table": dict(sorted(Counter(pairs).items())),
    }


def cohen(pairs):
    """Cohen's kappa of (one, other) labels, rounded to 4 places; None where chance alone explains all."""
    n = len(pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(first[label] * second[label] for label in first) / n**2
    observed = sum(one == other for one, other in pairs) / n
    return None if expected == 1 else round((observed - expected) / (1 - expected), 4)


def lines(found):
    """The agreement as lines of text: who judged, then per group a confusion table, share equal and kappa."""
    made = [f"released by {found['released_by']}, run by {found['run_by']}"]
    if found["local"]:
        sides = " and ".join(found["local"])
        made.append(f"{sides}: the local index alone was asked, so 'clean' says little and 'evidence' is sure")
    made.append(f"not in the release: {found['not_in_release']}; released but not in the run: {found['not_in_run']}")
    for group, of_group in found["groups"].items():
        made += [
            "",
            f"{group}: {of_group['names']} names, equal {of_group['equal']}, Cohen's kappa {of_group['kappa']}",
        ]
        made += _confusion(of_group["table"])
    return made


def _confusion(table):
    rows, columns = (sorted({pair[side] for pair in table}) for side in (0, 1))
    width = max(map(len, (*rows, *columns, "released / run")))
    head = "  ".join([f"{'released / run':{width}}", *(f"{column:>{width}}" for column in columns)])
    body = [
        "  ".join([f"{row:{width}}", *(f"{table.get((row, column), 0):>{width}}" for column in columns)])
        for row in rows
    ]
    return [head, *body]
