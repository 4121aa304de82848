"""Each unknown name is paired with a known one of like length, so that abstention can be judged in pairs."""

from collections import Counter

from build import draws


def pair(rows, paired, seed):
    """Set `paired_known` of every unknown row to the id of a known row among `rows`.

    The known name nearest in length is taken; of equally near ones the least used, then by keyed hash. Without known
    names nothing is paired.

    Args:
        rows: rows of one split, with ids.
        paired: rows whose unknown names are paired already and keep their partners.
    """
    kept = {row["id"] for row in paired if row["stratum"] == "unknown"}
    known = [row for row in rows if row["stratum"].startswith("known_")]
    if not known:
        return
    ranked = draws.ranked(known, seed, "unknown_names", "pairs", by=lambda row: row["id"])
    used = Counter()
    unknown = [row for row in rows if row["stratum"] == "unknown" and row["id"] not in kept]
    for row in draws.ranked(unknown, seed, "unknown_names", "paired", by=lambda row: row["id"]):
        size = len(row["name"])
        best = min(ranked, key=lambda one: (abs(len(one["name"]) - size), used[one["id"]]))
        used[best["id"]] += 1
        row["paired_known"] = best["id"]
