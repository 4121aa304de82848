"""report.py without a browser: what is refused, what the page holds, that equal reports give equal bytes."""

import json
import os
import re
import sys
from html.parser import HTMLParser

import pytest

from reporting import drawing, figures, page, rates, tables
from reporting.reading import printable, read_published, read_reports
from scoring.configs import BY_NAME
from tests.releases import ROOT
from tests.report_pages import COMMITTED, HOSTILE, TINY, hostile, load, page_of, run, summariser, write

NAMES_REPORT = ROOT / "baselines" / "reports" / "ambiguous_names.test.spacy_md.json"
SUBJECTS_REPORT = ROOT / "baselines" / "reports" / "subject_inference.test.spacy_mask+rules_adversary.json"
BY_CONFIG = {config: [path for path in COMMITTED if path.name.startswith(f"{config}.")] for config in BY_NAME}


class Page(HTMLParser):
    """The elements of a page, and its text outside the style."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.words, self._style = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self._style = tag == "style"

    def handle_endtag(self, tag):
        self._style = False

    def handle_data(self, data):
        if not self._style:
            self.words.append(data)

    @property
    def text(self):
        return " ".join("".join(self.words).split())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The page of every committed report."""
    return page_of(tmp_path_factory.mktemp("whole"), *COMMITTED).read_text(encoding="utf-8")


def rendered(*paths):
    return page.render(read_reports(paths), read_published()).decode("utf-8")


def test_every_config_has_committed_reports():
    assert all(BY_CONFIG.values())


def test_every_committed_report_is_on_the_page(whole):
    found = Page(whole)
    ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert [name for name in ids if name in BY_NAME] == list(BY_NAME)
    for path in COMMITTED:
        report = load(path)
        assert report["system"] in found.text and report["signature"] in found.text, path


def test_the_page_needs_nothing_from_elsewhere(whole):
    """No script, no handler, no address but those that name SVG's own vocabulary."""
    for tag, attributes in Page(whole).elements:
        assert tag not in ("script", "img", "link", "iframe", "object", "embed", "base", "form", "image"), tag
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            if name in ("href", "src", "xlink:href"):
                assert value.startswith("#"), (tag, value)
    addresses = set(re.findall(r"\w+://[^\s\"'<)]+", whole))
    assert addresses == {"http://www.w3.org/1999/xlink", "http://www.w3.org/2000/svg"}
    assert "@import" not in whole and "url(http" not in whole


def test_ids_stand_once_and_references_lead_to_them(whole):
    ids = [attributes["id"] for _, attributes in Page(whole).elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    wanted = set(re.findall(r'(?:url\(|href=")#([^)"]+)', whole))
    assert wanted and wanted <= set(ids)


@pytest.mark.parametrize("config", BY_NAME)
def test_headline_metrics_stand_with_their_intervals(config):
    """Each headline record as the page writes it, rounded here by hand of the report's own numbers."""
    path = BY_CONFIG[config][0]
    reports = read_reports([path])
    cells = [
        cell
        for table in tables.tables(config, reports, [])
        for body in table.bodies
        for row in body.rows
        for cell in row.cells
    ]
    shown = {(cell.text, *cell.more) for cell in cells}
    for shape in tables.layout(config)["tables"]:
        for _, metric, group in shape["columns"]:
            record = reports[0].get(metric, group)
            if record and record["value"] is not None and 0.01 <= record["value"] <= 0.99 and "p" not in record:
                value = f"{record['value']:.2f}"[1:]
                assert any(text.lstrip("+") == value for text, *_ in shown), (metric, group)


def test_a_rate_and_its_interval_by_hand():
    record = {"metric": "recall", "value": 0.5849, "low": 0.5551, "high": 0.6, "n": 7, "p": 0.0312, "p_holm": 0.00004}
    notes = tables.Notes()
    cell = tables.cell(record, notes)
    assert (cell.text, cell.more, cell.marks) == (".58", ("[.56, .60]", "Holm p < .001"), "")
    assert cell.title == "n = 7, value 0.5849, p = .031, p_holm = < .001"


NUMBERS = [
    (0, ".00"),
    (1, "1.00"),
    (0.0026, ".003"),
    (0.99987, ".9999"),
    (-0.031, "−.03"),
    (4.519, "4.52"),
    (1e-9, ".000000"),
]


@pytest.mark.parametrize(("number", "text"), NUMBERS)
def test_numbers(number, text):
    assert rates.short(number) == text


def test_what_is_missing_says_why():
    path = ROOT / "baselines" / "reports" / "usernames.test.spacy_md.json"
    [record] = [r for r in load(path)["metrics"] if (r["metric"], r["group"]) == ("fdr", "ambiguous")]
    assert record["value"] is None
    found = Page(rendered(path))
    assert f"a {record['reason']}" in found.text


def test_recall_never_stands_without_fdr():
    """By layout: each column of recall over entities has its fdr column on the same group, in the same table."""
    for config in ("ambiguous_names", "usernames"):
        for shape in tables.layout(config)["tables"]:
            keys = {(metric, group) for _, metric, group in shape["columns"]}
            assert all(("fdr", group) in keys for metric, group in keys if metric == "recall"), shape["title"]


@pytest.mark.parametrize("config", BY_NAME)
def test_the_layout_knows_its_metrics_and_plots(config, tmp_path):
    """Every column is in some report, of a summariser too, or published row; every plot has a function."""
    paths = [*BY_CONFIG[config], *TINY, summariser(tmp_path)]
    known = {(r["metric"], r["group"]) for path in paths for r in load(path)["metrics"]}
    known |= {(row["metric"], row["group"]) for row in read_published()["rows"]}
    for shape in tables.layout(config)["tables"]:
        items = [item for _, item in shape.get("items", [["", ""]])]
        for _, metric, group in shape["columns"]:
            assert any((metric, group.format(item)) in known for item in items), (metric, group)
    keys = {plot["key"] for plot in tables.layout(config)["plots"]}
    assert keys <= {*figures.ONE_EACH, "protection"}


def test_published_rows_are_marked_as_other_data():
    [table, *_] = tables.tables("ambiguous_names", read_reports([NAMES_REPORT]), read_published()["rows"])
    own, others = table.bodies
    assert not own.other and others.other and others.heading == "Published in AmBench, on other data"
    assert [row.label for row in own.rows] == ["spacy_md"]
    assert len(others.rows) == 14 and {row.remark for row in others.rows} == {"Table 1"}
    place = table.columns.index("FDR, ambiguous ↓") - 1
    assert next(row for row in others.rows if row.label == "Llama 3.1 8B").cells[place].text == ".0388"


def test_a_paper_s_contradiction_is_noted():
    made = tables.published_tables([row for row in read_published()["rows"] if row["table"] == "Table 3"])
    assert any("22.51" in note for table in made for _, note in table.notes)


def test_plots_of_each_config():
    """The plots that the specification names, in a page of one report a config."""
    shown = {
        config: {
            block.title: len(block.figures)
            for block in figures.blocks(config, read_reports(paths[:1]), read_published()["rows"])
        }
        for config, paths in BY_CONFIG.items()
    }
    assert shown["ambiguous_names"] == dict.fromkeys(
        ("Recall by type", "Consistency", "Recall by popularity", "Predicted types"), 1
    )
    assert shown["unknown_names"] == {"Conflation over proximity": 1, "Labels": 1, "Country pairs": 1}
    assert shown["subject_inference"] == {"CPR beside token recall": 1, "CPR by tag": 1}
    assert shown["usernames"] == {"Recall": 1, "Predicted types": 1}
    assert shown["prompt_injection"] == {"Leakage": 1}
    detectors = [path for path in BY_CONFIG["prompt_injection"] if "+" not in str(path)][:1]
    blocks = figures.blocks("prompt_injection", read_reports(detectors), read_published()["rows"])
    assert [block.title for block in blocks] == ["Recall with and without the instruction"]


def test_country_pairs_are_drawn_where_a_report_has_them(tmp_path):
    made = load(BY_CONFIG["unknown_names"][0])
    made["metrics"] = [record for record in made["metrics"] if "country_pair" not in record["group"]]
    assert "Country pairs" not in rendered(write(tmp_path, "none.json", made))
    for given, surname, value in (("Chile", "Norway", 0.25), ("Norway", "Chile", None)):
        group = f"unknown/country_pair/{given}/{surname}"
        made["metrics"].append(
            {"metric": "abstention", "group": group, "value": value, "low": None, "high": None, "n": 4}
        )
    text = rendered(write(tmp_path, "pairs.json", made))
    assert "Country pairs" in text and ">Chile</text>" in text and ">.25</text>" in text


def test_leakage_is_drawn_and_tabled_for_summaries(tmp_path):
    reports = read_reports([summariser(tmp_path)])
    rows = [row for row in read_published()["rows"] if row["config"] == "prompt_injection"]
    headline, *others = tables.tables("prompt_injection", reports, rows)
    assert headline.title == "Headline metrics: summaries" and [table.title for table in others] == ["Leakage by type"]
    own, clio = (body.rows[0] for body in headline.bodies)
    assert [cell.text for cell in own.cells[:3]] == [".00", "1.00", "+1.00"]
    assert [cell.text for cell in clio.cells[:3]] == [".0392", ".1820", "+.1428"]
    assert [block.title for block in figures.blocks("prompt_injection", reports, rows)] == ["Leakage"]


def test_reports_of_other_rows_are_told_apart():
    tiny = ROOT / "examples" / "tiny" / "ambiguous_names.report.json"
    assert "not all of the same rows" in rendered(NAMES_REPORT, tiny)
    assert "not all of the same rows" not in rendered(*BY_CONFIG["ambiguous_names"][:2])


@pytest.mark.parametrize("path", TINY, ids=lambda path: path.name)
def test_reports_of_ten_rows_are_drawn(path):
    assert load(path)["system"] in Page(rendered(path)).text


def test_a_report_without_records_is_drawn(tmp_path):
    made = load(NAMES_REPORT) | {"metrics": []}
    assert "spacy_md" in Page(rendered(write(tmp_path, "bare.json", made))).text


@pytest.mark.parametrize("config", BY_NAME)
def test_reports_without_any_value_are_drawn(config, tmp_path):
    """Null everywhere, as when a half of the answers was not given: no plot and no fault."""
    made = load(BY_CONFIG[config][0])
    for record in made["metrics"]:
        record |= {"value": None, "low": None, "high": None, "n": 0, "reason": "no unit to count"}
    assert "no unit to count" in Page(rendered(write(tmp_path, "null.json", made))).text


def test_warnings_are_shown_and_counted(tmp_path):
    made = load(NAMES_REPORT) | {"warnings": [f"label X{number} is not known" for number in range(13)]}
    text = Page(rendered(write(tmp_path, "warned.json", made))).text
    assert "label X9 is not known" in text and "label X10" not in text and "and 3 more warnings" in text


def test_coverage_tells_empty_answers_and_failures():
    found = {"expected": 1000, "scored": 990, "missing": 10, "empty": 99, "unparsable": 3, "refused": 0, "failed": 0}
    assert page.coverage(found) == "990 of 1,000 rows answered, 10.0% of the answers empty, 10 missing, 3 unparsable"
    assert page.coverage(dict.fromkeys(found, 0)) == "0 of 0 rows answered, 0.0% of the answers empty"


def test_equal_reports_give_equal_bytes(tmp_path):
    """In other processes, under other hash seeds, folders and settings of matplotlib."""
    (tmp_path / "matplotlibrc").write_text("font.size: 30\naxes.facecolor: red\nsvg.fonttype: path\n", encoding="utf-8")
    reports = [NAMES_REPORT, SUBJECTS_REPORT]
    made = []
    for seed, folder in (("1", tmp_path), ("2", ROOT)):
        settings = {"PYTHONHASHSEED": seed, "MATPLOTLIBRC": str(folder), "TZ": "UTC" if seed == "1" else "Asia/Tokyo"}
        out = tmp_path / f"{seed}.html"
        done = run(*reports, "--out", out, env=os.environ | settings)
        assert done.returncode == 0, done.stderr
        made.append(out.read_bytes())
    assert made[0] == made[1]


def test_the_user_s_settings_survive_a_page():
    import matplotlib

    with matplotlib.rc_context({"font.size": 7}):
        before = dict(matplotlib.rcParams)
        rendered(NAMES_REPORT)
        assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_texts_stand_as_text(kind, tmp_path):
    text = HOSTILE[kind]
    found = Page(rendered(write(tmp_path, "hostile.json", hostile(text))))
    plain = Page(rendered(BY_CONFIG["unknown_names"][0]))
    assert {tag for tag, _ in found.elements} <= {tag for tag, _ in plain.elements} | {"ul", "li"}
    assert all(not name.startswith("on") for _, attributes in found.elements for name in attributes)
    assert found.text.count(text) >= 5


TEXTS = [
    ("a\nb\tc", "a b c"),
    ("a\x00b\x1bc\x7f", "a\ufffdb\ufffdc\ufffd"),
    ("abc\u202edef\u2066", "abc\ufffddef\ufffd"),
    ("العربية 漢字 👩‍💻", "العربية 漢字 👩‍💻"),
    ("x" * 500, "x" * 159 + "…"),
    ("  ", ""),
]


@pytest.mark.parametrize(("text", "shown"), TEXTS)
def test_texts_are_made_fit_to_be_shown(text, shown):
    assert printable(text) == shown


def spoiled(**changes):
    return json.dumps(load(NAMES_REPORT) | changes)


def with_record(**changes):
    records = load(NAMES_REPORT)["metrics"]
    return spoiled(metrics=[records[0] | changes, *records[1:]])


GOOD = NAMES_REPORT.read_text(encoding="utf-8")
FAULTS = [
    ("empty", "", "the file is empty"),
    ("blank", " \n", "the file is empty"),
    ("predictions", '{"id": "an-1", "entities": []}\n{"id": "an-2", "entities": []}\n', "not a score report"),
    ("one prediction", '{"id": "an-1", "entities": []}', "'metrics' is a required property"),
    ("array", f"[{GOOD}]", "expected a JSON object"),
    ("page", "<!doctype html>", "not a score report: not valid JSON"),
    ("cut off", GOOD[:-9], "not a score report: not valid JSON"),
    ("comparison", '{"scorer": "1", "signatures": ["a", "b"], "metrics": []}', "a comparison, not a report"),
    ("LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer"),
    ("unknown config", spoiled(config="weather"), "config 'weather'"),
    ("NaN", GOOD.replace("0.487045", "NaN", 1), "NaN is no JSON number"),
    ("infinite", GOOD.replace("0.487045", "1e999", 1), "out of range"),
    ("too large", with_record(value=1e300), "a number over"),
    ("endless integer", GOOD.replace("0.487045", "9" * 6000, 1), "not a score report"),
    ("a text as value", with_record(value=".58"), "'.58' is not of type 'number', 'null'"),
    ("a key twice", GOOD.replace('"split"', '"config"', 1), "stands twice"),
    (
        "a record twice",
        spoiled(metrics=load(NAMES_REPORT)["metrics"][:1] * 2),
        "metric 'recall' of group 'ambiguous/location' stands twice",
    ),
    ("no release", spoiled(release=None), "release"),
    ("negative coverage", spoiled(coverage=load(NAMES_REPORT)["coverage"] | {"scored": -1}), "coverage.scored"),
    ("deep", "[" * 100_000, "not a score report"),
]


@pytest.fixture
def refused(tmp_path, monkeypatch, capsys):
    """Run report.py within this process; expects status 2 and no output file, returns what it said."""
    import report

    def refuse(*paths, out=None):
        out = out or tmp_path / "out" / "page.html"
        monkeypatch.setattr(sys, "argv", ["report.py", *map(str, paths), "--out", str(out)])
        with pytest.raises(SystemExit) as caught:
            report.run()
        captured = capsys.readouterr()
        assert caught.value.code == 2 and captured.out == ""
        return captured.err

    (tmp_path / "out").mkdir()
    yield refuse
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(("name", "text", "message"), FAULTS, ids=[name for name, *_ in FAULTS])
def test_what_is_no_report_is_refused(name, text, message, tmp_path, refused):
    path = tmp_path / "wrong.json"
    path.write_text(text, encoding="utf-8")
    said = refused(NAMES_REPORT, path)
    assert said.startswith(f"{path}: ") and message in said and "Traceback" not in said


def test_bytes_that_are_no_text_are_refused(tmp_path, refused):
    path = tmp_path / "wrong.json"
    path.write_bytes(GOOD.encode("utf-16"))
    assert "not UTF-8" in refused(path)


def test_the_faults_of_all_files_are_gathered(tmp_path, refused):
    paths = [write(tmp_path, name, {}) for name in ("one.json", "two.json")]
    said = refused(paths[0], tmp_path / "missing.json", paths[1], tmp_path)
    for name in ("one.json", "two.json", "missing.json: cannot be read", f"{tmp_path}: cannot be read"):
        assert name in said


def test_the_same_report_twice_is_refused(tmp_path, refused):
    copy = tmp_path / "copy.json"
    copy.write_bytes(NAMES_REPORT.read_bytes())
    assert f"{copy}: is the same report as {NAMES_REPORT}" in refused(NAMES_REPORT, copy)


def test_outputs_that_would_harm_are_refused(tmp_path, refused):
    copy = tmp_path / "copy.json"
    copy.write_bytes(NAMES_REPORT.read_bytes())
    link = tmp_path / "link.html"
    link.symlink_to(copy)
    outs = {
        copy: "is an input",
        link: "is an input",
        tmp_path / "no" / "page.html": "does not exist",
        tmp_path: "is a folder",
    }
    outs |= {
        ROOT / folder / "page.html": "lies among the release's files" for folder in ("data", "schemas", "references")
    }
    for out, message in outs.items():
        assert message in refused(copy, out=out), out
        assert not (ROOT / "data" / "page.html").exists()
    assert copy.read_bytes() == NAMES_REPORT.read_bytes()


def test_a_failed_run_leaves_the_old_page(tmp_path):
    out = tmp_path / "page.html"
    out.write_text("old", encoding="utf-8")
    done = run(write(tmp_path, "wrong.json", {}), "--out", out)
    assert done.returncode == 2 and out.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "wrong.json"]


def test_scoring_needs_none_of_it():
    """score.py and its rooms import neither matplotlib nor Jinja2."""
    import subprocess

    code = "import sys, score; sys.exit(any(name in sys.modules for name in ('matplotlib', 'jinja2', 'reporting')))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_marks_of_one_plot_are_not_another_s():
    one, two = (drawing.histograms(title, ["a"], ["0", "1"], [[0.5, 0.5]], "#000000") for title in ("one", "two"))
    ids = [set(re.findall(r' id="([^"]+)"', text)) for text in (one, two)]
    assert ids[0] and not ids[0] & ids[1]
