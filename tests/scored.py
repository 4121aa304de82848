"""Rows of every kind and what the scorer makes of answers to them, for the tests of matching and metrics."""

import numpy as np
import pyarrow as pa

from scoring import entities, schemas
from scoring.configs import ambiguous_names as config
from tests import releases

HONORIFICS = frozenset(schemas.load("honorifics.json"))


def truth_of(rows):
    """The Arrow table that a config's score takes."""
    lists = pa.list_(pa.struct([("text", pa.string())]))
    columns = {key: [row[key] for row in rows] for key in config.COLUMNS if key != "neighbours"}
    near = [[{"text": n["text"]} for n in row["neighbours"]] for row in rows]
    return pa.table({**columns, "neighbours": pa.array(near, lists)})


def rows_of_every_kind():
    """Three templates of two names a stratum, in two types; a name of two words and one in NFD among them."""
    made = []
    for name_type, near in (("location", "Kenya"), ("mineral", "Adamite")):
        for stratum, names in (
            ("ambiguous", ("Kenye", "Zoe\u0308 Adomite")),
            ("matched", ("Zweibel", "Ann Mae")),
            ("baseline", ("Mary", "Li")),
            ("entity_control", ("Kenya", "Beryl")),
        ):
            for name in names:
                for template in range(3):
                    number = len(made) + 1
                    made.append(
                        releases.row(number, name, stratum=stratum, name_type=name_type, near=near, template=template)
                    )
    return made


ROWS = rows_of_every_kind()
TRUTH = truth_of(ROWS)


def records_of(answers, truth=TRUTH):
    """{(metric, group): record} of answers by id; rows without one are failures."""
    failed = np.array([row_id not in answers for row_id in truth.column("id").to_pylist()])
    made = config.score(truth, answers, failed, labels=entities.Labels())
    return {(record["metric"], record["group"]): record for record in made}


def entity(text, label="PERSON", start=None):
    """One predicted entity."""
    return {"text": text, "type": label} | ({} if start is None else {"start": start, "end": start + len(text)})


def outcome_of(name, text, found):
    """entities.score_row by name of the outcome."""
    gold = entities.Gold.of(name, HONORIFICS)
    made = entities.score_row(lambda: text, gold, found, entities.Labels())
    return dict(zip(entities.OUTCOMES, made, strict=True))
