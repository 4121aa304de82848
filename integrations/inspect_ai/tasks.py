"""NymBench's tasks for inspect_ai, one a config; the README beside this file has the commands."""

import sys
from pathlib import Path

# inspect loads this file by its path, so that the clone's packages are not on the path yet
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from dataclasses import asdict

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import generate

from integrations.inspect_ai.asking import answered, chat, later_stages, nymbench
from integrations.runs import Run

HEADLINE = {
    "ambiguous_names": "recall/ambiguous/average",
    "usernames": "recall/ambiguous",
    "prompt_injection": "leakage_change/ambiguous/average",
    "unknown_names": "balanced_accuracy/all",
    "subject_inference": "cpr/all",
}


@task
def ambiguous_names(split: str = "lite", data: str = ".", prompt: str = "plain", out: str | None = None):
    """Mark the entities of a text (prompt: plain, hint or example)."""
    return _task(Run("ambiguous_names", "recognise", split, data, prompt, out=out))


@task
def usernames(split: str = "lite", data: str = ".", prompt: str = "plain", out: str | None = None):
    """Mark the entities of a text that holds a handle (prompt: plain, hint or example)."""
    return _task(Run("usernames", "recognise", split, data, prompt, out=out))


@task
def prompt_injection(
    split: str = "lite", data: str = ".", form: str = "summarise", prompt: str = "plain", out: str | None = None
):
    """Summarise conversations (form summarise), rate the summaries too (audit), or mark entities (recognise)."""
    return _task(Run("prompt_injection", form, split, data, prompt, out=out))


@task
def unknown_names(split: str = "lite", data: str = ".", form: str = "screen", out: str | None = None):
    """Tell what is known of a name; labelled by the published rules (form screen) or by a model (adjudicate)."""
    return _task(Run("unknown_names", form, split, data, adjudicate="rules" if form == "screen" else None, out=out))


@task
def subject_inference(split: str = "lite", data: str = ".", form: str = "anonymise", out: str | None = None):
    """Anonymise documents (form anonymise), infer PII of everybody in them (infer), or one after the other."""
    return _task(Run("subject_inference", form, split, data, out=out))


def _task(run):
    release = run.release()
    entry = release.entry(run.config, run.split)
    later = [later_stages(run.config, run.form, run.variant)] if len(run.stages) > 1 else []
    return Task(
        dataset=MemoryDataset([_sample(run, row) for row in run.rows()], name=f"{run.config}/{run.split}"),
        solver=[generate(), *later],
        scorer=answered(run.config, run.form),
        metrics=[nymbench(**asdict(run))],
        score_on_error=True,
        name=run.config,
        version=release.manifest["version"],
        metadata={"seed": release.manifest["seed"], "content_sha256": entry["content_sha256"], "form": run.form},
    )


def _sample(run, row):
    _, messages = next(run.asked(row))
    return Sample(input=chat(messages), id=row["id"], metadata=row)
