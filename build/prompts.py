"""`prompts`: the prompts of a config and stage as an OpenAI Batch input file, a request a row."""

import json
import re
from pathlib import Path

from build.errors import BuildError
from scoring import batch
from scoring.answers import collect
from scoring.configs import BY_NAME
from scoring.errors import Faults
from scoring.hub import open_release
from scoring.replicates import by_row, key_of
from scoring.submission import module_of
from scoring.summary import check_output, write_atomically

FOLDER = Path(__file__).resolve().parent.parent / "prompts"
ENDPOINT = "/v1/chat/completions"
NOT_FOR_MODELS = "survey"
NAMES_SUBJECTS = "identify_subjects"
SPOKEN = frozenset({"text", "name"})
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def stages(config):
    """The stages that a config has prompts for, sorted."""
    names = [path.name.split(".") for path in FOLDER.glob("*.json")]
    return sorted(stage for found, stage, _ in names if found == config)


def prompt(config, stage, variant):
    """{"system", "user"} of one variant. Raises BuildError when there is none, naming those there are."""
    path = FOLDER / f"{config}.{stage}.json"
    if stage not in stages(config):
        raise BuildError(
            f"no prompts for {config} at stage {stage!r} (there are: {', '.join(stages(config)) or 'none'})"
        )
    variants = json.loads(path.read_text(encoding="utf-8"))["variants"]
    if variant not in variants:
        raise BuildError(f"{config}/{stage} has no variant {variant!r} (there are: {', '.join(sorted(variants))})")
    return variants[variant]


def export(root, config, stage, split, variant, model, out, answers=None, *, replicates=None, stratum=None):
    """Write the requests for one split. Returns their number.

    Args:
        root: the folder of the release, or OWNER/NAME on the Hub.
        model: the model's name, as the endpoint knows it.
        out: the JSONL file to write.
        answers: the answers of an earlier stage (a predictions or batch output file), for prompts that
            speak of them; rows without such an answer get no request. Its replicates stay apart.
        replicates: how often each row is asked, for configs that take replicates; None asks once, without a number.
        stratum: only the rows of this stratum.
    """
    if stage == NOT_FOR_MODELS:
        raise BuildError("the survey is for human raters: see 'python -m build annotation-sheet'")
    found = prompt(config, stage, variant)
    if replicates and not (config in BY_NAME and BY_NAME[config].REPLICATES):
        raise BuildError(f"{config} takes no replicates: every row is answered once")
    release = open_release(root)
    folder = release.folder
    check_output(out, [answers, folder / "manifest.json"], [folder / "data", folder / "schemas", FOLDER])
    rows = release.table(release.entry(config, split)).to_pylist()
    rows = [row for row in rows if stratum in (None, row.get("stratum"))]
    earlier, spoken = _earlier(answers)
    answered = by_row(earlier)
    tag = "" if set(stages(config)) <= {stage, NOT_FOR_MODELS} else stage
    lines = []
    asked = [(row, number) for row in rows for number in _numbers(answered.get(row["id"], ()), replicates)]
    for row, number in asked:
        values = {name: row[name] for name in spoken if name in row} | earlier.get(key_of(row["id"], number), {})
        if set(_PLACEHOLDER.findall(found["user"])) <= values.keys():
            lines.append(json.dumps(_request(row["id"], tag, number, found, values, model)) + "\n")
    if not rows:
        raise BuildError(f"{config}/{split} has no rows of the stratum {stratum!r}")
    if not lines:
        wanted = ", ".join(sorted(set(_PLACEHOLDER.findall(found["user"]))))
        raise BuildError(f"{config}/{stage} speaks of {wanted}: give the earlier stage's answers with --answers")
    write_atomically(out, "".join(lines).encode("utf-8"))
    return len(lines)


def _numbers(answered, replicates):
    """The numbers of a row's replicates: those asked for, else those that the earlier stage answered."""
    return range(1, replicates + 1) if replicates else answered or (None,)


def _request(row_id, tag, number, found, values, model):
    messages = [
        {"role": "system", "content": found["system"]},
        {"role": "user", "content": fill(found["user"], values)},
    ]
    body = {"model": model, "messages": messages}
    custom_id = batch.custom_id(row_id, tag, "" if number is None else number)
    return {"custom_id": custom_id, "method": "POST", "url": ENDPOINT, "body": body}


def fill(text, values):
    """The text with its placeholders filled in one pass, so that braces in a value stay as they are."""
    return _PLACEHOLDER.sub(lambda match: str(values[match[1]]) if match[1] in values else match[0], text)


def _earlier(path):
    """What an earlier stage answered, by the key of row and replicate, and the columns that a row itself still gives.

    Of a row the prompts speak of no more than its text and name: its other columns may hold the truth.
    """
    if path is None:
        return {}, SPOKEN
    faults = Faults(path)
    found = collect(path, faults, module_of, whole=False)
    faults.raise_if_any()
    given = {
        key: answer | found.parts.get(key, {}).get(NAMES_SUBJECTS, {}) for key, answer in found.predictions.items()
    }
    anonymised = any("anonymized_text" in answer for answer in given.values())
    return {key: said(answer) for key, answer in given.items()}, SPOKEN - ({"text"} if anonymised else set())


def said(answer):
    """What a stage's answer gives to the prompts of later ones, as {placeholder: text}; blank texts count as none.

    An anonymised text stands in place of the text, and of subjects the descriptions alone, as JSON.
    """
    texts = {name: text for name, text in answer.items() if name != "id" and isinstance(text, str) and text.strip()}
    if "anonymized_text" in texts:
        texts["text"] = texts["anonymized_text"]
    if isinstance(answer.get("subjects"), list):
        named = [{"description": subject["description"]} for subject in answer["subjects"]]
        texts["subjects"] = json.dumps(named, ensure_ascii=False)
    return texts
