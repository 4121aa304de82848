"""What the command line calls: plain functions from paths and names to files and rows."""

import csv
import io
import json
from collections import Counter
from pathlib import Path

from build.errors import BuildError
from build.validation import ablate as ablations
from build.validation import rules as rule_files
from build.validation.pages import Pages
from build.validation.providers import replay
from build.validation.providers.local import Local
from build.validation.providers.searxng import Searxng
from build.validation.providers.serper import Serper
from build.validation.runner import Runner
from build.validation.screen import Screen, check_extra
from build.validation.stack import provider_settings, validation_stack_hash
from build.validation.store import Store
from scoring.summary import write_atomically

WEB = {"serper": Serper, "searxng": Searxng}
PROVIDERS = ("local", *WEB, "replay")


def read_names(path):
    """The names of a UTF-8 text file, one a line, blank lines left out. Raises BuildError for an unreadable file."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BuildError(f"{path}: cannot be read as UTF-8 text ({type(error).__name__})") from error
    names = [line.strip() for line in lines if line.strip()]
    if not names:
        raise BuildError(f"{path}: holds no names")
    return names


def provider(name, rules, *, locale="en-US", index=None, index_settings=None, recorded=None, recorded_web=False):
    """The provider of a name.

    Args:
        index: for local: an object with contains(key) and near(name).
        recorded: for replay: a JSONL file of recorded traces; recorded_web says whether they came from the web.

    Raises BuildError for an unknown provider or one that lacks its input.
    """
    if name in WEB:
        return WEB[name](rules, locale=locale)
    if name == "local" and index is not None:
        return Local(index, index_settings)
    if name == "replay" and recorded is not None:
        return replay.from_jsonl(recorded, recorded_web)
    wants = {"local": " with an index", "replay": " with a file of recorded traces"}.get(name, "")
    raise BuildError(f"no provider {name!r}{wants} (there are: {', '.join(PROVIDERS)})")


def screen(rules, model, adjudicator=None, extra=None):
    """The screen for a model, or None without one. `extra` is a JSON object as text."""
    return Screen(rules, model, adjudicator or model, extra=check_extra(extra)) if model else None


def validate(names_path, store_path, asked, *, rules=None, seed=0, screening=None, pages=True, released_at=None):
    """Validate the names of a file into a store, or go on with a run that was stopped.

    Args:
        asked: a provider.
        pages: whether a web provider's top pages are read; without them no name can be clean.
        released_at: ISO date on which all of these names were released, None when they were not.

    Returns:
        (run_id, {verdict: count}).
    """
    rules = rules or rule_files.load()
    names = read_names(names_path)
    reader = page_reader(asked, rules, pages)
    released = dict.fromkeys(names, released_at) if released_at else None
    with Store(store_path) as store:
        runner = Runner(store, asked, rules, pages=reader, screen=screening, seed=seed, released_at=released)
        run_id = runner.run(names)
        return run_id, dict(sorted(Counter(found["verdict"] for found in store.verdicts(run_id).values()).items()))


def export_verdicts(store_path, run_id, out):
    """Write a run's verdicts as JSONL, a name a line, with the columns of the config. Returns their number."""
    with Store(store_path, readonly=True) as store:
        run = store.run(run_id)
        rows = [_row(name, found, run) for name, found in store.verdicts(run_id).items()]
    write_atomically(out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8"))
    return len(rows)


def _row(name, found, run):
    return {
        "name": name,
        "verdict": found["verdict"],
        "verdict_reason": found["reason"],
        "provider": run["provider"],
        "run_id": run["run_id"],
        "checked_at": found["checked_at"],
        "validation_stack_hash": run["stack_hash"],
        "expected_query_count": found["expected"],
        "executed_query_count": found["executed"],
        "max_query_type": found["max_query_type"],
    }


def export_traces(store_path, run_id, out):
    """Write a run's traces as the JSONL that replay reads. They can hold personal data. Returns the lines."""
    with Store(store_path, readonly=True) as store:
        lines = list(replay.to_jsonl(store, run_id))
    write_atomically(out, "".join(line + "\n" for line in lines).encode("utf-8"))
    return len(lines)


def ablate(store_path, run_id, out=None, rules=None):
    """The rows of the ablation table; with `out` they are written as CSV too."""
    with Store(store_path, readonly=True) as store:
        rows = ablations.ablate(store, run_id, rules or rule_files.load())
    if out is not None:
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        write_atomically(out, text.getvalue().encode("utf-8"))
    return rows


def page_reader(asked, rules, pages=True):
    """The reader of a web provider's top pages, or None."""
    return Pages(rules) if pages and asked.name in WEB else None


def stack_hash(asked, rules=None, screening=None, pages=True):
    """The validation stack hash under which `validate` would run."""
    rules = rules or rule_files.load()
    settings = screening.settings if screening else None
    read = provider_settings(asked, page_reader(asked, rules, pages))
    return validation_stack_hash(rules, read, screen=settings)
