"""`croissant.json`: the release described in Croissant's terms, made from manifest, row schemas and data.

A record set is one split of one config, as its file is (a record set of all splits would give lite's rows twice);
its fields carry the descriptions of the row schema.
"""

import json
import tomllib
from pathlib import Path

import pyarrow.parquet as pq
import yaml

from build.publishing import columns
from build.release import MANIFEST, write_json

FILE = "croissant.json"
TERMS = json.loads((Path(__file__).resolve().parent / "croissant_terms.json").read_text(encoding="utf-8"))


def write(root):
    """Write `croissant.json` at `root` anew."""
    write_json(Path(root) / FILE, describe(root))


def describe(root):
    """The Croissant description of the release at `root`, as a dict."""
    root = Path(root)
    manifest = json.loads((root / MANIFEST).read_text(encoding="utf-8"))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    return {
        "@context": TERMS["context"],
        "@type": "sc:Dataset",
        "conformsTo": TERMS["conforms_to"],
        "name": manifest["name"],
        "description": f"{project['description']}. Canary GUID {manifest['canary']}.",
        "version": manifest["version"],
        "license": TERMS["licence"],
        "datePublished": citation["date-released"].isoformat(),
        "creator": [{"@type": "sc:Organization", "name": author["name"]} for author in citation["authors"]],
        "citeAs": _cited(citation, manifest["version"]),
        "isLiveDataset": False,
        "distribution": [_file(entry) for entry in manifest["files"]],
        "recordSet": [made for entry in manifest["files"] for made in _record_sets(root, entry)],
    }


def _cited(citation, version):
    authors = ", ".join(author["name"] for author in citation["authors"])
    return f"{authors}. {citation['title']}. Version {version}, {citation['date-released'].year}."


def _name(entry):
    return f"{entry['config']}/{entry['split']}"


def _file(entry):
    return {
        "@type": "cr:FileObject",
        "@id": entry["path"],
        "name": entry["path"],
        "description": f"The split {entry['split']} of {entry['config']}, {entry['rows']} rows.",
        "contentUrl": entry["path"],
        "contentSize": f"{entry['bytes']} B",
        "encodingFormat": TERMS["encoding_format"],
        "sha256": entry["sha256"],
    }


def _record_sets(root, entry):
    """A split's record set; then, for each list of structs within a list of structs, one that describes it."""
    found = columns.of(entry["config"], pq.read_schema(root / entry["path"]))
    rows = {
        **_record_set(_name(entry), f"{entry['rows']} rows, content SHA-256 {entry['content_sha256']}."),
        "key": {"@id": f"{_name(entry)}/id"},
        "field": [_field(column, _name(entry), (entry["path"], column.name)) for column in found],
    }
    return [rows, *(_inner(outer, inner, entry) for outer in found for inner in outer.parts if _is_deep(inner))]


def _record_set(name, description):
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "description": description}


def _is_deep(part):
    """Whether a part of a struct is a list of structs, which Croissant's readers do not follow within a field."""
    return bool(part.repeated and part.parts)


def _inner(outer, inner, entry):
    where = f"{_name(entry)}/{outer.name}/{inner.name}"
    said = f"{inner.description} The list {inner.name} in each item of {outer.name}: described, not read as records."
    path = (entry["path"], outer.name, inner.name)
    fields = [_field(part, where, (*path, part.name)) for part in inner.parts]
    return {**_record_set(where, said.strip()), "field": fields}


def _field(column, above, way):
    """A field; `way` is its file, the Parquet column that holds it, and the names that lead to it from there."""
    where = f"{above}/{column.name}"
    made = {"@type": "cr:Field", "@id": where, "name": where}
    if column.description:
        made["description"] = column.description
    if column.repeated:
        made |= {"isArray": True, "arrayShape": "-1"}
    if column.parts:
        shown = [part for part in column.parts if not _is_deep(part)]
        return made | {"subField": [_field(part, where, (*way, part.name)) for part in shown]}
    path, top, *inside = way
    source = {"fileObject": {"@id": path}, "extract": {"column": top}}
    if inside:
        source["transform"] = [{"jsonPath": name} for name in inside]
    return made | {"dataType": TERMS["data_types"][column.dtype], "source": source}
