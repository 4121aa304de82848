"""The form of an entity row, for every source module."""

from build.fold import fold


def entity(text, name_type, kind, *, sources, eponymous=None, prominent=False):
    """A row of the lexicon `entities`.

    `eponymous` is None where no list says whether the entity is named after a person; `prominent` marks
    entities that are well known by a rule of their source.
    """
    return {
        "folded": fold(text),
        "text": text,
        "name_type": name_type,
        "kind": kind,
        "eponymous": eponymous,
        "prominent": prominent,
        "sources": sorted(sources),
    }
