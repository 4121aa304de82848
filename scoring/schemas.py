"""JSON Schemas and word lists from `schemas/`, and validation against them.

Bulk checks use jsonschema-rs; only an object that fails is given to jsonschema, for its messages.
"""

import json
from functools import cache
from itertools import islice
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "schemas"
MESSAGE_LENGTH = 240
MOST_ERRORS = 10
VALUE_LENGTH = 60
NO_JSON = "the object: holds a value that is none of JSON's, such as NaN"


@cache
def load(name):
    """The parsed JSON file `schemas/<name>`."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def schema_name(config, kind):
    """File name of a config's schema; `kind` is "row" or "prediction"."""
    return f"{config}.{kind}.schema.json"


@cache
def _bulk_validator(name):
    import jsonschema_rs

    return jsonschema_rs.validator_for(load(name))


def is_valid(name, instance):
    """Whether `instance` is valid under `schemas/<name>`."""
    return validator(name)(instance)


@cache
def validator(name):
    """A function that says whether an object is valid under `schemas/<name>`; for many objects."""
    check = _bulk_validator(name).is_valid

    def is_valid(instance):
        try:
            return check(instance)
        except ValueError:  # a value that JSON does not know, as a Parquet column may hold
            return False

    return is_valid


def errors(name, instance):
    """What is wrong with `instance`, one message a fault, each with the place in the object; at most ten.

    Never empty for what is not valid: where jsonschema has no objection, the object holds a value that JSON has not.
    """
    import jsonschema

    validator = jsonschema.Draft202012Validator(load(name))
    found = list(islice(validator.iter_errors(instance), MOST_ERRORS))
    if not found and not is_valid(name, instance):
        return [NO_JSON]
    return [_message(error) for error in sorted(found, key=_place)]


def _place(error):
    return [(isinstance(part, str), str(part) if isinstance(part, str) else part) for part in error.absolute_path]


def _message(error):
    """One fault as text; where any of several forms would do, what is wrong with each of them."""
    if error.context:
        return ", or ".join(map(_message, error.context))
    found = repr(error.instance)
    message = error.message
    if len(found) > VALUE_LENGTH:
        message = message.replace(found, f"{found[:VALUE_LENGTH]}…")
    text = f"{error.json_path[2:] or 'the object'}: {message}"
    if len(text) > MESSAGE_LENGTH:
        text = text[: MESSAGE_LENGTH - 1] + "…"
    return text
