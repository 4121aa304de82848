"""One module per config, all with the same face.

NAME, PREFIX (of its ids), FIELDS (a prediction's known fields), COLUMNS (what it reads of a row), HEADLINE
and DIRECTIONS (metric -> which way is better), STAGES (the fields
that each stage of a batch answers), EMPTY (by stage, the answer that a blank message stands for), LEAST (the least
prediction that is valid), REPLICATES (whether a row may be answered several times), OPTIONS (the options of
`evaluate` that the config knows, each with a function from the chosen value to what the signature says);
`keys_of(prediction)`, `trim(prediction)` (of a model's answer), `is_empty(prediction)`,
`check(truth, answers, places, faults)`, `score(truth, answers, failed, …)` -> records,
`measures(…)` -> measures by group and metric, `tables(records)` for the screen. A config may also have
`interpret(truth, answers, **options)` -> answers and the keys of those that no rule can read, `text_answer(text)`
for replies that are no JSON, `notes(answers, unreadable, records)`, lines below the tables, and, where several stages
fill one field, JOINED (those stages), JOINED_NEEDS (those that a file cannot do without), PARTS (what each stage
answers) and `join(parts)` -> fields, or None where a part is lost.
"""

from scoring.configs import ambiguous_names, prompt_injection, subject_inference, unknown_names, usernames

MODULES = (ambiguous_names, prompt_injection, usernames, unknown_names, subject_inference)
BY_NAME = {module.NAME: module for module in MODULES}
BY_PREFIX = {module.PREFIX: module for module in MODULES}
