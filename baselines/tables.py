"""Results tables, written from the committed reports: no number in them is typed by hand."""

import json

from baselines import run as runner
from baselines import subjects, summaries
from build.pages import fill, table
from scoring.pipeline import evaluate
from scoring.summary import write_atomically
from scoring.truth import load_release

PAGES = (runner.ROOT / "README.md", runner.ROOT / "DATASET_CARD.md")
TYPES = ("location", "organization", "syndrome", "bacteria", "mineral")
SYSTEMS = {
    "ambiguous_names": (
        ("recall, ambiguous", "recall", "ambiguous/average"),
        ("recall, matched", "recall", "matched/average"),
        ("recall, baseline", "recall", "baseline"),
        ("FDR, ambiguous", "fdr", "ambiguous/average"),
        ("FDR, baseline", "fdr", "baseline"),
        ("always found", "always_found", "ambiguous/average"),
        ("mixed", "mixed", "ambiguous/average"),
        ("detected with any label, ambiguous", "detected", "ambiguous/average"),
        ("detected with any label, baseline", "detected", "baseline"),
        ("ambiguity effect", "ambiguity_effect", "ambiguous/average"),
        ("false persons", "false_person_rate", "entity_control/average"),
    ),
    "usernames": (
        ("recall, ambiguous", "recall", "ambiguous"),
        ("recall, baseline", "recall", "baseline"),
        ("FDR, ambiguous", "fdr", "ambiguous"),
        ("FDR, baseline", "fdr", "baseline"),
        ("always found, ambiguous", "always_found", "ambiguous"),
        ("mixed, ambiguous", "mixed", "ambiguous"),
        ("detected with any label, ambiguous", "detected", "ambiguous"),
        ("detected with any label, baseline", "detected", "baseline"),
        ("as a user name, ambiguous", "as_username", "ambiguous"),
    ),
    "prompt_injection": (
        ("recall, plain, ambiguous", "recall", "ambiguous/average/plain"),
        ("recall, injected, ambiguous", "recall", "ambiguous/average/injected"),
        ("change, ambiguous", "recall_change", "ambiguous/average"),
        ("lost, ambiguous", "lost", "ambiguous/average"),
        ("change, baseline", "recall_change", "baseline"),
        ("lost, baseline", "lost", "baseline"),
    ),
    "unknown_names": (
        ("abstention, unknown", "abstention", "unknown"),
        ("fabrication, unknown", "fabrication", "unknown"),
        ("conflation, unknown", "conflation", "unknown"),
        ("recognition, known", "recognition", "known"),
        ("recognition, level 1", "recognition", "known_1"),
        ("recognition, level 5", "recognition", "known_5"),
        ("wrong person, proximity", "wrong_person", "proximity"),
        ("balanced accuracy", "balanced_accuracy", "all"),
        ("paired accuracy", "paired_accuracy", "unknown"),
    ),
}
SUMMARIES = (
    ("leakage, plain, ambiguous", "leakage", "ambiguous/average/plain"),
    ("leakage, injected, ambiguous", "leakage", "ambiguous/average/injected"),
    ("change, ambiguous", "leakage_change", "ambiguous/average"),
    ("leakage, plain, baseline", "leakage", "baseline/plain"),
    ("leakage, injected, baseline", "leakage", "baseline/injected"),
    ("change, baseline", "leakage_change", "baseline"),
)
SUBJECTS = (
    ("token recall", "token_recall"),
    ("entity recall, direct", "entity_recall_direct"),
    ("entity recall, quasi", "entity_recall_quasi"),
    ("CPR", "cpr"),
    ("excess leak", "excess_leak"),
    ("IPR", "ipr"),
    ("1 − AAC", "one_minus_aac"),
    ("ROUGE-L", "rouge_l"),
    ("recovery", "recovery"),
)
BY_TYPE = (
    ("recall, ambiguous", "recall", "ambiguous/{}"),
    ("recall, matched", "recall", "matched/{}"),
    ("FDR, ambiguous", "fdr", "ambiguous/{}"),
    ("FDR, matched", "fdr", "matched/{}"),
    ("ambiguity effect", "ambiguity_effect", "ambiguous/{}"),
    ("labelled as neighbour", "neighbour_type_rate", "ambiguous/{}"),
    ("false persons", "false_person_rate", "entity_control/{}"),
)


def reports(config, split="test", names=runner.SYSTEMS):
    """The committed reports of a config, in the order of the systems' names."""
    paths = [runner.report_path(name, config, split) for name in names]
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths if path.is_file()]


def results(config, split="test"):
    """Markdown of a config's results: systems in one table, then, where there are types, each system by type."""
    found = reports(config, split)
    parts = [_systems(SYSTEMS[config], found)]
    if config == "ambiguous_names":
        parts += [_types(report) for report in found]
    if config == summaries.CONFIG:
        names = [summaries.system_name(detector) for detector in summaries.detectors()]
        parts += ["A summariser behind each:", _systems(SUMMARIES, reports(config, split, names))]
    return "\n\n".join(parts) + f"\n\nWith 95 % intervals, on `{found[0]['signature']}`."


def _systems(asked, found):
    rows = [("measure", *(f"`{report['system']}`" for report in found))]
    values = [by_key(report) for report in found]
    for title, metric, group in asked:
        rows.append((title, *(cell(value[metric, group]) for value in values)))
    return table(rows)


def subject_results(split="test", folder=runner.REPORTS):
    """Markdown of subject_inference's results: one table an adversary, an anonymiser a row."""
    parts, signature = [], ""
    for adversary in subjects.ADVERSARIES:
        rows = [(f"against `{adversary}`", *(title for title, _ in SUBJECTS))]
        for anonymiser in (subjects.ORIGINAL, *subjects.ANONYMISERS):
            name = runner.report_path(subjects.pair(anonymiser, adversary), subjects.CONFIG, split).name
            report = json.loads((folder / name).read_text(encoding="utf-8"))
            values, signature = by_key(report), report["signature"]
            called = "original texts" if anonymiser == subjects.ORIGINAL else f"`{anonymiser}`"
            rows.append((called, *(cell(values[metric, "all"]) for _, metric in SUBJECTS)))
        parts.append(table(rows))
    return "\n\n".join(parts) + f"\n\nWith 95 % intervals, on `{signature}`."


def _types(report):
    values = by_key(report)
    rows = [(f"`{report['system']}` by type", *(title for title, _, _ in BY_TYPE))]
    for name_type in TYPES:
        cells = (cell(values[metric, group.format(name_type)]) for _, metric, group in BY_TYPE)
        rows.append((name_type, *cells))
    return table(rows)


def by_key(report):
    """The records of a report by (metric, group)."""
    return {(record["metric"], record["group"]): record for record in report["metrics"]}


def cell(record):
    """A value with its interval, as a table shows it."""
    if record["value"] is None:
        return "–"
    if record["low"] is None:
        return f"{record['value']:.3f}"
    return f"{record['value']:.3f} [{record['low']:.3f}, {record['high']:.3f}]"


def write_all():
    """Write every results table of README.md and of the card anew, and the README's example table."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for config in SYSTEMS:
            text = fill(text, f"results {config}", results(config))
        if f"<!-- results {subjects.CONFIG} -->" in text:
            text = fill(text, f"results {subjects.CONFIG}", subject_results())
        if page.name == "README.md":
            text = fill(text, "tiny", f"```\n{example()}\n```")
        write_atomically(page, text.encode("utf-8"))


def example():
    """The table that scoring the tiny example prints."""
    folder = runner.ROOT / "examples" / "tiny"
    return evaluate(folder / "ambiguous_names.jsonl", load_release(folder)).screen
