"""Agreement of a user's validation run with the released verdicts, whatever form the run comes in."""

import csv
import io
import json

import pytest

from build.errors import BuildError
from build.pun import agreement, runs
from build.validation import cli
from scoring.errors import UserError
from scoring.truth import load_release
from tests import releases
from tests.releases import ROOT

CLEAN, WEB = "no_indexed_full_name_evidence_found", "web_evidence_found"


@pytest.fixture(scope="module")
def release():
    return load_release(ROOT)


@pytest.fixture(scope="module")
def released(release):
    rows = release.table(release.entry("unknown_names", "lite"), ["name", "stratum", "verdict"]).to_pylist()
    return [row for row in rows if row["verdict"]]


def rerun(released):
    """Verdicts of a web run: every fourth name has evidence, the others as released."""
    return [
        {
            "name": row["name"],
            "verdict": WEB if at % 4 == 0 else row["verdict"].replace("no_local_evidence_found", CLEAN),
            "provider": "serper",
        }
        for at, row in enumerate(released)
    ]


def as_csv(rows, verdict="verdict"):
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["", "name", verdict, "provider"])
    writer.writerows([at, row["name"], row["verdict"], row["provider"]] for at, row in enumerate(rows))
    return text.getvalue()


FORMS = {
    "jsonl": lambda rows: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
    "csv": as_csv,
    "published": lambda rows: as_csv(rows, "status"),
    "bom and crlf": lambda rows: "\ufeff" + as_csv(rows).replace("\r\n", "\n").replace("\n", "\r\n"),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_run_against_the_release(form, release, released, tmp_path):
    made = [*rerun(released), {"name": "Nobody Here", "verdict": "ambiguous", "provider": "serper"}]
    path = tmp_path / "run"
    path.write_bytes(FORMS[form](made).encode("utf-8"))
    found = agreement.agreement(path, release)
    changed = len(released[::4])
    everything = found["groups"]["all"]
    assert everything["names"] == len(released) and found["not_in_release"] == 1
    assert everything["equal"] == round(1 - changed / len(released), 4)
    assert sum(everything["table"].values()) == len(released)
    assert sum(n for (_, run), n in everything["table"].items() if run == "evidence") == changed
    assert (found["released_by"], found["run_by"], found["local"]) == ("local", "serper", ["released"])
    strata = {row["stratum"] for row in released}
    assert set(found["groups"]) == {"all", *strata} and len(strata) == 2
    assert sum(found["groups"][stratum]["names"] for stratum in strata) == len(released)
    text = "\n".join(agreement.lines(found))
    assert "released: the local index alone" in text and f"{len(released)} names, equal" in text


def test_a_store_of_a_local_run_agrees_with_the_local_release(release, released, tmp_path):
    from build.person_index import PersonIndex

    names = tmp_path / "names.txt"
    names.write_text("\n".join(row["name"] for row in released[:30]) + "\n", encoding="utf-8")
    asked = cli.provider("local", cli.rule_files.load(), index=PersonIndex.load(ROOT))
    cli.validate(names, tmp_path / "run.db", asked)
    found = agreement.agreement(tmp_path / "run.db", release)
    assert found["groups"]["all"]["equal"] == 1 and found["local"] == ["released", "run"]
    cli.validate(names, tmp_path / "run.db", asked, seed=1)
    with pytest.raises(BuildError, match="holds 2 runs; choose one with --run"):
        agreement.agreement(tmp_path / "run.db", release)
    with runs.Store(tmp_path / "run.db", readonly=True) as store:
        ids = store.runs()
    assert agreement.agreement(tmp_path / "run.db", release, ids[1])["groups"]["all"]["names"] == 30


def test_cohens_kappa_by_hand():
    # 20 of 25 on the first label in both, 15 of 25 on the second: observed .7, expected .5
    pairs = [("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "a")] * 10 + [("b", "b")] * 15
    assert agreement.cohen(pairs) == 0.4
    assert agreement.cohen([("a", "a")]) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "holds no verdicts"),
        (b"[1]\n", "holds no verdicts"),
        (b"[1]\n2\n", "line 2: the field 'name'"),
        (b'{"name": 1}\n', "line 1: the field 'name'"),
        (b'{"name": "Ann Lee", "verdict": "found"}\n', "line 1: 'found' is no verdict"),
        (b'{"name": "Ann Lee", "verdict": "ambiguous"}\n{\n', "line 2: is no JSON"),
        (b"name,verdict\nAnn Lee,\n", "line 2: None is no verdict"),
        (b"name,verdict\nAnn Lee,ambiguous\nAnn Lee,web_evidence_found\n", "line 3: a second verdict on 'Ann Lee'"),
        (b"name,verdict\nAnn Lee,ambiguous\n", "holds no name that the release"),
        (b"\xff\xfe\x00", "neither a run store nor UTF-8 text"),
        (b"SQLite format 3\0 but no more", "is no run store"),
    ],
)
def test_what_is_no_run_is_refused(text, message, release, tmp_path):
    path = tmp_path / "run"
    path.write_bytes(text)
    with pytest.raises(UserError, match=message):
        agreement.agreement(path, release)


def test_a_file_that_is_not_there(release, tmp_path):
    with pytest.raises(BuildError, match="cannot be read"):
        agreement.agreement(tmp_path / "none", release)
    path = releases.write_lines(tmp_path / "run.jsonl", [{"name": "Ann Lee", "verdict": "ambiguous"}])
    with pytest.raises(BuildError, match="is no run store, so it holds no run"):
        agreement.agreement(path, release, "abc")
