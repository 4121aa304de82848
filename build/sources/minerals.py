"""Mineral species: names only, from the American Mineralogist Crystal Structure Database."""

import sqlite3

from build.sources.rows import entity


def entities(packages, known_words):
    """Minerals of one alphabetic word as entity rows; those that `known_words` holds are prominent."""
    path = packages["larixite"].path("larixite", "amcsd_cif1.db")
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        names = sorted({name for (name,) in database.execute("select name from minerals")})
    return [
        entity(name, "mineral", "mineral", prominent=name.casefold() in known_words, sources=["larixite"])
        for name in names
        if name.isalpha() and name[0].isupper()
    ]
