"""The rooms of score.py: from a predictions file and a release to metric records."""

SCORER_VERSION = "1"
