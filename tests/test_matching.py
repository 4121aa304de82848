"""Matching of predicted texts to a gold name (METRICS §3, §4), as hand-worked tables."""

import pytest

from scoring.text import comparison_form, contains
from tests.scored import ROWS, entity, outcome_of, records_of

EQUAL = [
    ("composed", "Zo\u00eb", "Zoe\u0308"),
    ("case", "STRASSE", "straße"),
    ("dotted capital", "\u0130pek", "i\u0307pek"),
    ("en dash", "Anne-Marie", "Anne\u2013Marie"),
    ("hyphen", "Anne-Marie", "Anne\u2010Marie"),
    ("minus", "Anne-Marie", "Anne\u2212Marie"),
    ("curly apostrophe", "O'Neil", "O\u2019Neil"),
    ("opening quote", "O'Neil", "O\u2018Neil"),
    ("prime", "O'Neil", "O\u2032Neil"),
    ("double quotes", '"Bo" Lee', "\u201cBo\u201d Lee"),
    ("double prime", '"Bo" Lee', "\u2033Bo\u2033 Lee"),
    ("no-break space", "Bo Lee", "Bo\u00a0Lee"),
    ("white space", "Bo Lee", "  Bo\t\n Lee\u2028"),
]


@pytest.mark.parametrize(("name", "left", "right"), EQUAL, ids=[case[0] for case in EQUAL])
def test_equal_in_comparison_form(name, left, right):
    assert comparison_form(left) == comparison_form(right)
    for gold, found in ((left, right), (right, left)):
        text = f"I heard of {gold} again; she was there all day long."
        made = outcome_of(gold, text, [entity(found)])
        assert (made["found_person"], made["exact"], made["false_persons"]) == (1, 1, 0)


UNEQUAL = [("Zoë", "Zoe"), ("Anne-Marie", "Anne Marie"), ("O'Neil", "ONeil"), ("Kenye", "Kenya"), ("Bo Lee", "BoLee")]


@pytest.mark.parametrize(("left", "right"), UNEQUAL)
def test_unequal_in_comparison_form(left, right):
    made = outcome_of(left, f"I heard of {left} again yesterday.", [entity(right)])
    assert (made["exact"], made["found_person"]) == (0, 0)


CONTAINED = [
    ("Reed", "agreed", False),
    ("Reed", "Reed's", True),
    ("Reed", "Reed’s", True),
    ("Reed", "Smith-Reed", True),
    ("Reed", "Reeds", False),
    ("Reed", "Reed_", False),
    ("Reed", "Reed2", False),
    ("Reed", "2Reed", False),
    ("Reed", "agreed, Reed", True),
    ("Reed", "(Reed)", True),
    ("Re", "Re\u0301", False),
    ("Re", "Re\u0328x Re.", True),
    ("q", "q\u0308", False),
    ("Mae Reed", "Ann Mae\nReed", True),
    ("Mae Reed", "Mae, Reed", False),
    ("An", "Anna", False),
    ("007", "0077", False),
    ("J.", "J. Smith", True),
]


@pytest.mark.parametrize(("needle", "haystack", "expected"), CONTAINED)
def test_containment_is_on_word_boundaries(needle, haystack, expected):
    assert contains(haystack, needle) is expected


# gold name; its text is TEXT; predicted entities; (recall, recall_paper, exact, matching, false, over-spans).
TEXT = "I heard that {} agreed to come along with us, and she was in the best of spirits."
MATCHING = [
    ("Reed", ["Reed"], (1, 1, 1, 1, 0, 0)),
    ("Reed", [], (0, 0, 0, 0, 0, 0)),
    ("Reed", [""], (0, 0, 0, 0, 1, 0)),
    ("Reed", [" . "], (0, 0, 0, 0, 1, 0)),
    ("Reed", ["agreed"], (0, 0, 0, 0, 1, 0)),
    ("Reed", ["Reed's"], (1, 1, 0, 1, 0, 0)),
    ("Reed", ["Reed’s"], (1, 1, 0, 1, 0, 0)),
    ("Reed", ["Mr. Reed"], (1, 1, 0, 1, 0, 0)),
    ("Reed", ["mr"], (0, 0, 0, 0, 1, 0)),
    ("Reed", ["Mr", "Reed"], (1, 1, 1, 1, 1, 0)),
    ("Reed", ["that Reed agreed to"], (1, 1, 0, 1, 0, 0)),
    ("Reed", ["heard that Reed agreed to"], (0, 1, 0, 0, 1, 1)),
    ("Reed", ["Prof. Dr. that Reed agreed to"], (1, 1, 0, 1, 0, 0)),
    ("Reed", ["that Reed agreed to", "heard that Reed agreed to"], (1, 1, 0, 1, 1, 1)),
    ("Reed", [TEXT.format("Reed")], (0, 1, 0, 0, 1, 1)),
    ("Reed", ["Reed", "Reed", "Reed"], (1, 1, 1, 1, 0, 0)),
    ("Reed", ["Reed", "REED"], (1, 1, 1, 2, 0, 0)),
    ("Reed", ["Reed", "us"], (1, 1, 1, 1, 1, 0)),
    ("Mae Reed", ["Mae Reed"], (1, 1, 1, 1, 0, 0)),
    ("Mae Reed", ["Mae", "Reed"], (1, 1, 0, 2, 0, 0)),
    ("Mae Reed", ["Reed", "Mae"], (1, 1, 0, 2, 0, 0)),
    ("Mae Reed", ["Mae"], (0, 0, 0, 1, 0, 0)),
    ("Mae Reed", ["Reed Mae"], (0, 0, 0, 1, 0, 0)),
    ("Mae Reed", ["Dr. Mae", "Reed"], (0, 0, 0, 2, 0, 0)),
    ("Mae Reed", ["heard that Mae Reed agreed"], (1, 1, 0, 1, 0, 0)),
    ("Mae Reed", ["heard that Mae Reed agreed to"], (0, 1, 0, 0, 1, 1)),
    ("Mae Reed", ["Mae Smith"], (0, 0, 0, 0, 1, 0)),
    ("Mae Reed", ["Mae", "that", "Reed"], (1, 1, 0, 2, 1, 0)),
    ("Mae Reed", ["I heard that Mae", "Reed"], (0, 1, 0, 1, 1, 0)),
    ("Major Reed", ["Major Reed"], (1, 1, 1, 1, 0, 0)),
    ("Major Reed", ["Major"], (0, 0, 0, 1, 0, 0)),
    ("Major Reed", ["Dr. Major Reed"], (1, 1, 0, 1, 0, 0)),
    ("Major Reed", ["Dr. Reed"], (0, 0, 0, 0, 1, 0)),
    ("Don", ["Don"], (1, 1, 1, 1, 0, 0)),
    ("O'Neil", ["Neil"], (0, 0, 0, 1, 0, 0)),
    ("Anne-Marie", ["Anne", "Marie"], (0, 0, 0, 2, 0, 0)),
    ("None", ["None"], (1, 1, 1, 1, 0, 0)),
    ("An", ["An"], (1, 1, 1, 1, 0, 0)),
    ("007", ["007"], (1, 1, 1, 1, 0, 0)),
    ("007", ["7"], (0, 0, 0, 0, 1, 0)),
]
SHOWN = ("found_person", "found_paper", "exact", "matching_persons", "false_persons", "over_spans")


@pytest.mark.parametrize(("name", "found", "expected"), MATCHING)
def test_matching_by_hand(name, found, expected):
    made = outcome_of(name, TEXT.format(name), [entity(content) for content in found])
    assert tuple(made[key] for key in SHOWN) == expected


def test_same_span_under_two_labels_is_both():
    made = outcome_of("Kenye", TEXT.format("Kenye"), [entity("Kenye", "PER"), entity("Kenye", "GPE")])
    assert (made["found_person"], made["found_location"], made["persons"], made["detected"]) == (1, 1, 1, 1)


def test_duplicates_are_equal_in_label_text_and_span():
    text = "Reed met Reed, they said, in the course of that long day."
    for found, persons in [
        ([entity("Reed", "PER", 0), entity("Reed", "PERSON", 0)], 1),
        ([entity("Reed", "PER", 0), {"text": "Reed", "type": "PER", "start": 0}], 1),
        ([entity("Reed", "PER", 0), {"text": "Reed", "type": "PER", "start": 0.0, "end": 4.0}], 1),
        ([entity("Reed", "PER"), {"text": "Reed", "type": "PER", "start": None, "end": None}], 1),
        ([entity("Reed", "PER", 0), entity("Reed", "PER", 9)], 2),
    ]:
        assert outcome_of("Reed", text, found)["persons"] == persons


def test_offsets_set_the_order_of_joining():
    text = "Mae, or rather Reed Mae, agreed to come along with all of us."
    found = [entity("Mae", "PER", 20), entity("Reed", "PER", 15)]
    assert outcome_of("Reed Mae", text, found)["found_person"] == 1
    titled = [entity("Mae", "PER", 13), entity("Ms. Reed", "PER", 4)]
    assert outcome_of("Reed Mae", "Ask Ms. Reed Mae to come along with all of us.", titled)["found_person"] == 1
    unplaced = [entity("Reed"), entity("Mae")]
    assert outcome_of("Reed Mae", text, unplaced)["found_person"] == 0


def test_offsets_and_occurrences_count_alike():
    text = "Well," + " " * 20 + "then Mae Reed agreed to come along with all of us."
    found = [entity("Mae", "PER", text.index("Mae")), entity("Reed")]
    assert outcome_of("Mae Reed", text, found)["found_person"] == 1


def test_a_flood_adds_no_more_false_discoveries_than_words():
    text = TEXT.format("Reed")
    found = [entity(f"nobody{n}") for n in range(50)] + [entity("Reed")]
    made = outcome_of("Reed", text, found)
    assert (made["false_persons"], made["matching_persons"]) == (18, 1)
    assert len(text.split()) == 18


def test_the_whole_text_as_person_finds_nothing():
    made = records_of({r["id"]: {"id": r["id"], "entities": [entity(r["text"], "PERSON", 0)]} for r in ROWS})
    for group in ("ambiguous/average", "matched/average", "baseline"):
        for metric, value in [("recall", 0), ("detected", 0), ("exact_recall", 0), ("fdr", 1), ("over_span_rate", 1)]:
            assert made[metric, group]["value"] == value
        assert made["recall_paper", group]["value"] == 1
    assert made["false_person_rate", "entity_control/average"]["value"] == 1
