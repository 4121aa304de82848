"""Whatever stands in a predictions file, it is scored or refused: never a traceback, NaN or another exit status."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile import (
    ANSWERS,
    CONFIGS,
    VALUES,
    batch_lines,
    jsonl,
    odd_answers,
    quick,
    scored_or_refused,
    spoilt,
    write,
)

COUNT = ("--missing", "count")
each_config = pytest.mark.parametrize("config", CONFIGS)


@quick(30)
@given(data=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes(tmp_path, data):
    for head in (b"", b"\xef\xbb\xbf", b"\x1f\x8b", b"\x1f\x8b\x08\x00", b"PAR1", b"[", b'{"id":'):
        assert not scored_or_refused(write(tmp_path / "p", head + data), *COUNT)


@quick(30)
@given(values=st.lists(VALUES, min_size=1, max_size=4))
def test_any_json(tmp_path, values):
    assert not scored_or_refused(write(tmp_path / "p", jsonl(values)), *COUNT)
    assert not scored_or_refused(write(tmp_path / "p", json.dumps(values).encode()), *COUNT)


@each_config
def test_spoilt_answers(tmp_path, config):
    scored = []

    @quick(40)
    @given(answers=spoilt(ANSWERS[config]), counted=st.booleans())
    def check(answers, counted):
        scored.append(scored_or_refused(write(tmp_path / "p", jsonl(answers)), *(COUNT if counted else ())))

    check()
    assert set(scored) == {True, False}


@each_config
def test_odd_texts_are_scored(tmp_path, config):
    @quick(25)
    @given(answers=odd_answers(config))
    def check(answers):
        assert scored_or_refused(write(tmp_path / "p", jsonl(answers)))

    check()


@quick(25)
@given(answers=odd_answers("unknown_names"))
def test_odd_replies_are_adjudicated(tmp_path, answers):
    assert scored_or_refused(write(tmp_path / "p", jsonl(answers)), "--adjudicate", "rules")


@each_config
def test_batch_lines(tmp_path, config):
    @quick(40)
    @given(lines=batch_lines(config))
    def check(lines):
        scored_or_refused(write(tmp_path / "p", jsonl(lines)), *COUNT)

    check()


def parquet_of(table):
    """A table as Parquet bytes."""
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


@each_config
def test_spoilt_tables(tmp_path, config):
    @quick(30)
    @given(answers=spoilt(ANSWERS[config], most=2))
    def check(answers):
        try:
            data = parquet_of(pa.Table.from_pylist([one for one in answers if isinstance(one, dict)]))
        except (pa.ArrowException, OverflowError):
            return  # what no Parquet file can hold
        scored_or_refused(write(tmp_path / "p", data), *COUNT)

    check()


LAYOUTS = {
    "dictionary": lambda table: table.set_column(0, "id", table.column("id").dictionary_encode()),
    "large string": lambda table: table.set_column(0, "id", table.column("id").cast(pa.large_string())),
    "string view": lambda table: table.set_column(0, "id", table.column("id").cast(pa.string_view())),
    "chunks": lambda table: pa.concat_tables([table.slice(0, 3), table.slice(3)]),
    "columns in another order": lambda table: table.select(table.column_names[::-1]),
    "a column of dates that Python lacks": lambda table: table.append_column(
        "when", pa.array([2**40] * table.num_rows, pa.timestamp("s"))
    ),
    "a column of nanoseconds": lambda table: table.append_column(
        "when", pa.array([1] * table.num_rows, pa.timestamp("ns"))
    ),
    "a column of maps": lambda table: table.append_column(
        "more", pa.array([[("a", 1)]] * table.num_rows, pa.map_(pa.string(), pa.int64()))
    ),
    "a column of NaN": lambda table: table.append_column("score", pa.array([float("nan")] * table.num_rows)),
}


@each_config
@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_layouts_of_parquet_are_all_the_same(tmp_path, config, layout):
    table = pa.Table.from_pylist(ANSWERS[config])
    assert table.column_names[0] == "id"
    assert scored_or_refused(write(tmp_path / "p", parquet_of(LAYOUTS[layout](table))))


@each_config
def test_damaged_parquet(tmp_path, config):
    whole = parquet_of(pa.Table.from_pylist(ANSWERS[config]))

    @quick(60)
    @given(
        flips=st.lists(st.tuples(st.integers(4, len(whole) - 1), st.integers(1, 255)), max_size=4),
        kept=st.integers(4, 2 * len(whole)),
    )
    def check(flips, kept):
        data = bytearray(whole)
        for place, bits in flips:
            data[place] ^= bits
        scored_or_refused(write(tmp_path / "p", bytes(data[:kept])), *COUNT)

    check()


def test_a_column_name_that_is_no_utf8(tmp_path):
    whole = parquet_of(pa.table({"id": ["an-1"], "entities": [[]]}))
    assert b"entities" in whole
    assert not scored_or_refused(write(tmp_path / "p", whole.replace(b"entities", b"\xff\xfetities")))
