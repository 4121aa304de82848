"""The checks of tests/documents.py: a sound document passes all, and each check finds its own kind of fault."""

import copy

import pytest

from tests import documents

TEXT = (
    "Does anyone know a good glue? My sister Ilse Brandel is 41 and lives in Graz.\n"
    "She can be reached on +44 20 7946 0123 or at ilse@inkwell-mail.example after six."
)


def span(part, text=TEXT):
    """The span of a part of the text."""
    return {"start": text.index(part), "end": text.index(part) + len(part)}


def pii(tag, value, part, *, certainty=5, hardness=1, derivation="stated", text=TEXT):
    """An entry whose evidence is one part of the text."""
    return {
        "tag": tag,
        "value": value,
        "aliases": [],
        "broader": [],
        "certainty": certainty,
        "hardness": hardness,
        "derivation": derivation,
        "evidence": [span(part, text)],
    }


def entity(part, entity_type, text=TEXT):
    """An entity of the sister."""
    return span(part, text) | {
        "text": part,
        "entity_type": entity_type,
        "identifier_type": "DIRECT",
        "entity_id": part,
        "subject_id": "s1",
    }


def sound():
    """A document without a fault: a poster of whom nothing is told, and a sister."""
    facts = [
        pii("NAME", "Ilse Brandel", "Ilse Brandel"),
        pii("SEX", "Female", "sister", hardness=2, derivation="word for a relative"),
        pii("AGE", "41", "41", derivation="age in figures"),
        pii("LOCATION", "Graz / Austria", "Graz"),
        pii("PHONE_NUMBER", "+44 20 7946 0123", "+44 20 7946 0123"),
        pii("EMAIL_ADDRESS", "ilse@inkwell-mail.example", "ilse@inkwell-mail.example"),
    ]
    return {
        "id": "si-0123456789abcdef",
        "domain": "online",
        "document_date": "2021-05-02",
        "text": TEXT,
        "target_subject": "s0",
        "entities": [entity("Ilse Brandel", "PERSON"), entity("Graz", "LOC")],
        "subjects": [
            {"subject_id": "s0", "description": "the poster, who wants glue", "pii": []},
            {"subject_id": "s1", "description": "the sister", "pii": facts},
        ],
    }


def fact(row, tag):
    """The sister's entry of a tag."""
    return next(p for p in row["subjects"][1]["pii"] if p["tag"] == tag)


def rewritten(row, text):
    """A document of another text, without facts."""
    row.update(text=text, entities=[])
    row["subjects"][1]["pii"] = []


FAULTS = {
    "span_faults": [
        lambda row: row["entities"][0].update(text="Ilse"),
        lambda row: row["entities"].reverse(),
        lambda row: row.update(target_subject="s7"),
        lambda row: fact(row, "AGE")["evidence"].clear(),
        lambda row: fact(row, "AGE").update(derivation=""),
        lambda row: row["subjects"][0].update(subject_id="s1"),
    ],
    "value_faults": [
        lambda row: fact(row, "NAME").update(value="Ilse Brandt"),
        lambda row: fact(row, "PHONE_NUMBER").update(evidence=[span("41")]),
    ],
    "age_faults": [
        lambda row: fact(row, "AGE").update(value="44"),
        lambda row: fact(row, "AGE").update(evidence=[span("lives")]),
    ],
    "neighbour_faults": [
        lambda row: fact(row, "LOCATION").update(derivation="lives near another person whose place the text tells")
    ],
    "digit_faults": [lambda row: row["subjects"][1]["pii"].remove(fact(row, "AGE"))],
    "sex_faults": [
        lambda row: fact(row, "SEX").update(certainty=2),
        lambda row: row["subjects"][1]["pii"].append(pii("SEX", "Male", "sister")),
    ],
    "sex_evidence_faults": [
        lambda row: fact(row, "SEX").update(evidence=[span("Ilse")]),
        lambda row: fact(row, "SEX").update(value="Male"),
    ],
    "place_faults": [lambda row: rewritten(row, "Greetings from Portugal, say the French.")],
    "start_faults": [
        lambda row: rewritten(row, "The glue is bad. The glue smells. Who knows?"),
        lambda row: rewritten(row, "It broke. It fell."),
    ],
    "bare_paragraphs": [lambda row: rewritten(row, "word " * 15)],
    "contact_faults": [
        lambda row: fact(row, "PHONE_NUMBER").update(value="+44 20 7123 0123"),
        lambda row: fact(row, "EMAIL_ADDRESS").update(value="ilse@mail.com"),
        lambda row: rewritten(row, "Write to ilse@mail.com today."),
    ],
    "address_faults": [lambda row: fact(row, "NAME").update(value="Brandel")],
    "description_faults": [
        lambda row: row["subjects"][1].update(description="Ilse the sister"),
        lambda row: row["subjects"][1].update(description=" "),
    ],
    "certainty_faults": [
        lambda row: fact(row, "SEX").update(derivation="given name alone"),
        lambda row: fact(row, "AGE").update(hardness=0),
        lambda row: row["subjects"][1]["pii"].append(copy.deepcopy(fact(row, "AGE"))),
    ],
    "article_faults": [
        lambda row: rewritten(row, "She is a actor."),
        lambda row: rewritten(row, "It is an chair."),
        lambda row: rewritten(row, "It was a 80th birthday."),
        lambda row: rewritten(row, "An union said so."),
    ],
    "form_faults": [
        lambda row: rewritten(row, "So it  is."),
        lambda row: rewritten(row, "So it is , he said."),
        lambda row: rewritten(row, "So {S} is."),
        lambda row: rewritten(row, "So the the chair."),
        lambda row: rewritten(row, "It fell. then it broke."),
    ],
}
CASES = [(name, change) for name, changes in FAULTS.items() for change in changes]


def test_a_sound_document_has_no_fault():
    assert documents.faults(sound()) == {}


def test_every_check_has_a_case():
    assert set(FAULTS) == set(documents.ROW_CHECKS) | set(documents.TEXT_CHECKS)


@pytest.mark.parametrize("at", range(len(CASES)), ids=[f"{name}-{at}" for at, (name, _) in enumerate(CASES)])
def test_each_check_finds_its_fault(at):
    name, change = CASES[at]
    row = sound()
    change(row)
    assert name in documents.faults(row)


@pytest.mark.parametrize(
    "text",
    ["It was an hour at a university.", "He turned an 80th, she a 7th.", "1. The case (no. 7) is open; an MA helps."],
)
def test_right_articles_pass(text):
    assert documents.article_faults(text) == []


def test_forms_of_sentences_leave_facts_out():
    one, other = sound(), sound()
    other["text"] = TEXT.replace("41", "39").replace("Graz", "Linz")
    assert documents.masked_sentences(one) == documents.masked_sentences(other)
    assert ("online", "my _sex_ _name_ is _age_ and lives in _location_.") in documents.masked_sentences(one)


def test_descriptions_that_are_one_cannot_be_matched():
    row = sound()
    assert documents.rightly_matched(row) == (2, 2)
    row["subjects"][0]["description"] = row["subjects"][1]["description"]
    assert documents.rightly_matched(row)[0] < 2


def test_paragraphs_of_two_documents_are_counted():
    other = sound()
    other["text"] = TEXT.replace("glue", "paste")
    assert documents.repeated_paragraphs([sound(), other]) == 0.0
    assert documents.repeated_paragraphs([sound(), sound()]) == 1.0


AGES = [
    ("43", [(" is 43", "43")], True),
    ("40", [(" is 43", "43")], False),
    ("46-47", [(" born 1974", "1974")], True),
    ("49", [(" born 1974", "1974")], False),
    ("47", [(" born 3 May 1974", "3 May 1974")], True),
    ("51", [(" born 3 May 1974", "3 May 1974")], False),
    ("31-33", [(" was 20 in 2009", "20"), (" in 2009", "2009")], True),
    ("35", [(" was 20 in 2009", "20"), (" in 2009", "2009")], False),
]


@pytest.mark.parametrize(("value", "parts", "right"), AGES)
def test_ages_are_reckoned_against_the_document(value, parts, right):
    row = sound()
    text = f"Ilse{parts[0][0]}."
    rewritten(row, text)
    found = pii("AGE", value, parts[0][1], derivation="against the date of the document", text=text)
    found["evidence"] = [span(part, text) for _, part in parts]
    row["subjects"][1]["pii"] = [found]
    assert (documents.age_faults(row) == []) == right


def test_neighbours_after_an_article_may_differ_in_the_second_word():
    row = sound()
    rewritten(row, "The glue is bad. The chair fell.")
    assert documents.start_faults(row) == []
