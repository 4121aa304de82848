"""`card`: the generated parts of DATASET_CARD.md, from manifest and schemas; its prose is written by hand."""

import json
from pathlib import Path

from build import hub
from build.pages import fill, table
from build.release import MANIFEST
from scoring import schemas
from scoring.summary import write_atomically

CARD = "DATASET_CARD.md"
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def write(root):
    """Write every generated part of the card at `root` anew."""
    path = Path(root) / CARD
    write_atomically(path, render(root, path.read_text(encoding="utf-8")).encode("utf-8"))


def render(root, text):
    """The card's text with its generated parts made from the manifest and the data at `root`."""
    manifest = json.loads((Path(root) / MANIFEST).read_text(encoding="utf-8"))
    text = front_matter(root, manifest) + text[text.index("\n# ") :]
    parts = {
        "splits": splits(manifest),
        "attribution": attribution(manifest),
        "lexicons": lexicon_table(manifest),
        "omitted": "\n".join(f"- {entry['what']}: {entry['why']}" for entry in manifest["omitted"]),
        "canary": f"`{manifest['canary']}`",
        "readings": readings(manifest),
    }
    for config, report in manifest["reports"].items():
        parts[f"fields {config}"] = fields(config)
        if config == "ambiguous_names":
            parts[f"counts {config}"] = counts(report)
            parts[f"excluded {config}"] = excluded(report)
        elif config == "unknown_names":
            parts[f"counts {config}"] = strata_counts(report)
            parts[f"attrition {config}"] = attrition(manifest)
        elif config == "subject_inference":
            parts[f"counts {config}"] = document_counts(report)
        else:
            parts[f"counts {config}"] = plain_counts(report)
    for name, content in parts.items():
        text = fill(text, name, content)
    return text


def front_matter(root, manifest):
    """The YAML head that the Hub reads, for the release at `root`."""
    rows = max(entry["rows"] for entry in manifest["files"])
    head = {
        "pretty_name": manifest["name"],
        "license": "cc-by-sa-4.0",
        "language": ["en"],
        "task_categories": ["token-classification", "text-generation"],
        "tags": ["privacy", "pii", "named-entity-recognition", "benchmark"],
        "size_categories": [next(label for limit, label in SIZES if rows < limit)],
        "configs": hub.configs(manifest),
        "dataset_info": hub.dataset_info(root, manifest),
    }
    return f"---\n{hub.as_yaml(head)}---\n"


def splits(manifest):
    """A table of all splits."""
    rows = [("config", "split", "rows", "bytes", "content hash")]
    for entry in manifest["files"]:
        short = f"`{entry['content_sha256'][:12]}`"
        rows.append((entry["config"], entry["split"], f"{entry['rows']:,}", f"{entry['bytes']:,}", short))
    return table(rows)


def attribution(manifest):
    """A table of every source with its licences and attribution."""
    rows = [("package", "version", "used for", "licence of code", "licence of data", "attribution")]
    keys = ("package", "version", "used_for", "licence_code", "licence_data", "attribution")
    rows += [tuple(source[key] for key in keys) for source in manifest["sources"]]
    return table(rows, numbers=False)


def lexicon_table(manifest):
    """A table of the lexicons' sizes and hashes."""
    rows = [("lexicon", "rows", "bytes", "content hash")]
    for entry in manifest["lexicons"]:
        short = f"`{entry['content_sha256'][:12]}`"
        rows.append((entry["name"], f"{entry['rows']:,}", f"{entry['bytes']:,}", short))
    return table(rows)


def readings(manifest):
    """A table of the two readings of the curated lists."""
    keys = ("entries", "confirmed", "agreement", "decoys", "decoys_taken_for_real", "verified", "verified_share")
    rows = [("list", *(key.replace("_", " ") for key in keys))]
    for name in ("companies", "eponyms"):
        rows.append((name, *(str(manifest["readings"][name][key]) for key in keys)))
    return table(rows)


def fields(config):
    """A table of a config's columns, from its row schema."""
    schema = schemas.load(schemas.schema_name(config, "row"))
    rows = [("column", "meaning")]
    rows += [(f"`{name}`", column["description"]) for name, column in schema["properties"].items()]
    return table(rows, numbers=False)


def counts(report):
    """A table of the counts reached per type, against the minima, and the balance of the matched control."""
    keys = ("eligible", "ambiguous", "minimum", "shortfall", "verified_neighbour", "matched", "entity_control")
    header = ("type", *(key.replace("_", " ") for key in keys), "log count, std. diff.", "length, std. diff.")
    rows = [header]
    for name_type, found in _types(report):
        balance = found["balance"]
        numbers = [f"{found[key]:,}" for key in keys]
        rows.append((name_type, *numbers, f"{balance['log_count']:.3f}", f"{balance['length']:.3f}"))
    return table(rows)


def plain_counts(report):
    """A table of a config's counts as its builder reports them."""
    keys = sorted({key for found in report.values() for key in found})
    rows = [("stratum", *keys)]
    rows += [(name, *(f"{found[key]:,}" for key in keys)) for name, found in report.items()]
    return table(rows)


def strata_counts(report):
    """A table of the rows per stratum and split."""
    names = list(report["strata"])
    rows = [("stratum", *names)]
    for stratum in sorted({key for found in report["strata"].values() for key in found}, key=_numbered):
        rows.append((stratum, *(f"{report['strata'][split].get(stratum, 0):,}" for split in names)))
    return table(rows)


def document_counts(report):
    """A table of documents, subjects, pairs and the prior's constants of subject_inference."""
    names = [split for split in ("test", "lite", "validation") if split in report]
    found = {split: report[split] for split in names}
    rows = [("count", *names)]
    for domain in ("legal", "online"):
        rows.append((f"{domain} documents", *(f"{one['documents'].get(domain, 0):,}" for one in found.values())))
    for key in ("subjects", "pairs", "pairs_certain"):
        rows.append((key.replace("_", ", "), *(f"{one[key]:,}" for one in found.values())))
    rows.append(("share of PII at certainty below 3", *(f"{one['doubtful_share']:.1%}" for one in found.values())))
    for tag in report["test"]["tags"]:
        rows.append((f"units, {tag}", *(f"{one['tags'].get(tag, 0):,}" for one in found.values())))
    return table(rows)


def _numbered(stratum):
    kind, _, number = stratum.partition("_")
    return (kind, int(number)) if number.isdecimal() else (stratum, 0)


def attrition(manifest):
    """Two tables like PUN's Tables 4 and 11: components left by each filter, and what became of the candidates."""
    report = manifest["reports"]["unknown_names"]["attrition"]
    left = {}
    for role, listed in manifest["attrition"]["components"].items():
        found = report["components"][role]
        words = sum(count for reason, count in found["dropped"].items() if not reason.startswith("of a country"))
        more = [("no word, title or common name", found["in the lexicon"] - words)]
        more += [("of a country with enough of them", found["kept"])]
        for label, count in [(one["filter"], one["left"]) for one in listed] + more:
            left.setdefault(label, {})[role] = f"{count:,}"
    roles = list(report["components"])
    first = [("components left", *roles)]
    first += [(label, *(counts.get(role, "") for role in roles)) for label, counts in left.items()]
    second = [("candidates", "count", "% of all")]
    for one in report["candidates"]:
        percent = "" if one["percent"] is None else f"{one['percent']:.2f}"
        second.append((f"{one['stage']}: {one['category']}", f"{one['count']:,}", percent))
    return table(first) + "\n\n" + table(second)


def excluded(report):
    """A table of how many otherwise fitting names each kind of key in the exclusion lexicon dropped."""
    kinds = sorted({kind for _, found in _types(report) for kind in found["excluded"]})
    rows = [("type", *kinds)]
    for name_type, found in _types(report):
        if found["excluded"]:
            rows.append((name_type, *(str(found["excluded"].get(kind, 0)) for kind in kinds)))
    return table(rows)


def _types(report):
    return [(name, found) for name, found in report.items() if isinstance(found, dict)]
