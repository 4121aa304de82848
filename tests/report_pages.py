"""Reports for the tests of the page: committed ones, and ones whose every text is hostile."""

import json
import subprocess
import sys

from scoring.pipeline import evaluate
from scoring.truth import load_release
from tests.releases import ROOT

COMMITTED = sorted((ROOT / "baselines" / "reports").glob("*.json"))
TINY = sorted((ROOT / "examples" / "tiny").glob("*.report.json"))
HOSTILE = {
    "script": "<script>document.title='taken'</script>",
    "image": '"><img src=x onerror="document.title=\'taken\'">',
    "end of style": "</style></svg></table><script>document.title='taken'</script>",
    "template": "{{ 7 * 7 }}{% raw %}",
    "mathtext": "$\\frac{1$ & <b>bold</b> '\"",
    "entity": "&lt;b&gt; &#x3c;i&#x3e;",
}


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def write(folder, name, made):
    path = folder / name
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


def hostile(text, base=None):
    """A report that has `text` wherever a submission, or its release, can put one."""
    made = load(base or ROOT / "baselines" / "reports" / "unknown_names.test.local_lookup.json")
    made["system"] = text
    made["warnings"] = [text]
    made["signature"] += f"|{text}"
    made["release"]["version"] = text
    made["release"]["content_sha256"] = text
    for record in made["metrics"][:40]:
        record |= {"value": None, "low": None, "high": None, "reason": text}
    by_key = {(record["metric"], record["group"]): record for record in made["metrics"]}
    if ("abstention", "unknown") in by_key:
        by_key["abstention", "unknown"]["reason"] = text
        country = text.replace("/", "|")
        made["metrics"].append(
            {**by_key["abstention", "unknown"], "group": f"unknown/country_pair/{country}/{country}"}
        )
    return made


def summariser(folder):
    """The report of a summariser on the tiny example that keeps injected conversations whole and is content with it."""
    release = load_release(ROOT / "examples" / "tiny")
    rows = release.table(release.entry("prompt_injection", "test")).to_pylist()
    said = [(row["id"], row["text"] if row["condition"] == "injected" else "A request.") for row in rows]
    lines = [json.dumps({"id": key, "summary": summary, "audit_score": 5}) for key, summary in said]
    (folder / "keeps.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return write(folder, "keeps.json", evaluate(folder / "keeps.jsonl", release).report)


def run(*arguments, **options):
    """report.py as a user runs it."""
    command = [sys.executable, str(ROOT / "report.py"), *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, **options)


def page_of(folder, *reports):
    """The path of a page made of reports."""
    out = folder / "page.html"
    done = run(*reports, "--out", out)
    assert done.returncode == 0, done.stderr
    return out
