"""The command line of the builders. Run from the repository root: `python -m build …`."""

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from build.publishing import commands as publishing
from build.pun import commands as pun
from build.subjects.commands import import_spia
from build.validation import commands
from scoring.errors import run_command

ROOT = Path(__file__).resolve().parent.parent
app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def main():
    """Build NymBench: collect the sources, release, verify."""


@app.command()
def collect(
    cache: Annotated[str, typer.Option(help="Where downloads are kept.")] = str(ROOT / ".cache" / "sources"),
    out: Annotated[str, typer.Option(help="The folder whose data/lexicons/ is written.")] = str(ROOT),
):
    """Download the pinned source packages as data and write data/lexicons/. The only step that needs a registry."""
    from build.sources.collect import collect as run

    for entry in run(out, cache)["lexicons"]:
        print(f"{entry['path']}: {entry['rows']} rows, {entry['bytes']} bytes")


@app.command()
def release(
    out: Annotated[str, typer.Option(help="The folder that takes the release.")] = str(ROOT),
    seed: Annotated[Optional[int], typer.Option(min=0, help="The release's seed.")] = None,
):
    """Build every config from the lexicons: data/, manifest.json and .huggingface.yaml."""
    from build.release import SEED
    from build.release import release as run

    manifest = run(ROOT, out, seed=SEED if seed is None else seed)
    _print_counts(manifest)


def _print_counts(manifest):
    for entry in manifest["files"]:
        print(f"{entry['config']}/{entry['split']}: {entry['rows']} rows, content {entry['content_sha256'][:12]}")


@app.command()
def variant(
    seed: Annotated[int, typer.Option(min=0, help="The variant's seed; the release has seed 0.")],
    out: Annotated[Optional[str], typer.Option(help="The folder that takes it; by default variants/SEED.")] = None,
    date: Annotated[Optional[str], typer.Option(help="The ISO date of its checks; by default the release's.")] = None,
    configs: Annotated[Optional[str], typer.Option(help="Only these configs, with commas between them.")] = None,
    scale: Annotated[int, typer.Option(min=1, help="How many times the release's rows; the README says of what.")] = 1,
    shards: Annotated[int, typer.Option(min=1, help="In how many parts it is made; the data hang on it.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="Processes that make shards; the data do not hang on it.")] = 1,
    scheduler: Annotated[Optional[str], typer.Option(help="A Dask scheduler whose workers make the shards.")] = None,
):
    """Build a fresh variant from the same lexicons with another seed, and measure its overlap with the release."""
    from build.release import Making
    from build.variant import variant as run

    out = out or str(ROOT / "variants" / str(seed))
    named = configs.split(",") if configs is not None else None
    making = Making(scale=scale, shards=shards, workers=workers, scheduler=scheduler)
    manifest = run(ROOT, out, seed, date, configs=named, making=making)
    _print_counts(manifest)
    for config, splits in manifest["overlap"].items():
        for split, shares in splits.items():
            print(f"{config}/{split} shared with the release:", _shares(shares))
    print(f"score with: python score.py evaluate PREDICTIONS --data {out}")


def _shares(found):
    return ", ".join(f"{kind} {'n/a' if share is None else f'{share:.1%}'}" for kind, share in found.items())


@app.command()
def diff(
    first: Annotated[str, typer.Argument(help="The folder of a release.")],
    second: Annotated[str, typer.Argument(help="The folder of another.")],
):
    """Compare the contents of two releases; exit with 1 when they differ."""
    from build.diff import diff as run

    lines = run(first, second)
    for line in lines:
        print(line)
    if lines:
        raise typer.Exit(1)
    print("the same rows in every split")


@app.command()
def prompts(
    config: Annotated[str, typer.Argument(help="The config.")],
    out: Annotated[str, typer.Option(help="The OpenAI Batch input file to write.")],
    model: Annotated[str, typer.Option(help="The model's name.")],
    stage: Annotated[str, typer.Option(help="The stage, such as recognise or summarise.")] = "recognise",
    split: Annotated[str, typer.Option(help="The split.")] = "lite",
    variant: Annotated[str, typer.Option(help="plain, hint or example.")] = "plain",
    data: Annotated[str, typer.Option(help="The folder of the release, or OWNER/NAME on the Hub.")] = str(ROOT),
    answers: Annotated[Optional[str], typer.Option(help="The earlier stage's answers, if needed.")] = None,
    replicates: Annotated[Optional[int], typer.Option(min=1, max=9999, help="How often each row is asked.")] = None,
    stratum: Annotated[Optional[str], typer.Option(help="Only the rows of this stratum.")] = None,
):
    """Write the prompts of a config and stage as OpenAI Batch JSONL; score.py reads what comes back."""
    from build.prompts import export

    more = {"replicates": replicates, "stratum": stratum}
    print(f"{out}: {export(data, config, stage, split, variant, model, out, answers, **more)} requests")


@app.command("check-templates")
def check_templates():
    """Run the tagger over every template inventory and record which sentences it admits."""
    from build.templates.tagger import check as run

    for name_type, (sentences, admitted) in run(ROOT).items():
        print(f"{name_type}: {admitted} of {sentences} first sentences admitted")


@app.command("annotation-sheet")
def annotation_sheet(
    out: Annotated[str, typer.Argument(help="The CSV file to write.")],
    per_type: Annotated[int, typer.Option(min=1, help="Snippets per type and kind of name.")] = 6,
    seed: Annotated[int, typer.Option(min=0, help="Which snippets are drawn, and their order.")] = 0,
):
    """Write a sheet for human raters: snippets in random order, the key beside it as OUT.key.csv."""
    from build.sheet import write as run

    print(f"{out}: {run(ROOT, out, per_type, seed)} snippets; the key is in {out}.key.csv")


@app.command()
def tiny():
    """Write examples/tiny, a release of ten rows per config, from the release in this folder."""
    from build.tiny import tiny as run

    _print_counts(run(ROOT))


@app.command()
def verify(folder: Annotated[str, typer.Argument(help="The folder of a release.")] = str(ROOT)):
    """Rehash, recount and validate a release against its manifest."""
    from build.verify import verify as run

    faults = run(folder)
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        raise typer.Exit(2)
    print(f"{folder}: whole and as its manifest says")


app.command()(publishing.card)
app.command()(publishing.push)
app.command("import-spia")(import_spia)
app.command()(commands.validate)
app.command("export-verdicts")(commands.export_verdicts)
app.command("export-traces")(commands.export_traces)
app.command()(commands.ablate)
app.command("export-pun")(pun.export_pun)
app.command("import-pun")(pun.import_pun)
app.command()(pun.agreement)
app.command()(pun.panel)
app.command("ablate-generation")(pun.ablate_generation)
app.command("plausibility-sheet")(pun.plausibility_sheet)


def run():
    """Run the command line; a fault the user can act on is printed and ends with status 2."""
    run_command(app)


if __name__ == "__main__":
    run()
