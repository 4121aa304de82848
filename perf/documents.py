"""Scoring the documents of subject_inference with spans and utility, and ROUGE-L beside a plain table of lengths."""

import json
import tempfile
from pathlib import Path

from perf import timing
from perf.bars import at_most, beside
from scoring import pipeline
from scoring.subjects.utility import rouge_l
from scoring.text import words
from scoring.truth import load_release

CONFIG = "subject_inference"
SECONDS, LEAST = 5, 10
COMPARED = 20


def bars(root, *, quick=False):
    """Seconds for all documents of a split with every second sensitive span masked, and the ratio of ROUGE-L."""
    split = "lite" if quick else "test"
    release = load_release(root)
    rows = release.table(release.entry(CONFIG, split)).to_pylist()
    masked = [{"id": row["id"], "anonymized_text": mask(row)} for row in rows]
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "masked.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in masked), encoding="utf-8")
        spent = timing.seconds(lambda: pipeline.evaluate(path, release, split=split))
    yield at_most(f"scoring {len(rows)} anonymised documents", spent, SECONDS)
    pairs = [(words(row["text"]), words(one["anonymized_text"])) for row, one in zip(rows, masked, strict=True)]
    few = sorted(pairs, key=lambda pair: -len(pair[0]))[: 2 if quick else COMPARED]
    measured = timing.ratio(lambda: [rouge_l(*one) for one in few], lambda: [plain(*one) for one in few], 3)
    yield beside(f"ROUGE-L of the {len(few)} longest", "a plain table of lengths", measured, LEAST)


def mask(row):
    """The text of a document with every second of its sensitive spans replaced by a placeholder."""
    text = row["text"]
    spans = [(one["start"], one["end"]) for one in row["entities"] if one["identifier_type"] != "NO_MASK"]
    for start, end in sorted(spans, reverse=True)[::2]:
        text = f"{text[:start]}[PERSON]{text[end:]}"
    return text


def plain(original, anonymised):
    """ROUGE-L's F1 by the textbook table of common subsequences' lengths, a row at a time."""
    lengths = [0] * (len(anonymised) + 1)
    for word in original:
        above = lengths
        lengths = [0]
        for place, other in enumerate(anonymised):
            longest = above[place] + 1 if word == other else max(above[place + 1], lengths[place])
            lengths.append(longest)
    return 2 * lengths[-1] / (len(original) + len(anonymised))
