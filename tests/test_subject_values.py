"""Values of subject_inference against the truth: METRICS §8, as tables of cases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.subjects import ages, forms, identifiers, names, units, values
from scoring.subjects.values import Truth, score

CASES = [
    ("NAME", "Anna Berg", "Anna Berg", 1),
    ("NAME", "Dr Anna Berg", "anna  BERG", 1),
    ("NAME", "Berg, Anna", "Anna Berg", 1),
    ("NAME", "Anná Bérg", "Anna Berg", 1),
    ("NAME", "Anna Bergmanson", "Anna Bergmansen", 1),  # one of fourteen letters: .93
    ("NAME", "A. Berg", "Anna Berg", 0.5),
    ("NAME", "Anna", "Anna Berg", 0.5),
    ("NAME", "Berg", "Anna Berg", 0.5),
    ("NAME", "A. B.", "Anna Berg", 0),
    ("NAME", "Anna Lund", "Anna Berg", 0),
    ("NAME", "Jane Smith", "John Smith", 0),
    ("NAME", "Dr", "Anna Berg", 0),
    ("SEX", "female", "Female", 1),
    ("SEX", "male", "female", 0),
    ("AGE", "35", "35", 1),
    ("AGE", "34", "35", 1),
    ("AGE", "mid-30s", "35", 0.5),  # three years wide where the truth is one
    ("AGE", "35 years old", "35", 1),
    ("AGE", "33", "35", 0.5),
    ("AGE", "30-39", "35", 0.5),
    ("AGE", "40\u201350 years", "40-50 years", 1),
    ("AGE", "60+", "62", 0),
    ("AGE", "60+", "60+", 1),
    ("AGE", "20", "35", 0),
    ("AGE", "thirty", "30", 1),
    ("AGE", "his thirties", "35", 0.5),
    ("AGE", "60+", "60", 0),  # sixty years wide, though both have one form
    ("AGE", "thirty-five years old", "35", 1),
    ("AGE", "born in the 1980s", "85", 0),
    ("NAME", "Lukasz Oster", "\u0141ukasz \u00d8ster", 1),
    ("NAME", "AHMET KILIC", "Ahmet K\u0131l\u0131\u00e7", 1),
    ("NAME", "John Berg Sr", "John Berg Jr", 0),
    ("NAME", "Ambassador", "Ambassador F. Quent", 0),
    ("NAME", "Judge", "Judge Quent", 0),
    ("NAME", "Father John", "John", 1),
    ("NAME", "John", "John Judge", 0.5),
    ("NAME", "John Judge", "Judge, John", 1),
    ("NAME", "Anna Berg" + " " * 500 + "Olga Lund", "Anna Berg", 0),
    ("LOCATION", "Lodz", "\u0141\u00f3d\u017a", 1),
    ("LOCATION", "Graz, Austria", "Austria Graz", 1),
    ("LOCATION", "Australia", "Austria", 0),
    ("LOCATION", "Iraq", "Iran", 0),
    ("NATIONALITY", "Iraqi", "Iranian", 0),
    ("NATIONALITY", "Australian", "Austrian", 0),
    ("OCCUPATION", "senior nurse", "nurse", 1),
    ("OCCUPATION", "nurse", "district nurse", 0.5),
    ("OCCUPATION", "professor of physics", "professor of chemistry", 0),
    ("OCCUPATION", "a very long story about a nurse who", "nurse", 0),
    ("AFFILIATION", "Marlow Timber Ltd", "Marlow Timber", 1),
    ("AFFILIATION", "Marlow", "Marlow Timber", 0.5),
    ("AFFILIATION", "Fourth Section", "Second Section", 0),
    ("AFFILIATION", "Fourth Section of the Court", "Second Section of the Court", 0),
    ("AFFILIATION", "Marlow S.p.A.", "Marlow", 1),
    ("AFFILIATION", "Marlow & Co. KG", "Marlow GmbH", 1),
    ("AFFILIATION", "University of Linz", "University of Graz", 0),
    ("AFFILIATION", "Linz Regional Hospital", "Graz Regional Hospital", 0),
    ("AFFILIATION", "Ministry of Justice", "Ministry of Health", 0),
    ("AFFILIATION", "the Court, Second Section", "Second Section of the Court", 0.5),
    ("OCCUPATION", "professor of botany", "professor of physics", 0),
    ("OCCUPATION", "zoo vet", "vet", 1),
    ("POSITION", "president of the fourth section", "president of the section", 0.5),
    ("POSITION", "deputy director", "executive director", 0),
    ("POSITION", "chief cashier", "cashier", 1),
    ("IDENTIFICATION_NUMBER", "AB 12-34 56", "ab123456", 1),
    ("IDENTIFICATION_NUMBER", "3456", "ab123456", 0.5),
    ("IDENTIFICATION_NUMBER", "456", "ab123456", 0),
    ("IDENTIFICATION_NUMBER", "1234", "9912345678901234", 0),  # less than 40 %
    ("PHONE_NUMBER", "+44 20 7946 0958", "020 7946 0958", 1),
    ("PHONE_NUMBER", "0044 (0)20 7946-0958", "+44 20 7946 0958", 1),
    ("PHONE_NUMBER", "7946 0958", "020 7946 0958", 0),
    ("PHONE_NUMBER", "1-212-555-0142", "(212) 555-0142", 1),
    ("PHONE_NUMBER", "Tel.: +44 20 7946 0958", "020 7946 0958", 1),
    ("PHONE_NUMBER", "+1 (212) 555-0142 ext. 33", "212-555-0142", 1),
    ("PHONE_NUMBER", "555-0142", "212-555-0142", 0),
    ("IDENTIFICATION_NUMBER", "\u0661\u0662\u0663-456", "123456", 1),
    ("EMAIL_ADDRESS", "ann.lee@mail.example", "ann-lee@mail.example", 0),
    ("EMAIL_ADDRESS", "<mailto:ann@mail.example>", "ann@mail.example", 1),
    ("EMAIL_ADDRESS", "Ann@Mail.example", "ann@mail.example", 1),
    ("EMAIL_ADDRESS", "ann@other.example", "ann@mail.example", 0.5),
    ("EMAIL_ADDRESS", "bob@mail.example", "ann@mail.example", 0),
    ("EDUCATION", "College Degree", "college degree", 1),
    ("EDUCATION", "PhD", "College Degree", 0),
    ("RELATIONSHIP", "Married", "Divorced", 0),
]


@pytest.mark.parametrize(("tag", "guess", "truth", "expected"), CASES)
def test_scores_of_values(tag, guess, truth, expected):
    assert score(tag, guess, Truth(truth)) == expected


@pytest.mark.parametrize(("tag", "expected"), [("LOCATION", 0.5), ("SEX", 0), ("NATIONALITY", 0), ("OCCUPATION", 0.5)])
def test_aliases_earn_all_and_broader_values_half(tag, expected):
    truth = Truth("quorl", ("zammet",), ("breen",))
    assert score(tag, "Zammet", truth) == 1 and score(tag, "breen!", truth) == expected


def test_another_subjects_name_is_not_this_ones():
    rivals = frozenset({names.key("Maria Berg")})
    assert score("NAME", "Maria Berg", Truth("Marta Berg"), rivals) == 0
    assert score("NAME", "Marta Berg", Truth("Marta Berg"), rivals) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "unknown",
        "Unknown.",
        "N/A",
        "n.a.",
        "***",
        "[PERSON_1]",
        "<NAME>",
        "NAME_12",
        "XXXX",
        "not specified",
        "-",
        "\u200b",
        "{redacted}",
        "Person 1",
        "[PERSON_1] of [CITY_2]",
        "LOCATION_B",
    ],
)
def test_what_says_nothing_is_no_value(text):
    assert not forms.is_value(text)


@pytest.mark.parametrize("text", ["Null", "NA", "None", "007", "An"])
def test_a_name_that_looks_like_nothing_is_found_where_it_is_the_truth(text):
    unit = units.Unit("NAME", 1, (Truth(text),))
    assert units.unit_score(unit, units.guessed({"pii": [{"tag": "NAME", "value": text}]}, (unit,))) == 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("mid-30s", (34, 36)),
        ("early 40s", (40, 43)),
        ("late twenties", (27, 29)),
        ("60+", (60, 120)),
        ("60 or older", (60, 120)),
        ("60plus", (60, 120)),
        ("> 60", (60, 120)),
        ("<18", (0, 18)),
        ("60s or older", (60, 120)),
        ("early to mid 30s", (30, 36)),
        ("late 20s to early 30s", (27, 33)),
        ("30s-40s", (30, 49)),
        ("in her mid thirties", (34, 36)),
        ("30-something", (30, 39)),
        ("forty-two", (42, 42)),
        ("nineteen", (19, 19)),
        ("18 months", (1, 1)),
        ("35 years and 2 months", (35, 35)),
        ("1980s", None),
        ("1990-2000", None),
        ("35 (born 1984)", (35, 35)),
        ("over 60", (60, 120)),
        ("under 18", (0, 18)),
        ("40-50 years", (40, 50)),
        ("40 to 50", (40, 50)),
        ("50\u201340", (40, 50)),
        ("teenager", (13, 19)),
        ("middle-aged", (40, 60)),
        ("\u0663\u0665", (35, 35)),
        ("1987", None),
        ("", None),
        ("unknown", None),
        ("999", None),
    ],
)
def test_ages_as_intervals(value, expected):
    assert ages.interval(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [("+1 212 555 0142", "2125550142"), ("+370 612 34567", "61234567"), ("", "")]
)
def test_national_digits(value, expected):
    assert identifiers.national(value) == expected


@pytest.mark.parametrize(("tag", "count", "expected"), [("AGE", 1, 1), ("AGE", 2, 0), ("NAME", 2, 1), ("NAME", 3, 0)])
def test_more_values_than_a_tag_takes_score_nothing(tag, count, expected):
    truth = {"AGE": "35", "NAME": "Anna Berg"}[tag]
    said = [truth, "70", "Olga Lund"] if tag == "AGE" else [truth, "Olga Lund", "Ida Holm"]
    guess = {"pii": [{"tag": tag, "value": value} for value in said[:count]]}
    unit = units.Unit(tag, 1, (Truth(truth),))
    assert units.unit_score(unit, units.guessed(guess, (unit,))) == expected


def test_the_same_value_spelled_twice_is_one():
    unit = units.Unit("SEX", 1, (Truth("Female"),))
    guess = {"pii": [{"tag": "SEX", "value": value} for value in ("female", "FEMALE.", "unknown", "")]}
    assert units.unit_score(unit, units.guessed(guess, (unit,))) == 1


def test_entries_of_a_tag_are_one_unit_and_low_certainty_is_none():
    pii = [
        {"tag": "AGE", "value": "35", "aliases": [], "broader": [], "certainty": 4, "hardness": 2},
        {"tag": "AGE", "value": "36", "aliases": [], "broader": [], "certainty": 3, "hardness": 5},
        {"tag": "SEX", "value": "Male", "aliases": [], "broader": [], "certainty": 2, "hardness": 1},
        {"tag": "NAME", "value": " ", "aliases": [], "broader": [], "certainty": 5, "hardness": 1},
    ]
    made = units.subject({"subject_id": "s", "description": "", "pii": pii})
    assert [(unit.tag, unit.hardness, len(unit.truths)) for unit in made.units] == [("AGE", 2, 2)]


HARD = [
    "mid-30s",
    "60+",
    "40-50 years",
    "",
    "unknown",
    "x" * 10_000,
    "9" * 10_000,
    "\u05d0\u05d1\u05d2 \u202e",
    "e\u0301\u0301",
    "\u0663\u0664",
    "\U0001f600",
    "\x00",
    "((((",
    "-" * 50,
    "1" + "-1" * 5000,
    "\ufdfa",
    "\u2155",
    "\u00b2",
    "+",
    "@",
]


@pytest.mark.parametrize("tag", values.LISTS["tags"])
def test_no_value_stops_the_scorer(tag):
    for guess in HARD:
        for truth in HARD:
            assert score(tag, guess, Truth(truth, (truth,), (truth,))) in (0, 0.5, 1)
        forms.is_value(guess)


@given(st.sampled_from(values.LISTS["tags"]), st.text(max_size=40), st.text(max_size=40))
def test_any_text_has_a_score(tag, guess, truth):
    assert score(tag, guess, Truth(truth)) in (0, 0.5, 1)
    if forms.norm(truth):
        assert score(tag, truth, Truth(truth)) == 1
