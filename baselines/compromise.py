"""compromise (npm compromise 14.17.0, under Node): the people, places and organisations that its rules find."""

import json
import subprocess
import tempfile
from pathlib import Path

from build.sources.fetch import fetch_npm

NAME = "compromise"
CONFIGS = ("ambiguous_names", "usernames", "prompt_injection")
HERE = Path(__file__).resolve().parent
CACHE = HERE.parent / ".cache" / "systems"


def library():
    """The library's one file, from the pinned package."""
    (pin,) = json.loads((HERE / "pins.npm.json").read_text(encoding="utf-8"))
    return fetch_npm(CACHE, pin).path("builds", "three", "compromise-three.cjs")


def predict(rows):
    """Yield a prediction for each row; offsets come in UTF-16 units and are given in code points."""
    rows = list(rows)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as texts:
        texts.writelines(json.dumps(row["text"]) + "\n" for row in rows)
        texts.seek(0)
        command = ["node", str(HERE / "compromise.cjs"), str(library())]
        done = subprocess.run(command, stdin=texts, stdout=subprocess.PIPE, check=True)
    answers = done.stdout.decode("utf-8").splitlines()
    for row, answer in zip(rows, answers, strict=True):
        yield {"id": row["id"], "entities": [_entity(row["text"], found) for found in json.loads(answer)]}


def _entity(text, found):
    units = text.encode("utf-16-le")
    start = len(units[: 2 * found["start"]].decode("utf-16-le"))
    length = len(units[2 * found["start"] : 2 * (found["start"] + found["length"])].decode("utf-16-le"))
    return {"text": text[start : start + length], "type": found["type"], "start": start, "end": start + length}
