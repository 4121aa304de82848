"""A small copy of the project under git, with ten rows per config, for the tests of publishing."""

import json
import os
import shutil
import subprocess

from build.publishing import pages
from tests.releases import ROOT

TINY = ROOT / "examples" / "tiny"
CODE = ("build", "scoring", "score.py", "reporting", "report.py")
TEXTS = ("CITATION.cff", "DATASET_CARD.md", "LICENSE", "METRICS.md", "RESULTS.md", "pyproject.toml")
NEEDS = ("requirements.txt", "requirements-report.txt", ".gitignore")
FOLDERS = ("prompts", "references", "schemas", "examples/tiny")
OTHERS = ("data/lexicons/WORDNET-LICENSE", "data/lexicons/provenance.json")


def make(folder):
    """Write the project into a new folder and commit it. Returns the folder."""
    for name in (*CODE, *TEXTS, *NEEDS, *FOLDERS, *OTHERS):
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, target)
    manifest = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
    manifest |= {"lexicons": [], "files": json.loads((TINY / "manifest.json").read_text(encoding="utf-8"))["files"]}
    for entry in manifest["files"]:
        (folder / entry["path"]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(TINY / entry["path"], folder / entry["path"])
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    pages.write(folder)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    commit(folder)
    return folder


def git(folder, *words):
    """Run git in a folder, as nobody in particular."""
    who = {f"GIT_{role}_{part}": "t@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    subprocess.run(["git", *words], cwd=folder, check=True, env=os.environ | who, capture_output=True)


def commit(folder):
    """Commit all that a folder holds."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "All")
