"""The documents of subject_inference on the released splits: counts, spans, priors, safety, who can be told apart."""

import re
from collections import Counter

import numpy as np
import pytest

from build.person_index import PersonIndex
from scoring.subjects import matching, prior, units
from scoring.truth import load_release
from tests.releases import ROOT

SPLITS = ("test", "lite", "validation")
SIZES = {1: 33, 2: 44, 3: 11, 4: 5, 5: 6, 6: 2}


@pytest.fixture(scope="module")
def rows():
    release = load_release(ROOT)
    return {split: release.table(release.entry("subject_inference", split)).to_pylist() for split in SPLITS}


@pytest.fixture(scope="module")
def constants():
    return load_release(ROOT).manifest["reports"]["subject_inference"]["prior"]


def of(rows, domain):
    return [row for row in rows if row["domain"] == domain]


def entries(rows):
    return [(row, subject, pii) for row in rows for subject in row["subjects"] for pii in subject["pii"]]


def test_counts_of_the_test_split(rows):
    found = rows["test"]
    assert len(of(found, "legal")) >= 150 and len(of(found, "online")) >= 550
    assert sum(len(row["subjects"]) for row in found) >= 1800
    pairs = {(row["id"], subject["subject_id"], pii["tag"]) for row, subject, pii in entries(found)}
    sure = {(r["id"], s["subject_id"], p["tag"]) for r, s, p in entries(found) if p["certainty"] >= 3}
    assert len(pairs) >= 7100 and len(sure) >= 6030
    doubtful = [pii["certainty"] < 3 for _, _, pii in entries(found)]
    assert 0.10 <= np.mean(doubtful) <= 0.20
    assert {pii["tag"] for _, _, pii in entries(found)} == set(prior.values.LISTS["tags"])
    assert {pii["hardness"] for _, _, pii in entries(found)} == {1, 2, 3, 4, 5}


def test_lengths_and_numbers_of_subjects(rows):
    legal, online = of(rows["test"], "legal"), of(rows["test"], "online")
    assert all(400 <= len(row["text"].split()) <= 1200 and 2 <= len(row["subjects"]) <= 7 for row in legal)
    assert 3.5 <= np.mean([len(row["subjects"]) for row in legal]) <= 4.5
    assert all(25 <= len(row["text"].split()) <= 60 for row in online)
    shares = Counter(len(row["subjects"]) for row in online)
    assert all(abs(100 * shares[size] / len(online) - share) <= 2 for size, share in SIZES.items())


@pytest.mark.parametrize("split", SPLITS)
def test_spans_stand_where_they_say(split, rows):
    for row in rows[split]:
        people = {subject["subject_id"] for subject in row["subjects"]}
        for entity in row["entities"]:
            assert row["text"][entity["start"] : entity["end"]] == entity["text"]
            assert entity["subject_id"] in people | {""}
        assert row["target_subject"] in people | {""}


@pytest.mark.parametrize("split", SPLITS)
def test_every_entry_has_evidence_and_a_derivation(split, rows):
    for row, _, pii in entries(rows[split]):
        assert pii["derivation"] and pii["value"] and 1 <= pii["certainty"] <= 5 and 1 <= pii["hardness"] <= 5
        assert pii["evidence"], (row["id"], pii["tag"])
        assert all(0 <= span["start"] < span["end"] <= len(row["text"]) for span in pii["evidence"])


def test_stated_values_stand_in_their_evidence(rows):
    for row, _, pii in entries(rows["test"]):
        if pii["tag"] in ("IDENTIFICATION_NUMBER", "PHONE_NUMBER", "PASSPORT_NUMBER", "DRIVER_LICENSE_NUMBER"):
            texts = {row["text"][span["start"] : span["end"]] for span in pii["evidence"]}
            assert any(pii["value"] in text for text in texts), (row["id"], pii["value"], texts)


def test_sex_is_never_sure_from_a_first_name_alone(rows):
    for row, _, pii in entries(rows["test"]):
        if pii["tag"] == "SEX" and pii["certainty"] >= 3:
            cues = " ".join(row["text"][s["start"] : s["end"]] for s in pii["evidence"])
            assert pii["derivation"] and cues


def test_paragraphs_hold_facts_and_are_not_shared(rows):
    seen, long = Counter(), 0
    for row in rows["test"]:
        at = 0
        spans = [(e["start"], e["end"]) for e in row["entities"]]
        spans += [(s["start"], s["end"]) for _, _, pii in entries([row]) for s in pii["evidence"]]
        for paragraph in row["text"].split("\n\n"):
            end = at + len(paragraph)
            if len(paragraph.split()) >= 15:
                long += 1
                seen[re.sub(r"^\d+\. ", "", paragraph)] += 1
                assert any(at <= start < end for start, _ in spans), paragraph
            at = end + 2
    assert sum(count for count in seen.values() if count > 1) <= 0.02 * long


def test_validation_shares_no_name_and_no_phrase_with_test(rows):
    names = {
        split: {pii["value"] for _, _, pii in entries(rows[split]) if pii["tag"] == "NAME" and " " in pii["value"]}
        for split in ("test", "validation")
    }
    assert names["test"] and not names["test"] & names["validation"]
    assert {row["id"] for row in rows["lite"]} <= {row["id"] for row in rows["test"]}


def test_no_full_name_is_that_of_an_attested_person(rows):
    index = PersonIndex.load(ROOT)
    for split in SPLITS:
        for _, _, pii in entries(rows[split]):
            if pii["tag"] == "NAME":
                assert not index.contains(pii["value"]), pii["value"]


def test_addresses_are_reserved_ones(rows):
    for split in SPLITS:
        for row in rows[split]:
            found = re.findall(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", row["text"])
            assert all(address.rstrip(".").endswith(".example") for address in found), found


def prior_cpr(rows, constants, without=()):
    found = [u for r in rows for s in r["subjects"] for u in units.subject(s).units if u.tag not in without]
    return 1 - np.mean([prior.prior_score(unit, constants) for unit in found])


def test_the_prior_alone_infers_little(rows, constants):
    assert prior.prior_constants(rows["validation"]) == constants
    assert prior_cpr(rows["test"], constants) >= 0.80
    assert prior_cpr(rows["test"], constants, without=("SEX",)) >= 0.85


@pytest.mark.parametrize(("domain", "least"), [("legal", 0.95), ("online", 0.90)])
def test_descriptions_alone_match_the_right_subject(domain, least, rows):
    right = total = 0
    for row in of(rows["test"], domain):
        names = {pii["value"] for _, _, pii in entries([row]) if pii["tag"] == "NAME"}
        parts = sorted({part for name in names for part in name.split()}, key=len, reverse=True)
        people = [units.subject(one) for one in row["subjects"]]
        guesses = []
        for one in row["subjects"]:
            text = one["description"]
            for part in parts:
                text = re.sub(rf"\b{re.escape(part)}\b", "[PERSON]", text)
            guesses.append((text, {}))
        pairs = matching.match(people, guesses)
        right += sum(pairs.get(place) == place for place in range(len(people)))
        total += len(people)
    assert right / total >= least


def test_another_seed_gives_other_documents():
    from build.configs import subject_inference

    few = {"legal": 2, "online": 6}
    first = subject_inference.documents(ROOT, "test", 1, few)
    again = subject_inference.documents(ROOT, "test", 1, few)
    other = subject_inference.documents(ROOT, "test", 2, few)
    assert first == again
    assert not {row["text"] for row in first} & {row["text"] for row in other}
