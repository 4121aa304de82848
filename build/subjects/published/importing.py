"""`import-spia`: published files -> a release folder with rows, schemas and a manifest that tells their faults."""

import json
import tempfile
from pathlib import Path

from build.errors import BuildError
from build.release import MANIFEST, SEED, copy_inputs, head, put_in_place, write_json, write_split
from build.sources.collect import PROVENANCE
from build.subjects import schema
from build.subjects.published import faults, reading
from build.subjects.published.rows import rows as rows_of

SPLIT = "test"
LEXICON = "places"
ORIGIN = "SPIA, as published"
LICENCE = {
    "version": "as published",
    "licence_code": "no code",
    "licence_data": "as its publisher grants it to the holder of the copy; nothing of it is part of NymBench",
    "attribution": "SPIA: Subject-level Inference for Realistic Text Anonymization Evaluation (ACL 2026).",
    "used_for": schema.NAME,
}


def import_spia(root, paths, out):
    """Make a release of published SPIA files in the folder `out`.

    Args:
        root: the repository, whose schemas and lexicon of places are copied along.
        paths: files of subjects and, for spans and targets, of entities.
        out: an empty or absent folder, or that of an earlier import, which is replaced.

    Returns:
        The manifest; its `reports.subject_inference` holds counts per file, faults and the documents' ids.

    Raises:
        UserError: with all faults of the files; nothing is written then.
        BuildError: when `out` cannot take the release.
    """
    root, out = Path(root), Path(out)
    _refuse_place(out)
    published = reading.read(paths)
    made = rows_of(published)
    try:
        out.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=".import-") as draft:
            entry = write_split(Path(draft), schema, SPLIT, made.values())
            manifest = _manifest(root, published, made, entry)
            copy_inputs(root, out, manifest)
            put_in_place(Path(draft), out, [schema])
            write_json(out / MANIFEST, manifest)
    except OSError as error:
        raise BuildError(f"{out}: cannot be written ({error.strerror})") from error
    return manifest


def _refuse_place(out):
    if not out.resolve().parent.is_dir():
        raise BuildError(f"{out}: the folder above it does not exist")
    if out.exists() and not out.is_dir():
        raise BuildError(f"{out}: not a folder")
    if out.is_dir() and any(out.iterdir()) and not _is_import(out / MANIFEST):
        raise BuildError(f"{out}: not empty, and no earlier import; name another folder")


def _is_import(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))["imported"] == ORIGIN
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _manifest(root, published, made, entry):
    provenance = json.loads((root / PROVENANCE).read_text(encoding="utf-8"))
    return head(root, SEED) | {
        "imported": ORIGIN,
        "files": [entry],
        "lexicons": [lexicon for lexicon in provenance["lexicons"] if lexicon["name"] == LEXICON],
        "sources": [_source(file) for file in published.files.values()],
        "reports": {schema.NAME: _report(published, made)},
    }


def _source(file):
    used = len(file["subjects"]) + len(file["entities"])
    return {"package": file["file"], "file": file["file"], "sha256": file["sha256"], "rows_used": used, **LICENCE}


def _report(published, made):
    return {
        "files": {file["file"]: _counts(published, file) for file in published.files.values()},
        "targets": sum(bool(row["target_subject"]) for row in made.values()),
        "faults": faults.report(published),
        "documents": {data_id: row["id"] for data_id, row in made.items()},
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
