"""subject_inference (METRICS §8; SPIA): what can still be inferred of each person of a text, however good its masking.

A file may hold what an adversary inferred (`subjects`), anonymised texts (`anonymized_text`), or both. Each half is
scored where some row has it, and rows without it count as failed there.
"""

from scoring.subjects import options, records, values
from scoring.subjects.joining import joined

NAME = "subject_inference"
PREFIX = "si"
REPLICATES = False
FIELDS = frozenset({"id", "subjects", "anonymized_text"})
SUBJECT_FIELDS = frozenset({"description", "pii"})
PII_FIELDS = frozenset({"tag", "value"})
COLUMNS = ("id", "domain", "text", "target_subject", "entities", "subjects")
HEADLINE = {
    "cpr": "higher",
    "ipr": "higher",
    "one_minus_aac": "higher",
    "excess_leak": "lower",
    "match_rate": "higher",
    "token_recall": "higher",
    "entity_recall_direct": "higher",
    "entity_recall_quasi": "higher",
    "rouge_l": "higher",
}
DIRECTIONS = HEADLINE | {"weighted_cpr": "higher", "recovery": "lower", "chrf": "higher", "retained_tokens": "higher"}
LEAST = {"subjects": []}
JOINED = ("identify_subjects", "infer_code", "infer_non_code")
JOINED_NEEDS = ("infer_code", "infer_non_code")
STAGES = {
    "": FIELDS - {"id"},
    "anonymise": frozenset({"anonymized_text"}),
    **dict.fromkeys(("infer", *JOINED), frozenset({"subjects"})),
}
PARTS = {
    "": frozenset({"anonymized_text", *JOINED}),
    "anonymise": STAGES["anonymise"],
    "infer": frozenset(JOINED),
    **{stage: frozenset({stage}) for stage in JOINED},
}
EMPTY = {stage: {"anonymized_text": ""} if stage == "anonymise" else {"subjects": []} for stage in STAGES}
OPTIONS = {"weights": lambda value: "custom", "original": lambda value: "given"}
LONGEST_TEXT = 1 << 20
UNCALIBRATED = (
    "Uncalibrated: give the same adversary's answers on the original texts with --original to see how much of what it "
    "could infer there is left."
)


def join(parts):
    """The field `subjects` from the stages that fill it together, or None where one of those needed is lost.

    Args:
        parts: {stage: {"subjects": list}}; a stage that failed holds nothing. Half an adversary is none.
    """
    if any(not parts.get(stage) for stage in (*parts, *JOINED_NEEDS)):
        return None
    return {"subjects": joined([parts[stage]["subjects"] for stage in JOINED if stage in parts])}


def keys_of(prediction):
    """Yield (where, known fields, found fields) for the object, its subjects and their PII."""
    yield "", FIELDS, prediction.keys()
    for at, subject in enumerate(_objects(prediction.get("subjects"))):
        yield f"subjects[{at}].", SUBJECT_FIELDS, subject.keys()
        for place, pii in enumerate(_objects(subject.get("pii"))):
            yield f"subjects[{at}].pii[{place}].", PII_FIELDS, pii.keys()


def _objects(found):
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def trim(prediction):
    """Of a model's answer, subjects and PII that are no objects are left out, as are tags outside the fifteen."""
    if isinstance(prediction.get("subjects"), list):
        prediction["subjects"] = [_trimmed(subject) for subject in _objects(prediction["subjects"])]


def _trimmed(subject):
    pii = [
        {"tag": found["tag"], "value": str(found["value"])}
        for found in _objects(subject.get("pii"))
        if found.get("tag") in values.LISTS["tags"] and isinstance(found.get("value"), str | int | float)
    ]
    return {"description": str(subject.get("description") or ""), "pii": pii}


def is_empty(prediction):
    """Whether no subject was found, or, without an adversary, nothing of the text is left."""
    if prediction.get("subjects") is not None:
        return not prediction["subjects"]
    return not prediction["anonymized_text"].strip()


def check(truth, answers, places, faults):
    """Note every anonymised text that is too long to be one."""
    for row_id, prediction in answers.items():
        size = len(prediction.get("anonymized_text") or "")
        if size > LONGEST_TEXT:
            message = f"an anonymized_text of {size} characters; at most {LONGEST_TEXT} are read"
            faults.add(message, place=places[row_id], row_id=row_id)


def resolve(chosen, release, submission, read):
    """What `score` needs beside the answers: the release's prior, the weights, the answers on the original texts.

    Args:
        chosen: {option: path}: `weights` of {tag: number}, `original` of answers on the original texts.
        read: reads another submission for the same split, given its path.
    """
    report = release.manifest.get("reports", {}).get(NAME, {})
    weights = options.weights(chosen["weights"]) if "weights" in chosen else None
    original = options.original(read(chosen["original"]), NAME) if "original" in chosen else None
    return {"prior": report.get("prior"), "weights": weights, "original": original}


def score(truth, answers, failed, *, labels=None, progress=iter, prior=None, weights=None, original=None):
    """All records of one submission; `failed` is not read, since each half has its own failed rows."""
    return records.records(truth, answers, prior=prior, weights=weights, original=original, progress=progress)


def measures(truth, answers, failed, *, labels=None, salt="", prior=None, weights=None, original=None):
    """Every metric that has an interval as a measure, by group and metric; `salt` keys the resampling."""
    return records.measures(truth, answers, prior=prior, weights=weights, original=original, salt=salt)


def notes(answers, unreadable, made):
    """A line where what is inferred cannot be held against what was inferred before."""
    return [UNCALIBRATED] if any(r.get("reason") == records.UNCALIBRATED for r in made) else []


def tables(made):
    """The tables on the screen: protection by group and tag, then spans and utility."""
    found = {(record["metric"], record["group"]): record for record in made}
    shown = [
        (
            ("cpr", "ipr", "prior_cpr", "excess_leak", "match_rate", "recovery"),
            ("all", "legal", "online", "target", "others"),
        ),
        (("cpr", "prior_cpr"), (*(f"tag/{tag}" for tag in values.LISTS["tags"]), "code", "non_code")),
        (("cpr",), tuple(f"hardness/{level}" for level in range(1, 6))),
        (("token_recall", "entity_recall_direct", "entity_recall_quasi"), ("all", "legal", "online")),
        (("rouge_l", "chrf", "retained_tokens"), ("all", "legal", "online")),
        (("one_minus_aac", "adversary_precision", "match_rate_without_pii", "weighted_cpr"), ("all",)),
    ]
    return [rows for metrics, groups in shown if (rows := _table(found, metrics, groups))]


def _table(found, metrics, groups):
    rows = [(group, *(found.get((metric, group)) for metric in metrics)) for group in groups]
    rows = [row for row in rows if any(cell is not None for cell in row[1:])]
    return [("group", *metrics), *rows] if rows else []
