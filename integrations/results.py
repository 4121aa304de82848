"""From the answers of a run to numbers: batch lines in a file, scored by the function that score.py calls."""

import json
import tempfile
from pathlib import Path

from scoring import batch, pipeline, summary
from scoring.subset import subset_of

MOST_PARTS_OF_A_GROUP = 3
COVERAGE = "coverage"


def report_of(run, lines, *, system="model"):
    """The report of a run's answers: that of `score.py evaluate`, over the rows that were asked.

    Args:
        run: runs.Run.
        lines: batch lines (runs.line), in any order; a row counts as asked when some line is of it.
        system: the system's name, for the report.

    Writes them into run.out, if given, as CONFIG.SPLIT.FORM.jsonl and CONFIG.SPLIT.FORM.report.json.

    Raises:
        UserError: as pipeline.evaluate, and scoring.subset.NothingToScore.
    """
    release = run.release()
    ids = {batch.split_id(one["custom_id"])[0] for one in lines}
    with tempfile.TemporaryDirectory() as folder:
        part = subset_of(release, release.entry(run.config, run.split), ids, folder)
        kept = set(part.table(part.entry(run.config, run.split), ["id"]).column("id").to_pylist())
        scored = [one for one in lines if batch.split_id(one["custom_id"])[0] in kept]
        data = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in sorted(scored, key=_place)).encode()
        path = Path(folder) / "answers.jsonl"
        path.write_bytes(data)
        options = {"adjudicate": run.adjudicate}
        made = pipeline.evaluate(path, part, split=run.split, missing="count", system=system, options=options).report
    if run.out is not None:
        _write(run, data, made)
    return made


def _place(one):
    return one["custom_id"]


def _write(run, data, made):
    summary.write_atomically(run.output("jsonl"), data)
    summary.write_atomically(run.output("report.json"), summary.report_json(made))


def numbers(run, made):
    """{"METRIC/GROUP": value} of a report's headline records, without the groups for detail; then its coverage.

    Where a form has no headline metric (recognise of prompt_injection), every metric with a better direction counts.
    A value is None where nothing can be computed. Coverage is in rows: "coverage/expected" of those asked, and
    "coverage/of" of the whole split.
    """
    told = {record["metric"] for record in made["metrics"]}
    metrics = told & run.module.HEADLINE.keys() or told & run.module.DIRECTIONS.keys()
    found = {
        f"{record['metric']}/{record['group']}": record["value"]
        for record in made["metrics"]
        if record["metric"] in metrics and len(record["group"].split("/")) <= MOST_PARTS_OF_A_GROUP
    }
    counts = made["coverage"] | {"of": made.get("subset", {}).get("of", made["coverage"]["expected"])}
    return found | {f"{COVERAGE}/{name}": count for name, count in counts.items()}
