"""`diff A B`: do two releases hold the same rows? And how much of a variant is its base's."""

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
        {config: {split: {rows, names, first_sentences, templates}}}, shares of the variant's distinct values
        that some split of the base has, of what its rows have; None where the base lacks the config.
    """
    found = {}
    known = {}
    for entry in load_release(base).manifest["files"]:
        for kind, values in _values(base, entry).items():
            known.setdefault(entry["config"], {}).setdefault(kind, set()).update(values)
    for entry in manifest["files"]:
        values = _values(variant, entry)
        shared = known.get(entry["config"])
        found.setdefault(entry["config"], {})[entry["split"]] = {
            kind: round(len(own & shared[kind]) / len(own), 4) if shared else None for kind, own in values.items()
        }
    return found


def _values(folder, entry):
    """Distinct ids, names (per type), first sentences and templates of one split, where its rows have them."""
    rows = load_release(folder).table(entry).to_pylist()
    found = {"rows": {row["id"] for row in rows}}
    if "name" in rows[0]:
        found["names"] = {(row["stratum"], row.get("name_type"), row["name"]) for row in rows}
    if "subjects" in rows[0]:
        found["names"] = {pii["value"] for row in rows for pii in _pii(row) if pii["tag"] == "NAME"}
    if "template_id" in rows[0]:
        found["first_sentences"] = {first_sentence(row["template_id"]) for row in rows}
        found["templates"] = {row["template_id"] for row in rows}
    return found


def _pii(row):
    return [pii for subject in row["subjects"] for pii in subject["pii"]]
