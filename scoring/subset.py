"""A part of a split's rows as a release of its own, for runs that were limited to some of them."""

import hashlib
from dataclasses import dataclass

from scoring.configs import BY_NAME
from scoring.errors import UserError
from scoring.truth import Release

PAIR = "pair_id"


class NothingToScore(UserError):
    """None of the rows asked for can be scored."""


@dataclass(frozen=True)
class Subset(Release):
    """A release of which only some rows of one config count; its manifest is the whole one's.

    Attributes:
        whole: the Release.
        ids: frozenset of the ids of its rows.
        subset: what a report tells of it: {"rows", "of", "ids_sha256"}.
    """

    whole: Release
    ids: frozenset
    subset: dict

    def table(self, entry, columns=None):
        """The Arrow table of one split without the rows outside the subset, in the split's order."""
        import pyarrow as pa

        found = self.whole.table(entry, columns if columns is None else list(dict.fromkeys([*columns, "id"])))
        kept = found.filter(pa.array([row_id in self.ids for row_id in found.column("id").to_pylist()], pa.bool_()))
        return kept if columns is None else kept.select(list(columns))


def subset_of(release, entry, ids):
    """The Subset of a split's rows, or the release itself when they are the whole split.

    Of rows that stand in pairs only whole pairs are kept: every number of theirs is of a pair.

    Args:
        release: truth.Release.
        entry: the split's entry in its manifest.
        ids: ids of the rows.

    Raises:
        UserError: when an id is of another split, NothingToScore when no row is left.
    """
    paired = PAIR in BY_NAME[entry["config"]].COLUMNS
    rows = release.table(entry, ["id", PAIR] if paired else ["id"]).to_pylist()
    strange = sorted(set(ids) - {row["id"] for row in rows})
    if strange:
        raise UserError(f"{entry['config']}/{entry['split']}: no row {strange[0]!r}")
    broken = {row[PAIR] for row in rows if row["id"] not in ids} if paired else set()
    kept = sorted(row["id"] for row in rows if row["id"] in ids and row.get(PAIR) not in broken)
    if not kept:
        raise NothingToScore(
            f"{entry['config']}/{entry['split']}: no {'whole pair' if paired else 'row'} is left to score"
        )
    if len(kept) == len(rows):
        return release
    digest = hashlib.sha256("".join(f"{row_id}\n" for row_id in kept).encode()).hexdigest()
    told = {"rows": len(kept), "of": len(rows), "ids_sha256": digest}
    return Subset(release.folder, release.manifest, release, frozenset(kept), told)
