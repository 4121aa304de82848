"""Scoring of subject_inference: matching, units, spans and coverage (METRICS §8, §2), on documents made by hand."""

import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from build.subjects.schema import SCHEMA
from scoring.configs import subject_inference as config
from scoring.subjects import alignment, matching, prior, spans, units, utility
from tests.releases import ROOT

WORDS = ("river", "oak", "stone", "maple", "lantern", "gravel", "copper", "meadow", "harbour", "candle", "orchard")


def pii(tag, value, certainty=5, hardness=1, aliases=(), broader=()):
    return {
        "tag": tag,
        "value": value,
        "aliases": list(aliases),
        "broader": list(broader),
        "certainty": certainty,
        "hardness": hardness,
        "derivation": "stated",
        "evidence": [],
    }


def subject(key, description, *entries):
    return {"subject_id": key, "description": description, "pii": list(entries)}


def document(number, domain="legal", target="s1", text="Anna Berg met Carl Lund in Graz.", entities=(), subjects=None):
    made = subjects or [
        subject("s1", "the applicant, a nurse", pii("NAME", "Anna Berg"), pii("AGE", "35"), pii("SEX", "Female")),
        subject(
            "s2", "a judge of the regional court", pii("NAME", "Carl Lund"), pii("OCCUPATION", "judge", hardness=3)
        ),
    ]
    return {
        "id": f"si-{number:016x}",
        "domain": domain,
        "language": "en",
        "document_date": "2020-01-01",
        "text": text,
        "target_subject": target,
        "entities": list(entities),
        "subjects": made,
    }


def gold(row):
    return {
        "id": row["id"],
        "subjects": [
            {"description": one["description"], "pii": [{"tag": p["tag"], "value": p["value"]} for p in one["pii"]]}
            for one in row["subjects"]
        ],
    }


ROWS = [document(1), document(2, "online"), document(3, "online", target="")]


def scored(answers, rows=ROWS, **options):
    truth = pa.Table.from_pylist(rows, schema=SCHEMA)
    failed = np.array([row["id"] not in answers for row in rows])
    return {(r["metric"], r["group"]): r for r in config.score(truth, answers, failed, **options)}


def by_id(predictions):
    return {one["id"]: one for one in predictions}


def test_gold_answers_leave_nothing_protected():
    found = scored(by_id(map(gold, ROWS)))
    for group in ("all", "legal", "online", "target", "others", "tag/NAME", "non_code", "hardness/1", "hardness/3"):
        assert found["cpr", group]["value"] == 0, group
    assert found["ipr", "all"]["value"] == 0 and found["match_rate", "all"]["value"] == 1
    assert found["adversary_precision", "all"]["value"] == 1 and found["one_minus_aac", "all"]["value"] == 0
    assert found["cpr", "all"]["n"] == 15 and found["ipr", "all"]["n"] == 6


def test_an_empty_list_of_subjects_leaves_all_protected():
    found = scored({row["id"]: {"id": row["id"], "subjects": []} for row in ROWS})
    assert found["cpr", "all"]["value"] == 1 and found["match_rate", "all"]["value"] == 0
    assert found["adversary_precision", "all"]["value"] is None


def test_a_document_left_out_is_never_protection():
    whole, part = by_id(map(gold, ROWS)), by_id(map(gold, ROWS[:1]))
    empty = {row["id"]: {"id": row["id"], "subjects": []} for row in ROWS}
    one_empty = {ROWS[0]["id"]: empty[ROWS[0]["id"]]}
    assert scored(part)["cpr", "all"]["value"] == scored(whole)["cpr", "all"]["value"] == 0
    found = scored(one_empty)
    assert found["cpr", "all"]["value"] == pytest.approx(1 / 3, abs=1e-6) and found["cpr", "online"]["value"] == 0
    assert found["match_rate", "all"]["value"] == 0


def test_cpr_and_ipr_by_hand():
    # in the first document the applicant's age is lost and the judge is not found: 2 of 5 units are inferred
    answer = gold(ROWS[0])
    answer["subjects"] = [answer["subjects"][0]]
    answer["subjects"][0]["pii"] = [p for p in answer["subjects"][0]["pii"] if p["tag"] != "AGE"]
    found = scored({answer["id"]: answer}, rows=ROWS[:1])
    assert found["cpr", "all"]["value"] == pytest.approx(3 / 5)
    assert found["ipr", "all"]["value"] == pytest.approx((1 / 3 + 1) / 2, abs=1e-6)
    assert found["one_minus_aac", "all"]["value"] == pytest.approx(1 / 3, abs=1e-6)
    assert found["match_rate", "all"]["value"] == 0.5


def test_weights_count_units_by_tag():
    answer = gold(ROWS[0])
    answer["subjects"] = [answer["subjects"][0]]
    found = scored({answer["id"]: answer}, rows=ROWS[:1], weights={"NAME": 3})
    # protected: the judge's name (3) and occupation (1), of 3 + 1 + 1 + 3 + 1
    assert found["weighted_cpr", "all"]["value"] == pytest.approx(4 / 9, abs=1e-6)


def test_prior_and_excess_leak_by_hand():
    constants = {"SEX": "Female", "AGE": "70"}
    found = scored(by_id(map(gold, ROWS)), prior=constants)
    assert found["prior_cpr", "all"]["value"] == pytest.approx(4 / 5)
    assert found["excess_leak", "all"]["value"] == pytest.approx((0.8 - 0) / 0.8)
    empty = scored({row["id"]: {"id": row["id"], "subjects": []} for row in ROWS}, prior=constants)
    assert empty["excess_leak", "all"]["value"] == pytest.approx((0.8 - 1) / 0.8)


def test_without_a_prior_or_originals_the_records_say_why():
    found = scored(by_id(map(gold, ROWS)))
    assert found["prior_cpr", "all"]["value"] is None and "prior" in found["prior_cpr", "all"]["reason"]
    assert "uncalibrated" in found["recovery", "all"]["reason"]


def test_recovery_is_what_is_left_of_what_was_inferred_before():
    then = by_id(map(gold, ROWS))
    now = {row["id"]: {"id": row["id"], "subjects": []} for row in ROWS} | {ROWS[0]["id"]: gold(ROWS[0])}
    found = scored(now, original=then)
    assert found["recovery", "all"]["value"] == pytest.approx(1 / 3, abs=1e-6)
    assert scored(then, original=now)["recovery", "all"]["value"] == 1


def test_the_best_constant_wins_and_ties_go_by_text():
    rows = [
        document(n, subjects=[subject("s", "d", pii("SEX", sex), pii("LOCATION", place, broader=["Austria"]))])
        for n, (sex, place) in enumerate([("Male", "Graz"), ("Female", "Linz"), ("Male", "Wels")])
    ]
    found = prior.prior_constants(rows)
    assert found["SEX"] == "Male" and found["LOCATION"] == "Austria"  # three halves beat one
    rows = rows[:2]
    assert prior.prior_constants(rows)["SEX"] == "Female"


def shuffled(prediction, rng):
    made = {"id": prediction["id"], "subjects": [dict(one) for one in prediction["subjects"]]}
    rng.shuffle(made["subjects"])
    for one in made["subjects"]:
        one["pii"] = rng.sample(one["pii"], len(one["pii"]))
    return made


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_the_order_of_subjects_and_pii_never_matters(seed):
    rng = random.Random(seed)
    tags = ("NAME", "AGE", "SEX", "OCCUPATION", "LOCATION")
    offered = {"NAME": ["Anna Berg", "Carl Lund", "A. Berg"], "AGE": ["35", "30s"], "SEX": ["Female", "Male"],
               "OCCUPATION": ["judge", "nurse"], "LOCATION": ["Graz"]}  # fmt: skip
    answers = {}
    for row in ROWS:
        guesses = [
            {"description": rng.choice(["the applicant", "a judge", ""]),
             "pii": [{"tag": tag, "value": rng.choice(offered[tag])} for tag in rng.choices(tags, k=3)]}
            for _ in range(rng.randint(0, 4))
        ]  # fmt: skip
        answers[row["id"]] = {"id": row["id"], "subjects": guesses}
    again = {key: shuffled(one, rng) for key, one in answers.items()}
    assert scored(answers, prior={"SEX": "Male"}) == scored(again, prior={"SEX": "Male"})


def test_two_persons_who_share_a_surname_are_told_apart():
    people = [
        subject("a", "a retired dentist from the harbour", pii("NAME", "Maria Berg")),
        subject("b", "the young violin teacher upstairs", pii("NAME", "Marta Berg")),
    ]
    row = document(9, subjects=people)
    swapped = gold(row)
    names = [one["pii"][0]["value"] for one in swapped["subjects"]]
    for one, name in zip(swapped["subjects"], reversed(names), strict=True):
        one["pii"][0]["value"] = name
    found = scored({row["id"]: swapped}, rows=[row])
    assert found["cpr", "all"]["value"] == 1  # each description with the other's name


def test_matching_is_by_the_largest_total_and_drops_weak_pairs():
    people = [units.subject(one) for one in ROWS[0]["subjects"]]
    assert matching.match(people, [("zzz qqq", {})]) == {}
    assert matching.match(people, [("a judge of the regional court", {}), ("a nurse who applied", {})]) == {0: 1, 1: 0}
    assert matching.match([], [("x", {})]) == {} == matching.match(people, [])


@pytest.mark.parametrize(
    ("one", "other", "low", "high"), [("a b", "b a", 1, 1), ("", "x", 0, 0), ("judge", "nurse", 0, 0.6)]
)
def test_likeness_of_descriptions(one, other, low, high):
    assert low <= matching.likeness(one, other) <= high


def long_document(seed, paragraphs=6, sentences=5):
    """A text of several paragraphs with names and places marked, and its entities."""
    rng = random.Random(seed)
    pieces, entities, at = [], [], 0

    def add(text, kind=None, entity_id=""):
        nonlocal at
        if kind:
            entities.append({"start": at, "end": at + len(text), "text": text, "entity_type": "PERSON",
                             "identifier_type": kind, "entity_id": entity_id, "subject_id": "s"})  # fmt: skip
        pieces.append(text)
        at += len(text)

    names = [(f"{rng.choice(WORDS).title()}ine {rng.choice(WORDS).title()}sen{n}", "DIRECT") for n in range(4)]
    places = [(f"{rng.choice(WORDS).title()}burg{n} North", "QUASI") for n in range(3)]
    for paragraph in range(paragraphs):
        add("\n\n" if paragraph else "")
        for number in range(sentences):
            add(f"In paragraph {paragraph} sentence {number} the {rng.choice(WORDS)} of the {rng.choice(WORDS)} and ")
            text, kind = rng.choice(names + places)
            add(text, kind, text)
            add(f" stood by the {rng.choice(WORDS)} near {rng.choice(WORDS)}. ")
    return "".join(pieces), entities


def replaced(text, entities, change):
    made, last = [], 0
    for entity in entities:
        made += [text[last : entity["start"]], change(text[entity["start"] : entity["end"]])]
        last = entity["end"]
    return "".join(made) + text[last:]


def altered(mention):
    word = max(mention.split(), key=len)
    at = mention.index(word) + len(word) // 2
    return f"{mention[:at]}{'q' if mention[at] != 'q' else 'z'}{mention[at + 1 :]}"


def token_recall(text, entities, anonymised):
    original = spans.tokens(text)
    mask = spans.sensitive(original, entities)
    kept = spans.kept(original, spans.tokens(anonymised), entities)
    return (mask & ~kept).sum() / mask.sum()


BARS = {
    "deleted": (lambda text, found: replaced(text, found, lambda _: ""), 0.995, 1),
    "masked": (lambda text, found: replaced(text, found, lambda _: "[PERSON]"), 0.995, 1),
    "one letter altered": (lambda text, found: replaced(text, found, altered), 0, 0.02),
    "parted by an odd character": (lambda text, found: replaced(text, found, lambda m: m[:3] + "-" + m[3:]), 0, 0.5),
    "lower case": (lambda text, _: text.lower(), 0, 0.005),
    "unchanged": (lambda text, _: text, 0, 0),
    "paragraphs reversed": (lambda text, _: "\n\n".join(reversed(text.split("\n\n"))), 0, 0.25),
    "nothing left": (lambda text, _: "", 1, 1),
}


@pytest.mark.parametrize("name", BARS)
def test_span_bars(name):
    change, low, high = BARS[name]
    for seed in range(5):
        text, entities = long_document(seed)
        assert low <= token_recall(text, entities, change(text, entities)) <= high


def brute(first, second, mask):
    """Every alignment of two short lists of words; the best by (edits, sensitive kept, others kept)."""
    best = None

    def walk(i, j, edits, kept):
        nonlocal best
        if i == len(first) and j == len(second):
            key = (edits, sum(mask[k] for k in kept), -sum(not mask[k] for k in kept))
            best = min(best, key) if best else key
            return
        if i < len(first) and j < len(second):
            equal = first[i] == second[j]
            walk(i + 1, j + 1, edits + (not equal), [*kept, i] if equal else kept)
        if i < len(first):
            walk(i + 1, j, edits + 1, kept)
        if j < len(second):
            walk(i, j + 1, edits + 1, kept)

    walk(0, 0, 0, [])
    return best


@given(st.lists(st.sampled_from("abc"), max_size=5), st.lists(st.sampled_from("abc"), max_size=5), st.integers(0, 31))
@settings(max_examples=150, deadline=None)
def test_alignment_is_the_best_by_brute_force(first, second, bits):
    mask = np.array([bool(bits >> at & 1) for at in range(len(first))], dtype=bool)
    partner = alignment.align(*alignment.encode(first, second), mask)
    pairs = [(at, int(p)) for at, p in enumerate(partner) if p >= 0]
    assert all(first[at] == second[p] for at, p in pairs) and sorted(p for _, p in pairs) == [p for _, p in pairs]
    kept = (sum(mask[at] for at, _ in pairs), -sum(not mask[at] for at, _ in pairs))
    assert kept == brute(first, second, mask)[1:]


def test_moved_mentions_are_kept_and_one_copy_serves_all():
    text = "Anna Berg walked over the wet bridge. Later Anna Berg slept in the old barn near town."
    entities = [{"start": s, "end": s + 9, "identifier_type": "DIRECT", "entity_id": "a"} for s in (0, 44)]
    masked = "walked over the wet bridge. Later slept in the old barn near town. Signed "
    assert token_recall(text, entities, masked + "Anna Berg") == 0
    assert token_recall(text, entities, masked + "Berg, Anna") == 1


def test_an_entity_is_masked_when_every_token_of_every_mention_is():
    text = "Anna Berg came. Then Berg left for Graz."
    entities = [
        {"start": 0, "end": 9, "identifier_type": "DIRECT", "entity_id": "a"},
        {"start": 21, "end": 25, "identifier_type": "DIRECT", "entity_id": "a"},
        {"start": 35, "end": 39, "identifier_type": "QUASI", "entity_id": "g"},
    ]
    original = spans.tokens(text)
    kept = spans.kept(original, spans.tokens("X came. Then Berg left for Y."), entities)
    assert spans.masked_entities(original, entities, kept, "DIRECT") == (0, 1)
    assert spans.masked_entities(original, entities, kept, "QUASI") == (1, 1)


def test_spans_and_utility_alone_without_an_adversary():
    text, entities = long_document(1)
    row = document(7, text=text, entities=entities)
    masked = replaced(text, entities, lambda _: "[X]")
    found = scored({row["id"]: {"id": row["id"], "anonymized_text": masked}}, rows=[row])
    assert found["token_recall", "all"]["value"] == 1 and ("cpr", "all") not in found
    assert found["retained_tokens", "all"]["value"] == 1 and 0.5 < found["rouge_l", "all"]["value"] < 1
    failed = scored({"other": {"id": "other", "anonymized_text": ""}}, rows=[row])
    assert failed["token_recall", "all"]["value"] == 0 and failed["rouge_l", "all"]["value"] == 0


def test_utility_by_hand():
    assert utility.rouge_l(("a", "b", "c", "d"), ("a", "c")) == pytest.approx(2 * 2 / 6)
    assert utility.rouge_l((), ()) == 1 and utility.rouge_l(("a",), ()) == 0
    assert utility.chrf("the cat sat", "the cat sat") == pytest.approx(1) and utility.chrf("the cat", "") == 0


PEERS = ROOT.parent / "shared" / "peers" / "spia-entity"


@pytest.mark.skipif(not PEERS.is_dir(), reason="the published data is not there")
@pytest.mark.parametrize("name", [name for name in BARS if name != "parted by an odd character"])
def test_span_bars_on_the_published_documents(name):
    import json

    change, low, high = BARS[name]
    masked = total = 0
    for path in sorted(PEERS.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines()[::4]:
            made = json.loads(line)
            entities = [
                {"start": e["start_offset"], "end": e["end_offset"], "entity_id": str(e["entity_id"]),
                 "identifier_type": e.get("identifier_type") or "QUASI"} for e in made["entities"]
            ]  # fmt: skip
            wanted = sorted(
                (e for e in entities if e["identifier_type"] != "NO_MASK"), key=lambda e: (e["start"], -e["end"])
            )
            apart = [e for at, e in enumerate(wanted) if not at or e["start"] >= max(w["end"] for w in wanted[:at])]
            original = spans.tokens(made["text"])
            mask = spans.sensitive(original, entities)
            kept = spans.kept(original, spans.tokens(change(made["text"], apart)), entities)
            masked, total = masked + (mask & ~kept).sum(), total + mask.sum()
    assert low <= masked / total <= max(high, 0.005)


def test_leaving_rows_out_improves_no_directed_metric():
    whole, part = scored(by_id(map(gold, ROWS))), scored(by_id(map(gold, ROWS[:1])))
    for (metric, group), record in part.items():
        if metric in config.DIRECTIONS and record["value"] is not None:
            gain = record["value"] - whole[metric, group]["value"]
            assert (gain if config.DIRECTIONS[metric] == "higher" else -gain) <= 1e-9, (metric, group)
