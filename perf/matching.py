"""Matching predicted entities to gold names, beside nervaluate on the same spans."""

import numpy as np

from baselines.run import SHIPPED
from perf import timing
from perf.bars import beside, growth
from scoring import entities
from scoring.submission import read_submission
from scoring.truth import load_release

LEAST = 5


def bars(root, *, quick=False):
    """The ratio to nervaluate on spaCy's shipped predictions, and how our cost grows with their repetition."""
    submission = read_submission(SHIPPED / "ambiguous_names.lite.spacy_md.jsonl.gz", load_release(root))
    true, predicted = spans(root, submission)
    times, rounds = (1, 1) if quick else (10, 5)

    def peer():
        from nervaluate import Evaluator

        for _ in range(times):
            Evaluator(true, predicted, tags=list(entities.LABELS), loader="dict").evaluate()

    what = f"matching {submission.truth.num_rows * times:,} rows"
    yield beside(what, "nervaluate", timing.ratio(lambda: ours(submission, times), peer, rounds), LEAST)
    if not quick:
        sizes = [timing.seconds(lambda times=times: ours(submission, times)) for times in (1, 10, 100)]
        yield growth("matching", sizes)


def ours(submission, times):
    """Match a submission's entities so many times, each time as if nothing had been matched before."""
    failed = np.zeros(submission.truth.num_rows, dtype=bool)
    for _ in range(times):
        entities.outcome.cache_clear()
        entities.score_rows(submission.truth, submission.answers, failed, entities.Labels())


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
