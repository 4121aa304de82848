"""The same replies give the same numbers through score.py, inspect_ai and lm-eval, to the last digit."""

import pytest

from integrations.results import numbers
from integrations.runs import FORMS, Run
from integrations.tests import harnesses
from integrations.tests.replies import KINDS, TINY, rows_of

ONE_STAGE = [(config, form) for config, forms in FORMS.items() for form, stages in forms.items() if len(stages) == 1]
RULES = {"unknown_names": ("--adjudicate", "rules")}
CASES = [(*case, kind, TINY, "test") for case in ONE_STAGE for kind in KINDS]
SAID = ("metrics", "coverage", "signature", "warnings", "release", "split")


@pytest.mark.parametrize(("config", "form", "kind", "folder", "split"), CASES)
def test_three_ways_give_one_report(config, form, kind, folder, split, tmp_path):
    stage = FORMS[config][form][0]
    asked = harnesses.requests_of(config, form, folder, split, tmp_path)
    table = {asked[row["id"]]: KINDS[kind](row, stage) for row in rows_of(config, folder, split)}
    texts = {row_id: table[messages] for row_id, messages in asked.items()}
    expected = harnesses.by_score(texts, stage, folder, split, tmp_path, *RULES.get(config, ()))
    wanted = numbers(Run(config, form, split, str(folder)), expected)

    task = {"form": form} if len(FORMS[config]) > 1 else {}
    log = harnesses.by_inspect(config, table.__getitem__, folder, split, tmp_path, parameters=task)
    assert log.status == "success"
    assert harnesses.metrics_of(log) == {name: value for name, value in wanted.items() if value is not None}
    first = harnesses.report_in(tmp_path, config, split, form)

    joined = {f"{system}\n\n{user}": reply for (system, user), reply in table.items()}
    found = harnesses.by_lm_eval(config, form, joined.__getitem__, folder, split, tmp_path)
    assert found == {name: wanted.get(name) for name in found} and len(found) > 6
    second = harnesses.report_in(tmp_path, config, split, form)

    for key in SAID:
        assert first[key] == second[key] == expected[key], key
    assert "subset" not in first
    again = harnesses.by_command(
        tmp_path / f"{config}.{split}.{form}.jsonl", folder, split, tmp_path, *RULES.get(config, ())
    )
    assert again["metrics"] == expected["metrics"]
