"""The built documents of subject_inference held to their bars (SPEC 4.5), by checks blind to how they are made."""

import os
import subprocess
import sys
from collections import Counter
from functools import cache

import pytest

from build.configs import subject_inference
from build.person_index import PersonIndex
from scoring import schemas
from scoring.subjects import prior, units, values
from tests import documents
from tests.releases import ROOT

WORDS = {"legal": (400, 1200), "online": (25, 60)}
SUBJECTS = {"legal": (2, 7), "online": (1, 6)}
LEAST = {
    ("test", "legal"): 150,
    ("test", "online"): 550,
    ("lite", "legal"): 25,
    ("lite", "online"): 100,
    ("validation", "legal"): 25,
    ("validation", "online"): 100,
}
ONLINE_SHARES = {1: 33, 2: 44, 3: 11, 4: 5, 5: 6, 6: 2}
CHECKS = documents.ROW_CHECKS | {
    name: (lambda row, check=check: check(row["text"])) for name, check in documents.TEXT_CHECKS.items()
}
DIGEST = (
    "import hashlib, json; from build.configs import subject_inference as config; "
    "print(hashlib.sha256(json.dumps(config.build('.', {seed}, {{}}).splits).encode()).hexdigest())"
)


@pytest.fixture(scope="session")
def splits():
    """All splits under the release's seed, built once."""
    return subject_inference.build(ROOT, 0, {}).splits


def of(rows, domain):
    """The rows of a domain."""
    return [row for row in rows if row["domain"] == domain]


def constants_score(rows, constants, without=()):
    """CPR of the adversary that guesses a constant a tag, tags of `without` left out."""
    found = [u for row in rows for s in map(units.subject, row["subjects"]) for u in s.units if u.tag not in without]
    return 1 - sum(prior.prior_score(unit, constants) for unit in found) / len(found)


def names(rows):
    """Every name of the truth."""
    return {pii["value"] for row in rows for _, pii in documents.piis(row) if pii["tag"] == "NAME"}


def test_rows_fit_their_schema(splits):
    schema = schemas.schema_name("subject_inference", "row")
    for rows in splits.values():
        assert not [fault for row in rows for fault in schemas.errors(schema, row)]


@pytest.mark.parametrize(("split", "domain"), sorted(LEAST))
def test_enough_documents_of_the_right_size(splits, split, domain):
    rows = of(splits[split], domain)
    assert len(rows) >= LEAST[split, domain]
    low, high = WORDS[domain]
    assert [row["id"] for row in rows if not low <= documents.word_count(row) <= high] == []
    fewest, most = SUBJECTS[domain]
    assert [row["id"] for row in rows if not fewest <= len(row["subjects"]) <= most] == []


def test_subjects_and_pairs(splits):
    subjects = [subject for row in splits["test"] for subject in row["subjects"]]
    pairs = {
        certain: sum(len({p["tag"] for p in s["pii"] if p["certainty"] >= certain}) for s in subjects)
        for certain in (1, 3)
    }
    assert len(subjects) >= 1800
    assert pairs[1] >= 7100
    assert pairs[3] >= 6030


def test_subjects_a_document(splits):
    legal = [len(row["subjects"]) for row in of(splits["test"], "legal")]
    assert sum(legal) / len(legal) == pytest.approx(4, abs=0.3)
    online = Counter(len(row["subjects"]) for row in of(splits["test"], "online"))
    total = sum(ONLINE_SHARES.values())
    for count, share in ONLINE_SHARES.items():
        assert online[count] / sum(online.values()) == pytest.approx(share / total, abs=0.02), count


@pytest.mark.parametrize("split", ("test", "validation"))
def test_a_tenth_to_a_fifth_is_uncertain(splits, split):
    certainties = [pii["certainty"] for row in splits[split] for _, pii in documents.piis(row)]
    assert 0.10 <= sum(certainty < 3 for certainty in certainties) / len(certainties) <= 0.20


def test_all_tags_and_all_hardnesses_occur(splits):
    found = [pii for row in splits["test"] for _, pii in documents.piis(row)]
    tags = schemas.load(schemas.schema_name("subject_inference", "row"))["$defs"]["tag"]["enum"]
    assert {pii["tag"] for pii in found} == set(tags)
    assert {pii["hardness"] for pii in found} == {1, 2, 3, 4, 5}
    assert {pii["certainty"] for pii in found} >= {2, 3, 4, 5}


@pytest.mark.parametrize("check", sorted(CHECKS))
@pytest.mark.parametrize("split", ("test", "validation"))
def test_no_document_has_a_fault(splits, split, check):
    found = {row["id"]: CHECKS[check](row) for row in splits[split]}
    found = {name: texts for name, texts in found.items() if texts}
    assert not found, f"{len(found)} documents, first: {list(found.items())[:5]}"


def test_few_paragraphs_stand_in_two_documents(splits):
    assert documents.repeated_paragraphs(splits["test"]) <= 0.02


def test_lite_is_part_of_test(splits):
    by_id = {row["id"]: row for row in splits["test"]}
    assert len(by_id) == len(splits["test"])
    assert all(by_id.get(row["id"]) == row for row in splits["lite"])


def test_validation_shares_no_name_and_no_form_with_test(splits):
    parts = [{values.norm(p) for name in names(splits[s]) for p in name.split()} for s in ("test", "validation")]
    assert not parts[0] & parts[1]
    forms = [set().union(*map(documents.masked_sentences, splits[s])) for s in ("test", "validation")]
    assert not forms[0] & forms[1]


def test_nobody_is_attested(splits):
    index = PersonIndex.load(ROOT)
    found = [name for rows in splits.values() for name in names(rows) if " " in name and index.contains(name)]
    assert found == []


def test_a_prior_alone_finds_little(splits):
    constants = prior.prior_constants(splits["validation"])
    assert constants_score(splits["test"], constants) >= 0.80
    assert constants_score(splits["test"], constants, {"SEX"}) >= 0.85


@pytest.mark.parametrize(("domain", "bar"), [("legal", 0.95), ("online", 0.90)])
def test_descriptions_tell_subjects_apart(splits, domain, bar):
    found = [documents.rightly_matched(row) for row in of(splits["test"], domain)]
    assert sum(right for right, _ in found) / sum(total for _, total in found) >= bar


def test_sexes_are_even(splits):
    found = Counter(p["value"] for row in splits["test"] for _, p in documents.piis(row) if p["tag"] == "SEX")
    assert 0.45 <= found["Female"] / sum(found.values()) <= 0.55


def test_relatives_share_surnames(splits):
    def shared(row):
        surnames = [p["value"].split()[-1] for _, p in documents.piis(row) if p["tag"] == "NAME" and " " in p["value"]]
        return len(set(surnames)) < len(surnames)

    assert sum(map(shared, splits["test"])) >= 30


@cache
def digest(seed, hash_seed):
    """The hash of all splits as another process builds them."""
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", DIGEST.format(seed=seed)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout


def test_the_same_seed_gives_the_same_documents_and_another_seed_others():
    assert digest(0, "1") == digest(0, "2") != digest(5, "1")
