"""Every name is somebody's: the answer that recognition alone would reward."""

NAME = "says_found"
CONFIGS = ("unknown_names",)
COLUMNS = ("id",)


def predict(rows):
    """Yield the label found for each row."""
    for row in rows:
        yield {"id": row["id"], "label": "found"}
