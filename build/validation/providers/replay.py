"""Recorded traces in place of a search: from a run store or from JSONL. What was never recorded is not available."""

import json
from pathlib import Path

from build.errors import BuildError
from build.validation.providers import ALL_TYPES, SEARCH_TYPES, NotRecorded
from build.validation.traces import Trace

_FIELDS = {"name", "type", "text", "traces"}


class Replay:
    """The provider `replay`.

    Args:
        records: {(name, type, text): list of Trace}.
        is_web: whether the recorded provider searched the web.
        source: the recorded provider's settings; part of the stack hash.
    """

    name = "replay"

    def __init__(self, records, is_web, source):
        self._records = records
        self.is_web = is_web
        self.types = ALL_TYPES if is_web else SEARCH_TYPES
        self.settings = {"name": self.name, "locale": source.get("locale", ""), "source": source}

    def search(self, query):
        """The recorded traces. Raises NotRecorded for a query that has no record."""
        try:
            return list(self._records[query.name, query.type, query.text])
        except KeyError:
            raise NotRecorded(f"{query.type} was never recorded for this name") from None


def from_store(store, run_id):
    """A Replay of the finished queries of a run."""
    run = store.run(run_id)
    records = {}
    for name in run["names"]:
        found = store.traces(run_id, name)
        for query, state, _ in store.queries(run_id, name):
            if state == "done":
                pairs = found.get(query.position, [])
                records[name, query.type, query.text] = [trace for trace, _ in pairs]
    return Replay(records, run["is_web"], run["settings"])


def from_jsonl(path, is_web, source=None):
    """A Replay of a JSONL file: {"name", "type", "text", "traces": [fields of Trace]} a line.

    Raises BuildError that names the file and line of a fault.
    """
    records = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8-sig").split("\n"), 1):
        if line.strip():
            try:
                record = json.loads(line)
                key = (record["name"], record["type"], record["text"])
                records[key] = [Trace.from_dict(trace) for trace in record["traces"]]
            except (ValueError, KeyError, TypeError) as error:
                wanted = ", ".join(sorted(_FIELDS))
                raise BuildError(f"{path}: line {number}: expected an object with {wanted} ({error})") from error
    return Replay(records, is_web, source or {})


def to_jsonl(store, run_id):
    """The lines, without line ends, that from_jsonl reads."""
    for name in store.run(run_id)["names"]:
        found = store.traces(run_id, name)
        for query, state, _ in store.queries(run_id, name):
            if state == "done":
                kept = [trace.as_dict() for trace, _ in found.get(query.position, [])]
                record = {"name": name, "type": query.type, "text": query.text, "traces": kept}
                yield json.dumps(record, sort_keys=True)
