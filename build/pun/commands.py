"""The command line of unknown_names beside the validator's; `build.__main__` registers these."""

from pathlib import Path
from typing import Annotated, Optional

import typer

ROOT = Path(__file__).resolve().parent.parent.parent
Data = Annotated[str, typer.Option(help="The folder of the release.")]


def export_pun(
    out: Annotated[str, typer.Option(help="A new folder for the CSV files.")],
    split: Annotated[str, typer.Option(help="The split.")] = "test",
    data: Data = str(ROOT),
):
    """Write unknown_names as the CSV files of the published PUN release, with its columns."""
    from build.pun.export import export
    from scoring.truth import load_release

    for name, count in export(load_release(data), out, split).items():
        print(f"{name}: {count} rows")


def import_pun(
    source: Annotated[str, typer.Argument(help="The folder with your copy of the published CSV files.")],
    out: Annotated[str, typer.Option(help="A new folder for the release.")],
):
    """Make a release folder of your own copy of the published PUN files; score with --data OUT."""
    from build.pun.importer import convert

    manifest = convert(source, ROOT, out)
    report = manifest["reports"]["unknown_names"]
    for name, count in {**report["imported"], **report["left_out"]}.items():
        print(f"{name}: {count}")
    print(f"score with: python score.py evaluate PREDICTIONS --data {out}")


def agreement(
    verdicts: Annotated[str, typer.Argument(help="A run's verdicts, as export-verdicts writes them.")],
    data: Data = str(ROOT),
):
    """Hold the verdicts of a validation run of your own against the released ones."""
    from build.pun.agreement import agreement as run
    from scoring.truth import load_release

    found = run(verdicts, load_release(data))
    print(f"released by {found['released_by']}, run by {found['run_by']}")
    print(f"{found['names']} names in both, {found['not_in_release']} not in the release")
    for (one, other), count in found["table"].items():
        print(f"  released {one}, run {other}: {count}")
    print(f"equal {found['equal']}, Cohen's kappa {found['kappa']}")


def panel(
    predictions: Annotated[str, typer.Argument(help="Predictions for unknown_names with several replicates a row.")],
    out: Annotated[str, typer.Option(help="The JSONL file; data/panels/unknown_names.jsonl is read by 'release'.")],
    adjudicate: Annotated[Optional[str], typer.Option(help="'rules' labels free text.")] = None,
    data: Data = str(ROOT),
):
    """Rerun panels: which unknown names got no_info in every rerun (PUN Table 9)."""
    from build.configs.unknown.panels import panel as run
    from scoring.truth import load_release

    for row in run(predictions, load_release(data), out, adjudicate):
        print(", ".join(f"{key} {value}" for key, value in row.items()))


def ablate_generation(seed: Annotated[int, typer.Option(min=0, help="The seed of the draws.")] = 0):
    """Generation ablations: 500 candidates under each policy through the local checks (PUN Table 13)."""
    from build.configs.unknown.ablations import table
    from build.configs.unknown.screening import Screening

    for row in table(ROOT, Screening.of(ROOT).facts, seed):
        print(", ".join(f"{key} {value}" for key, value in row.items()))


def plausibility_sheet(
    out: Annotated[str, typer.Argument(help="The CSV file to write.")],
    packets: Annotated[int, typer.Option(min=1, help="Packets of six names and three attention checks.")] = 60,
    seed: Annotated[int, typer.Option(min=0, help="Which names are drawn, and their order.")] = 0,
):
    """Write a sheet for human raters of plausibility; the key beside it as OUT.key.csv."""
    from build.survey import write

    print(f"{out}: {write(ROOT, out, packets, seed)} lines")
