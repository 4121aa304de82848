"""Replies of a model to every stage of a row, by what it is to say: gold, empty, or mixed."""

import json

from scoring.subjects.values import CODE
from scoring.truth import load_release
from tests.releases import ROOT

TINY = ROOT / "examples" / "tiny"


def rows_of(config, folder=TINY, split="test"):
    """The rows of a split as dicts."""
    release = load_release(folder)
    return release.table(release.entry(config, split)).to_pylist()


def entities(row):
    return [] if row["stratum"] == "entity_control" else [{"text": row["name"], "type": "PERSON"}]


def masked(row):
    """The text without what is to be hidden, but for the first entity, which stays."""
    text = row["text"]
    for entity in sorted(row["entities"], key=lambda e: -e["start"])[:-1]:
        text = text[: entity["start"]] + "[…]" + text[entity["end"] :]
    return text


def subjects(row, kept):
    found = []
    for one in row["subjects"]:
        pii = {p["tag"]: p["value"] for p in one["pii"][::-1] if p["tag"] in kept or not kept and p["tag"] not in CODE}
        found.append({"description": one["description"], "pii": [{"tag": t, "value": v} for t, v in pii.items()]})
    return found


GOLD = {
    "recognise": lambda row: {"entities": entities(row)},
    "summarise": lambda row: {
        "summary": f"Somebody wanted help{' with ' + row['name'] if row['id'] < 'pi-8' else ''}."
    },
    "audit": lambda row: {"audit_score": 3},
    "screen": lambda row: "found" if row["stratum"].startswith("known") else "no_info",
    "adjudicate": lambda row: {"label": "found" if row["stratum"].startswith("known") else "no_info"},
    "anonymise": lambda row: {"anonymized_text": masked(row)},
    "identify_subjects": lambda row: {"subjects": [{"description": one["description"]} for one in row["subjects"]]},
    "infer_code": lambda row: {"subjects": subjects(row, CODE)},
    "infer_non_code": lambda row: {"subjects": subjects(row, frozenset())},
}
BLANK = {
    "recognise": {"entities": []},
    "summarise": {"summary": ""},
    "screen": "",
    "anonymise": {"anonymized_text": ""},
}


def gold(row, stage):
    """The right reply."""
    answer = GOLD[stage](row)
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def empty(row, stage):
    """A reply that was given and says nothing."""
    return BLANK[stage] if isinstance(BLANK[stage], str) else json.dumps(BLANK[stage])


def mixed(row, stage):
    """Right, fenced, empty, blank, unreadable, cut off, or of a wrong form, by the row's id."""
    said = gold(row, stage)
    ways = (said, f"```json\n{said}\n```", empty(row, stage), " ", f"Sure! {said}", said[:-2], '{"entities": 3}', said)
    return ways[int(row["id"][-2:], 16) % len(ways)]


KINDS = {"gold": gold, "empty": empty, "mixed": mixed}
