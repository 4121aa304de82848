"""The folded form in which names and entities are compared; the scorer folds values alike, so it stands there."""

from scoring.fold import fold, is_letters

__all__ = ["fold", "is_letters", "name_key"]


def name_key(name):
    """A name's words folded and sorted, so that neither order, case nor marks matter."""
    return " ".join(sorted(fold(name).split()))
