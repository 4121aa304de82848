"""The commands `card` and `push`."""

from pathlib import Path
from typing import Annotated, Optional

import typer

ROOT = Path(__file__).resolve().parent.parent.parent


def card():
    """Write anew what is made from manifest and data: .huggingface.yaml, croissant.json, the card's generated parts."""
    from build.publishing.pages import write

    write(ROOT)


def push(
    repo: Annotated[str, typer.Option(help="The dataset repository on the Hugging Face Hub, OWNER/NAME.")],
    tag: Annotated[str, typer.Option(help="The release's tag: v and its version.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print what would go; no network, no token.")] = False,
    stage: Annotated[Optional[str], typer.Option(help="An empty or new folder that keeps the staged files.")] = None,
):
    """Check the release and send it to the Hub as one commit and one tag (token from HF_TOKEN)."""
    from build.publishing.push import push as run

    run(ROOT, repo, tag, dry_run=dry_run, stage=stage)
