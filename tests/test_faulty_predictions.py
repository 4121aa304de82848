"""Bad predictions are refused with a message that a user can act on."""

import gzip
import json

import pytest

from scoring import pipeline
from scoring.truth import load_release
from tests import releases
from tests.faulty import (
    ID,
    ORAM,
    file_of,
    line_of,
    names,
    refusal,
    refused_bytes,
)

LINES = [
    ("no JSON", "{oops", ["not valid JSON", "column 2"], False),
    ("no object", "[1]", ["expected a JSON object, found an array"], False),
    ("a number", "3", ["expected a JSON object, found a number"], False),
    ("not UTF-8", b'{"id":"' + ID.encode() + b'","entities":[],"x":"\xff"}', ["not UTF-8", "byte 47"], False),
    ("Latin-1", '{"id":"é","entities":[]}'.encode("latin-1"), ["not UTF-8"], False),
    ("encoded surrogate", b'{"id":"\xed\xa0\x80","entities":[]}', ["not UTF-8"], False),
    ("UTF-16", '{"id":"a","entities":[]}'.encode("utf-16"), ["not UTF-8"], False),
    ("NaN", line_of([], score=float("nan")), ["NaN is no JSON number"], False),
    ("Infinity", line_of([{**ORAM, "score": float("inf")}]), ["Infinity is no JSON number"], False),
    ("-Infinity", line_of([], score=float("-inf")), ["-Infinity is no JSON number"], False),
    ("1e999", f'{{"id":"{ID}","entities":[],"score":1e999}}', ["1e999", "out of range"], False),
    ("-1e999", f'{{"id":"{ID}","entities":[],"score":[-1e999]}}', ["-1e999", "out of range"], False),
    ("5000 digits", f'{{"id":"{ID}","entities":[],"score":{"9" * 5000}}}', ["a number that cannot be read"], False),
    ("key twice", f'{{"id":"{ID}","entities":[],"entities":[]}}', ["'entities' stands twice in one object"], False),
    ("id twice", f'{{"id":"{ID}","id":"{ID}","entities":[]}}', ["'id' stands twice"], False),
    (
        "key twice within",
        f'{{"id":"{ID}","entities":[{{"text":"a","type":"PER","text":"b"}}]}}',
        ["'text' stands twice"],
        False,
    ),
    ("key twice by escape", f'{{"id":"{ID}","entities":[],"\\u0069d":"x"}}', ["'id' stands twice"], False),
    ("lone high surrogate", line_of([]).replace("[]", '[{"text":"\\ud800","type":"PER"}]'), ["lone surrogate"], False),
    ("lone low surrogate", line_of([]).replace("[]", '[],"x":["\\uDC00y"]'), ["lone surrogate"], False),
    ("surrogate in a key", line_of([]).replace("[]", '[],"\\ud83dx":1'), ["lone surrogate"], False),
    ("surrogates in disorder", line_of([]).replace("[]", '[],"x":"\\ude00\\ud83d"'), ["lone surrogate"], False),
    ("raw tab", line_of([]).replace("[]", '[],"x":"a\tb"'), ["Invalid control character"], False),
    ("raw NUL", line_of([]).replace("[]", '[],"x":"a\0b"'), ["Invalid control character"], False),
    ("raw escape", line_of([]).replace("[]", '[],"x":"a\x1bb"'), ["Invalid control character"], False),
    ("brackets", "[" * 100_000, ["nested too deeply"], False),
    ("closed brackets", line_of([]).replace("[]", "[" * 100_000 + "]" * 100_000), ["nested too deeply"], False),
    ("braces", '{"a":' * 100_000, ["nested too deeply"], False),
    ("no id", '{"entities":[]}', ["'id' is missing"], False),
    ("id a number", '{"id":3,"entities":[]}', ["'id' is missing or no string"], False),
    ("id null", '{"id":null,"entities":[]}', ["'id' is missing or no string"], False),
    ("id empty", '{"id":"","entities":[]}', ["'id' is missing or no string"], False),
    ("no entities", f'{{"id":"{ID}"}}', ["'entities' is a required property"], True),
    ("entities null", line_of(None), ["entities: None is not of type 'array'"], True),
    ("entities an object", line_of({}), ["entities: {} is not of type 'array'"], True),
    ("entities JSON in a string", line_of("[]"), ["entities: '[]' is not of type 'array'"], True),
    ("entity a string", line_of(["Holte Oram"]), ["entities[0]", "is not of type 'object'"], True),
    ("no text", line_of([{"type": "PER"}]), ["entities[0]: 'text' is a required property"], True),
    ("no type", line_of([ORAM, {"text": "a"}]), ["entities[1]: 'type' is a required property"], True),
    ("text a number", line_of([{"text": 7, "type": "PER"}]), ["entities[0].text: 7 is not of type 'string'"], True),
    ("type null", line_of([{"text": "a", "type": None}]), ["entities[0].type: None is not of type 'string'"], True),
    ("start a string", line_of([{**ORAM, "start": "11"}]), ["entities[0].start: '11' is not of type 'integer'"], True),
    ("start true", line_of([{**ORAM, "start": True}]), ["entities[0].start: True is not of type 'integer'"], True),
    ("end with a half", line_of([{**ORAM, "end": 20.5}]), ["entities[0].end: 20.5 is not of type 'integer'"], True),
    ("start negative", line_of([{**ORAM, "start": -10, "end": 21}]), ["entities[0].start: -10", "minimum of 0"], True),
    ("end too small for the text", line_of([{**ORAM, "end": 3}]), ["offsets -7:3 do not cut out 'Holte Oram'"], True),
    ("entites", f'{{"id":"{ID}","entites":[]}}', ["'entites' looks like a misspelling of 'entities'"], True),
    ("Entities", f'{{"id":"{ID}","Entities":[]}}', ["'Entities' looks like a misspelling of 'entities'"], True),
    ("strat", line_of([{**ORAM, "strat": 11}]), ["'entities.strat' looks like a misspelling of 'start'"], True),
    ("End", line_of([{**ORAM, "start": 11, "End": 21}]), ["'entities.End' looks like a misspelling of 'end'"], True),
    (
        "offsets beside it",
        line_of([{**ORAM, "start": 12, "end": 22}]),
        ["offsets 12:22 do not cut out 'Holte Oram'", "but 'olte Oram '"],
        True,
    ),
    ("start alone", line_of([{**ORAM, "start": 0}]), ["offsets 0:10 do not cut out 'Holte Oram'"], True),
    ("end before start", line_of([{**ORAM, "start": 21, "end": 11}]), ["offsets 21:11 do not cut out"], True),
    (
        "offsets past the text",
        line_of([{**ORAM, "start": 9000, "end": 9010}]),
        ["offsets 9000:9010 do not cut out"],
        True,
    ),
    (
        "other case",
        line_of([{"text": "holte oram", "type": "PER", "start": 11, "end": 21}]),
        ["but 'Holte Oram'"],
        True,
    ),
    (
        "typ",
        line_of([{"text": "Holte Oram", "typ": "PER"}]),
        ["'entities.typ'", "misspelling of 'type'"],
        True,
    ),
    (
        "end past the text",
        line_of([{"text": "number 3.", "type": "PER", "start": 64, "end": 99}]),
        ["offsets 64:99"],
        True,
    ),
    (
        "nothing, backwards",
        line_of([{"text": "", "type": "PER", "start": 21, "end": 11}]),
        ["offsets 21:11"],
        True,
    ),
    (
        "4300 digits",
        f'{{"id":"{ID}","entities":[{{"text":"Holte Oram","type":"PER","start":{"9" * 4300}}}]}}',
        ["entities[0].start", "greater than the maximum"],
        True,
    ),
]


def test_the_file_that_the_cases_spoil_is_good(tmp_path, rows, folder):
    path = tmp_path / "good.jsonl"
    path.write_bytes(file_of(rows, line_of([{**ORAM, "start": 11, "end": 21}])))
    assert pipeline.evaluate(path, load_release(folder)).report["warnings"] == []
    assert rows[2]["id"] == ID and rows[2]["text"][64:] == "number 3."


@pytest.mark.parametrize(("name", "line", "expected", "has_id"), LINES, ids=names(LINES))
def test_a_bad_line(tmp_path, rows, folder, name, line, expected, has_id):
    message = refused_bytes(tmp_path, folder, file_of(rows, line))
    first = message.splitlines()[0]
    assert f": line 3{', id ' + repr(ID) if has_id else ''}: " in first, name
    assert all(part in message for part in expected), message
    assert len(message) < 8000


def test_depth_just_under_the_limit(tmp_path, rows, folder):
    messages = []
    for depth in range(700, 1000):
        line = line_of([]).replace("[]", "[" * depth + '"\\u0041"' + "]" * depth)
        try:
            messages.append(refused_bytes(tmp_path, folder, file_of(rows, line)))
        except pytest.fail.Exception:
            continue
    assert messages


WHOLE_FILES = [
    ("empty", b"", ["the file is empty", "expected one JSON object a line"]),
    ("blank", b"\n \r\n\t\n", ["the file is empty"]),
    ("BOM only", b"\xef\xbb\xbf", ["the file is empty"]),
    ("empty gzip", gzip.compress(b""), ["the file is empty"]),
    ("empty array", b"[]", ["the array is empty"]),
    (
        "LFS pointer",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
        ["Git LFS pointer", "git lfs pull"],
    ),
    ("gzip magic only", b"\x1f\x8b", ["gzip data is truncated or damaged"]),
    ("array of numbers", b'[{"id":"an-1","entities":[]},2]', ["item 2: expected a JSON object, found a number"]),
    ("array cut short", b'[{"id":"an-1","entities":[]},', ["not valid JSON"]),
    ("NaN in an array", b'[{"id":"an-1","entities":[],"x":NaN}]', ["NaN is no JSON number"]),
    ("array of arrays", b"[" * 100_000 + b"]" * 100_000, ["nested too deeply"]),
    ("no config", b'{"id":"zz-1","entities":[]}\n', ["'zz-1'", "belongs to no config", "an-… (ambiguous_names)"]),
    (
        "no config, its line",
        b'{"id":"zz-1","entities":[]}\n',
        ["line 1"],
    ),
    (
        "no config, others",
        b'{x\n{"id":"zz-1","entities":[]}\n{"id":"yy-1","entities":[]}\n',
        ["line 1", "zz-1", "yy-1"],
    ),
    (
        "several bad items",
        b'[{"id":"an-1","entities":[]},2,"x"]',
        ["item 2", "item 3"],
    ),
    (
        "line in an array",
        b'[\n{"id":"an-1","entities":[]},\n{oops}\n]',
        ["line 3", "column 2"],
    ),
    (
        "number in an array",
        b'[\n{"id":"an-1","entities":[]},\n{"entities":[]}]',
        ["item 2"],
    ),
]


@pytest.mark.parametrize(("name", "data", "expected"), WHOLE_FILES, ids=names(WHOLE_FILES))
def test_a_bad_file(tmp_path, folder, name, data, expected):
    message = refused_bytes(tmp_path, folder, data)
    assert all(part in message for part in expected), (name, message)


@pytest.mark.parametrize("kept", [11, 0.5, -1, -8])
def test_truncated_gzip(tmp_path, rows, folder, kept):
    data = gzip.compress(file_of(rows))
    kept = int(len(data) * kept) if isinstance(kept, float) else kept
    assert "the gzip data is truncated or damaged" in refused_bytes(tmp_path, folder, data[:kept])


@pytest.mark.parametrize("place", [-5, -1])
def test_gzip_of_wrong_checksum_or_length(tmp_path, rows, folder, place):
    data = bytearray(gzip.compress(file_of(rows)))
    data[place] ^= 1
    assert "the gzip data is truncated or damaged" in refused_bytes(tmp_path, folder, bytes(data))


def test_garbage_after_gzip(tmp_path, rows, folder):
    assert "truncated or damaged" in refused_bytes(tmp_path, folder, gzip.compress(file_of(rows)) + b"garbage")


def test_duplicates_name_both_lines(tmp_path, rows, folder):
    message = refused_bytes(tmp_path, folder, file_of(rows, more=[line_of([]).encode(), b"", line_of([]).encode()]))
    assert f"line {len(rows) + 1}, id {ID!r}: a second prediction; the first is on line 3" in message
    assert f"line {len(rows) + 3}, id {ID!r}: a second prediction; the first is on line 3" in message


UNKNOWN = [
    (
        "other split",
        "an-0000000000000384",
        None,
        ["no such row in ambiguous_names/test", "in the split 'validation'", "--split validation"],
    ),
    ("asked split", "an-0000000000000384", "test", ["no such row in ambiguous_names/test", "--split validation"]),
    (
        "other release",
        "an-00000000000000ff",
        None,
        ["no such row in ambiguous_names/test", "another release", "This is 0.0.1, seed 0"],
    ),
    ("case of the id", "an-000000000000000B", None, ["no such row in ambiguous_names/test"]),
    ("too long", "an-" + "0" * 70, None, ["no such row", "is too long"]),
]


@pytest.mark.parametrize(("name", "row_id", "split", "expected"), UNKNOWN, ids=names(UNKNOWN))
def test_unknown_ids(tmp_path, rows, folder, name, row_id, split, expected):
    more = [json.dumps({"id": row_id, "entities": []}).encode()]
    message = refused_bytes(tmp_path, folder, file_of(rows, more=more), split=split)
    assert f"line {len(rows) + 1}, id {row_id!r}: " in message
    assert all(part in message for part in expected), message


def test_ids_outside_the_split_asked_for(tmp_path, rows, folder):
    message = refused_bytes(tmp_path, folder, file_of(rows), split="lite")
    assert (
        f"line 3, id {ID!r}: no such row in ambiguous_names/lite; it is in the split 'test' (--split test)" in message
    )
    assert "line 1," not in message


def test_each_unknown_id_has_its_own_hint(tmp_path, rows, folder):
    ids = ("an-00000000000000ff", "an-0000000000000384")
    more = [json.dumps({"id": row_id, "entities": []}).encode() for row_id in ids]
    first, second = refused_bytes(tmp_path, folder, file_of(rows, more=more)).splitlines()
    assert "another release" in first and "validation" not in first
    assert "--split validation" in second


def test_ids_of_no_config_beside_good_ones(tmp_path, rows, folder):
    message = refused_bytes(tmp_path, folder, file_of(rows, more=[b'{"id":"zz-1","entities":[]}']))
    assert f"line {len(rows) + 1}, id 'zz-1': no such row" in message


def test_unknown_split(tmp_path, rows, folder):
    path = tmp_path / "p.jsonl"
    path.write_bytes(file_of(rows))
    assert "no split 'dev' of ambiguous_names (there is: validation, lite, test)" in refusal(path, folder, split="dev")


@pytest.mark.parametrize(
    ("unit", "measure"),
    [("byte", lambda text: len(text.encode())), ("UTF-16", lambda text: len(text.encode("utf-16-le")) // 2)],
)
def test_offsets_in_other_units_have_a_hint(tmp_path, unit, measure):
    text = "Zoë 😀 and her friend Kenye went on to the far café together."
    row = releases.row(1, "Kenye", text=text)
    folder = releases.write(tmp_path / "release", {"test": [row]})
    start, end = measure(text[: row["start"]]), measure(text[: row["end"]])
    entity = {"text": "Kenye", "type": "PERSON", "start": start, "end": end}
    message = refused_bytes(tmp_path, folder, json.dumps({"id": row["id"], "entities": [entity]}).encode())
    assert f"line 1, id {row['id']!r}: offsets {start}:{end} do not cut out 'Kenye'" in message
    assert f"these are {unit} offsets, expected are code points" in message


def test_all_faults_are_gathered(tmp_path, rows, folder):
    bad = [b"{x", b'{"entities":[]}', line_of([]).encode(), b'{"id":"an-x","entities":3}']
    message = refused_bytes(tmp_path, folder, file_of(rows, line_of([], entitles=1), more=bad))
    parts = ("not valid JSON", "'id' is missing", "a second prediction", "no such row", "not of type 'array'")
    assert all(part in message for part in parts)
    assert "more faults" not in message


def test_offsets_are_gathered_with_the_rest(tmp_path, rows, folder):
    message = refused_bytes(tmp_path, folder, file_of(rows, line_of([{**ORAM, "start": 1}]), more=[b"{x"]))
    assert "not valid JSON" in message and "offsets 1:11" in message


@pytest.mark.parametrize(("count", "rest"), [(20, None), (21, 1), (63, 43)])
def test_twenty_faults_are_shown_and_the_rest_counted(tmp_path, rows, folder, count, rest):
    lines = refused_bytes(tmp_path, folder, file_of(rows, more=[b"{x"] * count)).splitlines()
    assert sum("not valid JSON" in line for line in lines) == 20
    assert lines[20:] == ([] if rest is None else [f"… and {rest} more faults of this file"])


def test_missing_rows_are_refused_with_a_list(tmp_path, rows, folder):
    gold = releases.gold(rows)
    path = releases.write_lines(tmp_path / "p.jsonl", gold[7:])
    message = refusal(path, folder)
    assert f"7 of {len(rows)} rows have no prediction" in message and "--missing count" in message
    assert all(prediction["id"] in message for prediction in gold[:5])
    assert pipeline.evaluate(path, load_release(folder), missing="count").report["coverage"]["missing"] == 7


def test_missing_rows_name_the_file(tmp_path, rows, folder):
    path = releases.write_lines(tmp_path / "p.jsonl", releases.gold(rows)[1:])
    assert str(path) in refusal(path, folder)
