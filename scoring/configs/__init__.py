"""One module per config, all with the same face.

NAME, PREFIX (of its ids), FIELDS (a prediction's known fields), HEADLINE (metric -> which way is better),
COLUMNS (what it reads of a row), `keys_of(prediction)`, `check(truth, answers, lines, faults)` and
`score(truth, answers, options)` -> list of records.
"""

from scoring.configs import ambiguous_names

MODULES = (ambiguous_names,)
BY_NAME = {module.NAME: module for module in MODULES}
BY_PREFIX = {module.PREFIX: module for module in MODULES}
