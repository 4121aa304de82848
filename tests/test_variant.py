"""A variant: fresh rows from the same lexicons, its overlap told, and base predictions refused."""

import json

import pytest

from build import verify
from build.errors import BuildError
from build.variant import variant
from scoring import pipeline
from scoring.errors import UserError
from scoring.truth import load_release
from tests import releases
from tests.releases import ROOT


@pytest.fixture(scope="module")
def seven(tmp_path_factory):
    out = tmp_path_factory.mktemp("variants") / "7"
    variant(ROOT, out, 7)
    return out


def test_a_variant_is_a_whole_release(seven):
    assert verify.verify(seven) == []
    manifest = json.loads((seven / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["seed"] == 7
    assert manifest["base_version"] == manifest["version"]


def test_seeds_differ_and_the_overlap_is_that_of_the_rows(seven):
    base, other = load_release(ROOT), load_release(seven)
    shared = other.manifest["overlap"]["ambiguous_names"]["test"]
    known = {
        (r["stratum"], r["name_type"], r["name"])
        for entry in base.splits("ambiguous_names")
        for r in base.table(entry, ["stratum", "name_type", "name"]).to_pylist()
    }
    rows = other.table(other.entry("ambiguous_names", "test")).to_pylist()
    own = {(r["stratum"], r["name_type"], r["name"]) for r in rows}
    assert shared["names"] == round(len(own & known) / len(own), 4)
    assert shared["names"] < 1
    assert shared["templates"] < 0.2
    assert shared["rows"] < 0.05


def test_overlap_is_told_of_every_config(seven):
    from build.configs import BY_NAME

    overlap = load_release(seven).manifest["overlap"]
    assert set(overlap) == set(BY_NAME)
    for splits in overlap.values():
        assert all(0 <= share <= 1 for shares in splits.values() for share in shares.values())
    assert overlap["subject_inference"]["test"]["rows"] == 0 and overlap["subject_inference"]["test"]["names"] < 0.2


def test_unknown_names_of_a_variant_are_fresh(seven):
    names = {}
    for key, release in (("base", load_release(ROOT)), ("variant", load_release(seven))):
        rows = release.table(release.entry("unknown_names", "test"), ["name", "stratum"]).to_pylist()
        names[key] = {row["name"] for row in rows if row["stratum"] == "unknown"}
    assert len(names["variant"]) == len(names["base"]) and len(names["variant"] & names["base"]) < 10


def test_predictions_for_the_base_are_refused_with_a_hint(seven, tmp_path):
    base = load_release(ROOT)
    rows = base.table(base.entry("ambiguous_names", "lite")).to_pylist()
    path = releases.write_lines(tmp_path / "base.jsonl", releases.gold(rows))
    with pytest.raises(UserError, match="another release or variant.*seed 7"):
        pipeline.evaluate(path, load_release(seven))


def test_base_against_variant_lies_within_the_template_interval_for_spacy(seven, tmp_path):
    """The same detector on the release and on a fresh seed: no contamination, so no gap beyond the draw of rows."""
    from baselines import run
    from scoring.comparison import compare

    predictions = tmp_path / "variant.jsonl.gz"
    run.predict(load_release(seven), "spacy_md", "ambiguous_names", "lite", predictions)
    shipped = run.SHIPPED / "ambiguous_names.lite.spacy_md.jsonl.gz"
    _, records = compare(shipped, predictions, (load_release(ROOT), load_release(seven)), unpaired=True)
    averages = [r for r in records if r["group"] in ("ambiguous/average", "matched/average") and r["value"] is not None]
    assert {r["metric"] for r in averages} >= {"recall", "fdr", "ambiguity_effect"}
    for record in averages:
        assert record["p"] is None
        if record["metric"] not in ("always_found", "mixed"):
            assert record["low"] <= 0 <= record["high"], record


@pytest.mark.parametrize(("seed", "out", "message"), [(0, "x", "own"), (1, ROOT, "own folder")])
def test_what_is_no_variant_is_refused(seed, out, message, tmp_path):
    with pytest.raises(BuildError, match=message):
        variant(ROOT, tmp_path / out if out == "x" else out, seed)
