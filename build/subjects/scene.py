"""What is known while a document is written: who is in it, who has been named, what has been told."""

import datetime
from collections import defaultdict
from dataclasses import dataclass, field

from build import draws
from build.subjects.geography import City
from build.subjects.numbers import long_date, spelled
from build.subjects.text import Entity
from build.subjects.world import Person

COUNTS = (3, 9)
SHORT_DATE_PERCENT = 55


@dataclass(frozen=True)
class Told:
    """A fact that a sentence told: its kind, the subject, and `via`, the other person whose fact it rests on."""

    subject_id: str
    kind: str
    value: str
    via: str = ""


@dataclass
class Scene:
    """The state of one document. `values` are its own dates and numbers, text by slot."""

    domain: str
    split: str
    seed: int
    date: datetime.date
    stream: draws.Stream
    persons: dict = field(default_factory=dict)
    poster: str = ""
    court_city: City | None = None
    values: dict = field(default_factory=dict)
    introduced: set = field(default_factory=set)
    focus: str = ""
    named: tuple = ()
    start: tuple = ()
    used: set = field(default_factory=set)
    dated: set = field(default_factory=set)
    told: list = field(default_factory=list)
    forms: dict = field(default_factory=lambda: defaultdict(set))

    def add(self, person: Person):
        """Put a person into the document. Returns the person."""
        self.persons[person.key] = person
        return person

    def others(self, key):
        """The other persons, in order."""
        return [person for person in self.persons.values() if person.key != key]

    def kept(self):
        """What a sentence that is not taken after all has to give back to `restore`."""
        return set(self.introduced), {key: set(forms) for key, forms in self.forms.items()}

    def restore(self, kept):
        """Forget the names that were used since."""
        self.introduced = kept[0]
        self.forms.clear()
        self.forms.update(kept[1])

    def new_paragraph(self):
        """Forget whom the last sentence was about, so that no pronoun reaches back."""
        self.focus, self.named = "", ()

    def value(self, slot, noun=""):
        """(text, Entity or None) of a slot of the document itself; a count stays the same beside the same noun."""
        key = f"count {noun}" if slot == "count" else slot
        if key not in self.values and slot == "count":
            low, high = COUNTS
            self.values[key] = spelled(low + self.stream.below(high - low + 1))
        text = self.values[key]
        if isinstance(text, datetime.date):
            text = self._date(text)
        kind = _VALUE_TYPES.get(slot, "DATETIME")
        return text, Entity(kind, "DIRECT" if slot == "case_no" else "QUASI", f"{key}", "")

    def _date(self, date):
        """A date in full the first time, and now and then without the year after that."""
        short = date in self.dated and self.stream.below(100) < SHORT_DATE_PERCENT
        self.dated.add(date)
        text = long_date(date)
        return text.rpartition(" ")[0] if short else text


_VALUE_TYPES = {"count": "QUANTITY", "days": "QUANTITY", "months": "QUANTITY", "case_no": "CODE", "court": "ORG"}
