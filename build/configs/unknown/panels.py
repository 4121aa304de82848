"""What rerun panels say of unknown names, kept as data: the columns stable_no_info_3 and stable_no_info_10 (PUN §7.1).

The file is written by `python -m build panel` and read by `release`; without it the columns are null.
"""

import json
from pathlib import Path

from scoring.summary import write_atomically

FILE = Path("data") / "panels" / "unknown_names.jsonl"
SIZES = (3, 10)


def column(size):
    """The column that a panel of a size fills."""
    return f"stable_no_info_{size}"


def read(root):
    """{name: {column: bool}} of the panel that was run for the release at `root`; {} without one."""
    path = Path(root) / FILE
    if not path.is_file():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {line.pop("name"): line for line in lines}


def write(labels, out):
    """Write the columns of {name: [label of each rerun]} as JSONL, by name."""
    lines = [json.dumps({"name": name, **stable(found)}, ensure_ascii=False) for name, found in sorted(labels.items())]
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    write_atomically(out, "".join(line + "\n" for line in lines).encode("utf-8"))


def stable(labels):
    """{column: whether the first 3 (10) labels are all no_info}, None where there are fewer."""
    return {column(size): set(labels[:size]) == {"no_info"} if len(labels) >= size else None for size in SIZES}
