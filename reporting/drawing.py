"""Plots as inline SVG: texts are never read as markup or formulas, a unit is a CSS pixel, equal values, equal bytes."""

import io
import re
import warnings
from dataclasses import dataclass

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from reporting.rates import short

WIDTH = 350
POINTS_PER_INCH = 72
INK, FAINT = "#222222", "#767676"
STYLE = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 11,
    "axes.edgecolor": FAINT,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "legend.frameon": False,
    "legend.fontsize": 10,
    "hatch.linewidth": 0.6,
}
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
LEGEND_ROW, BOTTOM, ROW = 18, 40, 24


@dataclass(frozen=True)
class Series:
    """One run of records (None where there is none) with its name, colour and marker; open markers are unfilled."""

    name: str
    records: list
    colour: str
    marker: str = "o"
    filled: bool = True


class Sheet:
    """A figure under the page's own style, whatever the user's matplotlib settings are; `svg` ends it."""

    def __init__(self, height, *, left=96, right=12, top=LEGEND_ROW, bottom=BOTTOM, panels=1, width=WIDTH):
        self._context = matplotlib.rc_context(matplotlib.rcParamsDefault | STYLE)
        self._context.__enter__()
        self.figure = Figure(figsize=(width / POINTS_PER_INCH, height / POINTS_PER_INCH), dpi=POINTS_PER_INCH)
        FigureCanvasSVG(self.figure)
        self.axes = self.figure.subplots(1, panels, sharey=panels > 1, squeeze=False)[0]
        self.figure.subplots_adjust(left / width, bottom / height, 1 - right / width, 1 - top / height, wspace=0.12)

    def legend(self, handles, labels, columns=None):
        """The legend in a row above the axes."""
        place = {"loc": "upper left", "bbox_to_anchor": (0, 1), "ncols": columns or len(labels)}
        space = {"handletextpad": 0.3, "columnspacing": 1.0, "borderaxespad": 0, "borderpad": 0.1, "handlelength": 1.1}
        self.figure.legend(handles, labels, **place, **space)

    def svg(self, title):
        """The SVG's text, with `title` as its accessible name. Its ids are keyed by the title and the content."""
        stream = io.StringIO()
        try:
            matplotlib.rcParams["svg.hashsalt"] = title
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message="Glyph .* missing")
                self.figure.savefig(stream, format="svg", metadata=NO_METADATA)
        finally:
            self._context.__exit__(None, None, None)
        return _inline(stream.getvalue(), title)


def _inline(text, title):
    """A stand-alone SVG as an element of a page: without prologue, page-wide style, and ids that nothing refers to."""
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<defs>\s*<style.*?</style>\s*</defs>", "", text, count=1, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    width, height = (f"{float(side):.0f}" for side in box.groups())
    label = title.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    least = f";min-width:{width}px" if int(width) > WIDTH else ""
    opening = f'<svg viewBox="0 0 {width} {height}" style="max-width:{width}px{least}" role="img" aria-label="{label}" '
    opening += 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg">'
    return re.sub(r"<svg[^>]*>", lambda _: opening, text, count=1).strip()


def dots(title, labels, series, *, axis="", line=None, remarks=(), limits=(0, 1)):
    """Values with intervals on a horizontal scale, a row a label.

    Args:
        labels: the rows, from the top.
        series: list of Series, each with a record a label.
        line: (name, record) drawn as a vertical line, or None.
        remarks: a text a row, written at the right.
    """
    sheet = Sheet(LEGEND_ROW + BOTTOM + ROW * len(labels), right=70 if any(remarks) else 14)
    axes, handles = sheet.axes[0], []
    for place, one in enumerate(series):
        shift = (place - (len(series) - 1) / 2) * 0.3
        handles.append(_dotted(axes, one, shift))
    names = [one.name for one in series]
    if line is not None and line[1] is not None and line[1]["value"] is not None:
        handles.append(axes.axvline(line[1]["value"], color=FAINT, linestyle="--", linewidth=1.2))
        names.append(line[0])
    for place, remark in enumerate(remarks):
        axes.text(1.03, place, remark, transform=axes.get_yaxis_transform(), va="center", fontsize=10, color=FAINT)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    _rate_axis(axes, axis, limits)
    sheet.legend(handles, names)
    return sheet.svg(title)


def _dotted(axes, one, shift):
    """Draw a series along the rows; returns the handle for its legend."""
    for place, record in enumerate(one.records):
        if record is not None and record["low"] is not None and record["high"] is not None:
            axes.plot([record["low"], record["high"]], [place + shift] * 2, color=one.colour, linewidth=1.6)
    shown = [(r["value"], place + shift) for place, r in enumerate(one.records) if r and r["value"] is not None]
    face = one.colour if one.filled else "white"
    look = {"marker": one.marker, "color": one.colour, "markerfacecolor": face, "linestyle": "none", "markersize": 6}
    return axes.plot([value for value, _ in shown], [place for _, place in shown], **look)[0]


def _rate_axis(axes, title, limits):
    low, high = limits
    axes.set_xlim(low - 0.02 * (high - low), high + 0.02 * (high - low))
    if limits == (0, 1):
        axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", ".2", ".4", ".6", ".8", "1"])
    axes.grid(axis="x")
    axes.set_xlabel(title)


def histograms(title, labels, ticks, shares, colour, *, axis=""):
    """One small histogram a label, side by side on one scale.

    Args:
        ticks: the names of the bins.
        shares: for each label a list of shares of 1, one a bin.
    """
    sheet = Sheet(150, left=34, right=6, top=22, panels=len(labels))
    for axes, label, heights in zip(sheet.axes, labels, shares, strict=True):
        axes.bar(range(len(ticks)), heights, color=colour, width=0.85)
        axes.set_xticks([0, len(ticks) - 1], [ticks[0], ticks[-1]])
        axes.set_title(label, fontsize=9.5, pad=5)
        axes.grid(axis="y")
        axes.tick_params(axis="y", length=0)
    sheet.axes[0].set_ylim(0, 1)
    sheet.axes[0].set_yticks([0, 0.5, 1], ["0", ".5", "1"])
    sheet.figure.supxlabel(axis, y=0.01, fontsize=11)
    return sheet.svg(title)


def lines(title, ticks, series, *, axis="", scale=""):
    """Curves over an ordered scale, with intervals as bars.

    Args:
        ticks: names of the scale's steps.
        series: list of Series with a record a step; a step without a value is left out.
    """
    rows = -(-len(series) // 3)
    sheet = Sheet(200 + LEGEND_ROW * rows, left=44, top=LEGEND_ROW * rows + 6, bottom=46)
    axes, handles = sheet.axes[0], []
    for number, one in enumerate(series):
        shift = (number - (len(series) - 1) / 2) * 0.08
        known = [(place + shift, r) for place, r in enumerate(one.records) if r and r["value"] is not None]
        for place, record in known:
            if record["low"] is not None and record["high"] is not None:
                axes.plot([place] * 2, [record["low"], record["high"]], color=one.colour, linewidth=1.2, alpha=0.7)
        xs, ys = [place for place, _ in known], [record["value"] for _, record in known]
        face = one.colour if one.filled else "white"
        look = {"marker": one.marker, "markersize": 5, "markerfacecolor": face, "linewidth": 1.3}
        handles.append(axes.plot(xs, ys, color=one.colour, **look)[0])
    axes.set_xticks(range(len(ticks)), ticks)
    axes.set_xlim(-0.4, len(ticks) - 0.6)
    axes.set_ylim(-0.03, 1.03)
    axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", ".2", ".4", ".6", ".8", "1"])
    axes.grid(axis="y")
    axes.set_xlabel(axis)
    axes.set_ylabel(scale)
    sheet.legend(handles, [one.name for one in series], columns=min(3, len(series)))
    return sheet.svg(title)


def stacked(title, labels, names, colours, hatches, shares, *, axis=""):
    """Shares that add to 1, a bar a label.

    Args:
        shares: for each label a list of shares, one a name; None for a label without any.
    """
    rows = -(-len(names) // 3)
    sheet = Sheet(LEGEND_ROW * rows + BOTTOM + 22 * len(labels), left=104, top=LEGEND_ROW * rows + 4)
    axes, handles = sheet.axes[0], []
    starts = [0.0] * len(labels)
    for place, name in enumerate(names):
        widths = [row[place] for row in shares]
        look = {"color": colours[place], "hatch": hatches[place], "edgecolor": "white", "linewidth": 0.4}
        handles.append(axes.barh(range(len(labels)), widths, left=starts, height=0.78, label=name, **look))
        starts = [start + width for start, width in zip(starts, widths, strict=True)]
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    _rate_axis(axes, axis, (0, 1))
    sheet.legend(handles, names, columns=min(3, len(names)))
    return sheet.svg(title)


def heat(title, rows, columns, values, *, axis="", width=WIDTH, left=92):
    """A grid of rates, darker for higher, each with its number; None leaves a cell empty."""
    top, bottom = (74 if max(map(len, columns)) > 12 else 58), (20 if axis else 4)
    right = 48 if width > WIDTH else 30
    height = top + bottom + ROW * len(rows)
    sheet = Sheet(height, left=left, right=right, top=top, bottom=bottom, width=width)
    axes = sheet.axes[0]
    shades = [[float("nan") if value is None else value for value in line] for line in values]
    axes.pcolormesh(shades, cmap="Blues", vmin=0, vmax=1.15, edgecolors="white", linewidth=1)
    axes.invert_yaxis()
    for y, line in enumerate(values):
        for x, value in enumerate(line):
            if value is not None:
                colour = "white" if value > 0.6 else INK
                axes.text(x + 0.5, y + 0.5, short(value), ha="center", va="center", fontsize=10, color=colour)
    axes.set_xticks([x + 0.5 for x in range(len(columns))], columns, rotation=35, ha="left", rotation_mode="anchor")
    axes.set_yticks([y + 0.5 for y in range(len(rows))], rows)
    axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0, pad=2)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(axis)
    return sheet.svg(title)


def scatter(title, points, *, axis, scale):
    """Numbered points on two rates, with intervals; those of other data are grey squares.

    Args:
        points: list of (label, x record, y record, colour, whether of other data).
    """
    sheet = Sheet(WIDTH, left=48, right=14, top=10, bottom=46)
    axes = sheet.axes[0]
    for label, x, y, colour, other in points:
        for at, ends in ((y, "x"), (x, "y")):
            side = x if ends == "x" else y
            if side["low"] is not None and side["high"] is not None:
                span, fixed = [side["low"], side["high"]], [at["value"]] * 2
                axes.plot(*((span, fixed) if ends == "x" else (fixed, span)), color=colour, linewidth=1, alpha=0.6)
        box = {"boxstyle": "square,pad=0.2" if other else "circle,pad=0.2", "facecolor": "white", "edgecolor": colour}
        look = {"ha": "center", "va": "center", "fontsize": 10, "color": colour}
        axes.text(x["value"], y["value"], label, bbox=box, **look)
    axes.plot([0, 1], [0, 1], color="#cccccc", linewidth=1, linestyle=":")
    _rate_axis(axes, axis, (0, 1))
    axes.set_ylim(-0.04, 1.04)
    axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", ".2", ".4", ".6", ".8", "1"])
    axes.grid(axis="y")
    axes.set_ylabel(scale)
    return sheet.svg(title)
