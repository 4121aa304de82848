"""One module per config, all with the same face.

NAME, PREFIX (of ids), SCHEMA (Arrow), `build(root, seed)` -> Built: the rows of each split and a report of
counts for the manifest. A builder reads lexicons and inventories alone, and draws from build.draws.
"""

from build.configs import ambiguous_names

MODULES = (ambiguous_names,)
BY_NAME = {module.NAME: module for module in MODULES}
