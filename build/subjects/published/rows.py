"""Published documents as rows (SPEC 4.5); what the publication gets wrong stays as it is."""

from build.fold import fold
from build.subjects import semantics
from build.subjects.schema import NAME, PREFIX
from scoring.rows import row_id
from scoring.text import words

DOMAINS = {"TAB": "legal", "PANORAMA": "online"}
LANGUAGE = "en"
TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "prof", "professor", "sir", "dame", "ambassador", "judge"})


def rows(published):
    """{data_id: row} in the order of the files; rows have no derivation and no evidence, which is not published."""
    return {
        data_id: _row(document, published.entities.get(data_id)) for data_id, document in published.subjects.items()
    }


def _row(document, spans):
    data_id, year = document["metadata"]["data_id"], _provenance(spans).get("year")
    return {
        "id": row_id(PREFIX, NAME, data_id, document["text"]),
        "domain": DOMAINS[data_id.partition("-")[0]],
        "language": LANGUAGE,
        "document_date": str(int(year)) if year else "",
        "text": document["text"],
        "target_subject": target(document, spans),
        "entities": [_entity(span) for span in spans["entities"]] if spans else [],
        "subjects": [_subject(subject) for subject in document["subjects"]],
    }


def _provenance(spans):
    return spans["metadata"].get("provenance", {}) if spans else {}


def _entity(span):
    return {
        "start": int(span["start_offset"]),
        "end": int(span["end_offset"]),
        "text": span["span_text"],
        "entity_type": span["entity_type"],
        "identifier_type": span["identifier_type"],
        "entity_id": span["entity_id"],
        "subject_id": "",
    }


def _subject(subject):
    said = [pii for pii in subject["PIIs"] if pii["certainty"] or has_value(pii)]
    return {
        "subject_id": str(int(subject["id"])),
        "description": subject["description"],
        "pii": [_pii(pii) for pii in said],
    }


def _pii(pii):
    tag, value = pii["tag"], pii["keyword"]
    return {
        "tag": tag,
        "value": value,
        "aliases": semantics.aliases(tag, value),
        "broader": semantics.broader(tag, value),
        "certainty": int(pii["certainty"]),
        "hardness": int(pii["hardness"]),
        "derivation": "",
        "evidence": [],
    }


def has_value(pii):
    """Whether a published entry holds more than white space."""
    return bool(pii["keyword"].strip())


def target_name(spans):
    """Whom a document is about by its provenance: the applicant, or the owner of the profile; "" if not told."""
    provenance = _provenance(spans)
    profile = provenance.get("profile", {})
    return provenance.get("applicant") or " ".join(profile.get(key, "") for key in ("First Name", "Last Name")).strip()


def target(document, spans):
    """The id of the subject who bears the target's name: as a whole, else in part, else with initials.

    "" where nobody does, or where several bear it equally well.
    """
    wanted = _name_words(target_name(spans))
    if not wanted:
        return ""
    names = [
        (str(int(subject["id"])), _name_words(pii["keyword"]))
        for subject in document["subjects"]
        for pii in subject["PIIs"]
        if pii["tag"] == "NAME"
    ]
    for fits in (_equal, _within, _with_initials):
        found = {subject_id for subject_id, name in names if name and fits(name, wanted)}
        if found:
            return found.pop() if len(found) == 1 else ""
    return ""


def _equal(name, wanted):
    return name == wanted


def _within(name, wanted):
    return name <= wanted or wanted <= name


def _with_initials(name, wanted):
    """Each word of the name is one of the target's or the initial of one, and some word is whole."""
    return bool(name & wanted) and all(any(full == word or full[0] == word for full in wanted) for word in name)


def _name_words(name):
    return frozenset(words(fold(name))) - TITLES
