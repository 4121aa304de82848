"""A part of a split's rows as a release of its own, for runs that were limited to some of them."""

import hashlib
import json
from pathlib import Path

from scoring.configs import BY_NAME
from scoring.errors import UserError
from scoring.rows import file_sha256
from scoring.truth import MANIFEST, load_release

PAIR = "pair_id"


class NothingToScore(UserError):
    """None of the rows asked for can be scored."""


def subset_of(release, entry, ids, folder):
    """A release of a split's rows with these ids, or the release itself when they are the whole split.

    Of rows that stand in pairs only whole pairs are kept: every number of theirs is of a pair. Its manifest tells of
    the part under `subset`: {"rows", "of", "ids_sha256"}.

    Args:
        release: truth.Release.
        entry: the split's entry in its manifest.
        ids: ids of the rows.
        folder: an existing folder to write it into.

    Raises:
        UserError: when an id is of another split, NothingToScore when no row is left.
    """
    module, name = BY_NAME[entry["config"]], f"{entry['config']}/{entry['split']}"
    table = release.table(entry, list(module.COLUMNS))
    paired = PAIR in module.COLUMNS
    known = table.column("id").to_pylist()
    pairs = table.column(PAIR).to_pylist() if paired else known
    strange = sorted(set(ids).difference(known))
    if strange:
        raise UserError(f"{name}: no row {strange[0]!r}")
    broken = {pair for row_id, pair in zip(known, pairs, strict=True) if row_id not in ids}
    kept = [pair not in broken for pair in pairs]
    if not any(kept):
        raise NothingToScore(f"{name}: no {'whole pair' if paired else 'row'} is left to score")
    return release if all(kept) else _written(release, entry, table.filter(kept), folder)


def _written(release, entry, table, folder):
    import pyarrow.parquet as pq

    path = Path(folder) / "rows.parquet"
    pq.write_table(table, path)
    digest = hashlib.sha256("".join(f"{row_id}\n" for row_id in sorted(table.column("id").to_pylist())).encode())
    told = {"rows": table.num_rows, "of": entry["rows"], "ids_sha256": digest.hexdigest()}
    part = {"path": path.name, "rows": table.num_rows, "bytes": path.stat().st_size, "sha256": file_sha256(path)}
    files = [{key: value for key, value in entry.items() if key != "parts"} | part]
    manifest = json.dumps({**release.manifest, "files": files, "subset": told}, ensure_ascii=False)
    (Path(folder) / MANIFEST).write_text(manifest, encoding="utf-8")
    return load_release(folder)
