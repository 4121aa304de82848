"""Posts, comments, reviews, adverts and forum questions: one who posts, the people spoken of, a topic."""

from build.subjects import data, mentions, plan
from build.subjects.choices import between, chance, weighted
from build.subjects.geography import cities, weights
from build.subjects.phrases import topics
from build.subjects.realise import Unusable
from build.subjects.say import say, start_of
from build.subjects.text import Text, joined

YEARS = (2011, 2024)
WORDS = (25, 60)
SIZES = {1: 33, 2: 44, 3: 11, 4: 5, 5: 6, 6: 2}
PAIR_SIZES = (3, 4, 5, 6)
FORMS = {"post": 24, "comment": 22, "review": 18, "advert": 16, "forum": 20}
TITLED = ("review", "advert", "forum")
TARGET_WORDS = (34, 57)
KIN_PERCENT = 58
SEX_KNOWN_PERCENT = 50
MOST_YEARS_BETWEEN_SPOUSES = 12
PAIRS = ("sister", "daughter", "niece", "aunt", "stepdaughter", "half-sister", "goddaughter")
POSTER_STEPS = {1: (3, 5), 2: (2, 3), 3: (1, 2), 4: (0, 1), 5: (0, 1), 6: (0, 1)}
OTHER_STEPS = {2: (1, 3), 3: (1, 2), 4: (1, 1), 5: (1, 1), 6: (0, 1)}


class Post:
    """One online document; `write` gives its Text and leaves the scene full.

    Args:
        world: World. scene: an empty Scene of domain "online". size: how many subjects.
        pair: whether two of them cannot be told apart.
    """

    def __init__(self, world, scene, size, pair):
        self.world, self.scene, self.stream, self.size = world, scene, scene.stream, size
        self.form = weighted(self.stream, FORMS)
        offered = [topic for topic in topics(scene.split, scene.seed) if topic["form"] == self.form]
        self.topic = self.stream.choice(offered)
        self.towns = self.stream.shuffled(cities(weighted(self.stream, weights(True))))
        self.poster = self._poster()
        self.pair = self._pair() if pair else []
        while len(scene.persons) < size:
            self._other()
        self.steps = self._plans()
        scene.values["posted"] = scene.date

    def _poster(self):
        person = self.world.person(self.stream, "s1", self.scene.date, self.towns[0], ages=(16, 88))
        person.role, person.sex_known = "poster", False
        self.scene.poster = person.key
        return self.scene.add(person)

    def _other(self):
        """Somebody the poster speaks of: a relative or one of a neutral relation not yet used."""
        used = {person.relation for person in self.scene.persons.values()}
        used |= {person.kin_word() for person in self.pair}
        kin = self._kin(used) if chance(self.stream, KIN_PERCENT) else None
        age = self.poster.age(self.scene.date)
        person = self.world.person(
            self.stream,
            f"s{len(self.scene.persons) + 1}",
            self.scene.date,
            self.stream.choice(self.towns[:2]),
            ages=kin_ages(age, kin) if kin else (18, 88),
            surname=self.poster.surname if kin and kin["shares_surname"] and chance(self.stream, 60) else None,
            avoid={word for other in self.scene.persons.values() for word in (other.given, other.surname)},
        )
        person.role = "other"
        if not kin and mentions.SPOUSE not in used and self._may_marry(person):
            person.relation = mentions.SPOUSE
            person.relationship = self.poster.relationship = "Married"
            person.home, person.shares = self.poster.home, "spouse_home"
        elif kin:
            person.kin, person.kin_of, person.sex_known = kin, self.poster.key, True
            person.relation = person.kin_word()
        else:
            row = self.stream.choice([row for row in data.load("kin")["neutral"] if row["text"] not in used])
            person.relation = row["text"]
            if row["shares"] == "home":
                person.home, person.shares = self.poster.home, "same_home"
            elif row["shares"] == "org":
                person.org, person.shares = self.poster.org, "same_employer"
            person.sex_known = chance(self.stream, SEX_KNOWN_PERCENT)
        return self.scene.add(person)

    def _may_marry(self, person):
        """Whether somebody becomes the spouse of the one who posts: grown up, of about one age, now and then."""
        ages = [one.age(self.scene.date) for one in (person, self.poster)]
        return min(ages) >= 23 and abs(ages[0] - ages[1]) <= MOST_YEARS_BETWEEN_SPOUSES and chance(self.stream, 60)

    def _kin(self, used):
        age = self.poster.age(self.scene.date)
        rows = [
            row
            for row in data.load("kin")["kin"]
            if kin_ages(age, row) and used.isdisjoint((row["female"], row["male"]))
        ]
        return self.stream.choice(rows) if rows else None

    def _pair(self):
        """Two relatives of one sex of whom the text says the same."""
        age = self.poster.age(self.scene.date)
        rows = [row for row in data.load("kin")["kin"] if row["female"] in PAIRS and kin_ages(age, row)]
        kin = self.stream.choice(rows)
        made = []
        for _ in range(2):
            person = self.world.person(
                self.stream, f"s{len(self.scene.persons) + 1}", self.scene.date, self.towns[0], ages=kin_ages(age, kin)
            )
            person.role, person.kin, person.kin_of = "pair", kin, self.poster.key
            person.sex = made[0].sex if made else person.sex
            person.relation = person.kin_word() + "s"
            made.append(self.scene.add(person))
        return made

    def _plans(self):
        planned = {}
        for person in self.scene.persons.values():
            if person.role == "pair":
                continue
            low, high = POSTER_STEPS[self.size] if person is self.poster else OTHER_STEPS[self.size]
            count = between(self.stream, low, high)
            steps = plan.plan(self.scene, person, planned, limit=count) if count else []
            if self._is_married(person):
                steps = [step for step in steps if plan.tag_of(step.kind) != "RELATIONSHIP"]
            planned[person.key] = steps
        for person in self.scene.persons.values():
            self.world.settle(self.stream, person)
        return planned

    def _is_married(self, person):
        """Whether the text says so anyway."""
        spouse = any(other.relation == mentions.SPOUSE for other in self.scene.persons.values())
        return spouse and (person is self.poster or person.relation == mentions.SPOUSE)

    def write(self):
        """The whole Text, or None where the phrases did not suffice."""
        signed = weighted(self.stream, {"header": 52, "signature": 22, "none": 26})
        head = Text()
        if self.form in TITLED and chance(self.stream, 60):
            head.add(self.topic["title"] + "\n")
        opening = self._header(signed)
        body = self._body(opening)
        text = head.append(joined([part for part in (opening, body) if part is not None], " "))
        if signed == "signature":
            text.add("\n").append(self._end())
        return text

    def _header(self, signed):
        if signed == "header":
            return say(self.scene, "header", {"P": self.poster})
        if signed == "none" and chance(self.stream, 40):
            return say(self.scene, "header_anonymous", {})
        return None

    def _end(self):
        self.scene.start = ()
        return say(self.scene, "signature", {"P": self.poster})

    def _body(self, opening):
        """Topic, facts of the poster, then of the others, while the words last."""
        target = between(self.stream, *TARGET_WORDS)
        self.scene.start = ()
        said = []
        if self.size < 5 and chance(self.stream, 80):
            said.append(self._plain("openers"))
        blocks = [self._block(person) for person in self._order()]
        said += [text for block in blocks for text in block]
        words = sum(len(str(text).split()) for text in said) + (len(str(opening).split()) if opening else 0)
        if words + 4 <= target and chance(self.stream, 80):
            said.append(self._plain("closers"))
        return joined([text for text in said if text is not None], " ")

    def _order(self):
        """The poster first or last, the others between in random order, a pair as one."""
        others = [p for p in self.scene.persons.values() if p is not self.poster and p not in self.pair[1:]]
        others = self.stream.shuffled(others)
        return [self.poster, *others] if chance(self.stream, 70) else [*others, self.poster]

    def _block(self, person):
        """The sentences about one person."""
        if person in self.pair:
            roles = {"pair": self.pair, "S": person}
            return [self._required(say(self.scene, "pair", roles))]
        steps, said = list(self.steps[person.key]), []
        if person.relation == mentions.SPOUSE:
            roles = {"S": self.poster, "O": person}
            said.append(self._required(say(self.scene, "marriage", roles, fits=lambda phrase: not phrase.has("S"))))
        elif person is not self.poster and (not steps or chance(self.stream, 34)):
            said.append(self._introduction(person))
        if len(steps) >= 2 and chance(self.stream, 60):
            text, steps = plan.tell_together(self.scene, person, steps)
            said.append(text)
        said += [plan.tell(self.scene, person, step) for step in steps]
        said = [text for text in said if text is not None]
        if person is not self.poster and not said:
            said.append(self._introduction(person))
        return said

    def _introduction(self, person):
        if person.kin and person.key not in self.scene.introduced and chance(self.stream, 60):
            made = say(self.scene, "kinship", {"S": person}, fits=lambda phrase: not phrase.has("O"))
            if made is not None:
                return made
        return self._required(say(self.scene, "doing", {"S": person}))

    def _required(self, text):
        if text is None:
            raise Unusable
        return text

    def _plain(self, what):
        """A line of the topic, which tells nothing of anybody."""
        lines = [line for line in self.topic[what] if start_of(line)[:1] != self.scene.start[:1]]
        if not lines:
            return None
        line = self.stream.choice(lines)
        self.scene.new_paragraph()
        self.scene.start = start_of(line)
        return Text().add(line)


def kin_ages(age, row):
    """The ages a relative may have beside one of `age`, or None."""
    low, high = max(age + row["years"][0], 16), min(age + row["years"][1], 92)
    return (low, high) if high - low >= 3 else None
