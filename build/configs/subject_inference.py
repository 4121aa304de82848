"""subject_inference (SPIA; TAB for spans): invented documents and what they reveal of each person in them.

names, places, phrases -> a world of persons -> a plan of facts -> text with spans -> what it revealed -> rows.
"""

import datetime
from collections import Counter

from build import draws
from build.configs.built import Built
from build.errors import BuildError
from build.subjects import choices, legal, merging, online, schema
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
SPARE_PERCENT, SPARE_LEAST = 20, 2
SCALES = "documents of both domains in test; lite and validation keep their size"


def build(root, seed, done=None, scale=1):
    """All splits of this config, from lexicons and phrase inventories; no other config is needed."""
    return merge(root, seed, scale, [shard(root, seed, scale, 0, 1)])


def shard(root, seed, scale, number, of):
    """{"test": [Item], "validation": rows}: every `of`-th document of test; validation is in the first shard.

    Within a shard no name of a person comes twice. Shards know nothing of each other, so where there are several of
    them spare documents of every kind are written as well.
    """
    counts = {domain: count * scale for domain, count in COUNTS["test"].items()}
    planned = plan("test", seed, counts, with_spares=of > 1)[number::of]
    validation = documents(root, "validation", seed, COUNTS["validation"]) if number == 0 else []
    return {"test": list(_items(root, "test", seed, planned, scale)), "validation": validation}


def merge(root, seed, scale, parts):
    """Built of all shards: of documents with a person of the same name the one of the lowest key is kept.

    Raises:
        BuildError: when the spare documents of a kind do not suffice.
    """
    test = merging.kept([item for part in parts for item in part["test"]])
    splits = {"test": test, "validation": parts[0]["validation"], "lite": lite(test, seed)}
    report = {split: statistics(rows) for split, rows in splits.items()}
    report["prior"] = prior_constants(splits["validation"])
    return Built(splits, report | {"minimum": {"legal": 150, "online": 550, "subjects": 1800, "pairs": 7100}})


def documents(root, split, seed, counts):
    """Rows of a split: `counts` documents per domain, sizes by quota. Deterministic in (split, seed, counts)."""
    return [item.row for item in _items(root, split, seed, plan(split, seed, counts), 1)]


def plan(split, seed, counts, with_spares=False):
    """[(key, kind)] of a split's documents; a key is (spare or not, number in its domain), a kind (domain, size, pair).

    With spares, which have keys of their own after all others, a fifth of each kind's documents is written once more.
    """
    made, spares = [], []
    for domain, count in counts.items():
        kinds = [(domain, *size) for size in sizes(domain, count, split, seed)]
        made += [((False, domain, number), kind) for number, kind in enumerate(kinds)]
        extra = {kind: n * SPARE_PERCENT // 100 + SPARE_LEAST for kind, n in sorted(Counter(kinds).items())}
        more = enumerate((kind for kind, n in extra.items() for _ in range(n)), count)
        spares += [((True, domain, number), kind) for number, kind in more]
    return made + spares if with_spares else made


def _items(root, split, seed, planned, scale):
    """The Items of some planned documents. Raises BuildError when names or phrases run dry."""
    world = World(Names(root, split, seed), Organisations(root))
    for place, ((spare, domain, number), kind) in enumerate(planned):
        try:
            row, names = _document(world, split, seed, number, *kind)
        except LookupError as error:
            largest = scale * place // len(planned)
            raise BuildError(f"{NAME}: --scale {scale} is too large ({error}); at most {largest} works") from error
        yield merging.Item((spare, domain, number), kind, names, row)


def sizes(domain, count, split, seed):
    """(number of subjects, whether two of them cannot be told apart) of each document, in random order."""
    shares = legal.CASTS if domain == "legal" else online.SIZES
    made = [(size, at) for size, quota in choices.quotas(count, shares).items() for at in range(quota)]
    able = [item for item in made if item[0] in online.PAIR_SIZES] if domain == "online" else []
    chosen = set(draws.ranked(able, seed, NAME, "pairs", split)[: -(-count * PAIR_PERCENT // 100)])
    return [(item[0], item in chosen) for item in draws.ranked(made, seed, NAME, "sizes", split, domain)]


def _document(world, split, seed, number, domain, size, pair):
    """The first attempt at a document whose words, facts and phrases all fit: its row, and the names of its persons."""
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
            names = [(person.given, person.surname) for person in scene.persons.values()]
            world.names.take(names)
            return made, names
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
