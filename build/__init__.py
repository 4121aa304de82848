"""The builders: `python -m build` from the repository root. Sources become lexicons, lexicons become a release."""
