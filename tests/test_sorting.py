"""Splits of many rows: sorted on disk, in several files, and read back, verified and scored as one."""

import json
import random

import pytest

from build import hub, parquet, sorting, verify
from build.configs import ambiguous_names
from build.errors import BuildError
from build.release import write_split
from scoring import pipeline
from scoring.rows import content_sha256
from scoring.truth import load_release
from tests import releases


def numbered(count):
    """Rows with ids spread over all buckets, in random order."""
    rows = [{"id": f"an-{at * 0x9E3779B97F4A7C15 % (1 << 64):016x}", "n": at} for at in range(count)]
    random.Random(1).shuffle(rows)
    return rows


@pytest.mark.parametrize("most", [7, 50, 299, 300, 1000])
def test_parts_hold_every_row_once_in_the_order_of_ids(most):
    rows = numbered(300)
    with sorting.in_parts(iter(rows + rows[:5]), most) as (count, pieces):
        parts = list(pieces)
    joined = [row for part in parts for row in part]
    assert len(parts) == count
    assert joined == sorted(rows, key=lambda row: row["id"])
    assert count == 1 or max(map(len, parts)) <= max(most, 10)


@pytest.mark.parametrize("most", [2, 1000])
def test_two_rows_of_one_id_are_refused(most):
    rows = [{"id": "an-00", "n": 1}, {"id": "an-01", "n": 1}, {"id": "an-00", "n": 2}]
    with pytest.raises(BuildError, match="an-00"), sorting.in_parts(rows, most) as (_, pieces):
        list(pieces)


def test_an_id_without_digits_cannot_be_sorted_on_disk():
    with pytest.raises(BuildError, match="x-y"), sorting.in_parts([{"id": "x-y"}, {"id": "x-z"}], 1):
        pass


def spread(row):
    return row | {"id": f"an-{int(row['id'][3:], 16) * 0x9E3779B97F4A7C15 % (1 << 64):016x}"}


@pytest.fixture
def both(tmp_path, rows, monkeypatch):
    """The same rows as a split of one file and as a split of several."""
    rows = [spread(row) for row in rows]
    one = releases.write(tmp_path / "one", {"test": rows})
    several = releases.write(tmp_path / "several", {"test": rows})
    for path in (several / "data").rglob("*.parquet"):
        path.unlink()
    monkeypatch.setattr(sorting, "ROWS_IN_A_PART", 8)
    manifest = json.loads((several / "manifest.json").read_text(encoding="utf-8"))
    manifest["files"] = [write_split(several, ambiguous_names, "test", iter(rows))]
    (several / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return one, several, rows


def test_a_split_of_several_files_is_the_split_of_one(both, tmp_path):
    one, several, rows = both
    entries = [load_release(folder).entry("ambiguous_names", "test") for folder in (one, several)]
    assert len(entries[1]["parts"]) > 2
    assert entries[0]["content_sha256"] == entries[1]["content_sha256"] == content_sha256(rows)
    assert verify.verify(several) == []
    path = releases.write_lines(tmp_path / "p.jsonl", releases.gold(rows))
    reports = [pipeline.evaluate(path, load_release(folder)).report for folder in (one, several)]
    assert reports[0] == reports[1]
    assert hub.configs(load_release(several).manifest)[0]["data_files"][0]["path"] == [
        part["path"] for part in entries[1]["parts"]
    ]


def lose_a_part(manifest):
    del manifest["files"][0]["parts"][0]


def swap_parts(manifest):
    manifest["files"][0]["parts"].reverse()


def claim_more_rows(manifest):
    manifest["files"][0]["parts"][0]["rows"] += 1


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lose_a_part, "not those of its parts"),
        (swap_parts, "after those of the file before"),
        (claim_more_rows, "rows"),
    ],
)
def test_damage_to_the_parts_is_found(both, damage, message):
    folder = both[1]
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    damage(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert any(message in fault for fault in verify.verify(folder))


def test_what_the_release_has_always_had_is_written_as_ever(tmp_path):
    rows = numbered(30)
    schema = parquet.pa.schema([("id", "string"), ("n", "int64")])
    first = parquet.write(tmp_path, "a/test-00000-of-00001.parquet", rows, schema)
    second = parquet.write_split(tmp_path, "b", "test", rows, schema)
    keys = ("rows", "bytes", "sha256", "content_sha256")
    assert [first[key] for key in keys] == [second[key] for key in keys]
