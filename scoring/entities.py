"""Entities against a gold name (METRICS §3, §4): labels, honorifics, matching, over-spans, offsets.

Shared by every config whose predictions are entities in a text with one gold name.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from scoring import columns, schemas
from scoring.text import comparison_form, contains, find_on_boundaries, words

PERSON = "PERSON"
OTHER = "OTHER"
LABELS = ("PERSON", "LOCATION", "ORGANIZATION", "HEALTH", "USERNAME", "OTHER")
MORE_WORDS = 3
FIELDS = frozenset({"id", "entities"})
LEAST = {"entities": []}
STAGES = {"": frozenset(LEAST), "recognise": frozenset(LEAST)}
EMPTY = dict.fromkeys(STAGES, LEAST)
ENTITY_FIELDS = frozenset({"text", "type", "start", "end"})


class Labels:
    """Maps a system's labels to LABELS, ignoring case; remembers the labels it does not know."""

    def __init__(self, extra=None):
        self._map = {}
        for target, names in (*schemas.load("label_map.json").items(), *(extra or {}).items()):
            self._map.update((name.casefold(), target) for name in names)
        self._seen = {}
        self.unknown = set()

    def __call__(self, label):
        target = self._seen.get(label)
        if target is None:
            target = self._seen[label] = self._map.get(label.casefold()) or self._other(label)
        return target

    def _other(self, label):
        self.unknown.add(label)
        return OTHER

    def warnings(self):
        """What to tell the user of labels that the map does not hold."""
        if not self.unknown:
            return []
        return [f"labels outside the map, counted as OTHER: {', '.join(sorted(self.unknown))}"]


def keys_of(prediction, fields=FIELDS):
    """Yield (where, known fields, found fields) for the object and each of its entities, valid or not."""
    yield "", fields, prediction.keys()
    found = prediction.get("entities")
    for entity in found if isinstance(found, list) else ():
        if isinstance(entity, dict):
            yield "entities.", ENTITY_FIELDS, entity.keys()


def trim(prediction):
    """Leave the text and label of each entity of a model's answer: offsets that a model counts are not trusted."""
    found = prediction.get("entities")
    if isinstance(found, list):
        prediction["entities"] = [
            {key: e[key] for key in ("text", "type") if key in e} if isinstance(e, dict) else e for e in found
        ]


def is_empty(prediction):
    """Whether the answer holds no entity."""
    return not prediction["entities"]


def span(entity):
    """(start, end) in code points, or None when the entity has no offsets; one of the two is enough."""
    start, end = entity.get("start"), entity.get("end")
    if start is None and end is None:
        return None
    length = len(entity["text"])
    start = int(end) - length if start is None else int(start)
    return start, int(end) if end is not None else start + length


def check_offsets(truth, predictions, places, faults):
    """Note every entity whose offsets do not cut its text out of the row's text."""
    ids, texts = columns.ids_of(truth), columns.Texts(truth)
    for row_id, prediction in predictions.items():
        text = None
        for entity in prediction.get("entities") or ():
            found = span(entity)
            if found is None:
                continue
            if text is None:
                text = texts[ids.find(row_id)]
            if not _cuts_out(text, entity["text"], *found):
                message = _offset_message(text, entity["text"], *found)
                faults.add(message, place=places[row_id], row_id=row_id)


def _cuts_out(text, content, start, end):
    return 0 <= start <= end <= len(text) and text[start:end] == content


def _offset_message(text, content, start, end):
    message = f"offsets {start}:{end} do not cut out {content[:80]!r}"
    if not 0 <= start <= end:
        return message
    for unit, codec, width in (("byte", "utf-8", 1), ("UTF-16", "utf-16-le", 2)):
        piece = text.encode(codec)[start * width : end * width].decode(codec, "replace")
        if content and piece == content:
            return f"{message}: these are {unit} offsets, expected are code points"
    return f"{message}, but {text[start:end][:80]!r} of a text of {len(text)} code points"


@dataclass(frozen=True, eq=False)
class Gold:
    """A gold name in the forms that matching needs; one object a name, so that it hashes by identity."""

    form: str
    words: frozenset
    size: int
    honorifics: frozenset

    @classmethod
    def of(cls, name, honorifics):
        """The gold of a name; honorifics are dropped from predictions unless the name holds one."""
        parts = words(name)
        kept = frozenset() if honorifics & set(parts) else honorifics
        return cls(comparison_form(name), frozenset(parts), len(parts), kept)


MATCH, OVER_SPAN, MISS = "match", "over-span", "miss"


def judge(text, gold):
    """MATCH, OVER_SPAN or MISS of one predicted text against a Gold.

    It matches if, honorifics removed, some word is left and all its words lie within the name, or if it
    contains the name and at most three more words; a longer one is an over-span.
    """
    form = comparison_form(text)
    if form == gold.form:
        return MATCH
    kept = [word for word in words(text) if word not in gold.honorifics]
    if kept and gold.words.issuperset(kept):
        return MATCH
    if find_on_boundaries(gold.form, form) < 0:
        return MISS
    return MATCH if len(kept) - gold.size <= MORE_WORDS else OVER_SPAN


def in_text_order(entities, text):
    """The entities in text order: by `start` if given, else by first occurrence, else last; ties by text.

    Places are counted in comparison form, so that both kinds are on one scale.
    """
    if len(entities) < 2:
        return entities
    form = comparison_form(text)

    def place(entity):
        label, content, found = entity
        if found is not None:
            return len(comparison_form(text[: found[0]] + "|")) - 1, content, label
        at = find_on_boundaries(comparison_form(content), form)
        return (at if at >= 0 else len(text) + 1), content, label

    return sorted(entities, key=place)


def distinct(found, labels):
    """Entities as a list of (label, text, span) without exact duplicates."""
    return list(dict.fromkeys([(labels(e["type"]), e["text"], span(e)) for e in found]))


def _found(texts, gold):
    """Whether the name stands in the texts joined by one space, in order."""
    if len(texts) == 1 and comparison_form(texts[0]) == gold.form:
        return True
    return bool(texts) and contains(" ".join(texts), gold.form)


BY_LABEL = tuple(f"found_{label.casefold()}" for label in LABELS)
COUNTS = ("found", "found_paper", "exact", "detected", "persons", "matching_persons", "false_persons", "over_spans")
OUTCOMES = (*BY_LABEL, *COUNTS)
NOTHING = (0,) * len(OUTCOMES)
FALSE_PERSONS = OUTCOMES.index("false_persons")


@lru_cache(maxsize=1 << 17)
def outcome(gold, entities, targets=(PERSON,)):
    """Outcome of one row's predictions against its name, as integers in the order of OUTCOMES.

    Args:
        gold: the Gold of the row's name.
        entities: tuple of (label, text) in text order.
        targets: the labels that are right; their predictions are called persons here.

    Returns:
        0 or 1 for each label that found the name, for `found` (by the targets together), `found_paper`, `exact`
        and `detected`; then numbers of target predictions: all, matching, not matching, over-spans.
    """
    judged = [(label, text, judge(text, gold)) for label, text in entities]
    matching = {}
    for label, text, verdict in judged:
        if verdict == MATCH:
            matching.setdefault(label, []).append(text)
    found = {label: _found(texts, gold) for label, texts in matching.items()}
    persons = [text for label, text, _ in judged if label in targets]
    fitting = [text for label, text, verdict in judged if label in targets and verdict == MATCH]
    by_targets = _found(fitting, gold)
    return (
        *[int(found.get(label, False)) for label in LABELS],
        int(by_targets),
        int(by_targets if len(fitting) == len(persons) else _found(persons, gold)),
        int(any(comparison_form(text) == gold.form for text in fitting)),
        int(any(found.values()) or (len(found) > 1 and _found([t for _, t, v in judged if v == MATCH], gold))),
        len(persons),
        len(fitting),
        len(persons) - len(fitting),
        sum([label in targets and verdict == OVER_SPAN for label, _, verdict in judged]),
    )


def score_row(text, gold, found, labels, targets=(PERSON,)):
    """Outcome of one row's predictions; no more false persons than the text has words are counted.

    Args:
        text: called without arguments, gives the row's text; few rows need it.
        gold: the Gold of the row's name.
        found: the prediction's list of entities, not empty.
        labels: Labels.
        targets: as for `outcome`.
    """
    if len(found) == 1:
        return outcome(gold, ((labels(found[0]["type"]), found[0]["text"]),), targets)
    entities = in_text_order(distinct(found, labels), text())
    made = outcome(gold, tuple([(label, content) for label, content, _ in entities]), targets)
    if made[FALSE_PERSONS] > 1:
        capped = min(made[FALSE_PERSONS], len(words(text())))
        made = (*made[:FALSE_PERSONS], capped, *made[FALSE_PERSONS + 1 :])
    return made


class Outcomes:
    """Outcomes of rows as integer arrays by name (OUTCOMES and `words`), made when they are asked for.

    Attributes:
        table: {name: array of shape (kinds,)}, what each kind of row comes to.
        codes: array of shape (rows,): the kind of each row.
        words: array of shape (rows,).
        rows: the places of the rows in the whole truth, an array of shape (rows,).
    """

    def __init__(self, table, codes, words, rows=None):
        self.table, self.codes, self.words = table, codes, words
        self.rows = np.arange(len(codes), dtype=np.int32) if rows is None else rows

    def __getitem__(self, name):
        return self.words if name == "words" else self.table[name][self.codes]

    def among(self, mask):
        """The outcomes of the rows where a mask is True."""
        return Outcomes(self.table, self.codes[mask], self.words[mask], self.rows[mask])


def score_rows(truth, answers, failed, labels, progress=iter, targets=(PERSON,)):
    """The Outcomes of all rows, in the truth's order.

    A row without an answer has the outcome of an empty one; `words` holds the number of words of a failed
    row's text and 0 elsewhere. Callers set what a failure counts.
    """
    honorifics = frozenset(schemas.load("honorifics.json"))
    texts, golds, numbered = columns.Texts(truth), {}, {NOTHING: 0}
    codes, sizes = (np.zeros(truth.num_rows, dtype=np.int32) for _ in range(2))
    rows = zip(columns.answers_in_rows(truth, answers), columns.values(truth, "name"), strict=True)
    for index, (prediction, name) in enumerate(progress(rows)):
        if prediction is None or not prediction["entities"]:
            continue
        gold = golds.get(name) or golds.setdefault(name, Gold.of(name, honorifics))
        made = score_row(lambda at=index: texts[at], gold, prediction["entities"], labels, targets)
        codes[index] = numbered.setdefault(made, len(numbered))
    for index in np.flatnonzero(failed).tolist():
        sizes[index] = len(words(texts[index]))
    table = np.array(list(numbered), dtype=np.int32).T
    return Outcomes(dict(zip(OUTCOMES, table, strict=True)), codes, sizes)
