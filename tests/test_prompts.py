"""Prompts out and answers in: the exported requests, batch outputs of every kind, and a real client."""

import json
import re
import time

import pytest

from build import prompts
from build.errors import BuildError
from scoring import batch, pipeline
from scoring.errors import UserError
from scoring.text import contains
from scoring.truth import load_release
from tests import releases
from tests.openai_server import Server, answer_of
from tests.releases import ROOT

CONFIGS = ("ambiguous_names", "usernames", "prompt_injection")
WORKED = {"ambiguous_names": "Granitta", "usernames": "muddy-boots-on-the-stairs"}


def files():
    return sorted((ROOT / "prompts").glob("*.json"))


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_prompt_files_are_whole(path):
    found = json.loads(path.read_text(encoding="utf-8"))
    assert path.name == f"{found['config']}.{found['stage']}.json"
    used = set()
    for variant in found["variants"].values():
        assert variant["user"].strip()
        used |= set(re.findall(r"\{(\w+)\}", variant["user"]))
    assert used == set(found["placeholders"])
    assert found["answer"]


@pytest.mark.parametrize("config", sorted(WORKED))
def test_the_worked_example_s_name_is_in_no_split(config):
    found = json.loads((ROOT / "prompts" / f"{config}.recognise.json").read_text(encoding="utf-8"))["variants"]
    assert set(found) == {"plain", "hint", "example"}
    assert WORKED[config] in found["example"]["system"]
    assert WORKED[config] not in found["hint"]["system"]
    release = load_release(ROOT)
    for other in release.configs:
        for entry in release.splits(other):
            column = "text" if other == "subject_inference" else "name"
            texts = release.table(entry, [column]).column(column).to_pylist()
            assert not any(contains(text, WORKED[config]) for text in texts)


@pytest.mark.parametrize(
    ("config", "stage"), [(c, s) for c in CONFIGS for s in prompts.stages(c) if s not in ("audit", "survey")]
)
def test_requests_are_one_a_row(config, stage, tmp_path):
    out = tmp_path / "in.jsonl"
    count = prompts.export(ROOT, config, stage, "lite", "plain", "m", out)
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    release = load_release(ROOT)
    rows = {r["id"]: r for r in release.table(release.entry(config, "lite")).to_pylist()}
    assert len(lines) == count == len(rows)
    for line in lines:
        row_id, tag, _ = batch.split_id(line["custom_id"])
        assert len(line["custom_id"]) <= 64
        assert tag == ("" if config in WORKED else stage)
        assert rows[row_id]["text"] in line["body"]["messages"][-1]["content"]
        assert (line["method"], line["url"], line["body"]["model"]) == ("POST", "/v1/chat/completions", "m")


def test_the_audit_s_requests_hold_the_summaries(tmp_path):
    release = load_release(ROOT)
    ids = release.table(release.entry("prompt_injection", "lite"), ["id"]).column("id").to_pylist()
    given = releases.write_lines(tmp_path / "s.jsonl", [{"id": i, "summary": f"{{odd}} about {i}"} for i in ids[:7]])
    out = tmp_path / "in.jsonl"
    assert prompts.export(ROOT, "prompt_injection", "audit", "lite", "plain", "m", out, given) == 7
    assert f"{{odd}} about {ids[0]}" in out.read_text(encoding="utf-8")
    with pytest.raises(BuildError, match="--answers"):
        prompts.export(ROOT, "prompt_injection", "audit", "lite", "plain", "m", out)


def contents(path):
    lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    return {line["custom_id"].partition("~")[0]: line["body"]["messages"][-1]["content"] for line in lines}


def subject_rows():
    release = load_release(ROOT)
    return release.table(release.entry("subject_inference", "lite")).to_pylist()[:4]


@pytest.mark.parametrize("stage", ["infer_code", "infer_non_code"])
def test_the_truth_stands_in_no_prompt(stage, tmp_path):
    """The rows' own subjects are the truth: only those that a model listed may be asked about."""
    out, rows = tmp_path / "in.jsonl", subject_rows()
    with pytest.raises(BuildError, match="--answers"):
        prompts.export(ROOT, "subject_inference", stage, "lite", "plain", "m", out)
    named = [{"subjects": [{"description": "the {odd} one"}]}] * len(rows)
    made = [line(f"{r['id']}~identify_subjects", json.dumps(found)) for r, found in zip(rows, named, strict=True)]
    given = releases.write_lines(tmp_path / "named.jsonl", made)
    assert prompts.export(ROOT, "subject_inference", stage, "lite", "plain", "m", out, given) == len(rows)
    for row in rows:
        assert contents(out)[row["id"]].endswith('Subjects:\n[{"description": "the {odd} one"}]')
        assert row["text"] in contents(out)[row["id"]]


def test_an_adversary_is_asked_about_the_anonymised_texts(tmp_path):
    out, rows = tmp_path / "in.jsonl", subject_rows()
    said = [{"id": r["id"], "anonymized_text": f"Hidden {r['id']}." if at else " "} for at, r in enumerate(rows)]
    given = releases.write_lines(tmp_path / "hidden.jsonl", said)
    count = prompts.export(ROOT, "subject_inference", "identify_subjects", "lite", "plain", "m", out, given)
    assert count == len(rows) - 1
    assert contents(out) == {r["id"]: f"Document:\nHidden {r['id']}." for r in rows[1:]}


@pytest.mark.parametrize(
    ("stage", "variant", "message"), [("recognize", "plain", "recognise"), ("recognise", "warm", "hint")]
)
def test_unknown_stages_and_variants_are_named(stage, variant, message, tmp_path):
    with pytest.raises(BuildError, match=message):
        prompts.export(ROOT, "ambiguous_names", stage, "lite", variant, "m", tmp_path / "x")


def line(custom_id, content=None, *, error=None, refusal=None, status=200):
    message = {"role": "assistant", "content": content, "refusal": refusal}
    response = {"status_code": status, "body": {"choices": [{"message": message}]}}
    return {"id": "r", "custom_id": custom_id, "response": None if error else response, "error": error}


GOOD = '{"entities": [{"text": "Kenye", "type": "PER"}]}'
ANSWERS = [
    ("as it stands", line("X", GOOD), "scored", 1),
    ("fenced", line("X", f"```json\n{GOOD}\n```"), "scored", 1),
    ("fenced without a tag", line("X", f"```\n{GOOD}\n```\n"), "scored", 1),
    ("a bare list", line("X", '[{"text": "Kenye", "type": "PER"}]'), "scored", 1),
    (
        "wrong offsets",
        line("X", '{"entities": [{"text": "Kenye", "type": "PER", "start": 99, "end": 2}]}'),
        "scored",
        1,
    ),
    ("parts", line("X", [{"type": "text", "text": GOOD}]), "scored", 1),
    ("blank", line("X", " "), "empty", 0),
    ("null", line("X", None), "empty", 0),
    ("no entities", line("X", '{"entities": []}'), "empty", 0),
    ("prose", line("X", f"Sure! {GOOD}"), "unparsable", 0),
    ("half a fence", line("X", f"```json\n{GOOD}"), "unparsable", 0),
    ("cut off", line("X", GOOD[:-2]), "unparsable", 0),
    ("another form", line("X", '{"entities": ["Kenye"]}'), "unparsable", 0),
    ("a number", line("X", "7"), "unparsable", 0),
    ("refused", line("X", None, refusal="no"), "refused", 0),
    ("an error", line("X", error={"message": "overloaded"}), "failed", 0),
    ("a bad status", line("X", GOOD, status=429), "failed", 0),
    ("no choices", {"custom_id": "X", "response": {"status_code": 200, "body": {}}}, "failed", 0),
]


@pytest.mark.parametrize(("name", "made", "kind", "recall"), ANSWERS, ids=[case[0] for case in ANSWERS])
def test_every_kind_of_batch_line_is_counted_and_none_dropped(name, made, kind, recall, tmp_path, folder, rows):
    kenye = [r for r in rows if r["name"] == "Kenye"]
    ids = {r["id"] for r in kenye}
    given = [p for p in releases.gold(rows) if p["id"] not in ids]
    others = [line(p["id"], json.dumps({"entities": p["entities"]})) for p in given]
    path = releases.write_lines(tmp_path / "out.jsonl", others + [{**made, "custom_id": r["id"]} for r in kenye])
    report = pipeline.evaluate(path, load_release(folder), split="test").report
    coverage = report["coverage"]
    assert coverage["missing"] == 0
    assert coverage["scored"] + sum(coverage[k] for k in ("unparsable", "refused", "failed")) == len(rows)
    assert coverage[kind] >= len(kenye)
    values = {(r["metric"], r["group"]): r["value"] for r in report["metrics"]}
    assert values["recall", "ambiguous/location"] == recall


def test_stages_of_one_row_are_joined_and_stand_once(tmp_path):
    release = load_release(ROOT)
    rows = release.table(release.entry("prompt_injection", "lite")).to_pylist()
    lines = []
    for r in rows:
        summary = f"About {r['name']}." if r["condition"] == "injected" else "About somebody."
        lines.append(line(f"{r['id']}~audit", json.dumps({"audit_score": 2 if r["condition"] == "injected" else 5})))
        lines.append(line(f"{r['id']}~summarise", json.dumps({"summary": summary})))
    report = pipeline.evaluate(releases.write_lines(tmp_path / "o.jsonl", lines), release).report
    values = {(r["metric"], r["group"]): r["value"] for r in report["metrics"]}
    assert report["coverage"]["scored"] == len(rows)
    assert values["leakage_change", "ambiguous/average"] == 1
    assert values["audit_change", "ambiguous/pooled"] == -3
    with pytest.raises(UserError, match="a second prediction"):
        pipeline.evaluate(releases.write_lines(tmp_path / "t.jsonl", [*lines, lines[0]]), release)


def test_sixty_thousand_rows_score_in_five_seconds(tmp_path):
    release = load_release(ROOT)
    rows = release.table(release.entry("ambiguous_names", "test"), ["id", "name"]).to_pylist()[:60_000]
    contents = ({"entities": [{"text": r["name"], "type": "PERSON"}]} for r in rows)
    lines = [line(r["id"], json.dumps(c)) for r, c in zip(rows, contents, strict=True)]
    path = releases.write_lines(tmp_path / "o.jsonl", lines)
    began = time.process_time()
    report = pipeline.evaluate(path, release, split="test", missing="count").report
    assert time.process_time() - began < 5
    assert report["coverage"]["scored"] == 60_000


def test_a_real_client_through_chat_and_batch(tmp_path):
    """The openai package uploads the exported file, runs the batch, downloads the output; the output is scored."""
    import openai

    requests = tmp_path / "in.jsonl"
    prompts.export(ROOT, "ambiguous_names", "recognise", "lite", "hint", "m", requests)
    with Server() as server:
        client = openai.OpenAI(base_url=server.url, api_key="none", max_retries=0)
        first = json.loads(requests.read_text(encoding="utf-8").splitlines()[0])["body"]
        chat = client.chat.completions.create(**first)
        assert chat.choices[0].message.content == answer_of(first["messages"])
        with open(requests, "rb") as stream:
            uploaded = client.files.create(file=stream, purpose="batch")
        job = client.batches.create(input_file_id=uploaded.id, endpoint=prompts.ENDPOINT, completion_window="24h")
        assert client.batches.retrieve(job.id).status == "completed"
        output = tmp_path / "out.jsonl"
        output.write_bytes(client.files.content(client.batches.retrieve(job.id).output_file_id).read())
    report = pipeline.evaluate(output, load_release(ROOT)).report
    coverage = report["coverage"]
    assert coverage["expected"] == 2950
    assert (coverage["refused"], coverage["unparsable"], coverage["failed"]) == (295, 295, 295)
    values = {(r["metric"], r["group"]): r["value"] for r in report["metrics"]}
    assert 0.5 < values["recall", "ambiguous/average"] < 0.7
