"""Measures, intervals and comparison against hand-worked cases and other programs."""

from itertools import product

import numpy as np
import pytest
import scipy.stats

from scoring import detail, intervals, metrics
from scoring.comparison import compare, sign_flip
from scoring.errors import UserError
from scoring.intervals import Clusters
from scoring.metrics import Average, Difference, Ratio
from scoring.statistics import holm
from scoring.truth import load_release
from tests import releases


def ratio(top, bottom, clusters=None, templates=None):
    top, bottom = np.array(top, float), np.array(bottom, float)
    names = [str(n) for n in (clusters or range(len(top)))]
    crossed = templates and Clusters.of(templates, "t")
    return Ratio(top, bottom, Clusters.of(names, "k"), crossed)


HALF, NONE = ratio([1, 0, 1, 0], [1, 1, 1, 1]), ratio([0, 0], [0, 0])


@pytest.mark.parametrize(
    ("measure", "value", "size"),
    [
        (HALF, 0.5, 4),
        (NONE, None, 0),
        (Average((HALF, ratio([1], [1]))), 0.75, 5),
        (Average((HALF, NONE)), 0.5, 4),
        (Average((NONE,)), None, 0),
        (Difference(HALF, ratio([1, 1], [1, 1])), -0.5, 4),
        (Difference(HALF, NONE), None, 4),
        (Average((Difference(HALF, HALF), HALF)), 0.25, 8),
    ],
)
def test_values(measure, value, size):
    assert metrics.value(measure) == value
    record = metrics.record("m", "g", measure)
    assert (record["value"], record["n"]) == (value, size)
    assert (None in (record["value"], record["low"])) == ("reason" in record)


def test_a_single_cluster_has_no_interval():
    record = metrics.record("m", "g", ratio([1, 0, 1], [1, 1, 1], clusters=["a"] * 3))
    assert (record["value"], record["low"], record["high"]) == (pytest.approx(2 / 3, abs=1e-6), None, None)
    assert "single cluster" in record["reason"]


def test_bootstrap_of_independent_rows_has_the_binomial_s_spread():
    """Against the standard error of a share, sqrt(p q / n)."""
    measure = ratio([1] * 120 + [0] * 80, [1] * 200)
    assert metrics.draws(measure).std() == pytest.approx(np.sqrt(0.6 * 0.4 / 200), rel=0.1)


def test_clusters_widen_the_interval():
    """Twenty clusters of ten equal rows are as good as twenty rows."""
    values = [1] * 120 + [0] * 80
    clusters = [n // 10 for n in range(200)]
    assert metrics.draws(ratio(values, [1] * 200, clusters)).std() == pytest.approx(np.sqrt(0.24 / 20), rel=0.15)


def test_templates_widen_the_interval_further():
    values = [int(n % 5 < 3) for n in range(500)]
    measure = ratio(values, [1] * 500, templates=[str(n % 5) for n in range(500)])
    assert metrics.template_draws(measure).std() > 3 * metrics.draws(measure).std()
    record = metrics.record("m", "g", measure, with_templates=True)
    assert record["interval_templates_low"] < record["low"] < record["high"] < record["interval_templates_high"]


def test_bounds_are_order_statistics_and_leave_nan_out():
    values = np.arange(1000, dtype=float)
    assert intervals.bounds(values) == (24, 975)
    assert intervals.bounds(np.concatenate([values, [np.nan] * 50])) == (24, 975)
    assert intervals.bounds(np.array([np.nan])) == (None, None)


@pytest.mark.parametrize(("successes", "n"), [(0, 10), (3, 10), (10, 10), (57, 200)])
def test_wilson_agrees_with_scipy(successes, n):
    expected = scipy.stats.binomtest(successes, n).proportion_ci(method="wilson")
    assert intervals.wilson(successes, n) == pytest.approx((expected.low, expected.high))


def test_wilson_of_nothing():
    assert intervals.wilson(0, 0) == (None, None)


@pytest.mark.parametrize("seed", range(5))
def test_spearman_agrees_with_scipy(seed):
    source = np.random.RandomState(seed)
    first, second = source.randint(0, 9, 60), source.randint(0, 6, 60) / 5
    assert detail.spearman(first, second) == pytest.approx(scipy.stats.spearmanr(first, second).statistic)
    assert list(detail.mean_ranks(first)) == list(scipy.stats.rankdata(first))


@pytest.mark.parametrize(("first", "second"), [([1, 2, 3], [1, 2, 3]), ([1, 1, 1, 1], [1, 2, 3, 4]), ([], [])])
def test_spearman_of_too_little_is_none(first, second):
    assert detail.spearman(np.array(first), np.array(second)) is None


def test_sign_flip_agrees_with_all_swaps():
    """Ten clusters have 1,024 swaps: the exact p by enumeration."""
    top_a, top_b = [3, 2, 4, 1, 5, 3, 2, 4, 5, 3], [1, 2, 3, 1, 2, 3, 1, 4, 2, 2]
    bottom_a, bottom_b = [5] * 10, [4, 5, 6, 5, 5, 5, 4, 5, 5, 5]
    a, b = ratio(top_a, bottom_a), ratio(top_b, bottom_b)
    found = metrics.value(Difference(a, b))
    hits = 0
    for swap in product((0, 1), repeat=10):
        side = [[(y if s else x) for x, y, s in zip(p, q, swap, strict=True)] for p, q in
                ((top_a, top_b), (bottom_a, bottom_b), (top_b, top_a), (bottom_b, bottom_a))]  # fmt: skip
        hits += abs(sum(side[0]) / sum(side[1]) - sum(side[2]) / sum(side[3])) >= abs(found) - 1e-12
    assert sign_flip(a, b, found) == pytest.approx(hits / 1024, abs=0.01)


def test_holm_by_hand():
    records = [{"p": p} for p in (0.01, 0.04, 0.03, None)]
    assert [r["p_holm"] for r in holm(records)] == pytest.approx([0.03, 0.06, 0.06, None])


def test_a_system_against_itself(folder, rows, tmp_path):
    path = releases.write_lines(tmp_path / "p.jsonl", releases.gold(rows))
    release = load_release(folder)
    _, records = compare(path, path, (release, release), split="test")
    valued = [r for r in records if r["value"] is not None]
    assert valued
    assert {(r["value"], r["low"], r["high"], r["p"], r["p_holm"]) for r in valued} == {(0, 0, 0, 1, 1)}


def test_a_comparison_is_antisymmetric(folder, rows, tmp_path):
    release = load_release(folder)
    gold = releases.gold(rows)
    half = [{"id": p["id"], "entities": p["entities"] if n % 2 else []} for n, p in enumerate(gold)]
    paths = [releases.write_lines(tmp_path / f"{n}.jsonl", p) for n, p in enumerate((gold, half))]
    _, there = compare(*paths, (release, release), split="test")
    _, back = compare(*paths[::-1], (release, release), split="test")
    for one, other in zip(there, back, strict=True):
        if one["value"] is not None:
            assert one["value"] == -other["value"]
            assert one["p"] == other["p"]
    assert any(r["value"] > 0 for r in there if r["metric"] == "recall")


def test_different_splits_are_refused(folder, rows, tmp_path):
    release = load_release(folder)
    lite = [p for p, r in zip(releases.gold(rows), rows, strict=True) if r["name"] in ("Kenye", "Adomite")]
    paths = [releases.write_lines(tmp_path / f"{n}.jsonl", p) for n, p in enumerate((releases.gold(rows), lite))]
    with pytest.raises(UserError, match="different splits"):
        compare(*paths, (release, release))
