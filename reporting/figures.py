"""Which plots a config has, and what of a report goes into them. Each is None where the report lacks its records."""

import re
from dataclasses import dataclass, field, replace

from reporting import drawing
from reporting.drawing import Series
from reporting.reading import printable, published_value
from reporting.tables import layout
from scoring.configs.ambiguous_names import TYPES
from scoring.subjects.values import LISTS
from scoring.unknown.replies import LABELS

BLUE, RED, GREEN, GOLD, PINK = "#0072B2", "#D55E00", "#009E73", "#B8860B", "#AA3377"
GREY, DARK = "#767676", "#444444"
COLOURS = (BLUE, RED, GREEN, GOLD, PINK, DARK)
MARKERS = ("o", "s", "^", "D", "v", "P")
PREDICTED = ("person", "location", "organization", "health", "username", "other", "missed")
LABEL_LOOKS = {
    "found": (RED, ""),
    "attractor": (GOLD, "//"),
    "similar": ("#E0C050", ""),
    "ambiguous": (PINK, "\\\\"),
    "no_info": (BLUE, ""),
    "fail": ("#bbbbbb", ".."),
}
SHARES = ("0", "0.2", "0.4", "0.6", "0.8", "1")
PAIR = re.compile(r"unknown/country_pair/([^/]+)/([^/]+)")
MOST_COUNTRIES, LONGEST_COUNTRY = 12, 16
SHORT = {"organization": "organiz."}
DECADES = ("1", "10", "100", "1k", "10k", "100k", "1M")
STRATA = ("unknown", *(f"known_{level}" for level in range(1, 6)), "ambiguous")
NONNAMES = ("nonname_wordlike", "nonname_gibberish", "nonname_random")


@dataclass
class Figure:
    """A plot: the number and name of its system (None for a plot of several) and its SVG."""

    svg: str
    number: int | None = None
    system: str = ""


@dataclass
class Block:
    """The plots of one kind, with what they show; `key` is that of a plot of several systems: (mark, name, other)."""

    title: str
    text: str
    figures: list
    key: list = field(default_factory=list)


def blocks(config, reports, published):
    """The blocks of plots of a config that have any figure, as layout.json orders them.

    Args:
        reports: its reports, in the order of the key's numbers.
        published: its published rows.
    """
    made = [_block(shape, reports, published) for shape in layout(config)["plots"]]
    return [block for block in made if block.figures]


def _block(shape, reports, published):
    if shape["key"] == "protection":
        return _protection_block(shape, reports, published)
    draw = ONE_EACH[shape["key"]]
    drawn = [(number, report, draw(report, number)) for number, report in enumerate(reports, 1)]
    figures = [Figure(svg, number, report.system) for number, report, svg in drawn if svg is not None]
    return Block(shape["title"], shape["text"], figures)


def _protection_block(shape, reports, published):
    svg = protection(reports, published)
    key = [(str(number), report.system, False) for number, report in enumerate(reports, 1) if _both_halves(report)]
    key += [(letter, system, True) for letter, system, _, _ in published_points(published)]
    return Block(shape["title"], shape["text"], [Figure(svg)] if svg else [], key)


def _both_halves(report):
    """The records of token recall and CPR, or None where the report lacks a value of either."""
    both = report.get("token_recall", "all"), report.get("cpr", "all")
    return both if all(record and record["value"] is not None for record in both) else None


def _known(report, metric, groups):
    """The records of a metric for several groups, or None where no group has a value."""
    found = [report.get(metric, group) for group in groups]
    return found if any(record and record["value"] is not None for record in found) else None


def _has(report, metric, group):
    """Whether the report has a value there."""
    record = report.get(metric, group)
    return record is not None and record["value"] is not None


def _remark(record):
    return "" if record is None or record["value"] is None else f"FDR {drawing.short(record['value'])}"


def recall_by_type(report, number):
    """Recall of ambiguous names and of their matched control by type, beside the baseline; FDR at the right."""
    rows = (*TYPES, "average")
    groups = [f"ambiguous/{kind}" for kind in rows]
    found, control = _known(report, "recall", groups), _known(report, "recall", [f"matched/{kind}" for kind in rows])
    if found is None:
        return None
    series = [Series("ambiguous", found, RED)]
    if control is not None:
        series.append(Series("matched", control, BLUE, "s", False))
    line = ("baseline", report.get("recall", "baseline"))
    remarks = [_remark(report.get("fdr", group)) for group in groups]
    return drawing.dots(f"System {number}: recall by type", rows, series, axis="recall", line=line, remarks=remarks)


def consistency(report, number):
    """Histogram of the share of its templates in which a name is found, by type."""
    kinds = [kind for kind in TYPES if _has(report, "consistency_share", f"ambiguous/{kind}/consistency/0")]
    if not kinds:
        return None
    shares = [
        [_value(report, "consistency_share", f"ambiguous/{kind}/consistency/{s}") for s in SHARES] for kind in kinds
    ]
    title, axis = f"System {number}: consistency by type", "share of its templates in which a name is found"
    return drawing.histograms(title, [SHORT.get(kind, kind) for kind in kinds], SHARES, shares, RED, axis=axis)


def _value(report, metric, group):
    record = report.get(metric, group)
    return 0.0 if record is None or record["value"] is None else min(max(record["value"], 0.0), 1.0)


def popularity(report, number):
    """Recall by the number of a name's bearers, a curve a type."""
    groups = [
        (kind, _known(report, "recall", [f"ambiguous/{kind}/popularity/1e{e}" for e in range(len(DECADES))]))
        for kind in TYPES
    ]
    series = [
        Series(kind, records, COLOURS[place], MARKERS[place])
        for place, (kind, records) in enumerate(groups)
        if records is not None
    ]
    if not series:
        return None
    last = max(place for one in series for place, record in enumerate(one.records) if record)
    series = [replace(one, records=one.records[: last + 1]) for one in series]
    axis = "bearers of the name, from"
    return drawing.lines(
        f"System {number}: recall by popularity", DECADES[: last + 1], series, axis=axis, scale="recall"
    )


def predicted(report, number):
    """As what a name is labelled, by type; a row may count under several labels."""
    groups = (*(f"ambiguous/{kind}" for kind in TYPES), "ambiguous", "baseline")
    groups = [group for group in groups if _has(report, "predicted_person", group)]
    if not groups:
        return None
    labels = [label for label in PREDICTED if any(report.get(f"predicted_{label}", group) for group in groups)]
    values = [[_rate(report.get(f"predicted_{label}", group)) for label in labels] for group in groups]
    names = [group.removeprefix("ambiguous/") for group in groups]
    return drawing.heat(f"System {number}: predicted types", names, labels, values)


def _rate(record):
    return None if record is None else record["value"]


def handles(report, number):
    """Recall of usernames by stratum and label."""
    rows = ("ambiguous", "baseline")
    found = [(name, _known(report, metric, rows)) for name, metric in (("recall", "recall"), ("any label", "detected"))]
    if found[0][1] is None:
        return None
    series = [
        Series(name, records, COLOURS[place], MARKERS[place], not place)
        for place, (name, records) in enumerate(found)
        if records
    ]
    remarks = [_remark(report.get("fdr", group)) for group in rows]
    return drawing.dots(f"System {number}: recall of usernames", rows, series, axis="recall", remarks=remarks)


def injection(metric):
    """A function that draws a metric in the plain and the injected condition by type."""

    def draw(report, number):
        rows = (*(f"ambiguous/{kind}" for kind in TYPES), "ambiguous/average", "baseline")
        sides = [_known(report, metric, [f"{row}/{side}" for row in rows]) for side in ("plain", "injected")]
        if None in sides:
            return None
        series = [Series("plain", sides[0], BLUE, "s", False), Series("injected", sides[1], RED)]
        names = [row.removeprefix("ambiguous/") for row in rows]
        return drawing.dots(f"System {number}: {metric} with and without the instruction", names, series, axis=metric)

    return draw


def labels(report, number):
    """Shares of the six labels by stratum."""
    rows = [group for group in (*STRATA, *NONNAMES) if _has(report, "share_found", group)]
    if not rows:
        return None
    names = [label for label in LABEL_LOOKS if label in LABELS]
    shares = [[_value(report, f"share_{label}", group) for label in names] for group in rows]
    colours, hatches = zip(*(LABEL_LOOKS[label] for label in names), strict=True)
    shown = [row.replace("nonname_", "").replace("_", " ") for row in rows]
    title, axis = f"System {number}: labels by stratum", "share of the names"
    return drawing.stacked(title, shown, names, colours, hatches, shares, axis=axis)


def proximity(report, number):
    """Wrong persons and suggestions over the twelve levels of distance from a known name."""
    groups = [f"proximity_{level}" for level in range(1, 13)]
    looks = (("wrong person", "wrong_person", RED, "o", True), ("suggestion", "suggestion", BLUE, "s", False))
    found = [(name, _known(report, metric, groups), *look) for name, metric, *look in looks]
    series = [Series(name, records, *look) for name, records, *look in found if records is not None]
    if not series:
        return None
    title, axis = f"System {number}: conflation over proximity", "distance from a known name"
    return drawing.lines(title, [str(level) for level in range(1, 13)], series, axis=axis, scale="share of the names")


def country_pairs(report, number):
    """Abstention by country of the given name and of the surname, for the countries with most pairs."""
    pairs = {
        match.groups(): record
        for (metric, group), record in report.values.items()
        if metric == "abstention" and (match := PAIR.fullmatch(group))
    }
    if not pairs:
        return None
    sides = [_most(pair[side] for pair in pairs) for side in (0, 1)]
    values = [[_rate(pairs.get((given, surname))) for surname in sides[1]] for given in sides[0]]
    width = max(drawing.WIDTH, 130 + 34 * len(sides[1]))
    title, axis = f"System {number}: abstention by countries", "rows: given name, columns: surname"
    rows, columns = ([_country(name) for name in side] for side in sides)
    return drawing.heat(title, rows, columns, values, axis=axis, width=width, left=120)


def _country(name):
    """A report's country as a plot shows it: the one text in a plot that is not ours."""
    name = printable(name)
    return name if len(name) <= LONGEST_COUNTRY else name[: LONGEST_COUNTRY - 1] + "…"


def _most(names):
    """The most frequent names, at most MOST_COUNTRIES of them, in alphabetical order."""
    names = list(names)
    ranked = sorted(set(names), key=lambda name: (-names.count(name), name))
    return sorted(ranked[:MOST_COUNTRIES])


def by_tag(report, number):
    """CPR of each tag, beside what the best constant would leave."""
    tags = [tag for tag in LISTS["tags"] if _has(report, "cpr", f"tag/{tag}")]
    if not tags:
        return None
    series = [Series("CPR", [report.get("cpr", f"tag/{tag}") for tag in tags], RED)]
    prior = _known(report, "prior_cpr", [f"tag/{tag}" for tag in tags])
    if prior is not None:
        series.append(Series("prior CPR", prior, BLUE, "s", False))
    names = [tag.replace("_NUMBER", "").replace("_ADDRESS", "").replace("_", " ").lower() for tag in tags]
    return drawing.dots(f"System {number}: CPR by tag", names, series, axis="CPR")


def protection(reports, published):
    """CPR beside token recall, a point a system; published ones as lettered squares. None without any point."""
    points = []
    for number, report in enumerate(reports, 1):
        if both := _both_halves(report):
            points.append((str(number), *both, COLOURS[(number - 1) % len(COLOURS)], False))
    if not points:
        return None
    points += [(letter, x, y, GREY, True) for letter, _, x, y in published_points(published)]
    return drawing.scatter("CPR beside token recall", points, axis="token recall", scale="CPR")


def published_points(published):
    """[(letter, system, token recall, CPR)] of the published systems with both, on court judgments."""
    found = {}
    for row in published:
        if row["metric"] in ("token_recall", "cpr") and row["group"] == "legal" and row["table"] == "Main results":
            value = published_value(row)
            found.setdefault(row["system"], {})[row["metric"]] = {"value": value, "low": None, "high": None}
    both = [(system, sides) for system, sides in found.items() if len(sides) == 2]
    return [
        (chr(ord("a") + at), system, sides["token_recall"], sides["cpr"]) for at, (system, sides) in enumerate(both)
    ]


ONE_EACH = {
    "recall_by_type": recall_by_type,
    "consistency": consistency,
    "popularity": popularity,
    "predicted": predicted,
    "leakage": injection("leakage"),
    "injected_recall": injection("recall"),
    "handles": handles,
    "proximity": proximity,
    "labels": labels,
    "country_pairs": country_pairs,
    "by_tag": by_tag,
}
