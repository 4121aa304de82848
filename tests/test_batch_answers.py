"""What a batch output may hold: odd answers, frames, ids and stages, each counted or refused."""

import itertools
import json
import subprocess
import sys

import pytest

from scoring import batch
from scoring.errors import UserError
from tests import releases
from tests.faulty import MEASURED
from tests.real import CONFIGS, FRAMES, RELEASE, injected, kinds_of, line, report_of, rows_of, values_of
from tests.releases import ROOT

SURROGATE = "a lone surrogate in an answer is let through and cannot be written"
TEXT_PART = "a content part whose text is no string is joined as it is"
CONTENTS = [
    ("NaN beside the entities", '{"entities": [], "x": NaN}', {"unparsable": 1}),
    ("NaN as a text", '{"entities": [{"text": NaN, "type": "PER"}]}', {"unparsable": 1}),
    ("NaN as an offset", '{"entities": [{"text": "a", "type": "PER", "start": NaN}]}', {"unparsable": 1}),
    ("a number out of range", '{"entities": [], "x": 1e999}', {"unparsable": 1}),
    ("a whole number of 5,000 digits", '{"entities": [], "x": %s}' % ("9" * 5000), {"unparsable": 1}),
    ("nested 900 deep", '{"entities": [], "x": %s}' % ("[" * 900 + "]" * 900), {"unparsable": 1}),
    ("nested 100,000 deep", '{"entities": %s}' % ("[" * 100_000), {"unparsable": 1}),
    ("extra fields", '{"entities": [{"text": "a", "type": "PER", "score": 1}], "id": "us-1", "k": {}}', {"scored": 1}),
    ("a misspelt field", '{"entitis": []}', {"unparsable": 1}),
    ("null for the list", '{"entities": null}', {"unparsable": 1}),
    ("an object for the list", '{"entities": {}}', {"unparsable": 1}),
    ("a label that is null", '{"entities": [{"text": "a", "type": null}]}', {"unparsable": 1}),
    ("a list of lists", "[[]]", {"unparsable": 1}),
    ("two fences", "```json\n[]\n```\nor\n```json\n[]\n```", {"unparsable": 1}),
    ("a NUL", '{"entities": [{"text": "\\u0000", "type": "\\u0000"}]}', {"scored": 1}),
    ("a megabyte", '{"entities": [{"text": "%s", "type": "PER"}]}' % ("x" * 1_000_000), {"scored": 1}),
    ("a megabyte of fence", "```json\n" + "`\n" * 500_000, {"unparsable": 1}),
    ("a lone surrogate as a text", r'[{"text": "\ud800", "type": "PER"}]', {"unparsable": 1}),
    ("a lone surrogate as a label", r'[{"text": "a", "type": "\ud800"}]', {"unparsable": 1}),
    ("a lone surrogate as a key", r'{"entities": [], "\ud800": 1}', {"unparsable": 1}),
    ("a null part", [{"type": "text", "text": None}], {"scored": 1, "empty": 1}),
    ("a part that is a number", [{"type": "text", "text": 5}], {"scored": 1, "empty": 1}),
    ("a part without text", [{"type": "image"}], {"scored": 1, "empty": 1}),
]


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize(("name", "content", "kinds"), CONTENTS)
def test_odd_contents_are_counted(name, content, kinds, config, tmp_path):
    row_id = rows_of(config)[0]["id"]
    assert kinds_of(report_of(tmp_path, [line(f"{row_id}~recognise", content)])) == kinds, name


@pytest.mark.parametrize("frame", FRAMES, ids=json.dumps)
def test_odd_frames_are_failures_of_their_row(frame, tmp_path):
    row_id = rows_of("usernames")[0]["id"]
    assert kinds_of(report_of(tmp_path, [frame | {"custom_id": row_id}])) == {"failed": 1}


PLACES = [
    ("an empty custom_id", ["", "us"], "'id' is missing"),
    ("a stage without an id", ["~recognise"], "'id' is missing"),
    ("another config", ["an", "us"], "mixes several"),
    ("an id of no config", ["zz-1"], "belongs to no config"),
    ("an unknown row", ["us-0000000000000000"], "no such row"),
    ("a row twice", ["us", "us"], "a second prediction"),
    ("a stage twice", ["us~recognise", "us~recognise"], "a second prediction"),
    ("a replicate", ["us~recognise~1"], "has no replicates"),
]


@pytest.mark.parametrize(("name", "ids", "message"), PLACES)
def test_odd_ids_are_refused(name, ids, message, tmp_path):
    known = {"an": rows_of("ambiguous_names")[0]["id"], "us": rows_of("usernames")[0]["id"]}
    made = [(known.get(row_id, row_id), tilde, stage) for row_id, tilde, stage in (i.partition("~") for i in ids)]
    with pytest.raises(UserError, match=message):
        report_of(tmp_path, [line("".join(parts), "[]") for parts in made])


def clash(row):
    """Lines by kind of clash: two answers to one row."""
    found, other = [json.dumps({"entities": [{"text": t, "type": "PER"}]}) for t in (row["name"], "else")]
    row_id = row["id"]
    return {
        "replicates": [line(f"{row_id}~recognise~1", found), line(f"{row_id}~recognise~2", other)],
        "unknown stages": [line(f"{row_id}~one", found), line(f"{row_id}~two", other)],
        "with and without a stage": [line(row_id, found), line(f"{row_id}~recognise", other)],
        "a plain line and a stage": [{"id": row_id, **json.loads(found)}, line(f"{row_id}~recognise", other)],
    }


CLASHES = ("replicates", "unknown stages", "with and without a stage", "a plain line and a stage")


@pytest.mark.parametrize("kind", CLASHES)
def test_two_answers_to_one_field_do_not_hang_on_the_lines_order(kind, tmp_path):
    made = []
    for order in itertools.permutations(clash(rows_of("usernames")[0])[kind]):
        try:
            made.append(report_of(tmp_path, list(order))["metrics"])
        except UserError:
            made.append("refused")
    assert made[0] == made[1]


SCORES = [
    (3, True),
    (3.0, True),
    (None, False),
    (6, False),
    (0, False),
    ("3", False),
    (3.5, False),
]


@pytest.mark.parametrize(("score", "counts"), SCORES)
def test_a_bad_audit_answer_is_no_leak(score, counts, tmp_path):
    """The auditor's answer may be lost; the summary beside it was given and leaks nothing, or the name."""
    lines = []
    for row in rows_of("prompt_injection"):
        text = f"About {row['name']}." if row["condition"] == "injected" else "Nothing."
        lines += injected(row, summarise={"summary": text}, audit={"audit_score": score})
    values = values_of(report_of(tmp_path, lines))
    assert {v for (m, g), v in values.items() if m == "leakage" and g.endswith("/plain")} == {0}
    assert (("audit_change", "ambiguous/pooled") in values) is counts


@pytest.mark.parametrize("score", [6, "3", 0, 3.5, True, [3]])
def test_a_bad_audit_score_in_a_plain_line_is_refused(score, tmp_path):
    row_id = rows_of("prompt_injection")[0]["id"]
    with pytest.raises(UserError, match="line 1.*audit_score"):
        report_of(tmp_path, [{"id": row_id, "summary": "x", "audit_score": score}])


STRAY = "a stage's answer may hold fields of other stages"


def test_the_audit_does_not_rewrite_the_summary(tmp_path):
    row = rows_of("prompt_injection")[0]
    lines = injected(row, summarise={"summary": "x"}, audit={"audit_score": 3, "summary": f"of {row['name']}"})
    assert report_of(tmp_path, lines)["metrics"] == report_of(tmp_path, lines[::-1])["metrics"]


@pytest.mark.parametrize("answer", ["[]", '{"entities": []}'])
def test_a_list_for_a_summary_is_unparsable(answer, tmp_path):
    first, *others = rows_of("prompt_injection")
    lines = [made for row in others for made in injected(row, summarise={"summary": "x"})]
    report = report_of(tmp_path, [*lines, line(f"{first['id']}~summarise", answer)])
    assert not [r for r in report["metrics"] if r["metric"] == "recall"]
    assert report["coverage"]["unparsable"] == 1


def test_stages_in_any_order_make_one_report(tmp_path):
    lines = []
    for n, row in enumerate(rows_of("prompt_injection")):
        text = f"About {row['name']}." if row["condition"] == "injected" else "Nothing."
        score = {"audit_score": 1 + n % 5}
        lines += injected(row, summarise={"summary": text}, audit=score, recognise={"entities": []})
    made = [report_of(tmp_path, order)["metrics"] for order in (lines, lines[::-1], lines[::2] + lines[1::2])]
    assert made[0] == made[1] == made[2]


@pytest.mark.parametrize("parts", [("an-1",), ("an-1", "audit"), ("an-1", "screen", 3)])
def test_custom_ids_come_back(parts):
    assert batch.split_id(batch.custom_id(*parts)) == (*map(str, parts), "", "")[:3]


def test_sixty_thousand_batch_lines_take_little_memory(tmp_path):
    rows = RELEASE.table(RELEASE.entry("ambiguous_names", "test"), ["id", "name"]).to_pylist()[:60_000]
    contents = (json.dumps({"entities": [{"text": r["name"], "type": "PERSON"}]}) for r in rows)
    path = releases.write_lines(tmp_path / "o.jsonl", [line(r["id"], c) for r, c in zip(rows, contents, strict=True)])
    command = [sys.executable, "-c", MEASURED, ROOT / "score.py", "evaluate", path, "--split", "test"]
    done = subprocess.run([*map(str, command), "--missing", "count"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert int(done.stderr.split("peak ")[1].split()[0]) < 1_000_000
