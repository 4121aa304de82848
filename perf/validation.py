"""Validating predictions, beside plain jsonschema on the same ones, and as a share of all scoring."""

import json
import tempfile
from pathlib import Path

from perf import timing
from perf.bars import Bar, beside
from perf.scoring import CONFIG, write_gold
from scoring import pipeline, schemas
from scoring.truth import load_release

LEAST, SHARE = 10, 0.2
PEERS_PART = 20


def bars(root, *, quick=False):
    """The ratio to jsonschema, which is given a twentieth of the rows, and the share of scoring them."""
    split = "lite" if quick else "test"
    release = load_release(root)
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "gold.jsonl"
        rows = write_gold(root, split, path)
        predictions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        whole = timing.seconds(lambda: pipeline.evaluate(path, release, split=split))
    name = schemas.schema_name(CONFIG, "prediction")
    validate = plain(name)
    few = predictions[::PEERS_PART]
    measured = timing.ratio(lambda: ours(name, few), lambda: [validate(one) for one in few], 3)
    yield beside(f"validating {len(few):,} predictions", "jsonschema", measured, LEAST)
    spent = timing.seconds(lambda: ours(name, predictions))
    detail = f"{spent:.3f} s of {whole:.3f} s"
    yield Bar(f"validating {rows:,} predictions, share of scoring", spent / whole, SHARE, False, "of it", detail)


def ours(name, predictions):
    """Validate as the scorer does."""
    return [schemas.is_valid(name, one) for one in predictions]


def plain(name):
    """jsonschema's own check of one object."""
    import jsonschema

    return jsonschema.Draft202012Validator(schemas.load(name)).is_valid
