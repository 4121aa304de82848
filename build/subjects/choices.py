"""Draws that builders of documents make again and again, all from a keyed Stream."""


def weighted(stream, weights):
    """A key of {key: whole weight}, drawn by weight in the dict's own order."""
    left = stream.below(sum(weights.values()))
    for key, weight in weights.items():
        left -= weight
        if left < 0:
            return key
    raise ValueError("weighted() needs positive weights")


def chance(stream, percent):
    """True in `percent` of a hundred draws."""
    return stream.below(100) < percent


def between(stream, low, high):
    """A whole number from low to high, both included."""
    return low + stream.below(high - low + 1)


def quotas(count, shares):
    """Whole counts per key that add up to `count` and follow {key: share} (largest remainders, ties by order)."""
    total = sum(shares.values())
    exact = {key: count * share / total for key, share in shares.items()}
    made = {key: int(value) for key, value in exact.items()}
    rest = sorted(exact, key=lambda key: made[key] - exact[key])
    for key in rest[: count - sum(made.values())]:
        made[key] += 1
    return made
