"""Validation by the tables: variants, queries, labels, verdicts, and what the stack hash takes in."""

import copy

import pytest

from build.errors import BuildError
from build.validation import forms, ignore, queries, rules, stack, traces, variants, verdicts
from build.validation.queries import Query
from build.validation.traces import AMBIGUITY, EXACT_PERSON, INCONCLUSIVE, UNRELATED, Label, Trace
from build.validation.verdicts import Answered

RULES = rules.load()
NAME = "Leora Vandeskel"
NAMED = forms.profile(NAME, RULES)


def test_the_curated_lists_are_as_long_as_they_should_be_and_hold_nothing_twice():
    assert len(RULES.person_terms) >= 60 and len(RULES.data["person_terms"]) >= 6
    for terms in RULES.data["person_terms"].values():
        assert isinstance(terms, str) or len({tuple(rules.words(term)) for term in terms}) == len(terms)
    assert len(set(RULES.domains)) == len(RULES.domains) >= 40
    assert len(RULES.panel_cues) == len(RULES.data["panel_cues"]["cues"]) >= 15


def test_the_paper_s_caps_and_types():
    caps = RULES.data["caps"]
    assert (caps["vowel_variant"], caps["phonetic_variant"], caps["total"]) == (200, 50, 500)
    assert RULES.order == [
        "exact_quoted",
        "unquoted",
        "reversed",
        "ascii_fold",
        "vowel_variant",
        "phonetic_variant",
        "page_content",
    ]


@pytest.mark.parametrize(
    "name, expected",
    [
        ("Stephan Filck", ["Ztephan Filck", "Stefan Filck", "Stephan Philck", "Stephan Filk", "Stephan Fylck"]),
        ("Zorina Queval", ["Sorina Queval", "Zorina Kueval", "Zorina Quewal", "Zoryna Queval"]),
        ("Ashura Jorgen", ["Aschura Jorgen", "Ashura Gorgen", "Ashura Jorjen"]),
        ("Schonna Weydan", ["Shonna Weydan", "Schonna Veydan", "Schonna Weidan"]),
        ("José Núñez", ["Gosé Núñez", "Jozé Núñez", "José Núñes"]),
        ("Cara Chadek", ["Kara Chadek", "Cara Chadeck"]),
    ],
)
def test_phonetic_variants(name, expected):
    assert sorted(variants.phonetic_variants(name, RULES)) == sorted(expected)


@pytest.mark.parametrize(
    "name, expected",
    [
        ("Brn Klm", []),
        ("Brn Ólm", ["Brn Alm", "Brn Elm", "Brn Ilm", "Brn Ulm"]),
        ("Brn Beyl", ["Brn Bayl", "Brn Biyl", "Brn Boyl", "Brn Buyl"]),
    ],
)
def test_vowel_variants(name, expected):
    assert sorted(variants.vowel_variants(name, RULES)) == sorted(expected)


def test_a_vowel_pair_is_exchanged_within_its_group():
    made = variants.vowel_variants("Dieter Brn", RULES)
    assert "Deiter Brn" in made and "Dieter Brn" not in made and len(made) == len(set(made))


@pytest.mark.parametrize(
    "name, expected",
    [("José Núñez", "Jose Nunez"), ("Øystein Strauß", "Oystein Strauss"), ("Ærin Łuk", "Aerin Luk"), (NAME, NAME)],
)
def test_ascii_fold_keeps_case(name, expected):
    assert variants.ascii_folded(name) == expected
    assert variants.has_diacritics(name) == (name != expected)


@pytest.mark.parametrize("name", ["Leora", "", 'Leora "Vandeskel"', "   ", "-- Vandeskel"])
def test_what_is_no_full_name_is_refused(name):
    with pytest.raises(BuildError, match="cannot be validated"):
        queries.inventory(name, RULES)


def test_the_inventory_begins_as_the_paper_s_table_does():
    made = queries.inventory("José Núñez", RULES)
    assert [(q.type, q.text) for q in made[:5]] == [
        ("exact_quoted", '"José Núñez"'),
        ("unquoted", "José Núñez"),
        ("reversed", '"Núñez José"'),
        ("reversed", "Núñez José"),
        ("ascii_fold", '"Jose Nunez"'),
    ]
    assert (made[-1].type, made[-1].text) == ("page_content", "José Núñez")
    assert [q.position for q in made] == list(range(len(made)))
    assert [q.stage for q in made if q.type.endswith("_variant")] == [2] * (len(made) - 6)


@pytest.mark.parametrize("name", ["José Núñez", NAME, "Maximiliane-Eulalia Auerochsenbaueriou", "Émile-Joseph Toshirō"])
def test_no_query_occurs_twice_and_caps_hold(name):
    made = queries.inventory(name, RULES)
    assert len({(q.type == "page_content", q.text) for q in made}) == len(made)
    of_type = [q.type for q in made]
    assert of_type.count("vowel_variant") <= 200 and of_type.count("phonetic_variant") <= 50 and len(made) <= 503
    assert made == queries.inventory(name, RULES)
    assert ("ascii_fold" in of_type) == (not name.isascii())


def test_a_name_that_reads_the_same_reversed_is_not_searched_twice():
    assert "reversed" not in {q.type for q in queries.inventory("Leora Leora", RULES)}


def test_a_lower_cap_cuts_the_inventory():
    changed = changed_rules(("caps", "vowel_variant"), 3)
    assert [q.type for q in queries.inventory(NAME, changed)].count("vowel_variant") == 3
    few = queries.inventory(NAME, changed_rules(("caps", "total"), 5))
    assert sum(q.type in ("reversed", "vowel_variant", "phonetic_variant") for q in few) <= 6


def test_mandatory_is_what_the_data_says():
    made = queries.inventory(NAME, RULES)
    assert queries.mandatory(NAME, RULES) == made
    data = copy.deepcopy(RULES.data)
    data["queries"]["types"][-1]["mandatory"] = False
    assert [q.type for q in queries.mandatory(NAME, rules.from_data(data))].count("page_content") == 0


def trace(**fields):
    return Trace(**{"query": f'"{NAME}"', "type": "exact_quoted", "provider": "p", **fields})


SITE = "https://news.example/a"
LABELS = [
    ({}, INCONCLUSIVE),
    ({"type": "page_content", "url": SITE, "content": None}, INCONCLUSIVE),
    ({"type": "page_content", "url": SITE, "content": ""}, UNRELATED),
    ({"title": "Weather in Leora", "snippet": "Vandeskel Corp. was born", "url": SITE}, UNRELATED),
    ({"title": "Leora Vandeskel", "snippet": "She was born in 1970", "url": SITE}, EXACT_PERSON),
    ({"title": "LEORA VANDESKEL", "snippet": "née en 1970"}, EXACT_PERSON),
    ({"title": "Dr. Léora Vandéskel, professor"}, EXACT_PERSON),
    ({"title": "Vandeskel, Leora", "snippet": "author of two novels"}, EXACT_PERSON),
    ({"title": "Leora Vandeskel", "url": "https://www.linkedin.com/in/whoever"}, EXACT_PERSON),
    ({"title": "Sign in", "url": "https://nl.linkedin.com/in/leora-vandeskel-12ab"}, EXACT_PERSON),
    ({"title": "Sign in", "url": "https://www.instagram.com/leoravandeskel77/"}, EXACT_PERSON),
    ({"title": "Shop", "url": "https://shop.example/leora-vandeskel"}, AMBIGUITY),
    ({"title": "Leora Vandeskel", "url": "https://notlinkedin.com/in/x"}, AMBIGUITY),
    ({"title": "Leora Vandeskel sofa, 3 seats", "url": SITE}, AMBIGUITY),
    ({"title": "Liora Vandeskel", "snippet": "was born in 1970"}, AMBIGUITY),
    ({"title": "Leora Vandezkel"}, AMBIGUITY),
    ({"title": "Leorah Vandeskell"}, AMBIGUITY),
    ({"title": "Leora M. Vandeskel, professor"}, AMBIGUITY),
    ({"title": "Leora and the Vandeskel"}, UNRELATED),
    ({"title": "Leora, Mia Vandeskel"}, AMBIGUITY),
    ({"panel": {"title": "Leora Vandeskel", "type": "Actress", "description": ""}}, EXACT_PERSON),
    ({"panel": {"title": "Leora Vandeskel", "type": "Song", "description": ""}}, AMBIGUITY),
    ({"panel": {"title": "Vandeskel", "type": "Company", "description": ""}}, AMBIGUITY),
    ({"title": "Leora Vandeskel, poet", "url": "http://[broken"}, EXACT_PERSON),
    ({"title": "\ud800 Leora", "url": "http://[::1"}, UNRELATED),
    ({"correction": "Liora Vandersteen"}, AMBIGUITY),
    ({"correction": '"leora vandeskel"'}, UNRELATED),
    ({"type": "page_content", "url": SITE, "content": "Leora Vandeskel died at home"}, EXACT_PERSON),
    ({"type": "page_content", "url": SITE, "content": "Leora Vandeskel " + "x " * 60 + "died"}, AMBIGUITY),
]


@pytest.mark.parametrize("fields, expected", LABELS)
def test_labels(fields, expected):
    assert traces.label(trace(**fields), NAMED, RULES).label == expected


@pytest.mark.parametrize(
    "word, other, expected",
    [
        ("leora", "leora", True),
        ("leora", "liora", True),
        ("leora", "leoras", True),
        ("leora", "lora", True),
        ("leora", "eolra", False),
        ("leora", "lioras", False),
        ("mia", "mio", False),
        ("leora", "lelora", True),
    ],
)
def test_near_is_one_edit_for_words_long_enough(word, other, expected):
    assert forms.near(word, other, 4) is expected and forms.near(other, word, 4) is expected


@pytest.mark.parametrize(
    "fields, released, checked, expected",
    [
        ({"url": "https://hub.example/datasets/lab/NymBench"}, "2026-01-01", "2026-02-01T00:00:00Z", True),
        ({"url": "https://hub.example/datasets/lab/nymbench/viewer"}, "2026-01-01", "2026-02-01T00:00:00Z", True),
        ({"url": "https://hub.example/datasets/lab/nymbench"}, "2026-03-01", "2026-02-01T00:00:00Z", False),
        ({"url": "https://hub.example/datasets/lab/nymbench"}, None, "2026-02-01T00:00:00Z", False),
        ({"url": "https://hub.example/nymbenchmark"}, "2026-01-01", "2026-02-01T00:00:00Z", False),
        ({"url": SITE, "snippet": "NymBench has a Leora Vandeskel"}, "2026-01-01", "2026-02-01T00:00:00Z", False),
        ({"url": SITE, "snippet": f"row {RULES.canary}"}, "2026-01-01", "2026-02-01T00:00:00Z", True),
    ],
)
def test_only_clear_traces_of_this_release_are_ignored(fields, released, checked, expected):
    found = trace(title="Leora Vandeskel, professor", **fields)
    assert ignore.own_release(found, RULES, released, checked) is expected
    label = ignore.judge(found, NAMED, RULES, released, checked).label
    assert label == (UNRELATED if expected else EXACT_PERSON)


def answers(found=(), states=()):
    """Answered for the whole inventory, all done but `states`, with `found` labels, by query type."""
    found, states = dict(found), dict(states)
    return [
        Answered(q, states.get(q.type, "done"), (Label(found[q.type], "why"),) if q.type in found else ())
        for q in queries.inventory(NAME, RULES)
    ]


CLEAN = verdicts.NO_WEB_EVIDENCE
VERDICTS = [
    ({}, {}, {}, CLEAN),
    ({}, {}, {"is_web": False}, "no_local_evidence_found"),
    ({"unquoted": UNRELATED}, {}, {}, CLEAN),
    ({"page_content": EXACT_PERSON, "exact_quoted": AMBIGUITY}, {}, {}, "web_evidence_found"),
    ({"page_content": EXACT_PERSON}, {}, {"is_web": False}, "local_evidence_found"),
    ({"vowel_variant": AMBIGUITY}, {}, {}, "ambiguous"),
    ({"vowel_variant": AMBIGUITY}, {"phonetic_variant": "failed"}, {}, "ambiguous"),
    ({}, {"vowel_variant": "pending"}, {}, "validation_incomplete"),
    ({}, {"reversed": "failed"}, {}, "validation_incomplete"),
    ({}, {"page_content": "unavailable"}, {}, "validation_incomplete"),
    ({"unquoted": INCONCLUSIVE}, {}, {}, "validation_incomplete"),
    ({"page_content": INCONCLUSIVE}, {}, {}, "validation_incomplete"),
    ({}, {}, {"screen_configured": True}, "validation_incomplete"),
    ({}, {}, {"screen_configured": True, "screen_label": "no_info"}, CLEAN),
    ({}, {}, {"screen_configured": True, "screen_label": "found"}, "web_evidence_found"),
    ({}, {}, {"screen_configured": True, "screen_label": "similar"}, "ambiguous"),
    ({}, {}, {"screen_configured": True, "screen_label": "attractor"}, "ambiguous"),
    ({}, {}, {"screen_configured": True, "screen_label": "fail"}, "validation_incomplete"),
]


@pytest.mark.parametrize("found, states, options, expected", VERDICTS)
def test_verdicts(found, states, options, expected):
    made = verdicts.verdict(answers(found, states), RULES, **{"is_web": True, **options})
    assert made.verdict == expected and made.reason


def test_a_mandatory_query_that_was_left_out_keeps_a_name_from_being_clean():
    for left_out in ("exact_quoted", "vowel_variant", "page_content"):
        listed = [answer for answer in answers() if answer.query.type != left_out]
        made = verdicts.verdict(listed, RULES, is_web=True)
        assert (made.verdict, left_out in made.reason) == ("validation_incomplete", True)
    assert verdicts.verdict([], RULES, is_web=True).verdict == "validation_incomplete"


def test_one_unread_page_among_read_ones_is_no_gap():
    query = Query(NAME, 0, "page_content", NAME, NAME, True, 1)
    assert not verdicts.inconclusive(Answered(query, "done", (Label(INCONCLUSIVE, ""), Label(UNRELATED, ""))))
    assert not verdicts.inconclusive(Answered(query, "done", ()))


def test_counts_and_the_last_type_reached():
    made = verdicts.verdict(answers({}, {"page_content": "failed"}), RULES, is_web=True)
    assert (made.expected - made.executed, made.max_query_type) == (1, "phonetic_variant")


def changed_rules(path, value):
    data = copy.deepcopy(RULES.data)
    part = data
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return rules.from_data(data, RULES.canary)


SETTINGS = {"name": "serper", "locale": "en-US"}
CHANGES = [
    (("caps", "total"), 499),
    (("caps", "vowel_variant"), 199),
    (("person_terms", "cs"), []),
    (("panel_cues", "cues"), ["person"]),
    (("domains", "domains"), ["about.me"]),
    (("variants", "vowel_groups"), []),
    (("variants", "phonetic_rules", 0, "to"), "v"),
    (("queries", "types", 6, "mandatory"), False),
    (("queries", "page_content", "pages"), 4),
    (("labels", "context_words"), 26),
    (("ignore", "url_paths"), []),
    (("providers", "serper", "results"), 20),
]


@pytest.mark.parametrize("path, value", CHANGES)
def test_the_stack_hash_changes_with_any_rule(path, value):
    before = stack.validation_stack_hash(RULES, SETTINGS)
    assert before == stack.validation_stack_hash(rules.load(), dict(reversed(SETTINGS.items())))
    assert before != stack.validation_stack_hash(changed_rules(path, value), SETTINGS)


def test_the_stack_hash_changes_with_provider_screen_prompts_and_code():
    prompts = stack.prompts()
    altered = copy.deepcopy(prompts)
    altered["screen"]["variants"]["plain"]["user"] += " "
    made = [
        stack.validation_stack_hash(RULES, SETTINGS),
        stack.validation_stack_hash(RULES, SETTINGS | {"locale": "de-DE"}),
        stack.validation_stack_hash(RULES, SETTINGS, screen={"model": "m"}),
        stack.validation_stack_hash(RULES, SETTINGS, prompt_files=altered),
        stack.validation_stack_hash(RULES, SETTINGS, code=2),
    ]
    assert len(set(made)) == 5
    assert made[0] == stack.validation_stack_hash(changed_rules(("policies", "policies"), {}), SETTINGS)
