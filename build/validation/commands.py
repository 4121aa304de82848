"""The command line of the validator; `build.__main__` registers these."""

from typing import Annotated, Optional

import typer

Store = Annotated[str, typer.Option(help="The run store, an SQLite file; a stopped run goes on where it was.")]
Run = Annotated[str, typer.Option(help="The run's id, as 'validate' prints it.")]
Out = Annotated[str, typer.Option(help="The file to write.")]


def validate(
    names: Annotated[str, typer.Argument(help="A text file with a full name a line.")],
    store: Store,
    provider: Annotated[str, typer.Option(help="local, serper, searxng or replay.")] = "local",
    locale: Annotated[str, typer.Option(help="The locale of web searches, recorded with the run.")] = "en-US",
    seed: Annotated[int, typer.Option(min=0, help="Keys the jitter of retries, and tells runs apart.")] = 0,
    recorded: Annotated[Optional[str], typer.Option(help="For replay: a file of recorded traces.")] = None,
    recorded_web: Annotated[bool, typer.Option(help="For replay: the traces came from the web.")] = False,
    screen_model: Annotated[Optional[str], typer.Option(help="A model with web search, to screen names.")] = None,
    adjudicator: Annotated[Optional[str], typer.Option(help="The model that labels the screen's answers.")] = None,
    pages: Annotated[bool, typer.Option(help="Read the top pages of web results.")] = True,
    released_at: Annotated[Optional[str], typer.Option(help="When these names were released, as an ISO date.")] = None,
):
    """Look for evidence that a person bears each name (PUN §4.2). The local provider asks the attested-person index
    alone: its clean verdict, no_local_evidence_found, shows little; a web provider's shows more."""
    from build.validation import cli, rules

    found = rules.load()
    asked = cli.provider(
        provider, found, locale=locale, recorded=recorded, recorded_web=recorded_web, **_index(provider)
    )
    screening = cli.screen(found, screen_model, adjudicator)
    run_id, counts = cli.validate(
        names, store, asked, rules=found, seed=seed, screening=screening, pages=pages, released_at=released_at
    )
    print(f"run {run_id}")
    for verdict, count in counts.items():
        print(f"{verdict}: {count}")


def _index(provider):
    """The person index and what identifies it, for the local provider."""
    if provider != "local":
        return {}
    from build.__main__ import ROOT
    from build.person_index import PersonIndex, identity

    return {"index": PersonIndex.load(ROOT), "index_settings": identity(ROOT)}


def export_verdicts(store: Store, run: Run, out: Out):
    """Write the verdicts of a run as JSONL, a name a line."""
    from build.validation import cli

    print(f"{out}: {cli.export_verdicts(store, run, out)} names")


def export_traces(store: Store, run: Run, out: Out):
    """Write the traces of a run as JSONL, for the provider replay. They can hold personal data."""
    from build.validation import cli

    print(f"{out}: {cli.export_traces(store, run, out)} queries")


def ablate(store: Store, run: Run, out: Annotated[Optional[str], typer.Option(help="A CSV file to write.")] = None):
    """Replay a run under reduced query policies (PUN Table 12); n/a where the provider never asked."""
    from build.validation import cli

    for row in cli.ablate(store, run, out):
        print(", ".join(f"{key} {value}" for key, value in row.items()))
