"""From objects to one prediction a row: plain lines as they stand, batch lines parsed and their stages joined."""

from dataclasses import dataclass, field

from scoring import batch, readers


@dataclass
class Collected:
    """What a file answers, by row id.

    Attributes:
        places: where a row's (first) line stands, such as "line 3".
        predictions: one object a row; stages of a batch are joined in it.
        failures: rows of which some batch line holds no answer, with the kind (batch.FAILED …).
        from_batch: rows that came in a batch output, whose faults are failures of the row.
    """

    places: dict = field(default_factory=dict)
    predictions: dict = field(default_factory=dict)
    failures: dict = field(default_factory=dict)
    from_batch: set = field(default_factory=set)


def collect(path, faults, empty_of):
    """Read a file into Collected; duplicates and objects without id are faults.

    Args:
        path: the file.
        faults: errors.Faults.
        empty_of: given a row id and a stage, the answer that a blank message stands for.
    """
    found, lines = Collected(), {}
    for place, record in readers.records(path, faults):
        is_batch = batch.is_batch(record)
        key = batch.split_id(record["custom_id"]) if is_batch else (record.get("id"), "", "")
        row_id = key[0]
        if not isinstance(row_id, str) or not row_id:
            faults.add("the field 'id' is missing or no string", place=place)
        elif key in lines:
            faults.add(f"a second prediction; the first is on {lines[key]}", place=place, row_id=row_id)
        else:
            lines[key] = place
            found.places.setdefault(row_id, place)
            if is_batch:
                _add_stage(found, row_id, key[1], record, empty_of)
            else:
                found.predictions[row_id] = record
    return found


def _add_stage(found, row_id, stage, record, empty_of):
    found.from_batch.add(row_id)
    prediction = found.predictions.setdefault(row_id, {"id": row_id})
    try:
        text = batch.content(record)
        answer = batch.answer(text) if text.strip() else empty_of(row_id, stage)
    except batch.NoAnswer as error:
        found.failures.setdefault(row_id, error.kind)
        return
    prediction.update({key: value for key, value in answer.items() if key != "id"})
