"""The attested-person index: hashes of the full names of persons with an article in the English Wikipedia."""

from build.person_index import index_hash
from build.sources.fetch import plain_pickle
from build.sources.names import title_words


def collect(packages):
    """Rows of the lexicon `person_index` (one a distinct hash), and how many titles were left out, by reason."""
    hashes, left_out = set(), {"not two words": 0}
    for title in plain_pickle(packages["name2nat"].path("name2nat", "name2nats.pkl").read_bytes()):
        words = title_words(title)
        if len(words) == 2:
            hashes.add(index_hash(*words))
        else:
            left_out["not two words"] += 1
    return [{"hash": value} for value in hashes], left_out | {"kept": len(hashes)}
