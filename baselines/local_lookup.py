"""A look-up in the attested-person index, as a system that answers about names: found, ambiguous, or no_info.

It is the index that the unknown names were validated with and that the known ones are drawn from: a ceiling, and a
check of the data, no finding.
"""

from functools import cache

from baselines.run import ROOT

NAME = "local_lookup"
CONFIGS = ("unknown_names",)
COLUMNS = ("id", "name")


@cache
def index():
    """The index of this repository."""
    from build.person_index import PersonIndex

    return PersonIndex.load(ROOT)


def predict(rows):
    """Yield a prediction for each row."""
    for row in rows:
        if index().contains(row["name"]):
            label = "found"
        else:
            label = "ambiguous" if index().near(row["name"]) else "no_info"
        yield {"id": row["id"], "label": label}
