"""The published SPIA benchmark, as its users hold it, made into a release that score.py scores.

files -> reading (refusals) -> rows, faults (a report) -> release.
"""
