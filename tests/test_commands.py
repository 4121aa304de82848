"""Commands and exports that meet what they cannot use say so, with status 2."""

import json
import sys
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from build import prompts
from scoring import pipeline
from scoring.errors import UserError
from tests import releases
from tests.real import SMALL, TINY, half_found, injected, line, rows_of

KNOWN = "Parquet types that are no JSON reach the bulk validator, which raises"
COLUMNS = [
    ("a null score", {"summary": ["x"], "audit_score": pa.array([None], pa.float64())}, True),
    ("a whole float", {"summary": ["x"], "audit_score": [3.0]}, True),
    ("NaN", {"summary": ["x"], "audit_score": [float("nan")]}, False),
    ("six", {"summary": ["x"], "audit_score": [6]}, False),
    ("a string", {"summary": ["x"], "audit_score": ["3"]}, False),
    ("a null summary", {"summary": pa.array([None], pa.string())}, False),
    ("a number as summary", {"summary": [3]}, False),
    ("a time in a column that is not read", {"summary": ["x"], "when": pa.array([0], pa.timestamp("us"))}, True),
    ("bytes in a column that is not read", {"summary": ["x"], "raw": [b"\xff"]}, True),
    ("bytes as summary", {"summary": [b"\xff"]}, False),
    ("a date as summary", {"summary": pa.array([0], pa.date32())}, False),
    ("a date as score", {"summary": ["x"], "audit_score": pa.array([0], pa.date32())}, False),
    ("bytes in an entity", {"entities": [[{"text": b"a", "type": "PER"}]]}, False),
]


@pytest.mark.parametrize(("name", "columns", "fine"), COLUMNS)
def test_parquet_is_scored_or_refused(name, columns, fine, tmp_path):
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table({"id": [rows_of("prompt_injection")[0]["id"]], **columns}), path)
    try:
        assert pipeline.evaluate(path, SMALL, missing="count").report["coverage"]["scored"] == 1
        assert fine
    except UserError as error:
        assert not fine and "row 1" in str(error)


COMMANDS = [
    ("evaluate P --label-map .", "not a readable JSON"),
    ("evaluate P --label-map P", "not a readable JSON"),
    ("evaluate P --label-map LIST", "expected an object"),
    ("evaluate P --label-map DEEP", "not a readable JSON"),
    ("evaluate P --missing some", "Invalid value"),
    ("evaluate P --split dev", "no split 'dev'"),
    ("compare P P --other-data TINY", "--unpaired"),
    ("compare P P --unpaired --other-data .", "no manifest.json"),
    ("compare P P --label-map LIST", "expected an object"),
    ("compare P Q", "only one config"),
    ("compare P MISSING", "no such file"),
    ("compare P P --out P", "is an input"),
    ("compare P P --out MISSING/x", "does not exist"),
]


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Runs a command line of score.py here, with words for files; gives its status and standard error."""
    import score

    (tmp_path / "list.json").write_text('{"PERSON": "X"}', encoding="utf-8")
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    files = {
        "P": releases.write_lines(tmp_path / "p.jsonl", half_found("usernames", SMALL, "test")),
        "Q": releases.write_lines(tmp_path / "q.jsonl", half_found("ambiguous_names", SMALL, "test")),
        "LIST": tmp_path / "list.json",
        "DEEP": tmp_path / "deep.json",
        "MISSING": tmp_path / "missing",
        "MISSING/x": tmp_path / "missing" / "x",
        "TINY": TINY,
    }

    def given(text):
        monkeypatch.chdir(tmp_path)
        words = [str(files.get(word, word)) for word in text.split()]
        monkeypatch.setattr(sys, "argv", ["score.py", *words, "--data", str(TINY)])
        with pytest.raises(SystemExit) as caught:
            score.run()
        return SimpleNamespace(status=caught.value.code, error=capsys.readouterr().err)

    return given


@pytest.mark.parametrize(("text", "message"), COMMANDS)
def test_commands_are_refused_with_status_2(text, message, command):
    done = command(text)
    assert done.status == 2 and message in " ".join(done.error.split())


def export(tmp_path, stage="audit", answers=None, config="prompt_injection", out="in.jsonl"):
    """Export the small release's prompts; gives the requests' user messages by custom_id."""
    path = tmp_path / out
    prompts.export(TINY, config, stage, "test", "plain", "m", path, answers)
    made = [json.loads(text) for text in path.read_text(encoding="utf-8").split("\n")[:-1]]
    return {request["custom_id"]: request["body"]["messages"][-1]["content"] for request in made}


@pytest.mark.parametrize(
    "config",
    [
        "",
        ".",
        "unknown",
        "subject_inference",
        "/unknown",
        "a*",
    ],
)
def test_prompts_of_odd_configs_are_refused(config, tmp_path):
    with pytest.raises(UserError, match="no prompts for"):
        export(tmp_path, "recognise", config=config)


def test_only_answered_rows_are_audited(tmp_path):
    rows = rows_of("prompt_injection")
    answers = [
        line(f"{rows[0]['id']}~summarise", '{"summary": "one {text} \\u2028"}'),
        line(f"{rows[1]['id']}~summarise", "no"),
        line(f"{rows[2]['id']}~summarise", None, refusal="no"),
        line(f"{rows[3]['id']}~summarise", ""),
    ]
    found = export(tmp_path, answers=releases.write_lines(tmp_path / "a.jsonl", answers))
    assert found == {f"{rows[0]['id']}~audit": "Entry:\none {text} \u2028"}


NO_TEXTS = [
    '{"summary": null}',
    '{"summary": ["x"]}',
    r'{"summary": "\ud800"}',
]


@pytest.mark.parametrize("content", NO_TEXTS)
def test_a_summary_that_is_no_text_is_not_audited(content, tmp_path):
    first, second = (row["id"] for row in rows_of("prompt_injection")[:2])
    answers = [line(f"{first}~summarise", content), line(f"{second}~summarise", '{"summary": "x"}')]
    path = releases.write_lines(tmp_path / "a.jsonl", answers)
    assert list(export(tmp_path, answers=path)) == [f"{second}~audit"]


def test_an_answer_does_not_rewrite_the_row(tmp_path):
    row = rows_of("prompt_injection")[0]
    answers = injected(row, summarise={"summary": "x", "text": "another"})
    found = export(tmp_path, "recognise", releases.write_lines(tmp_path / "a.jsonl", answers))
    assert row["text"] in found[f"{row['id']}~recognise"]


def test_requests_do_not_overwrite_the_answers(tmp_path):
    answers = injected(rows_of("prompt_injection")[0], summarise={"summary": "x"})
    path = releases.write_lines(tmp_path / "a.jsonl", answers)
    with pytest.raises(UserError):
        export(tmp_path, answers=path, out="a.jsonl")
