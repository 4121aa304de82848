"""How much of a text an anonymiser leaves: ROUGE-L, chrF, non-sensitive tokens kept (METRICS §8)."""

from functools import cache

from rapidfuzz.distance import LCSseq


def rouge_l(original, anonymised):
    """F1 of the longest common subsequence over two lists of words; 1 for two empty ones."""
    if not original and not anonymised:
        return 1.0
    if not original or not anonymised:
        return 0.0
    common = LCSseq.similarity(original, anonymised)
    return 2 * common / (len(original) + len(anonymised))


@cache
def _chrf():
    from sacrebleu.metrics import CHRF

    return CHRF()


def chrf(original, anonymised):
    """sacreBLEU's chrF2 of an anonymised text against its original, from 0 to 1."""
    return _chrf().sentence_score(anonymised, [original]).score / 100
