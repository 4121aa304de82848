"""From the bytes of a predictions file to JSON objects, whatever the format: JSONL, gzip, a JSON array, Parquet.

The format is found from the content; a suffix that disagrees is no fault. Nothing here knows what a
prediction means.
"""

import gzip
import json
import math
import zlib

from scoring import parquet
from scoring.errors import FaultyFile, UserError

LONGEST_LINE = 64 * 1024 * 1024
MOST_BLANK_LINES = 1_000_000
MOST_VALUES = 1_000_000
DEEPEST = 64
GZIP_MAGIC = b"\x1f\x8b"
TOO_DEEP = "nested too deeply to be a prediction"
PARQUET_MAGIC = b"PAR1"
LFS_START = b"version https://git-lfs"
BOM = b"\xef\xbb\xbf"
INDEX_COLUMN = "__index_level_"


class BadJson(ValueError):
    """A text that is no acceptable JSON; the message says why."""


def records(path, faults):
    """Yield (place, object) for each prediction of the file; bad ones go to `faults`.

    A place is such as "line 3", or "item 3" in a JSON array, or "row 3" in Parquet, counted from 1.
    Raises UserError when the file cannot be read and FaultyFile when its frame is broken.
    """
    head = _head(path)
    if head.startswith(LFS_START):
        raise FaultyFile(path, ["a Git LFS pointer stands in place of the data: run 'git lfs pull'"])
    if head.startswith(PARQUET_MAGIC):
        yield from _parquet_rows(path)
        return
    with _open(path, head) as stream:
        yield from _json_records(path, stream, faults)


def _head(path):
    try:
        with open(path, "rb") as stream:
            return stream.read(64)
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error


def _open(path, head):
    if head.startswith(GZIP_MAGIC):
        return gzip.open(path, "rb")
    return open(path, "rb")


def _json_records(path, stream, faults):
    first = True
    for number, line in _lines(path, stream):
        if first:
            line = line.removeprefix(BOM)
        stripped = line.strip(b" \t\r\n")
        if not stripped:
            continue
        if first and stripped.startswith(b"["):
            yield from _array_items(path, line, stream, number, faults)
            return
        first = False
        try:
            yield f"line {number}", parse_object(stripped)
        except BadJson as error:
            faults.add(str(error), place=f"line {number}")
    if first:
        raise FaultyFile(path, ["the file is empty: expected one JSON object a line"])


def _lines(path, stream):
    """Yield (number, bytes) per line feed; refuses a line, or a run of blanks, that grows without end."""
    number = blank = blank_bytes = 0
    while True:
        line = _guarded(path, lambda: stream.readline(LONGEST_LINE + 1))
        if not line:
            return
        number += 1
        if len(line) > LONGEST_LINE:
            raise FaultyFile(path, [f"line {number}: longer than 64 MiB, which no prediction is"])
        blank, blank_bytes = (blank + 1, blank_bytes + len(line)) if line.isspace() else (0, 0)
        if blank > MOST_BLANK_LINES or blank_bytes > 2 * LONGEST_LINE:
            raise FaultyFile(path, [f"line {number}: an endless run of blank lines"])
        yield number, line


def _guarded(path, read):
    try:
        return read()
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FaultyFile(path, [f"the gzip data is truncated or damaged ({error})"]) from error


def _array_items(path, start, stream, number, faults):
    rest = _guarded(path, lambda: stream.read(LONGEST_LINE - len(start) + 1))
    if len(start) + len(rest) > LONGEST_LINE:
        raise FaultyFile(path, ["a JSON array over 64 MiB: write one object a line instead"])
    try:
        items = _parse(start + rest, first_line=number)
    except BadJson as error:
        raise FaultyFile(path, [str(error)]) from error
    if not items:
        raise FaultyFile(path, ["the array is empty: expected one object a row"])
    for position, item in enumerate(items, 1):
        if isinstance(item, dict):
            yield f"item {position}", item
        else:
            faults.add(f"expected a JSON object, found {_kind(item)}", place=f"item {position}")


def _kind(value):
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def parse_value(text):
    """One JSON value from a text, by the rules of a predictions file. Raises BadJson with the reason."""
    return _parse(text.encode("utf-8", "surrogatepass"))


def parse_object(line):
    """One JSON object from bytes. Raises BadJson with the reason."""
    value = _parse(line)
    if not isinstance(value, dict):
        raise BadJson(f"expected a JSON object, found {_kind(value)}")
    return value


def _parse(data, first_line=None):
    """The JSON value of some bytes. With `first_line` messages name the line, else the column alone."""
    brackets = data.count(b"[") + data.count(b"{")
    if data.count(b",") + brackets > MOST_VALUES:
        raise BadJson("more than a million values, which no prediction has")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadJson(f"not UTF-8 (byte {error.start}: {error.reason})") from error
    try:
        value = _decode(text)
        if brackets > DEEPEST:
            _refuse_depth(value)
        if "\\u" in text:
            _refuse_lone_surrogates(value)
    except json.JSONDecodeError as error:
        column = f"column {error.colno}"
        place = column if first_line is None else f"line {first_line + error.lineno - 1}, {column}"
        raise BadJson(f"not valid JSON: {error.msg} ({place})") from error
    except RecursionError as error:
        raise BadJson(TOO_DEEP) from error
    except BadJson:
        raise
    except ValueError as error:
        raise BadJson(f"a number that cannot be read ({error})") from error
    return value


def _refuse_depth(value):
    """Raise BadJson when lists and objects are nested deeper than any prediction's."""
    level = [value]
    for _ in range(DEEPEST):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return
    raise BadJson(TOO_DEEP)


def _children(value):
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return []
    return [child for child in value if isinstance(child, dict | list)]


def _refuse_lone_surrogates(value):
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadJson("a lone surrogate, which no text can hold") from error


def _unique_keys(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        seen = set()
        for key, _ in pairs:
            if key in seen:
                raise BadJson(f"the key {key[:80]!r} stands twice in one object")
            seen.add(key)
    return found


def _finite(literal):
    number = float(literal)
    if not math.isfinite(number):
        raise BadJson(f"the number {literal} is out of range")
    return number


def _refuse_constant(literal):
    raise BadJson(f"{literal} is no JSON number")


_decode = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_float=_finite, parse_constant=_refuse_constant).decode


def _parquet_rows(path):
    position = 0
    try:
        for names, rows in parquet.batches(path):
            kept = [name for name in names if not name.startswith(INDEX_COLUMN)]
            if "id" not in kept:
                raise FaultyFile(path, [f"Parquet without a column 'id' (it has {', '.join(kept)})"])
            for values in rows:
                position += 1
                record = dict(zip(names, values, strict=True))
                yield f"row {position}", {name: record[name] for name in kept}
    except parquet.BadParquet as error:
        raise FaultyFile(path, [str(error)]) from error
    if not position:
        raise FaultyFile(path, ["the file is empty: no row in the Parquet table"])
