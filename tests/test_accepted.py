"""Everything that is fine in a predictions file gives the metrics of the plain file."""

import gzip
import json
import random
import subprocess
import sys

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scoring import pipeline
from scoring.errors import UserError
from scoring.truth import load_release
from tests import releases

BOM = b"\xef\xbb\xbf"
ODD = 'Zoë\u2028"of"\u0085the \\ 😀\tnorth/south'


def names(cases):
    """The cases' first values, to be their ids."""
    return [case[0] for case in cases]


def predictions_of(rows):
    """Predictions with hits, misses, false persons, several labels and odd characters."""
    made = releases.gold(rows)
    for number, prediction in enumerate(made):
        entities = prediction["entities"]
        if number % 4 == 0 and entities:
            entities[0]["type"] = "LOCATION"
        if number % 5 == 0:
            entities.append({"text": ODD, "type": "PERSON"})
        if number % 7 == 0:
            entities.append({"text": "good spirits", "type": "OTHER"})
    made[9]["entities"] = []
    return made


def lines_of(predictions, **options):
    """Each prediction as JSON bytes."""
    return [json.dumps(prediction, **options).encode() for prediction in predictions]


def scored(path, folder, data, **options):
    """The report on a file with these bytes."""
    path.write_bytes(data)
    return pipeline.evaluate(path, load_release(folder), **options).report


def plain(predictions):
    """The plain file: ASCII, one object a line, a last newline."""
    return b"".join(line + b"\n" for line in lines_of(predictions))


def changed(predictions, change):
    """Predictions whose entities went through `change`."""
    return [{**p, "entities": [change(dict(e)) for e in p["entities"]]} for p in predictions]


def shuffled(predictions):
    """The predictions in another order."""
    return random.Random(1).sample(predictions, len(predictions))


def as_float(entity):
    """Offsets 3 as 3.0."""
    return entity | {key: float(entity[key]) for key in ("start", "end") if key in entity}


def fully_escaped(predictions):
    """Texts, labels and keys spelt with escapes, numbers left as they are."""

    def spell(value):
        if isinstance(value, str):
            return '"' + "".join(f"\\u{unit:04X}" for unit in units(value)) + '"'
        if isinstance(value, list):
            return "[" + ",".join(map(spell, value)) + "]"
        if isinstance(value, dict):
            return "{" + ",".join(f"{spell(key)}:{spell(item)}" for key, item in value.items()) + "}"
        return json.dumps(value)

    def units(text):
        data = text.encode("utf-16-be")
        return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]

    return "".join(spell(prediction) + "\n" for prediction in predictions).encode()


def parquet(table):
    """The table as Parquet bytes."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return sink.getvalue().to_pybytes()


def by_pandas(predictions, index=None):
    """The predictions as pandas writes them."""
    frame = pd.DataFrame(predictions)
    return (frame if index is None else index(frame)).to_parquet()


def members(lines, size):
    """Several gzip members; a member may end within a line."""
    data = b"\n".join(lines) + b"\n"
    return b"".join(gzip.compress(data[at : at + size]) for at in range(0, len(data), size))


FORMS = [
    ("BOM", lambda p: BOM + plain(p)),
    ("CRLF", lambda p: plain(p).replace(b"\n", b"\r\n")),
    ("blank lines", lambda p: b"\n\n \t\n" + b"\n\r\n  \n".join(lines_of(p)) + b"\n\n"),
    ("no last newline", lambda p: plain(p)[:-1]),
    ("raw U+2028 and U+0085", lambda p: b"\n".join(lines_of(p, ensure_ascii=False))),
    ("escapes", fully_escaped),
    ("solidus escaped", lambda p: plain(p).replace(b"/", b"\\/")),
    ("space between tokens", lambda p: b"\n".join(b" \t" + x + b" " for x in lines_of(p, separators=(" , ", "\t:")))),
    ("any order", lambda p: plain(shuffled(p))),
    ("keys in another order", lambda p: b"\n".join(lines_of(p, sort_keys=True))),
    ("entities backwards", lambda p: plain([{**x, "entities": x["entities"][::-1]} for x in p])),
    ("gzip", lambda p: gzip.compress(plain(p))),
    ("gzip members", lambda p: members(lines_of(p), 700)),
    ("gzip members and an empty one", lambda p: members(lines_of(p), 5000) + gzip.compress(b"")),
    ("gzip with BOM and CRLF", lambda p: gzip.compress(BOM + plain(p).replace(b"\n", b"\r\n"))),
    ("array", lambda p: json.dumps(p).encode()),
    ("array over lines", lambda p: json.dumps(p, indent=1, ensure_ascii=False).encode() + b"\n"),
    ("array after BOM and blanks", lambda p: BOM + b"\n \n" + json.dumps(p).encode()),
    ("array in gzip", lambda p: gzip.compress(json.dumps(p, indent=2).encode())),
    ("null offsets", lambda p: plain(changed(p, lambda e: {"start": None, "end": None} | e))),
    ("no offsets", lambda p: plain(changed(p, lambda e: {"text": e["text"], "type": e["type"]}))),
    ("null in place of offsets", lambda p: plain(changed(p, lambda e: e | {"start": None, "end": None}))),
    ("start only", lambda p: plain(changed(p, lambda e: {key: e[key] for key in e if key != "end"}))),
    ("end only", lambda p: plain(changed(p, lambda e: {key: e[key] for key in e if key != "start"}))),
    ("3.0", lambda p: plain(changed(p, as_float))),
    ("11e0", lambda p: plain(p).replace(b'"start": 11', b'"start": 1.1e1')),
    ("lower case labels", lambda p: plain(changed(p, lambda e: e | {"type": e["type"].lower()}))),
    ("other labels", lambda p: plain(p).replace(b'"PERSON"', b'"b-Per"').replace(b'"LOCATION"', b'"gpe"')),
    ("Parquet", lambda p: parquet(pa.Table.from_pylist(p))),
    ("Parquet, any order", lambda p: parquet(pa.Table.from_pylist(shuffled(p)))),
    ("Parquet, offsets as doubles", lambda p: parquet(pa.Table.from_pylist(changed(p, as_float)))),
    ("Parquet, ids of pandas categories", lambda p: pd.DataFrame(p).astype({"id": "category"}).to_parquet()),
    ("pandas", by_pandas),
    ("pandas, shuffled", lambda p: by_pandas(p, lambda frame: frame.sample(frac=1, random_state=1))),
    (
        "pandas, index of texts",
        lambda p: by_pandas(p, lambda frame: frame.set_index("x" + frame["id"]).rename_axis(None)),
    ),
    (
        "pandas, two index columns",
        lambda p: by_pandas(p, lambda frame: frame.set_index([frame.index % 3, frame.index])),
    ),
    ("pandas, id as the index", lambda p: by_pandas(p, lambda frame: frame.set_index("id"))),
]


@pytest.fixture
def predictions(rows):
    return predictions_of(rows)


@pytest.fixture
def expected(tmp_path, folder, predictions):
    """Metrics of the plain file."""
    report = scored(tmp_path / "plain.jsonl", folder, plain(predictions))
    assert report["warnings"] == []
    return report["metrics"]


def test_the_metrics_depend_on_the_predictions(tmp_path, rows, folder, predictions, expected):
    values = {(made["metric"], made["group"]): made["value"] for made in expected}
    assert 0 < values["recall", "ambiguous/average"] < 1 and 0 < values["fdr", "ambiguous/average"] < 1
    for other in (releases.gold(rows), changed(predictions, lambda e: e | {"type": "ORG"})):
        assert scored(tmp_path / "p.jsonl", folder, plain(other))["metrics"] != expected


@pytest.mark.parametrize(("name", "form"), FORMS, ids=names(FORMS))
def test_a_form_of_the_plain_file(tmp_path, folder, predictions, expected, name, form):
    data = form(predictions)
    assert data != plain(predictions)
    report = scored(tmp_path / "given", folder, data)
    assert report["metrics"] == expected
    assert report["warnings"] == []


@pytest.mark.parametrize("suffix", [".parquet", ".json", ".gz", ".jsonl.gz", ".csv", ""])
def test_the_format_is_found_from_the_content(tmp_path, folder, predictions, expected, suffix):
    for data in (plain(predictions), gzip.compress(plain(predictions)), by_pandas(predictions)):
        assert scored(tmp_path / f"given{suffix}", folder, data)["metrics"] == expected


def test_two_boms_are_no_bom(tmp_path, folder, predictions):
    with pytest.raises(UserError, match="line 1: not valid JSON"):
        scored(tmp_path / "given.jsonl", folder, BOM + BOM + plain(predictions))


EXTRA = [
    ("of the object", lambda p: [{**x, "model": "m", "seconds": 1.5} for x in p], ("model", "seconds")),
    ("of an entity", lambda p: changed(p, lambda e: e | {"score": 0.5, "kind": "x"}), ("score", "kind")),
    ("of both", lambda p: [{**x, "model": None} for x in changed(p, lambda e: e | {"score": 1})], ("model", "score")),
    ("of one line", lambda p: [{**p[0], "comment": {"deep": ["\u2028"]}}, *p[1:]], ("comment",)),
]


@pytest.mark.parametrize(("name", "add", "fields"), EXTRA, ids=names(EXTRA))
@pytest.mark.parametrize("write", [plain, lambda p: parquet(pa.Table.from_pylist(p))], ids=["JSONL", "Parquet"])
def test_extra_fields_give_one_warning_that_names_them(
    tmp_path, folder, predictions, expected, write, name, add, fields
):
    report = scored(tmp_path / "given", folder, write(add(predictions)))
    assert report["metrics"] == expected
    (warning,) = report["warnings"]
    assert all(field in warning for field in fields)


def test_columns_of_any_type_beside_the_predictions(tmp_path, folder, predictions, expected):
    frame = pd.DataFrame(predictions).assign(when=pd.Timestamp("2020-01-01"), raw=b"\xff", score=float("nan"))
    (warning,) = (report := scored(tmp_path / "given", folder, frame.to_parquet()))["warnings"]
    assert report["metrics"] == expected
    assert all(field in warning for field in ("when", "raw", "score"))


def test_a_named_index_of_pandas_is_no_more_than_an_extra_field(tmp_path, folder, predictions, expected):
    data = by_pandas(predictions, lambda frame: frame.rename_axis("number").iloc[::-1])
    assert scored(tmp_path / "given", folder, data)["metrics"] == expected


def test_an_unknown_label_counts_as_other(tmp_path, folder, predictions):
    widgets = changed(predictions, lambda e: e | {"type": "WIDGET" if e["type"] == "PERSON" else "gizmo"})
    report = scored(tmp_path / "widgets.jsonl", folder, plain(widgets))
    others = scored(tmp_path / "others.jsonl", folder, plain(changed(predictions, lambda e: e | {"type": "OTHER"})))
    assert report["metrics"] == others["metrics"] and others["warnings"] == []
    (warning,) = report["warnings"]
    assert all(part in warning for part in ("WIDGET", "gizmo", "OTHER"))


def test_extra_fields_and_unknown_labels_warn_apart(tmp_path, folder, predictions):
    odd = changed(predictions, lambda e: e | {"type": "WIDGET", "score": 1})
    assert len(scored(tmp_path / "odd.jsonl", folder, plain(odd))["warnings"]) == 2


def test_a_label_map_is_added(tmp_path, folder, predictions, expected):
    own = changed(predictions, lambda e: e | {"type": "WiDGET" if e["type"] == "PERSON" else e["type"]})
    report = scored(tmp_path / "own.jsonl", folder, plain(own), label_map={"PERSON": ["widget"]})
    assert report["metrics"] == expected and report["warnings"] == []
    assert "|labels:custom|" in report["signature"]


def test_a_label_map_goes_before_ours(tmp_path, folder, predictions, expected):
    swapped = changed(predictions, lambda e: e | {"type": {"PERSON": "ORG"}.get(e["type"], e["type"])})
    report = scored(tmp_path / "own.jsonl", folder, plain(swapped), label_map={"PERSON": ["ORG"]})
    assert report["metrics"] == expected


def command(*arguments):
    """Run the command line."""
    line = [sys.executable, str(releases.ROOT / "score.py"), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60)


def test_the_command_line_with_all_of_it(tmp_path, folder, predictions, expected):
    own = changed(shuffled(predictions), lambda e: e | {"type": e["type"].replace("PERSON", "widget"), "score": 1.0})
    path, labels, out = tmp_path / "own.parquet", tmp_path / "labels.json", tmp_path / "report.json"
    path.write_bytes(gzip.compress(BOM + plain(own).replace(b"\n", b"\r\n\r\n")))
    labels.write_text('{"PERSON": ["WIDGET"]}', encoding="utf-8")
    done = command("evaluate", path, "--data", folder, "--out", out, "--label-map", labels, "--system", "Mine")
    assert done.returncode == 0
    assert done.stderr == "warning: fields that are not read: entities.score\n"
    report = json.loads(out.read_text(encoding="utf-8"))
    assert report["metrics"] == expected and report["system"] == "Mine"
    assert report["signature"] in done.stdout


def test_the_smallest_split_that_holds_all_ids(tmp_path, rows, folder):
    lite = [prediction for prediction, row in zip(releases.gold(rows), rows, strict=True) if row["name"] == "Kenye"]
    report = scored(tmp_path / "p.jsonl", folder, plain(lite), missing="count")
    assert (report["split"], report["coverage"]["missing"]) == ("lite", 5)
    assert scored(tmp_path / "p.jsonl", folder, plain(lite), missing="count", split="test")["split"] == "test"
