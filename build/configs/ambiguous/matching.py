"""The matched control: attested names near no listed entity, like the ambiguous ones in count, length and use."""

import math
import statistics
from bisect import bisect_left
from collections import defaultdict
from itertools import islice

from build import draws
from build.configs.ambiguous.pools import ANY_COUNT, Member, Name
from build.fold import fold

CONFIG = "ambiguous_names"


class Candidates:
    """Names in bins of (use, length, whether the count is known), each given out once, nearest count first."""

    def __init__(self, names, seed):
        bins = defaultdict(list)
        for name in names:
            order = draws.digest(seed, CONFIG, "candidate", name.folded)
            bins[_bin(name)].append((_level(name), order, name))
        self._bins = {key: sorted(found, key=lambda entry: entry[:2]) for key, found in bins.items()}

    def take(self, like):
        """The unused name of the same bin with the nearest count, or None when the bin is empty."""
        found = self._bins.get(_bin(like))
        if not found:
            return None
        level = _level(like)
        at = bisect_left(found, (level,))
        near = [place for place in (at - 1, at) if 0 <= place < len(found)]
        return found.pop(min(near, key=lambda place: (abs(found[place][0] - level), place)))[2]


def _bin(name):
    return name.use, len(name.folded), name.popularity is not None


def _level(name):
    """Log count where it is known, else log of the number of persons."""
    return math.log10(name.popularity or max(1, name.persons))


def draw(pool, name_type, targets, count, seed, taken):
    """Matched members for a sample of the ambiguous ones.

    Args:
        pool: pools.Pools.
        name_type: the type.
        targets: ambiguous Members to be matched.
        count: how many are wanted.
        seed: the release's seed.
        taken: folded names already in use; what is drawn here is added.

    Returns:
        list of at most `count` Members; fewer where the bins run out.
    """
    pick = _pick_composed if name_type == "syndrome" else _pick_single
    found = pick(pool, name_type, _targets(pool, targets, count, seed), seed, taken)
    return list(islice(found, count))


def _targets(pool, members, count, seed):
    """Every n-th member in the order of use, lengths and count, from a keyed start: the type in small.

    The other members follow by keyed hash, to stand in where the bin of one of the first is empty.
    """

    def order(member):
        name = pool.names[member.altered]
        return (*_bin(name), len(fold(member.name)), _level(name), member.name)

    ordered = sorted(members, key=order)
    if len(ordered) <= count:
        return ordered
    start = draws.Stream(seed, CONFIG, "systematic", ordered[0].name_type).below(10**6) / 10**6
    places = [int((turn + start) * len(ordered) / count) for turn in range(count)]
    first = [ordered[place] for place in places]
    chosen = set(places)
    rest = [member for place, member in enumerate(ordered) if place not in chosen]
    return first + draws.ranked(rest, seed, CONFIG, "substitute", by=lambda member: member.name)


def _pick_single(pool, name_type, targets, seed, taken):
    """Yield a matched member for each target whose bin still holds a name."""
    usable = [name for name in pool.clear if name.folded not in taken and (name_type in ANY_COUNT or name.attested)]
    candidates = Candidates(usable, seed)
    for target in targets:
        name = candidates.take(pool.names[target.altered])
        if name is not None:
            taken.add(name.folded)
            yield Member("matched", name_type, name.name, name.sources, name.popularity, (), name.folded)


def _pick_composed(pool, name_type, targets, seed, taken):
    """Yield two-word names: both words attested surnames, each like its counterpart in the target."""
    eponyms = {word for pair in pool.entities[name_type] for word in pair.split(" ")}
    usable = [name for name in pool.clear if name.folded not in taken and name.attested and name.folded not in eponyms]
    candidates = Candidates([name for name in usable if name.use != "given"], seed)
    for target in targets:
        words = fold(target.name).split(" ")
        at = words.index(target.altered)
        altered = candidates.take(pool.names[target.altered])
        other = candidates.take(_counterpart(pool, words[1 - at]))
        if altered is None or other is None:
            continue
        parts = (altered.name, other.name) if at == 0 else (other.name, altered.name)
        text = " ".join(parts)
        taken.update((altered.folded, other.folded, fold(text)))
        yield Member("matched", name_type, text, altered.sources, altered.popularity, (), altered.folded)


def _counterpart(pool, word):
    """The name whose bin an unaltered eponym word falls into; one that no source attests counts as rare."""
    known = pool.names.get(word)
    if known is not None and known.use == "surname":
        return known
    return Name(word, word, known.popularity if known else None, 2, "surname", ())


def balance(pool, ambiguous, matched):
    """Standardised differences matched - ambiguous on log count (where known) and length, rounded to 4 places."""
    return {
        "log_count": _standardised(_logs(ambiguous), _logs(matched)),
        "length": _standardised([len(fold(m.name)) for m in ambiguous], [len(fold(m.name)) for m in matched]),
        "known_count": [_known(ambiguous), _known(matched)],
        "use": [_uses(pool, ambiguous), _uses(pool, matched)],
    }


def _logs(members):
    return [math.log10(member.popularity) for member in members if member.popularity]


def _known(members):
    return round(sum(member.popularity is not None for member in members) / len(members), 4) if members else None


def _uses(pool, members):
    uses = [pool.names[member.altered].use for member in members]
    return {use: round(uses.count(use) / len(uses), 4) for use in ("given", "surname", "both")} if uses else {}


def _standardised(first, second):
    """(mean of second - mean of first) / pooled standard deviation; None with fewer than two values a side."""
    if min(len(first), len(second)) < 2:
        return None
    spread = math.sqrt((statistics.variance(first) + statistics.variance(second)) / 2)
    return round((statistics.fmean(second) - statistics.fmean(first)) / spread, 4) if spread else 0.0
