"""What is fine in a predictions file, and what is refused, in every config alike."""

import gzip
import json
import random

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.hostile import ANSWERS, CONFIGS, ROWS, command, jsonl, scored_or_refused, write
from tests.real import TINY
from tests.test_contract import BEST, GOLD
from tests.test_hostile_predictions import parquet_of
from tests.test_hostile_releases import replace_truth, truth_of

each_config = pytest.mark.parametrize("config", CONFIGS)
BOM = b"\xef\xbb\xbf"


def lines_of(config, **options):
    """The gold answers of a config, each as JSON bytes."""
    return [json.dumps(answer, **options).encode() for answer in ANSWERS[config]]


def members(lines):
    """Several gzip members; one may end within a line."""
    data = b"\n".join(lines)
    return b"".join(gzip.compress(data[at : at + 500]) for at in range(0, len(data), 500))


FINE = {
    "BOM, CRLF, blank lines": lambda c: BOM + b"\r\n\r\n \r\n".join(lines_of(c)) + b"\r\n\r\n",
    "no last newline": lambda c: b"\n".join(lines_of(c)),
    "raw U+2028 and U+0085 in a text": lambda c: b"\n".join(
        [json.dumps({**ANSWERS[c][0], "note": "a\u2028b\u0085c"}, ensure_ascii=False).encode(), *lines_of(c)[1:]]
    ),
    "escapes": lambda c: b"\n".join(lines_of(c)).replace(b'"id"', b'"\\u0069d"').replace(b"/", b"\\/"),
    "any order": lambda c: b"\n".join(random.Random(3).sample(lines_of(c), len(ANSWERS[c]))),
    "gzip members": lambda c: members(lines_of(c)),
    "an array": lambda c: json.dumps(ANSWERS[c], indent=1).encode(),
    "an array in gzip": lambda c: gzip.compress(BOM + json.dumps(ANSWERS[c]).encode()),
    "Parquet": lambda c: parquet_of(pa.Table.from_pylist(ANSWERS[c])),
    "pandas' index": lambda c: pd.DataFrame(ANSWERS[c]).sample(frac=1, random_state=1).to_parquet(),
    "a batch output": lambda c: jsonl([batch_line(answer) for answer in ANSWERS[c]]),
}


def batch_line(answer):
    """A line of a batch output file that answers a row with JSON."""
    message = {"message": {"content": json.dumps({key: answer[key] for key in answer if key != "id"})}}
    return {"custom_id": answer["id"], "response": {"status_code": 200, "body": {"choices": [message]}}, "error": None}


@each_config
@pytest.mark.parametrize("form", sorted(FINE))
def test_forms_of_one_file_give_the_same_metrics(tmp_path, config, form):
    assert scored_or_refused(write(tmp_path / "p", jsonl(ANSWERS[config])))
    expected = json.loads((tmp_path / "report.json").read_bytes())["metrics"]
    assert scored_or_refused(write(tmp_path / "p", FINE[form](config)))
    assert json.loads((tmp_path / "report.json").read_bytes())["metrics"] == expected


@each_config
def test_extra_fields_give_one_warning(tmp_path, config):
    more = [{**answer, "model": "m", "seconds": 1.5} for answer in ANSWERS[config]]
    assert scored_or_refused(write(tmp_path / "p", jsonl(more)))
    assert json.loads((tmp_path / "report.json").read_bytes())["warnings"] == [
        "fields that are not read: model, seconds"
    ]


def third(config, line):
    """The gold answers with another third line."""
    lines = lines_of(config)
    lines[2] = line if isinstance(line, bytes) else line.encode()
    return b"\n".join(lines)


def with_field(config, text):
    """The gold answers with a raw JSON member added to the third."""
    return third(config, lines_of(config)[2][:-1] + b"," + text + b"}")


def other_id(config):
    """An id of no row."""
    return ANSWERS[config][2]["id"][:3] + "0" * 16


def renamed(config, row_id):
    """The gold answers with another id in the third."""
    return third(config, json.dumps({**ANSWERS[config][2], "id": row_id}))


REFUSED = {
    "empty": (lambda c: b"", "the file is empty"),
    "blank": (lambda c: BOM + b"\n \r\n", "the file is empty"),
    "not UTF-8": (lambda c: with_field(c, b'"x":"\xff"'), "line 3: not UTF-8"),
    "NaN": (lambda c: with_field(c, b'"x":NaN'), "line 3: NaN"),
    "Infinity": (lambda c: with_field(c, b'"x":[-Infinity]'), "line 3: -Infinity"),
    "out of range": (lambda c: with_field(c, b'"x":1e999'), "line 3: the number 1e999"),
    "a key twice": (lambda c: with_field(c, b'"id":"x"'), "line 3: the key 'id' stands twice"),
    "a key twice within": (lambda c: with_field(c, b'"x":{"a":1,"\\u0061":2}'), "line 3: the key 'a' stands twice"),
    "a lone surrogate": (lambda c: with_field(c, b'"x":"\\ud83d"'), "line 3: a lone surrogate"),
    "a raw control character": (lambda c: with_field(c, b'"x":"a\tb"'), "line 3: not valid JSON: Invalid control"),
    "hostile depth": (lambda c: with_field(c, b'"x":' + b"[" * 9000 + b"]" * 9000), "line 3: nested too deeply"),
    "no id": (lambda c: third(c, '{"x":1}'), "line 3: the field 'id' is missing"),
    "no field but the id": (
        lambda c: third(c, json.dumps({"id": ANSWERS[c][2]["id"]})),
        "is a required property",
    ),
    "a second prediction": (
        lambda c: b"\n".join([*lines_of(c), lines_of(c)[2]]),
        "line 11, id 'ID': a second prediction; the first is on line 3",
    ),
    "an unknown id": (lambda c: renamed(c, other_id(c)), "line 3, id 'OTHER': no such row in CONFIG/test"),
    "an id of no config": (lambda c: renamed(c, "zz-1"), "line 3, id 'zz-1': no such row"),
    "two configs": (lambda c: renamed(c, ANSWERS[next(x for x in CONFIGS if x != c)][0]["id"]), "mixes several"),
    "a missing row": (lambda c: b"\n".join(lines_of(c)[1:]), "1 of 10 rows have no prediction"),
    "truncated gzip": (lambda c: gzip.compress(b"\n".join(lines_of(c)))[:-9], "truncated or damaged"),
    "garbage after gzip": (lambda c: gzip.compress(b"\n".join(lines_of(c))) + b"x", "truncated or damaged"),
    "an LFS pointer": (lambda c: b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
    "Parquet without id": (lambda c: parquet_of(pa.table({"x": [1]})), "without a column 'id'"),
    "Parquet of another schema": (
        lambda c: parquet_of(pa.table({"id": [answer["id"] for answer in ANSWERS[c]], "x": [1] * 10})),
        "row 3, id 'ID'",
    ),
    "truncated Parquet": (lambda c: parquet_of(pa.Table.from_pylist(ANSWERS[c]))[:-5], "not a readable Parquet"),
}


@each_config
@pytest.mark.parametrize("name", sorted(REFUSED))
def test_faults_are_told_with_place_and_id(tmp_path, config, name):
    make, expected = REFUSED[name]
    path = write(tmp_path / "p", make(config))
    for verb in (["evaluate", path, "--out", tmp_path / "report.json"], ["check", path]):
        if verb[0] == "check" and name == "a missing row":
            continue
        status, error = command("score.py", *verb, "--data", TINY)
        words = {"ID": ANSWERS[config][2]["id"], "OTHER": other_id(config), "CONFIG": config}
        wanted = expected
        for word, meant in words.items():
            wanted = wanted.replace(f"'{word}'", repr(meant)).replace(f"{word}/", f"{meant}/")
        assert status == 2 and f"{path}: " in error and wanted in error, error
    assert not (tmp_path / "report.json").exists()


def in_subject(key, value):
    """A change of the first subject of an answer."""
    return lambda answer: answer["subjects"][0].update({key: value})


def in_entity(key, value):
    """A change of the first entity of an answer."""
    return lambda answer: answer["entities"][0].update({key: value})


def moved(old, new):
    """A field under another name."""
    return lambda answer: answer.update({new: answer.pop(old)})


FIELDS = [
    ("ambiguous_names", moved("entities", "entites"), "'entites' looks like a misspelling of 'entities'"),
    ("usernames", moved("entities", "Entities"), "'Entities' looks like a misspelling of 'entities'"),
    ("usernames", in_entity("text", 7), "entities[0].text: 7 is not of type 'string'"),
    ("usernames", in_entity("start", "1"), "entities[0].start: '1' is not of type"),
    ("usernames", in_entity("end", 3), "do not cut out"),
    ("prompt_injection", moved("summary", "sumary"), "'sumary' looks like a misspelling of 'summary'"),
    ("prompt_injection", lambda answer: answer.update(audit_score=6), "audit_score: 6 is greater than the maximum"),
    ("prompt_injection", lambda answer: answer.update(audit_score="3"), "audit_score: '3' is not of type"),
    ("prompt_injection", lambda answer: answer.update(audit_scor=3), "misspelling of 'audit_score'"),
    ("prompt_injection", lambda answer: answer.update(summary=None), "summary: None is not of type 'string'"),
    ("unknown_names", lambda answer: answer.update(label="Found"), "label: 'Found' is not one of"),
    ("unknown_names", lambda answer: answer.update(label=3), "label: 3 is not one of"),
    ("unknown_names", moved("label", "lable"), "'lable' looks like a misspelling of 'label'"),
    ("unknown_names", lambda answer: answer.update(replicate=-1), "replicate: -1 is less than the minimum"),
    ("unknown_names", lambda answer: answer.update(replicate=1.5), "replicate: 1.5 is not of type"),
    ("unknown_names", lambda answer: answer.update(replicate="1"), "replicate: '1' is not of type"),
    ("unknown_names", lambda answer: answer.update(replicate=True), "replicate: True is not of type"),
    ("unknown_names", lambda answer: answer.update(replicate=10_000), "replicate: 10000 is greater than the maximum"),
    ("unknown_names", lambda answer: answer.update(plausible="yes"), "plausible: 'yes' is not of type"),
    ("unknown_names", lambda answer: answer.update(label=None), "label: None is not of type 'string'"),
    ("subject_inference", moved("subjects", "subject"), "'subject' looks like a misspelling of 'subjects'"),
    ("subject_inference", lambda answer: answer.update(subjects={}), "subjects: {} is not of type 'array'"),
    ("subject_inference", in_subject("pii", None), "subjects[0].pii: None is not of type 'array'"),
    ("subject_inference", in_subject("pii", [{"tag": "SHOE", "value": "4"}]), "pii[0].tag: 'SHOE' is not one of"),
    ("subject_inference", in_subject("pii", [{"tag": "AGE", "value": 4}]), "pii[0].value: 4 is not of type"),
    ("subject_inference", in_subject("pii", [{"tag": "AGE", "vlaue": "4"}]), "'subjects[0].pii[0].vlaue'"),
    ("subject_inference", lambda answer: answer["subjects"][0].pop("description"), "'description' is a required"),
    ("subject_inference", lambda answer: answer.update(anonymized_text=3), "anonymized_text: 3 is not of type"),
    ("subject_inference", lambda answer: answer.update(anonymized_text="x" * (2 << 20)), "anonymized_text of 2097152"),
]


@pytest.mark.parametrize(("config", "change", "expected"), FIELDS)
def test_wrong_fields_are_told_with_line_and_id(tmp_path, config, change, expected):
    answers = json.loads(json.dumps(ANSWERS[config]))
    change(answers[2])
    path = write(tmp_path / "p", jsonl(answers))
    status, error = command("score.py", "evaluate", path, "--data", TINY)
    assert status == 2 and error.startswith(f"{path}: line 3, id {answers[2]['id']!r}: ")
    assert expected in error


def test_a_replicate_twice_and_uneven_ones(tmp_path):
    rows = [{**answer, "replicate": number} for answer in ANSWERS["unknown_names"] for number in (0, 1)]
    uneven = [rows[0], *rows[2:]]
    assert scored_or_refused(write(tmp_path / "p", jsonl(uneven)))
    twice = jsonl([*rows, {**rows[1], "replicate": 1.0}])
    status, error = command("score.py", "evaluate", write(tmp_path / "p", twice), "--data", TINY)
    assert status == 2 and f"line 21, id {rows[1]['id']!r}: a second prediction; the first is on line 2" in error


TRAPS = ("None", "NA", "Null", "nan", "An Na", "007", "1e5", "True", "N/A", "-inf")


def trapped(config):
    """Rows of the ten-row release whose names are TRAPS."""
    made = []
    for row, name in zip(json.loads(json.dumps(ROWS[config])), TRAPS, strict=True):
        if config == "subject_inference":
            row["text"], row["entities"] = f"Then {name} spoke.", []
            fact = {**row["subjects"][0]["pii"][0], "tag": "NAME", "value": name, "aliases": [], "broader": []}
            row["subjects"] = [{**row["subjects"][0], "pii": [{**fact, "certainty": 5, "evidence": []}]}]
        else:
            row["name"], row["text"] = name, f"Then {name} spoke."
            row.update({"start": 5, "end": 5 + len(name)} if "start" in row else {})
            row["given"], row["surname"] = name, name
        made.append({key: row[key] for key in ROWS[config][0]})
    return made


@each_config
@pytest.mark.parametrize("form", ["JSONL", "Parquet"])
def test_names_that_look_like_nothing_survive(tmp_path, tiny, config, form):
    with pq.ParquetFile(TINY / f"data/{config}/test-00000-of-00001.parquet") as source:
        schema = source.schema_arrow
    rows = trapped(config)
    assert rows != ROWS[config] and truth_of(config).schema == schema
    replace_truth(tiny, config, pa.Table.from_pylist(rows, schema=schema))
    answers = GOLD[config](rows)
    data = jsonl(answers) if form == "JSONL" else parquet_of(pa.Table.from_pylist(answers))
    assert scored_or_refused(write(tmp_path / "p", data), data=tiny)
    metrics = json.loads((tmp_path / "report.json").read_bytes())["metrics"]
    for metric, best in BEST[config].items():
        values = {record["value"] for record in metrics if record["metric"] == metric} - {None}
        assert values <= {best}, metric
    assert any(record["value"] is not None for record in metrics)
