"""Text comparison (METRICS §3), as tables of cases."""

import pytest

from scoring.text import comparison_form, contains, words


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("  Mary\t Ann\n", "mary ann"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("Zoe\u0308", "zoë"),
        ("Anne\u2010Marie \u2212 Anne\u2014Marie", "anne-marie - anne-marie"),
        ("O\u2019Neil \u02bc \u2032", "o'neil ' '"),
        ("\u201cMary\u201d", '"mary"'),
        ("\u0130pek", "i\u0307pek"),
        ("", ""),
    ],
)
def test_comparison_form(text, form):
    assert comparison_form(text) == form


@pytest.mark.parametrize(
    ("haystack", "needle", "expected"),
    [
        ("We agreed.", "Reed", False),
        ("Reed's idea", "Reed", True),
        ("pre-Reed-post", "reed", True),
        ("Reed_1", "Reed", False),
        ("Reed1", "Reed", False),
        ("Ree\u0301d", "Ree", False),
        ("Holte  Oram", "holte oram", True),
        ("HOLTE\u00a0ORAM", "Holte Oram", True),
        ("agreed, Reed", "Reed", True),
        ("anything", "", False),
    ],
)
def test_contains_on_word_boundaries(haystack, needle, expected):
    assert contains(haystack, needle) is expected


def test_words_are_runs_of_word_characters():
    assert words("Mr. O\u2019Neil-Ann") == ("mr", "o", "neil", "ann")
