"""The page: reports grouped by config, their tables and plots, the published rows, through one Jinja2 template."""

import re
from dataclasses import dataclass
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from reporting import figures, tables
from reporting.reading import Report
from scoring.configs import BY_NAME

HERE = Path(__file__).resolve().parent
MOST_WARNINGS = 10
FAILURES = ("missing", "unparsable", "refused", "failed")


@dataclass
class Section:
    """What the page shows of one config."""

    name: str
    question: str
    reports: list[Report]
    same_rows: bool
    tables: list
    blocks: list
    published: list
    papers: list


def render(reports, published):
    """The page as UTF-8 bytes; equal reports in equal order give equal bytes.

    Args:
        reports: list of reading.Report.
        published: {"papers", "rows"} as reading.read_published gives them.
    """
    loader = jinja2.FileSystemLoader(HERE)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"svg": Markup, "coverage": coverage, "breakable": breakable}
    style = Markup((HERE / "page.css").read_text(encoding="utf-8"))
    made = [section for config in BY_NAME if (section := _section(config, reports, published))]
    text = environment.get_template("page.html.jinja").render(sections=made, style=style, most_warnings=MOST_WARNINGS)
    return text.encode("utf-8")


def _section(config, reports, published):
    """The section of a config, or None where no report is of it."""
    own = [report for report in reports if report.config == config]
    if not own:
        return None
    rows = [row for row in published["rows"] if row["config"] == config]
    papers = [(paper, published["papers"][paper]) for paper in dict.fromkeys(row["paper"] for row in rows)]
    return Section(
        name=config,
        question=tables.layout(config)["question"],
        reports=own,
        same_rows=len({(report.split, report.data) for report in own}) == 1,
        tables=tables.tables(config, own, rows),
        blocks=figures.blocks(config, own, rows),
        published=tables.published_tables(rows),
        papers=papers,
    )


def breakable(text):
    """A name, escaped, that may be broken after the marks names are joined with."""
    return Markup("<wbr>").join(escape(part) for part in re.split(r"(?<=[_+/|:])", text))


def coverage(found):
    """What was answered, as a sentence: the empty share stands beside the metrics (METRICS §2)."""
    share = found["empty"] / found["scored"] if found["scored"] else 0
    parts = [f"{found['scored']:,} of {found['expected']:,} rows answered", f"{share:.1%} of the answers empty"]
    parts += [f"{found[key]:,} {key}" for key in FAILURES if found.get(key)]
    return ", ".join(parts)
