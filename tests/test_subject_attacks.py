"""Attempts on the scorer of subject_inference: disguises that hide nothing, hostile texts, odd options, lost rows."""

import unicodedata

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from build.subjects.schema import SCHEMA
from scoring import pipeline
from scoring.configs import subject_inference as config
from scoring.errors import Faults, UserError
from scoring.subjects import alignment, matching, options, spans, units, words
from scoring.text import WORD, comparison_form
from scoring.truth import load_release
from tests.releases import ROOT, write_lines

TEXT = (
    "The nurse O'Hara-Bérgmán of \u0141\u00f3d\u017a met Sigrid Ostermann there. She said that Dr Ostermann had left."
)
MENTIONS = ("O'Hara-Bérgmán", "\u0141\u00f3d\u017a", "Sigrid Ostermann", "Ostermann had")


def entities(text=TEXT, mentions=MENTIONS):
    """One DIRECT entity a mention, at its first occurrence."""
    return [
        {
            "start": text.index(mention),
            "end": text.index(mention) + len(mention),
            "text": mention,
            "entity_type": "PERSON",
            "identifier_type": "DIRECT",
            "entity_id": mention,
            "subject_id": "s1",
        }
        for mention in mentions
    ]


def token_recall(anonymised, text=TEXT):
    original = spans.tokens(text)
    mask = spans.sensitive(original, entities(text))
    kept = spans.kept(original, spans.tokens(anonymised), entities(text))
    return (mask & ~kept).sum() / mask.sum()


def parted(text, odd):
    """Every word of six letters and more, parted once by an odd character."""
    return " ".join(f"{word[:3]}{odd}{word[3:]}" if len(word) > 5 else word for word in text.split(" "))


DISGUISES = {
    "as it is": TEXT,
    "decomposed": unicodedata.normalize("NFD", TEXT),
    "upper case": TEXT.upper(),
    "modifier apostrophe": TEXT.replace("'", "\u02bc"),
    "curly apostrophe and another dash": TEXT.replace("'", "\u2019").replace("-", "\u2011"),
    "zero-width space": parted(TEXT, "\u200b"),
    "soft hyphen": parted(TEXT, "\u00ad"),
    "full stop inside": parted(TEXT, "."),
    "every letter dotted": TEXT.replace("Ostermann", ".".join("Ostermann")),
    "no-break spaces": TEXT.replace(" ", "\u00a0"),
    "one word a line": TEXT.replace(" ", "\n"),
    "letters for letters": TEXT.replace("Ostermann", "Osterm\u00e4nn").replace("Sigrid", "S1grid"),
    "behind other words": "zzz " * 3000 + TEXT,
    "before other words": TEXT + " zzz" * 3000,
}


@pytest.mark.parametrize("name", DISGUISES)
def test_a_disguise_masks_nothing(name):
    assert token_recall(DISGUISES[name]) == 0


@pytest.mark.parametrize("masked", ["", "[PERSON]", "\u2588\u2588\u2588", "X"])
def test_a_mask_hides_what_it_covers(masked):
    text = TEXT
    for mention in MENTIONS:
        text = text.replace(mention, masked)
    assert token_recall(text) >= 0.8  # "Ostermann" is a part of two mentions


@given(st.lists(st.text("abc\u00e9", min_size=1, max_size=5), min_size=1, max_size=4), st.text("abc\u00e9", max_size=6))
@settings(max_examples=300)
def test_one_edit_is_found_as_levenshtein_has_it(offered, word):
    near = spans._Near(set(offered))
    least = min(Levenshtein.distance(word, other) for other in offered)
    assert near.holds(word) == (least == 0 or (len(word) >= spans.SHORTEST_ALTERED and least == 1))


LETTERS = (
    "aZ \n-_'\u02bc\u2019e\u0301\u00e9\u00df\u0130\u0141"  # letters, marks and quotes that folding changes
    "\u1100\u1161\u11a8\u0915\u094d\u0926\u200b\ufb01\u2011\u05d0.9\U0001f600"  # Hangul, Devanagari, ligatures
)


@given(st.text(LETTERS, max_size=30))
@settings(max_examples=300)
def test_words_are_those_of_the_comparison_form_and_lie_where_they_say(text):
    found = words.read(text)
    assert list(found.words) == WORD.findall(comparison_form(text))
    assert found.starts == sorted(found.starts) and all(start < end <= len(text) for start, end in found.spans)
    assert len(found.gaps) == max(len(found.words) - 1, 0)


@pytest.mark.parametrize(
    "text", ["e\u0301" * 400, "\u202e" + TEXT, "\x00" * 50, "\U0001f600" * 300, "a" * 9999, "\u05d0 " * 50]
)
def test_no_anonymised_text_stops_the_scorer(text):
    assert 0 <= token_recall(text) <= 1
    assert 0 <= token_recall(TEXT, text=f"{TEXT} {text}") <= 1


def test_more_words_than_there_are_characters_can_be_encoded():
    codes, other = alignment.encode(["a", "b", "a"], [*map(str, range(0x110000 + 9)), "b"])
    assert codes[0] == codes[2] != codes[1] == other[-1] and set(codes).isdisjoint(other[:-1])


@pytest.mark.parametrize(("size", "faulty"), [(config.LONGEST_TEXT, 0), (config.LONGEST_TEXT + 1, 1)])
def test_a_text_without_end_is_refused(size, faulty):
    faults = Faults("p.jsonl")
    config.check(None, {"si-1": {"id": "si-1", "anonymized_text": "x" * size}}, {"si-1": "line 1"}, faults)
    assert len(faults.found) == faulty


def person(key, name, description, *more):
    pii = [
        {"tag": tag, "value": value, "aliases": [], "broader": [], "certainty": 4, "hardness": 1}
        | {"derivation": "stated", "evidence": []}
        for tag, value in (("NAME", name), *more)
    ]
    return {"subject_id": key, "description": description, "pii": pii}


def row(number, *people, domain="online", target="s1"):
    return {
        "id": f"si-{number:016x}",
        "domain": domain,
        "language": "en",
        "document_date": "2021-05-01",
        "text": TEXT,
        "target_subject": target,
        "entities": entities(),
        "subjects": list(people),
    }


ANN = person("s1", "Ann Quill", "the nurse", ("SEX", "Female"), ("AGE", "41"), ("LOCATION", "Graz"))
BOB = person("s2", "Bob Quill", "her brother", ("SEX", "Male"))
ROWS = [row(n, ANN, BOB, domain="legal" if n < 4 else "online") for n in range(8)]
TRUTH = pa.Table.from_pylist(ROWS, schema=SCHEMA)


def gold(*people):
    return [
        {"description": one["description"], "pii": [{"tag": p["tag"], "value": p["value"]} for p in one["pii"]]}
        for one in people
    ]


def scored(answers, truth=TRUTH, **chosen):
    failed = np.array([row_id not in answers for row_id in truth.column("id").to_pylist()])
    return {(r["metric"], r["group"]): r for r in config.score(truth, answers, failed, **chosen)}


ALL_GOLD = {one["id"]: {"id": one["id"], "subjects": gold(ANN, BOB)} for one in ROWS}
SOME_GOLD = {key: {"id": key, "subjects": gold(ANN) if n % 3 else []} for n, key in enumerate(ALL_GOLD)}


def test_the_order_of_rows_changes_nothing():
    backwards = pa.Table.from_pylist(ROWS[::-1], schema=SCHEMA)
    assert scored(SOME_GOLD, prior={"SEX": "Male"}) == scored(SOME_GOLD, truth=backwards, prior={"SEX": "Male"})


def test_answers_are_left_as_they_were():
    kept = {key: {"id": key, "subjects": gold(ANN, BOB)} for key in ALL_GOLD}
    scored(kept, original=kept)
    assert kept == ALL_GOLD


@pytest.mark.parametrize("metric", ["cpr", "prior_cpr", "excess_leak", "weighted_cpr", "recovery"])
def test_n_counts_units_whatever_they_weigh(metric):
    found = scored(SOME_GOLD, prior={"SEX": "Female"}, weights={"NAME": 2.5}, original=ALL_GOLD)
    assert found[metric, "all"]["n"] == 8 * 6


def test_a_group_within_one_document_has_no_interval():
    alone = pa.Table.from_pylist([row(20, ANN, domain="legal"), *ROWS[4:]], schema=SCHEMA)
    found = scored({}, truth=alone)
    for metric in ("cpr", "ipr", "match_rate"):
        assert found[metric, "legal"]["low"] is None and "single cluster" in found[metric, "legal"]["reason"]
        assert found[metric, "online"]["low"] is not None


@pytest.mark.parametrize("metric", ["cpr", "ipr", "match_rate", "token_recall", "rouge_l", "retained_tokens"])
def test_leaving_rows_out_is_no_gain(metric):
    answers = {key: {**one, "anonymized_text": "[X] " + TEXT[:40]} for key, one in SOME_GOLD.items()}
    whole, part = scored(answers), scored(dict(list(answers.items())[:5]))
    assert part[metric, "all"]["value"] <= whole[metric, "all"]["value"]


def test_leaving_rows_out_of_the_originals_raises_recovery():
    whole = scored(SOME_GOLD, original=ALL_GOLD)["recovery", "all"]["value"]
    part = scored(SOME_GOLD, original=dict(list(ALL_GOLD.items())[:3]))["recovery", "all"]["value"]
    assert whole == pytest.approx(5 * 4 / 48, abs=1e-6)  # five documents of eight hold Ann's four units of six
    assert part > whole


@pytest.mark.parametrize(
    ("weights", "reason"), [({"NAME": 0, "SEX": 0, "AGE": 0, "LOCATION": 0}, "weigh nothing"), ({"NAME": 0}, None)]
)
def test_weights_of_nothing_say_so(weights, reason):
    found = scored(SOME_GOLD, weights=weights)["weighted_cpr", "all"]
    assert (found["value"] is None) == bool(reason) and (reason is None or reason in found["reason"])


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"NAME": -1}', '{"NAME": NaN}', '{"NAME": true}', '{"NAME": "3"}', '{"NOM": 1}', "[" * 9999],
)
def test_faulty_weights_are_refused_with_the_files_name(text, tmp_path):
    path = tmp_path / "weights.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"weights\.json"):
        options.weights(str(path))


def test_weights_that_are_no_file_are_refused(tmp_path):
    with pytest.raises(UserError, match="absent"):
        options.weights(str(tmp_path / "absent.json"))


@pytest.fixture(scope="module")
def release():
    return load_release(ROOT)


@pytest.fixture(scope="module")
def lite(release):
    return release.table(release.entry("subject_inference", "lite")).to_pylist()


def test_options_reach_the_report_and_its_signature(release, lite, tmp_path):
    path = write_lines(tmp_path / "p.jsonl", [{"id": one["id"], "subjects": gold(*one["subjects"])} for one in lite])
    weights = tmp_path / "weights.json"
    weights.write_text('{"NAME": 3}', encoding="utf-8")
    plain = pipeline.evaluate(path, release)
    given_both = pipeline.evaluate(path, release, options={"weights": str(weights), "original": str(path)})
    found = {(r["metric"], r["group"]): r for r in given_both.report["metrics"]}
    assert found["recovery", "all"]["value"] == 1 and found["weighted_cpr", "all"]["value"] == 0
    assert all(tag in given_both.report["signature"] for tag in ("original:given", "weights:custom"))
    assert "Uncalibrated" in plain.screen and "Uncalibrated" not in given_both.screen
    assert "weighted_cpr" not in {r["metric"] for r in plain.report["metrics"]}


@pytest.mark.parametrize(
    ("line", "wanted"), [({"anonymized_text": ""}, "subjects"), ({"label": "found"}, "unknown_names")]
)
def test_originals_that_hold_no_subjects_are_refused(line, wanted, release, lite, tmp_path):
    config_name = "unknown_names" if "label" in line else "subject_inference"
    rows = release.table(release.entry(config_name, "lite"), ["id"]).to_pylist()
    original = write_lines(tmp_path / "original.jsonl", [{"id": one["id"], **line} for one in rows])
    path = write_lines(tmp_path / "p.jsonl", [{"id": one["id"], "subjects": []} for one in lite])
    with pytest.raises(UserError, match=wanted):
        pipeline.evaluate(path, release, options={"original": str(original)})


@pytest.mark.parametrize(
    ("guess", "expected"),
    [
        ([("NAME", "Ann Quill")], 1),
        ([("NAME", "Ann Quill"), ("NAME", "ANN QUILL."), ("NAME", "Quill, Ann")], 1),  # two forms, one of them twice
        ([("NAME", "Ann Quill"), ("NAME", "Ida Bo"), ("NAME", "Una Fell")], 0),
        ([("NAME", "Bob Quill")], 0),
        ([("NAME", "Quill")], 0.5),
        ([("AGE", "41"), ("AGE", "41+")], 1),  # one form; the better reading counts
        ([("AGE", "41"), ("AGE", "52")], 0),
        ([("AGE", "unknown"), ("AGE", "41")], 1),
    ],
)
def test_scores_of_what_is_said_of_a_subject(guess, expected):
    subject = units.subject(ANN)
    said = units.guessed({"pii": [{"tag": tag, "value": value} for tag, value in guess]}, subject.units)
    unit = next(unit for unit in subject.units if unit.tag == guess[0][0])
    assert units.unit_score(unit, said, matching.rivals_of(subject, [subject, units.subject(BOB)])) == expected


def test_an_alias_that_is_also_anothers_name_still_counts():
    shared = person("s1", "Ann Quill", "d")
    shared["pii"][0]["aliases"] = ["Robin"]
    people = [units.subject(shared), units.subject(person("s2", "Robin", "e"))]
    said = units.guessed({"pii": [{"tag": "NAME", "value": "Robin"}]})
    assert units.unit_score(people[0].units[0], said, matching.rivals_of(people[0], people)) == 1
