"""What the YAML files of this folder call: the rows with their prompts, the answers as items, their numbers."""

import json
import sys
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

# lm-eval loads this file by its path, so that the clone's packages are not on the path yet
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

import datasets
import yaml

from integrations.results import numbers, report_of
from integrations.runs import Run, line
from scoring.subset import NothingToScore

PARAMETERS = ("split", "data", "variant", "out")


def load(config, form, adjudicate=None, **parameters):
    """{"test": dataset} of a config's rows: id, the prompt's `system` and `user`, and the `run` as JSON.

    Args:
        config, form, adjudicate: as in runs.Run, from the YAML file.
        parameters: split, data, variant and out, from --metadata; what lm-eval adds there is not read.
    """
    given = {name: parameters[name] for name in PARAMETERS if name in parameters}
    run = Run(config, form, adjudicate=adjudicate, **given)
    said = json.dumps(asdict(run), sort_keys=True)
    rows = []
    for row in run.rows():
        _, (system, user) = next(run.asked(row))
        # without a chat template lm-eval joins the two as they stand
        rows.append({"id": row["id"], "run": said, "system": system["content"] + "\n\n", "user": user["content"]})
    return {"test": datasets.Dataset.from_list(rows)}


def process_results(doc, results):
    """The one answer of a row, as the item of every metric of its config: (metric, run, id, text)."""
    return {name: (name, doc["run"], doc["id"], results[0]) for name in _metrics(doc["run"])}


@lru_cache(maxsize=8)
def _metrics(run):
    """The metrics that the YAML file of a run's task lists."""
    found = json.loads(run)
    path = Path(__file__).resolve().parent / f"{found['config']}.{found['form']}.yaml"
    listed = yaml.load(path.read_text(encoding="utf-8").replace("!function", ""), yaml.SafeLoader)["metric_list"]
    return tuple(one["metric"] for one in listed)


def number(items):
    """A metric's number over all items, None where nothing can be computed."""
    return _numbers(tuple(item[1:] for item in items)).get(items[0][0])


@lru_cache(maxsize=1)
def _numbers(answers):
    """All numbers of one run's answers; kept, since each metric asks for them."""
    run = Run(**json.loads(answers[0][0]))
    try:
        return numbers(run, report_of(run, [line(row_id, run.stages[0], text) for _, row_id, text in answers]))
    except NothingToScore:
        return {"coverage/expected": 0}
