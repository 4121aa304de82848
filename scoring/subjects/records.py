"""Measures and records of subject_inference: units, subjects and documents as arrays, groups as masks (METRICS §8)."""

from dataclasses import dataclass, field

import numpy as np

from scoring.intervals import Clusters
from scoring.metrics import Ratio, plain_record, record
from scoring.subjects import matching, prior, spans, units, utility, values

CONFIG = "subject_inference"
DOMAINS = ("legal", "online")
NO_PRIOR = "the manifest holds no prior for this release"
UNCALIBRATED = "uncalibrated: no answers on the original texts were given (--original)"
NO_LEAK = "the prior alone infers every unit"
NOTHING_THEN = "nothing was inferred on the original texts"
NO_TARGET = "no unit of a target subject"
NO_WEIGHT = "the units weigh nothing"


@dataclass
class Units:
    """One entry a unit: its document, subject, tag, hardness, and scores.

    These are the adversary's, the prior's, the adversary's on the original text, and what is left of that.
    """

    document: list = field(default_factory=list)
    subject: list = field(default_factory=list)
    tag: list = field(default_factory=list)
    hardness: list = field(default_factory=list)
    score: list = field(default_factory=list)
    prior: list = field(default_factory=list)
    then: list = field(default_factory=list)
    left: list = field(default_factory=list)


@dataclass
class Subjects:
    """One entry a subject of the truth: its document, whether it is the target, matched with and without PII."""

    document: list = field(default_factory=list)
    target: list = field(default_factory=list)
    matched: list = field(default_factory=list)
    matched_without: list = field(default_factory=list)


def records(truth, answers, **options):
    """Records of one submission; arguments as in `measures`."""
    made = measures(truth, answers, **options)
    found = [record(metric, group, measure) for group, metrics in made.items() for metric, measure in metrics.items()]
    given = {r["metric"] for r in found}
    if "cpr" in given and "prior_cpr" not in given:
        found += [plain_record(metric, "all", None, 0, reason=NO_PRIOR) for metric in ("prior_cpr", "excess_leak")]
    if "cpr" in given and "recovery" not in given:
        found.append(plain_record("recovery", "all", None, 0, reason=UNCALIBRATED))
    return found


def measures(truth, answers, *, prior=None, weights=None, original=None, salt="", progress=iter):
    """Every metric as a measure, by group and metric.

    Args:
        truth: Arrow table with the config's COLUMNS.
        answers: {id: prediction}.
        prior: {tag: constant} or None.
        weights: {tag: weight} or None; a tag that is not in it weighs 1.
        original: {id: prediction} of the same adversary on the original texts, or None; where it lacks a document,
            all of it counts as recovered, so that leaving it out improves nothing.
    """
    rows = truth.to_pylist()
    with_subjects = any(one.get("subjects") is not None for one in answers.values())
    with_text = any(one.get("anonymized_text") is not None for one in answers.values())
    made = {}
    clusters = Clusters.of([row["id"] for row in rows], CONFIG, "documents", salt)
    if with_subjects or not with_text:
        _merge(made, _protection(rows, answers, prior, weights, original, clusters, progress))
    if with_text:
        _merge(made, _spans(rows, answers, clusters, progress))
    return made


def _merge(made, more):
    for group, metrics in more.items():
        made.setdefault(group, {}).update(metrics)


def guesses_of(prediction, subjects):
    """[(description, {tag: values})] of a prediction's subjects, or None where it holds none."""
    if prediction is None or prediction.get("subjects") is None:
        return None
    known = [unit for one in subjects for unit in one.units]
    return [(one["description"], units.guessed(one, known)) for one in prediction["subjects"]]


def unit_scores(subjects, guesses):
    """([scores of a subject's units], [matched], [matched without PII]) over a document's subjects.

    Without an answer nothing is matched and every unit counts as inferred.
    """
    if guesses is None:
        return [[1.0] * len(one.units) for one in subjects], [False] * len(subjects), [False] * len(subjects)
    pairs, without = matching.matches(subjects, guesses)
    scores = []
    for place, one in enumerate(subjects):
        said = guesses[pairs[place]][1] if place in pairs else {}
        rivals = matching.rivals_of(one, subjects)
        scores.append([units.unit_score(unit, said, rivals) for unit in one.units])
    return scores, [place in pairs for place in range(len(subjects))], [p in without for p in range(len(subjects))]


def _protection(rows, answers, constants, weights, original, clusters, progress):
    found, people, said = Units(), Subjects(), []
    for at, row in enumerate(progress(rows)):
        subjects = [units.subject(one) for one in row["subjects"]]
        guesses = guesses_of(answers.get(row["id"]), subjects)
        scores, matched, without = unit_scores(subjects, guesses)
        before = None if original is None else guesses_of(original.get(row["id"]), subjects)
        then = unit_scores(subjects, before)[0]
        for place, one in enumerate(subjects):
            _add_units(found, at, len(people.document), one, scores[place], then[place], constants or {})
            found.left += [1.0] * len(one.units) if before is None else map(min, scores[place], then[place])
            people.document.append(at)
            people.target.append(one.subject_id == row["target_subject"])
            people.matched.append(matched[place])
            people.matched_without.append(without[place])
        said.append(sum(values.count(listed) for _, tags in guesses or () for listed in tags.values()))
    table = _Table(rows, found, people, clusters)
    return _measures(table, np.array(said, dtype=float), constants, weights, original)


def _add_units(found, document, subject, one, scores, then, constants):
    for unit, score, before in zip(one.units, scores, then, strict=True):
        found.document.append(document)
        found.subject.append(subject)
        found.tag.append(unit.tag)
        found.hardness.append(unit.hardness)
        found.score.append(score)
        found.then.append(before)
        found.prior.append(prior.prior_score(unit, constants))


class _Table:
    """The units and subjects as arrays, with the masks of the groups."""

    def __init__(self, rows, found, people, clusters):
        self.clusters = clusters
        self.document = np.array(found.document, dtype=int)
        self.subject = np.array(found.subject, dtype=int)
        self.tag, self.hardness = np.array(found.tag, dtype=object), np.array(found.hardness, dtype=int)
        self.score, self.prior, self.then, self.left = (
            np.array(column, dtype=float) for column in (found.score, found.prior, found.then, found.left)
        )
        self.people = np.array(people.document, dtype=int)
        self.target = np.array(people.target, dtype=bool)
        self.matched = np.array(people.matched, dtype=float)
        self.matched_without = np.array(people.matched_without, dtype=float)
        self.domain = np.array([row["domain"] for row in rows], dtype=object)

    def subject_groups(self):
        """{group: mask over subjects}."""
        domains = self.domain[self.people] if len(self.people) else np.array([], dtype=object)
        groups = {"all": np.ones(len(self.people), dtype=bool)}
        groups |= {domain: domains == domain for domain in DOMAINS}
        groups |= {"target": self.target, "others": ~self.target}
        return {group: mask for group, mask in groups.items() if mask.any()}

    def unit_groups(self):
        """{group: mask over units}."""
        groups = {group: mask[self.subject] for group, mask in self.subject_groups().items()}
        groups |= {f"tag/{tag}": self.tag == tag for tag in values.LISTS["tags"]}
        code = np.isin(self.tag, list(values.CODE))
        groups |= {"code": code, "non_code": ~code}
        groups |= {f"hardness/{level}": self.hardness == level for level in sorted(set(self.hardness.tolist()))}
        return {group: mask for group, mask in groups.items() if mask.any()}

    def over_units(self, mask, numerators, denominators, empty="no unit of certainty 3"):
        """A Ratio over units, clustered by document; its n is their number, whatever they weigh."""
        clusters = clusters_of(self.clusters, self.document[mask])
        return Ratio(numerators[mask], denominators[mask], clusters, empty=empty, counted=int(mask.sum()))

    def over_subjects(self, mask, numerators):
        """The mean over subjects as a Ratio, clustered by document."""
        clusters = clusters_of(self.clusters, self.people[mask])
        return Ratio(numerators[mask], np.ones(mask.sum()), clusters, empty="no subject")


def clusters_of(clusters, rows):
    """Clusters over items of the rows given; those of a single document make one cluster, which has no interval."""
    codes = clusters.codes[rows]
    if len(set(codes.tolist())) > 1:
        return clusters.over(codes)
    return Clusters(np.zeros(len(codes), dtype=int), 1, CONFIG)


def _measures(table, said, constants, weights, original):
    groups = table.unit_groups()
    made = {group: _unit_metrics(table, mask, constants, original) for group, mask in groups.items()}
    size = len(table.people)
    units_of = np.bincount(table.subject, minlength=size).astype(float)
    lost = np.bincount(table.subject, weights=table.score, minlength=size)
    with_units = units_of > 0
    share = np.divide(lost, units_of, out=np.zeros(size), where=with_units)
    for group, mask in table.subject_groups().items():
        metrics = made.setdefault(group, {})
        metrics["ipr"] = table.over_subjects(mask & with_units, 1 - share)
        metrics["match_rate"] = table.over_subjects(mask, table.matched)
        metrics["match_rate_without_pii"] = table.over_subjects(mask, table.matched_without)
    for group in ("all", *DOMAINS):
        if group in groups:
            made[group] |= _target_metrics(table, groups[group], weights)
    inferred = np.bincount(table.document, weights=table.score, minlength=len(said))
    answered = np.where(said > 0, inferred, 0)
    made["all"]["adversary_precision"] = Ratio(answered, said, table.clusters, empty="no value was guessed")
    return made


def _unit_metrics(table, mask, constants, original):
    ones = np.ones(len(table.score))
    metrics = {"cpr": table.over_units(mask, 1 - table.score, ones)}
    if constants:
        metrics["prior_cpr"] = table.over_units(mask, 1 - table.prior, ones)
        metrics["excess_leak"] = table.over_units(mask, table.score - table.prior, 1 - table.prior, NO_LEAK)
    if original is not None:
        metrics["recovery"] = table.over_units(mask, table.left, table.then, NOTHING_THEN)
    return metrics


def _target_metrics(table, mask, weights):
    """one_minus_aac and, with weights, weighted_cpr of a group of units."""
    of_target = mask & table.target[table.subject]
    metrics = {"one_minus_aac": table.over_units(of_target, 1 - table.score, np.ones(len(table.score)), NO_TARGET)}
    if weights is not None:
        weight = np.array([float(weights.get(tag, 1)) for tag in table.tag])
        metrics["weighted_cpr"] = table.over_units(mask, weight * (1 - table.score), weight, NO_WEIGHT)
    return metrics


def _spans(rows, answers, clusters, progress):
    """token_recall, entity recall and utility per domain and over all; a failed document keeps every token."""
    columns = {name: np.zeros(len(rows)) for name in _SPAN_COLUMNS}
    for at, row in enumerate(progress(rows)):
        prediction = answers.get(row["id"]) or {}
        for name, value in _document(row, prediction.get("anonymized_text")).items():
            columns[name][at] = value
    domains = np.array([row["domain"] for row in rows], dtype=object)
    masks = {"all": np.ones(len(rows), dtype=bool)} | {domain: domains == domain for domain in DOMAINS}
    return {group: _span_metrics(columns, mask, clusters) for group, mask in masks.items() if mask.any()}


_SPAN_COLUMNS = (
    "masked",
    "sensitive",
    "masked_direct",
    "direct",
    "masked_quasi",
    "quasi",
    "rouge_l",
    "chrf",
    "retained",
)
_SHARES = {
    "token_recall": ("masked", "sensitive"),
    "entity_recall_direct": ("masked_direct", "direct"),
    "entity_recall_quasi": ("masked_quasi", "quasi"),
}
_MEANS = {"rouge_l": "rouge_l", "chrf": "chrf", "retained_tokens": "retained"}


def _span_metrics(columns, mask, clusters):
    over = clusters_of(clusters, np.flatnonzero(mask))
    made = {
        metric: Ratio(columns[top][mask], columns[bottom][mask], over, empty="no such span")
        for metric, (top, bottom) in _SHARES.items()
    }
    return made | {metric: Ratio(columns[name][mask], np.ones(mask.sum()), over) for metric, name in _MEANS.items()}


def _document(row, anonymised):
    """Counts of one document by _SPAN_COLUMNS; `anonymised` None for a failed one."""
    original = spans.tokens(row["text"])
    mask = spans.sensitive(original, row["entities"])
    made = {"sensitive": mask.sum()}
    if anonymised is None:
        found = np.ones(len(mask), dtype=bool)
        made |= {"rouge_l": 0.0, "chrf": 0.0, "retained": 0.0}
    else:
        new = spans.tokens(anonymised)
        found = spans.kept(original, new, row["entities"])
        others = ~mask
        made["rouge_l"] = utility.rouge_l(original.words, new.words)
        made["chrf"] = utility.chrf(row["text"], anonymised)
        made["retained"] = found[others].mean() if others.any() else 1.0
    made["masked"] = (mask & ~found).sum()
    for kind in spans.SENSITIVE:
        name = kind.lower()
        made[f"masked_{name}"], made[name] = spans.masked_entities(original, row["entities"], found, kind)
    return made
