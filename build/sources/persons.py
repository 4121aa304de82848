"""The attested-person index: hashes of the full names of persons with an article in the English Wikipedia."""

from build.fold import fold
from build.person_index import index_hash, word_hash
from build.sources.fetch import plain_pickle
from build.sources.names import title_words


def collect(packages):
    """Rows of the lexicons `person_index` and `person_words` (one a distinct hash), and titles left out, by reason."""
    hashes, words_seen, left_out = set(), set(), {"not two words": 0}
    for title in plain_pickle(packages["name2nat"].path("name2nat", "name2nats.pkl").read_bytes()):
        words = title_words(title)
        if len(words) == 2:
            hashes.add(index_hash(*words))
            words_seen.update(word_hash(word) for word in words)
        else:
            left_out["not two words"] += 1
    rows = [[{"hash": value} for value in found] for found in (hashes, words_seen)]
    return *rows, left_out | {"kept": len(hashes)}


def source_pairs(packages, parts):
    """Rows of the lexicon `source_pairs`: any two components in one person's name of three or more words.

    Names of two words are in `person_index`; with these no source person of a candidate's parts bears both unseen.

    Args:
        parts: the folded words of every component that a candidate can have.
    """
    hashes = set()
    for title in plain_pickle(packages["name2nat"].path("name2nat", "name2nats.pkl").read_bytes()):
        words = title_words(title)
        if len(words) > 2:
            found = sorted({fold(word) for word in words} & parts)
            hashes.update(index_hash(one, other) for at, one in enumerate(found) for other in found[at + 1 :])
    return [{"hash": value} for value in hashes]
