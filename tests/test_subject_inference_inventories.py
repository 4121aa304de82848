"""The authored inventories and tables of subject_inference, and that documents repeat."""

import json
import os
import subprocess
import sys
from collections import Counter

from build import lexicons
from build.configs import subject_inference as config
from build.subjects import data, semantics
from build.templates import HERE as TEMPLATES
from build.templates import subject_lint
from tests.releases import ROOT


def fact_inventories():
    """The files that the lint knows, by name."""
    paths = sorted((TEMPLATES / config.NAME).glob("*.json"))
    return [path for path in paths if path.name.split(".")[1] in subject_lint.ALLOWED]


def test_every_kind_has_sixty_phrases_without_fault():
    found = fact_inventories()
    assert len(found) == 2 * len(subject_lint.ALLOWED)
    faults = {path.name: subject_lint.faults(json.loads(path.read_text(encoding="utf-8"))) for path in found}
    assert not {name: said for name, said in faults.items() if said}


def test_no_phrase_stands_in_two_inventories():
    texts = Counter()
    for path in (TEMPLATES / config.NAME).glob("*.json"):
        inventory = json.loads(path.read_text(encoding="utf-8"))
        texts.update(text for found in inventory.get("phrases", {}).values() for text in found)
    assert not [text for text, count in texts.items() if count > 1]


def test_lint_finds_faults():
    cases = [
        ("online", "age_stated", "I saw him at {age} again.", "pronoun"),
        ("legal", "residence", "{S} lives in {city} with a doctor there.", "another person"),
        ("legal", "residence", "The dwelling in {city} is small and dark.", "not once"),
        ("legal", "age_stated", "{S}, who is {age}, was heard by the court.", "relative clause"),
        ("online", "phone", "Call {S} on {phone} at {city} now.", "slots"),
        ("legal", "education_stated", "{S} has a degree from a college somewhere.", "evidence"),
        ("online", "email", "Mail me at {email}. Or not.", "one sentence"),
        ("online", "employment", "I joined {org} back in 1999.", "digit"),
        ("online", "nationality_stated", "I hold a {demonym} passport.", "article"),
    ]
    for domain, kind, text, fault in cases:
        assert any(fault in said for said in subject_lint.phrase_faults(domain, kind, text)), text


def test_places_trades_and_names_are_known_to_the_tables():
    for row in data.load("countries")["countries"]:
        name = row["name"].removeprefix("the ")
        assert semantics.country(name).code == row["code"]
        assert row["demonym"] in (*semantics.country(name).adjectives, *semantics.country(name).persons)
        for city in row["cities"]:
            assert name in semantics.broader("LOCATION", city), city
    trades = data.load("occupations")
    known = set(semantics.class_names("OCCUPATION"))
    assert {row["name"] for row in trades["occupations"]} <= known
    listed = {row["name"] for row in lexicons.rows(ROOT, "names") if row["given_count"]}
    given = data.load("given_names")
    assert {name for kind in ("female", "male", "unisex") for name in given[kind]} <= listed


def test_two_seeds_share_no_document_and_one_seed_repeats_under_any_hash_seed():
    counts = {"legal": 3, "online": 12}
    first = config.documents(ROOT, "test", 0, counts)
    other = config.documents(ROOT, "test", 1, counts)
    assert not {row["text"] for row in first} & {row["text"] for row in other}
    program = (
        "import json,sys;from build.configs import subject_inference as c;"
        f"sys.stdout.write(json.dumps(c.documents({str(ROOT)!r},'test',0,{counts!r})))"
    )
    env = os.environ | {"PYTHONHASHSEED": "77"}
    again = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    assert json.loads(again.stdout) == first
