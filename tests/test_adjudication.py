"""Free text to labels by rules (METRICS §7; PUN A.3), on responses that were labelled before the rules were tuned.

Every third response of a label is held out: the rules were never tuned to it, only scored on it.
"""

import json
import re
import time
from collections import Counter

import pytest

from scoring.unknown import adjudication
from scoring.unknown.replies import LABELS
from tests.releases import ROOT

RESPONSES = [json.loads(line) for line in (ROOT / "tests" / "adjudication.jsonl").open(encoding="utf-8")]
TUNED, HELD_OUT = ([one for one in RESPONSES if one["part"] == part] for part in ("tuned", "held_out"))
NAME = "Ysolde Barkentine"


def right(responses):
    return [adjudication.label(one["name"], one["response"]) == one["label"] for one in responses]


def test_the_table_is_large_and_holds_every_label():
    assert len(RESPONSES) >= 120 and len(HELD_OUT) >= len(RESPONSES) / 4
    for part in (TUNED, HELD_OUT):
        counts = Counter(one["label"] for one in part)
        assert set(counts) == set(LABELS) - {"ambiguous"} and min(counts.values()) >= 8


@pytest.mark.parametrize("one", TUNED, ids=lambda one: f"{one['label']}: {one['response'][:40]}")
def test_a_response_gets_its_label(one):
    assert adjudication.label(one["name"], one["response"]) == one["label"]


def test_held_out_responses_agree_as_the_metrics_say():
    agreed = right(HELD_OUT)
    share = sum(agreed) / len(agreed)
    print(f"held out: {sum(agreed)} of {len(agreed)} agree, {share:.3f}")
    said = re.search(r"(\d+) of (\d+) held-out responses", (ROOT / "METRICS.md").read_text(encoding="utf-8"))
    assert (int(said[1]), int(said[2])) == (sum(agreed), len(agreed))
    assert share >= 0.85


@pytest.mark.parametrize(
    ("response", "label"),
    [
        # the first label in the paper's order that applies wins
        ("I cannot discuss private individuals. {n} is a baker.", "fail"),
        ("{n} is a baker in Ghent. You may also mean Isolde Barken, the singer.", "found"),
        ("Did you mean Isolde Barken? There is also a ship of that name.", "attractor"),
        ("No information on {n}, but Isolde Barken is a singer.", "similar"),
        ("No information on {n}.", "no_info"),
        # case, marks and a title do not matter; another spelling does
        ("Dr. YSÖLDE BARKENTINE is a botanist.", "found"),
        ("Ysolda Barkentine is a botanist.", "similar"),
        # where else to look is no mention of anybody
        ("I have no data on {n}. Try searching LinkedIn, Who's Who Online or a Family Tree.", "no_info"),
        ("I have no data on {n}. There may be several people of that name.", "no_info"),
        # markup is no text
        ("**{n}**\n\n_{n}_ is a **botanist**.", "found"),
        ("## No Results Found", "no_info"),
        ("", "fail"),
        ("…", "fail"),
        ("🙂", "fail"),
    ],
)
def test_order_and_form(response, label):
    assert adjudication.label(NAME, response.replace("{n}", NAME)) == label


@pytest.mark.parametrize("name", ["Ann (Lee", "A.B [x", "O'Neil \\d"])
def test_a_name_is_text_and_no_pattern(name):
    assert adjudication.label(name, f"{name} is a botanist.") == "found"


@pytest.mark.parametrize(
    "piece", ["Aa'", "A. ", "a-", "is a ", "no ", ": ", "1. x 2) ", "the one of the ", "“", "É", "Ab cd "]
)
def test_long_responses_take_no_long_time(piece):
    start = time.process_time()
    adjudication.label(NAME, piece * (60_000 // len(piece)))
    assert time.process_time() - start < 2
