"""Leaks of a name into a summary (METRICS §3, §6), and near leaks: a run of words one letter from it."""

import numpy as np

from scoring.text import comparison_form, find_on_boundaries, words


def leak_rows(truth, answers, progress=iter):
    """Arrays over the truth's rows: `leak` and `near` (0/1) and `audit` (score, 0 where there is none).

    Rows without a summary have 0 everywhere; callers set what a failure counts.
    """
    size = truth.num_rows
    found = {key: np.zeros(size, dtype=np.int64) for key in ("leak", "near", "audit")}
    columns = (truth.column(name).to_pylist() for name in ("id", "name", "neighbours"))
    for index, (row_id, name, neighbours) in enumerate(progress(zip(*columns, strict=True))):
        prediction = answers.get(row_id)
        if prediction is None or "summary" not in prediction:
            continue
        found["audit"][index] = int(prediction.get("audit_score") or 0)
        if leaks(prediction["summary"], name):
            found["leak"][index] = 1
        else:
            found["near"][index] = nearly_leaks(prediction["summary"], name, [near["text"] for near in neighbours])
    return found


def lacking(truth, answers, field):
    """Boolean array over the truth's rows: True where no answer holds the field."""
    ids = truth.column("id").to_pylist()
    return np.array([answers.get(row_id, {}).get(field) is None for row_id in ids], dtype=bool)


def leaks(summary, name):
    """Whether the name stands in the summary, on word boundaries, in any case and Unicode form."""
    return find_on_boundaries(comparison_form(name), comparison_form(summary)) >= 0


def nearly_leaks(summary, name, neighbours):
    """Whether some run of as many words as the name has is one edit from it and is no neighbour."""
    from rapidfuzz.distance import Levenshtein

    target = " ".join(words(name))
    known = {" ".join(words(near)) for near in neighbours}
    found, length = words(summary), len(words(name))
    for at in range(len(found) - length + 1):
        run = " ".join(found[at : at + length])
        is_close = abs(len(run) - len(target)) <= 1 and Levenshtein.distance(run, target, score_cutoff=1) == 1
        if is_close and run not in known:
            return True
    return False
