"""What a run asks: the data, the form (which stages, in which order), the rows, and each stage's messages."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from build.prompts import SPOKEN, fill, prompt, said
from integrations.errors import ParameterError
from scoring import batch
from scoring.answers import stage_answer
from scoring.configs import BY_NAME
from scoring.hub import open_release
from scoring.summary import check_output

ROOT = Path(__file__).resolve().parent.parent
FORMS = json.loads((Path(__file__).resolve().parent / "forms.json").read_text(encoding="utf-8"))
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Run:
    """One way of asking one split.

    Attributes:
        config: the config's name.
        form: a key of FORMS[config], which gives the stages.
        split: the split's name.
        data: the folder of a release (from the clone's root, or absolute), or OWNER/NAME on the Hub.
        variant: of the first stage's prompt: plain, hint or example; later stages have a plain one only.
        adjudicate: "rules" to label free text by schemas/adjudication.json (unknown_names), or None.
        out: a folder for the answers and the report (from the clone's root, or absolute), or None.
    """

    config: str
    form: str
    split: str = "lite"
    data: str = "."
    variant: str = "plain"
    adjudicate: str | None = None
    out: str | None = None

    def __post_init__(self):
        if self.form not in FORMS[self.config]:
            raise ParameterError(
                f"{self.config} has no form {self.form!r} (there are: {', '.join(FORMS[self.config])})"
            )
        if self.adjudicate not in (None, "rules"):
            raise ParameterError(f"adjudicate is 'rules' or nothing, not {self.adjudicate!r}")
        if self.out is not None:
            check_output(self.output("report.json"), [], [ROOT / "data", ROOT / "schemas"])

    @property
    def module(self):
        """The config's module of scoring/."""
        return BY_NAME[self.config]

    @property
    def stages(self):
        """The names of the stages, in the order in which they are asked."""
        return FORMS[self.config][self.form]

    def output(self, suffix):
        """The path of an output in the folder `out`."""
        return ROOT / self.out / f"{self.config}.{self.split}.{self.form}.{suffix}"

    def release(self):
        """The release that the run asks, opened once in a process."""
        return _opened(str(ROOT / self.data) if (ROOT / self.data).exists() else self.data)

    def rows(self):
        """The split's rows in its order, as dicts of id and what prompts speak of; the rows of a pair together."""
        release = self.release()
        columns = sorted({"id", *self._fields(), *({"pair_id"} & set(self.module.COLUMNS))})
        rows = release.table(release.entry(self.config, self.split), columns).to_pylist()
        first = {}
        for at, row in enumerate(rows):
            first.setdefault(row.get("pair_id", row["id"]), at)
        return sorted(rows, key=lambda row: first[row.get("pair_id", row["id"])])

    def _fields(self):
        """Columns of the rows that the prompts of some stage speak of."""
        found = {name for stage in self.stages for name in _PLACEHOLDER.findall(self._prompt(stage)["user"])}
        return found & SPOKEN

    def _prompt(self, stage):
        return prompt(self.config, stage, self.variant if stage == self.stages[0] else "plain")

    def asked(self, row):
        """Ask a row stage by stage: yields (stage, messages), and takes the batch line of what was answered.

        Messages are [{"role", "content"}, …], those of the exported requests. A stage of which an earlier one was
        to give the text is passed over when that gave none.
        """
        values = dict(row)
        for stage in self.stages:
            found = self._prompt(stage)
            if not set(_PLACEHOLDER.findall(found["user"])) <= values.keys():
                continue
            line = yield stage, messages(found, values)
            if stage == "anonymise":
                del values["text"]
            values |= self._said(row["id"], stage, line)

    def lost(self, row_id, lines):
        """Lines of failure for stages that were to fill a field together with one that was asked, but were not asked.

        Without them a run in which such a stage never came about would look like a file that lacks its output.
        """
        told = {batch.split_id(one["custom_id"])[1] for one in lines}
        together = [stage for stage in self.stages if stage in getattr(self.module, "JOINED", ())]
        if not told & set(together):
            return []
        return [line(row_id, stage, None) for stage in together if stage not in told]

    def _said(self, row_id, stage, line):
        """What a stage's answer gives to the prompts of later ones; the inferring ones give nothing to each other."""
        try:
            answer = stage_answer(row_id, stage, line, self.module)
        except batch.NoAnswer:
            return {}
        return {} if stage in getattr(self.module, "JOINED_NEEDS", ()) else said(answer)


@lru_cache(maxsize=8)
def _opened(data):
    return open_release(data)


def messages(found, values):
    """The messages of a prompt {"system", "user"} for a row's values."""
    return [
        {"role": "system", "content": found["system"]},
        {"role": "user", "content": fill(found["user"], values)},
    ]


def line(row_id, stage, text, *, refused=False, replicate=""):
    """One line of a batch output file; text None for a request that failed."""
    message = {
        "role": "assistant",
        "content": None if refused else text,
        "refusal": text or "refused" if refused else None,
    }
    response = (
        None if text is None and not refused else {"status_code": 200, "body": {"choices": [{"message": message}]}}
    )
    error = None if response else {"message": "no answer"}
    return {"custom_id": batch.custom_id(row_id, stage, replicate), "response": response, "error": error}
