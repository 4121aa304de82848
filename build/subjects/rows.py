"""A finished document as a row of the release: entities, subjects with their pii, target, id."""

import re

from build.subjects.describe import describe
from build.subjects.facts import Truth, pii_row
from build.subjects.legal import Judgment
from build.subjects.schema import NAME, PREFIX
from build.subjects.text import Entity
from scoring.rows import row_id

FIRST_PERSON = re.compile(r"(?<![\w'])(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)(?![\w])")


def row(document, text):
    """The row of a Judgment or Post whose `write` gave `text`."""
    scene, body = document.scene, str(text)
    truth = Truth(scene, text.marks)
    subjects = [
        {
            "subject_id": person.key,
            "description": describe(document, truth, person),
            "pii": [pii_row(fact) for fact in truth.of(person)],
        }
        for person in scene.persons.values()
    ]
    return {
        "id": row_id(PREFIX, NAME, scene.domain, "", "", body),
        "domain": scene.domain,
        "language": "en",
        "document_date": scene.date.isoformat(),
        "text": body,
        "target_subject": target(document),
        "entities": entities(scene, text),
        "subjects": subjects,
    }


def target(document):
    """The subject_id of the only claimant, or of the one who posts; "" where several claim."""
    if not isinstance(document, Judgment):
        return document.poster.key
    return "" if "claimant2" in document.cast else document.cast["claimant"].key


def entities(scene, text):
    """The entities in text order, those of the first person among them; ids are unique within the document."""
    body = str(text)
    marks = [(start, end, mark) for start, end, mark in text.marks if isinstance(mark, Entity)]
    if scene.poster:
        taken = [(start, end) for start, end, _ in marks]
        poster = Entity("PERSON", "NO_MASK", scene.poster, scene.poster)
        for found in FIRST_PERSON.finditer(body):
            if all(found.end() <= start or end <= found.start() for start, end in taken):
                marks.append((found.start(), found.end(), poster))
    return [_entity(body, start, end, mark) for start, end, mark in sorted(marks, key=lambda mark: mark[:2])]


def _entity(body, start, end, mark):
    return {
        "start": start,
        "end": end,
        "text": body[start:end],
        "entity_type": mark.entity_type,
        "identifier_type": mark.identifier_type,
        "entity_id": mark.entity_id,
        "subject_id": mark.subject_id,
    }
