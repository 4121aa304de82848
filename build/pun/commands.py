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
    verdicts: Annotated[str, typer.Argument(help="A run store, or its verdicts as JSONL or CSV.")],
    run: Annotated[Optional[str], typer.Option(help="Which run of the store, where it holds several.")] = None,
    data: Data = str(ROOT),
):
    """Hold the verdicts of a validation run of your own against the released ones."""
    from build.pun.agreement import agreement as hold
    from build.pun.agreement import lines
    from scoring.truth import load_release

    print("\n".join(lines(hold(verdicts, load_release(data), run))))


def panel(
    reruns: Annotated[list[str], typer.Argument(help="Predictions with replicates, or run stores with a screen.")],
    out: Annotated[str, typer.Option(help="The JSONL file; data/panels/unknown_names.jsonl is read by 'release'.")],
    source: Annotated[Optional[str], typer.Option(help="The run before the reruns, to tell what changed.")] = None,
    adjudicate: Annotated[Optional[str], typer.Option(help="'rules' labels free text.")] = None,
    data: Data = str(ROOT),
):
    """Rerun panels: which unknown names got no_info in every rerun (PUN Table 9)."""
    from build.configs.unknown import panels
    from build.pun import reruns as panel_of
    from scoring.truth import load_release

    release = load_release(data)
    found = panel_of.labels(reruns, release, adjudicate)
    first = panel_of.labels([source], release, adjudicate) if source else None
    before = {name: given[0] for name, given in first.items()} if first else None
    unknown = panel_of.released(release)
    rows = panel_of.table(found, unknown, before)
    panels.write({name: given for name, given in found.items() if name in unknown}, out)
    for row in rows:
        print(", ".join(f"{key} {value}" for key, value in row.items()))
    for (one, other), count in panel_of.transitions(found, before).items() if before else ():
        print(f"source {one}, rerun {other}: {count}")


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
