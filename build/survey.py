"""A sheet for human raters of plausibility (PUN §6.4, A.11): does a string look like a full name?"""

from pathlib import Path

from build import draws
from build.errors import BuildError
from build.sheet import write_csv
from scoring.summary import check_output
from scoring.truth import load_release

CONFIG = "unknown_names"
ITEMS = 6
CHECKS = ("nonname_wordlike", "nonname_gibberish", "nonname_random")
RATED = ("unknown", "ambiguous", "known_1", "known_2", "known_3", "known_4", "known_5")
QUESTION = "plausible full name? (yes, no, could not tell)"


def write(root, out, packets, seed, split="test"):
    """Write the sheet and its key. Returns the number of lines.

    A packet has six names and three attention checks, one of each kind of non-name, in a random order; raters see
    neither strata nor ids. Names come in rounds over the strata, so that packets have a like mix.

    Raises:
        BuildError: when a file exists already or the split has too few names.
    """
    for path in (out, f"{out}.key.csv"):
        check_output(path, [], [Path(root) / "data", Path(root) / "schemas"])
        if Path(path).exists():
            raise BuildError(f"{path}: exists already; choose another name")
    release = load_release(root)
    rows = release.table(release.entry(CONFIG, split), ["id", "name", "stratum"]).to_pylist()
    queues = {stratum: _ranked(rows, stratum, seed) for stratum in (*RATED, *CHECKS)}
    most = min(sum(len(queues[stratum]) for stratum in RATED) // ITEMS, *(len(queues[kind]) for kind in CHECKS))
    if packets > most:
        raise BuildError(f"{split} has names for {most} packets, not {packets}")
    numbered = list(enumerate(_packets(queues, packets, seed), 1))
    write_csv(
        out, ("number", "packet", "name", f"answer: {QUESTION}"), ((n, p, row["name"], "") for n, (p, row) in numbered)
    )
    write_csv(
        f"{out}.key.csv", ("number", "id", "stratum"), ((n, row["id"], row["stratum"]) for n, (_, row) in numbered)
    )
    return len(numbered)


def _ranked(rows, stratum, seed):
    group = [row for row in rows if row["stratum"] == stratum]
    return draws.ranked(group, seed, CONFIG, "survey", stratum, by=lambda row: row["id"])


def _packets(queues, packets, seed):
    turns = max(len(queues[stratum]) for stratum in RATED)
    rated = [queues[stratum][turn] for turn in range(turns) for stratum in RATED if turn < len(queues[stratum])]
    for packet in range(packets):
        items = rated[packet * ITEMS : (packet + 1) * ITEMS] + [queues[kind][packet] for kind in CHECKS]
        for row in draws.ranked(items, seed, CONFIG, "packet", packet, by=lambda row: row["id"]):
            yield packet + 1, row
