"""What the options of subject_inference hold: weights of tags, an adversary's answers on the original texts."""

import json
from pathlib import Path

from scoring.errors import UserError
from scoring.subjects.forms import LISTS

MOST = 1e9


def weights(path):
    """{tag: weight} of a JSON file. Raises UserError where it is no such file."""
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(f"{path}: not a readable JSON file ({error})") from error
    if not isinstance(found, dict) or not found or not all(map(_is_weight, found.values())):
        raise UserError(f"{path}: expected an object with a number from 0 on under tags such as NAME or AGE")
    unknown = sorted(set(found) - set(LISTS["tags"]))
    if unknown:
        raise UserError(f"{path}: no such tag as {unknown[0][:80]!r}; there are {', '.join(LISTS['tags'])}")
    return found


def _is_weight(number):
    return isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number < MOST


def original(submission, config):
    """The answers on the original texts. Raises UserError where the file is of another config, or holds no subjects."""
    if submission.config != config:
        raise UserError(
            f"{submission.path}: --original wants predictions of {config}, these are of {submission.config}"
        )
    if not any(one.get("subjects") is not None for one in submission.answers.values()):
        raise UserError(f"{submission.path}: holds no 'subjects': --original wants what the adversary inferred")
    return submission.answers
