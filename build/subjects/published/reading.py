"""The published files: documents with subjects, documents with spans, and every reason to refuse them."""

from dataclasses import dataclass, field
from pathlib import Path

from scoring import readers, schemas
from scoring.errors import Faults, FaultyFile, UserError
from scoring.rows import file_sha256

KINDS = ("subjects", "entities")
FORMS = {kind: f"spia_{kind}.document.schema.json" for kind in KINDS}


@dataclass(frozen=True)
class Published:
    """What some files hold.

    Attributes:
        files: {path: {"file", "sha256", "subjects", "entities"}}; the last two are lists of data_ids.
        subjects, entities: {data_id: the document as published}.
    """

    files: dict = field(default_factory=dict)
    subjects: dict = field(default_factory=dict)
    entities: dict = field(default_factory=dict)


def read(paths):
    """Read the files, in any order.

    Raises:
        UserError: with every fault of every file; a document of two places, and spans of another text, are faults.
    """
    found, places, broken = Published(), {}, []
    for path in paths:
        faults = Faults(path)
        try:
            _read_file(str(path), found, places, faults)
            faults.raise_if_any()
        except FaultyFile as error:
            broken.append(str(error))
    broken += _strangers(found, places)
    if broken:
        raise UserError("\n".join(broken))
    if not found.subjects:
        raise UserError("no file holds a document with 'subjects': give the subject files, spans alone are no truth")
    return found


def _read_file(path, found, places, faults):
    if not Path(path).is_file():
        raise UserError(f"{path}: no such file")
    entry = {"file": Path(path).name, "sha256": file_sha256(path), **{kind: [] for kind in KINDS}}
    found.files.setdefault(path, entry)
    for place, document in readers.records(path, faults):
        kinds = [kind for kind in KINDS if kind in document]
        if not kinds:
            faults.add("lacks both 'subjects' and 'entities', one of which a published document has", place=place)
        for kind in kinds:
            _take(kind, document, f"{path}, {place}", getattr(found, kind), entry[kind], places, faults, place)


def _take(kind, document, where, documents, ids, places, faults, place):
    """Add a document, or what is wrong with it."""
    if not schemas.is_valid(FORMS[kind], document):
        data_id = document["metadata"].get("data_id") if isinstance(document.get("metadata"), dict) else None
        for message in schemas.errors(FORMS[kind], document):
            faults.add(message, place=place, row_id=data_id)
        return
    data_id = document["metadata"]["data_id"]
    if data_id in documents:
        faults.add(f"stands twice, first in {places[kind, data_id]}", place=place, row_id=data_id)
        return
    if kind == "subjects":
        ids_of = [subject["id"] for subject in document["subjects"]]
        for twice in sorted({subject for subject in ids_of if ids_of.count(subject) > 1}):
            faults.add(f"the subject {twice} stands twice in one document", place=place, row_id=data_id)
    documents[data_id] = document
    places[kind, data_id] = where
    ids.append(data_id)


def _strangers(found, places):
    """Spans whose document has another text in the file of subjects: their offsets would mean nothing."""
    return [
        f"{places['entities', data_id]}, id {data_id!r}: its text is not that of {places['subjects', data_id]}"
        for data_id, spans in found.entities.items()
        if data_id in found.subjects and spans["text"] != found.subjects[data_id]["text"]
    ]
