"""NymBench's page: score reports side by side as one self-contained HTML file, without a script.

Run `python report.py --help`. It needs this file, reporting/, scoring/, schemas/ and references/, and the packages of
requirements-report.txt.
"""

import sys
from pathlib import Path
from typing import Annotated

try:
    import typer

    from reporting import page
    from reporting.reading import PUBLISHED, read_published, read_reports
except ModuleNotFoundError as error:
    sys.exit(f"{error}: run 'make report' once and use .venv/bin/python, or install requirements-report.txt")

from scoring import summary
from scoring.errors import run_command

HERE = Path(__file__).resolve().parent
PROTECTED = ("data", "schemas", "references", "reporting", "scoring")
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    reports: Annotated[list[str], typer.Argument(help="Reports that `score.py evaluate --out` wrote.")],
    out: Annotated[str, typer.Option(help="Write the page to this HTML file.")],
):
    """Draw one or more score reports as one HTML page: tables, plots, and the papers' rows as other data."""
    summary.check_output(out, [*reports, PUBLISHED], [HERE / folder for folder in PROTECTED])
    made = page.render(read_reports(reports), read_published())
    summary.write_atomically(out, made)
    print(f"{out}: {len(reports)} report{'s' if len(reports) > 1 else ''}, {len(made):,} bytes")


def run():
    """Run the command line; a fault the user can act on is printed and ends with status 2."""
    run_command(app)


if __name__ == "__main__":
    run()
