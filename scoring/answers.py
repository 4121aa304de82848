"""From objects to one prediction a row: plain lines as they stand, batch lines parsed and their stages joined."""

from collections import Counter
from dataclasses import dataclass, field

from scoring import batch, readers, schemas
from scoring.keys import Book, Keys
from scoring.predictions import Predictions
from scoring.replicates import key_of, row_of

DIGITS_OF_A_REPLICATE = 4
WHOLE = frozenset("*")


@dataclass
class Collected:
    """What a file answers, by row id, or by the key of a replicate.

    Attributes:
        predictions: Predictions, one object a row; stages of a batch are joined in it.
        failures: rows of which some batch line holds no answer, with the kind (batch.FAILED …).
        from_batch: rows that came in a batch output, whose faults are failures of the row.
        lost: numbers of (stage, kind) of batch lines without an answer, for rows that another stage answers.
        parts: {stage: fields} by row, of stages that fill one field together.
        answered: {field: place} by row, of the fields that lines of a batch answer.
        first_of: the first key of each config, by its name; None for ids of no config.
    """

    predictions: Predictions
    failures: dict = field(default_factory=dict)
    from_batch: set = field(default_factory=set)
    lost: Counter = field(default_factory=Counter)
    parts: dict = field(default_factory=dict)
    answered: dict = field(default_factory=dict)
    first_of: dict = field(default_factory=dict)

    @property
    def places(self):
        """Where a row's (first) line stands, such as "line 3"."""
        return self.predictions.places

    def warnings(self, valid):
        """What to tell of stages that failed in rows which were scored all the same."""
        lost = Counter(found for row_id, found in self.lost if row_id in valid)
        return [f"{n} answers of the stage {stage!r} are {kind}" for (stage, kind), n in sorted(lost.items())]


def collect(path, faults, module_of, book=None, *, whole=True):
    """Read a file into Collected; duplicates, objects without id and unknown stages are faults.

    Args:
        path: the file.
        faults: errors.Faults.
        module_of: given a row id, the config's module, or None for an id of no config.
        book: keys.Book of the release that is answered, or None for none.
        whole: False leaves the `parts` of stages that fill a field together as they are, some of which may be to come.
    """
    found = Collected(Predictions(Keys(book or Book(), lambda row_id: getattr(module_of(row_id), "NAME", None))))
    for place, record in readers.records(path, faults):
        is_batch = batch.is_batch(record)
        row_id, stage, replicate = batch.split_id(record["custom_id"]) if is_batch else (record.get("id"), "", "")
        if not isinstance(row_id, str) or not row_id:
            faults.add("the field 'id' is missing or no string", place=place)
            continue
        module = module_of(row_id)
        key = _key(row_id, module, replicate if is_batch else record.get("replicate"))
        if is_batch:
            reason = _add_line(found, key, (row_id, stage, replicate), record, module, place)
        else:
            reason = _second(_add_whole(found, key, record, place))
        if reason:
            faults.add(reason, place=place, row_id=row_id)
        else:
            found.first_of.setdefault(getattr(module, "NAME", None), key)
    if whole:
        _join(found, faults, module_of)
    return found


def _second(first):
    return first and f"a second prediction; the first is on {first}"


def _add_whole(found, key, record, place):
    """Add a prediction. Returns the place where the row was answered before, or None."""
    before = found.answered.get(key) if found.answered else None
    return next(iter(before.values())) if before else found.predictions.add(key, record, place)


def _add_line(found, key, custom_id, record, module, place):
    """Add a line of a batch. Returns why it is none that can be added, or None."""
    row_id, stage, replicate = custom_id
    reason = _refusal(module, stage, replicate) if module else None
    fields = _parts(module)[stage] if module and not reason else WHOLE
    if key in found.predictions and key not in found.from_batch:
        return reason or _second(found.places[key])
    reason = reason or _second(_first_place(found.answered.setdefault(key, {}), fields, place))
    if not reason:
        _add_stage(found, key, row_id, stage, record, module, place)
    return reason


def _parts(module):
    """What each stage answers: fields, or parts of one (a config's PARTS)."""
    return getattr(module, "PARTS", module.STAGES)


def _join(found, faults, module_of):
    """Fill the field that several stages answer together; a row of which one is lost has no answer there."""
    modules = {key: module_of(row_of(key)) for key in found.parts}
    for module in {module.NAME: module for module in modules.values()}.values():
        told = {stage for key, parts in found.parts.items() if modules[key] is module for stage in parts}
        for stage in module.JOINED_NEEDS:
            if stage not in told:
                known = ", ".join(sorted(told))
                faults.add(f"answers of {known} but none of {stage}: put the output of all stages in one file")
    for key, parts in found.parts.items():
        fields = modules[key].join(parts)
        if fields is None:
            found.failures.setdefault(key, batch.FAILED)
            found.lost.update((key, (stage, "missing")) for stage in modules[key].JOINED_NEEDS if stage not in parts)
        else:
            found.predictions[key].update(fields)


def _key(row_id, module, replicate):
    """What a prediction is kept under; a replicate that is no whole number is left to the schema."""
    if module is None or not module.REPLICATES or isinstance(replicate, bool):
        return row_id
    if isinstance(replicate, float) and replicate.is_integer():
        replicate = int(replicate)
    if isinstance(replicate, str):
        replicate = int(replicate) if _is_number(replicate) else None
    return key_of(row_id, replicate if isinstance(replicate, int) else None)


def _is_number(replicate):
    return replicate.isascii() and replicate.isdecimal() and len(replicate) <= DIGITS_OF_A_REPLICATE


def _refusal(module, stage, replicate):
    """Why a batch line of this stage and replicate fits no row of the config, or None."""
    if stage not in module.STAGES:
        known = ", ".join(sorted(filter(None, module.STAGES)))
        return f"no stage {stage[:80]!r} in {module.NAME} (there are: {known}, or none named)"
    if replicate and module.REPLICATES and not _is_number(replicate):
        return f"the replicate {replicate[:80]!r} is no number from 0 to 9999"
    if replicate and not module.REPLICATES:
        return f"{module.NAME} has no replicates, but this line is of replicate {replicate[:80]!r}"
    return None


def _first_place(answered, fields, place):
    """Where one of the fields was answered before, else None; "*" stands for a whole prediction."""
    for known, where in answered.items():
        if known == "*" or "*" in fields or known in fields:
            return where
    answered.update(dict.fromkeys(fields, place))
    return None


def _add_stage(found, key, row_id, stage, record, module, place):
    found.from_batch.add(key)
    prediction = found.predictions.growing(key, {"id": row_id}, place)
    if stage in getattr(module, "JOINED", ()):
        prediction = found.parts.setdefault(key, {}).setdefault(stage, {})
    try:
        prediction.update(stage_answer(row_id, stage, record, module))
    except batch.NoAnswer as error:
        found.failures.setdefault(key, error.kind)
        found.lost[key, (stage, error.kind)] += 1


def _read(text, stage, module):
    """The JSON object in an answer; for a config that takes free text, and a stage that gives it, the text itself."""
    takes_text = getattr(module, "text_answer", None)
    try:
        found = batch.answer(text)
    except batch.NoAnswer:
        if takes_text is None or "response" not in module.STAGES[stage]:
            raise
        return takes_text(text)
    if takes_text is not None and "response" in module.STAGES[stage] and not found.keys() & module.STAGES[stage]:
        return takes_text(text)
    return found


def stage_answer(row_id, stage, record, module):
    """The fields that a batch line answers at its stage, valid by the config's schema. Raises batch.NoAnswer."""
    text = batch.content(record)
    if module is None:
        return {}
    answer = _read(text, stage, module) if text.strip() else module.EMPTY[stage]
    kept = {key: value for key, value in answer.items() if key in module.STAGES[stage]}
    module.trim(kept)
    schema = schemas.schema_name(module.NAME, "prediction")
    if text.strip() and not (kept and schemas.is_valid(schema, {"id": row_id, **module.LEAST, **kept})):
        raise batch.NoAnswer(batch.UNPARSABLE)
    return kept
