"""Orthographic neighbours: pairs of words exactly one edit apart, in linear time (AmBench appendix B.2)."""

from string import ascii_lowercase


def edits(word):
    """Every word one edit (insert, delete or substitute one letter a-z) from `word`, each once, never itself."""
    made = set()
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        rest = tail[1:]
        made.update([head + letter + tail for letter in ascii_lowercase])
        if tail:
            made.add(head + rest)
            made.update([head + letter + rest for letter in ascii_lowercase])
    made.discard(word)
    return made


def neighbours(words, others):
    """Which of `others` lie exactly one edit from each of `words`.

    Edits are generated from the smaller side and looked up in the larger, so that the cost grows with
    length × (len(words) + len(others)).

    Args:
        words, others: collections of folded words.

    Returns:
        dict from word to the sorted list of its neighbours; words without any are absent.
    """
    words, others = set(words), set(others)
    found = {}
    if len(words) <= len(others):
        for word in words:
            near = edits(word) & others
            if near:
                found[word] = sorted(near)
        return found
    for other in sorted(others):
        for word in edits(other) & words:
            found.setdefault(word, []).append(other)
    return found


def describe_edit(source, target):
    """The one edit that leads from `source` to `target`, such as "substitute a>o at 2" (positions from 0).

    Raises ValueError when they are not exactly one edit apart.
    """
    at = 0
    while at < min(len(source), len(target)) and source[at] == target[at]:
        at += 1
    if len(source) == len(target) and source != target and source[at + 1 :] == target[at + 1 :]:
        return f"substitute {source[at]}>{target[at]} at {at}"
    if len(source) + 1 == len(target) and source[at:] == target[at + 1 :]:
        return f"insert {target[at]} at {at}"
    if len(source) == len(target) + 1 and source[at + 1 :] == target[at:]:
        return f"delete {source[at]} at {at}"
    raise ValueError(f"{source!r} and {target!r} are not one edit apart")
