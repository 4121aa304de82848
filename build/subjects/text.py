"""Text that grows by pieces, with marks: whom a stretch names and which fact it reveals."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Entity:
    """A stretch that names somebody or helps to find out who it is (TAB: type and identifier type)."""

    entity_type: str
    identifier_type: str
    entity_id: str
    subject_id: str


@dataclass(frozen=True)
class Evidence:
    """A stretch that reveals a fact of a subject; `kind` is a key of fact_kinds.json."""

    subject_id: str
    kind: str


class Text:
    """Pieces and marks; a mark is (start, end, Entity or Evidence), in code points."""

    def __init__(self):
        self._pieces = []
        self.length = 0
        self.marks = []

    def __str__(self):
        return "".join(self._pieces)

    def add(self, piece, *marks):
        """Append a piece; each mark covers all of it. Returns self."""
        start = self.length
        self._pieces.append(piece)
        self.length += len(piece)
        self.marks += [(start, self.length, mark) for mark in marks]
        return self

    def append(self, other):
        """Append another Text with its marks. Returns self."""
        start = self.length
        self._pieces.append(str(other))
        self.length += other.length
        self.marks += [(start + begin, start + end, mark) for begin, end, mark in other.marks]
        return self

    def mark_from(self, start, mark):
        """Mark everything from `start` to the present end."""
        self.marks.append((start, self.length, mark))

    def capitalised(self):
        """The same text with its first letter large (one code point stays one)."""
        return self._with_first(str.upper)

    def lowered(self):
        """The same text with its first letter small."""
        return self._with_first(str.lower)

    def ended(self, mark):
        """The same text with another last character; no entity or evidence may end there."""
        made = Text().add(str(self)[:-1] + mark)
        made.marks = list(self.marks)
        return made

    def _with_first(self, change):
        made, text = Text(), str(self)
        first = change(text[:1])
        made.add(first + text[1:] if len(first) == 1 else text)
        made.marks = list(self.marks)
        return made


def joined(texts, between):
    """Texts one after the other with a plain string between."""
    made = Text()
    for place, text in enumerate(texts):
        if place:
            made.add(between)
        made.append(text)
    return made
