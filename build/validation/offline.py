"""Verdicts of a provider at hand for many names at once, without a store: the same rules, the same verdicts."""

import tempfile
from pathlib import Path

from build.validation import verdicts
from build.validation.queries import inventory
from build.validation.runner import Runner
from build.validation.store import DONE, Store


def verdicts_of(names, provider, rules):
    """{name: Verdict}. Names about which the provider is silent are judged at once, the others by a Runner.

    Args:
        provider: an offline provider that can tell when it has nothing to say (`silent`).
    """
    made, asked = {}, []
    for name in names:
        queries = inventory(name, rules, provider.types)
        if provider.silent(queries):
            answers = [verdicts.Answered(query, DONE) for query in queries]
            made[name] = verdicts.verdict(answers, rules, is_web=provider.is_web, types=provider.types)
        else:
            asked.append(name)
    return made | (_asked(asked, provider, rules) if asked else {})


def _asked(names, provider, rules):
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "run.db") as store:
        run_id = Runner(store, provider, rules).run(names)
        found = store.verdicts(run_id)
    return {
        name: verdicts.Verdict(row["verdict"], row["reason"], row["expected"], row["executed"], row["max_query_type"])
        for name, row in found.items()
    }
