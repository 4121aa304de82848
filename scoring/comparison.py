"""Comparing two submissions (METRICS §9): differences of every headline metric, paired or not."""

from dataclasses import dataclass

import numpy as np

from scoring import entities, pipeline
from scoring.configs import BY_NAME
from scoring.coverage import cover
from scoring.errors import UserError
from scoring.intervals import bounds
from scoring.metrics import Difference, Ratio, draws, leaves, plain_record, quotient, size, template_draws, value
from scoring.statistics import holm
from scoring.submission import read_submission

UNPAIRED = "unpaired: read the interval, which resamples templates as well where the config has them"
NO_INTERVAL = "unpaired: no interval over templates for shares of names"
CLOSE = 1e-12


@dataclass(frozen=True)
class Side:
    """One submission as measures by group and metric."""

    submission: object
    measures: dict


def compare(first, second, releases, *, split=None, missing="error", label_map=None, options=None, unpaired=False):
    """Records of first - second for every headline metric.

    Args:
        first, second: predictions files.
        releases: (release of the first, release of the second); the same one for a paired comparison.
        split, missing, label_map, options: as for pipeline.evaluate.
        unpaired: the two were made for different rows, such as a release and its variant; intervals
            resample templates as well, and there is no p-value.

    Returns:
        Both Submissions and the list of records. Paired records have `p` by cluster sign-flip and
        `p_holm` over all of them; two equal submissions give 0 and p = 1.

    Raises:
        UserError: when the files are of different configs, or paired but of different splits.
    """
    salts = ("", "unpaired") if unpaired else ("", "")
    sides = [
        _side(path, release, split, missing, label_map, options, salt)
        for path, release, salt in zip((first, second), releases, salts, strict=True)
    ]
    config, other = (side.submission.config for side in sides)
    if config != other:
        raise UserError(f"{first} is of {config}, {second} of {other}: only one config is compared")
    splits = [side.submission.entry["content_sha256"] for side in sides]
    if not unpaired and splits[0] != splits[1]:
        raise UserError(f"{first} and {second} answer different splits; name one with --split, or compare --unpaired")
    records = _records(sides, _compared(BY_NAME[config], sides), unpaired)
    if not records:
        raise UserError(f"{first} and {second} have no metric in common: they answer in different fields")
    return [side.submission for side in sides], (records if unpaired else holm(records))


def _side(path, release, split, missing, label_map, options, salt):
    submission = read_submission(path, release, split=split)
    module = BY_NAME[submission.config]
    _, failed = cover(submission, module.is_empty, missing=missing)
    labels = entities.Labels(label_map)
    answers, more, _ = pipeline.prepared(module, submission, pipeline.chosen_options(module, options), release)
    return Side(submission, module.measures(submission.truth, answers, failed, labels=labels, salt=salt, **more))


def _compared(module, sides):
    """The config's headline metrics; where the submissions' form has none of them, all that have a direction."""
    first, second = ({metric for metrics in side.measures.values() for metric in metrics} for side in sides)
    present = first & second
    return module.HEADLINE if present & module.HEADLINE.keys() else module.DIRECTIONS


def _records(sides, headline, unpaired):
    first, second = (side.measures for side in sides)
    made = []
    for group, metrics in first.items():
        for metric, measure in metrics.items():
            if metric in headline and metric in second.get(group, {}):
                make = _unpaired_record if unpaired else _paired_record
                made.append(make(metric, group, measure, second[group][metric]))
    return made


def _lacking(metric, group, measure):
    return plain_record(metric, group, None, size(measure), p=None, reason="one side has no value")


def _paired_record(metric, group, first, second):
    """The difference on the same rows; both sides are drawn with the same weights."""
    difference = Difference(first, second)
    found = value(difference)
    if found is None:
        return _lacking(metric, group, first)
    ends = bounds(draws(difference))
    return plain_record(metric, group, found, size(first), *ends, p=sign_flip(first, second, found))


def _unpaired_record(metric, group, first, second):
    """The difference between two sets of rows, with an interval over clusters, and templates where there are any.

    Shares of names (always_found, mixed) hang on which templates a name was dealt, and resampling templates
    would deal each name fewer; they get no interval.
    """
    difference = Difference(first, second)
    found = value(difference)
    if found is None:
        return _lacking(metric, group, first)
    if any(leaf.per_name for leaf in leaves(difference)):
        return plain_record(metric, group, found, size(first), p=None, reason=NO_INTERVAL)
    crossed = template_draws(difference)
    ends, why = bounds(draws(difference) if crossed is None else crossed), UNPAIRED
    return plain_record(metric, group, found, size(first), *ends, p=None, reason=why)


def sign_flip(first, second, found):
    """Two-sided p of a difference: how often it is as large when clusters are swapped between the systems at random.

    Args:
        first, second: measures of one shape over the same clusters.
        found: their difference.
    """
    swapped = np.abs(_swapped(first, second))
    swapped = swapped[~np.isnan(swapped)]
    return (1 + int((swapped >= abs(found) - CLOSE).sum())) / (1 + swapped.size)


def _swapped(first, second):
    sides = _swapped_sides(first, second)
    return sides[0] - sides[1]


def _swapped_sides(first, second):
    """(SWAPS,) values of both sides after each swap of clusters."""
    if isinstance(first, Ratio):
        return _swapped_ratios(first, second)
    if isinstance(first, Difference):
        left = _swapped_sides(first.first, second.first)
        right = _swapped_sides(first.second, second.second)
        return left[0] - right[0], left[1] - right[1]
    parts = [_swapped_sides(*pair) for pair in zip(first.parts, second.parts, strict=True)]
    return tuple(np.nanmean([part[side] for part in parts if _counts(part[side])], axis=0) for side in (0, 1))


def _counts(values):
    return not np.isnan(values).all()


def _swapped_ratios(first, second):
    swaps = first.clusters.swaps
    sides = ([], [])
    for kind in ("numerators", "denominators"):
        totals = [ratio.clusters.total(getattr(ratio, kind)) for ratio in (first, second)]
        moved = (swaps @ (totals[1] - totals[0])).astype(np.float64)
        sides[0].append(totals[0].sum() + moved)
        sides[1].append(totals[1].sum() - moved)
    return quotient(*sides[0]), quotient(*sides[1])
