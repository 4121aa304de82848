"""The committed release and its ten-row example, with answers as batch lines, for the tests of reports."""

import json

from scoring import pipeline, summary
from scoring.truth import load_release
from tests import releases
from tests.releases import ROOT

SPACY = ROOT / "baselines/predictions/ambiguous_names.lite.spacy_md.jsonl.gz"
TINY = ROOT / "examples" / "tiny"
RELEASE = load_release(ROOT)
SMALL = load_release(TINY)
CONFIGS = ("ambiguous_names", "prompt_injection", "usernames")


def rows_of(config, release=SMALL, split="test"):
    """The rows of a split as dicts."""
    return release.table(release.entry(config, split)).to_pylist()


def line(custom_id, content, **message):
    """One line of a batch output file."""
    choice = {"message": {"role": "assistant", "content": content} | message}
    return {"custom_id": custom_id, "response": {"status_code": 200, "body": {"choices": [choice]}}, "error": None}


def report_of(folder, lines, release=SMALL, **options):
    """The report of some lines, its bytes made too; rows may be missing."""
    path = releases.write_lines(folder / "given.jsonl", lines)
    made = pipeline.evaluate(path, release, **{"missing": "count", "split": "test"} | options).report
    summary.report_json(made)
    return made


def values_of(report):
    """{(metric, group): value} of a report or of records."""
    records = report["metrics"] if isinstance(report, dict) else report
    return {(r["metric"], r["group"]): r["value"] for r in records}


def kinds_of(report):
    """The counts of coverage that are not 0, without those that depend on the split alone."""
    return {k: n for k, n in report["coverage"].items() if n and k not in ("expected", "missing")}


def half_found(config, release=RELEASE, split="lite"):
    """Answers that find the name in about half of the rows, in a way that hangs on name and template."""
    made = []
    for row in rows_of(config, release, split):
        hit = (len(row["name"]) + len(row["text"])) % 2 or row["template_id"][-1] in "13"
        made.append({"id": row["id"], "entities": [{"text": row["name"], "type": "PER"}] if hit else []})
    return made


def injected(row, **stages):
    """Batch lines of one row of prompt_injection, by stage."""
    return [line(f"{row['id']}~{stage}", json.dumps(answer)) for stage, answer in stages.items()]


FRAMES = [
    {"custom_id": "X", "response": None, "error": None},
    {"custom_id": "X", "response": [], "error": {}},
    {"custom_id": "X", "response": "ok"},
    {"custom_id": "X", "response": {"status_code": "200", "body": {}}},
    {"custom_id": "X", "response": {"body": None}},
    {"custom_id": "X", "response": {"body": {"choices": {}}}},
    {"custom_id": "X", "response": {"body": {"choices": "abc"}}},
    {"custom_id": "X", "response": {"body": {"choices": [None]}}},
    {"custom_id": "X", "response": {"body": {"choices": [{"message": []}]}}},
    {"custom_id": "X", "error": "overloaded"},
]
