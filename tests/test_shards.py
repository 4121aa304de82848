"""Shards: the same rows from one process, several, or a cluster that loses a worker; what --scale multiplies."""

import os
import signal
import threading
import time

import pytest

from build import dealing, release, shards
from build.configs import ambiguous_names, subject_inference, unknown_names, usernames
from build.configs.unknown.screening import BATCH
from build.errors import BuildError
from build.subjects import merging
from scoring.rows import content_sha256
from tests.releases import ROOT

SEED = 5


def hashes(built):
    return {split: content_sha256(list(rows)) for split, rows in built.splits.items()}


def made(folder, of, module=usernames, scale=1, **places):
    parts = shards.run(module, ROOT, SEED, scale, of, folder, **places)
    return hashes(module.merge(ROOT, SEED, scale, parts))


@pytest.fixture(scope="module")
def whole():
    return hashes(usernames.build(ROOT, SEED))


@pytest.mark.parametrize(("of", "workers"), [(1, 1), (3, 1), (3, 2), (7, 1)])
def test_shards_of_usernames_are_the_whole_config_whoever_makes_them(of, workers, whole, tmp_path):
    assert made(tmp_path / "spool", of, workers=workers) == whole


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as found:
        yield found


def test_a_cluster_gives_the_same_rows(cluster, whole, tmp_path):
    assert made(tmp_path / "spool", 3, scheduler=cluster.scheduler_address) == whole


def test_a_worker_that_dies_in_mid_run_changes_nothing(cluster, whole, tmp_path):
    from distributed import Client

    found = {}
    spool = tmp_path / "spool"
    run = threading.Thread(target=lambda: found.update(made(spool, 12, scheduler=cluster.scheduler_address)))
    with Client(cluster.scheduler_address, set_as_default=False) as client:
        before = client.run(os.getpid)
        run.start()
        while run.is_alive() and len(list(spool.glob("*"))) < 2:
            time.sleep(0.02)
        busy = [worker for worker, tasks in client.processing().items() if tasks]
        assert busy, "the run was over before a worker could be killed"
        os.kill(before[busy[0]], signal.SIGKILL)
        run.join(timeout=120)
        assert not run.is_alive() and found == whole
        client.wait_for_workers(2, timeout=60)
        assert set(client.run(os.getpid).values()) != set(before.values()), "no worker died"


def test_no_scheduler_is_a_fault_that_names_it(tmp_path):
    pytest.importorskip("distributed")
    from dask import config

    with config.set({"distributed.comm.timeouts.connect": "1s"}), pytest.raises(BuildError, match="127.0.0.1:9"):
        made(tmp_path / "spool", 2, scheduler="tcp://127.0.0.1:9")


def test_a_worker_with_other_lexicons_makes_no_shard():
    with pytest.raises(BuildError, match="lexicons are others"):
        shards.make(("usernames", str(ROOT), SEED, 1, 0, 1, "0" * 64))


def test_unknown_names_judges_each_number_alone():
    parts = [dict(unknown_names.shard(ROOT, SEED, 1, number, 40)["judged"]) for number in (0, 3)]
    assert [sorted(part)[:3] for part in parts] == [[0, 40, 80], [3, 43, 83]]
    screen = unknown_names.screening(ROOT)
    assert parts[1] == screen.judge(SEED, range(3, BATCH, 40))


def item(number, *names, spare=False, kind="one"):
    key = (spare, "online", number)
    return merging.Item(key, ("online", kind), [tuple(name.split()) for name in names], f"{number}")


CASES = {
    "no clash": ([item(1, "A B"), item(0, "C D")], ["0", "1"]),
    "the lowest key keeps the name": ([item(1, "A B"), item(0, "A B"), item(9, "E F", spare=True)], ["0", "9"]),
    "a spare one that is not needed": ([item(0, "A B"), item(9, "E F", spare=True)], ["0"]),
    "a spare one of another kind does not serve": (
        [item(0, "A B"), item(1, "A B"), item(8, "E F", spare=True, kind="two"), item(9, "G H", spare=True)],
        ["0", "9"],
    ),
    "a spare one that clashes": (
        [item(0, "A B"), item(1, "A B"), item(8, "A B", spare=True), item(9, "G H", spare=True)],
        ["0", "9"],
    ),
    "the names of what was left out are free": (
        [item(0, "A B"), item(1, "A B", "C D"), item(2, "C D"), item(9, "E F", spare=True)],
        ["0", "2", "9"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_documents_of_several_shards(case):
    items, expected = CASES[case]
    assert merging.kept(items) == expected
    assert merging.kept(items[::-1]) == expected


def test_too_few_spare_documents_is_a_fault():
    with pytest.raises(BuildError, match="1 of online/one"):
        merging.kept([item(0, "A B"), item(1, "A B")])


def test_shards_of_documents_over_generate_and_share_no_name(monkeypatch):
    monkeypatch.setattr(subject_inference, "COUNTS", {"test": {"online": 40}, "validation": {"online": 5}})
    monkeypatch.setattr(subject_inference, "LITE", {"online": 10})
    parts = [subject_inference.shard(ROOT, SEED, 2, number, 3) for number in range(3)]
    items = [one for part in parts for one in part["test"]]
    built = subject_inference.merge(ROOT, SEED, 2, parts)
    assert len(items) > 80 == len(built.splits["test"])
    used = {row["id"] for row in built.splits["test"]}
    names = [name for one in items if one.row["id"] in used for name in one.names]
    assert len(set(names)) == len(names)
    sizes = sorted(len(row["subjects"]) for row in built.splits["test"])
    planned = subject_inference.plan("test", SEED, {"online": 80})
    assert sizes == sorted(size for _, (_, size, _) in planned)


def test_a_scale_multiplies_handles_and_keeps_validation():
    one, two = (usernames.build(ROOT, SEED, scale=scale) for scale in (1, 2))
    assert len(two.splits["test"]) == 2 * len(one.splits["test"])
    assert [len(two.splits[s]) for s in ("lite", "validation")] == [len(one.splits[s]) for s in ("lite", "validation")]
    assert len({row["id"] for row in two.splits["test"]}) == len(two.splits["test"])


@pytest.mark.parametrize("scale", [1, 2, 30, 100, 400])
def test_templates_of_a_scale_are_distinct_and_share_no_sentence_with_validation(scale):
    found = ambiguous_names.templates("bacteria", "test", SEED, scale)
    kept_back = ambiguous_names.templates("bacteria", "validation", SEED)
    assert len({template.template_id for template in found}) == len(found)
    assert len(found) == min(20, 2000 // (5 * scale) * 5) * scale
    for part in (0, 1):
        own, other = ({t.template_id.split("+")[part] for t in some} for some in (found, kept_back))
        assert not own & other


def test_each_name_stands_in_five_templates_a_unit_of_scale():
    members = [ambiguous_names.pools.Member("ambiguous", "bacteria", f"Name{at}") for at in range(9)]
    dealt = dealing.deal("t", members, lambda kind: ambiguous_names.templates(kind, "test", SEED, 3), "test", SEED, 15)
    found = {}
    for template, member in dealt:
        found.setdefault(member.name, []).append(template.template_id)
    assert {name: len(set(ids)) for name, ids in found.items()} == {member.name: 15 for member in members}
    counts = [sum(name_ids.count(t) for name_ids in found.values()) for t in set(sum(found.values(), []))]
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: usernames.build(ROOT, SEED, scale=17), "usernames.*at most 16 works"),
        (lambda: ambiguous_names.templates("bacteria", "test", SEED, 401), "ambiguous_names, bacteria.*at most 400"),
        (lambda: release.chosen(["usernames", "unames"]), "'unames'.*there are.*usernames"),
        (lambda: release.chosen([]), "none named"),
    ],
)
def test_a_pool_that_runs_dry_names_the_config_and_the_largest_scale(build, message):
    with pytest.raises(BuildError, match=message):
        build()


def test_the_readme_says_of_every_config_what_is_multiplied():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for module in release.MODULES:
        assert f"| `{module.NAME}` | {module.SCALES} |" in text


def test_the_manifest_says_what_is_multiplied():
    modules = release.chosen(["usernames", "prompt_injection"])
    said = release.scaling(modules, release.Making(scale=3, shards=4))
    assert said["scale"]["factor"] == 3 and set(said["scale"]["multiplies"]) == {"usernames", "prompt_injection"}
    assert said["shards"] == {"prompt_injection": 1, "usernames": 4}
    assert release.scaling(modules, release.Making()) == {}
