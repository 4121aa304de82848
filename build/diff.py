"""`diff A B`: do two releases hold the same rows? And how much of a variant is its base's."""

from collections import Counter

from build.templates import first_sentence
from scoring.truth import load_release


def diff(first, second):
    """How two releases differ, one line a difference; empty when every content hash is equal.

    Args:
        first, second: folders of releases.

    Raises:
        UserError: when one of them is no release.
    """
    releases = [load_release(folder) for folder in (first, second)]
    entries = [{(e["config"], e["split"]): e for e in release.manifest["files"]} for release in releases]
    lines = []
    for key in sorted(entries[0].keys() | entries[1].keys()):
        label = "/".join(key)
        if key not in entries[0] or key not in entries[1]:
            lines.append(f"{label}: only in {second if key not in entries[0] else first}")
        elif entries[0][key]["content_sha256"] != entries[1][key]["content_sha256"]:
            lines.append(f"{label}: {_row_difference(releases, entries, key)}")
    return lines


def _row_difference(releases, entries, key):
    ids = [_ids(release, found[key]) for release, found in zip(releases, entries, strict=True)]
    counts = (len(ids[0] - ids[1]), len(ids[1] - ids[0]), len(ids[0] & ids[1]))
    return "{} rows only in the first, {} only in the second, {} ids in both".format(*counts)


def _ids(release, entry):
    return set(release.table(entry, ["id"]).column("id").to_pylist())


def overlap(base, variant, manifest):
    """How much of each split of a variant its base holds too, by config and split, for the variant's manifest.

    Args:
        base, variant: folders of releases.
        manifest: the variant's manifest.

    Returns:
        {config: {split: {kind: share}}}: of the variant's distinct values of each kind that the config has (see
        `_values`), the share that some split of the base has; None where the base lacks the config.
    """
    found = {}
    known = {}
    wanted = {entry["config"] for entry in manifest["files"]}
    base, variant = load_release(base), load_release(variant)
    for entry in base.manifest["files"]:
        for values in _values(base, entry) if entry["config"] in wanted else ():
            for kind, own in values.items():
                known.setdefault(entry["config"], {}).setdefault(kind, set()).update(own)
    for entry in manifest["files"]:
        shared = known.get(entry["config"])
        found.setdefault(entry["config"], {})[entry["split"]] = _shares(_values(variant, entry), shared)
    return found


def _shares(pieces, shared):
    """{kind: share of the distinct values that `shared` holds too}; ids are distinct, so they need not be kept."""
    own, ids = {}, Counter()
    for values in pieces:
        rows = values.pop("rows", set())
        ids.update(all=len(rows), shared=len(rows & (shared or {}).get("rows", set())))
        for kind, some in values.items():
            own.setdefault(kind, set()).update(some)
    made = {"rows": ids["shared"] / ids["all"]} if ids["all"] else {}
    made |= {kind: len(values & (shared or {}).get(kind, set())) / len(values) for kind, values in own.items()}
    return {kind: round(share, 4) if shared else None for kind, share in made.items()}


def _values(release, entry):
    """Yield `_values_of` the rows of each file of a split."""
    return (_values_of(table.to_pylist()) for _, table in release.tables(entry))


def _values_of(rows):
    """Distinct ids, names (per type), and what else the config has: first sentences, templates, name components."""
    unknown = [row for row in rows if row.get("stratum") == "unknown"]
    found = {
        "rows": {row["id"] for row in rows},
        "names": {name for row in rows for name in _names(row)},
        "first_sentences": {first_sentence(row["template_id"]) for row in rows if "template_id" in row},
        "templates": {row["template_id"] for row in rows if "template_id" in row},
        "unknown_names": {row["name"] for row in unknown},
        "unknown_components": {row[part] for row in unknown for part in ("given", "surname")},
    }
    return {kind: values for kind, values in found.items() if values}


def _names(row):
    """The one name of a row with its stratum and type, or the names of a document's subjects."""
    if "subjects" not in row:
        return [(row["stratum"], row.get("name_type"), row["name"])] if "name" in row else []
    return [pii["value"] for subject in row["subjects"] for pii in subject["pii"] if pii["tag"] == "NAME"]
