"""Candidates one letter from an attested person's name, looked for where such names lie (PUN A.7, ambiguity controls).

Candidates of two countries hardly ever come near an attested name, so that drawing them blindly takes hundreds of
thousands. Here a surname is drawn, over countries as always, and every given name that its bearers may have is held
against the person index; a candidate then joins the surname with a component one letter from such a given name.
"""

from build import draws
from build.configs.unknown.candidates import Candidate
from build.fold import fold
from build.neighbours import neighbours


class Attractors:
    """Candidates near an attested name.

    Args:
        pools: candidates.Pools.
        index: build.person_index.PersonIndex.
        attested: folded words that are some person's given name.
    """

    def __init__(self, pools, index, attested):
        self._pools, self._index = pools, index
        self._components = {}
        for country, texts in sorted(pools.parts["given"].items()):
            for text in texts:
                self._components.setdefault(fold(text), []).append((country, text))
        self._near = {}
        for component, found in sorted(neighbours(self._components, attested).items()):
            for given in found:
                self._near.setdefault(given, []).append(component)
        self._attested = sorted(self._near)

    def draw(self, seed, number):
        """The candidate of a number, or None where no bearer of its surname has such a given name.

        Its countries differ. Of several, the country of the given name is drawn first, then the component.
        """
        stream = draws.Stream(seed, "unknown_names", "attractor", number)
        country = stream.choice(sorted(self._pools.parts["surname"]))
        surname = stream.choice(self._pools.parts["surname"][country])
        options = {}
        for given in self._index.partners(surname, self._attested):
            for component in self._near[given]:
                for other, text in self._components[component]:
                    if other != country:
                        options.setdefault(other, set()).add(text)
        if not options:
            return None
        other = stream.choice(sorted(options))
        return Candidate(stream.choice(sorted(options[other])), surname, other, country)
