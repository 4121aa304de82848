"""One module per config, all with the same face.

NAME, PREFIX (of ids), SCHEMA (Arrow), SCALES (what a scale multiplies), `build(root, seed, done, scale=1)` -> Built:
the rows of each split and a report of counts for the manifest. A config that is made in shards also has
`shard(root, seed, scale, number, of)` -> {key: list}, a pure function, and `merge(root, seed, scale, parts)` -> Built,
and builds as one shard. A builder reads lexicons, inventories and the configs built before it (`done`, a dict of
Built by name), and draws from build.draws. A config whose rows bear a date says DATED = True, and its `build` takes
`date` (ISO; None for the release's own).
"""

from build.configs import ambiguous_names, prompt_injection, subject_inference, unknown_names, usernames

MODULES = (ambiguous_names, prompt_injection, usernames, unknown_names, subject_inference)
BY_NAME = {module.NAME: module for module in MODULES}
