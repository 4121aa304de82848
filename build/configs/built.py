"""What every config's builder returns, and how the rows of shards become those of a split."""

from dataclasses import dataclass
from itertools import chain, islice


@dataclass(frozen=True)
class Built:
    """`splits` maps a split's name to its rows (dicts; a list, or Joined); `report` goes to the manifest as it is."""

    splits: dict
    report: dict


class Joined:
    """The rows of several shards, one shard's after the other's, read anew in each iteration."""

    def __init__(self, parts, key):
        self._parts, self._key = parts, key

    def __iter__(self):
        return chain.from_iterable(part[self._key] for part in self._parts)


def joined(parts, key):
    """The lists under a key of all parts: the list itself where there is one part, else Joined."""
    return parts[0][key] if len(parts) == 1 else Joined(parts, key)


def of_shard(items, number, of):
    """Every `of`-th of the items, from the item `number` on."""
    return islice(items, number, None, of)
