"""Tokens per character: into how many pieces tokenisers cut a name (PUN §6.3, A.9); the median over those at hand."""

from statistics import median

from build import lexicons

LONGEST = 100
PIECES = r" ?\p{L}+|\s+"


class Tokenizers:
    """The tokenisers of the lexicon: byte-pair ones through tiktoken, word pieces through tokenizers.

    Args:
        vocabularies: {name: {token as bytes: rank}}.
    """

    def __init__(self, vocabularies):
        self.names = sorted(vocabularies)
        self._count = [_counter(name, vocabularies[name]) for name in self.names]

    @classmethod
    def load(cls, root):
        """From the lexicon below `root`."""
        found = {}
        for row in lexicons.rows(root, "tokenizers"):
            found.setdefault(row["tokenizer"], {})[row["token"].encode("latin-1")] = row["rank"]
        return cls(found)

    def per_character(self, name):
        """Median over the tokenisers of pieces / characters, rounded to 4 places."""
        return round(median(count(name) for count in self._count) / len(name), 4)


def _counter(name, vocabulary):
    return _wordpiece(vocabulary) if b"[UNK]" in vocabulary else _byte_pairs(name, vocabulary)


def _byte_pairs(name, vocabulary):
    import tiktoken

    encoding = tiktoken.Encoding(name, pat_str=PIECES, mergeable_ranks=vocabulary, special_tokens={})
    return lambda text: len(encoding.encode_ordinary(text))


def _wordpiece(vocabulary):
    """A word piece model as BERT uses it, on lower-cased words without their marks."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    ranks = {token.decode("utf-8"): rank for token, rank in vocabulary.items()}
    made = Tokenizer(models.WordPiece(ranks, unk_token="[UNK]", max_input_chars_per_word=LONGEST))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return lambda text: len(made.encode(text).tokens)
