"""The validator by its command line, with the local provider on the committed index."""

import json
import random
import subprocess
import sys

from build.person_index import PersonIndex
from tests.releases import ROOT

HELD = ["Marie Curie", "Ada Lovelace", "Frida Kahlo", "Alan Turing", "Rosa Parks", "Pablo Picasso"]
CLEAN = ["Quorvella Brandizzow", "Ystrimma Kelvotnik"]


def build(*arguments):
    command = [sys.executable, "-m", "build", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def slip(name, source):
    """One letter of the name changed."""
    at = source.choice([place for place, letter in enumerate(name) if letter.islower()])
    return name[:at] + ("q" if name[at] != "q" else "x") + name[at + 1 :]


def test_persons_slips_and_new_names_get_their_verdicts(tmp_path):
    index, source = PersonIndex.load(ROOT), random.Random(4)
    slips = [made for made in (slip(name, source) for name in HELD) if not index.contains(made)]
    expected = dict.fromkeys(HELD, "local_evidence_found") | dict.fromkeys(slips, "ambiguous")
    expected |= {" ".join(reversed(HELD[0].split())).upper(): "local_evidence_found"}
    expected |= dict.fromkeys(CLEAN, "no_local_evidence_found")
    names, store, out = tmp_path / "names.txt", tmp_path / "run.sqlite", tmp_path / "verdicts.jsonl"
    names.write_text("\n".join(expected) + "\n", encoding="utf-8")
    done = build("validate", names, "--store", store)
    assert done.returncode == 0, done.stderr
    run_id = done.stdout.split()[1]
    assert build("export-verdicts", "--store", store, "--run", run_id, "--out", out).returncode == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {row["name"]: row["verdict"] for row in rows} == expected
    assert {row["provider"] for row in rows} == {"local"}
    assert all(len(row["validation_stack_hash"]) == 64 for row in rows)
    again = build("validate", names, "--store", store)
    assert again.stdout == done.stdout


def test_what_cannot_be_validated_is_said_with_status_2(tmp_path):
    done = build("validate", tmp_path / "none.txt", "--store", tmp_path / "s")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    names = tmp_path / "names.txt"
    names.write_text("Ann Lee\n", encoding="utf-8")
    done = build("validate", names, "--store", tmp_path / "s", "--provider", "oracle")
    assert done.returncode == 2
    assert "serper" in done.stderr
