"""The folded form in which names and entities are compared; the scorer folds values alike, so it stands there."""

from scoring.fold import fold, is_letters

__all__ = ["fold", "is_letters"]
