"""`variant --seed`: a fresh release from the same lexicons, with its overlap with the base in its manifest."""

from pathlib import Path

from build.dates import iso_date
from build.diff import overlap
from build.errors import BuildError
from build.release import release, version
from scoring.truth import load_release


def variant(root, out, seed, date=None, *, configs=None, making=None):
    """Build a variant of the release at `root` into the folder `out`. Returns its manifest.

    Args:
        date: ISO date that dated rows bear; None for the release's own.
        configs: names of the configs to write; None for all. What they need of others is built and not written.
        making: release.Making: scale, shards and where they are made.

    Raises:
        BuildError: when the date is none, the seed is the release's own, or `out` is the release's folder.
    """
    base = load_release(root)
    if seed == base.manifest["seed"]:
        raise BuildError(f"seed {seed} is the release's own; a variant needs another")
    if Path(out).resolve() == Path(root).resolve():
        raise BuildError(f"{out}: is the release's own folder; choose another")
    dated = None if date is None else iso_date(date)

    def shared(draft, manifest):
        return {"overlap": overlap(root, draft, manifest)}

    return release(
        root, out, seed=seed, base_version=version(root), date=dated, configs=configs, making=making, more=shared
    )
