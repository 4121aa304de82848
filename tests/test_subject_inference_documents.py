"""What subject_inference promises, on freshly built splits: counts, spans, truth, safety, flat priors, variety.

The checks read the rows alone; what they look for is listed by hand, not taken from the generator.
"""

import json
import re
from collections import Counter, defaultdict

import pyarrow as pa
import pytest

from build import lexicons
from build.configs import subject_inference as config
from build.person_index import PersonIndex
from scoring import schemas
from scoring.subjects import matching, units
from scoring.subjects.prior import prior_constants, prior_score
from tests.releases import ROOT
from tests.subject_expectations import (
    CUES,
    FICTIONAL_PHONES,
    NUMBERS,
    PARAGRAPH_NUMBER,
    SEX_OF,
    SEXED_WORD,
    SIZES,
    WORDS,
)


@pytest.fixture(scope="session")
def built():
    return config.build(ROOT, 0)


@pytest.fixture(scope="session")
def splits(built):
    return built.splits


@pytest.fixture(scope="session")
def rows(splits):
    return splits["test"] + splits["validation"]


def of_domain(rows, domain):
    return [row for row in rows if row["domain"] == domain]


def subjects_of(rows):
    return [(row, subject) for row in rows for subject in row["subjects"]]


def pii_of(rows):
    return [(row, subject, pii) for row, subject in subjects_of(rows) for pii in subject["pii"]]


def spans(marks):
    return [(mark["start"], mark["end"]) for mark in marks]


def inside(start, end, found):
    return any(low <= start and end <= high for low, high in found)


def test_counts_reach_the_minima(splits):
    test = splits["test"]
    pairs = {(row["id"], subject["subject_id"], pii["tag"]) for row, subject, pii in pii_of(test)}
    sure = {(row["id"], s["subject_id"], pii["tag"]) for row, s, pii in pii_of(test) if pii["certainty"] >= 3}
    assert len(of_domain(test, "legal")) >= 150 and len(of_domain(test, "online")) >= 550
    assert len(subjects_of(test)) >= 1800
    assert len(pairs) >= 7100 and len(sure) >= 6030


@pytest.mark.parametrize("split", ("test", "validation", "lite"))
def test_a_tenth_to_a_fifth_of_the_pii_is_doubtful(splits, split):
    certainties = [pii["certainty"] for _, _, pii in pii_of(splits[split])]
    assert 0.10 <= sum(c < 3 for c in certainties) / len(certainties) <= 0.20


def test_numbers_of_subjects_follow_the_shares(splits):
    for split in ("test", "validation"):
        online = of_domain(splits[split], "online")
        found = Counter(len(row["subjects"]) for row in online)
        assert set(found) == set(SIZES)
        assert all(abs(found[size] / len(online) - share) < 0.02 for size, share in SIZES.items())
        legal = [len(row["subjects"]) for row in of_domain(splits[split], "legal")]
        assert min(legal) >= 2 and max(legal) <= 7
        assert 3.8 <= sum(legal) / len(legal) <= 4.2


def test_documents_have_the_length_of_their_domain(rows):
    for row in rows:
        low, high = WORDS[row["domain"]]
        assert low <= len(row["text"].split()) <= high, row["id"]


def test_rows_fit_both_schemas(rows):
    name = schemas.schema_name(config.NAME, "row")
    assert all(schemas.is_valid(name, row) for row in rows), [schemas.errors(name, row) for row in rows[:3]]
    table = pa.Table.from_pylist(rows, schema=config.SCHEMA)
    assert table.to_pylist() == rows


def test_ids_are_unique_and_lite_is_a_subset(splits):
    ids = [row["id"] for row in splits["test"] + splits["validation"]]
    assert len(set(ids)) == len(ids)
    test = {row["id"]: row for row in splits["test"]}
    assert all(test[row["id"]] == row for row in splits["lite"])
    assert Counter(row["domain"] for row in splits["lite"]) == {"legal": 30, "online": 110}
    assert {len(row["subjects"]) for row in of_domain(splits["lite"], "online")} == set(SIZES)


def test_entities_are_cut_from_the_text_and_do_not_overlap(rows):
    for row in rows:
        entities = row["entities"]
        assert all(row["text"][e["start"] : e["end"]] == e["text"] for e in entities)
        assert all(one["end"] <= other["start"] for one, other in zip(entities, entities[1:], strict=False)), row["id"]
        keys = {subject["subject_id"] for subject in row["subjects"]} | {""}
        assert {e["subject_id"] for e in entities} <= keys and row["target_subject"] in keys


def test_every_fact_has_evidence_and_a_derivation(rows):
    for row, _, pii in pii_of(rows):
        assert pii["evidence"] and pii["derivation"] and pii["value"]
        assert all(0 <= e["start"] < e["end"] <= len(row["text"]) for e in pii["evidence"])
        assert 1 <= pii["certainty"] <= 5 and 1 <= pii["hardness"] <= 5


LITERAL = ("PHONE_NUMBER", "EMAIL_ADDRESS", "POSITION", "AFFILIATION", "OCCUPATION", "NAME", *NUMBERS)


def test_what_is_read_off_stands_in_its_evidence(rows):
    """A fact of hardness 1 is found again, word by word, in the text that is said to reveal it."""
    for row, _, pii in pii_of(rows):
        if pii["hardness"] == 1 and pii["tag"] in LITERAL and pii["value"] != "Judge":
            told = [row["text"][start:end].lower() for start, end in spans(pii["evidence"])]
            words = pii["value"].lower()
            assert any(words in text for text in told) or all(any(w in t for t in told) for w in words.split()), pii
        if pii["hardness"] == 1 and pii["tag"] in ("LOCATION", "NATIONALITY", "AGE"):
            told = " ".join(row["text"][start:end] for start, end in spans(pii["evidence"]))
            assert pii["value"].partition(" / ")[0] in told, pii


def test_every_name_in_the_text_is_marked(rows):
    for row in rows:
        direct = spans(e for e in row["entities"] if e["identifier_type"] == "DIRECT")
        parts = {part for e in row["entities"] if (e["entity_type"], e["identifier_type"]) == ("PERSON", "DIRECT")
                 for part in re.findall(r"[A-Z][a-z]\w+", e["text"])}  # fmt: skip
        for part in parts:
            for found in re.finditer(rf"\b{part}\b", row["text"]):
                assert inside(*found.span(), direct), (row["id"], part)


def test_what_one_entity_says_is_marked_wherever_it_stands(rows):
    """Places, bodies and codes that are marked once are marked at each of their places."""
    for row in rows:
        marked = spans(row["entities"])
        for text in {e["text"] for e in row["entities"] if e["entity_type"] in ("LOC", "ORG", "CODE")}:
            for found in re.finditer(rf"(?<!\w){re.escape(text)}(?!\w)", row["text"]):
                assert inside(*found.span(), marked), (row["id"], text)


def test_no_digits_outside_what_is_marked(rows):
    for row in rows:
        marked = spans(row["entities"]) + [
            span for s in row["subjects"] for p in s["pii"] for span in spans(p["evidence"])
        ]
        numbers = [found.span() for found in PARAGRAPH_NUMBER.finditer(row["text"])]
        for found in re.finditer(r"\d+", row["text"]):
            assert inside(*found.span(), marked + numbers), (row["id"], found[0], row["text"])


def test_words_that_tell_a_sex_are_evidence_of_it(rows):
    """No pronoun, honorific or word for a relative stands in a text without being somebody's SEX, and the right one."""
    for row in rows:
        told = [(pii["value"], span) for s in row["subjects"] for pii in s["pii"]
                if pii["tag"] == "SEX" and pii["certainty"] >= 3 for span in spans(pii["evidence"])]  # fmt: skip
        for found in SEXED_WORD.finditer(row["text"]):
            sex = SEX_OF[found[0].lower()]
            assert any(value == sex and inside(*found.span(), [span]) for value, span in told), (row["id"], found[0])


def test_a_given_name_alone_never_makes_a_sex_certain(rows):
    for _, _, pii in pii_of(rows):
        if pii["tag"] == "SEX" and pii["derivation"] == "given name alone":
            assert pii["certainty"] < 3


def test_tags_of_one_value_have_one(rows):
    for row, subject in subjects_of(rows):
        sure = Counter(pii["tag"] for pii in subject["pii"] if pii["certainty"] >= 3)
        single = ("SEX", "NATIONALITY", "EDUCATION", "RELATIONSHIP", "AGE")
        assert all(sure[tag] <= 1 for tag in single), (row["id"], subject["subject_id"], sure)
        assert all(count <= 2 for count in sure.values())


def test_what_rests_on_another_person_agrees_with_that_one(rows):
    shared = {
        "lives near another person whose place the text tells": "LOCATION",
        "same nationality as another person, whose own the text tells": "NATIONALITY",
        "works with another person whose employer the text tells": "AFFILIATION",
    }
    seen = Counter()
    for row, subject, pii in pii_of(rows):
        tag = shared.get(pii["derivation"])
        if tag:
            seen[tag] += 1
            others = [p["value"] for s in row["subjects"] if s is not subject for p in s["pii"] if p["tag"] == tag]
            assert pii["value"] in others, (row["id"], pii)
            assert len(pii["evidence"]) >= 2
    assert all(seen[tag] for tag in shared.values())


def test_ages_agree_with_the_years_in_the_text(rows):
    for row, _, pii in pii_of(rows):
        if pii["derivation"] == "year of birth against the date of the document":
            born = {int(row["text"][start:end]) for start, end in spans(pii["evidence"])}
            low, high = map(int, pii["value"].split("-"))
            assert {int(row["document_date"][:4]) - year for year in born} == {high} and low == high - 1


def test_cues_of_all_kinds_occur(splits):
    for split in ("test", "validation"):
        found = {part for _, _, pii in pii_of(splits[split]) for part in pii["derivation"].split("; ")}
        assert len(set(CUES) - found) <= (0 if split == "test" else 3), set(CUES) - found
    hardness = Counter(pii["hardness"] for _, _, pii in pii_of(splits["test"]))
    assert set(hardness) == {1, 2, 3, 4, 5}


def paragraphs(row):
    """(start, end) of the paragraphs of 15 words or more."""
    found = re.finditer(r"[^\n]+", row["text"])
    return [m.span() for m in found if len(m[0].split()) >= 15]


def test_every_paragraph_holds_a_fact_of_its_document(rows):
    for row in rows:
        told = [(e["start"], e["end"]) for e in row["entities"] if e["identifier_type"] != "NO_MASK"]
        told += [span for s in row["subjects"] for pii in s["pii"] for span in spans(pii["evidence"])]
        for start, end in paragraphs(row):
            assert any(start <= low and high <= end for low, high in told), row["text"][start:end]


def test_hardly_a_paragraph_is_shared_by_two_documents(splits):
    seen = defaultdict(set)
    for row in splits["test"]:
        for start, end in paragraphs(row):
            seen[PARAGRAPH_NUMBER.sub("", row["text"][start:end])].add(row["id"])
    assert sum(len(ids) > 1 for ids in seen.values()) <= 0.02 * len(seen)


def sentences(text):
    """Sentences of a paragraph; a full stop within a number, name or address ends none."""
    return re.split(r"(?<=[.!?])\s+(?=[A-Z@\"(])", text)


def test_no_two_consecutive_sentences_start_alike(rows):
    for row in rows:
        for line in row["text"].split("\n"):
            starts = [sentence.lower().split()[:2] for sentence in sentences(PARAGRAPH_NUMBER.sub("", line))]
            for one, other in zip(starts, starts[1:], strict=False):
                same = one[0] == other[0] and (one[0] not in ("the", "a", "an", "my") or one == other)
                assert not same, line


@pytest.mark.parametrize(
    "fault",
    [
        r"\ba (?=[aeio]\w+|[AEIO]|8|1[18](?!\d))(?!one|eu|Eu)",
        r"\ban (?=[^aeiouAEIOU])(?!hour|honest|8|1[18](?!\d))",
        r"\bof (?:him|she|he)\b",
        r"\b([A-Za-z]+) \1\b",
        r" [,.;]",
        r"[{}<>\[\]]",
        r"\bthe the\b",
        r"(?:^|[.!?] )[a-z](?!\w*@)",
        r"\bfor (?:he|she)\b",
    ],
)
def test_the_text_has_no_fault_of_grammar_or_form(rows, fault):
    found = re.compile(fault)
    bodies = ((row, re.sub(r"\S*@\S+|\([a-e]\) .*", "X", row["text"])) for row in rows)
    hits = [body[max(0, hit.start() - 40) : hit.end() + 30] for row, body in bodies for hit in found.finditer(body)]
    assert not hits, hits[:5]


def test_nobody_in_the_texts_is_attested(rows):
    index = PersonIndex.load(ROOT)
    names = {pii["value"] for _, _, pii in pii_of(rows) if pii["tag"] == "NAME"}
    names |= {alias for _, _, pii in pii_of(rows) if pii["tag"] == "NAME" for alias in pii["aliases"]}
    full = {name for name in names if " " in name}
    assert len(full) > 1000
    assert not [name for name in full if index.contains(name)]


def test_full_names_and_parts_of_names_differ_between_splits(splits):
    parts = {}
    for split in ("test", "validation"):
        entities = [e for row in splits[split] for e in row["entities"]]
        named = [e["text"] for e in entities if (e["entity_type"], e["identifier_type"]) == ("PERSON", "DIRECT")]
        parts[split] = {part.lower() for text in named for part in re.findall(r"[A-Za-z]+", text)}
    assert not parts["test"] & parts["validation"]


def test_bodies_are_invented(rows):
    excluded = {row["folded"] for row in lexicons.rows(ROOT, "exclusion")}
    bodies = {pii["value"] for _, _, pii in pii_of(rows) if pii["tag"] == "AFFILIATION"}
    assert not {body for body in bodies if body.lower() in excluded or body.split()[0].lower() in excluded}


def test_numbers_and_addresses_belong_to_nobody(rows):
    for _, _, pii in pii_of(rows):
        if pii["tag"] == "PHONE_NUMBER":
            assert any(re.fullmatch(form, pii["value"]) for form in FICTIONAL_PHONES), pii["value"]
        if pii["tag"] == "EMAIL_ADDRESS":
            assert re.fullmatch(r"[a-z._]+@[a-z-]+\.example", pii["value"]), pii["value"]
        if pii["tag"] in NUMBERS:
            assert re.fullmatch(NUMBERS[pii["tag"]], pii["value"]), pii["value"]


def masked(row):
    """Sentences of a text with everything marked taken out."""
    text, at = "", 0
    for e in row["entities"]:
        text += row["text"][at : e["start"]] + "_"
        at = e["end"]
    text += row["text"][at:]
    text = re.sub(r"\b(?:Mr|Ms) _|_'s|_", "_", PARAGRAPH_NUMBER.sub("", text))
    return {part for line in text.split("\n") for part in sentences(line) if len(re.findall(r"[a-z]+", part)) >= 5}


def test_validation_shares_no_sentence_form_with_test(splits):
    forms = {split: set().union(*map(masked, splits[split])) for split in ("test", "validation")}
    assert len(forms["validation"]) > 300
    assert not forms["test"] & forms["validation"]


def test_long_runs_of_words_do_not_pass_between_splits(splits):
    """At most one in a hundred runs of seven words of validation, marks taken out, stands in test."""
    runs = {}
    for split in ("test", "validation"):
        words = [re.findall(r"[a-z'-]+|_", form.lower()) for row in splits[split] for form in masked(row)]
        runs[split] = {tuple(w[at : at + 7]) for w in words for at in range(len(w) - 6)}
    assert len(runs["validation"] & runs["test"]) <= 0.01 * len(runs["validation"])


def test_priors_are_flat(built, splits):
    constants = prior_constants(splits["validation"])
    assert built.report["prior"] == constants
    scores = [
        (unit.tag, prior_score(unit, constants))
        for _, subject in subjects_of(splits["test"])
        for unit in units.subject(subject).units
    ]
    cpr = 1 - sum(score for _, score in scores) / len(scores)
    without_sex = [score for tag, score in scores if tag != "SEX"]
    assert cpr >= 0.80
    assert 1 - sum(without_sex) / len(without_sex) >= 0.85


def test_sex_is_balanced_and_not_always_told(splits):
    found = Counter(
        pii["value"] for _, _, pii in pii_of(splits["test"]) if pii["tag"] == "SEX" and pii["certainty"] >= 3
    )
    assert 0.45 <= found["Female"] / sum(found.values()) <= 0.55
    assert sum(found.values()) <= 0.8 * len(subjects_of(splits["test"]))


@pytest.mark.parametrize(("domain", "least"), [("legal", 0.95), ("online", 0.90)])
@pytest.mark.parametrize("words", ["all", "first", "half"])
def test_descriptions_tell_subjects_apart_without_names(splits, domain, least, words):
    """All of a description, its part before the facts, or every second word of it, against the truth."""
    right = total = 0
    for row in of_domain(splits["test"], domain):
        subjects = [units.subject(subject) for subject in row["subjects"]]
        order = list(range(len(subjects)))[::-1]
        said = [row["subjects"][at]["description"] for at in order]
        said = {
            "all": said,
            "first": [t.partition(";")[0] for t in said],
            "half": [" ".join(t.split()[::2]) for t in said],
        }
        found = matching.match(subjects, [(text, {}) for text in said[words]])
        right += sum(order[guess] == true for true, guess in found.items())
        total += len(subjects)
    assert right / total >= least


def test_no_description_holds_a_name(rows):
    for _, subject in subjects_of(rows):
        names = [pii["value"] for pii in subject["pii"] if pii["tag"] == "NAME"]
        assert subject["description"]
        words = set(re.findall(r"\w+", subject["description"]))
        assert not {part for name in names for part in name.split()} & words, subject["description"]


def test_some_posts_have_subjects_that_cannot_be_told_apart(splits):
    online = of_domain(splits["test"], "online")
    alike = sum(any(count > 1 for count in Counter(
        json.dumps(subject["pii"]) for subject in row["subjects"]).values()) for row in online)  # fmt: skip
    assert 0.08 <= alike / len(online) <= 0.12


def test_relatives_who_share_a_surname_and_two_in_one_role_occur(splits):
    legal = of_domain(splits["test"], "legal")
    shared = roles = 0
    for row in legal:
        surnames = [p["value"].split()[-1] for s in row["subjects"] for p in s["pii"] if p["tag"] == "NAME"]
        shared += len(set(surnames)) < len(surnames)
        roles += sum(s["description"].startswith(("First ", "Second ")) for s in row["subjects"]) == 2
    assert shared >= 0.1 * len(legal) and roles >= 0.05 * len(legal)
