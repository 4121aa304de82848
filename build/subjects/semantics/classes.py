"""Classes of people as small forests: occupations, positions, affiliations, education, relationship, sex.

A file of `classes/` is {"tag", "basis", "exclusive", "classes": [{"name", "same", "narrower", "under"}]}: `same`
are other names of a class, `narrower` kinds of it that are no class of their own, `under` the wider classes.
Where classes are exclusive (no degree is another), one below is no way to name the one above.
"""

import json
from functools import cache
from pathlib import Path

from build.subjects.semantics.keys import key

HERE = Path(__file__).parent / "classes"


def names(tag):
    """The names of a tag's classes, in the order of their file; empty for a tag without classes."""
    return [found["name"] for found in _forest(tag)["classes"]]


def aliases(tag, value):
    """Names and kinds of the value's class, then of all classes below it unless classes are exclusive."""
    forest = _forest(tag)
    found = forest["by_key"].get(key(value))
    if found is None:
        return []
    below = [] if forest["exclusive"] else _below(forest, found)
    return [text for node in (found, *below) for text in (*_names(node), *node["narrower"])]


def broader(tag, value):
    """Names of all classes above the value's class, the nearest first."""
    forest = _forest(tag)
    found = forest["by_key"].get(key(value))
    return [] if found is None else [text for parent in _above(forest, found) for text in _names(parent)]


@cache
def _forest(tag):
    path = HERE / f"{tag.lower()}.json"
    if not path.is_file():
        return {"exclusive": True, "classes": [], "by_key": {}}
    forest = json.loads(path.read_text(encoding="utf-8"))
    by_key = {key(text): found for found in forest["classes"] for text in _names(found)}
    kinds = [_kind(text, found) for found in forest["classes"] for text in found["narrower"]]
    return forest | {"by_key": by_key | {key(kind["name"]): kind for kind in kinds}}


def _kind(text, found):
    return {"name": text, "same": [], "narrower": [], "under": [found["name"]]}


def _names(found):
    return [found["name"], *found["same"]]


def _above(forest, found):
    parents = [forest["by_key"][key(name)] for name in found["under"]]
    return parents + [ancestor for parent in parents for ancestor in _above(forest, parent)]


def _below(forest, found):
    children = [other for other in forest["classes"] if found["name"] in other["under"]]
    return [below for child in children for below in (child, *_below(forest, child))]
