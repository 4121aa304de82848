"""Running a system on a split: predictions to a file, scored by score.py's own parts into a report."""

import gzip
import importlib
import json
from pathlib import Path

from scoring.pipeline import evaluate
from scoring.summary import report_json, write_atomically
from scoring.truth import load_release

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SYSTEMS = ("spacy_sm", "spacy_md", "presidio", "compromise", "vicary", "every_word", "local_lookup", "says_found")
EXAMPLES = ("spacy_md", "local_lookup")
REPORTS = HERE / "reports"
SHIPPED = HERE / "predictions"
WORK = ROOT / ".cache"


def system(name):
    """The module of a system."""
    return importlib.import_module(f"baselines.{name}")


def columns(name):
    """The columns of a row that a system is shown."""
    return list(getattr(system(name), "COLUMNS", ("id", "text")))


def write_predictions(out, predictions):
    """Write predictions as gzipped JSONL; equal predictions give equal bytes."""
    with open(out, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as stream:
        for prediction in predictions:
            stream.write(json.dumps(prediction, ensure_ascii=False).encode() + b"\n")


def predict(release, name, config, split, out):
    """Write a system's predictions for one split."""
    table = release.table(release.entry(config, split), columns(name))
    write_predictions(out, system(name).predict(table.to_pylist()))


def tiny(name):
    """Predictions of a system for the ten-row examples, as plain JSONL, and the reports expected of them."""
    folder = ROOT / "examples" / "tiny"
    release = load_release(folder)
    for config in system(name).CONFIGS:
        rows = release.table(release.entry(config, "test"), columns(name)).to_pylist()
        lines = [json.dumps(prediction, ensure_ascii=False) + "\n" for prediction in system(name).predict(rows)]
        path = folder / f"{config}.jsonl"
        write_atomically(path, "".join(lines).encode())
        write_atomically(folder / f"{config}.report.json", report_json(evaluate(path, release).report))


def rescore(name, config, split="test", work=WORK):
    """Score predictions that `run` left in the work folder, after a change of the scorer; rewrites the report."""
    return score(load_release(ROOT), name, config, split, predictions_path(work, config, split, name))


def score(release, name, config, split, predictions, reports=None, **options):
    """Score a file of predictions; writes the system's report and returns it.

    Args:
        reports: the folder of reports; by default baselines/reports/.
        options: of the config, such as `original`.
    """
    report = evaluate(predictions, release, split=split, system=name, options=options).report
    folder = Path(reports or REPORTS)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / report_path(name, config, split).name, report_json(report))
    return report


def predictions_path(work, config, split, name):
    """Where a system's predictions lie in a work folder."""
    return Path(work) / f"{config}.{split}.{name}.jsonl.gz"


def report_path(name, config, split="test"):
    """Where the committed report of a system lies."""
    return REPORTS / f"{config}.{split}.{name}.json"


def run(name, config, split, folder=ROOT, work=WORK):
    """Predict and score one system on one split; writes and returns its report."""
    release = load_release(folder)
    Path(work).mkdir(parents=True, exist_ok=True)
    path = predictions_path(work, config, split, name)
    predict(release, name, config, split, path)
    return score(release, name, config, split, path)
