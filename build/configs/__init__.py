"""One module per config, all with the same face.

NAME, PREFIX (of ids), SCHEMA (Arrow), `build(root, seed, done)` -> Built: the rows of each split and a report of
counts for the manifest. A builder reads lexicons, inventories and the configs built before it (`done`, a dict of
Built by name), and draws from build.draws.
"""

from build.configs import ambiguous_names, prompt_injection, subject_inference, unknown_names, usernames

MODULES = (ambiguous_names, prompt_injection, usernames, unknown_names, subject_inference)
BY_NAME = {module.NAME: module for module in MODULES}
