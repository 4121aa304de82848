"""What the property tests share: nasty values, spoilt answers of every config, what each command must do with them."""

import contextlib
import io
import json
import runpy
import sys
from unittest import mock

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from scoring import schemas
from tests.real import TINY, rows_of
from tests.releases import ROOT
from tests.test_contract import GOLD

CONFIGS = sorted(GOLD)
ROWS = {config: rows_of(config) for config in CONFIGS}
ANSWERS = {config: GOLD[config](ROWS[config]) for config in CONFIGS}
STAGES = {
    "ambiguous_names": ("", "recognise"),
    "usernames": ("", "recognise"),
    "prompt_injection": ("", "summarise", "audit", "recognise"),
    "unknown_names": ("", "screen", "adjudicate", "survey"),
    "subject_inference": ("", "anonymise", "infer", "identify_subjects", "infer_code", "infer_non_code"),
}
WORDS = (
    [
        "",
        " ",
        "\0",
        "found",
        "no_info",
        "NaN",
        "-inf",
        "N/A",
        "[PERSON_1]",
        "***",
        "'",
        "((",
        "+",
        "@",
        "a@",
        "50-",
        "60+",
    ]
    + [
        "mid-30s",
        "born 1980",
        "1e400",
        "9" * 20,
        "١٢",
        "１２",
        "²",
        "½",
        "İ",
        "ﬀ",
        "\u0301",
        "\u2028",
        "\u200d",
        "\U0001f600",
    ]
    + [
        "Dr",
        "male",
        "PERSON",
        "-1",
        "a" * 3000,
        "1" * 3000 + " years",
        '{"label": 3}',
        '```json\n{"label": "found"}\n```',
    ]
)
NUMBERS = [0, 1, -1, 1.5, 3.0, -0.0, 5e-324, 1e308, 2**31, 2**63, 2**64, 2**200]
KEYS = sorted({"", "x", "custom_id", "response", "error", *(key for answers in ANSWERS.values() for key in answers[0])})
KEYS += [
    "text",
    "type",
    "start",
    "end",
    "label",
    "plausible",
    "replicate",
    "description",
    "pii",
    "tag",
    "value",
    "summary",
]
TEXTS = st.sampled_from(WORDS) | st.text(max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.sampled_from(NUMBERS) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=6,
)


def quick(examples):
    """Settings of a property test with the same examples in every run."""
    checks = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
    phases = (Phase.generate, Phase.shrink)
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=checks,
        phases=phases,
        database=None,
    )


def places(value, path=()):
    """Every place within a JSON value, as paths of keys."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def changed(value, path, change):
    """A copy of a JSON value in which the container at the end of `path` went through change(container, key)."""
    made = json.loads(json.dumps(value))
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    change(inner, path[-1])
    return made


def _double(container, key):
    if isinstance(container, list):
        container.append(container[key])
    else:
        container["x" + key] = container[key]


@st.composite
def spoilt(draw, value, values=VALUES, most=3):
    """A JSON value with up to `most` parts replaced, removed or doubled; never the whole of it."""
    for _ in range(draw(st.integers(0, most))):
        found = [path for path in places(value) if path]
        if not found:
            break
        acts = {
            "replace": lambda container, key: container.__setitem__(key, draw(values)),
            "remove": lambda container, key: container.__delitem__(key),
            "double": _double,
        }
        value = changed(value, draw(st.sampled_from(found)), acts[draw(st.sampled_from(sorted(acts)))])
    return value


@st.composite
def odd_answers(draw, config):
    """Answers of valid form with odd contents: every text may be one of WORDS."""
    answers = json.loads(json.dumps(ANSWERS[config]))
    for path in draw(st.lists(st.sampled_from(list(places(answers))), max_size=12)):
        if path and path[-1] in ("text", "value", "description", "summary", "anonymized_text", "response", "type"):
            answers = changed(answers, path, lambda found, key: found.update({key: draw(TEXTS)}))
        if path and path[-1] == "text":
            answers = changed(answers, path, lambda found, key: [found.pop(k, None) for k in ("start", "end")])
    if config == "unknown_names":
        answers = [draw(st.sampled_from([one, {"id": one["id"], "response": draw(TEXTS)}])) for one in answers]
    return answers


@st.composite
def batch_lines(draw, config):
    """Lines of a batch output file: answers at any stage and replicate, texts and frames spoilt."""
    made = []
    for answer in draw(spoilt(ANSWERS[config])):
        row_id = answer.get("id") if isinstance(answer, dict) else None
        parts = [row_id if isinstance(row_id, str) else "", draw(st.sampled_from(STAGES[config]))]
        parts += draw(st.sampled_from([[], [], ["1"], ["x"], ["²"], ["-1"], ["9" * 30], ["9" * 5000]]))
        text = draw(st.sampled_from([json.dumps(answer), None, "", "nope", "[]", "{}", 3, [{"text": "{}"}]]))
        body = {"choices": [{"message": {"content": text}}]}
        frame = {
            "custom_id": "~".join(filter(None, parts)),
            "response": {"status_code": 200, "body": body},
            "error": None,
        }
        made.append(draw(spoilt(frame, most=1)))
    return made


def jsonl(objects):
    """Objects as the bytes of a JSONL file."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects).encode("utf-8", "surrogatepass")


def command(program, *arguments):
    """(exit status, standard error) of `score.py` or `-m build` run within this process; a traceback is raised."""
    out, error = io.StringIO(), io.StringIO()
    words = [program, *map(str, arguments)]
    with mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            _MAIN[program]()
        except SystemExit as end:
            return end.code or 0, error.getvalue()
    return 0, error.getvalue()


def _main_of(path):
    return runpy.run_path(str(ROOT / path), run_name="program")["run"]


_MAIN = {"score.py": _main_of("score.py"), "build": _main_of("build/__main__.py")}


def scored_or_refused(path, *options, data=TINY, names=None):
    """Evaluate a file by the command line and hold the outcome against the contract; tells whether it was scored.

    Scored means status 0 and a report that fits its schema without NaN; refused means status 2, a message that names
    the file (or one of `names`), and no report.
    """
    out = path.with_name("report.json")
    out.unlink(missing_ok=True)
    status, error = command("score.py", "evaluate", path, "--data", data, "--out", out, *options)
    error.encode("utf-8")
    if status == 0:
        report = json.loads(out.read_bytes(), parse_constant=_refuse_constant)
        assert schemas.errors("report.schema.json", report) == []
        assert all(record["value"] is not None or record["reason"] for record in report["metrics"])
        return True
    assert status == 2 and not out.exists(), (status, error)
    assert any(str(name) in error for name in (names or [path])), error
    assert sorted(file.name for file in path.parent.glob(".*report*")) == []
    return False


def _refuse_constant(literal):
    raise AssertionError(f"{literal} in a report")


def write(path, data):
    """Write bytes. Returns the path."""
    path.write_bytes(data)
    return path
