"""The run store: runs, queries, traces, screens and verdicts in SQLite, safe at any stop (PUN, A.2 stored audit trace).

A query and its traces are written in one transaction, so after a kill it is either finished with all its traces, and
never asked again, or open. WAL with synchronous=NORMAL survives the death of the process; after a power cut the last
transactions may be lost, which reopens their queries.
"""

import hashlib
import json
import sqlite3
from pathlib import Path

from build.errors import BuildError
from build.validation.queries import Query
from build.validation.stack import canonical
from build.validation.traces import Label, Trace
from build.validation.verdicts import Answered

PENDING, DONE, FAILED, UNAVAILABLE = "pending", "done", "failed", "unavailable"
_QUERY = "name, position, type, text, form, mandatory, stage"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (run_id TEXT PRIMARY KEY, stack_hash TEXT NOT NULL, provider TEXT NOT NULL,
  is_web INTEGER NOT NULL, locale TEXT NOT NULL, seed INTEGER NOT NULL, started_at TEXT NOT NULL,
  names TEXT NOT NULL, settings TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS queries (run_id TEXT NOT NULL, name TEXT NOT NULL, position INTEGER NOT NULL,
  type TEXT NOT NULL, text TEXT NOT NULL, form TEXT NOT NULL, mandatory INTEGER NOT NULL, stage INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending', attempts INTEGER NOT NULL DEFAULT 0, finished_at TEXT, error TEXT,
  PRIMARY KEY (run_id, name, position)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS traces (run_id TEXT NOT NULL, name TEXT NOT NULL, position INTEGER NOT NULL,
  rank INTEGER NOT NULL, trace TEXT NOT NULL, label TEXT NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY (run_id, name, position, rank)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS screens (run_id TEXT NOT NULL, name TEXT NOT NULL, label TEXT NOT NULL,
  response TEXT NOT NULL, finished_at TEXT NOT NULL, PRIMARY KEY (run_id, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS verdicts (run_id TEXT NOT NULL, name TEXT NOT NULL, verdict TEXT NOT NULL,
  reason TEXT NOT NULL, expected INTEGER NOT NULL, executed INTEGER NOT NULL, max_query_type TEXT,
  checked_at TEXT NOT NULL, PRIMARY KEY (run_id, name)) WITHOUT ROWID;
"""


_VERDICT = "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class StoreBusy(BuildError):
    """Another process works on the store."""


def run_id_of(names, stack_hash, provider, locale, seed):
    """16 hex digits that name a run; the order of the names makes no difference."""
    key = canonical([sorted(set(names)), stack_hash, provider, locale, seed])
    return hashlib.sha256(key).hexdigest()[:16]


class Store:
    """A store in one file; use it as a context manager. Raises StoreBusy while another process writes to it."""

    def __init__(self, path, readonly=False):
        self.path = Path(path)
        if readonly and not self.path.is_file():
            raise BuildError(f"{self.path}: no such store")
        self._lock = None if readonly else _locked(self.path)
        try:
            self._db = sqlite3.connect(self.path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(_SCHEMA)
        except sqlite3.DatabaseError as error:
            raise BuildError(f"{self.path}: is no run store ({error})") from error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Close the file and release the lock."""
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def open_run(self, names, *, stack_hash, provider, is_web, locale, seed, started_at, settings):
        """The id of the run for these names and this stack: a new one, or the one that was stopped."""
        run_id = run_id_of(names, stack_hash, provider, locale, seed)
        listed = json.dumps(sorted(set(names)), ensure_ascii=False)
        row = (run_id, stack_hash, provider, is_web, locale, seed, started_at, listed, canonical(settings).decode())
        self._db.execute("INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        return run_id

    def run(self, run_id):
        """A run's facts as a dict. Raises BuildError for an unknown run, naming those there are."""
        found = self._rows("SELECT * FROM runs WHERE run_id = ?", run_id)
        if not found:
            raise BuildError(f"{self.path}: has no run {run_id!r} (there are: {', '.join(self.runs()) or 'none'})")
        row = found[0]
        names, settings = json.loads(row["names"]), json.loads(row["settings"])
        return row | {"is_web": bool(row["is_web"]), "names": names, "settings": settings}

    def runs(self):
        """The ids of all runs, oldest first."""
        return [row["run_id"] for row in self._rows("SELECT run_id FROM runs ORDER BY started_at, run_id")]

    def plan(self, run_id, queries):
        """Enter the queries of a name; those already there stay as they are."""
        rows = [(run_id, q.name, q.position, q.type, q.text, q.form, q.mandatory, q.stage) for q in queries]
        self._write(f"INSERT OR IGNORE INTO queries (run_id, {_QUERY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def planned(self, run_id):
        """The names of a run whose queries are entered."""
        return {row["name"] for row in self._rows("SELECT DISTINCT name FROM queries WHERE run_id = ?", run_id)}

    def finish_silent(self, run_id, judged, finished_at):
        """Enter names with all their queries finished without a trace, and their verdicts, in one transaction.

        Args:
            judged: list of (queries of a name, Verdict).
        """
        rows = [
            (run_id, q.name, q.position, q.type, q.text, q.form, q.mandatory, q.stage, DONE, 1, finished_at)
            for queries, _ in judged
            for q in queries
        ]
        sql = f"INSERT INTO queries (run_id, {_QUERY}, state, attempts, finished_at) VALUES ({', '.join('?' * 11)})"
        with self._transaction():
            self._db.executemany(sql, rows)
            for queries, made in judged:
                self._db.execute(_VERDICT, _verdict_row(run_id, queries[0].name, made, finished_at))

    def begin(self, run_id, query):
        """Count an attempt, before it is made."""
        self._write(
            "UPDATE queries SET attempts = attempts + 1 WHERE run_id = ? AND name = ? AND position = ?",
            [(run_id, query.name, query.position)],
        )

    def finish(self, run_id, query, labelled, finished_at):
        """Close a query with its (Trace, Label) pairs, all or nothing."""
        key = (run_id, query.name, query.position)
        rows = [
            (*key, rank, json.dumps(trace.as_dict(), sort_keys=True), found.label, found.reason)
            for rank, (trace, found) in enumerate(labelled)
        ]
        with self._transaction():
            self._db.executemany("INSERT INTO traces VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            self._state(key, DONE, finished_at, None)

    def fail(self, run_id, query, state, error, finished_at):
        """Note that a query was not answered: FAILED is tried again by the next run, UNAVAILABLE is not."""
        self._state((run_id, query.name, query.position), state, finished_at, error)

    def queries(self, run_id, name):
        """(Query, state, attempts) of a name's queries, in order."""
        rows = self._rows(
            f"SELECT {_QUERY}, state, attempts FROM queries WHERE run_id = ? AND name = ? ORDER BY position",
            run_id,
            name,
        )
        return [(_query(row), row["state"], row["attempts"]) for row in rows]

    def traces(self, run_id, name):
        """{position: [(Trace, Label), …]} of a name's finished queries, in the order of the results."""
        made = {}
        sql = "SELECT * FROM traces WHERE run_id = ? AND name = ? ORDER BY position, rank"
        for row in self._rows(sql, run_id, name):
            pair = (Trace(**json.loads(row["trace"])), Label(row["label"], row["reason"]))
            made.setdefault(row["position"], []).append(pair)
        return made

    def answers(self, run_id, name):
        """The name's queries as list of Answered, with the labels as they were stored."""
        found = self.traces(run_id, name)
        return [
            Answered(query, state, tuple(label for _, label in found.get(query.position, ())))
            for query, state, _ in self.queries(run_id, name)
        ]

    def screened(self, run_id, name):
        """The screen's label of a name, or None."""
        rows = self._rows("SELECT label FROM screens WHERE run_id = ? AND name = ?", run_id, name)
        return rows[0]["label"] if rows else None

    def screen(self, run_id, name, label, response, finished_at):
        """Keep the screen's answer on a name."""
        self._write(
            "INSERT OR REPLACE INTO screens VALUES (?, ?, ?, ?, ?)", [(run_id, name, label, response, finished_at)]
        )

    def judge(self, run_id, name, verdict, checked_at):
        """Keep the Verdict on a name, in place of an earlier one."""
        self._write(_VERDICT, [_verdict_row(run_id, name, verdict, checked_at)])

    def verdict_of(self, run_id, name):
        """The verdict on a name, or None."""
        rows = self._rows("SELECT verdict FROM verdicts WHERE run_id = ? AND name = ?", run_id, name)
        return rows[0]["verdict"] if rows else None

    def verdicts(self, run_id):
        """{name: {"verdict", "reason", "expected", "executed", "max_query_type", "checked_at"}}, by name."""
        rows = self._rows("SELECT * FROM verdicts WHERE run_id = ? ORDER BY name", run_id)
        return {row["name"]: {key: row[key] for key in row if key not in ("run_id", "name")} for row in rows}

    def _rows(self, sql, *values):
        cursor = self._db.execute(sql, values)
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor]

    def _state(self, key, state, finished_at, error):
        sql = "UPDATE queries SET state = ?, finished_at = ?, error = ? WHERE run_id = ? AND name = ? AND position = ?"
        self._db.execute(sql, (state, finished_at, error, *key))

    def _write(self, sql, rows):
        with self._transaction():
            self._db.executemany(sql, rows)

    def _transaction(self):
        return _Transaction(self._db)


class _Transaction:
    """BEGIN IMMEDIATE … COMMIT, or ROLLBACK on any error."""

    def __init__(self, db):
        self._db = db

    def __enter__(self):
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind, *_):
        self._db.execute("COMMIT" if kind is None else "ROLLBACK")


def _verdict_row(run_id, name, made, checked_at):
    return (run_id, name, made.verdict, made.reason, made.expected, made.executed, made.max_query_type, checked_at)


def _query(row):
    parts = {column: row[column] for column in _QUERY.split(", ")}
    return Query(**parts | {"mandatory": bool(row["mandatory"])})


def _locked(path):
    """A connection that holds the lock file; the system frees it when the process dies."""
    if not path.parent.is_dir():
        raise BuildError(f"{path}: the folder {path.parent} does not exist")
    lock = sqlite3.connect(f"{path}.lock", timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        raise StoreBusy(f"{path}: another process works on this store; wait for it or stop it") from error
    return lock
