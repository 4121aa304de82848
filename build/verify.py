"""`verify`: does a release's folder hold what its manifest says? Hashes, counts, schemas, licences, strays."""

import hashlib
import json

from build import placing
from build.configs import BY_NAME
from build.lexicons import KEYS, SCHEMAS
from scoring import parquet, schemas
from scoring.errors import UserError
from scoring.rows import add_lines, content_sha256, file_sha256, row_json
from scoring.truth import check_bytes, checked_path, load_release, parts

BAD_ROWS_SHOWN = 3
INTERRUPTED = (
    "a build was interrupted while it put its files in place: run it again, which puts the rest in place first"
)


def verify(folder):
    """Check a release. Returns the list of faults, empty when all is well; never raises for a faulty release."""
    faults = [INTERRUPTED] if placing.is_interrupted(folder) else []
    try:
        release = load_release(folder)
    except UserError as error:
        return [*faults, str(error)]
    for entry in release.manifest["files"]:
        faults += _attempt(_split_faults, release, entry)
    for entry in release.manifest["lexicons"]:
        faults += _attempt(_lexicon_faults, release, entry)
    return faults + _source_faults(release) + _stray_faults(release) + _line_end_faults(release)


def _attempt(check, release, entry):
    try:
        return check(release, entry)
    except UserError as error:
        return [str(error)]


def _split_faults(release, entry):
    """Faults of a split's files, one after the other: the ids of each lie after those of the one before."""
    where, schema = f"{entry['config']}/{entry['split']}", f"schemas/{schemas.schema_name(entry['config'], 'row')}"
    if entry["config"] not in BY_NAME or entry["schema"] != schema:
        return [f"{where}: {entry['schema']} is no row schema of {entry['config']}"]
    faults, digest, last = [], hashlib.sha256(), ""
    for part, table in release.tables(entry):
        rows = sorted(table.to_pylist(), key=lambda row: row["id"])
        add_lines(digest, map(row_json, rows))
        faults += _count_faults(release, part, rows) + _row_faults(part["path"], entry, rows)
        if rows and rows[0]["id"] <= last:
            faults.append(f"{part['path']}: its ids do not lie after those of the file before it")
        last = rows[-1]["id"] if rows else last
    if "parts" in entry and entry["rows"] != sum(part["rows"] for part in entry["parts"]):
        faults.append(f"{entry['config']}/{entry['split']}: the manifest's rows are not those of its parts together")
    faults += _hash_faults(parts(entry)[0]["path"], digest.hexdigest(), entry["content_sha256"])
    path = checked_path(release.folder, entry["schema"])
    if file_sha256(path) != entry["schema_sha256"]:
        faults.append(f"{entry['schema']}: is not the schema that the manifest names (sha256 differs)")
    return faults


def _row_faults(where, entry, rows):
    """Ids that stand twice in one file, and rows that do not fit the schema."""
    faults, schema = [], schemas.schema_name(entry["config"], "row")
    if len({row["id"] for row in rows}) != len(rows):
        faults.append(f"{where}: an id stands twice")
    bad = [row for row in rows if not schemas.is_valid(schema, row)]
    for row in bad[:BAD_ROWS_SHOWN]:
        faults.append(f"{where}: row {row['id']}: {schemas.errors(schema, row)[0]}")
    if len(bad) > BAD_ROWS_SHOWN:
        faults.append(f"{where}: {len(bad)} rows do not fit their schema")
    return faults


def _lexicon_faults(release, entry):
    rows = _rows(release.path(entry["path"]), entry)
    return _count_faults(release, entry, rows) + _hash_faults(
        entry["path"], content_sha256(rows, KEYS.get(entry["name"])), entry["content_sha256"]
    )


def _rows(path, entry):
    """The rows of a lexicon. Raises UserError when it is none, or not the one that its name says."""
    check_bytes(path, entry["sha256"])
    try:
        table = parquet.table(path)
        if entry["name"] not in SCHEMAS or not table.schema.equals(SCHEMAS[entry["name"]]):
            raise UserError(f"{entry['path']}: its columns are not those of the lexicon {entry['name'][:80]!r}")
        return table.to_pylist()
    except (parquet.BadParquet, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not a readable lexicon ({error})") from error


def _count_faults(release, entry, rows):
    faults = []
    if len(rows) != entry["rows"]:
        faults.append(f"{entry['path']}: {len(rows)} rows, the manifest says {entry['rows']}")
    size = (release.folder / entry["path"]).stat().st_size
    if size != entry["bytes"]:
        faults.append(f"{entry['path']}: {size} bytes, the manifest says {entry['bytes']}")
    return faults


def _hash_faults(where, found, expected):
    return [] if found == expected else [f"{where}: content hash {found[:12]}…, the manifest says {expected[:12]}…"]


def _source_faults(release):
    """Each source has its licences and attribution (the manifest's schema asks for them, too)."""
    keys = ("licence_code", "licence_data", "attribution")
    return [
        f"manifest.json: the source {source['package']} lacks its {key}"
        for source in release.manifest["sources"]
        for key in keys
        if not source.get(key, "").strip()
    ]


def _stray_faults(release):
    """Parquet files below data/ that the manifest does not name: load_dataset would read them."""
    named = {part["path"] for entry in release.manifest["files"] for part in parts(entry)}
    named |= {entry["path"] for entry in release.manifest["lexicons"]}
    found = sorted((release.folder / "data").rglob("*.parquet"))
    relative = [path.relative_to(release.folder).as_posix() for path in found]
    return [f"{path}: lies among the data, but the manifest does not name it" for path in relative if path not in named]


def _line_end_faults(release):
    """JSON files damaged by a change of line ends, or no longer JSON."""
    found = [release.folder / "manifest.json", *sorted((release.folder / "schemas").glob("*.json"))]
    texts = {path: path.read_bytes() for path in found if path.is_file()}
    faults = [f"{path}: has CRLF line ends; check out with eol=lf" for path, data in texts.items() if b"\r\n" in data]
    for path, data in texts.items():
        try:
            json.loads(data.decode("utf-8"))
        except ValueError as error:
            faults.append(f"{path}: not valid JSON ({error})")
    return faults
