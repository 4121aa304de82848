"""Authored phrase inventories, as JSON: what the sentences of a config are put together from."""

import json
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
MASK = "[MASK]"


@dataclass(frozen=True)
class Template:
    """A snippet with one slot: a first sentence that holds MASK once, and a second one."""

    template_id: str
    first: str
    second: str

    def fill(self, name):
        """(text, start, end) of the snippet with the name in its slot; offsets in code points."""
        start = self.first.index(MASK)
        text = f"{self.first.replace(MASK, name)} {self.second}"
        return text, start, start + len(name)


def first_sentence(template_id):
    """The id of a template's first sentence."""
    return template_id.partition("+")[0]


def inventory(config, name_type):
    """The parsed inventory of one type: {"name_type", "firsts": [{id, text, verb}], "seconds": [{id, text}]}."""
    return json.loads((HERE / config / f"{name_type}.json").read_text(encoding="utf-8"))
