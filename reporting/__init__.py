"""The rooms of report.py: score reports and the papers' published rows into one HTML page. Imports scoring/ alone."""
