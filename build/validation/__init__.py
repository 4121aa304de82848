"""The validator of plausible unknown names (PUN): queries of a name, their traces, and a verdict with its reason.

`queries` says what is asked, `providers` ask it, `traces` label what came back, `verdicts` judge a name, `store` keeps
a run so that it can go on after any stop, `runner` drives it, and `ablate` replays it under reduced query policies.
All rules are data in `data/`; `stack` hashes them.
"""
