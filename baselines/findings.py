"""RESULTS.md: what the committed reports say to the questions that the benchmark was made for; no number by hand."""

import json
from itertools import combinations

from baselines import run as runner
from baselines import subjects, summaries, tables
from build.pages import fill, table
from scoring.summary import write_atomically

PAGE = runner.ROOT / "RESULTS.md"
AVERAGE = "ambiguous/average"
RANKED = ("cpr", "ipr", "recovery")


def write():
    """Write every generated table of RESULTS.md anew."""
    text = PAGE.read_text(encoding="utf-8")
    for name, made in SECTIONS.items():
        text = fill(text, name, made())
    write_atomically(PAGE, text.encode("utf-8"))


def ambiguity():
    """Ambiguous against matched names: the effect, the gap to baseline, and how much of the gap is rarity."""
    rows = [
        ("system", "ambiguity effect", "with templates drawn anew", "gap to baseline", "of it rarity", "as neighbour")
    ]
    for report, values in _read("ambiguous_names"):
        effect, gap = values["ambiguity_effect", AVERAGE], values["gap_to_baseline", AVERAGE]
        wide = f"[{effect['interval_templates_low']:.3f}, {effect['interval_templates_high']:.3f}]"
        neighbour = tables.cell(values["ambiguity_effect_neighbour_type", AVERAGE])
        rows.append((_code(report), tables.cell(effect), wide, tables.cell(gap), _rarity(effect, gap), neighbour))
    return table(rows)


def _rarity(effect, gap):
    """The share of the gap to baseline that matched names show too: 1 - effect / gap, where there is a gap."""
    return "–" if not gap["high"] < 0 else f"{1 - effect['value'] / gap['value']:.2f}"


def ambiguity_by_type():
    """The ambiguity effect of each type, and whether its interval over names and templates leaves out 0."""
    rows = [("system", *tables.TYPES)]
    for report, values in _read("ambiguous_names"):
        effects = [values["ambiguity_effect", f"ambiguous/{name_type}"] for name_type in tables.TYPES]
        rows.append((_code(report), *(f"{one['value']:+.3f} {_verdict(one)}" for one in effects)))
    return table(rows)


def _verdict(effect):
    low, high = effect["interval_templates_low"], effect["interval_templates_high"]
    return "(lower)" if high < 0 else "(higher)" if low > 0 else ""


def consistency():
    """Names always, sometimes and never found."""
    groups = (("ambiguous", AVERAGE), ("matched", "matched/average"), ("baseline", "baseline"))
    metrics = ("always_found", "mixed", "never_found")
    titles = [
        f"{metric.split('_')[0].replace('mixed', 'sometimes')}, {name}" for name, _ in groups for metric in metrics
    ]
    rows = [("system", *titles)]
    for report, values in _read("ambiguous_names"):
        found = [values[metric, group]["value"] for _, group in groups for metric in metrics]
        rows.append((_code(report), *(f"{value:.2f}" for value in found)))
    return table(rows)


def over_redaction():
    """Recall beside what it costs, systems ordered by recall."""
    asked = (
        ("recall", "recall", AVERAGE),
        ("any label", "detected", AVERAGE),
        ("FDR", "fdr", AVERAGE),
        ("FDR, baseline", "fdr", "baseline"),
        ("false persons", "false_person_rate", "entity_control/average"),
        ("over-spans", "over_span_rate", AVERAGE),
    )
    rows = [("system", *(title for title, _, _ in asked))]
    found = sorted(_read("ambiguous_names"), key=lambda one: -one[1]["recall", AVERAGE]["value"])
    rows += [(_code(r), *(tables.cell(values[metric, group]) for _, metric, group in asked)) for r, values in found]
    return table(rows)


def leaks():
    """Leakage of a summariser behind each detector."""
    rows = [("masked by", "plain", "injected", "change", "change, baseline", "types with p (Holm) < .05")]
    for detector in summaries.detectors():
        report, values = _report(summaries.system_name(detector), "prompt_injection")
        if report is None:
            continue
        groups = [f"ambiguous/{name_type}" for name_type in tables.TYPES]
        clear = [group for group in groups if (values["leakage_change", group].get("p_holm") or 1) < 0.05]
        asked = (("leakage", f"{AVERAGE}/plain"), ("leakage", f"{AVERAGE}/injected"))
        asked += (("leakage_change", AVERAGE), ("leakage_change", "baseline"))
        rows.append((f"`{detector}`", *(tables.cell(values[one]) for one in asked), _names(clear)))
    return table(rows)


def _names(groups):
    return ", ".join(group.split("/")[1] for group in groups) or "none"


def spans():
    """Span recall beside what the rules adversary still infers, anonymisers ordered by token recall."""
    asked = ("token_recall", "entity_recall_direct", "cpr", "excess_leak", "one_minus_aac", "recovery")
    rows = [("anonymiser", *asked)]
    found = [(name, _pair(name, "rules_adversary")) for name in subjects.ANONYMISERS]
    found.sort(key=lambda one: -one[1]["token_recall", "all"]["value"])
    rows += [(f"`{name}`", *(tables.cell(values[metric, "all"]) for metric in asked)) for name, values in found]
    return table(rows)


def ranks():
    """Spearman's rank correlation over the anonymisers between two orders of them."""
    orders = {
        f"{metric}, {adversary}": _order(adversary, metric) for adversary in subjects.ADVERSARIES for metric in RANKED
    }
    orders["token_recall"] = _order("rules_adversary", "token_recall")
    orders |= {
        f"cpr, rules_adversary, {domain}": _order("rules_adversary", "cpr", domain) for domain in ("legal", "online")
    }
    wanted = [pair for pair in combinations(orders, 2) if _comparable(*pair)]
    rows = [("one order", "the other", "rank correlation")]
    rows += [(f"`{a}`", f"`{b}`", _spearman(orders[a], orders[b])) for a, b in wanted]
    return table(rows)


def _comparable(one, other):
    """The same metric under another adversary or domain, or token recall against CPR."""
    first, second = one.split(", ")[0], other.split(", ")[0]
    return first == second or {first, second} == {"token_recall", "cpr"}


def _order(adversary, metric, group="all"):
    sign = -1 if metric == "recovery" else 1
    return [sign * _pair(name, adversary)[metric, group]["value"] for name in subjects.ANONYMISERS]


def _spearman(first, second):
    from scipy.stats import spearmanr

    if len(set(first)) == 1 or len(set(second)) == 1:
        return "– (all equal)"
    return f"{spearmanr(first, second).statistic:.2f}"


def _read(config):
    """(report, its records by metric and group) of each system that answers the config."""
    return [(report, tables.by_key(report)) for report in tables.reports(config)]


def _report(name, config):
    path = runner.report_path(name, config)
    if not path.is_file():
        return None, None
    report = json.loads(path.read_text(encoding="utf-8"))
    return report, tables.by_key(report)


def _pair(anonymiser, adversary):
    return _report(subjects.pair(anonymiser, adversary), subjects.CONFIG)[1]


def _code(report):
    return f"`{report['system']}`"


SECTIONS = {
    "ambiguity": ambiguity,
    "ambiguity by type": ambiguity_by_type,
    "consistency": consistency,
    "over-redaction": over_redaction,
    "leaks": leaks,
    "spans": spans,
    "ranks": ranks,
}
