"""Generated parts of written pages, and the annotation sheet."""

import csv
import json
import re
from collections import Counter

import pytest
import yaml

from build import card, pages, sheet
from tests.releases import ROOT


def test_the_card_is_that_of_the_manifest():
    text = (ROOT / card.CARD).read_text(encoding="utf-8")
    assert card.render(ROOT, text) == text


def test_the_card_s_front_matter_names_the_configs_of_the_clone():
    text = (ROOT / card.CARD).read_text(encoding="utf-8")
    head = yaml.safe_load(text.split("---\n")[1])
    assert head["configs"] == yaml.safe_load((ROOT / ".huggingface.yaml").read_text(encoding="utf-8"))["configs"]
    assert sum(config.get("default", False) for config in head["configs"]) == 1


def test_fill_wants_its_markers_once():
    assert (
        pages.fill("a\n<!-- x -->\nold\n<!-- /x -->\nb", "x", r"new \1") == "a\n<!-- x -->\n\nnew \\1\n\n<!-- /x -->\nb"
    )
    with pytest.raises(ValueError, match="found them 0 times"):
        pages.fill("text", "x", "new")


def test_the_sheet_hides_what_it_asks(tmp_path):
    out = tmp_path / "sheet.csv"
    count = sheet.write(ROOT, out, 3, 0)
    with open(out, encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    with open(f"{out}.key.csv", encoding="utf-8", newline="") as stream:
        key = list(csv.DictReader(stream))
    assert len(rows) - 1 == len(key) == count == 4 * 5 * 3
    assert [row[0] for row in rows[1:]] == [row["number"] for row in key]
    assert all(row[2] == "" and entry["name"] in row[1] for row, entry in zip(rows[1:], key, strict=True))
    assert "stratum" not in ",".join(rows[0])
    assert set(Counter((entry["stratum"], entry["name_type"]) for entry in key).values()) == {3}
    again = tmp_path / "again.csv"
    sheet.write(ROOT, again, 3, 0)
    assert again.read_bytes() == out.read_bytes()


def test_every_number_of_the_results_comes_from_a_report():
    """Numbers in the tables, three digits each, stand in the committed reports."""
    from baselines import summaries, tables

    behind = tables.reports(summaries.CONFIG, names=[summaries.system_name(one) for one in summaries.detectors()])
    assert behind
    values = set()
    for report in [*behind, *(report for config in tables.SYSTEMS for report in tables.reports(config))]:
        for record in report["metrics"]:
            values.update(f"{record[key]:.3f}" for key in ("value", "low", "high") if record[key] is not None)
    cells = json.dumps([tables.results(config) for config in tables.SYSTEMS])
    assert set(re.findall(r"-?\d\.\d{3}", cells)) <= values
