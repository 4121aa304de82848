"""What the published data gets wrong, as a report; nothing is repaired (the kinds are in faults.json)."""

import json
import re
import unicodedata
from pathlib import Path

from build.subjects import semantics
from build.subjects.published.rows import has_value, target, target_name
from build.subjects.semantics import places
from build.subjects.semantics.keys import key
from scoring.subjects.units import CERTAIN

CLOSED_TAGS = ("SEX", "EDUCATION", "RELATIONSHIP")
OLDEST = 120
_YEARS = re.compile(r"(\d+)(?:-(\d+))?")


def kinds():
    """{kind: what it means}, in the order of the report."""
    return json.loads((Path(__file__).parent / "faults.json").read_text(encoding="utf-8"))


def report(published):
    """{kind: {"what", "count", "where"}}; a place is such as "TAB-1", "TAB-1/0" or "TAB-1/0/AGE"."""
    found = {kind: [] for kind in kinds()}
    for kind, where in _all(published):
        found[kind].append(where)
    return {kind: {"what": what, "count": len(found[kind]), "where": found[kind]} for kind, what in kinds().items()}


def is_unit(pii):
    """Whether a published entry makes a unit (METRICS 8): certain, with a value."""
    return pii["certainty"] >= CERTAIN and has_value(pii)


def _all(published):
    for data_id, document in published.subjects.items():
        yield from ((kind, data_id) for kind in _of_document(document))
        for subject in document["subjects"]:
            where = f"{data_id}/{int(subject['id'])}"
            yield from ((kind, where) for kind in _of_subject(subject))
            for pii in subject["PIIs"]:
                yield from ((kind, f"{where}/{pii['tag']}") for kind in _of_entry(pii))
        yield from _of_spans(data_id, document, published.entities.get(data_id))
    for data_id in published.entities:
        if data_id not in published.subjects:
            yield "spans_without_document", data_id


def _of_document(document):
    numbers = [subject["id"] for subject in document["subjects"]]
    if numbers != list(range(len(numbers))):
        yield "subject_numbers"
    if document["metadata"]["number_of_subjects"] != len(numbers):
        yield "subject_count"


def _of_subject(subject):
    tags = [pii["tag"] for pii in subject["PIIs"]]
    if len(set(tags)) != len(tags):
        yield "repeated_tag"
    if not any(map(is_unit, subject["PIIs"])):
        yield "no_scored_unit"
    if not subject["description"].strip():
        yield "empty_description"


def _of_entry(pii):
    value = pii["keyword"].strip()
    if not value:
        if pii["certainty"] or pii["hardness"]:
            yield "empty_value"
        return
    if not (pii["certainty"] and pii["hardness"]):
        yield "value_without_certainty"
    if pii["keyword"] != value:
        yield "outer_space"
    if pii["tag"] in CLOSED_TAGS and key(value) not in map(key, semantics.class_names(pii["tag"])):
        yield "no_class"
    yield from _BY_TAG.get(pii["tag"], lambda value: ())(value)


def _of_age(value):
    plain = "".join("-" if unicodedata.category(c) == "Pd" else c for c in value)
    if plain != value:
        yield "age_dash"
    read = _YEARS.fullmatch(plain)
    if not read:
        yield "age_no_number"
    elif not int(read[1]) <= int(read[2] or read[1]) <= OLDEST:
        yield "age_out_of_range"


def _of_location(value):
    parts = places.parts(value)
    first, last = (parts[0], parts[-1]) if parts else ("", "")
    if places.named_country(last) is None:
        yield "location_reversed" if len(parts) > 1 and places.named_country(first) else "location_no_country"
    if places.has_empty_part(value):
        yield "location_empty_part"


def _of_nationality(value):
    if semantics.country(value) is None:
        yield "nationality_no_country"


_BY_TAG = {"AGE": _of_age, "LOCATION": _of_location, "NATIONALITY": _of_nationality}


def _of_spans(data_id, document, spans):
    if spans is None:
        yield "document_without_spans", data_id
        return
    if int(spans["metadata"]["number_of_subjects"]) != len(document["subjects"]):
        yield "subject_count_of_spans", data_id
    if target_name(spans) and not target(document, spans):
        yield "target_not_found", data_id
    for span in spans["entities"]:
        start, end = int(span["start_offset"]), int(span["end_offset"])
        if document["text"][start:end] != span["span_text"]:
            yield "span_text", f"{data_id}/{start}-{end}"
