"""Generated parts of written pages: what stands between two markers is made by a program, the rest by hand."""

import re


def fill(text, name, content):
    """The text with the content between its markers `<!-- name -->` and `<!-- /name -->`.

    Raises ValueError when the text does not hold these markers once.
    """
    pattern = re.compile(f"(<!-- {re.escape(name)} -->\n).*?(<!-- /{re.escape(name)} -->)", re.DOTALL)
    filled, count = pattern.subn(lambda match: f"{match[1]}\n{content}\n\n{match[2]}", text)
    if count != 1:
        raise ValueError(f"expected the markers of {name!r} once, found them {count} times")
    return filled


def table(rows, numbers=True):
    """A Markdown table of rows of strings, the first the header; all columns but the first to the right."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    other = " ---: " if numbers else " --- "
    return "\n".join([lines[0], "|" + "|".join([" --- "] + [other] * (len(rows[0]) - 1)) + "|", *lines[1:]])
