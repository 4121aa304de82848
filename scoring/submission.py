"""A submission: predictions read, matched to a release's split, and validated, or all their faults.

The order is: objects (readers.py) -> ids and their split -> fields and types -> offsets against the text.
All faults that can be told apart are gathered before any is raised.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scoring import answers, batch, schemas
from scoring.configs import BY_NAME, BY_PREFIX
from scoring.errors import Faults, UserError
from scoring.keys import Book
from scoring.predictions import Chosen
from scoring.replicates import row_of
from scoring.rows import file_sha256

EDITS_OF_A_MISSPELLING = 2
IDS_IN_A_HINT = 3


@dataclass(frozen=True)
class Submission:
    """Validated predictions for one split.

    `truth` is the split's columns.Truth with the config's columns; `answers`, a mapping, has the prediction of a row's
    id (or the key of a replicate, see scoring.replicates), `failures` the ids of rows that were answered by a failure
    with its kind; other rows are missing.
    """

    path: str
    sha256: str
    config: str
    entry: dict
    truth: object
    answers: Mapping
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
    book = Book(release, split)
    found = answers.collect(path, faults, module_of, book)
    if not found.predictions:
        faults.raise_if_any()
    config = _config_of(found, release, faults)
    entry, unknown = _split_of(config, found, release, book, faults)
    valid, warnings = _validate(config, found, faults)
    for number in unknown:
        valid[number] = 0
    truth = release.truth(entry, list(BY_NAME[config].COLUMNS), book.ids(entry))
    given = Chosen(found.predictions, valid)
    BY_NAME[config].check(truth, given, found.places, faults)
    faults.raise_if_any()
    keys = found.predictions.keys_by_number
    failed = [keys[number] for number in range(len(valid)) if not valid[number]] if len(given) < len(valid) else []
    failures = {key: found.failures.get(key, batch.UNPARSABLE) for key in failed}
    return Submission(str(path), file_sha256(path), config, entry, truth, given, failures, warnings)


def module_of(row_id):
    """The config's module that a row id belongs to by its prefix, or None."""
    return BY_PREFIX.get(row_id.partition("-")[0])


def _config_of(collected, release, faults):
    """The config that the ids' prefixes name; ids of no config, and mixed configs, are faults."""
    places = collected.places
    found = {name: key for name, key in collected.first_of.items() if name in release.configs}
    if not found:
        known = ", ".join(f"{BY_NAME[name].PREFIX}-… ({name})" for name in release.configs if name in BY_NAME)
        for key in collected.predictions:
            message = f"belongs to no config of this release; ids look like {known}"
            faults.add(message, place=places[key], row_id=row_of(key))
        faults.raise_if_any()
    if len(found) > 1:
        examples = ", ".join(f"{row_of(key)!r} on {places[key]} is {name}" for name, key in found.items())
        faults.add(f"one file scores one config, but this one mixes several: {examples}")
        faults.raise_if_any()
    return next(iter(found))


def _split_of(config, found, release, book, faults):
    """The manifest entry of the split that holds the ids, and the numbers of keys outside it, which are faults."""
    best, keys = None, found.predictions.keys_by_number
    for entry in book.entries(config):
        unknown = keys.outside(entry)
        if best is None or len(unknown) < len(best[1]):
            best = (entry, unknown)
        if not len(unknown):
            break
    entry, unknown = best
    if len(unknown):
        others = [(other["split"], book.ids(other)) for other in release.splits(config) if other is not entry]
        for number in unknown.tolist():
            row_id = row_of(keys[number])
            message = f"no such row in {config}/{entry['split']}; {_hint(release, row_id, others)}"
            faults.add(message, place=found.places.at(number), row_id=row_id)
    return entry, unknown.tolist()


def _hint(release, row_id, others):
    """Where an id may come from: another split of the config, or another release."""
    for split, ids in others:
        if ids.find(row_id) >= 0:
            return f"it is in the split {split!r} (--split {split})"
    version, seed = release.manifest["version"], release.manifest["seed"]
    return f"was it made for another release or variant (--data)? This is {version}, seed {seed}"


def _validate(config, found, faults):
    """Check every prediction's fields. Returns a bytearray, 1 for the valid ones, and warnings of fields not read.

    What a batch answers wrongly is no fault of the file: such rows are left out of the valid ones.
    """
    module, predictions = BY_NAME[config], found.predictions
    fits = schemas.validator(schemas.schema_name(config, "prediction"))
    valid, extra = bytearray(len(predictions)), set()
    for number in range(len(predictions)):
        prediction = predictions.at(number)
        valid[number] = fits(prediction)
        if found.from_batch and predictions.keys_by_number[number] in found.from_batch:
            continue
        unread = [one for one in module.keys_of(prediction) if not one[2] <= one[1]]
        if unread or not valid[number]:
            _tell(config, found, number, prediction, unread, faults, extra if valid[number] else set())
    warnings = found.warnings(Chosen(predictions, valid))
    if extra:
        warnings.append(f"fields that are not read: {', '.join(sorted(extra))}")
    return valid, warnings


def _tell(config, found, number, prediction, unread, faults, extra):
    """Note what is wrong with a prediction, and its fields that are not read."""
    place, row_id = found.places.at(number), row_of(found.predictions.keys_by_number[number])
    schema = schemas.schema_name(config, "prediction")
    for message in [] if schemas.is_valid(schema, prediction) else schemas.errors(schema, prediction):
        faults.add(message, place=place, row_id=row_id)
    for inside, known, fields in unread:
        _sort_unknown(fields - known, known - fields, inside, place, row_id, faults, extra)


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
