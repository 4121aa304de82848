"""NymBench inside evaluation harnesses: they ask the models, scoring/ gives the numbers.

What each harness needs lies in a folder of its name, which holds no __init__.py, so that it can't be taken for the
installed package of that name.
"""
