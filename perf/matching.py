"""Matching predicted entities to gold names, beside nervaluate on the same spans."""

import numpy as np

from baselines.run import SHIPPED
from perf import timing
from scoring import entities
from scoring.submission import read_submission
from scoring.truth import load_release

BAR = 5
TIMES = 10


def measure(root, rounds=5):
    """A line with the ratio, on spaCy's shipped predictions repeated ten times."""
    submission = read_submission(SHIPPED / "ambiguous_names.lite.spacy_md.jsonl.gz", load_release(root))
    truth, answers = submission.truth, submission.answers
    failed = np.zeros(truth.num_rows, dtype=bool)
    true, predicted = spans(root, submission)

    def ours():
        for _ in range(TIMES):
            entities.outcome.cache_clear()
            entities.score_rows(truth, answers, failed, entities.Labels())

    def peer():
        from nervaluate import Evaluator

        for _ in range(TIMES):
            Evaluator(true, predicted, tags=list(entities.LABELS), loader="dict").evaluate()

    rows = truth.num_rows * TIMES
    return timing.line(f"matching {rows:,} rows", "nervaluate", timing.ratio(ours, peer, rounds), BAR)


def spans(root, submission):
    """Gold and predicted spans as nervaluate reads them: a list a text of {label, start, end}.

    Both sides judge every predicted span, whatever its label, for detection is scored as well.
    """
    release = load_release(root)
    rows = release.table(submission.entry, ["id", "stratum", "start", "end"]).to_pylist()
    labels = entities.Labels()
    true, predicted = [], []
    for row in rows:
        is_name = row["stratum"] != "entity_control"
        true.append([{"label": "PERSON", "start": row["start"], "end": row["end"]}] if is_name else [])
        found = submission.answers[row["id"]]["entities"]
        predicted.append([{"label": labels(e["type"]), "start": e["start"], "end": e["end"]} for e in found])
    return true, predicted
