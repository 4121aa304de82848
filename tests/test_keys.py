"""Ids, keys, predictions and columns in little memory: what a dict would say, whatever the form of the ids."""

import datetime
import random
import tracemalloc

import numpy as np
import pyarrow as pa
import pytest

from scoring import columns
from scoring.heap import Heap
from scoring.intervals import RESAMPLES, Clusters, random_state
from scoring.keys import Book, HexIds, Keys, PlainIds, row_ids
from scoring.predictions import Chosen, Predictions


def hex_ids(count, seed=1):
    draw = random.Random(seed)
    return [f"an-{draw.getrandbits(64):016x}" for _ in range(count)]


FORMS = {
    "hexadecimal": (hex_ids(500), HexIds),
    "hexadecimal and sorted": (sorted(hex_ids(500)), HexIds),
    "one row": (hex_ids(1), HexIds),
    "the ends of the range": (["an-" + "f" * 16, "an-" + "0" * 16], HexIds),
    "two prefixes": ([*hex_ids(9), "us-" + "0" * 16], PlainIds),
    "capitals": ([*hex_ids(9), "an-" + "A" * 16], PlainIds),
    "another length": ([*hex_ids(9), "an-123"], PlainIds),
    "letters beyond f": ([*hex_ids(9), "an-" + "g" * 16], PlainIds),
    "not ASCII": (["Zoë-1", "Zoë-2"], PlainIds),
    "no row": ([], PlainIds),
}
STRANGE = (
    "an-" + "\u0660" * 16,
    "an--" + "0" * 15,
    "an-" + " " + "0" * 15,
    "",
    "an-",
    "an-0",
    "an-" + "0" * 15 + "_",
    "an-" + "0" * 17,
    "AN-" + "0" * 16,
    "an-+" + "0" * 15,
    "x",
)


def pieces(ids):
    return [pa.array(ids[:2], pa.string()), pa.array([], pa.string()), pa.array(["cut", *ids[2:]], pa.string())[1:]]


@pytest.mark.parametrize("form", FORMS)
def test_ids_are_found_where_they_stand(form):
    ids, kind = FORMS[form]
    found = row_ids(pieces(ids))
    assert isinstance(found, kind) and list(found) == ids and len(found) == len(ids)
    assert [found.find(row_id) for row_id in ids] == list(range(len(ids)))
    absent = {*STRANGE, *hex_ids(50, 2), *(row_id.upper() for row_id in ids), *(row_id + "0" for row_id in ids)}
    assert {found.find(row_id) for row_id in absent - set(ids)} <= {-1}


@pytest.mark.parametrize("first", FORMS)
@pytest.mark.parametrize("second", ["hexadecimal", "two prefixes"])
def test_rows_of_other_ids(first, second):
    ids, others = FORMS[first][0], [*FORMS[second][0][3:], *FORMS[first][0][:3]]
    expected = [ids.index(row_id) if row_id in ids else -1 for row_id in others]
    assert row_ids(pieces(ids)).rows_of(row_ids(pieces(others))).tolist() == expected


class Shelf(Book):
    """A book of splits that are at hand, the smallest first."""

    def __init__(self, *splits):
        super().__init__()
        self._splits, self.opened = [row_ids(pieces(ids)) for ids in splits], []

    def entries(self, config):
        return list(range(len(self._splits))) if config == "an" else []

    def ids(self, entry):
        self.opened.append(entry)
        return self._splits[entry]


def keys_of(*splits):
    shelf = Shelf(*splits)
    return Keys(shelf, lambda row_id: row_id[:2]), shelf


SMALL, OTHER = hex_ids(20), hex_ids(20, 5)
LARGE = [*hex_ids(60, 3), *SMALL]


def test_keys_are_numbered_as_a_dict_orders_them():
    keys, _ = keys_of(SMALL, OTHER, LARGE)
    given = [LARGE[3], SMALL[0], "xx-1", (LARGE[3], 1), LARGE[70], OTHER[2], "an-odd", (SMALL[0], 2)]
    random.Random(2).shuffle(given)
    for key in [*given, *given]:
        before = list(dict.fromkeys(given)).index(key)
        assert keys.claim(key) in (-1, before)
    assert [keys.find(key) for key in given] == list(range(len(given)))
    assert [keys[number] for number in range(len(keys))] == given
    assert keys.find(LARGE[9]) == keys.find("yy") == keys.find((LARGE[3], 9)) == -1


@pytest.mark.parametrize("ids", [SMALL, OTHER, LARGE, hex_ids(5, 9)])
def test_predictions_in_the_order_of_rows(ids):
    keys, _ = keys_of([], SMALL, LARGE)
    predictions, given = Predictions(keys), [LARGE[4], SMALL[3], LARGE[-1], "an-odd", SMALL[0]]
    for number, key in enumerate(given):
        predictions.add(key, {"id": key}, f"line {number}")
    chosen = Chosen(predictions, bytearray([1, 1, 1, 1, 0]))
    expected = [{"id": row_id} if row_id in given[:4] else None for row_id in ids]
    assert list(chosen.in_rows(row_ids(pieces(ids)))) == expected


@pytest.mark.parametrize("entry", [0, 1, 2])
def test_keys_outside_a_split_are_those_whose_row_it_lacks(entry):
    splits = (SMALL, OTHER, LARGE)
    keys, _ = keys_of(*splits)
    given = [*SMALL[:5], *OTHER[:3], *LARGE[:4], "an-odd", (SMALL[7], 1), (LARGE[0], 2), ("zz", 1)]
    for key in given:
        keys.claim(key)
    rows = [key if isinstance(key, str) else key[0] for key in given]
    assert keys.outside(entry).tolist() == [at for at, row_id in enumerate(rows) if row_id not in splits[entry]]


def test_a_split_is_opened_only_for_an_id_that_those_before_lack():
    keys, shelf = keys_of(SMALL, OTHER, LARGE)
    for row_id in SMALL:
        keys.claim(row_id)
    assert shelf.opened == [0]
    keys.claim(OTHER[0])
    assert shelf.opened == [0, 1]
    keys.claim("us-1")
    assert shelf.opened == [0, 1]


@pytest.mark.parametrize("held", [0, 1, 10, 10_000])
def test_a_heap_gives_back_what_was_added(held):
    heap, draw = Heap(held), random.Random(3)
    added = [draw.randbytes(draw.randrange(30)) for _ in range(200)]
    for number, data in enumerate(added):
        heap.add(data)
        assert heap[number] == data
    assert [heap[number] for number in range(len(heap))] == added


ODD = {"id": "c", "at": datetime.date(2020, 1, 1)}


def test_predictions_are_those_that_were_added_and_not_the_objects():
    predictions = Predictions(Keys(Book(), lambda row_id: None))
    first = {"id": "a", "entities": [{"text": "Zoë", "start": None, "end": 3.0}]}
    assert predictions.add("a", first, "line 2") is None
    predictions.growing("b", {"id": "b"}, "line 5")["summary"] = "s"
    assert predictions.add("c", ODD, "line 7") is None
    assert predictions.add("a", {"id": "a"}, "line 9") == "line 2"
    assert dict(predictions) == {"a": first, "b": {"id": "b", "summary": "s"}, "c": ODD}
    assert predictions["a"] is not first
    assert [predictions.places[key] for key in predictions] == ["line 2", "line 5", "line 7"]
    chosen = Chosen(predictions, bytearray([1, 0, 1]))
    assert dict(chosen.items()) == dict(chosen) == {"a": first, "c": ODD}
    assert list(chosen.in_rows(row_ids([pa.array(["b", "c", "d", "a"])]))) == [None] * 4, "ids of no split"
    assert len(chosen) == 2 and "b" not in chosen and chosen.get("b") is None and list(chosen.values()) == [first, ODD]


def test_codes_stand_for_texts_in_order():
    found = columns.coded([pa.array(["b", "a", "b"]), pa.array([], pa.string()), pa.array(["", "ä", "a"])])
    assert [found.texts[code] for code in found.codes] == ["b", "a", "b", "", "ä", "a"]
    assert found.texts == ["", "a", "b", "ä"]
    assert found.is_("b").tolist() == [True, False, True, False, False, False] and not found.is_("z").any()
    other = columns.coded([pa.array(["x", "b", "x", "x", "x", "x"])])
    both = columns.where(np.array([1, 0, 0, 1, 0, 0], dtype=bool), found, other)
    assert [both.texts[code] for code in both.codes] == ["b", "b", "x", "", "x", "x"] and both.texts == [
        "",
        "a",
        "b",
        "x",
        "ä",
    ]


def test_clusters_of_codes_are_those_of_the_texts():
    texts = ["b", "a", "c", "b", "a"]
    plain, by_code = Clusters.of(texts[:2], "k"), Clusters.of(columns.coded([pa.array(texts)])[:2], "k")
    assert plain.codes.tolist() == by_code.codes.tolist() == [1, 0] and plain.size == by_code.size == 2


# numpy's own draw of the whole table at once is what the row by row draw must repeat
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_weights_are_one_draw_row_by_row(size):
    draws = random_state("k").randint(0, size, size=(RESAMPLES, size))
    expected = np.array([np.bincount(one, minlength=size) for one in draws])
    assert (Clusters(np.arange(size), size, "k").weights == expected).all()


def test_a_prediction_takes_a_few_bytes_of_memory(monkeypatch):
    """A dict a row takes some 700 bytes; ten million rows in 2 GiB leave 200 for everything."""
    ids = sorted(hex_ids(40_000, 7))
    keys, _ = keys_of(ids)
    predictions = Predictions(keys)
    monkeypatch.setattr(predictions, "_heap", Heap(held=1 << 16))
    keys.find(ids[0])
    tracemalloc.start()
    for number, row_id in enumerate(ids):
        entity = {"text": f"Name{number}", "type": "PERSON", "start": 3, "end": 9}
        predictions.add(row_id, {"id": row_id, "entities": [entity]}, f"line {number}")
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken / len(ids) < 40
    assert predictions[ids[-1]]["entities"][0]["text"] == f"Name{len(ids) - 1}"
