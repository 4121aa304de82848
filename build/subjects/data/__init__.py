"""The facts that the generator of subject_inference draws on, one JSON file a kind."""

import json
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@cache
def load(name):
    """The parsed file `<name>.json` of this folder; callers do not change it."""
    return json.loads((_HERE / f"{name}.json").read_text(encoding="utf-8"))
