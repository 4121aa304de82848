"""Documents of several shards become one split: no two persons of a release bear the same name."""

from collections import defaultdict
from dataclasses import dataclass

from build.errors import BuildError
from build.subjects.schema import NAME


@dataclass(frozen=True)
class Item:
    """A document that a shard wrote.

    Attributes:
        key: (whether it is a spare one, domain, number), unique among all shards.
        kind: (domain, number of subjects, whether two cannot be told apart).
        names: (given name, surname) of its persons.
        row: its row.
    """

    key: tuple
    kind: tuple
    names: list
    row: dict


def kept(items):
    """The rows of a split, in the order of their keys.

    A document of which a name was taken by a lower key is left out, and a spare one of its kind stands in.

    Raises:
        BuildError: when no spare document is left for one that was left out.
    """
    taken, wanted, rows = set(), defaultdict(int), []
    for item in sorted(items, key=lambda item: item.key):
        spare = item.key[0]
        if spare and not wanted[item.kind]:
            continue
        names = set(item.names)
        if names & taken:
            wanted[item.kind] += not spare
            continue
        wanted[item.kind] -= spare
        taken |= names
        rows.append(item.row)
    lacking = {kind: count for kind, count in wanted.items() if count}
    if lacking:
        raise BuildError(_message(lacking, len(rows)))
    return rows


def _message(lacking, reached):
    kinds = ", ".join(f"{count} of {'/'.join(map(str, kind))}" for kind, count in sorted(lacking.items()))
    return (
        f"{NAME}: too many persons of different shards share a name: {reached} documents are left, and spare ones are "
        f"lacking ({kinds}); take fewer shards or a smaller --scale"
    )
