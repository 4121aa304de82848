"""Folding, draws and neighbour search, each against a table or another program."""

import random
from collections import Counter
from string import ascii_lowercase

import pytest
from rapidfuzz.distance import Levenshtein

from build import draws
from build.fold import fold, is_letters
from build.neighbours import describe_edit, edits, neighbours
from build.sources.names import display, misspellings, person_parts
from build.sources.words import inflections


@pytest.mark.parametrize(
    ("text", "folded"),
    [("Øresund", "oresund"), ("Łódź", "lodz"), ("Straße", "strasse"), ("Æthel", "aethel"), ("Đặng", "dang")]
    + [("ISTANBUL", "istanbul"), ("ısparta", "isparta"), ("Ðuro", "duro"), ("McKay", "mckay"), ("Zoë", "zoe")],
)
def test_fold(text, folded):
    assert fold(text) == folded
    assert is_letters(folded)


def test_a_stream_is_the_same_everywhere():
    """Golden numbers from hashlib and json alone: first eight bytes of SHA-256 of the keyed JSON list."""
    import hashlib

    expected = int.from_bytes(hashlib.sha256(b'[1,7,"c","k","block",0]').digest()[:8], "big")
    assert draws.Stream(7, "c", "k").below(1 << 64) == expected


def test_draws_are_uniform_and_keyed():
    stream = draws.Stream(0, "c", "dice")
    counts = Counter(stream.below(6) for _ in range(60_000))
    assert set(counts) == set(range(6))
    assert all(abs(count - 10_000) < 500 for count in counts.values())
    assert sorted(draws.Stream(0, "c", "x").shuffled(range(50))) == list(range(50))
    assert draws.ranked("abcdef", 0, "c") != draws.ranked("abcdef", 1, "c")
    with pytest.raises(ValueError, match="positive"):
        stream.below(0)


def test_edits_are_all_words_at_distance_one():
    made = edits("abc")
    assert "abc" not in made
    assert all(Levenshtein.distance("abc", word) == 1 for word in made)
    assert len(made) == 3 * 25 + 3 + 4 * 26 - 3  # substitutions, deletions, insertions less those made twice


def test_neighbours_agree_with_rapidfuzz_from_either_side():
    source = random.Random(5)
    words = {"".join(source.choice(ascii_lowercase[:4]) for _ in range(source.randint(2, 5))) for _ in range(300)}
    others = {"".join(source.choice(ascii_lowercase[:4]) for _ in range(source.randint(2, 5))) for _ in range(40)}
    expected = {w: sorted(o for o in others if Levenshtein.distance(w, o) == 1) for w in words}
    expected = {w: found for w, found in expected.items() if found}
    assert neighbours(words, others) == expected
    turned = {(w, o) for o, found in neighbours(others, words).items() for w in found}
    assert turned == {(w, o) for w, found in expected.items() for o in found}


@pytest.mark.parametrize(
    ("source", "target", "edit"),
    [("adamite", "adomite", "substitute a>o at 2"), ("canada", "canad", "delete a at 5")]
    + [("kenya", "kenyae", "insert e at 5"), ("holt oram", "holte oram", "insert e at 4")],
)
def test_describe_edit(source, target, edit):
    assert describe_edit(source, target) == edit


@pytest.mark.parametrize(("source", "target"), [("abc", "abc"), ("abc", "acb"), ("abc", "abcde"), ("abc", "xyz")])
def test_describe_edit_refuses_other_distances(source, target):
    with pytest.raises(ValueError, match="not one edit"):
        describe_edit(source, target)


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Abraham Lincoln", [("Abraham", "given"), ("Lincoln", "surname")]),
        ("John Smith (poet)", [("John", "given"), ("Smith", "surname")]),
        ("Robert Downey Jr.", [("Robert", "given"), ("Downey", "surname")]),
        ("Anne of Cleves", []),
        ("Aristotle", []),
        ("Ludwig van Beethoven", [("Ludwig", "given"), ("Beethoven", "surname")]),
        ("MF Doom", [("Doom", "surname")]),
        ("A. B. Carter, 1st Earl", [("Carter", "surname")]),
    ],
)
def test_person_parts(title, parts):
    assert person_parts(title) == parts


@pytest.mark.parametrize(
    ("folded", "forms", "count", "expected"),
    [
        ("mckay", Counter({"McKay": 3, "Mckay": 1}), 50_000, "McKay"),
        ("gomez", Counter({"Gómez": 9}), 500_000, "Gomez"),
        ("gomez", Counter({"Gómez": 9, "Gomez": 2}), None, "Gomez"),
        ("sorensen", Counter({"Sørensen": 9, "Sörensen": 2}), None, "Sørensen"),
        ("smith", Counter(), 100, "Smith"),
    ],
)
def test_display_takes_the_letter_case_of_a_source(folded, forms, count, expected):
    assert display(folded, forms, count) == expected


def test_misspellings_are_rare_slips_of_very_common_names():
    def row(folded, count, persons=0):
        return {
            "folded": folded,
            "given_count": count,
            "surname_count": None,
            "given_persons": persons,
            "surname_persons": 0,
        }

    rows = [row("jennifer", 1_400_000), row("jennife", 411), row("jenifer", 30_000), row("jennifen", 400, persons=1)]
    assert [found[0] for found in misspellings(rows)] == ["jennife"]


@pytest.mark.parametrize(
    ("lemma", "part", "forms"),
    [("box", "noun", ["boxes"]), ("city", "noun", ["cities"]), ("day", "noun", ["days"])]
    + [("bake", "verb", ["bakes", "baked", "baking", "baker", "bakers"]), ("New", "noun", ["News"])],
)
def test_inflections(lemma, part, forms):
    assert inflections(lemma, part) == forms
