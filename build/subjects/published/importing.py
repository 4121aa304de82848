"""`import-spia`: published files -> a release folder with rows, schema and a manifest that tells their faults."""

import json
from pathlib import Path

from build import folder
from build.sources.collect import PROVENANCE
from build.subjects import schema
from build.subjects.published import faults, reading
from build.subjects.published.rows import rows as rows_of
from scoring.subjects.prior import prior_constants

SPLIT = "test"
LEXICON = "places"
LICENCE = {
    "version": "as published",
    "licence_code": "none used",
    "licence_data": "as its publisher grants it to the holder of the copy; nothing of it is part of NymBench",
    "attribution": "SPIA: Subject-level Inference for Realistic Text Anonymization Evaluation (ACL 2026).",
}


def import_spia(root, paths, out):
    """Make a release of published SPIA files in the folder `out`.

    Args:
        root: this repository.
        paths: files of subjects and, for spans and targets, of entities.
        out: an empty or new folder.

    Returns:
        The manifest; its `reports.subject_inference` holds counts per file, faults and the documents' ids.

    Raises:
        UserError: with all faults of the files; nothing is written then.
        BuildError: when `out` cannot take the release.
    """
    published = reading.read(paths)
    made = rows_of(published)
    sources = [_source(file) for file in published.files.values()]
    splits = {SPLIT: list(made.values())}
    return folder.write(root, out, schema, splits, report=_report(root, published, made), sources=sources)


def _source(file):
    used = len(file["subjects"]) + len(file["entities"])
    return {"package": file["file"], "file": file["file"], "sha256": file["sha256"], "rows_used": used, **LICENCE}


def _report(root, published, made):
    """What the manifest says; `places` is the content of the lexicon that the aliases of places come from.

    The publication has no `validation`: the prior is the best constant a tag on the imported rows themselves.
    """
    lexicons = json.loads((Path(root) / PROVENANCE).read_text(encoding="utf-8"))["lexicons"]
    return {
        "files": {file["file"]: _counts(published, file) for file in published.files.values()},
        "targets": sum(bool(row["target_subject"]) for row in made.values()),
        "prior": prior_constants(made.values()),
        "faults": faults.report(published),
        "documents": {data_id: row["id"] for data_id, row in made.items()},
        "places": next(lexicon["content_sha256"] for lexicon in lexicons if lexicon["name"] == LEXICON),
    }


def _counts(published, file):
    """Documents, subjects, units, and subjects with at least one unit, of one file; spans where it holds them."""
    subjects = [subject for data_id in file["subjects"] for subject in published.subjects[data_id]["subjects"]]
    units = [len({pii["tag"] for pii in subject["PIIs"] if faults.is_unit(pii)}) for subject in subjects]
    counts = {"documents": len(file["subjects"] or file["entities"])}
    if file["subjects"]:
        with_unit = sum(count > 0 for count in units)
        counts |= {"subjects": len(subjects), "units": sum(units), "subjects_with_unit": with_unit}
    if file["entities"]:
        counts["spans"] = sum(len(published.entities[data_id]["entities"]) for data_id in file["entities"])
    return counts
