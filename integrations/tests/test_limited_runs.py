"""Runs of some rows: the numbers are of these rows alone, and every report says so."""

import pytest

from integrations.results import report_of
from integrations.runs import Run, line
from integrations.tests import harnesses
from integrations.tests.replies import TINY, mixed, rows_of
from scoring import schemas
from scoring.errors import UserError
from scoring.subset import NothingToScore, subset_of
from scoring.truth import load_release
from tests import releases
from tests.releases import ROOT

LIMIT = 60


def test_a_limited_run_scores_as_a_release_of_its_rows(tmp_path):
    """Against a release that the tests write by hand, of the first rows of lite and no others."""
    rows = rows_of("ambiguous_names", ROOT, "lite")[:LIMIT]
    folder = releases.write(tmp_path / "release", {"lite": rows})
    asked = harnesses.requests_of("ambiguous_names", "recognise", folder, "lite", tmp_path)
    texts = {row["id"]: mixed(row, "recognise") for row in rows}
    wanted = harnesses.by_score(texts, "recognise", folder, "lite", tmp_path)
    by_prompt = {asked[row_id]: text for row_id, text in texts.items()}
    joined = {"\n\n".join(prompt): text for prompt, text in by_prompt.items()}
    log = harnesses.by_inspect("ambiguous_names", by_prompt.__getitem__, ROOT, "lite", tmp_path, limit=LIMIT)
    first = harnesses.report_in(tmp_path, "ambiguous_names", "lite", "recognise")
    found = harnesses.by_lm_eval(
        "ambiguous_names", "recognise", joined.__getitem__, ROOT, "lite", tmp_path, limit=LIMIT
    )
    second = harnesses.report_in(tmp_path, "ambiguous_names", "lite", "recognise")
    assert first["metrics"] == second["metrics"] == wanted["metrics"]
    for made in (first, second):
        assert made["subset"]["rows"] == made["coverage"]["expected"] == LIMIT and made["subset"]["of"] == 2950
        assert f"|rows:{LIMIT}of2950-{made['subset']['ids_sha256'][:6]}|" in made["signature"]
        assert schemas.is_valid("report.schema.json", made)
    for numbers in (harnesses.metrics_of(log), found):
        assert (numbers["coverage/expected"], numbers["coverage/of"]) == (LIMIT, 2950)


@pytest.mark.parametrize(("asked", "scored"), [(2, 2), (3, 2), (9, 8), (10, None)])
def test_only_whole_pairs_are_scored(asked, scored):
    run = Run("prompt_injection", "summarise", "test", str(TINY))
    rows = run.rows()[:asked]
    made = report_of(run, [line(row["id"], "summarise", '{"summary": "Help."}') for row in rows])
    assert made["coverage"]["expected"] == (scored or 10)
    assert made.get("subset", {}).get("rows") == scored


def test_half_a_pair_is_nothing_to_score(tmp_path):
    reply = '{"summary": "Help."}'
    log = harnesses.by_inspect("prompt_injection", lambda _: reply, TINY, "test", tmp_path, limit=1)
    assert log.status == "success" and harnesses.metrics_of(log) == {"coverage/expected": 0}
    found = harnesses.by_lm_eval("prompt_injection", "summarise", lambda _: reply, TINY, "test", tmp_path, limit=1)
    assert {name: value for name, value in found.items() if value is not None} == {"coverage/expected": 0}


@pytest.mark.parametrize(
    ("ids", "error"), [([], NothingToScore), (["an-0000000000000000"], UserError), (["pi-x"], UserError)]
)
def test_rows_that_are_no_part_are_refused(ids, error, tmp_path):
    release = load_release(TINY)
    with pytest.raises(error, match="ambiguous_names/test"):
        subset_of(release, release.entry("ambiguous_names", "test"), ids, tmp_path)
