"""A submission: predictions read, matched to a release's split, and validated, or all their faults.

The order is: objects (readers.py) -> ids and their split -> fields and types -> offsets against the text.
All faults that can be told apart are gathered before any is raised.
"""

from dataclasses import dataclass, field
from pathlib import Path

from scoring import answers, batch, schemas
from scoring.configs import BY_NAME, BY_PREFIX
from scoring.errors import Faults, UserError
from scoring.replicates import row_of
from scoring.rows import file_sha256

EDITS_OF_A_MISSPELLING = 2
IDS_IN_A_HINT = 3


@dataclass(frozen=True)
class Submission:
    """Validated predictions for one split.

    `truth` is the split's Arrow table with the config's columns; `answers` maps a row's id (or the key of a
    replicate, see scoring.replicates) to its prediction, `failures` the ids of rows that were answered by a failure
    to its kind; other rows are missing.
    """

    path: str
    sha256: str
    config: str
    entry: dict
    truth: object
    answers: dict
    failures: dict
    warnings: list = field(default_factory=list)


def read_submission(path, release, *, split=None):
    """Read a predictions file against a release.

    Args:
        path: the file, in any format that readers.py knows.
        release: a truth.Release.
        split: the split's name, or None for the smallest that holds every id.

    Raises:
        FaultyFile: with every fault of the file.
        UserError: when the file cannot be read or no split fits.
    """
    if not Path(path).is_file():
        raise UserError(f"{path}: no such file")
    faults = Faults(path)
    found = answers.collect(path, faults, module_of)
    if not found.predictions:
        faults.raise_if_any()
    config = _config_of(found.predictions, release, found.places, faults)
    entry, unknown = _split_of(config, found.predictions, release, split, found.places, faults)
    valid, warnings = _validate(config, found, faults)
    truth = release.table(entry, list(BY_NAME[config].COLUMNS))
    given = {key: found.predictions[key] for key in valid if key not in unknown}
    BY_NAME[config].check(truth, given, found.places, faults)
    faults.raise_if_any()
    failures = {key: found.failures.get(key, batch.UNPARSABLE) for key in found.predictions if key not in given}
    return Submission(str(path), file_sha256(path), config, entry, truth, given, failures, warnings)


def module_of(row_id):
    """The config's module that a row id belongs to by its prefix, or None."""
    return BY_PREFIX.get(row_id.partition("-")[0])


def _config_of(predictions, release, places, faults):
    """The config that the ids' prefixes name; ids of no config, and mixed configs, are faults."""
    found, strange = {}, []
    for key in predictions:
        module = module_of(row_of(key))
        if module is None or module.NAME not in release.configs:
            strange.append(key)
        else:
            found.setdefault(module.NAME, key)
    if not found:
        known = ", ".join(f"{BY_NAME[name].PREFIX}-… ({name})" for name in release.configs if name in BY_NAME)
        for key in strange:
            message = f"belongs to no config of this release; ids look like {known}"
            faults.add(message, place=places[key], row_id=row_of(key))
        faults.raise_if_any()
    if len(found) > 1:
        examples = ", ".join(f"{row_of(key)!r} on {places[key]} is {name}" for name, key in found.items())
        faults.add(f"one file scores one config, but this one mixes several: {examples}")
        faults.raise_if_any()
    return next(iter(found))


def _split_of(config, predictions, release, wanted, places, faults):
    """The manifest entry of the split that holds the ids, and the set of ids outside it, which are faults."""
    entries = [release.entry(config, wanted)] if wanted else release.splits(config)
    best = None
    for entry in entries:
        known = _ids(release, entry)
        unknown = [key for key in predictions if row_of(key) not in known]
        if best is None or len(unknown) < len(best[1]):
            best = (entry, unknown)
        if not unknown:
            break
    entry, unknown = best
    if unknown:
        others = [(other["split"], _ids(release, other)) for other in release.splits(config) if other is not entry]
        for key in unknown:
            hint = _hint(release, row_of(key), others)
            faults.add(f"no such row in {config}/{entry['split']}; {hint}", place=places[key], row_id=row_of(key))
    return entry, frozenset(unknown)


def _ids(release, entry):
    return set(release.table(entry, ["id"]).column("id").to_pylist())


def _hint(release, row_id, others):
    """Where an id may come from: another split of the config, or another release."""
    for split, ids in others:
        if row_id in ids:
            return f"it is in the split {split!r} (--split {split})"
    version, seed = release.manifest["version"], release.manifest["seed"]
    return f"was it made for another release or variant (--data)? This is {version}, seed {seed}"


def _validate(config, found, faults):
    """Check every prediction's fields. Returns the ids of the valid ones, and warnings of fields not read.

    What a batch answers wrongly is no fault of the file: such rows are left out of the valid ones.
    """
    module = BY_NAME[config]
    schema = schemas.schema_name(config, "prediction")
    valid, extra = [], set()
    for key, prediction in found.predictions.items():
        fits = schemas.is_valid(schema, prediction)
        if fits:
            valid.append(key)
        elif key not in found.from_batch:
            for message in schemas.errors(schema, prediction):
                faults.add(message, place=found.places[key], row_id=row_of(key))
        if key in found.from_batch:
            continue
        for inside, known, fields in module.keys_of(prediction):
            unknown = fields - known
            if unknown:
                absent, place = known - fields, found.places[key]
                _sort_unknown(unknown, absent, inside, place, row_of(key), faults, extra if fits else set())
    warnings = found.warnings(set(valid))
    if extra:
        warnings.append(f"fields that are not read: {', '.join(sorted(extra))}")
    return valid, warnings


def _sort_unknown(unknown, absent, inside, place, row_id, faults, extra):
    for key in sorted(unknown):
        meant = misspelled(key, absent)
        if meant:
            message = f"the field {inside + key[:80]!r} looks like a misspelling of {meant!r}"
            faults.add(message, place=place, row_id=row_id)
        else:
            extra.add(inside + key[:80])


def misspelled(key, known):
    """The known field within two edits of `key`, ignoring case, else None.

    For a short field the edits allowed are half its length, so that "kind" is no misspelling of "end".
    """
    from rapidfuzz.distance import Levenshtein

    for name in sorted(known):
        allowed = min(EDITS_OF_A_MISSPELLING, len(name) // 2)
        if Levenshtein.distance(key.casefold(), name.casefold(), score_cutoff=allowed) <= allowed:
            return name
    return None
