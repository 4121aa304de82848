"""The form lint of the fact phrases of subject_inference: what each sentence must be, whatever it says.

`python -m build.templates.subject_lint FILE…` prints the faults of inventories and how many phrases stand.
"""

import json
import re
import sys
from pathlib import Path

from build.errors import BuildError

LEAST = 60
WORDS = {"legal": (4, 26), "online": (3, 18)}
SAME_START = 6
WORDS_IN_A_ROW = 6
ALLOWED = {
    "age_stated": {"age", "nth"},
    "age_birth_year": {"birth_year", "birth_date"},
    "age_reckoned": {"age_then", "year_then"},
    "age_relative": {"years", "O"},
    "residence": {"city", "place"},
    "residence_hop": {"O"},
    "workplace": {"city"},
    "nationality_stated": {"demonym", "country"},
    "birthplace": {"birth_city"},
    "nationality_shared": {"O"},
    "education_stated": set(),
    "relationship_stated": set(),
    "relationship_event": set(),
    "marriage": {"O"},
    "kinship": {"kin", "O"},
    "occupation_stated": {"occupation"},
    "occupation_role": set(),
    "employment": {"org"},
    "position": {"position", "org"},
    "phone": {"phone"},
    "email": {"email"},
    "document": {"id_number", "passport", "licence"},
}
MARKED = {"education_stated", "relationship_stated", "relationship_event", "kinship", "occupation_role"}
_SLOT = re.compile(r"\{([^{}]*)\}")
_SUBJECT = {"S", "S's", "S:me"}
_BACK = {"he", "his", "him"}
_PERSONAL = re.compile(r"\b(he|she|him|her|hers|his|himself|herself|Mr|Mrs|Ms|Miss|Sir|Dr)\b", re.IGNORECASE)
_PEOPLE = re.compile(
    r"\b(wife|husband|widow|widower|bride|groom|girlfriend|boyfriend|mother|father|mum|mom|dad|sister|brother|son|"
    r"daughter|aunt|uncle|colleague|doctor|landlord|landlady|boss|grandchild\w*|salesman|chairman)\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"(?<=[\w,;:'}>] )[A-Z][a-z]+")


def phrases(inventory):
    """(value, text) of every phrase of an inventory, in its order."""
    return [(value, text) for value, texts in inventory["phrases"].items() for text in texts]


def faults(inventory):
    """What is wrong with an inventory: {text or "": [faults]}, empty when nothing is.

    Raises:
        BuildError: for a kind or domain that is not known.
    """
    domain, kind = inventory["domain"], inventory["kind"]
    if domain not in WORDS or kind not in ALLOWED:
        raise BuildError(f"{domain}.{kind}: no such kind of phrase")
    texts = [text for _, text in phrases(inventory)]
    found = {text: phrase_faults(domain, kind, text) for text in texts}
    found[""] = _file_faults(inventory["phrases"])
    return {text: said for text, said in found.items() if said}


def phrase_faults(domain, kind, text):
    """What is wrong with the form of one phrase."""
    slots = _SLOT.findall(text)
    bare = [slot.removeprefix("a ").removeprefix("A ") for slot in slots]
    return [
        *_slot_faults(domain, kind, slots, bare),
        *_word_faults(domain, text),
        *_mark_faults(kind, text),
    ]


def _slot_faults(domain, kind, slots, bare):
    said = []
    values = {slot.partition("'")[0].partition(":")[0] for slot in bare} - {"S"} - _BACK
    subjects = sum(slot in _SUBJECT for slot in slots)
    if values - ALLOWED[kind]:
        said.append(f"has slots this kind has not: {', '.join(sorted(values - ALLOWED[kind]))}")
    if kind == "document" and len(values) != 1:
        said.append("has not one number")
    if values == set() and ALLOWED[kind]:
        said.append("has none of the kind's slots")
    if subjects > 1 or (subjects == 0 and domain == "legal"):
        said.append("names its person not once")
    if sum(slot in _BACK for slot in slots) > (2 if subjects else 0):
        said.append("refers back too often")
    return said


def _word_faults(domain, text):
    said = []
    literal = _SLOT.sub("", text)
    least, most = WORDS[domain]
    if not least <= len(_SLOT.sub("x", text).split()) <= most:
        said.append(f"has not {least} to {most} words")
    if not text.endswith((".", "!") if domain == "online" else ".") or re.search(r"[.!?]", text[:-1]):
        said.append("is not one sentence")
    if not text.isascii() or any(letter.isdigit() for letter in literal):
        said.append("has a digit or a letter outside ASCII")
    if _PERSONAL.search(literal):
        said.append("has a pronoun or title for a person")
    if _PEOPLE.search(literal):
        said.append("has another person or a sex")
    if set(_CAPITAL.findall(text)) - {"I", "Court", "Friday", "Sunday", "Saturday", "Monday"}:
        said.append("has a capitalised word")
    if domain == "legal" and re.search(r"\b(I|me|my|we|our)\b|'(s|re|m|ve|t)\b", literal.replace("O's", "")):
        said.append("is in the first person or contracted")
    if re.search(r"\bthe \{[SO]|\{S\}, who\b", text):
        said.append("has an article or a relative clause at a mention")
    return said


def _mark_faults(kind, text):
    marked = text.count("<") == text.count(">") == 1
    if (kind in MARKED) != marked or (not marked and ("<" in text or ">" in text)):
        return ["marks its evidence not once" if kind in MARKED else "marks evidence beside its slot"]
    return []


def _file_faults(by_value):
    texts = [text for found in by_value.values() for text in found]
    said = []
    if len(texts) < LEAST:
        said.append(f"has {len(texts)} phrases, not {LEAST}")
    if len(set(texts)) < len(texts):
        said.append("has a phrase twice")
    starts = [text.split()[0] for text in texts]
    common = {start for start in starts if starts.count(start) > SAME_START and start not in _OPEN}
    if common:
        said.append(f"begins too often with {', '.join(sorted(common))}")
    return said + [f"shares a run: {run}" for found in by_value.values() for run in shared_runs(found)]


_OPEN = {"{S}", "{S's}", "I'm", "My", "The", "I", "<My", "In"}


def shared_runs(texts):
    """Runs of six words without a slot between them that stand in two of the texts, sorted."""
    seen, shared = {}, set()
    for number, text in enumerate(texts):
        for piece in _SLOT.split(text)[::2]:
            words = re.findall(r"[a-z'-]+", piece.lower())
            for at in range(len(words) - WORDS_IN_A_ROW + 1):
                run = " ".join(words[at : at + WORDS_IN_A_ROW])
                if seen.setdefault(run, number) != number:
                    shared.add(run)
    return sorted(shared)


def main(paths):
    """Print the faults of each file; the exit status is 1 where there are any."""
    bad = False
    for path in paths:
        inventory = json.loads(Path(path).read_text(encoding="utf-8"))
        found = faults(inventory)
        print(f"{path}: {len(phrases(inventory))} phrases")
        for text, said in found.items():
            print(f"  {text or '(file)'}: {'; '.join(said)}")
        bad |= bool(found)
    return int(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
