"""The attested-person index: what it holds, whatever the order, case and marks, and what lies one edit away."""

import random
import time

import numpy as np
import pytest

from build.person_index import PersonIndex, index_hash
from tests.releases import ROOT

WELL_KNOWN = [
    "Marie Curie",
    "Ada Lovelace",
    "Frida Kahlo",
    "Alan Turing",
    "Rosa Parks",
    "Pablo Picasso",
]


@pytest.fixture(scope="module")
def index():
    return PersonIndex.load(ROOT)


@pytest.fixture(scope="module")
def small():
    return PersonIndex(np.sort(np.array([index_hash("Zoë", "Ångström"), index_hash("Ann", "Lee")], dtype=np.int64)))


@pytest.mark.parametrize("name", ["Zoë Ångström", "Ångström Zoë", "ZOE ANGSTROM", "zoe ångström", "Zoe\u0308 Ångström"])
def test_order_case_and_marks_do_not_matter(small, name):
    assert small.contains(name)


@pytest.mark.parametrize("name", ["Zoë", "Zoë A. Ångström", "", "Zoé Angstrim", "Ann Leeds"])
def test_other_names_are_not_held(small, name):
    assert not small.contains(name)


@pytest.mark.parametrize(
    ("name", "near"),
    [("Zoa Angstrom", ["zoe angstrom"]), ("Angstro Zoe", ["angstrom zoe"]), ("Ann Leee", ["ann lee"]), ("Bo Leee", [])],
)
def test_near_names(small, name, near):
    assert small.near(name) == near


@pytest.mark.parametrize("name", WELL_KNOWN)
def test_well_known_persons_are_held_and_their_slips_are_near(index, name):
    assert index.contains(name)
    source = random.Random(name)
    for _ in range(30):
        words = name.split()
        which = source.randrange(2)
        at = source.randrange(len(words[which]))
        words[which] = words[which][:at] + source.choice("abcdefghijklmnopqrstuvwxyz") + words[which][at + 1 :]
        slip = " ".join(words)
        near = index.near(slip)
        assert index.contains(slip) or name.lower() in near, slip


def test_the_index_is_large_and_quick(index):
    """More than 800,000 persons; ten thousand look-ups with near spellings take far less than a minute."""
    assert len(index) > 800_000
    began = time.process_time()
    for number in range(300):
        index.near(f"Qwertzu{number % 7}x Yxcvbnm")
    assert (time.process_time() - began) / 300 * 10_000 < 60
