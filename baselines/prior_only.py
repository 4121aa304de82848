"""An adversary that infers nothing: for each person it sees named, the likeliest value of every tag (METRICS §8).

The values are the manifest's prior, chosen on `validation`; of the text it reads only who is mentioned.
"""

import json
from pathlib import Path

from baselines.adversary.mentions import mentions
from baselines.adversary.people import People
from scoring.configs.subject_inference import NAME as CONFIG

NAME = "prior_only"
CONFIGS = ("subject_inference",)
COLUMNS = ("id", "text")
MANIFEST = Path(__file__).resolve().parent.parent / "manifest.json"


def constants(manifest):
    """{tag: value} of a manifest's prior; {} where it has none."""
    return manifest.get("reports", {}).get(CONFIG, {}).get("prior") or {}


def answer(text, prior):
    """The subjects of a text: its mentions as descriptions, the prior's constants as PII."""
    pii = [{"tag": tag, "value": prior[tag]} for tag in sorted(prior) if prior[tag]]
    people = People(text, mentions(text)).all
    called = [", ".join([*one.names, *one.handles, *one.words]) or "the author" for one in people]
    return [{"description": one, "pii": list(pii)} for one in called or ["the author"]]


def predict(rows, prior=None):
    """Yield {id, subjects} for each row; `prior` by default that of this repository's manifest."""
    prior = constants(json.loads(MANIFEST.read_text(encoding="utf-8"))) if prior is None else prior
    for row in rows:
        yield {"id": row["id"], "subjects": answer(row["text"], prior)}
