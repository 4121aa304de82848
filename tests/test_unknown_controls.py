"""Controls and diagnostics of unknown_names, made from the lexicons: what holds for any seed."""

import json
from collections import Counter
from statistics import median

import numpy as np
import pytest

from build import draws, lexicons
from build.configs.unknown import candidates, checks, known, metadata, nonnames, proximity
from build.configs.unknown.bearers import Bearers
from build.configs.unknown.charmodel import CharModel
from build.configs.unknown.tokens import Tokenizers, patterns
from build.fold import fold
from build.person_index import PersonIndex
from build.sources import known as source
from build.sources import tokenizers
from scoring.errors import FaultyFile
from tests.releases import ROOT

SEEDS = (0, 1, 7)
ATTESTED = 0.98


@pytest.fixture(scope="module")
def bearers():
    return Bearers.load(ROOT)


@pytest.fixture(scope="module")
def index():
    return PersonIndex.load(ROOT)


@pytest.fixture(scope="module")
def cut():
    return Tokenizers.load(ROOT)


@pytest.fixture(scope="module")
def exclusion():
    return {row["folded"]: row["kinds"] for row in lexicons.rows(ROOT, "exclusion")}


@pytest.fixture(scope="module")
def exists(exclusion):
    names = set(lexicons.read(ROOT, "names").column("folded").to_pylist())
    return lambda word: fold(word) in exclusion or fold(word) in names


def people(bearers, seed):
    """60 names of each level, and the next five for those that have nothing to alter."""
    leveled = known.leveled(ROOT, bearers, seed)
    return [
        [one.name for level in known.LEVELS for one in leveled[level][low:high]] for low, high in ((0, 60), (60, 65))
    ]


@pytest.fixture(scope="module")
def model():
    return CharModel({row["gram"]: row["count"] for row in lexicons.rows(ROOT, "name_ngrams")})


@pytest.fixture(scope="module", params=SEEDS)
def seed(request):
    return request.param


@pytest.fixture(scope="module")
def altered(seed, bearers, index):
    sources, spare = people(bearers, seed)
    made = {}
    for level in proximity.LEVELS:

        def refused(name, level=level):
            return level not in proximity.CLOSE and index.contains(name)

        made[level] = proximity.altered(level, sources + spare, sources, seed, refused)[:300]
    return made


def test_each_distance_has_three_hundred_names_farther_than_the_one_before(altered):
    far = [median(one.normalised for one in altered[level]) for level in proximity.LEVELS]
    assert far == sorted(set(far)), far
    for level, names in altered.items():
        assert len({fold(one.name) for one in names}) == 300, level


def test_alterations_say_how_they_were_made(altered):
    for level, names in altered.items():
        listed = {"+".join(edits) for edits in proximity.plan()["levels"][str(level)]}
        assert {one.strategy for one in names} == listed
        for one in names:
            assert bool(one.donor_parts) == ("donor" in one.strategy or "fragment" in one.strategy)
            if "+" not in one.strategy:
                assert all(part in one.name.casefold() for part in one.donor_parts)


def test_the_closest_are_one_and_two_edits_away(altered):
    assert {one.edit_distance for one in altered[1]} == {1}
    doubles = [one for one in altered[2] if one.strategy != "abbreviate"]
    assert {one.edit_distance for one in doubles} <= {1, 2} and median(one.edit_distance for one in doubles) == 2


@pytest.mark.parametrize(
    ("edit", "lengths"), [("drop_letter", {11}), ("double_letter", {13}), ("swap_vowel", {12}), ("abbreviate", {8, 9})]
)
def test_close_edits_change_a_length_and_no_initial(edit, lengths):
    words, found = ["michael", "myers"], set()
    for number in range(40):
        made = proximity._EDITS[edit](words, draws.Stream(0, "test", edit, number), [], [])
        found.add(len("".join(made)))
        assert made != words and [word[0] for word in made] == [word[0] for word in words]
    assert found == lengths


@pytest.mark.parametrize("kind", nonnames.KINDS)
def test_non_names_are_distinct_new_and_two_capitalised_words(kind, seed, exists):
    made = nonnames.nonnames(kind, 120, seed, exists)
    words = [word for name in made for word in name.split()]
    assert len(set(made)) == 120 and len(words) == 240
    assert all(word.isascii() and word.istitle() for word in words) and not any(map(exists, words))


def trigrams(words):
    return [word[at : at + 3] for word in words for at in range(len(word) - 2)]


def test_only_word_like_strings_are_spelt_as_english_words_are(seed, exclusion):
    """Their runs of three letters occur in English words; those of the other kinds often do not."""
    english = set(trigrams(word for word, kinds in exclusion.items() if "word" in kinds and " " not in word))
    shares = {}
    for kind in nonnames.KINDS:
        words = [
            word.casefold()
            for name in nonnames.nonnames(kind, 120, seed, exclusion.__contains__)
            for word in name.split()
        ]
        shares[kind] = np.mean([run in english for run in trigrams(words)])
    wordlike, gibberish, letters = (shares[kind] for kind in nonnames.KINDS)
    assert wordlike >= ATTESTED > gibberish > letters


def test_bits_per_character_keep_their_order_under_resampling(seed, bearers, index, exists, exclusion, altered, model):
    facts = checks.Facts(frozenset(exclusion), bearers, index)
    unknown = candidates.sift(candidates.pools(ROOT, facts), seed, 700, facts)[0][:300]
    groups = [people(bearers, seed)[0], [one.name for one in unknown]]
    groups += [nonnames.nonnames(kind, 100, seed, exists) for kind in nonnames.KINDS]
    groups += [[one.name for one in altered[level]] for level in range(8, 13)]
    bits = [[model.bits_per_character(name) for name in group] for group in groups]
    rng, held = np.random.RandomState(seed), 0
    for _ in range(200):
        found = [float(np.median(rng.choice(values, len(values)))) for values in bits]
        held += found[:5] == sorted(set(found[:5])) and found[1] < min(found[5:])
    assert held >= 195


def test_no_person_who_shares_a_component_is_trained_on():
    names = ["Ada Berg", "Ådä Cole", "Eve Cole", "Eve Bergh", "Adam Berg"]
    assert source.training(names, {"ada", "berg"}) == ["Eve Cole", "Eve Bergh"]


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("Marie Curie", True),
        ("Stephen King", True),
        ("Duke Ellington", True),
        ("Mother Teresa", False),
        ("Queen Victoria", False),
        ("Kangxi Emperor", False),
        ("Little Richard", False),
        ("Pope Francis", False),
        ("Cardinal Richelieu", False),
        ("Pelé", False),
        ("Henry VIII", False),
        ("Leonardo da Vinci", False),
        ("John Smith (painter)", False),
    ],
)
def test_only_plain_names_are_known_persons(title, plain):
    assert source.is_plain(title) is plain


def test_the_lexicon_holds_plain_names_and_enough_of_each_level(bearers):
    rows = lexicons.rows(ROOT, "known_persons")
    assert all(source.is_plain(row["name"]) for row in rows)
    assert len({row["name"] for row in rows}) == len(rows)
    counts = Counter(one.level for one in known.listed(rows, bearers))
    assert all(counts[level] >= 90 for level in known.LEVELS)


def test_equal_scores_are_not_parted_by_the_alphabet(bearers):
    """Most persons outside the lists have no expected bearers, and so one score; initials say nothing of a level."""
    leveled = known.listed(lexicons.rows(ROOT, "known_persons"), bearers)
    early = {level: np.mean([one.name < "M" for one in leveled if one.level == level]) for level in known.LEVELS}
    assert max(early.values()) - min(early.values()) < 0.15, early


# expected bearers by hand: P(Ada) = 1000 / 4000, P(Berg) = 3000 / 10000, N = 10000
SHARES = Bearers({"ada": 1000, "eve": 3000}, {"berg": 3000, "cole": 7000})


@pytest.mark.parametrize(
    ("given", "surname", "expected"),
    [
        ("Ada", "Berg", 750.0),
        ("Eve", "Cole", 5250.0),
        ("Zed", "Berg", 0.0),
        ("Ada", "Zed", 0.0),
        ("ADÁ", "berg", 750.0),
    ],
)
def test_expected_bearers_by_hand(given, surname, expected):
    assert SHARES.expected(given, surname) == expected


def test_expected_bearers_of_all_names_come_to_all_persons():
    assert sum(SHARES.expected(given, surname) for given in ("Ada", "Eve") for surname in ("Berg", "Cole")) == 10_000


# counted by js-tiktoken over whole vocabularies, mistral_tekken and qwen by tiktoken over whole ones
PIECES = {
    "Dvořák Škvorecký": {
        "r50k_base": 14,
        "cl100k_base": 10,
        "o200k_base": 9,
        "claude": 10,
        "mistral_tekken": 7,
        "qwen": 10,
    },
    "Karl-Peter Clarendon": {
        "r50k_base": 6,
        "cl100k_base": 7,
        "o200k_base": 5,
        "claude": 6,
        "mistral_tekken": 5,
        "qwen": 7,
    },
    "Ciara O'Dea": {"r50k_base": 7, "cl100k_base": 5, "o200k_base": 5, "claude": 6, "mistral_tekken": 6, "qwen": 5},
    "DeShawn McCoy": {"r50k_base": 4, "cl100k_base": 4, "o200k_base": 5, "claude": 6, "mistral_tekken": 5, "qwen": 4},
    "Zxbxi Ikmbzt": {"r50k_base": 7, "cl100k_base": 6, "o200k_base": 6, "claude": 6, "mistral_tekken": 7, "qwen": 6},
    "Kanō Jigorō": {"r50k_base": 6, "cl100k_base": 6, "o200k_base": 5, "claude": 7, "mistral_tekken": 6, "qwen": 6},
}


@pytest.mark.parametrize("name", PIECES)
def test_cut_down_vocabularies_count_as_whole_ones_do(name, cut):
    counts = cut.counts(name)
    assert {key: counts[key] for key in PIECES[name]} == PIECES[name]
    assert cut.per_character(name) == round(median(counts.values()) / len(name), 4)


def test_every_byte_pair_vocabulary_has_its_pattern(cut):
    assert patterns().keys() == set(cut.names) - {"rampart_wordpiece"} and len(cut.names) >= 7


def test_each_source_of_a_vocabulary_counts_its_rows():
    listed = json.loads((ROOT / "data" / "lexicons" / "provenance.json").read_text(encoding="utf-8"))["sources"]
    used = {entry["package"]: entry["rows_used"] for entry in listed}
    rows = Counter(tokenizers.PACKAGE_OF[row["tokenizer"]] for row in lexicons.rows(ROOT, "tokenizers"))
    assert {package: used[package] for package in rows} == rows


@pytest.mark.parametrize("mark", ["-", "'", ".", "’"])
def test_no_mark_is_lost(mark, cut):
    whole, apart = cut.counts(f"Xavi{mark}Kol Berg"), cut.counts("Xavi Berg")
    assert all(whole[name] > apart[name] for name in cut.names)


HEADER = "name,views,length,languages,sitelinks"


def written(folder, text):
    path = folder / metadata.FILE
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return folder


def test_metadata_levels_by_hand(tmp_path, bearers):
    # five persons whose fame and prevalence rise alike, but for the last two, whose prevalences are exchanged
    names = ["Ada Berg", "Eve Cole", "Ida Dorn", "Ina Egge", "Una Falk"]
    prevalence = [1, 10, 100, 10_000, 1000]
    lines = [f"{name},{10**at},{10**at},{at},{at},{prevalence[at]}" for at, name in enumerate(names)]
    written(tmp_path, "\n".join([HEADER + ",prevalence", *lines]) + "\n")
    found = {one.name: one for level in known.leveled(tmp_path, bearers, 0).values() for one in level}
    # (4 + 5) / 2 and (5 + 4) / 2 are 4.5 and round up
    assert [found[name].level for name in names] == [1, 2, 3, 5, 5]
    # .45 ln 11 + .25 ln 11 + .20 ln 2 + .10 ln 2
    assert found["Eve Cole"].fame == pytest.approx(0.7 * 2.397895 + 0.3 * 0.693147, abs=1e-5)


def test_without_prevalence_expected_bearers_stand_in(tmp_path, bearers):
    lines = [f"{name},5,5,5,5" for name in ("John Smith", "Mary Johnson", "Zdzisława Brzęczyszczyk")]
    written(tmp_path, "\n".join([HEADER, *lines]))
    levels = {one.name: level for level, found in known.leveled(tmp_path, bearers, 0).items() for one in found}
    assert levels["John Smith"] > levels["Mary Johnson"] > levels["Zdzisława Brzęczyszczyk"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no column 'name', 'views'"),
        ("name,views,length,languages\nAda Berg,1,1,1\n", "no column 'sitelinks'"),
        (HEADER + "\nAda,1,1,1,1\n", "line 2.*two words"),
        (HEADER + "\nAda Berg,x,1,1,1\n", "line 2.*views.*'x'"),
        (HEADER + "\nAda Berg,1,-1,1,1\n", "line 2.*length"),
        (HEADER + "\nAda Berg,1,1,nan,1\n", "line 2.*languages"),
        (HEADER + "\nAda Berg,1,1,1\n", "line 2.*sitelinks"),
        (HEADER + "\nAda Berg,1,1,1,1\nadá berg,2,2,2,2\n", "line 3.*line 2 already"),
        (HEADER + ",prevalence\nAda Berg,1,1,1,1,\n", "line 2.*prevalence"),
    ],
)
def test_faulty_metadata_is_refused(text, message, tmp_path):
    with pytest.raises(FaultyFile, match=f"(?s){message}"):
        metadata.read(written(tmp_path, text))


def test_without_a_file_there_is_no_metadata(tmp_path):
    assert metadata.read(tmp_path) == []
