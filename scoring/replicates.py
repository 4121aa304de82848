"""Several predictions for one row: a key is a row's id, or the id and the number of a replicate.

Configs without replicates have plain ids as keys. A key with a replicate is a pair, not a text, so that no id that a
file may hold can be taken for one.
"""


def key_of(row_id, replicate=None):
    """The key of a prediction; replicate None is the only one of its row."""
    return row_id if replicate is None else (row_id, replicate)


def row_of(key):
    """The row's id in a key."""
    return key if isinstance(key, str) else key[0]


def replicate_of(key):
    """The number of the replicate in a key, None where there is none."""
    return None if isinstance(key, str) else key[1]


def by_row(keys):
    """{row id: {replicate number or None: key}}; numbers in order, None first."""
    found = {}
    for key in sorted(keys, key=_place):
        found.setdefault(row_of(key), {})[replicate_of(key)] = key
    return found


def _place(key):
    number = replicate_of(key)
    return row_of(key), -1 if number is None else number
