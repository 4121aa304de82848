"""Documents in the form in which SPIA is published, written by hand, and where the published files may lie."""

from build.subjects.schema import tags
from tests.releases import ROOT, write_lines

PEERS = ROOT.parent / "shared" / "peers"
TEXT = "I, Mr Ole Lund, a nurse from Cracow, was 34 when the clinic in Lyme sent me home. My sister Eva came along."
KNOWN = {
    "NAME": "Ole Lund",
    "SEX": "Male",
    "AGE": "34",
    "LOCATION": "Cracow / Poland",
    "NATIONALITY": "Poland",
    "OCCUPATION": "Nurse",
}


def entry(tag, value, certainty=4, hardness=1):
    """One published entry."""
    return {"tag": tag, "keyword": value, "certainty": certainty, "hardness": hardness}


def person(number, known, description="somebody"):
    """One published subject: an entry for each of the tags, empty where nothing is known."""
    entries = [entry(tag, known[tag]) if tag in known else entry(tag, "", 0, 0) for tag in tags()]
    return {"id": number, "description": description, "PIIs": entries}


def document(data_id="TAB-1", text=TEXT):
    """A published document without a fault: two subjects."""
    people = [person(0, KNOWN, "a nurse"), person(1, {"NAME": "Eva Lund", "SEX": "Female"}, "the nurse's sister")]
    return {"metadata": {"data_id": data_id, "number_of_subjects": 2}, "text": text, "subjects": people}


def span(text, word, identifier_type="DIRECT", entity_type="PERSON"):
    """One published span, over the first occurrence of a word."""
    start = text.index(word)
    return {
        "span_text": word,
        "entity_type": entity_type,
        "start_offset": start,
        "end_offset": start + len(word),
        "span_id": f"s{start}",
        "entity_id": f"e{start}",
        "identifier_type": identifier_type,
    }


def spans(data_id="TAB-1", text=TEXT, applicant="Ole Lund"):
    """The spans of that document."""
    provenance = {"applicant": applicant, "year": 2009}
    found = [span(text, "Ole Lund"), span(text, "Cracow", "QUASI", "LOC"), span(text, "Eva", "NO_MASK")]
    metadata = {"data_id": data_id, "number_of_subjects": 2, "provenance": provenance}
    return {"metadata": metadata, "text": text, "entities": found}


def write(folder, subjects, entities=()):
    """Write the files of subjects and of spans. Returns their paths."""
    paths = [write_lines(folder / "subjects.jsonl", subjects)] if subjects else []
    return paths + ([write_lines(folder / "entities.jsonl", entities)] if entities else [])
