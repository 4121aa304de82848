"""Several predictions for one row: a key is a row's id, or the id and the number of a replicate.

Configs without replicates have plain ids as keys; nothing else of the project builds or parts a key.
"""

MARK = "#"


def key_of(row_id, replicate=None):
    """The key of a prediction; replicate None is the only one of its row."""
    return row_id if replicate is None else f"{row_id}{MARK}{replicate}"


def row_of(key):
    """The row's id in a key."""
    return key.rpartition(MARK)[0] or key


def by_row(keys):
    """{row id: {replicate number as text, "" for none: key}}, in the order of the replicates' numbers."""
    found = {}
    for key in sorted(keys, key=lambda key: (len(key), key)):
        row_id = row_of(key)
        found.setdefault(row_id, {})[key[len(row_id) + len(MARK) :]] = key
    return found
