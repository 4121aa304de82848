"""subject_inference (SPIA; TAB for spans): invented documents and what they reveal of each person in them.

names, places, phrases -> a world of persons -> a plan of facts -> text with spans -> what it revealed -> rows.
"""

import datetime
from collections import Counter

from build import draws
from build.configs.built import Built
from build.subjects import choices, legal, online, schema
from build.subjects.names import Names
from build.subjects.organisations import Organisations
from build.subjects.realise import Unusable
from build.subjects.rows import row
from build.subjects.scene import Scene
from build.subjects.world import World
from scoring.rows import row_json
from scoring.subjects.prior import prior_constants

NAME, PREFIX, SCHEMA = schema.NAME, schema.PREFIX, schema.SCHEMA
COUNTS = {"test": {"legal": 160, "online": 600}, "validation": {"legal": 32, "online": 120}}
LITE = {"legal": 30, "online": 110}
PAIR_PERCENT = 10
ATTEMPTS = 60
DOMAINS = {"legal": legal, "online": online}
CERTAIN = 3


def build(root, seed, done=None):
    """All splits of this config, from lexicons and phrase inventories; no other config is needed."""
    splits = {split: documents(root, split, seed, counts) for split, counts in COUNTS.items()}
    splits["lite"] = lite(splits["test"], seed)
    report = {split: statistics(rows) for split, rows in splits.items()}
    report["prior"] = prior_constants(splits["validation"])
    return Built(splits, report | {"minimum": {"legal": 150, "online": 550, "subjects": 1800, "pairs": 7100}})


def documents(root, split, seed, counts):
    """Rows of a split: `counts` documents per domain, sizes by quota. Deterministic in (split, seed, counts)."""
    world = World(Names(root, split, seed), Organisations(root))
    rows = []
    for domain, count in counts.items():
        for number, (size, pair) in enumerate(sizes(domain, count, split, seed)):
            rows.append(_document(world, domain, split, seed, number, size, pair))
    return rows


def sizes(domain, count, split, seed):
    """(number of subjects, whether two of them cannot be told apart) of each document, in random order."""
    shares = legal.CASTS if domain == "legal" else online.SIZES
    made = [(size, at) for size, quota in choices.quotas(count, shares).items() for at in range(quota)]
    able = [item for item in made if item[0] in online.PAIR_SIZES] if domain == "online" else []
    chosen = set(draws.ranked(able, seed, NAME, "pairs", split)[: -(-count * PAIR_PERCENT // 100)])
    return [(item[0], item in chosen) for item in draws.ranked(made, seed, NAME, "sizes", split, domain)]


def _document(world, domain, split, seed, number, size, pair):
    """The first attempt at a document whose words, facts and phrases all fit."""
    for attempt in range(ATTEMPTS):
        stream = draws.Stream(seed, NAME, split, domain, number, attempt)
        scene = Scene(domain, split, seed, _date(stream, domain), stream)
        try:
            document = (
                legal.Judgment(world, scene, size) if domain == "legal" else online.Post(world, scene, size, pair)
            )
            text = document.write()
        except Unusable:
            continue
        made = row(document, text)
        if _fits(made, domain):
            world.names.take((p.given, p.surname) for p in scene.persons.values())
            return made
    raise LookupError(f"{domain} document {number}: no attempt fits; more phrases are needed")


def _date(stream, domain):
    low, high = DOMAINS[domain].YEARS
    start = datetime.date(low, 1, 5)
    date = start + datetime.timedelta(days=stream.below((datetime.date(high, 12, 20) - start).days))
    return date - datetime.timedelta(days=max(0, date.weekday() - 4)) if domain == "legal" else date


def _fits(made, domain):
    low, high = DOMAINS[domain].WORDS
    return low <= len(made["text"].split()) <= high and all(subject["pii"] for subject in made["subjects"])


def lite(rows, seed):
    """A subset of the test rows, by domain and number of subjects, in the order of test."""
    chosen = set()
    for domain, wanted in LITE.items():
        of_domain = [made for made in rows if made["domain"] == domain]
        groups = {}
        for made in draws.ranked(of_domain, seed, NAME, "lite", by=lambda made: made["id"]):
            groups.setdefault(len(made["subjects"]), []).append(made["id"])
        quotas = choices.quotas(wanted, {size: len(ids) for size, ids in sorted(groups.items())})
        chosen.update(identity for size, ids in groups.items() for identity in ids[: quotas[size]])
    return [made for made in rows if made["id"] in chosen]


def statistics(rows):
    """Counts of a split for the manifest: documents, subjects, pairs, certainty, hardness, tags."""
    entries = [(made["id"], s["subject_id"], p) for made in rows for s in made["subjects"] for p in s["pii"]]
    pairs = {(document, subject, p["tag"]) for document, subject, p in entries}
    sure = {(document, subject, p["tag"]) for document, subject, p in entries if p["certainty"] >= CERTAIN}
    doubtful = sum(p["certainty"] < CERTAIN for _, _, p in entries)
    return {
        "documents": dict(sorted(Counter(made["domain"] for made in rows).items())),
        "subjects": sum(len(made["subjects"]) for made in rows),
        "pairs": len(pairs),
        "pairs_certain": len(sure),
        "doubtful_share": round(doubtful / len(entries), 4),
        "tags": dict(sorted(Counter(tag for _, _, tag in sure).items())),
        "hardness": dict(sorted(Counter(str(p["hardness"]) for _, _, p in entries).items())),
        "bytes": sum(len(row_json(made)) for made in rows),
    }
