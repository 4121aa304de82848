"""Every anonymiser against every adversary on subject_inference: answers, then reports of each pair (METRICS §8).

The adversary reads the original texts and each anonymiser's; a pair's file holds the anonymised texts and what was
inferred from them, and is scored with the answers on the originals beside it, so that recovery is known.
"""

import json
from pathlib import Path

from baselines import run as runner
from scoring.configs.subject_inference import NAME as CONFIG
from scoring.errors import UserError
from scoring.submission import read_submission
from scoring.summary import write_atomically
from scoring.truth import load_release

ANONYMISERS = ("target_only", "mask_direct", "mask_all", "spacy_mask", "presidio_mask")
ADVERSARIES = ("prior_only", "rules_adversary")
ORIGINAL = "original"


def pair(anonymiser, adversary):
    """The name under which a pair's report lies."""
    return f"{anonymiser}+{adversary}"


def pairs():
    """(anonymiser or "original", adversary) in the order of the tables."""
    return [(anonymiser, adversary) for adversary in ADVERSARIES for anonymiser in (ORIGINAL, *ANONYMISERS)]


def rows_for(release, split, name):
    """The rows of a split with the columns that a system is shown."""
    return release.table(release.entry(CONFIG, split), runner.columns(name)).to_pylist()


def anonymised(release, split, anonymiser):
    """{id: text} of an anonymiser's answers on a split; the texts themselves for "original"."""
    if anonymiser == ORIGINAL:
        table = release.table(release.entry(CONFIG, split), ["id", "text"])
        return {row["id"]: row["text"] for row in table.to_pylist()}
    rows = rows_for(release, split, anonymiser)
    return {one["id"]: one["anonymized_text"] for one in runner.system(anonymiser).predict(rows)}


def attack(adversary, texts, manifest):
    """{id: subjects} that an adversary infers from texts alone, given as {id: text}, and the release's prior."""
    module = runner.system(adversary)
    rows = [{"id": one, "text": text} for one, text in texts.items()]
    more = {"prior": module.constants(manifest)} if hasattr(module, "constants") else {}
    return {one["id"]: one["subjects"] for one in module.predict(rows, **more)}


def attack_file(path, adversary, split=None, folder=runner.ROOT):
    """What an adversary infers from somebody's anonymised texts: (texts, subjects), each by id.

    Args:
        path: a predictions file with `anonymized_text`, or None for the original texts of the split.
        split: the split; by default the smallest that holds every id of the file.

    Raises:
        UserError: for a faulty file, or one without anonymised texts.
    """
    release = load_release(folder)
    if path is None:
        texts = anonymised(release, split, ORIGINAL)
    else:
        answers = read_submission(path, release, split=split).answers
        texts = {
            one: answer["anonymized_text"]
            for one, answer in answers.items()
            if answer.get("anonymized_text") is not None
        }
    if not texts:
        raise UserError(f"{path}: no row has an `anonymized_text`")
    return texts, attack(adversary, texts, release.manifest)


def write_pair(path, texts, subjects):
    """Write one file of predictions: texts and what was inferred from them."""
    lines = [
        json.dumps({"id": one, "anonymized_text": texts[one], "subjects": subjects[one]}, ensure_ascii=False) + "\n"
        for one in texts
    ]
    write_atomically(path, "".join(lines).encode("utf-8"))


def run_all(split="test", folder=runner.ROOT, work=runner.WORK, reports=None):
    """Run and score every pair on a split; yields (name, report) and writes the reports.

    Args:
        folder: the release's.
        work: where predictions are left.
        reports: where reports go; by default baselines/reports/.
    """
    release, work = load_release(folder), Path(work)
    work.mkdir(parents=True, exist_ok=True)
    texts = {name: anonymised(release, split, name) for name in (ORIGINAL, *ANONYMISERS)}
    for anonymiser, adversary in pairs():
        name = pair(anonymiser, adversary)
        path = predictions_path(work, split, name)
        write_pair(path, texts[anonymiser], attack(adversary, texts[anonymiser], release.manifest))
        yield name, score(release, split, name, work, reports)


def score(release, split, name, work, reports=None):
    """Score a pair's file beside the adversary's on the originals; writes and returns the report."""
    original = predictions_path(work, split, pair(ORIGINAL, name.partition("+")[2]))
    path = predictions_path(work, split, name)
    return runner.score(release, name, CONFIG, split, path, reports, original=original)


def predictions_path(work, split, name):
    """Where a pair's predictions lie in the work folder."""
    return Path(work) / f"{CONFIG}.{split}.{name}.jsonl"
