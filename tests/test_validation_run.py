"""Whole runs: two passes, early stops, faults, kills and resumption, replay and ablation, over real sockets."""

import os
import signal
import subprocess
import sys
import time

import pytest

from build.errors import BuildError
from build.validation import ablate, cli, rules
from build.validation.pages import Pages
from build.validation.providers import Refused, replay
from build.validation.providers.local import Local
from build.validation.providers.serper import Serper
from build.validation.queries import inventory
from build.validation.runner import ProviderDown, Runner
from build.validation.screen import Screen
from build.validation.store import Store, StoreBusy, run_id_of
from tests.releases import ROOT
from tests.search_server import SearchServer

RULES = rules.load()
CLEAN, PERSON, SHOP, LATE, PAGED = (
    "Leora Vandeskel",
    "Mirabel Ostrander",
    "Tobiah Quellmar",
    "Zephrine Halloway",
    "Orsolya Brandtner",
)
NAMES = [CLEAN, PERSON, SHOP, LATE, PAGED]
NEWS = "https://news.invalid/a"
RESULTS = {
    f'"{PERSON}"': {"organic": [(f"{PERSON}, professor", "born in 1970", NEWS)]},
    SHOP: {"organic": [(f"{SHOP} sofa", "3 seats", NEWS)]},
    f'"{LATE.replace("Zephrine", "Sephrine")}"': {"organic": [("Sephrine Halloway", "x", NEWS)]},
}
VERDICTS = {
    CLEAN: "no_indexed_full_name_evidence_found",
    PERSON: "web_evidence_found",
    SHOP: "ambiguous",
    LATE: "ambiguous",
    PAGED: "web_evidence_found",
}
SCRIPT = """
import sys
from build.validation import rules
from build.validation.pages import Pages
from build.validation.providers.serper import Serper
from build.validation.runner import Runner
from build.validation.store import Store
loaded = rules.load()
with Store(sys.argv[1]) as store:
    reader = Pages(loaded, allow_private=True)
    Runner(store, Serper(loaded), loaded, pages=reader, per_second=1e6).run(sys.argv[2:])
"""


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """A key, and no proxy for loopback."""
    for key, value in {"SERPER_API_KEY": "secret", "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}.items():
        monkeypatch.setenv(key, value)


@pytest.fixture
def server(monkeypatch):
    with SearchServer(dict(RESULTS)) as made:
        made.results[f'"{PAGED}"'] = {"organic": [("A page", "about", f"{made.url}/page")]}
        made.pages["/page"] = (200, "text/html", f"<p>{PAGED} was born in 1970.", None)
        monkeypatch.setenv("SERPER_BASE_URL", made.url)
        yield made


def run(path, names=NAMES, *, provider=None, reader=True, **options):
    """(run id, {name: verdict}) of a run in a store; no real time is slept."""
    options = {"per_second": 1e6, "sleep": lambda seconds: None, **options}
    pages = Pages(RULES, allow_private=True) if reader else None
    with Store(path) as store:
        run_id = Runner(store, provider or Serper(RULES), RULES, pages=pages, **options).run(names)
        return run_id, {name: found["verdict"] for name, found in store.verdicts(run_id).items()}


def states(path, run_id):
    """{(name, text, type): state} of a run."""
    with Store(path, readonly=True) as store:
        names = store.run(run_id)["names"]
        return {(name, q.text, q.type): state for name in names for q, state, _ in store.queries(run_id, name)}


def test_verdicts_of_a_whole_run_and_what_each_name_was_asked(server, tmp_path):
    run_id, found = run(tmp_path / "s.db")
    assert found == VERDICTS
    assert {count for text, count in server.asked.items() if text != "/page"} == {1}
    done = {key for key, state in states(tmp_path / "s.db", run_id).items() if state == "done"}
    assert [key for key in done if key[0] == PERSON] == [(PERSON, f'"{PERSON}"', "exact_quoted")]
    assert not any(kind.endswith("_variant") for name, _, kind in done if name in (SHOP, PAGED))
    assert {key[1:] for key in done if key[0] == CLEAN} == {(q.text, q.type) for q in inventory(CLEAN, RULES)}
    late = [kind for name, _, kind in done if name == LATE]
    assert "phonetic_variant" in late and len(late) < len(inventory(LATE, RULES))


def test_a_finished_run_asks_nothing_again(server, tmp_path):
    first = run(tmp_path / "s.db")
    before = sum(server.asked.values())
    assert run(tmp_path / "s.db", list(reversed(NAMES))) == first
    assert sum(server.asked.values()) == before


def test_a_run_without_pages_is_never_clean(server, tmp_path):
    assert run(tmp_path / "s.db", [CLEAN], reader=False)[1] == {CLEAN: "validation_incomplete"}


def test_faults_that_pass_are_waited_out(server, tmp_path):
    server.faults = ["500", "429", "truncated", "invalid"]
    slept = []
    assert run(tmp_path / "s.db", [CLEAN], sleep=slept.append)[1] == {CLEAN: VERDICTS[CLEAN]}
    slept = [seconds for seconds in slept if seconds > 0.1]
    assert len(slept) == 4 and slept[1] >= 7
    with Store(tmp_path / "s.db") as store:
        first, *rest = store.queries(store.runs()[0], CLEAN)
        assert first[2] == 5 and {attempts for _, _, attempts in rest} == {1}


def test_a_query_that_fails_leaves_the_name_incomplete_until_the_next_run(server, tmp_path):
    server.faults = ["400"]
    run_id, found = run(tmp_path / "s.db", [CLEAN])
    assert found == {CLEAN: "validation_incomplete"}
    open_ones = [key for key, state in states(tmp_path / "s.db", run_id).items() if state != "done"]
    assert len(open_ones) > 2 and server.asked.total() == 4
    assert run(tmp_path / "s.db", [CLEAN]) == (run_id, {CLEAN: VERDICTS[CLEAN]})
    assert server.asked[f'"{CLEAN}"'] == 2


def test_a_bad_key_stops_the_run_at_once(server, tmp_path):
    server.faults = ["401"]
    with pytest.raises(Refused):
        run(tmp_path / "s.db")
    assert server.asked.total() == 1


def test_a_provider_that_stays_down_stops_the_run_which_can_go_on(server, tmp_path):
    server.faults = ["500"] * 10_000
    with pytest.raises(ProviderDown, match="run again"):
        run(tmp_path / "s.db")
    with Store(tmp_path / "s.db", readonly=True) as store:
        stopped = store.runs()
    server.faults = []
    assert run(tmp_path / "s.db") == (*stopped, VERDICTS)


def test_failures_between_answers_do_not_add_up(server, tmp_path):
    names = [f"{CLEAN}{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    server.faults = ["400", None, None, None] * len(names)
    assert set(run(tmp_path / "s.db", names)[1].values()) == {"validation_incomplete"}


def test_a_wait_longer_than_allowed_leaves_the_query_to_the_next_run(server, tmp_path):
    server.faults = ["429-long"]
    slept = []
    run_id, found = run(tmp_path / "s.db", [CLEAN], sleep=slept.append)
    assert found == {CLEAN: "validation_incomplete"} and max(slept, default=0) < 1
    assert states(tmp_path / "s.db", run_id)[CLEAN, f'"{CLEAN}"', "exact_quoted"] == "failed"


def killed_after(server, path, count):
    """Run in another process and SIGKILL it once the server has answered `count` more requests."""
    wanted = server.asked.total() + count
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(path), *NAMES], cwd=ROOT, env=os.environ)
    while server.asked.total() < wanted and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


def test_kills_in_mid_run_repeat_no_finished_query_and_lose_none(server, tmp_path):
    path = tmp_path / "s.db"
    server.delay = 0.004
    kills = (3, 12, 40)
    for count in kills:
        killed_after(server, path, count)
        with Store(path) as store:
            run_id = store.runs()[0]
        finished = [key for key, state in states(path, run_id).items() if state == "done"]
        before = {text: server.asked[text] for _, text, kind in finished if kind != "page_content"}
        assert before
    server.delay = 0.0
    assert run(path) == (run_id, VERDICTS)
    assert {text: server.asked[text] for text in before} == before
    repeated = [text for text, asked in server.asked.items() if asked > 1]
    assert len(repeated) <= len(kills)
    run(tmp_path / "other.db")
    assert states(path, run_id) == states(tmp_path / "other.db", run_id)
    with Store(path) as store, Store(tmp_path / "other.db") as other:
        assert [store.traces(run_id, n) for n in NAMES] == [other.traces(run_id, n) for n in NAMES]


def test_two_processes_do_not_share_a_store(tmp_path):
    with Store(tmp_path / "s.db"), pytest.raises(StoreBusy):
        Store(tmp_path / "s.db")
    Store(tmp_path / "s.db").close()


def test_what_is_no_store_is_refused(tmp_path):
    (tmp_path / "s.db").write_text("names\n" * 1000)
    with pytest.raises(BuildError, match="no run store"):
        Store(tmp_path / "s.db")
    with pytest.raises(BuildError, match="does not exist"):
        Store(tmp_path / "none" / "s.db")
    with pytest.raises(BuildError, match="no such store"):
        Store(tmp_path / "t.db", readonly=True)


def test_the_run_id_hangs_on_each_part_but_not_on_order():
    parts = [["a b", "c d"], "hash", "serper", "en-US", 0]
    ids = {run_id_of(*parts)}
    assert run_id_of(["c d", "a b", "a b"], *parts[1:]) in ids
    for at, other in enumerate((["a b"], "other", "searxng", "de-DE", 1)):
        ids.add(run_id_of(*parts[:at], other, *parts[at + 1 :]))
    assert len(ids) == 6


@pytest.mark.parametrize(
    "label, expected, searched",
    [
        ("no_info", VERDICTS[CLEAN], True),
        ("found", "web_evidence_found", False),
        ("attractor", "ambiguous", False),
        ("similar", "ambiguous", False),
        ("fail", "validation_incomplete", False),
    ],
)
def test_only_names_without_any_information_pass_the_screen(server, tmp_path, label, expected, searched):
    server.replies = {"m": "Well.", "judge": f'{{"label": "{label}"}}'}
    made = Screen(RULES, "m", "judge", base_url=server.url, environ={})
    for _ in range(2):
        assert run(tmp_path / "s.db", [CLEAN], screen=made)[1] == {CLEAN: expected}
    assert (server.asked[f'"{CLEAN}"'] == 1) is searched
    assert sum(count for text, count in server.asked.items() if "Leora" in text and "?" in text) == 1


class Index:
    """An index that knows one person and one near spelling."""

    def contains(self, key):
        return key == "mirabel ostrander"

    def near(self, name):
        return ["Tobias Quellmar"] if name == SHOP else []


def test_the_offline_provider_never_speaks_of_the_web(tmp_path):
    run_id, found = run(tmp_path / "s.db", [CLEAN, PERSON, SHOP], provider=Local(Index()), reader=False)
    assert found == {CLEAN: "no_local_evidence_found", PERSON: "local_evidence_found", SHOP: "ambiguous"}
    rows = cli.ablate(tmp_path / "s.db", run_id)
    assert {row["accepted"] for row in rows if row["experiment"] == "no_page_content"} == {"n/a"}


def test_traces_of_the_release_are_ignored_once_it_is_out(server, tmp_path):
    server.results = {f'"{CLEAN}"': {"organic": [(CLEAN, "actress", "https://hub.invalid/datasets/a/nymbench")]}}
    late, early = ({CLEAN: date} for date in ("2026-01-01", "2027-01-01"))
    at = {"clock": lambda: 1_780_000_000.0}
    assert run(tmp_path / "a.db", [CLEAN], released_at=early, **at)[1] == {CLEAN: "web_evidence_found"}
    assert run(tmp_path / "c.db", [CLEAN], **at)[1] == {CLEAN: "web_evidence_found"}
    server.results[f'"{CLEAN}"']["organic"][0] = (CLEAN, "actress", f"{server.url}/datasets/a/nymbench")
    server.pages["/datasets/a/nymbench"] = (200, "text/html", f"{CLEAN}, actress", None)
    assert run(tmp_path / "b.db", [CLEAN], released_at=late, **at)[1] == {CLEAN: VERDICTS[CLEAN]}


def test_a_replay_gives_the_recorded_verdicts_without_asking(server, tmp_path):
    run_id, found = run(tmp_path / "s.db")
    before = server.asked.total()
    cli.export_traces(tmp_path / "s.db", run_id, tmp_path / "t.jsonl")
    with Store(tmp_path / "s.db") as store:
        from_store = replay.from_store(store, run_id)
    for provider in (from_store, replay.from_jsonl(tmp_path / "t.jsonl", is_web=True)):
        again = run(tmp_path / f"{len(provider.settings['source'])}.db", provider=provider, reader=False)[1]
        assert again == found
    assert server.asked.total() == before


def test_the_ablation_table(server, tmp_path):
    run_id, _ = run(tmp_path / "s.db")
    rows = {row["experiment"]: row for row in cli.ablate(tmp_path / "s.db", run_id, tmp_path / "t.csv")}
    columns = ("accepted", "web_evidence_found", "ambiguous", "validation_incomplete", "newly_accepted_vs_full")
    counts = {name: tuple(row[column] for column in columns) for name, row in rows.items()}
    # By hand: SHOP is ambiguous through its unquoted query alone, LATE through a variant, PAGED found by its page.
    assert counts == {
        ablate.FULL: (1, 2, 2, 0, 0),
        "exact_quoted_only": (3, 2, 0, 0, 2),
        "no_unquoted_queries": (1, 2, 1, 1, 0),
        "no_fuzzy_variants": (2, 2, 1, 0, 1),
        "no_page_content": (1, 1, 2, 1, 0),
    }
    assert {row["evaluable_names"] for row in rows.values()} == {5} and rows[ablate.FULL]["accepted_pct"] == 20.0
    assert (tmp_path / "t.csv").read_text().startswith("experiment,evaluable_names,accepted,accepted_pct,")


def test_the_command_line_s_functions(server, tmp_path):
    (tmp_path / "names.txt").write_text(f"\ufeff{PERSON}\r\n\n{SHOP}\n", encoding="utf-8")
    asked = cli.provider("local", RULES, index=Index())
    run_id, counts = cli.validate(tmp_path / "names.txt", tmp_path / "s.db", asked)
    assert counts == {"ambiguous": 1, "local_evidence_found": 1}
    assert cli.export_verdicts(tmp_path / "s.db", run_id, tmp_path / "v.jsonl") == 2
    assert cli.stack_hash(asked) in (tmp_path / "v.jsonl").read_text(encoding="utf-8")
    for wrong in ("local", "replay", "bing"):
        with pytest.raises(BuildError, match="there are: local, serper, searxng, replay"):
            cli.provider(wrong, RULES)
    (tmp_path / "names.txt").write_text("\n")
    with pytest.raises(BuildError, match="holds no names"):
        cli.read_names(tmp_path / "names.txt")
    with pytest.raises(BuildError, match="has no run"):
        cli.ablate(tmp_path / "s.db", "nope")
