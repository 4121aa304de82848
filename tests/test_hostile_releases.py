"""Whatever a release's manifest and data hold, `evaluate` scores or refuses and `verify` tells: never a traceback."""

import hashlib
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile import ANSWERS, CONFIGS, NUMBERS, command, jsonl, quick, scored_or_refused, spoilt, write
from tests.real import TINY

COUNT = ("--missing", "count")
each_config = pytest.mark.parametrize("config", CONFIGS)
MANIFEST = json.loads((TINY / "manifest.json").read_text(encoding="utf-8"))
PATHS = [
    "../../x",
    "/etc/passwd",
    "/dev/zero",
    "data",
    ".",
    "~",
    "a\0b",
    "x" * 5000,
    "\ud800",
    "C:\\x",
    "manifest.json",
]
PATHS += [entry["path"] for entry in MANIFEST["files"][:3]] + ["schemas/usernames.row.schema.json", "0" * 64, "test"]
IN_MANIFESTS = st.sampled_from([None, True, *NUMBERS, "", "x", *CONFIGS, *PATHS, [], {}, [None], {"a": [1]}])


def verified(folder):
    """Whether `verify` finds nothing; it tells faults with status 2 and at least a line."""
    status, error = command("build", "verify", folder)
    assert (status, bool(error)) in ((0, False), (2, True))
    return status == 0


def test_spoilt_manifests(tmp_path, tiny):
    files = {config: write(tmp_path / config, jsonl(ANSWERS[config])) for config in CONFIGS}
    seen = set()

    @quick(60)
    @given(manifest=spoilt(MANIFEST, IN_MANIFESTS), config=st.sampled_from(CONFIGS))
    def check(manifest, config):
        (tiny / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        scored = scored_or_refused(files[config], *COUNT, data=tiny, names=[tiny, files[config]])
        seen.add((scored, verified(tiny)))

    check()
    assert len({scored for scored, _ in seen}) == len({whole for _, whole in seen}) == 2


RAW_MANIFESTS = {
    "NaN": lambda text: text.replace('"seed": 0', '"seed": NaN'),
    "a key twice": lambda text: text.replace('"seed": 0', '"seed": 0, "seed": 0'),
    "a lone surrogate": lambda text: text.replace('"canary": "', '"canary": "\\ud800'),
    "hostile depth": lambda text: text.replace('"seed": 0', '"seed": 0, "x": ' + "[" * 5000 + "]" * 5000),
    "a number of 5000 digits": lambda text: text.replace('"seed": 0', '"seed": ' + "9" * 5000),
    "a prior that is no object": lambda text: text.replace('"prior": {', '"prior": "x", "was": {'),
    "a prior of numbers": lambda text: text.replace('"SEX": "', '"SEX": 3, "WAS": "'),
    "a config of no name": lambda text: text.replace('"config": "usernames"', '"config": "../x"'),
}


@pytest.mark.parametrize("name", sorted(RAW_MANIFESTS))
def test_manifests_that_are_refused(tmp_path, tiny, name):
    before = (tiny / "manifest.json").read_text(encoding="utf-8")
    after = RAW_MANIFESTS[name](before)
    assert after != before
    (tiny / "manifest.json").write_text(after, encoding="utf-8")
    path = write(tmp_path / "p", jsonl(ANSWERS["subject_inference"]))
    assert not scored_or_refused(path, data=tiny, names=[tiny / "manifest.json"])
    assert not verified(tiny)


def replace_truth(folder, config, table, **options):
    """Put a table in place of a config's test split, with its hash in the manifest."""
    manifest = json.loads(json.dumps(MANIFEST))
    entry = next(one for one in manifest["files"] if (one["config"], one["split"]) == (config, "test"))
    pq.write_table(table, folder / entry["path"], **options)
    data = (folder / entry["path"]).read_bytes()
    entry.update(sha256=hashlib.sha256(data).hexdigest(), rows=table.num_rows, bytes=len(data))
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder / entry["path"]


def truth_of(config):
    """The test split of the ten-row release as it stands in its file."""
    with pq.ParquetFile(TINY / f"data/{config}/test-00000-of-00001.parquet") as source:
        return source.read()


def with_column(table, name, column):
    """The table with another column in a column's place."""
    return table.set_column(table.column_names.index(name), name, column)


def recast(table, kind):
    """The table with every column of texts in another layout."""
    for name in table.column_names:
        if table.schema.field(name).type == pa.string():
            column = table.column(name)
            table = with_column(table, name, column.dictionary_encode() if kind is None else column.cast(kind))
    return table


LAYOUTS = {
    "dictionary": lambda table: recast(table, None),
    "large string": lambda table: recast(table, pa.large_string()),
    "string view": lambda table: recast(table, pa.string_view()),
    "another order of columns": lambda table: table.select(table.column_names[::-1]),
    "chunks": lambda table: pa.concat_tables([table.slice(0, 3), table.slice(3)]),
}


@each_config
@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_layouts_of_the_truth_are_all_the_same(tmp_path, tiny, config, layout):
    path = write(tmp_path / "p", jsonl(ANSWERS[config]))
    assert scored_or_refused(path)
    expected = json.loads((tmp_path / "report.json").read_bytes())
    replace_truth(tiny, config, LAYOUTS[layout](truth_of(config)), row_group_size=3)
    assert scored_or_refused(path, data=tiny)
    assert json.loads((tmp_path / "report.json").read_bytes()) == expected
    assert verified(tiny)


READ = {
    "ambiguous_names": ("text", "neighbours"),
    "usernames": ("name", "stratum"),
    "prompt_injection": ("pair_id", "condition"),
    "unknown_names": ("id", "stratum"),
    "subject_inference": ("text", "subjects"),
}
OTHERS = {
    "absent": lambda table, name: table.drop_columns([name]),
    "renamed": lambda table, name: table.rename_columns([n + "s" if n == name else n for n in table.column_names]),
    "null": lambda table, name: with_column(table, name, pa.nulls(table.num_rows, table.schema.field(name).type)),
    "null of no type": lambda table, name: with_column(table, name, pa.nulls(table.num_rows)),
    "numbers": lambda table, name: with_column(table, name, pa.array([7] * table.num_rows)),
    "times": lambda table, name: with_column(table, name, pa.array([7] * table.num_rows, pa.timestamp("ns"))),
    "lists of numbers": lambda table, name: with_column(table, name, pa.array([[7]] * table.num_rows)),
    "structs of another form": lambda table, name: with_column(table, name, pa.array([[{"text": 7}]] * table.num_rows)),
    "not UTF-8": lambda table, name: with_column(
        table, name, pa.array([b"\xff"] * table.num_rows).view(pa.string()).cast(pa.string())
    ),
    "twice": lambda table, name: table.append_column(name, table.column(name)),
}
CASES = [(config, name, other) for config in CONFIGS for name in READ[config] for other in sorted(OTHERS)]


@pytest.mark.parametrize(("config", "column", "other"), CASES)
def test_another_schema_of_the_truth_is_refused(tmp_path, tiny, config, column, other):
    where = replace_truth(tiny, config, OTHERS[other](truth_of(config), column))
    path = write(tmp_path / "p", jsonl(ANSWERS[config]))
    assert not scored_or_refused(path, *COUNT, data=tiny, names=[where])
    assert not verified(tiny)


def test_a_text_outside_a_closed_list_is_refused(tmp_path, tiny):
    for config, name in (("ambiguous_names", "name_type"), ("usernames", "stratum"), ("subject_inference", "domain")):
        where = replace_truth(tiny, config, with_column(truth_of(config), name, pa.array(["other"] * 10)))
        path = write(tmp_path / "p", jsonl(ANSWERS[config]))
        assert not scored_or_refused(path, data=tiny, names=[where])


@each_config
def test_odd_rows_of_the_truth(tmp_path, tiny, config):
    path, table = write(tmp_path / "p", jsonl(ANSWERS[config])), truth_of(config)
    values = st.sampled_from(["", " ", "x", "\u0301", "\u2028", 0, -1, 10**6, None])

    @quick(25)
    @given(rows=spoilt(table.to_pylist(), values))
    def check(rows):
        try:
            where = replace_truth(tiny, config, pa.Table.from_pylist(rows, schema=table.schema))
        except (pa.ArrowException, TypeError, AttributeError):
            return  # what no table of this schema holds
        scored_or_refused(path, *COUNT, data=tiny, names=[where, path, config])
        verified(tiny)

    check()


def test_verify_tells_of_a_lexicon_of_another_form(tiny):
    for name, table in (("names", pa.table({"x": [1]})), ("../x", pa.table({"folded": ["a"]}))):
        (tiny / "data" / "lexicons").mkdir(exist_ok=True)
        path = tiny / "data" / "lexicons" / "l.parquet"
        pq.write_table(table, path)
        data, manifest = path.read_bytes(), json.loads(json.dumps(MANIFEST))
        size, digest = len(data), hashlib.sha256(data).hexdigest()
        entry = {"name": name, "path": "data/lexicons/l.parquet", "rows": 1, "bytes": size, "sha256": digest}
        manifest["lexicons"] = [{**entry, "content_sha256": digest}]
        (tiny / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        status, error = command("build", "verify", tiny)
        assert status == 2 and "lexicon" in error
