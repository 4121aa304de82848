"""Recognition metrics of a group of rows that each hold one gold name (METRICS §2, §4).

Shared by the configs that ask whether a system recognises a name. A failed row (missing, unparsable,
refused) counts as METRICS §2 says, so that leaving rows out never improves a metric.
"""

from dataclasses import dataclass

import numpy as np

from scoring.entities import LABELS, Outcomes
from scoring.intervals import Clusters
from scoring.metrics import Ratio

RATES = {"recall": "found", "recall_paper": "found_paper", "exact_recall": "exact", "detected": "detected"}
DIRECTIONS = {"recall_paper": "higher", "exact_recall": "higher", "detected": "higher", "never_found": "lower"}
NO_PERSON = "no PERSON prediction"


@dataclass(frozen=True, eq=False)
class Cell:
    """Rows of one stratum (and type) with their outcomes.

    Attributes:
        outcomes: entities.Outcomes of its rows.
        failed: boolean array of shape (rows,).
        names: what a row's share over templates is taken by: codes, an array of shape (rows,).
        clusters: intervals.Clusters over the rows.
        templates: intervals.Clusters of the rows' templates.
    """

    outcomes: Outcomes
    failed: np.ndarray
    names: np.ndarray
    clusters: Clusters
    templates: Clusters

    @property
    def size(self):
        """Number of rows."""
        return len(self.failed)

    def flags(self, name, *, when_failed):
        """A 0/1 outcome, with the value that a failed row counts as."""
        return np.where(self.failed, bool(when_failed), self.outcomes[name] > 0)

    def among(self, mask):
        """The cell's rows where a mask is True, with the same clusters and templates and their draws."""
        clusters, templates = (found.over(found.codes[mask]) for found in (self.clusters, self.templates))
        return Cell(self.outcomes.among(mask), self.failed[mask], self.names[mask], clusters, templates)

    def ratio(self, numerators, denominators, **more):
        """A Ratio over the cell's rows."""
        return Ratio(numerators, denominators, self.clusters, self.templates, **more)

    def share(self, name, *, when_failed=0):
        """Share of the rows with an outcome."""
        return self.ratio(self.flags(name, when_failed=when_failed), ones(self.size))


def ones(size):
    """An array of ones that takes no memory."""
    return np.broadcast_to(np.float64(1), size)


def recall_metrics(cell):
    """recall, recall_paper, exact_recall and detected as measures by name."""
    return {metric: cell.share(outcome) for metric, outcome in RATES.items()}


def discovery_metrics(cell):
    """fdr (a failed row: as many false discoveries as its text has words) and over_span_rate."""
    outcomes, failed = cell.outcomes, cell.failed
    false = np.where(failed, outcomes["words"], outcomes["false_persons"])
    matching = np.where(failed, 0, outcomes["matching_persons"])
    over, persons = (np.where(failed, 0, outcomes[name]) for name in ("over_spans", "persons"))
    return {
        "fdr": cell.ratio(false, false + matching, empty=NO_PERSON),
        "over_span_rate": cell.ratio(over, persons, empty=NO_PERSON),
    }


def strings(truth, column):
    """A column of the truth as an array of strings (objects), shape (rows,)."""
    return np.array(truth.column(column).to_pylist(), dtype=object)


def cell_of(mask, outcomes, failed, units, clusters, templates, key):
    """The Cell of the rows where a mask is True.

    Args:
        mask, failed: boolean arrays over all rows.
        outcomes: entities.Outcomes of all rows.
        units: codes over all rows, in the order of the texts they stand for.
        clusters, templates: columns.Coded over all rows.
        key: (config, stratum, name type, salt), which keys the resampling; strata of a type share the
            draws of its templates.
    """
    config, stratum, name_type, salt = key
    return Cell(
        outcomes.among(mask),
        failed[mask],
        units[mask],
        Clusters.of(clusters[mask], config, stratum, name_type, salt),
        Clusters.of(templates[mask], config, "templates", name_type, salt),
    )


@dataclass(frozen=True, eq=False)
class Names:
    """The names of a cell: in how many of its rows each was found, and their clusters.

    Attributes:
        found, rows: arrays of shape (names,).
        failed: boolean array of shape (names,): some row of the name failed.
        first_row: index in the cell of a row of each name.
        clusters: the cell's clusters, over names.
    """

    found: np.ndarray
    rows: np.ndarray
    failed: np.ndarray
    first_row: np.ndarray
    clusters: Clusters

    @classmethod
    def of(cls, cell):
        """The names of a cell, in the order of their sorted texts."""
        _, first_row, of_row = np.unique(cell.names, return_index=True, return_inverse=True)
        found = np.bincount(of_row, weights=cell.flags("found", when_failed=False))
        failed = np.bincount(of_row, weights=cell.failed) > 0
        return cls(found, np.bincount(of_row), failed, first_row, cell.clusters.over(cell.clusters.codes[first_row]))

    @property
    def shares(self):
        """Share of each name's rows in which it was found."""
        return self.found / self.rows

    def share(self, mask):
        """Share of the names where a mask is True, as a measure."""
        return Ratio(mask.astype(np.float64), np.ones(len(mask)), self.clusters, per_name=True)


def consistency_metrics(cell):
    """always_found, never_found and mixed: shares of names over their templates.

    A name with a failed row is not always found, and it counts as mixed, the worst it may be.
    """
    names = Names.of(cell)
    always = (names.found == names.rows) & ~names.failed
    never = names.found == 0
    mixed = (~always & ~never) | names.failed
    return {
        metric: names.share(m) for metric, m in (("always_found", always), ("never_found", never), ("mixed", mixed))
    }


def predicted_metrics(cell, labels=LABELS):
    """predicted_<label> for each label and predicted_missed: shares of rows; a failed row is missed."""
    made = {f"predicted_{label.casefold()}": cell.share(f"found_{label.casefold()}") for label in labels}
    some = np.zeros(cell.size, dtype=bool)
    for label in labels:
        some |= cell.outcomes[f"found_{label.casefold()}"] > 0
    made["predicted_missed"] = cell.ratio(cell.failed | ~some, ones(cell.size))
    return made


def false_person_rate(cell):
    """Share of rows with at least one PERSON prediction; a failed row counts as one."""
    return cell.share("persons", when_failed=1)


def table(records, groups, columns):
    """A table for the screen: a header, then per group its name and its records of the columns (or None)."""
    by_group = {}
    for made in records:
        by_group.setdefault(made["group"], {})[made["metric"]] = made
    present = [group for group in groups if group in by_group]
    return [("group", *columns)] + [(group, *map(by_group[group].get, columns)) for group in present]
