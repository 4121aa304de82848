"""Agreement of a validation run with the released verdicts (PUN §6.1): for those who revalidate the names."""

import json
from collections import Counter
from pathlib import Path

from build.errors import BuildError
from build.validation.verdicts import ACCEPTED, LOCAL_EVIDENCE, WEB_EVIDENCE

CLASSES = dict.fromkeys(ACCEPTED, "clean") | {WEB_EVIDENCE: "evidence", LOCAL_EVIDENCE: "evidence"}


def merged(verdict):
    """A verdict whatever its provider: clean, evidence, ambiguous or validation_incomplete."""
    return CLASSES.get(verdict, verdict)


def agreement(path, release):
    """How a run's verdicts, as `export-verdicts` writes them, agree with those of the release.

    Returns:
        dict with names (in both), equal (share), kappa (Cohen's), and table: {(released, run): count}, over merged
        verdicts; and both sides' providers.

    Raises:
        BuildError: for a file that cannot be read, or without any released name.
    """
    ours = _released(release)
    theirs = _run(path)
    shared = sorted(ours.keys() & theirs.keys())
    if not shared:
        raise BuildError(f"{path}: holds no name that the release has a verdict on")
    pairs = [(merged(ours[name]["verdict"]), merged(theirs[name]["verdict"])) for name in shared]
    providers = [sorted({side[name].get("provider") or "not told" for name in shared}) for side in (ours, theirs)]
    return {
        "names": len(shared),
        "not_in_release": len(theirs) - len(shared),
        "equal": round(sum(one == other for one, other in pairs) / len(pairs), 4),
        "kappa": cohen(pairs),
        "table": dict(sorted(Counter(pairs).items())),
        "released_by": ", ".join(providers[0]),
        "run_by": ", ".join(providers[1]),
    }


def _released(release):
    rows = {}
    for entry in release.splits("unknown_names"):
        for row in release.table(entry, ["name", "verdict", "provider"]).to_pylist():
            if row["verdict"]:
                rows[row["name"]] = row
    return rows


def _run(path):
    try:
        lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
        return {line["name"]: {"verdict": line["verdict"], "provider": line.get("provider")} for line in lines}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BuildError(f"{path}: is no file of verdicts as export-verdicts writes it ({error})") from error


def cohen(pairs):
    """Cohen's kappa of (one, other) labels, rounded to 4 places; None where chance alone explains all."""
    n = len(pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(first[label] * second[label] for label in first) / n**2
    observed = sum(one == other for one, other in pairs) / n
    return None if expected == 1 else round((observed - expected) / (1 - expected), 4)
