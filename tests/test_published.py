"""The papers' published rows: their form, and what numbers of one table must say of each other.

Each number was held against the papers' texts twice; the texts are not in the repository, so what is tested here is
arithmetic that a misread cell would break.
"""

import re
from collections import Counter, defaultdict

import pytest

from reporting.rates import published
from reporting.reading import published_value, read_published
from scoring.configs import BY_NAME
from scoring.errors import FaultyFile

PUBLISHED = read_published()
ROWS = PUBLISHED["rows"]
KEY = ("paper", "table", "system", "group", "metric")
BY_KEY = {tuple(row[field] for field in KEY): row for row in ROWS}
TYPES = ("location", "organization", "syndrome", "bacteria", "mineral")
ANSWERS = ("found", "ambiguous", "no_info", "fail")


def value(paper, table, system, group, metric):
    return BY_KEY[paper, table, system, group, metric]["value"]


def systems(paper, table):
    return list(dict.fromkeys(row["system"] for row in ROWS if (row["paper"], row["table"]) == (paper, table)))


def test_every_row_stands_once():
    assert len(BY_KEY) == len(ROWS)
    assert {row["paper"] for row in ROWS} == set(PUBLISHED["papers"])
    assert {row["config"] for row in ROWS} == set(BY_NAME)


def test_values_are_what_is_printed():
    for row in ROWS:
        plain = re.fullmatch(r"[+-]?\d[\d,]*(\.\d+)?", row["printed"])
        assert (row["value"] is not None) == bool(plain), row
        assert not plain or float(row["printed"].replace(",", "")) == row["value"], row
        if row["unit"] in ("fraction", "percent"):
            shown = float(published(row["printed"], row["unit"]).replace("−", "-"))
            assert -1 <= published_value(row) <= 1 and shown == pytest.approx(published_value(row)), row


@pytest.mark.parametrize("table", ["Table 1", "Table 4", "Table 5", "Table 9"])
def test_recall_never_stands_without_fdr(table):
    metrics = defaultdict(set)
    for row in ROWS:
        if (row["paper"], row["table"]) == ("AmBench", table):
            metrics[row["system"], row["group"]].add(row["metric"])
    assert metrics and all(found == {"recall", "fdr"} for found in metrics.values())


AVERAGED = [("Table 1", "recall"), ("Table 1", "fdr"), ("Table 4", "recall"), ("Table 4", "fdr")]


@pytest.mark.parametrize(("table", "metric"), AVERAGED)
def test_averages_are_those_of_the_types(table, metric):
    for system in systems("AmBench", table):
        mean = sum(value("AmBench", table, system, f"ambiguous/{kind}", metric) for kind in TYPES) / len(TYPES)
        assert value("AmBench", table, system, "ambiguous/average", metric) == pytest.approx(mean, abs=0.0101), system


def test_an_original_prompt_has_the_numbers_of_the_first_table():
    first = {re.sub("[ -]", "", system): system for system in systems("AmBench", "Table 1")}
    for system in systems("AmBench", "Table 4"):
        name, prompt = system.rsplit(", ", 1)
        if prompt == "original prompt":
            for group in (*(f"ambiguous/{kind}" for kind in TYPES), "ambiguous/average", "baseline"):
                for metric in ("recall", "fdr"):
                    other = value("AmBench", "Table 1", first[re.sub("[ -]", "", name)], group, metric)
                    assert value("AmBench", "Table 4", system, group, metric) == other, (system, group, metric)


def test_persons_predicted_are_the_names_recalled():
    """Table 8 against Table 1, but where a remark says that the paper contradicts itself."""
    first = {re.sub("[ -]", "", system): system for system in systems("AmBench", "Table 1")}
    for system in systems("AmBench", "Table 8"):
        for group in (*(f"ambiguous/{kind}" for kind in TYPES), "baseline"):
            row = BY_KEY["AmBench", "Table 8", system, group, "predicted_person"]
            recall = value("AmBench", "Table 1", first[re.sub("[ -]", "", system)], group, "recall")
            agrees = abs(published_value(row) - recall) <= 0.0055
            assert agrees != ("remark" in row), (system, group)


def test_changes_are_differences():
    """Table 3: injected minus plain, but where a remark says that the paper contradicts itself."""
    for group in (*(f"ambiguous/{kind}" for kind in TYPES), "ambiguous/average", "baseline"):
        for metric, change in (("leakage", "leakage_change"), ("audit_score", "audit_change")):
            row = BY_KEY["AmBench", "Table 3", "Clio", group, change]
            sides = [value("AmBench", "Table 3", "Clio", f"{group}/{side}", metric) for side in ("injected", "plain")]
            agrees = row["value"] == pytest.approx(sides[0] - sides[1], abs=0.006)
            assert agrees != ("remark" in row), (group, change)


def test_reruns_add_up():
    for system in systems("PUN", "Table 9"):
        for group in ("candidates/no_info", "unknown"):
            counts = [value("PUN", "Table 9", system, group, f"answers_{answer}") for answer in ANSWERS]
            assert sum(counts) == value("PUN", "Table 9", system, group, "answers")
            names = ("fabrication", "conflation", "abstention", "share_fail")
            shares = names if group == "unknown" else [f"share_{answer}" for answer in ANSWERS]
            for count, share in zip(counts, shares, strict=True):
                printed = value("PUN", "Table 9", system, group, share)
                assert printed == pytest.approx(100 * count / sum(counts), abs=0.051)


def test_ablations_add_up():
    for system in systems("PUN", "Table 12"):
        found = {key[-1]: row["value"] for key, row in BY_KEY.items() if key[1:3] == ("Table 12", system)}
        verdicts = ("accepted", "web_evidence_found", "ambiguous", "validation_incomplete")
        assert sum(found[verdict] for verdict in verdicts) == found["evaluable"] == 1781
        assert found["accepted"] - found["newly_accepted"] + found["lost"] == 300
        assert found["accepted_share"] == pytest.approx(100 * found["accepted"] / 1781, abs=0.006)


def test_attrition_is_of_all_candidates():
    for row in ROWS:
        if (row["table"], row["metric"]) == ("Table 11", "names"):
            share = value("PUN", "Table 11", row["system"], row["group"], "share_of_generated")
            assert share == pytest.approx(100 * row["value"] / 52_726, abs=0.051)


def test_the_gap_is_token_recall_minus_cpr():
    gaps = [row for row in ROWS if row["metric"] == "token_recall_minus_cpr"]
    assert len(gaps) == 3
    for row in gaps:
        token, cpr = (value("SPIA", row["table"], row["system"], row["group"], m) for m in ("token_recall", "cpr"))
        assert row["value"] == pytest.approx(100 * (token - cpr), abs=0.051)


def test_the_tables_are_whole():
    """Cells counted in the papers: systems × groups × metrics."""
    cells = Counter((row["paper"], row["table"]) for row in ROWS)
    wanted = {"Table 1": 14 * 7 * 2, "Table 2": 3 * 6, "Table 3": 7 * 9, "Table 4": 9 * 7 * 2, "Table 5": 3 * 2 * 2}
    wanted |= {"Table 8": 14 * 6 * 6, "Table 9": 3 * 3 * 2 * 2}
    assert {table: cells["AmBench", table] for table in wanted} == wanted
    assert cells["SPIA", "Main results"] == 4 * 5


@pytest.mark.parametrize("text", ["{", "[]", '{"papers": {}, "rows": []}', '{"papers": {}, "rows": [{}]}'])
def test_another_form_is_refused(text, tmp_path):
    path = tmp_path / "published.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FaultyFile, match="published.json"):
        read_published(path)
