"""Which mentions are one person: names by tokens, roles and relatives by words, pronouns by what is near."""

import re
from dataclasses import dataclass, field

from baselines.adversary.lists import WORDS
from scoring.subjects.forms import norm

NEAR = re.compile(r"[\s,:;(\"“”'‘’–-]*(?:called |named |is |to be |as |in charge of the case, )?[\s,(\"“]*")
SEXES = {"M": "Male", "F": "Female"}


@dataclass(eq=False)
class Person:
    """One subject in the making: its names and words in the order met, votes for its sex, {tag: values}."""

    names: list = field(default_factory=list)
    words: list = field(default_factory=list)
    handles: list = field(default_factory=list)
    sexes: dict = field(default_factory=dict)
    facts: dict = field(default_factory=dict)
    author: bool = False

    def say(self, tag, value):
        """Note a value of a tag, once."""
        listed = self.facts.setdefault(tag, [])
        if value and value not in listed:
            listed.append(value)

    def vote(self, sex, weight=1):
        """Note a cue for a sex, M or F."""
        if sex:
            self.sexes[sex] = self.sexes.get(sex, 0) + weight

    def sex(self):
        """The sex that most cues say, or ""."""
        return max(sorted(self.sexes), key=self.sexes.get) if self.sexes else ""


class People:
    """The persons of a text; `at` gives for each mention its person."""

    def __init__(self, text, mentions):
        self.text, self.mentions = text, mentions
        self.all, self.at, self.by_key = [], [], {}
        self.focus, self.before = None, None
        for place, mention in enumerate(mentions):
            person = self._of(place, mention)
            self.at.append(person)
            if person is not None and not person.author:
                self.focus = person
            self.before = mention

    def _of(self, place, mention):
        if mention.kind == "pronoun":
            return self._pronoun(mention)
        if mention.kind == "author":
            return self.author()
        if mention.kind == "plural":
            return self._several(mention)
        person = self._apposed(place, mention) or self._known(mention) or self._new(mention)
        self._learn(person, mention)
        return person

    def author(self):
        """The person who writes."""
        if "author" not in self.by_key:
            self.by_key["author"] = self._add(Person(author=True))
        return self.by_key["author"]

    def _add(self, person):
        self.all.append(person)
        return person

    def _pronoun(self, mention):
        sex = WORDS["pronouns"][mention.word.casefold()]
        fitting = [self.focus] if self.focus else []
        fitting += [person for person in reversed(self.at) if person is not None and not person.author]
        for person in fitting:
            if person.sex() in ("", sex):
                person.vote(sex)
                return person
        return None

    def _several(self, mention):
        """Two persons for a plural, "my two sons" or "her parents"; what is said of them is said of the first."""
        words = WORDS["plurals"][mention.word.casefold()]
        made = [self._add(Person()) for _ in range(2)]
        for place, person in enumerate(made):
            person.words.append(f"{mention.text} (number {place + 1})")
            person.vote(WORDS["kin"][words[place % len(words)]][0], 3)
        return made[0]

    def _apposed(self, place, mention):
        """The person just named, where this mention is another word for them: "my brother, Tom"."""
        if not place or self.before.kind in ("pronoun", "author"):
            return None
        start = mention.end - len(mention.text) if mention.kind == "kin" else mention.start
        between = self.text[self.before.end : start]
        kinds = {self.before.kind in NAMED, mention.kind in NAMED}
        if len(kinds) == 2 and NEAR.fullmatch(between) and not re.search(r"[.;]", between):
            person = self.at[place - 1]
            clash = mention.kind in NAMED and person.names and not _same(person.names, mention.name)
            return None if clash or person.author else person
        return None

    def _known(self, mention):
        if mention.kind == "handle":
            first = mention.start == 0 or self.text[mention.end : mention.end + 3].strip().startswith(":")
            return self.author() if first else self.by_key.get(("handle", mention.name.casefold()))
        if mention.kind == "header":
            return self.author()
        if mention.kind in ("kin", "role"):
            return self.by_key.get(self._word_key(mention))
        if mention.kind == "placeholder" or not mention.name:
            return self.by_key.get(mention.text) if re.search(r"\d", mention.text) else None
        fitting = [person for person in self.all if _same(person.names, mention.name)]
        sex = _title_sex(mention)
        fitting = [person for person in fitting if not sex or person.sex() in ("", sex)]
        return fitting[-1] if fitting else None

    def _word_key(self, mention):
        owner = mention.owner.casefold()
        if owner in ("his", "her", "their"):
            owner = str(self.all.index(self.focus)) if self.focus else ""
        return mention.kind, owner, mention.word.casefold()

    def _new(self, mention):
        person = self._add(Person())
        if mention.kind in ("kin", "role"):
            self.by_key[self._word_key(mention)] = person
        if mention.kind == "handle":
            self.by_key["handle", mention.name.casefold()] = person
        if mention.kind == "placeholder":
            self.by_key[mention.text] = person
        return person

    def _learn(self, person, mention):
        if mention.kind in ("kin", "role"):
            self.by_key.setdefault(self._word_key(mention), person)
            if mention.text not in person.words:
                person.words.append(mention.text)
        if mention.kind in ("kin", "kinname"):
            self._kin(person, mention)
        if mention.kind in ("handle", "header") and mention.name not in person.handles:
            person.handles.append(mention.name)
        elif mention.kind in ("titled", "name") and mention.name[0] not in "[<" and mention.name not in person.names:
            person.names.append(mention.name)
        person.vote(_title_sex(mention), 3)

    def _kin(self, person, mention):
        sex, owners, theirs = WORDS["kin"].get(mention.word.casefold(), ["", "", ""])
        person.vote(sex, 3)
        person.say("RELATIONSHIP", theirs)
        owner = self._owner(person, mention.owner)
        if owner is not None:
            owner.say("RELATIONSHIP", owners)

    def _owner(self, person, owner):
        if owner.casefold() in ("my", "our"):
            return self.author()
        if owner.casefold() in ("his", "her"):
            sex = WORDS["pronouns"][owner.casefold()]
            fitting = [one for one in reversed(self.at) if one is not None and one is not person and not one.author]
            return next((one for one in fitting if one.sex() in ("", sex)), None)
        name = re.sub(r"['’]s$", "", owner)
        if name[:4].casefold() == "the ":
            return self.by_key.get(("role", "", name[4:].casefold()))
        return next((one for one in reversed(self.all) if one is not person and _same(one.names, name)), None)


NAMED = frozenset({"titled", "name", "handle", "header", "placeholder"})


def _title_sex(mention):
    if mention.kind == "titled":
        return WORDS["honorifics"].get(mention.text.split()[0].rstrip("."), "")
    return ""


def _same(names, name):
    """Whether a name can be one of those already met: its tokens, or initials of them, among theirs or the reverse."""
    said = norm(name).split()
    return any(_within(said, norm(one).split()) or _within(norm(one).split(), said) for one in names)


def _within(short, long):
    whole = any(token in long and len(token) > 1 for token in short)
    return whole and all(t in long or (len(t) == 1 and any(u[0] == t for u in long)) for t in short)
