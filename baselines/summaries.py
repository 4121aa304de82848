"""A summariser behind each detector on prompt_injection: what the detector calls a person is masked, then summarised.

The detectors' findings are those of their last run, which `baselines run` leaves in the work folder.
"""

from concurrent.futures import ProcessPoolExecutor

from baselines import masking, parallel, textrank
from baselines import run as runner
from scoring import readers
from scoring.configs.prompt_injection import NAME as CONFIG
from scoring.entities import PERSON, Labels
from scoring.errors import Faults
from scoring.truth import load_release

NO_DETECTOR = "nothing_masked"


def detectors():
    """The systems that find entities in this config's texts, in the order of the tables; nothing masked first."""
    return (NO_DETECTOR, *(name for name in runner.SYSTEMS if CONFIG in runner.system(name).CONFIGS))


def system_name(detector):
    """The name under which the report of a summariser behind a detector lies."""
    return f"{detector}+{textrank.NAME}"


def findings(path):
    """{id: entities} of a file of predictions."""
    faults = Faults(path)
    found = {record["id"]: record["entities"] for _, record in readers.records(path, faults)}
    faults.raise_if_any()
    return found


def masked(text, entities, labels):
    """The text with every finding that means a person replaced by [PERSON]."""
    spans = [(one["start"], one["end"], PERSON) for one in entities if labels(one["type"]) == PERSON]
    return masking.mask(text, spans)


def predict(rows, found):
    """Yield {id, summary} for each row, masked by the findings given as {id: entities}."""
    labels = Labels()
    texts = [masked(row["text"], found.get(row["id"], ()), labels) for row in rows]
    with ProcessPoolExecutor(parallel.PROCESSES) as pool:
        summaries = pool.map(textrank.summarise, texts, chunksize=parallel.BATCH)
        for row, summary in zip(rows, summaries, strict=True):
            yield {"id": row["id"], "summary": summary}


def run_all(split="test", folder=runner.ROOT, work=runner.WORK, reports=None):
    """Summarise a split behind every detector; yields (name, report) and writes the reports.

    Args:
        folder: the release's.
        work: where the detectors' predictions lie, and the summaries go.
        reports: where reports go; by default baselines/reports/.
    """
    release = load_release(folder)
    rows = release.table(release.entry(CONFIG, split), ["id", "text"]).to_pylist()
    for detector in detectors():
        known = {} if detector == NO_DETECTOR else findings(runner.predictions_path(work, CONFIG, split, detector))
        name = system_name(detector)
        path = runner.predictions_path(work, CONFIG, split, name)
        runner.write_predictions(path, predict(rows, known))
        yield name, runner.score(release, name, CONFIG, split, path, reports)
