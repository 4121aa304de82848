"""Batch outputs of an adversary that works in stages: what it found of a document is joined, and half of it is none."""

import json
import random

import pytest

from scoring.errors import UserError
from scoring.subjects.joining import joined
from scoring.subjects.values import CODE
from tests.real import line, report_of, rows_of, values_of

ROWS = rows_of("subject_inference")
STAGES = ("identify_subjects", "infer_code", "infer_non_code")


def subject(description, **tags):
    return {"description": description, "pii": [{"tag": tag, "value": value} for tag, value in tags.items()]}


def gold(row, kept=lambda tag: True):
    return [
        subject(one["description"], **{p["tag"]: p["value"] for p in one["pii"][::-1] if kept(p["tag"])})
        for one in row["subjects"]
    ]


def staged(row):
    """The lines of all stages for a row, answered with the truth."""
    answers = {
        "identify_subjects": [{"description": one["description"]} for one in row["subjects"]],
        "infer_code": gold(row, lambda tag: tag in CODE),
        "infer_non_code": gold(row, lambda tag: tag not in CODE),
    }
    made = [line(f"{row['id']}~{stage}", json.dumps({"subjects": found})) for stage, found in answers.items()]
    return [*made, line(f"{row['id']}~anonymise", json.dumps({"anonymized_text": row["text"]}))]


def whole(row, *, text=True):
    found = {"id": row["id"], "subjects": gold(row)}
    return found | {"anonymized_text": row["text"]} if text else found


def test_subjects_are_joined_by_description_and_place():
    """Joined by hand."""
    names = [subject("a man"), subject("a man"), subject("the judge")]
    code = [subject("a man", EMAIL_ADDRESS="a@b.example"), subject("a man"), subject("the judge")]
    other = [subject("the judge", OCCUPATION="Judge"), subject("a man", NAME="Anton"), subject("a boy", SEX="Male")]
    assert joined([names, code, other]) == [
        subject("a man", EMAIL_ADDRESS="a@b.example"),
        subject("a man", NAME="Anton"),
        subject("the judge", OCCUPATION="Judge"),
        subject("a boy", SEX="Male"),
    ]


def test_stages_in_any_order_score_as_whole_answers(tmp_path):
    lines = [made for row in ROWS for made in staged(row)]
    random.Random(4).shuffle(lines)
    report = report_of(tmp_path, lines)
    assert report["metrics"] == report_of(tmp_path, [whole(row) for row in ROWS])["metrics"]
    assert values_of(report)["cpr", "all"] == 0


@pytest.mark.parametrize("lost", STAGES)
@pytest.mark.parametrize(
    ("answer", "kind"), [(None, "failed"), ("no JSON", "unparsable"), ('{"subjects": 3}', "unparsable")]
)
def test_half_an_adversary_is_none(tmp_path, lost, answer, kind):
    first, *others = ROWS
    lost_id = f"{first['id']}~{lost}"
    lines = [found for found in staged(first)[:3] if found["custom_id"] != lost_id]
    lines.append(line(lost_id, answer) if answer else {"custom_id": lost_id, "response": None, "error": {"code": "x"}})
    report = report_of(tmp_path, lines + [whole(row, text=False) for row in others])
    assert report["coverage"][kind] == 1
    assert values_of(report)["match_rate", "all"] < 1


@pytest.mark.parametrize("stage", STAGES[1:])
def test_a_stage_that_one_row_lacks_is_its_failure(tmp_path, stage):
    lines = [found for row in ROWS for found in staged(row)]
    dropped = f"{ROWS[0]['id']}~{stage}"
    report = report_of(tmp_path, [found for found in lines if found["custom_id"] != dropped])
    assert any(f"{stage!r} are missing" in warning for warning in report["warnings"])
    assert values_of(report)["match_rate", "all"] < 1


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_without_the_others_is_refused(tmp_path, stage):
    lines = [line(f"{row['id']}~{stage}", '{"subjects": []}') for row in ROWS]
    with pytest.raises(UserError, match="none of infer_"):
        report_of(tmp_path, lines)


@pytest.mark.parametrize("other", ["", "~infer", "~infer_code"])
def test_a_second_answer_to_a_part_is_refused(tmp_path, other):
    row_id = ROWS[0]["id"]
    lines = [line(f"{row_id}~infer_code", '{"subjects": []}'), line(row_id + other, '{"subjects": []}')]
    with pytest.raises(UserError, match="a second prediction"):
        report_of(tmp_path, lines)
