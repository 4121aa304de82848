"""Rerun panels (PUN §6.1, Table 9): by hand, and run against a loopback endpoint in both ways that are documented."""

import json
import subprocess
import sys

import pytest

from build import prompts
from build.configs.unknown import panels
from build.errors import BuildError
from build.person_index import PersonIndex
from build.pun import reruns
from build.validation import cli
from build.validation.rules import load as load_rules
from build.validation.screen import Screen
from scoring import pipeline
from scoring.errors import UserError
from scoring.truth import load_release
from tests import releases
from tests.openai_server import Server
from tests.releases import ROOT

N, S, A, F = "no_info", "similar", "ambiguous", "found"
STABLE = {"stable_no_info_3": True, "stable_no_info_10": True}


@pytest.fixture(scope="module")
def release():
    return load_release(ROOT)


@pytest.fixture(scope="module")
def rows(release):
    return release.table(release.entry("unknown_names", "lite"), ["id", "name", "stratum"]).to_pylist()


def predictions(path, rows, labels_of):
    made = [
        {"id": row["id"], "label": label, "replicate": number}
        for at, row in enumerate(rows)
        for number, label in enumerate(labels_of(at))
    ]
    return releases.write_lines(path, made)


def test_the_table_by_hand():
    # three released names over three reruns: 9 calls, 5 no_info, 3 ambiguous, 1 found; pairs equal 1, 1/3 and 0
    panel = {"Ab Cd": [N, N, N], "Ef Gh": [N, A, A], "Ij Kl": [N, A, F], "Mn Op": [F, F, F]}
    source = {"Ab Cd": N, "Ef Gh": N, "Mn Op": N}
    everyone, ours = reruns.table(panel, {"Ab Cd", "Ef Gh", "Ij Kl"}, source)
    assert (ours["cohort"], ours["reps"], ours["names"], ours["label_calls"]) == ("released unknowns", 3, 3, 9)
    assert [ours[label] for label in reruns.LABELS] == [1, 3, 5, 0]
    assert (ours["always_no_info"], ours["always_no_info_pct"], ours["no_info_pct"]) == (1, 33.3, 55.6)
    assert ours["equal_pairs"] == round((1 + 1 / 3 + 0) / 3, 4)
    assert (everyone["cohort"], everyone["names"], everyone["found"]) == ("all source no_info", 3, 3)
    # equal to the source's no_info: 2, 1 and 1 of three names; of the released ones with a source 2, 1 and 1 of two
    assert (everyone["equal_to_source"], everyone["equal_to_source_sd"]) == (0.4444, 0.1925)
    assert ours["equal_to_source"] == round((1 + 0.5 + 0.5) / 3, 4)
    assert reruns.transitions(panel, source) == {(N, A): 2, (N, F): 3, (N, N): 4}


@pytest.mark.parametrize(
    ("labels", "three", "ten"),
    [
        ([N] * 10, True, True),
        ([N] * 9 + [F], True, False),
        ([N] * 4, True, None),
        ([N, N, S], False, None),
        ([N], None, None),
    ],
)
def test_columns_of_a_name(labels, three, ten):
    assert panels.stable(labels) == {"stable_no_info_3": three, "stable_no_info_10": ten}


def test_a_panel_of_predictions_fills_the_columns(release, rows, tmp_path):
    # every second row answers no_info throughout, the others find somebody in the fourth rerun
    path = predictions(tmp_path / "p.jsonl", rows, lambda at: [N] * 3 + [F if at % 2 else N] + [N] * 6)
    found = reruns.labels([path], release)
    unknown = reruns.released(release) & found.keys()
    assert len(unknown) == sum(row["stratum"] == "unknown" for row in rows)
    table = reruns.table(found, unknown)
    assert [row["reps"] for row in table] == [3, 10]
    assert table[0]["always_no_info_pct"] == 100 and table[0]["found"] == 0
    assert table[1]["found"] == table[1]["names"] - table[1]["always_no_info"] > 0
    panels.write({name: found[name] for name in unknown}, tmp_path / panels.FILE)
    read = panels.read(tmp_path)
    assert read.keys() == unknown and all(one["stable_no_info_3"] for one in read.values())
    assert sum(one["stable_no_info_10"] for one in read.values()) == table[1]["always_no_info"]


def test_files_one_after_the_other_are_one_panel(release, rows, tmp_path):
    first = predictions(tmp_path / "1.jsonl", rows, lambda _: [N, S])
    second = predictions(tmp_path / "2.jsonl", rows, lambda _: [N, F])
    assert reruns.labels([first, second], release)[rows[0]["name"]] == [N, A, N, F]


def test_what_is_no_panel_is_refused(release, rows, tmp_path):
    path = predictions(tmp_path / "p.jsonl", rows, lambda at: [N] * 2)
    with pytest.raises(BuildError, match="no unknown name has 3 replicates"):
        reruns.table(reruns.labels([path], release), reruns.released(release))
    ids = release.table(release.entry("usernames", "lite"), ["id"]).column("id").to_pylist()
    other = releases.write_lines(tmp_path / "u.jsonl", [{"id": row_id, "entities": []} for row_id in ids])
    with pytest.raises(BuildError, match="is of usernames"):
        reruns.labels([other], release)
    with pytest.raises(UserError, match="no such file"):
        reruns.labels([tmp_path / "none"], release)
    names = tmp_path / "names.txt"
    names.write_text(rows[0]["name"] + "\n", encoding="utf-8")
    cli.validate(names, tmp_path / "run.db", cli.provider("local", load_rules(), index=PersonIndex.load(ROOT)))
    with pytest.raises(BuildError, match="no run of this store has a screen"):
        reruns.labels([tmp_path / "run.db"], release)


def reply(number, messages):
    """The endpoint's "model" knows nothing of any name, but in each fourth request it tells of a life."""
    name = messages[-1]["content"].removeprefix("What do you know about ").removesuffix("?")
    text = f"{name} is a painter." if number % 4 == 3 else f"I have no information about {name}."
    return {"role": "assistant", "content": text, "refusal": None}


def through_the_endpoint(requests, output, message):
    import openai

    with Server(message) as server:
        client = openai.OpenAI(base_url=server.url, api_key="none", max_retries=0)
        with open(requests, "rb") as stream:
            uploaded = client.files.create(file=stream, purpose="batch")
        client.batches.create(input_file_id=uploaded.id, endpoint=prompts.ENDPOINT, completion_window="24h")
        output.write_bytes(client.files.content("out").read())
    return output


def test_a_panel_through_batches(release, rows, tmp_path):
    """Prompts with replicates out, answers in, a second stage over them, and the columns: what the README says."""
    asked = tmp_path / "screen.jsonl"
    unknown = [row for row in rows if row["stratum"] == "unknown"]
    count = prompts.export(
        ROOT, "unknown_names", "screen", "lite", "plain", "m", asked, replicates=3, stratum="unknown"
    )
    assert count == 3 * len(unknown)
    screened = through_the_endpoint(asked, tmp_path / "screened.jsonl", reply)
    found = reruns.labels([screened], release, "rules")
    # the server answers requests 3, 7, 11 … of the file with a life, and every tenth from the fifth on is an error
    expected = ["fail" if at % 10 == 5 else F if at % 4 == 3 else N for at in range(count)]
    assert found == {row["name"]: expected[3 * at : 3 * at + 3] for at, row in enumerate(unknown)}
    judging = tmp_path / "judging.jsonl"
    again = prompts.export(ROOT, "unknown_names", "adjudicate", "lite", "plain", "m", judging, screened)
    assert again == count - expected.count("fail")
    ids = [json.loads(line)["custom_id"] for line in judging.read_text(encoding="utf-8").splitlines()]
    assert ids[0] == f"{unknown[0]['id']}~adjudicate~1" and len(set(ids)) == again

    def judge(number, messages):
        label = F if "is a painter" in messages[-1]["content"] else N
        return {"role": "assistant", "content": json.dumps({"label": label}), "refusal": None}

    judged = through_the_endpoint(judging, tmp_path / "judged.jsonl", judge)
    both = tmp_path / "both.jsonl"
    both.write_bytes(screened.read_bytes() + judged.read_bytes())
    report = pipeline.evaluate(both, release, missing="count", options={"adjudicate": "rules"}).report
    assert {r["n"] for r in report["metrics"] if r["metric"] == "agreement" and r["group"] == "unknown"} != {0}


def test_a_panel_through_the_validator_s_screen(release, rows, tmp_path):
    """Runs of one store under three seeds are three reruns; a run before them is the source."""
    names = [row["name"] for row in rows if row["stratum"] == "unknown"][:3]
    listed = tmp_path / "names.txt"
    listed.write_text("\n".join(names) + "\n", encoding="utf-8")
    calls = []

    def message(_, messages):
        text = messages[-1]["content"]
        if text.startswith("Name: "):
            return {"role": "assistant", "content": json.dumps({"label": F if "painter" in text else N})}
        calls.append(text)
        told = names[0] in text and len(calls) > len(names)
        return {"role": "assistant", "content": "A painter of that name." if told else "I know of nobody called that."}

    local = cli.provider("local", load_rules(), index=PersonIndex.load(ROOT))
    with Server(message) as server:
        screen = Screen(load_rules(), "m", "judge", base_url=server.url, environ={})
        cli.validate(listed, tmp_path / "source.db", local, screening=screen)
        for seed in (1, 2, 3):
            cli.validate(listed, tmp_path / "reruns.db", local, screening=screen, seed=seed)
    found = reruns.labels([tmp_path / "reruns.db"], release)
    assert found == {name: [F] * 3 if name == names[0] else [N] * 3 for name in names}
    out = tmp_path / "panel.jsonl"
    command = [sys.executable, "-m", "build", "panel", tmp_path / "reruns.db", "--source", tmp_path / "source.db"]
    done = subprocess.run(
        [*map(str, command), "--out", str(out)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "cohort all source no_info, names 3, label_calls 9" in done.stdout
    assert "source no_info, rerun found: 3" in done.stdout
    lines = {line.pop("name"): line for line in map(json.loads, out.read_text(encoding="utf-8").splitlines())}
    assert [lines[name]["stable_no_info_3"] for name in names] == [False, True, True]
    assert lines[names[1]]["stable_no_info_10"] is None


def test_the_release_reads_the_panel(rows, tmp_path):
    from build.configs import unknown_names

    name = next(row["name"] for row in rows if row["stratum"] == "unknown")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "lexicons").symlink_to(ROOT / "data" / "lexicons")
    panels.write({name: [N] * 10}, tmp_path / panels.FILE)
    made = [
        unknown_names.blank(name, "unknown"),
        unknown_names.blank("Ab Cd", "unknown"),
        unknown_names.blank(name, "ambiguous"),
    ]
    unknown_names.complete(made, tmp_path, "2026-01-01")
    assert [{key: row[key] for key in STABLE} for row in made] == [STABLE, dict.fromkeys(STABLE), dict.fromkeys(STABLE)]


@pytest.mark.parametrize(("config", "stage"), [("usernames", "recognise"), ("prompt_injection", "summarise")])
def test_replicates_are_only_for_configs_that_take_them(config, stage, tmp_path):
    with pytest.raises(BuildError, match="takes no replicates"):
        prompts.export(ROOT, config, stage, "lite", "plain", "m", tmp_path / "x", replicates=2)


def test_a_stratum_without_rows_is_named(tmp_path):
    with pytest.raises(BuildError, match="no rows of the stratum 'nobody'"):
        prompts.export(ROOT, "unknown_names", "screen", "lite", "plain", "m", tmp_path / "x", stratum="nobody")
