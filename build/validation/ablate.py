"""Ablations: stored traces judged again under reduced query policies (PUN, section 7.2, table 12)."""

from build.validation import forms, verdicts
from build.validation.ignore import judge

FULL = "full_stack_recorded_verdict"
NOT_ASKED = "n/a"
COUNTS = ("accepted", "accepted_pct", "web_evidence_found", "ambiguous", "validation_incomplete")
DELTAS = ("newly_accepted_vs_full", "lost_full_stack_accepts")


def ablate(store, run_id, rules, released_at=None):
    """Rows like the paper's table 12, the full stack first.

    A row's names are those that the screen let by (all, without a screen). A policy that leaves out only query
    types which the provider never asked, or leaves none that it asked, has n/a in place of counts: nothing was
    measured. evidence counts hold local evidence for an offline provider.

    Args:
        released_at: as for the Runner; traces are labelled anew from the stored data.

    Returns:
        list of dicts with experiment, evaluable_names, COUNTS and DELTAS (per cent in accepted_pct).
    """
    run = store.run(run_id)
    recorded = store.verdicts(run_id)
    names = [
        name for name in run["names"] if name in recorded and store.screened(run_id, name) in (None, verdicts.NO_INFO)
    ]
    full = {name: recorded[name]["verdict"] for name in names}
    answers = {name: relabelled(store, run_id, name, rules, released_at, recorded[name]) for name in names}
    asked = {answer.query.type for listed in answers.values() for answer in listed if answer.state == verdicts.DONE}
    made = [row(FULL, full, full)]
    for policy, dropped in rules.data["policies"]["policies"].items():
        if not asked & set(dropped) or asked <= set(dropped):
            made.append(_not_asked(policy, len(names)))
        else:
            judged = {name: reduced(answers[name], dropped, rules, run["is_web"]).verdict for name in names}
            made.append(row(policy, judged, full))
    return made


def relabelled(store, run_id, name, rules, released_at, recorded):
    """The name's answers with labels made from the stored traces under these rules."""
    named = forms.profile(name, rules)
    released = (released_at or {}).get(name)
    found = store.traces(run_id, name)
    made = []
    for query, state, _ in store.queries(run_id, name):
        labels = [judge(t, named, rules, released, recorded["checked_at"]) for t, _ in found.get(query.position, ())]
        made.append(verdicts.Answered(query, state, tuple(labels)))
    return made


def reduced(answers, dropped, rules, is_web):
    """The Verdict when the dropped query types had not been part of the policy."""
    planned = {answer.query.type for answer in answers}
    kept = [answer for answer in answers if answer.query.type not in dropped]
    types = [query_type for query_type in rules.order if query_type in planned and query_type not in dropped]
    return verdicts.verdict(kept, rules, is_web=is_web, types=types)


def row(experiment, judged, full):
    """One row from {name: verdict} under a policy and in full."""
    counts = {verdict: sum(found == verdict for found in judged.values()) for verdict in verdicts.VERDICTS}
    accepted = {name for name, verdict in judged.items() if verdict in verdicts.ACCEPTED}
    before = {name for name, verdict in full.items() if verdict in verdicts.ACCEPTED}
    return {
        "experiment": experiment,
        "evaluable_names": len(judged),
        "accepted": len(accepted),
        "accepted_pct": round(100 * len(accepted) / len(judged), 2) if judged else NOT_ASKED,
        "web_evidence_found": counts[verdicts.WEB_EVIDENCE] + counts[verdicts.LOCAL_EVIDENCE],
        "ambiguous": counts[verdicts.AMBIGUOUS],
        "validation_incomplete": counts[verdicts.INCOMPLETE],
        "newly_accepted_vs_full": len(accepted - before),
        "lost_full_stack_accepts": len(before - accepted),
    }


def _not_asked(policy, names):
    return {"experiment": policy, "evaluable_names": names} | dict.fromkeys((*COUNTS, *DELTAS), NOT_ASKED)
