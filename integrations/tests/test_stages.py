"""Forms of several stages, replicates, failures and refusals."""

import json

import pytest
from inspect_ai.model import ModelOutput, get_model

from integrations.runs import FORMS, Run, line
from integrations.tests import harnesses
from integrations.tests.replies import TINY, gold, masked, rows_of
from scoring.configs import BY_NAME
from scoring.errors import UserError
from tests import releases

SEVERAL = [(config, form) for config, forms in FORMS.items() for form, stages in forms.items() if len(stages) > 1]


def whole(config, row, form):
    """The prediction that the gold replies of all stages come to, made without them."""
    answers = {stage: gold(row, stage) for stage in FORMS[config][form]}
    if config == "prompt_injection":
        return {"id": row["id"]} | json.loads(answers["summarise"]) | json.loads(answers["audit"])
    if config == "unknown_names":
        return {"id": row["id"]} | json.loads(answers["adjudicate"])
    code, other = (json.loads(answers[stage])["subjects"] for stage in ("infer_code", "infer_non_code"))
    named = [{**a, "pii": a["pii"] + b["pii"]} for a, b in zip(code, other, strict=True)]
    text = {"anonymized_text": masked(row)} if "anonymise" in answers else {}
    return {"id": row["id"], "subjects": named, **text}


def table_of(config, form, rows):
    """{(system, user): the gold reply} of all stages of all rows."""
    run, table = Run(config, form, "test", str(TINY)), {}
    for row in rows:
        steps = run.asked({key: row[key] for key in ("id", *run._fields())})
        stage, messages = next(steps)
        while messages:
            table[tuple(one["content"] for one in messages)] = gold(row, stage)
            try:
                stage, messages = steps.send(line(row["id"], stage, gold(row, stage)))
            except StopIteration:
                break
    return table


@pytest.mark.parametrize(("config", "form"), SEVERAL)
def test_all_stages_come_to_whole_predictions(config, form, tmp_path):
    rows = rows_of(config)
    table = table_of(config, form, rows)
    log = harnesses.by_inspect(config, table.__getitem__, TINY, "test", tmp_path, parameters={"form": form})
    path = releases.write_lines(tmp_path / "whole.jsonl", [whole(config, row, form) for row in rows])
    wanted = harnesses.by_command(path, TINY, "test", tmp_path)
    made = harnesses.report_in(tmp_path, config, "test", form)
    assert log.status == "success"
    assert (made["metrics"], made["coverage"]) == (wanted["metrics"], wanted["coverage"])


PASSED_OVER = [
    ("prompt_injection", "audit", {"summarise": '{"summary": " "}'}, ["summarise"]),
    ("prompt_injection", "audit", {"summarise": "no JSON"}, ["summarise"]),
    ("prompt_injection", "audit", {}, ["summarise", "audit"]),
    ("unknown_names", "adjudicate", {"screen": " "}, ["screen"]),
    ("subject_inference", "infer", {"identify_subjects": "no JSON"}, ["identify_subjects"]),
    ("subject_inference", "infer", {"identify_subjects": '{"subjects": []}'}, FORMS["subject_inference"]["infer"]),
    ("subject_inference", "anonymise_and_infer", {"anonymise": '{"anonymized_text": ""}'}, ["anonymise"]),
]


@pytest.mark.parametrize(("config", "form", "replies", "asked"), PASSED_OVER)
def test_a_stage_without_its_text_is_passed_over(config, form, replies, asked, tmp_path):
    row = rows_of(config)[0]
    run, found = Run(config, form, "test", str(TINY)), []
    steps = run.asked({key: row[key] for key in ("id", *run._fields())})
    stage, _ = next(steps)
    while stage:
        found.append(stage)
        try:
            stage, _ = steps.send(line(row["id"], stage, replies.get(stage, gold(row, stage))))
        except StopIteration:
            break
    assert found == asked


def test_the_adversary_reads_the_anonymised_text_and_nothing_else():
    row = rows_of("subject_inference")[0]
    steps = Run("subject_inference", "anonymise_and_infer", "test", str(TINY)).asked(
        {k: row[k] for k in ("id", "text")}
    )
    _, messages = next(steps)
    assert row["text"] in messages[1]["content"]
    stage, messages = steps.send(line(row["id"], "anonymise", '{"anonymized_text": "A man went home."}'))
    assert stage == "identify_subjects" and "A man went home." in messages[1]["content"]
    assert row["text"] not in messages[1]["content"]


@pytest.mark.parametrize("lost", FORMS["subject_inference"]["infer"])
def test_an_adversary_that_loses_a_stage_everywhere_is_a_failure(lost, tmp_path):
    rows = rows_of("subject_inference")
    table = table_of("subject_inference", "infer", rows)
    marks = {"identify_subjects": "list every individual", "infer_code": "find the codes", "infer_non_code": "NAME:"}
    reply = lambda asked: "no JSON" if marks[lost] in asked[0] else table[asked]  # noqa: E731
    log = harnesses.by_inspect("subject_inference", reply, TINY, "test", tmp_path, parameters={"form": "infer"})
    numbers = harnesses.metrics_of(log)
    assert log.status == "success"
    assert (numbers["match_rate/all"], numbers["coverage/scored"]) == (0, 0)


def test_a_role_gives_another_model_to_the_audit(tmp_path):
    rows, asked = rows_of("prompt_injection"), []
    table = table_of("prompt_injection", "audit", rows)

    def rate(messages, *_):
        asked.append(messages[1].text)
        return harnesses.output_of('{"audit_score": 1}')

    other = get_model("mockllm/other", custom_outputs=rate, memoize=False)
    harnesses.by_inspect(
        "prompt_injection", table.get, TINY, "test", tmp_path, parameters={"form": "audit"}, roles={"auditor": other}
    )
    assert len(asked) == len(rows)


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (ModelOutput.from_content("m", "I can't.", stop_reason="content_filter"), "refused"),
        (RuntimeError("overloaded"), "failed"),
        ("no JSON", "unparsable"),
        (" ", "empty"),
    ],
)
def test_no_row_is_dropped(made, kind, tmp_path):
    asked = harnesses.requests_of("usernames", "recognise", TINY, "test", tmp_path)
    first, *_ = asked.values()
    reply = lambda messages: made if messages == first else '{"entities": [{"text": "x", "type": "PER"}]}'  # noqa: E731
    log = harnesses.by_inspect("usernames", reply, TINY, "test", tmp_path, retry_on_error=0, fail_on_error=False)
    numbers = harnesses.metrics_of(log)
    assert (numbers["coverage/expected"], numbers["coverage/missing"], numbers[f"coverage/{kind}"]) == (10, 0, 1)
    assert numbers["coverage/scored"] == (10 if kind == "empty" else 9)
    if kind != "empty":
        assert numbers["fdr/ambiguous"] == 1


def test_epochs_are_replicates_where_a_config_takes_them(tmp_path):
    rows, asked = rows_of("unknown_names"), {}

    def reply(messages):
        asked[messages] = asked.get(messages, 0) + 1
        return "no_info" if asked[messages] == 1 else "similar"

    log = harnesses.by_inspect("unknown_names", reply, TINY, "test", tmp_path, epochs=2, max_connections=1)
    said = [{"id": row["id"], "replicate": n, "label": ("no_info", "similar")[n - 1]} for row in rows for n in (1, 2)]
    path = releases.write_lines(tmp_path / "two.jsonl", said)
    wanted = harnesses.by_command(path, TINY, "test", tmp_path)
    made = harnesses.report_in(tmp_path, "unknown_names", "test", "screen")
    assert log.status == "success" and "agreement" in {record["metric"] for record in wanted["metrics"]}
    assert made["metrics"] == wanted["metrics"]


def test_epochs_are_refused_where_rows_are_answered_once(tmp_path):
    log = harnesses.by_inspect("usernames", lambda _: '{"entities": []}', TINY, "test", tmp_path, epochs=2)
    assert log.status == "error" and "takes no replicates" in log.error.message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"form": "rate"}, "no form 'rate'.*summarise, audit, recognise"),
        ({"form": "audit", "adjudicate": "model"}, "'rules' or nothing"),
        ({"form": "audit", "out": "no/such/folder"}, "does not exist"),
        ({"form": "audit", "out": "data/usernames"}, "among the release"),
    ],
)
def test_parameters_that_fit_nothing_are_named(given, message):
    with pytest.raises(UserError, match=message):
        Run("prompt_injection", **given)


def test_every_form_asks_stages_of_its_config():
    assert FORMS.keys() == BY_NAME.keys()
    for config, forms in FORMS.items():
        for stages in forms.values():
            assert set(stages) <= set(BY_NAME[config].STAGES)
