"""Candidates through the local checks and the local validator until enough are accepted (PUN §4, §5.2, Table 11)."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from build import lexicons
from build.configs.unknown import candidates, checks
from build.configs.unknown.attractors import Attractors
from build.configs.unknown.bearers import Bearers
from build.errors import BuildError
from build.fold import fold
from build.person_index import PersonIndex, identity
from build.validation import offline, rules, stack, verdicts
from build.validation.providers.local import Local
from build.validation.store import run_id_of

BATCH = 2000
MOST = 200_000
SURNAMES = 20_000
STAGES = ("generated_candidates", "local_checks", "local_validator", "near_search", "released")
GENERATED, PASSED = ("generated_candidates", "all"), ("local_checks", "pass")


@dataclass(frozen=True)
class Found:
    """(Candidate, Verdict) pairs, one split's after the other's; attrition rows; what countries supply."""

    accepted: list
    ambiguous: list
    attrition: list
    countries: dict


class Screening:
    """Everything that candidates are held against, loaded once."""

    def __init__(self, facts, names, givens, pools, provider, found_rules):
        self.facts, self.pools = facts, pools
        self._names, self._givens, self._provider, self._rules = names, givens, provider, found_rules
        self.stack_hash = stack.validation_stack_hash(found_rules, stack.provider_settings(provider))
        self._run_id = None

    @classmethod
    def of(cls, root):
        """From the lexicons below `root` and the rules of the validator."""
        index = PersonIndex.load(root)
        excluded = frozenset(lexicons.read(root, "exclusion").column("folded").to_pylist())
        pairs = frozenset(lexicons.read(root, "source_pairs").column("hash").to_pylist())
        facts = checks.Facts(excluded, Bearers.load(root), index, pairs)
        names = lexicons.read(root, "names").select(["folded", "given_persons"]).to_pydict()
        givens = {word for word, persons in zip(names["folded"], names["given_persons"], strict=True) if persons}
        provider = Local(index, identity(root))
        return cls(facts, frozenset(names["folded"]), givens, candidates.pools(root, facts), provider, rules.load())

    def exists(self, word):
        """Whether a word is a name, a word or a thing in the lexicons."""
        return fold(word) in self.facts.excluded or fold(word) in self._names

    def run(self, seed, accepted, ambiguous, scale=1, judged=None):
        """Draw and judge candidates in batches until as many are accepted, and ambiguous, as asked for.

        Args:
            accepted, ambiguous: how many names each split takes, in the splits' order. No component stands in more
                than `scale` of these names, and in no split does a country supply more than its share of either role.
            judged: {number: what `judge` says of it} of the first candidates, as shards have made it.

        Raises:
            BuildError: when MOST candidates a unit of scale do not suffice.
        """
        taking, seen, counts, judged = Taking(accepted, limit=scale), set(), Counter(), judged or {}
        near = Taking(ambiguous, taking.parts, limit=scale)
        for start in range(0, MOST * scale, BATCH * scale):
            numbers = range(start, start + BATCH * scale)
            found = judged if start in judged else self.judge(seed, numbers)
            self._offer([found[number] for number in numbers], taking, near, seen, counts)
            if taking.is_full:
                break
        self._look_near(seed, near, seen, counts)
        if not taking.is_full or not near.is_full:
            largest = scale * len(taking.taken) // sum(accepted)
            raise BuildError(
                f"unknown_names: {MOST * scale} candidates gave {len(taking.taken)} unknown and {len(near.taken)} "
                f"ambiguous names, too few for --scale {scale}; at most {largest} works"
            )
        names = [one.name for one, _ in taking.taken + near.taken]
        self._run_id = run_id_of(names, self.stack_hash, self._provider.name, "", seed)
        return Found(taking.taken, near.taken, _attrition(counts, taking, near), taking.shares())

    def judge(self, seed, numbers):
        """{number: (Candidate, why a local check rejects it or None, Verdict or None)}, by (seed, number) alone.

        Whether a candidate is a duplicate is for `run` to say, which sees them all.
        """
        found, pairs = {}, self.pools.pairs
        for number in numbers:
            one = candidates.draw(self.pools, pairs, seed, number)
            found[number] = (one, checks.name_reason(one.name, self.facts))
        names = sorted({one.name for one, reason in found.values() if not reason})
        made = offline.verdicts_of(names, self._provider, self._rules)
        return {number: (one, reason, made.get(one.name)) for number, (one, reason) in found.items()}

    def _offer(self, judged, taking, near, seen, counts):
        """Offer a batch's candidates that pass the local checks and were not seen before, in order; count them all."""
        counts[GENERATED] += len(judged)
        for one, reason, verdict in judged:
            reason = "a duplicate" if one.key in seen else reason
            seen.add(one.key)
            if reason:
                counts["local_checks", f"rejected: {reason}"] += 1
                continue
            counts.update([PASSED, ("local_validator", verdict.verdict)])
            if verdict.verdict in verdicts.ACCEPTED:
                taking.offer(one, verdict)
            elif verdict.verdict == verdicts.AMBIGUOUS:
                near.offer(one, verdict)

    def _look_near(self, seed, near, seen, counts):
        """Fill up the ambiguous names with candidates near an attested name, judged like all others."""
        source = Attractors(self.pools, self.facts.index, self._givens)
        for number in range(SURNAMES):
            if near.is_full:
                return
            one = source.draw(seed, number)
            counts["near_search", "surnames drawn"] += 1
            if one is None or one.key in seen or checks.name_reason(one.name, self.facts):
                continue
            seen.add(one.key)
            verdict = offline.verdicts_of([one.name], self._provider, self._rules)[one.name]
            counts["near_search", verdict.verdict] += 1
            if verdict.verdict == verdicts.AMBIGUOUS:
                near.offer(one, verdict)

    def columns(self, made):
        """The columns of a row that a Verdict fills."""
        return {
            "verdict": made.verdict,
            "provider": self._provider.name,
            "run_id": self._run_id,
            "validation_stack_hash": self.stack_hash,
            "expected_query_count": made.expected,
            "executed_query_count": made.executed,
            "max_query_type": made.max_query_type,
            "verdict_reason": made.reason,
        }


@lru_cache(maxsize=1)
def screening(root):
    """The Screening of the lexicons below `root`, loaded once a process."""
    return Screening.of(root)


class Taking:
    """Names taken split by split: each component in few in all, each country at most its share of a split's names.

    Args:
        sizes: how many names each split takes, in order.
        parts: how often each component stands in names taken elsewhere, a Counter that is added to.
        limit: in how many names a component may stand.
    """

    def __init__(self, sizes, parts=None, limit=1):
        self.taken = []
        self.parts = Counter() if parts is None else parts
        self._sizes, self._limit = list(sizes), limit
        self._countries = [{role: Counter() for role in candidates.ROLES} for _ in sizes]

    @property
    def is_full(self):
        """Whether every split has its names."""
        return len(self.taken) >= sum(self._sizes)

    def offer(self, one, verdict):
        """Take a candidate if it is still wanted and fits."""
        parts = {fold(one.given), fold(one.surname)}
        if self.is_full or any(self.parts[part] >= self._limit for part in parts):
            return
        split = next(at for at, end in enumerate(accumulate(self._sizes)) if len(self.taken) < end)
        most = int(checks.limits()["largest_country_share"] * self._sizes[split])
        keys = dict(zip(candidates.ROLES, (one.given_country, one.surname_country), strict=True))
        if any(self._countries[split][role][key] >= most for role, key in keys.items()):
            return
        self.taken.append((one, verdict))
        self.parts.update(parts)
        for role, key in keys.items():
            self._countries[split][role][key] += 1

    def shares(self):
        """Of the first split, per role: how many countries supply a component, and the largest share; country pairs."""
        size = self._sizes[0]
        made = {
            role: {"countries": len(found), "largest_share": round(max(found.values()) / size, 4)}
            for role, found in self._countries[0].items()
        }
        return made | {"pairs": len({(one.given_country, one.surname_country) for one, _ in self.taken[:size]})}


def _attrition(counts, taking, near):
    """Rows like the paper's Table 11: stage, category, count, per cent of all candidates generated.

    The last stages say how the released names were taken; the search for ambiguous ones has no such share.
    """
    counts = counts | Counter({("released", "unknown"): len(taking.taken), ("released", "ambiguous"): len(near.taken)})
    made = []
    for stage in STAGES:
        for (own, category), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            if own == stage:
                share = None if stage == "near_search" else round(100 * count / counts[GENERATED], 2)
                made.append({"stage": stage, "category": category, "count": count, "percent": share})
    return made
