"""What a document of subject_inference must be, checked from its row alone: each check lists the faults it finds.

Nothing here knows how documents are made; words for places come from the tables that also serve imported data.
"""

import re
from collections import Counter
from itertools import chain, pairwise

from build.subjects import semantics
from scoring.subjects import matching, units, values

CODE = {"IDENTIFICATION_NUMBER", "DRIVER_LICENSE_NUMBER", "PHONE_NUMBER", "PASSPORT_NUMBER", "EMAIL_ADDRESS"}
GENDERED = {
    "Female": re.compile(
        r"\b(she|her|hers|herself|ms|mrs|miss|madam|woman|lady|girl|(?:step|half-|grand|god)?(?:mother|sister|daughter)s?"
        r"|aunts?|nieces?|wife|widow|mum|bride|girlfriend)\b",
        re.IGNORECASE,
    ),
    "Male": re.compile(
        r"\b(he|him|his|himself|mr|sir|man|gentleman|boy|(?:step|half-|grand|god)?(?:father|brother|son)s?"
        r"|uncles?|nephews?|husband|widower|dad|groom|boyfriend)\b",
        re.IGNORECASE,
    ),
}
PARAGRAPH_NUMBER = re.compile(r"^\d+\.(?= )", re.MULTILINE)
AN_WORDS = ("hour", "honest", "honour", "heir")
A_WORDS = ("uni", "use", "usu", "eu", "one", "ukr", "uga", "uru")
FICTION = re.compile(
    r"\+1 \d{3} 555 01\d\d|\+44 20 7946 0\d{3}|\+44 113 496 0\d{3}|\+44 7700 900\d{3}|\+61 491 57\d \d{3}"
    r"|\+61 [23] (?:5550|7010) \d{4}|\+33 1 99 00 \d\d \d\d|\+33 6 39 98 \d\d \d\d|\+49 30 23125 \d{3}"
    r"|\+49 69 90009 \d{3}|\+49 89 99998 \d{3}|\+46 (?:31 390 06|8 465 004|40 628 04) \d\d|\+353 20 91\d \d{4}"
)
_AGE_ALONE = re.compile(r"figures|document")
_DATE = re.compile(r"\d \w+ (\d{4})")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"'(]?[\w@+])|\n+")
_CAPITALS = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2}")
LONG_PARAGRAPH = 15


def piis(row):
    """(subject, pii) of every entry of a row."""
    return [(subject, pii) for subject in row["subjects"] for pii in subject["pii"]]


def said(row, span):
    """The text of a span."""
    return row["text"][span["start"] : span["end"]]


def spans(row, *tags):
    """(start, end) of the evidence for some tags (none given: all) and, where none is given, of entities."""
    found = [(s["start"], s["end"]) for _, pii in piis(row) if not tags or pii["tag"] in tags for s in pii["evidence"]]
    return found if tags else found + [(e["start"], e["end"]) for e in row["entities"]]


def _covered(start, end, found):
    return any(low < end and start < high for low, high in found)


def paragraphs(row):
    """(start, text) of each paragraph."""
    return [(found.start(), found[0]) for found in re.finditer(r"[^\n]+", row["text"])]


def sentences(text):
    """The sentences of a text, without numbers of paragraphs; an ordinal or a decimal splits none."""
    return [part.strip() for part in _SENTENCE.split(PARAGRAPH_NUMBER.sub("", text)) if part.strip()]


def span_faults(row):
    """Spans that are empty, out of the text or not what they say; subjects that no span may name."""
    ids = [subject["subject_id"] for subject in row["subjects"]]
    found = [] if len(set(ids)) == len(ids) else ["a subject_id stands twice"]
    found += [f"entity {e['text']!r}" for e in row["entities"] if said(row, e) != e["text"]]
    found += [f"entity of {e['subject_id']!r}" for e in row["entities"] if e["subject_id"] not in {"", *ids}]
    for _, pii in piis(row):
        texts = [said(row, span) for span in pii["evidence"]]
        if not texts or not all(text and text == text.strip() for text in texts) or not pii["derivation"]:
            found.append(f"evidence of {pii['tag']}: {texts} {pii['derivation']!r}")
    if row["target_subject"] not in {"", *ids}:
        found.append("the target is no subject")
    starts = [(e["start"], e["end"]) for e in row["entities"]]
    return found if starts == sorted(starts) else [*found, "entities are out of order"]


def value_faults(row):
    """Facts read off (hardness 1) whose value does not stand in their evidence."""
    found = []
    for _, pii in piis(row):
        if pii["hardness"] == 1 and pii["tag"] in CODE | {"NAME", "AFFILIATION", "POSITION", "OCCUPATION"}:
            texts = {values.norm(said(row, span)) for span in pii["evidence"]}
            if not any(values.norm(v) in t for t in texts for v in (pii["value"], *pii["aliases"])):
                found.append(f"{pii['tag']} {pii['value']!r} from {sorted(texts)}")
    return found


def age_faults(row):
    """Ages that the numbers of their evidence and the document's year contradict by more than a year.

    Ages that rest on another person's, whose numbers are evidence as well, or on a school are left out.
    """
    year, found = int(row["document_date"][:4]), []
    for _, pii in piis(row):
        texts = [said(row, span) for span in pii["evidence"]]
        if pii["tag"] != "AGE" or not _AGE_ALONE.search(pii["derivation"]):
            continue
        reckoned = _reckoned([text for text in texts if not _DATE.search(text)], year)
        reckoned += [year - int(_DATE.search(text)[1]) for text in texts if _DATE.search(text)]
        low, _, high = pii["value"].partition("-")
        if not reckoned or not all(int(low) - 1 <= age <= int(high or low) + 1 for age in reckoned):
            found.append(f"{pii['value']} from {texts} in {year}")
    return found


def _reckoned(texts, year):
    """Ages from "43", from "1974", and from an age and a year together; [] where no number stands."""
    numbers = [int(n) for text in texts for n in re.findall(r"\d+", text)]
    years = sorted({n for n in numbers if n >= 1900})
    ages = sorted({n for n in numbers if n < 130})
    if years and ages:
        return [age + year - then for age, then in zip(ages, years, strict=False)]
    return ages or [year - born for born in years]


def neighbour_faults(row):
    """Homes told by a neighbour's, of whom the text tells no such home."""
    homes = {
        (subject["subject_id"], pii["value"])
        for subject, pii in piis(row)
        if pii["tag"] == "LOCATION" and "place of residence" in pii["derivation"]
    }
    return [
        pii["value"]
        for subject, pii in piis(row)
        if pii["derivation"].startswith("lives near")
        and not any(key != subject["subject_id"] and value == pii["value"] for key, value in homes)
    ]


def digit_faults(row):
    """Runs of digits that belong to no fact and no entity."""
    known = spans(row) + [found.span() for found in PARAGRAPH_NUMBER.finditer(row["text"])]
    return [f[0] for f in re.finditer(r"\d+", row["text"]) if not _covered(*f.span(), known)]


def sex_faults(row):
    """Words that tell a sex where no subject is known to be of it, and people of both sexes at once."""
    known = {pii["value"] for _, pii in piis(row) if pii["tag"] == "SEX" and pii["certainty"] >= units.CERTAIN}
    found = [
        f"{word[0]!r} and nobody {sex.lower()}"
        for sex, words in GENDERED.items()
        for word in words.finditer(row["text"])
        if sex not in known
    ]
    for subject in row["subjects"]:
        if len({pii["value"] for pii in subject["pii"] if pii["tag"] == "SEX"}) > 1:
            found.append(f"{subject['subject_id']} of two sexes")
    return found


def sex_evidence_faults(row):
    """Evidence of a sex, told with certainty, whose last word for a sex (a relative's may come first) is not for it."""
    found = []
    for _, pii in piis(row):
        if pii["tag"] == "SEX" and pii["certainty"] >= units.CERTAIN:
            for text in (said(row, span) for span in pii["evidence"]):
                last = {
                    sex: max((f.start() for f in words.finditer(text)), default=-1) for sex, words in GENDERED.items()
                }
                if last[pii["value"]] < 0 or max(last, key=last.get) != pii["value"]:
                    found.append(f"{pii['value']} from {text!r}")
    return found


def place_faults(row):
    """Names of countries and words for their people that belong to no fact and no entity."""
    known, found = spans(row), []
    for run in _CAPITALS.finditer(row["text"]):
        words = run[0].split(" ")
        for low in range(len(words)):
            for high in range(low + 1, len(words) + 1):
                text = " ".join(words[low:high])
                start = run.start() + len(" ".join(words[:low])) + (low > 0)
                if len(text) > 3 and semantics.country(text) and not _covered(start, start + len(text), known):
                    found.append(text)
    return found


def article_faults(text):
    """Articles that do not fit the sound after them."""
    found = re.findall(r"\ba (?:8|11\D|18\D|1[18]th)\S*", text, re.IGNORECASE)
    for article, word in re.findall(r"\b(an?) ([A-Za-z]\w*)", text, re.IGNORECASE):
        low = word.lower()
        vowel = low.startswith(AN_WORDS) or (low[0] in "aeiou" and not (low.startswith(A_WORDS) and low[:3] != "unn"))
        if low.startswith(("unim", "unin", "unid")):
            vowel = True
        if (article.lower() == "an") != vowel and not (len(word) < 4 and word.isupper()):
            found.append(f"{article} {word}")
    return found


def form_faults(text):
    """What a printer would mark: doubled spaces and words, spaces before marks, slots left, small first letters."""
    marks = r"  |\s[,.;!?]|\.\.|,,|[{}<>\[\]]|’s's|'s's|\b(?!that\b|had\b)([a-z]+) \1\b"
    found = [f"{text[max(0, f.start() - 20) : f.end() + 20]!r}" for f in re.finditer(marks, text)]
    return found + [
        s[:40] for s in sentences(text) if s[:1].islower() and not text[: text.find(s)].endswith((";\n", ";\n\n"))
    ]


def start_faults(row):
    """Neighbouring sentences of a paragraph that begin alike: with one word, after an article or "my" with two."""
    found = []
    for _, paragraph in paragraphs(row):
        starts = [_start(sentence) for sentence in sentences(paragraph)]
        found += [one for one, other in pairwise(starts) if one == other]
    return found


def _start(sentence):
    words = re.findall(r"[\w'’-]+", sentence.lower())
    return " ".join(words[:2] if words[:1] in (["the"], ["a"], ["an"], ["my"]) else words[:1])


def bare_paragraphs(row):
    """Paragraphs of 15 words or more that touch no fact and no entity."""
    known = spans(row)
    return [
        text[:60]
        for start, text in paragraphs(row)
        if len(text.split()) >= LONG_PARAGRAPH and not _covered(start, start + len(text), known)
    ]


def contact_faults(row):
    """E-mail addresses outside `.example`, telephone numbers outside the ranges kept for fiction."""
    found = []
    for _, pii in piis(row):
        if pii["tag"] == "PHONE_NUMBER" and not FICTION.fullmatch(pii["value"]):
            found.append(pii["value"])
        if pii["tag"] == "EMAIL_ADDRESS" and not pii["value"].endswith(".example"):
            found.append(pii["value"])
    return found + [m for m in re.findall(r"\S+@\S+\.\w+", row["text"]) if not m.rstrip(".,;!?)").endswith(".example")]


def address_faults(row):
    """E-mail addresses and handles that spell out a name which the truth of their owner does not hold."""
    found = []
    for subject in row["subjects"]:
        known = {token for p in subject["pii"] if p["tag"] == "NAME" for token in values.norm(p["value"]).split()}
        for pii in subject["pii"]:
            if pii["tag"] == "EMAIL_ADDRESS":
                parts = re.findall(r"[a-z]{2,}", pii["value"].partition("@")[0])
                found += [pii["value"] for part in parts if part not in known]
    return found


def description_faults(row):
    """Descriptions that are empty, or hold a word of any subject's name."""
    tokens = {token for _, pii in piis(row) if pii["tag"] == "NAME" for token in values.norm(pii["value"]).split()}
    return [
        s["description"]
        for s in row["subjects"]
        if not s["description"].strip() or tokens & set(values.norm(s["description"]).split())
    ]


def certainty_faults(row):
    """Sexes told by a given name alone and held certain; entries out of 1 to 5; two entries that are one."""
    found = [
        f"{pii['tag']} {pii['certainty']}/{pii['hardness']}"
        for _, pii in piis(row)
        if not (1 <= pii["certainty"] <= 5 and 1 <= pii["hardness"] <= 5 and pii["value"].strip())
        or (pii["tag"] == "SEX" and pii["derivation"].startswith("given name") and pii["certainty"] >= units.CERTAIN)
    ]
    for subject in row["subjects"]:
        seen = Counter((pii["tag"], values.norm(pii["value"]), pii["derivation"]) for pii in subject["pii"])
        found += [f"{key} twice" for key, count in seen.items() if count > 1]
    return found


def masked_sentences(row):
    """The forms of a row's sentences of five words and more, each fact and entity made a blank of its kind.

    Headings, which end in no mark, are no sentences.
    """
    text, labels = row["text"], {}
    for _, pii in piis(row):
        for span in pii["evidence"]:
            labels.setdefault((span["start"], span["end"]), pii["tag"])
    for entity in row["entities"]:
        labels.setdefault((entity["start"], entity["end"]), entity["entity_type"])
    made, at = [], 0
    for (start, end), label in sorted(labels.items(), key=lambda item: (item[0][0], -item[0][1])):
        if start >= at:
            made.append(f"{text[at:start]}_{label}_")
            at = end
    form = "".join(made) + text[at:]
    found = (s.lower() for s in sentences(form) if s[-1] in ".!?;")
    return {(row["domain"], s) for s in found if len(re.findall(r"(?<![\w_])[^\W_]+", s)) >= 5}


def rightly_matched(row):
    """(subjects matched to their own description, subjects), when names and facts are all masked."""
    subjects = [units.subject(subject) for subject in row["subjects"]]
    order = list(reversed(range(len(subjects))))
    guesses = [(subjects[at].description, {}) for at in order]
    matched = matching.match(subjects, guesses)
    return sum(order[guess] == at for at, guess in matched.items()), len(subjects)


def word_count(row):
    """Words between white space."""
    return len(row["text"].split())


def repeated_paragraphs(rows):
    """The share of long paragraphs that stand in two documents."""
    long = [{t for _, t in paragraphs(row) if len(t.split()) >= LONG_PARAGRAPH} for row in rows]
    seen = Counter(chain.from_iterable(long))
    return sum(count for count in seen.values() if count > 1) / max(1, sum(seen.values()))


ROW_CHECKS = {
    check.__name__: check
    for check in (
        span_faults,
        value_faults,
        age_faults,
        neighbour_faults,
        digit_faults,
        sex_faults,
        sex_evidence_faults,
        place_faults,
        start_faults,
        bare_paragraphs,
        contact_faults,
        address_faults,
        description_faults,
        certainty_faults,
    )
}
TEXT_CHECKS = {check.__name__: check for check in (article_faults, form_faults)}


def faults(row):
    """{check: faults} of a row over all checks that find any."""
    found = {name: check(row) for name, check in ROW_CHECKS.items()}
    found |= {name: check(row["text"]) for name, check in TEXT_CHECKS.items()}
    return {name: texts for name, texts in found.items() if texts}
