"""Generation ablations: 500 candidates under each policy, then the same local checks (PUN A.10, Table 13)."""

from build.configs.unknown import candidates, checks

GENERATED = 500
NOT_MEASURED = "n/a"
CONDITIONS = {
    "paper_baseline": {},
    "allow_same_country": {"policy": "allow_same_country"},
    "pool_size_country_sampling": {"policy": "pool_size_country_sampling"},
    "no_rare_token_cap": {"rare": False},
    "no_native_language_requirement": None,  # ours is the share in one country, which the lexicon has applied already
    "allow_source_name_match": {"allow_source_match": True},
}


def table(root, facts, seed):
    """Rows like the paper's Table 13, as dicts; n/a for a condition that the lexicon cannot undo."""
    return [_row(root, facts, seed, name, condition) for name, condition in CONDITIONS.items()]


def _row(root, facts, seed, name, condition):
    keys = ("generated", "local_pass", "local_pass_pct", "same_country", "distinct_country_pairs", "attempts")
    if condition is None:
        return {"condition": name} | dict.fromkeys(keys, NOT_MEASURED)
    found = candidates.pools(root, facts, rare=condition.get("rare", True))
    drawn, attempts = _drawn(found, seed, condition.get("policy", "paper_baseline"))
    allow = condition.get("allow_source_match", False)
    passed = sum(checks.name_reason(one.name, facts, allow_source_match=allow) is None for one in drawn)
    pairs = {(one.given_country, one.surname_country) for one in drawn}
    same = sum(one.given_country == one.surname_country for one in drawn)
    values = (len(drawn), passed, round(100 * passed / len(drawn), 1), same, len(pairs), attempts)
    return {"condition": name} | dict(zip(keys, values, strict=True))


def _drawn(found, seed, policy):
    """The first GENERATED distinct candidates of a policy, and how many draws that took."""
    made, attempts, pairs = {}, 0, found.pairs
    while len(made) < GENERATED:
        candidate = candidates.draw(found, pairs, seed, attempts, policy)
        made.setdefault(candidate.key, candidate)
        attempts += 1
    return list(made.values()), attempts
