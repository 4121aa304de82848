"""Significance tests (METRICS §6, §9), guarded: where a test says nothing the p-value is None, with a reason.

scipy is imported where it is used. Its answers on ties and empty groups differ between versions, so those
cases never reach it.
"""

FEW = "fewer than two pairs"
TIES = "all differences are zero"
EMPTY = "a group is empty"


def mcnemar(gained, lost):
    """Two-sided exact McNemar p of discordant pairs, by the binomial test; no discordant pair gives 1.

    Args:
        gained, lost: numbers of pairs that changed one way and the other.
    """
    if not gained + lost:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(gained, gained + lost).pvalue)


def wilcoxon(differences):
    """(p, None) of the signed-rank test that drops zeros (zero_method "wilcox"), or (None, reason)."""
    if len(differences) < 2:
        return None, FEW
    if not any(differences):
        return None, TIES
    from scipy.stats import wilcoxon as signed_rank

    return float(signed_rank(differences, zero_method="wilcox").pvalue), None


def mann_whitney(first, second):
    """(rank-biserial 2U/(n1 n2) - 1 of the first, p, None), or (None, None, reason)."""
    if not len(first) or not len(second):
        return None, None, EMPTY
    if len(set(first) | set(second)) == 1:
        return 0.0, None, "all values are equal"
    from scipy.stats import mannwhitneyu

    found = mannwhitneyu(first, second, alternative="two-sided")
    return float(2 * found.statistic / (len(first) * len(second)) - 1), float(found.pvalue), None


def holm(records):
    """The records with `p_holm`, Holm's step-down adjustment of every p among them (Holm 1979)."""
    ordered = sorted((record for record in records if record.get("p") is not None), key=lambda record: record["p"])
    highest = 0.0
    for place, made in enumerate(ordered):
        highest = max(highest, min(1.0, made["p"] * (len(ordered) - place)))
        made["p_holm"] = highest
    for made in records:
        made.setdefault("p_holm", None)
    return records
