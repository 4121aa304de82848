"""Both harnesses run in this process, with a model that looks its replies up by the messages it gets."""

import contextlib
import io
import json

import inspect_ai
import lm_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from lm_eval.models.dummy import DummyLM
from lm_eval.tasks import TaskManager

import score
from build import prompts
from integrations.runs import FORMS
from tests.real import line
from tests.releases import ROOT, write_lines

USAGE = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
TASK_FILE = ROOT / "integrations" / "inspect_ai" / "tasks.py"
NAMES = {("prompt_injection", "recognise"): "nymbench_prompt_injection_recognise"}


def requests_of(config, form, folder, split, tmp_path):
    """{row id: (system, user)} of the first stage, as `python -m build prompts` writes them."""
    out = tmp_path / "requests.jsonl"
    prompts.export(folder, config, FORMS[config][form][0], split, "plain", "m", out)
    lines = [json.loads(text) for text in out.read_text(encoding="utf-8").splitlines()]
    return {
        one["custom_id"].partition("~")[0]: tuple(message["content"] for message in one["body"]["messages"])
        for one in lines
    }


def by_score(texts, stage, folder, split, tmp_path, *options):
    """The report of `score.py evaluate` for replies {row id: text} as a batch output file."""
    path = write_lines(tmp_path / "batch.jsonl", [line(f"{i}~{stage}", text) for i, text in texts.items()])
    return by_command(path, folder, split, tmp_path, *options)


def by_command(path, folder, split, tmp_path, *options):
    """The report of `score.py evaluate` for a file."""
    out = tmp_path / "score.json"
    command = ["evaluate", str(path), "--data", str(folder), "--split", split, "--missing", "count", "--out", str(out)]
    with contextlib.redirect_stdout(io.StringIO()):
        score.app([*command, *options], standalone_mode=False)
    return json.loads(out.read_text(encoding="utf-8"))


def output_of(text):
    """A model's output; an exception is raised, and a ModelOutput given as it is."""
    if isinstance(text, Exception):
        raise text
    made = text if isinstance(text, ModelOutput) else ModelOutput.from_content("mockllm", text)
    made.usage = USAGE  # else the mock model asks a tokeniser that it fetches from elsewhere
    return made


def by_inspect(config, reply, folder, split, tmp_path, *, parameters=None, roles=None, **options):
    """The log of inspect's eval; `reply` gets (system, user) and gives a text, an output or an exception."""

    def answer(messages, *_):
        return output_of(reply(tuple(message.text for message in messages)))

    given = {"split": split, "data": str(folder), "out": str(tmp_path), **(parameters or {})}
    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    more = {"model_roles": roles} if roles else {}
    task = f"{TASK_FILE}@{config}"
    logs = inspect_ai.eval(
        task,
        model,
        task_args=given,
        log_dir=str(tmp_path / "logs"),
        display="none",
        log_format="json",
        **more,
        **options,
    )
    return logs[0]


def metrics_of(log):
    """{metric: number} of a log."""
    return {name: found.value for name, found in log.results.scores[0].metrics.items()}


class TableLM(DummyLM):
    """lm-eval's dummy model with replies of its own."""

    def __init__(self, reply):
        super().__init__()
        self.reply = reply

    def generate_until(self, requests, disable_tqdm=False):
        return [self.reply(request.args[0]) for request in requests]


def by_lm_eval(config, form, reply, folder, split, tmp_path, **options):
    """{metric: number} of lm-eval; `reply` gets the whole prompt as one text."""
    given = {"split": split, "data": str(folder), "out": str(tmp_path)}
    name = NAMES.get((config, form), f"nymbench_{config}")
    manager = TaskManager(include_path=str(ROOT / "integrations" / "lm_eval"), include_defaults=False, metadata=given)
    with contextlib.redirect_stderr(io.StringIO()):
        found = lm_eval.simple_evaluate(
            TableLM(reply), tasks=[name], task_manager=manager, metadata=given, log_samples=False, **options
        )
    values = {key.removesuffix(",none"): value for key, value in found["results"][name].items() if "," in key}
    return {key: value for key, value in values.items() if "_stderr" not in key}


def report_in(tmp_path, config, split, form):
    """The report that a run wrote into its folder."""
    return json.loads((tmp_path / f"{config}.{split}.{form}.report.json").read_text(encoding="utf-8"))
