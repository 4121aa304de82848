"""Tokens per character: into how many pieces tokenisers cut a name (PUN §6.3, A.9); the median over those at hand."""

import json
from functools import cache
from pathlib import Path
from statistics import median

from build import lexicons

PATTERNS = Path(__file__).parent / "pretokenizers.json"
LONGEST = 100
UNKNOWN = "[UNK]"


@cache
def patterns():
    """{name: pattern that splits text before byte pairs are merged}."""
    return json.loads(PATTERNS.read_text(encoding="utf-8"))["patterns"]


class Tokenizers:
    """The tokenisers of the lexicon: byte-pair ones through tiktoken, word pieces through tokenizers.

    Args:
        vocabularies: {name: {token as bytes: rank}}; byte-pair ones are those that have a pattern.
    """

    def __init__(self, vocabularies):
        self.names = sorted(vocabularies)
        self._count = {name: _counter(name, vocabularies[name]) for name in self.names}

    @classmethod
    def load(cls, root):
        """From the lexicon below `root`."""
        found = {}
        for row in lexicons.rows(root, "tokenizers"):
            found.setdefault(row["tokenizer"], {})[row["token"].encode("latin-1")] = row["rank"]
        return cls(found)

    def counts(self, text):
        """{name of the tokeniser: into how many pieces it cuts a text}."""
        return {name: count(text) for name, count in self._count.items()}

    def per_character(self, name):
        """Median over the tokenisers of pieces / characters, rounded to 4 places."""
        return round(median(self.counts(name).values()) / len(name), 4)


def _counter(name, vocabulary):
    return _byte_pairs(name, vocabulary) if name in patterns() else _wordpiece(vocabulary)


def _byte_pairs(name, vocabulary):
    import tiktoken

    made = tiktoken.Encoding(name, pat_str=patterns()[name], mergeable_ranks=vocabulary, special_tokens={})
    return lambda text: len(made.encode_ordinary(text))


def _wordpiece(vocabulary):
    """A word piece model as BERT uses it, on lower-cased words without their marks."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    ranks = {token.decode("utf-8"): rank for token, rank in vocabulary.items()}
    made = Tokenizer(models.WordPiece(ranks, unk_token=UNKNOWN, max_input_chars_per_word=LONGEST))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return lambda text: len(made.encode(text).tokens)
