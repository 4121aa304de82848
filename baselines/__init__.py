"""Real systems run on the release: one file each, all with the same face.

NAME, CONFIGS (what it can answer) and `predict(rows)`: from rows with id and text to predictions, in order.
"""
