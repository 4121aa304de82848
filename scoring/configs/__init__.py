"""One module per config, all with the same face.

NAME, PREFIX (of its ids), FIELDS (a prediction's known fields), COLUMNS (what it reads of a row), HEADLINE
and DIRECTIONS (metric -> which way is better), STAGES (the fields
that each stage of a batch answers), EMPTY (by stage, the answer that a blank message stands for), LEAST (the least
prediction that is valid);
`keys_of(prediction)`, `trim(prediction)` (of a model's answer), `is_empty(prediction)`,
`check(truth, answers, places, faults)`, `score(truth, answers, failed, …)` -> records,
`measures(…)` -> measures by group and metric, `tables(records)` for the screen.
"""

from scoring.configs import ambiguous_names, prompt_injection, usernames

MODULES = (ambiguous_names, prompt_injection, usernames)
BY_NAME = {module.NAME: module for module in MODULES}
BY_PREFIX = {module.PREFIX: module for module in MODULES}
