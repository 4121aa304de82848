"""Measures and the records made of them: ratios over rows, averages over groups, differences of groups.

A measure is a small tree: Ratio at the leaves, Average and Difference above. One walk over it, `combine`,
gives its value, its bootstrap draws, or its draws with templates resampled, depending on what is asked of the
leaves. Comparison walks two trees of one shape.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from scoring.intervals import Clusters, bounds, compact, wilson

DIGITS = 6
ONE_CLUSTER = "a single cluster: no interval"


@dataclass(frozen=True, eq=False)
class Ratio:
    """Σ numerators / Σ denominators over rows.

    Attributes:
        numerators, denominators: arrays of shape (rows,).
        clusters: intervals.Clusters over the same rows.
        templates: Clusters of the rows' templates, or None where templates are not resampled.
        empty: the reason given when the denominators sum to 0.
        per_name: whether it counts names by what their templates say together, so that it hangs on the dealing.
        independent: whether every row is an item of its own, so that a share of whole rows has Wilson's interval.
        counted: how many units it stands on, where that is not the denominators' sum.
    """

    numerators: np.ndarray
    denominators: np.ndarray
    clusters: Clusters
    templates: Clusters | None = None
    empty: str = "no unit to count"
    per_name: bool = False
    independent: bool = False
    counted: int | None = None

    @property
    def is_share(self):
        """Whether it is a share of independent rows that each count 0 or 1."""
        counted = self.denominators == 1
        return self.independent and bool(np.isin(self.numerators[counted], (0, 1)).all())


@dataclass(frozen=True, eq=False)
class Average:
    """Unweighted mean of the parts that have a value."""

    parts: tuple


@dataclass(frozen=True, eq=False)
class Difference:
    """first - second."""

    first: object
    second: object


def combine(measure, leaf):
    """An array of shape (draws,) for a measure; `leaf` gives that of a Ratio, with NaN for no value."""
    if isinstance(measure, Ratio):
        return leaf(measure)
    if isinstance(measure, Difference):
        return combine(measure.first, leaf) - combine(measure.second, leaf)
    return _mean([combine(part, leaf) for part in measure.parts])


def _mean(arrays):
    """Mean over the arrays, draw by draw, of those that are not NaN."""
    stacked = np.array(arrays)
    known = ~np.isnan(stacked)
    counts = known.sum(axis=0)
    sums = np.where(known, stacked, 0).sum(axis=0)
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def quotient(top, bottom):
    """top / bottom, NaN where bottom is 0."""
    top, bottom = np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)
    return np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)


def value(measure):
    """The measure's value, or None where nothing can be computed."""
    found = combine(measure, lambda ratio: quotient([ratio.numerators.sum()], [ratio.denominators.sum()]))[0]
    return None if np.isnan(found) else float(found)


def draws(measure):
    """Bootstrap draws over clusters, shape (RESAMPLES,)."""
    return combine(measure, _cluster_draws)


@lru_cache(maxsize=4096)
def _cluster_draws(ratio):
    return quotient(ratio.clusters.drawn(ratio.numerators), ratio.clusters.drawn(ratio.denominators))


def template_draws(measure):
    """Bootstrap draws over clusters and templates at once, shape (RESAMPLES,); None where a leaf has no templates."""
    if any(ratio.templates is None for ratio in leaves(measure)):
        return None
    return combine(measure, _crossed_draws)


@lru_cache(maxsize=4096)
def _crossed_draws(ratio):
    """Each resample weighs a row by its cluster's and its template's weight."""
    return quotient(_crossed(ratio, ratio.numerators), _crossed(ratio, ratio.denominators))


def _crossed(ratio, values):
    clusters, templates = ratio.clusters, ratio.templates
    cells = clusters.codes.astype(np.int64) * templates.size + templates.codes
    table = compact(np.bincount(cells, weights=values, minlength=clusters.size * templates.size))
    by_template = clusters.weights @ table.reshape(clusters.size, templates.size)
    return (by_template * templates.weights).sum(axis=1)


def leaves(measure):
    """The Ratios of a measure, as a list."""
    if isinstance(measure, Ratio):
        return [measure]
    if isinstance(measure, Difference):
        return leaves(measure.first) + leaves(measure.second)
    return [leaf for part in measure.parts for leaf in leaves(part)]


def size(measure):
    """How many units the value stands on: the denominators' sum, of an average's parts together, of a first."""
    if isinstance(measure, Ratio):
        return int(measure.denominators.sum()) if measure.counted is None else measure.counted
    if isinstance(measure, Difference):
        return size(measure.first)
    return sum(size(part) for part in measure.parts if value(part) is not None)


def reason(measure):
    """Why a measure has no value."""
    if isinstance(measure, Ratio):
        return measure.empty
    if isinstance(measure, Difference):
        lacking = measure.first if value(measure.first) is None else measure.second
        return f"one side has no value: {reason(lacking)}"
    return "no group has a value"


def record(metric, group, measure, *, with_templates=False, **more):
    """One flat record of a report: metric, group, value, low, high, n, and what else applies.

    `with_templates` adds the wider interval that resamples templates as well, where the measure has them.
    """
    found = value(measure)
    if found is None:
        return plain_record(metric, group, None, size(measure), reason=reason(measure), **more)
    if any(leaf.clusters.size < 2 for leaf in leaves(measure)):
        return plain_record(metric, group, found, size(measure), reason=ONE_CLUSTER, **more)
    low, high = interval(measure)
    crossed = template_draws(measure) if with_templates else None
    if crossed is not None:
        ends = bounds(crossed)
        more |= {"interval_templates_low": rounded(ends[0]), "interval_templates_high": rounded(ends[1])}
    return plain_record(metric, group, found, size(measure), low, high, **more)


def interval(measure):
    """(low, high): Wilson's for a share of independent rows, else the bootstrap's percentiles (METRICS §9)."""
    if isinstance(measure, Ratio) and measure.is_share:
        return wilson(float(measure.numerators.sum()), size(measure))
    return bounds(draws(measure))


def plain_record(metric, group, found, n, low=None, high=None, **more):
    """A record of numbers that are already there."""
    made = {"metric": metric, "group": group, "value": rounded(found), "low": rounded(low), "high": rounded(high)}
    return made | {"n": n} | more


def rounded(number):
    """A number as reports store it: six digits, no negative zero; None stays None."""
    return None if number is None else round(float(number), DIGITS) + 0.0
