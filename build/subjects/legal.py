"""Judgments: a cast around a dispute, a plan for each person, then numbered paragraphs from facts and phrases."""

import datetime

from build.subjects import data, plan
from build.subjects.choices import between, chance, weighted
from build.subjects.geography import cities, weights
from build.subjects.numbers import spelled
from build.subjects.phrases import parse, stories
from build.subjects.say import say, say_one
from build.subjects.scene import Scene
from build.subjects.text import Entity, Evidence, Text, joined

YEARS = (2004, 2024)
WORDS = (400, 1200)
CASTS = {2: 14, 3: 25, 4: 27, 5: 20, 6: 9, 7: 5}
EXTRAS = {"rep": 30, "judge": 26, "expert": 18, "claimant2": 22, "witness1": 50, "witness2": 34, "witness3": 20}
SIDE_TAGS = {
    "rep": ("AFFILIATION", "EMAIL_ADDRESS", "PHONE_NUMBER"),
    "judge": (),
    "expert": None,
}
KIN_PERCENT = 50
SPOUSE_PERCENT = 25
SEX_KNOWN_PERCENT = 76
HONORIFIC_PERCENT = 62
CITY_COURT_PERCENT = 40
ORDER_NUMBERS = ("(a)", "(b)", "(c)", "(d)", "(e)")


class Judgment:
    """One legal document; `write` gives its Text and leaves the scene full.

    Args:
        world: World. scene: an empty Scene of domain "legal". size: how many subjects.
    """

    def __init__(self, world, scene, size):
        self.world, self.scene, self.stream = world, scene, scene.stream
        self.story = self.stream.choice(stories(scene.split, scene.seed))
        self.topic = self.story["kind"].removeprefix("story.")
        self.claimant_label, self.defendant_label = self.stream.choice(data.load("courts")["labels"])
        self._dates()
        self.home = self._home()
        self.cast = self._cast(size)
        self._old_year()
        self.steps = self._plans()
        self.parts, self.number, self.heard = [], 0, set()
        self.style, self.section = None, 0

    def _dates(self):
        """Event, notice, action, first step, hearing and judgment, one after the other."""
        hearing = earlier(self.stream, self.scene.date, 9, 60)
        first = earlier(self.stream, hearing, 60, 200)
        filed = earlier(self.stream, first, 60, 260)
        notice = earlier(self.stream, filed, 50, 240)
        event = earlier(self.stream, notice, 20, 90)
        months = between(self.stream, 3, 9)
        self.scene.values |= {
            "hearing": hearing,
            "first": first,
            "filed": filed,
            "notice": notice,
            "event": event,
            "days": str(between(self.stream, 11, 40)),
            "months": spelled(months),
            "case_no": f"{between(self.stream, 11, 4989)}/{filed.year % 100:02d}",
        }

    def _old_year(self):
        """A year before the event that even the youngest person can speak of."""
        event = self.scene.values["event"].year
        youngest = max(person.birth.year for person in self.cast.values())
        low, high = max(event - 19, youngest + 9), event - 2
        self.scene.values["year"] = str(between(self.stream, low, high) if low <= high else event - 1)

    def _home(self):
        country = weighted(self.stream, weights(False))
        towns = self.stream.shuffled(cities(country))
        return towns

    def _cast(self, size):
        roles = ["claimant", "defendant"]
        extras = dict(EXTRAS)
        while len(roles) < size and extras:
            role = weighted(self.stream, extras)
            if role in ("witness2", "witness3") and f"witness{int(role[-1]) - 1}" not in roles:
                role = next(f"witness{n}" for n in (1, 2, 3) if f"witness{n}" not in roles)
            del extras[role]
            roles.append(role)
        order = ("claimant", "claimant2", "defendant", "rep", "judge", "expert", "witness1", "witness2", "witness3")
        cast = {role: self._person(role) for role in sorted(roles, key=order.index)}
        witnesses = [person for role, person in cast.items() if role.startswith("witness")]
        if len(witnesses) == 1:
            witnesses[0].label = "the witness"
        return cast

    def _person(self, role):
        base = self._relative_of(role)
        kin = self._kin(base) if base else None
        avoid = {word for person in self.scene.persons.values() for word in (person.given, person.surname)}
        shared = base is not None and (kin["shares_surname"] if kin else True) and chance(self.stream, 75)
        person = self.world.person(
            self.stream,
            f"s{len(self.scene.persons) + 1}",
            self.scene.date,
            self.stream.choice(self.home[:3]),
            ages=self._ages(base, kin),
            surname=base.surname if shared else None,
            avoid=avoid,
            trade=self._trade(role),
        )
        person.role = role
        person.sex_known = chance(self.stream, SEX_KNOWN_PERCENT)
        person.honorific = chance(self.stream, HONORIFIC_PERCENT)
        if kin:
            person.kin, person.kin_of = kin, base.key
        elif base:
            person.relationship = base.relationship = "Married"
            person.kin_of = base.key
            person.home = base.home
        self._labels(person)
        return self.scene.add(person)

    def _labels(self, person):
        labels = {"claimant": self.claimant_label, "defendant": self.defendant_label, "expert": "the expert"}
        person.label = labels.get(person.role, "")
        if person.role == "claimant2":
            first = next(other for other in self.scene.persons.values() if other.role == "claimant")
            noun = self.claimant_label.removeprefix("the ")
            first.label, person.label = f"the first {noun}", f"the second {noun}"

    def _relative_of(self, role):
        """Whose relative or spouse somebody in a role is, or None."""
        parties = [person for person in self.scene.persons.values() if person.role in ("claimant", "defendant")]
        if role == "claimant2":
            return parties[0]
        if role.startswith("witness") and chance(self.stream, KIN_PERCENT):
            return self.stream.choice(parties)
        return None

    def _kin(self, base):
        """A row of kin.json that the ages allow, or None for a spouse."""
        age = base.age(self.scene.date)
        spouses = any(other.kin_of == base.key and not other.kin for other in self.scene.persons.values())
        married = base.relationship == "Married" or not any(base.kin_of == p.key for p in self.scene.persons.values())
        if chance(self.stream, SPOUSE_PERCENT) and age >= 23 and not spouses and married:
            return None
        rows = [row for row in data.load("kin")["kin"] if _kin_ages(age, row)]
        return self.stream.choice(rows)

    def _ages(self, base, kin):
        if base is None:
            return (18, 88)
        age = base.age(self.scene.date)
        return _kin_ages(age, kin) if kin else (max(23, age - 8), min(88, max(24, age + 8)))

    def _trade(self, role):
        rows = data.load("occupations")
        if role == "rep":
            return self.stream.choice(rows["legal_professions"])
        if role == "judge":
            return rows["judge"]
        if role == "expert":
            return self.stream.choice([row for row in rows["occupations"] if row["name"] in rows["experts"]])
        return None

    def _plans(self):
        planned = {}
        for role, person in self.cast.items():
            planned[person.key] = plan.plan(self.scene, person, planned, SIDE_TAGS.get(role))
            if role in ("rep", "expert"):
                taken = ("OCCUPATION", "LOCATION") if role == "rep" else ("OCCUPATION",)
                kept = [step for step in planned[person.key] if plan.tag_of(step.kind) not in taken]
                planned[person.key] = kept
            if person.kin_of:
                kind = "kinship" if person.kin else "marriage"
                married = [
                    s for s in planned[person.key] if kind != "marriage" or plan.tag_of(s.kind) != "RELATIONSHIP"
                ]
                planned[person.key] = [plan.Step(kind, person.kin_of), *married]
        for person in self.cast.values():
            self.world.settle(self.stream, person)
        return planned

    def write(self):
        """The whole Text, or None where the phrases did not suffice."""
        self._head()
        self._proceedings()
        self._persons()
        self._dispute()
        self._evidence()
        self._arguments()
        self._assessment()
        self._order()
        return joined(self.parts, "\n\n")

    # The parts of a judgment, in their order.

    def _head(self):
        courts = data.load("courts")
        text = Text()
        if chance(self.stream, CITY_COURT_PERCENT):
            city = self.scene.court_city = self.stream.choice(self.home[:2])
            court = self.stream.choice(courts["with_city"]).replace("{city}", city.name)
            marks = [Evidence(p.key, "court_district") for p in self.cast.values() if p.role != "judge"]
            if "judge" in self.cast:
                self.cast["judge"].home = city
                marks.append(Evidence(self.cast["judge"].key, "court"))
            text.add(court, Entity("ORG", "QUASI", "court", ""), *marks)
        else:
            text.add(self.stream.choice(courts["without_city"]), Entity("ORG", "QUASI", "court", ""))
        number, entity = self.scene.value("case_no")
        judged = Scene.value(self._with_judged(), "judged")
        text.add("\nCase no. ").add(number, entity).add("\nJUDGMENT\n").add(*judged)
        self.parts.append(text)

    def _with_judged(self):
        self.scene.values["judged"] = self.scene.date
        return self.scene

    def _heading(self, name):
        courts = data.load("courts")
        if self.style is None:
            self.style = self.stream.choice(courts["headings"]), chance(self.stream, 40)
        words, numbered = self.style
        if numbered and name != "order":
            self.section += 1
            self.parts.append(Text().add(f"{courts['numerals'][self.section - 1]}. {words[name]}"))
        else:
            self.parts.append(Text().add(words[name]))

    def _paragraph(self, sentences):
        """Add the sentences that could be said as one numbered paragraph."""
        said = [text for text in sentences if text is not None]
        if said:
            self.number += 1
            self.parts.append(Text().add(f"{self.number}. ").append(joined(said, " ")))
        self.scene.new_paragraph()

    def _say(self, kind, **roles):
        return say(self.scene, kind, {**self.cast, **roles})

    def _tell(self, stage, **roles):
        """A sentence of the story."""
        phrases = [parse("story", "", text) for text in self.story["phrases"][stage]]
        return say_one(self.scene, phrases, {**self.cast, **roles})

    def _proceedings(self):
        self._heading("proceedings")
        self._paragraph([self._say("opening_two" if "claimant2" in self.cast else "opening"), self._tell("claim")])
        if "rep" in self.cast:
            side = self.stream.choice(("claimant", "defendant"))
            self.cast["rep"].deed = side
            said = [self._say("representation", client=self.cast[side])]
            self._paragraph([*said, *self._facts(self.cast["rep"])])
        self._paragraph([self._say("plea_claimant"), self._say("plea_defendant")])
        if "judge" in self.cast:
            self._paragraph([self._say("bench"), *self._facts(self.cast["judge"])])

    def _persons(self):
        self._heading("persons")
        for role in ("claimant", "claimant2", "defendant"):
            if role in self.cast:
                self._portrait(self.cast[role])

    def _portrait(self, person):
        """A person's facts in one or two paragraphs, the first with a word on where they come from."""
        steps = self._ordered(person)
        if not steps:
            return
        half = len(steps) if len(steps) < 6 else (len(steps) + 1) // 2
        lead = self._say("personal", S=person) if chance(self.stream, 55) else None
        self._paragraph([lead, *self._facts(person, steps[:half])])
        if steps[half:]:
            self._paragraph(self._facts(person, steps[half:]))

    def _ordered(self, person):
        """The person's steps in random order, numbers and addresses last."""
        steps = self.stream.shuffled(self.steps[person.key])
        return sorted(steps, key=lambda step: step.kind in ("phone", "email", "id_number", "passport", "licence"))

    def _facts(self, person, steps=None):
        """Sentences that tell what the plan has for a person."""
        left = self._ordered(person) if steps is None else steps
        sentences = []
        while len(left) >= 2 and chance(self.stream, 85):
            text, left = plan.tell_together(self.scene, person, left)
            if text is None:
                break
            sentences.append(text)
        sentences += [plan.tell(self.scene, person, step) for step in left]
        return [text for text in sentences if text is not None]

    def _dispute(self):
        self._heading("facts")
        self._paragraph([self._tell("origin"), self._tell("origin")])
        self._paragraph([self._tell("quarrel"), self._tell("quarrel"), self._tell("quarrel")])
        self._paragraph([self._tell("step"), self._tell("step")])

    def _evidence(self):
        witnesses = [person for role, person in self.cast.items() if role.startswith("witness")]
        if not witnesses and "expert" not in self.cast:
            return
        self._heading("evidence")
        for person in witnesses:
            self._paragraph([self._say("witnesses", witness=person), self._testimony(person)])
            self._portrait(person)
        if "expert" in self.cast:
            expert = self.cast["expert"]
            self._paragraph([self._say("expert"), *self._facts(expert)])

    def _testimony(self, person):
        text = self._tell("testimony", witness=person)
        source = next(t for t in self.story["phrases"]["testimony"] if t in self.scene.used and t not in self.heard)
        self.heard.add(source)
        person.deed = self.story["deeds"][source]
        return text

    def _arguments(self):
        self._heading("arguments")
        self._paragraph([self._tell("argument_claimant"), self._tell("argument_claimant")])
        self._paragraph([self._tell("argument_defendant"), self._tell("argument_defendant")])

    def _assessment(self):
        self._heading("law")
        self._paragraph([self._say("assessment"), self._tell("finding")])
        for role, person in self.cast.items():
            if role.startswith("witness"):
                self._paragraph([self._say("evidence", witness=person)])
        if "expert" in self.cast:
            self._paragraph([self._say("expertise"), self._tell("finding")])
        self._paragraph([self._tell("finding"), self._say("assessment")])

    def _order(self):
        self._heading("order")
        said = [self._tell("order"), self._tell("order"), self._say("costs")]
        said = [text for text in said if text is not None]
        for number, text in zip(ORDER_NUMBERS, said, strict=False):
            last = number == ORDER_NUMBERS[len(said) - 1]
            self.parts.append(Text().add(f"{number} ").append(text.lowered().ended("." if last else ";")))


def _kin_ages(age, row):
    """The ages a relative may have beside one of `age`, or None."""
    low, high = age + row["years"][0], age + row["years"][1]
    low, high = max(low, 16), min(high, 92)
    return (low, high) if high - low >= 3 else None


def earlier(stream, date, least, most):
    """A weekday that lies some days before a date."""
    found = date - datetime.timedelta(days=between(stream, least, most))
    return found - datetime.timedelta(days=max(0, found.weekday() - 4))
