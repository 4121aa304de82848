"""`python -m baselines`, from the repository root: run the systems, ship predictions, write the results tables."""

import shutil
from pathlib import Path
from typing import Annotated, Optional

import typer

from baselines import findings, tables
from baselines import run as runner
from baselines import subjects as pairs
from baselines import summaries as summarised
from scoring.errors import UserError, run_command
from scoring.truth import load_release

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def main():
    """Real systems on the release."""


@app.command()
def run(
    system: Annotated[Optional[str], typer.Option(help="One system; by default all.")] = None,
    split: Annotated[str, typer.Option(help="The split.")] = "test",
):
    """Run systems on every config they can answer and write their reports."""
    for name in [system] if system else runner.SYSTEMS:
        for config in runner.system(name).CONFIGS:
            print(runner.run(name, config, split)["signature"], name)


@app.command()
def rescore():
    """Score the predictions of the last runs again, without running the systems."""
    for name in runner.SYSTEMS:
        for config in runner.system(name).CONFIGS:
            print(runner.rescore(name, config)["signature"], name)


@app.command()
def subjects(split: Annotated[str, typer.Option(help="The split.")] = "test"):
    """Run every anonymiser against every adversary on subject_inference and write their reports."""
    for name, report in pairs.run_all(split):
        print(report["signature"], name)


@app.command()
def summaries(split: Annotated[str, typer.Option(help="The split.")] = "test"):
    """Summarise prompt_injection behind every detector, from its last run, and write the reports."""
    for name, report in summarised.run_all(split):
        print(report["signature"], name)


@app.command()
def attack(
    out: Annotated[Path, typer.Option(help="Where texts and inferred subjects go, for `score.py evaluate`.")],
    texts: Annotated[
        Optional[Path], typer.Argument(help="Your anonymised texts; without it the original ones.")
    ] = None,
    split: Annotated[Optional[str], typer.Option(help="The split; by default the smallest that holds the ids.")] = None,
    adversary: Annotated[str, typer.Option(help="The adversary.")] = "rules_adversary",
    data: Annotated[Path, typer.Option(help="The release or variant.")] = runner.ROOT,
):
    """Infer what can be inferred from anonymised texts of subject_inference."""
    if texts is None and split is None:
        raise UserError("without texts, say of which split the original ones are to be read: --split lite")
    pairs.write_pair(out, *pairs.attack_file(texts, adversary, split, data))


@app.command()
def ship(
    system: Annotated[str, typer.Option(help="The system.")] = "spacy_md",
    config: Annotated[str, typer.Option(help="The config.")] = "ambiguous_names",
):
    """Write a system's predictions for `lite` into baselines/predictions/."""
    runner.SHIPPED.mkdir(exist_ok=True)
    draft = runner.SHIPPED / "draft"
    runner.predict(load_release(runner.ROOT), system, config, "lite", draft)
    shutil.move(draft, runner.SHIPPED / f"{config}.lite.{system}.jsonl.gz")


@app.command()
def tiny(system: Annotated[Optional[str], typer.Option(help="One system; by default those of the examples.")] = None):
    """Write systems' predictions for examples/tiny and the reports that are expected of them."""
    for name in [system] if system else runner.EXAMPLES:
        runner.tiny(name)


@app.command()
def table():
    """Write the results tables of README.md, RESULTS.md and the card from the committed reports."""
    tables.write_all()
    findings.write()


if __name__ == "__main__":
    run_command(app)
