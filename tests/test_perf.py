"""The measurements run, their peers agree with what is measured, and a missed bar ends with status 1."""

import pytest

from perf import __main__ as perf
from perf import bars, documents
from scoring.subjects.utility import rouge_l

QUICK = [name for name in perf.PARTS if name != "release"]


@pytest.mark.parametrize("part", QUICK)
def test_the_short_form_prints_every_bar(part, capsys):
    status = perf.main([part, "--quick"])
    *lines, last = capsys.readouterr().out.splitlines()
    assert lines and all(line.partition(" (")[0].endswith(("met", "NOT MET")) for line in lines)
    assert status == any("NOT MET" in line for line in lines)
    assert last == (
        "every bar is met" if status == 0 else f"{sum('NOT MET' in line for line in lines)} bars are not met"
    )


BARS = [
    (bars.beside("a", "b", (1, 5, 5.0), 5), True),
    (bars.beside("a", "b", (1, 4.9, 4.9), 5), False),
    (bars.at_most("a", 5.0, 5), True),
    (bars.at_most("a", 5.1, 5), False),
    (bars.growth("a", [1, 1, 10]), True),
    (bars.growth("a", [1, 10, 99]), True),
    (bars.growth("a", [1, 1, 100]), False),
]


@pytest.mark.parametrize(("bar", "is_met"), BARS)
def test_a_bar_is_met_on_its_side(bar, is_met, monkeypatch):
    assert bar.is_met is is_met and ("NOT MET" in bar.line()) is not is_met

    class Part:
        bars = staticmethod(lambda root, quick: [bar])

    monkeypatch.setattr(perf, "PARTS", {"part": Part})
    assert perf.main([]) == (0 if is_met else 1)


def test_an_unknown_part_is_refused():
    with pytest.raises(SystemExit) as caught:
        perf.main(["everything"])
    assert caught.value.code == 2


def test_the_peer_of_rouge_l_gives_the_same():
    first, second = list("abcdef"), list("bxdaf")
    assert documents.plain(first, second) == pytest.approx(2 * 3 / 11) == rouge_l(first, second)
