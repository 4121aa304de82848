"""Candidates through the local checks and the local validator until enough are accepted (PUN §4, §5.2, Table 11)."""

from collections import Counter
from dataclasses import dataclass

from build import lexicons
from build.configs.unknown import candidates, checks
from build.configs.unknown.bearers import Bearers
from build.errors import BuildError
from build.fold import fold
from build.person_index import PersonIndex, identity
from build.validation import offline, rules, stack, verdicts
from build.validation.providers.local import Local
from build.validation.store import run_id_of

BATCH = 2000
MOST = 200_000


@dataclass(frozen=True)
class Found:
    """(Candidate, Verdict) pairs of the names accepted and of those that are ambiguous, and the attrition."""

    accepted: list
    ambiguous: list
    attrition: dict
    countries: dict


class Screening:
    """Everything that candidates are held against, loaded once."""

    def __init__(self, facts, names, pools, provider, found_rules):
        self.facts, self.pools = facts, pools
        self._names, self._provider, self._rules = names, provider, found_rules
        self.stack_hash = stack.validation_stack_hash(found_rules, stack.provider_settings(provider))
        self._run_id = None

    @classmethod
    def of(cls, root):
        """From the lexicons below `root` and the rules of the validator."""
        index = PersonIndex.load(root)
        excluded = frozenset(lexicons.read(root, "exclusion").column("folded").to_pylist())
        facts = checks.Facts(excluded, Bearers.load(root), index)
        names = frozenset(lexicons.read(root, "names").column("folded").to_pylist())
        return cls(facts, names, candidates.pools(root, facts), Local(index, identity(root)), rules.load())

    def exists(self, word):
        """Whether a word is a name, a word or a thing in the lexicons."""
        return fold(word) in self.facts.excluded or fold(word) in self._names

    def run(self, seed, accepted, ambiguous):
        """Draw and judge candidates in batches until as many are accepted, and ambiguous, as asked for.

        An accepted name shares no component with another, and no country supplies more than its share of either.

        Raises:
            BuildError: when MOST candidates do not suffice.
        """
        taking, near, seen, counts = _Taking(accepted), [], set(), Counter()
        for start in range(0, MOST, BATCH):
            passed, reasons = candidates.sift(self.pools, seed, BATCH, self.facts, start, seen)
            counts.update({f"rejected: {reason}": count for reason, count in reasons.items()})
            judged = offline.verdicts_of([one.name for one in passed], self._provider, self._rules)
            counts.update({"generated": BATCH, "passed the local checks": len(passed)})
            counts.update(f"verdict: {judged[one.name].verdict}" for one in passed)
            for one in passed:
                if judged[one.name].verdict == verdicts.NO_LOCAL_EVIDENCE:
                    taking.offer(one, judged[one.name])
                elif judged[one.name].verdict == verdicts.AMBIGUOUS:
                    near.append((one, judged[one.name]))
            if len(taking.taken) >= accepted:
                break
        near += self._near_misses(seed, ambiguous - len(near), seen, counts)
        if len(taking.taken) < accepted or len(near) < ambiguous:
            raise BuildError(f"{MOST} candidates gave {len(taking.taken)} unknown and {len(near)} ambiguous names")
        near = near[:ambiguous]
        names = [one.name for one, _ in taking.taken + near]
        self._run_id = run_id_of(names, self.stack_hash, self._provider.name, "", seed)
        return Found(taking.taken, near, _attrition(counts), taking.shares())

    def _near_misses(self, seed, wanted, seen, counts):
        """Ambiguous names from candidates of one country: pairs of countries give less than one in a thousand."""
        found = []
        for number in range(MOST):
            if len(found) >= wanted:
                break
            candidate = candidates.draw(self.pools, None, seed, number, "same_country")
            counts["generated, of one country"] += 1
            if candidate.key in seen or checks.name_reason(candidate.name, self.facts):
                continue
            seen.add(candidate.key)
            if self.facts.index.near(candidate.name):
                verdict = offline.verdicts_of([candidate.name], self._provider, self._rules)[candidate.name]
                if verdict.verdict == verdicts.AMBIGUOUS:
                    found.append((candidate, verdict))
        counts["verdict, of one country: ambiguous"] = len(found)
        return found

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


class _Taking:
    """Accepted names: each component once, each country at most its share of the names wanted."""

    def __init__(self, wanted):
        self.taken = []
        self._wanted = wanted
        self._most = int(checks.limits()["largest_country_share"] * wanted)
        self._parts, self._countries = set(), {role: Counter() for role in candidates.ROLES}

    def offer(self, one, verdict):
        """Take a candidate if it is still wanted and fits."""
        parts = {fold(one.given), fold(one.surname)}
        keys = dict(zip(candidates.ROLES, (one.given_country, one.surname_country), strict=True))
        full = any(self._countries[role][key] >= self._most for role, key in keys.items())
        if len(self.taken) >= self._wanted or full or parts & self._parts:
            return
        self.taken.append((one, verdict))
        self._parts |= parts
        for role, key in keys.items():
            self._countries[role][key] += 1

    def shares(self):
        """Per role: how many countries supply a component, the largest share, and the number of country pairs."""
        size = len(self.taken)
        made = {
            role: {"countries": len(found), "largest_share": round(max(found.values()) / size, 4)}
            for role, found in self._countries.items()
        }
        return made | {"pairs": len({(one.given_country, one.surname_country) for one, _ in self.taken})}


def _attrition(counts):
    """Rows like the paper's Table 11: stage or reason, count, share of all candidates generated of two countries."""
    total = counts["generated"]
    return {key: {"count": count, "share": round(count / total, 4)} for key, count in sorted(counts.items())}
