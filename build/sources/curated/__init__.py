"""Hand-reviewed lists, and the agreement of their two readings.

`<list>.jsonl` holds the entries; `<list>.reading.jsonl` a second reader's answers, given without sight of
the entries' details and with decoys mixed in. An entry that the two disagree on is dropped.
"""

import json
import re
from pathlib import Path

from build.fold import fold

HERE = Path(__file__).parent
_WORD = re.compile(r"[a-z]{3,}")


def lines(name):
    """The objects of one JSONL file of this folder."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def widely_known():
    """Folded names and words that call one public person or event to mind, or hurt; no row shall show them."""
    return json.loads((HERE / "widely_known.json").read_text(encoding="utf-8"))


def agreed(name):
    """Entries of a list that the second reader confirms, and the record of both readings.

    Args:
        name: "companies" or "eponyms".

    Returns:
        list of entries sorted by their text, and a dict of counts.
    """
    entries = lines(f"{name}.jsonl")
    answers = {answer["key"]: answer for answer in lines(f"{name}.reading.jsonl")}
    confirms = {"companies": _confirms_company, "eponyms": _confirms_pair}[name]
    key = {"companies": _company_key, "eponyms": _pair_key}[name]
    kept = [entry for entry in entries if confirms(entry, answers[key(entry)])]
    real = {key(entry) for entry in entries}
    decoys = [answer for answer_key, answer in answers.items() if answer_key not in real]
    record = {
        "entries": len(entries),
        "confirmed": len(kept),
        "agreement": round(len(kept) / len(entries), 4),
        "decoys": len(decoys),
        "decoys_taken_for_real": sum(answer["answer"] is True for answer in decoys),
    }
    return sorted(kept, key=key), record


def _company_key(entry):
    return entry["name"]


def _pair_key(entry):
    return f"{entry['first']}-{entry['second']}"


def _confirms_company(entry, answer):
    """Both say that it is named after a person, and their persons share a name of three letters or more."""
    if answer["answer"] is not True:
        return False
    mine, theirs = (set(_WORD.findall(fold(text))) for text in (entry["eponym"], answer["detail"]))
    return bool(mine & theirs)


def _confirms_pair(entry, answer):
    return answer["answer"] is True


def verified_share(rows):
    """Share of the rows that some source package holds, for the manifest."""
    verified = sum(bool(row["verified_in"]) for row in rows)
    return {"verified": verified, "verified_share": round(verified / len(rows), 4) if rows else None}
