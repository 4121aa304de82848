"""Generation ablations: 500 candidates under each policy, then the same local checks (PUN A.10, Table 13)."""

from build.configs.unknown import candidates, checks

GENERATED = 500
CONDITIONS = {
    "paper_baseline": {},
    "allow_same_country": {"policy": "any_countries", "same_country": True},
    "pool_size_country_sampling": {"policy": "by_size"},
    "no_rare_token_cap": {"without": "rarity"},
    "no_country_share_requirement": {"without": "country share"},
    "allow_source_name_match": {"source_match": True},
}
IN_THE_PAPER = {"no_country_share_requirement": "no_native_language_requirement"}


def table(root, facts, seed):
    """Rows like the paper's Table 13, as dicts.

    A draw is an attempt; it gives no candidate when both countries are the same, the name was drawn before, or a
    source person bears both components, unless the condition allows that. Our components have no native-language
    metadata; the requirement that at least half of the bearers share a country stands in its place.
    """
    return [_row(root, facts, seed, name, **condition) for name, condition in CONDITIONS.items()]


def _row(root, facts, seed, name, *, policy="country_pairs", without=None, same_country=False, source_match=False):
    found = candidates.pools(root, facts, without)
    drawn, attempts = _drawn(found, facts, seed, policy, same_country, source_match)
    passed = sum(checks.name_reason(one.name, facts, source_match) is None for one in drawn)
    return {
        "condition": name,
        "in_the_paper": IN_THE_PAPER.get(name, name),
        "generated": len(drawn),
        "local_pass": passed,
        "local_pass_pct": round(100 * passed / len(drawn), 1),
        "same_country": sum(one.given_country == one.surname_country for one in drawn),
        "distinct_country_pairs": len({(one.given_country, one.surname_country) for one in drawn}),
        "attempts": attempts,
    }


def _drawn(found, facts, seed, policy, same_country, source_match):
    """The first GENERATED candidates of a policy, and how many draws they took."""
    made, attempts, pairs = {}, 0, found.pairs
    while len(made) < GENERATED:
        one = candidates.draw(found, pairs, seed, attempts, policy)
        attempts += 1
        apart = same_country or one.given_country != one.surname_country
        if apart and (source_match or not facts.attested(one.name)):
            made.setdefault(one.key, one)
    return list(made.values()), attempts
