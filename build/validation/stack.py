"""The validation stack hash: equal hashes mean equal rules, settings, prompts and code version (PUN, appendix A.5)."""

import hashlib
import json
from pathlib import Path

CODE_VERSION = 1
PROMPTS = Path(__file__).resolve().parents[2] / "prompts"
STAGES = ("screen", "adjudicate")
NOT_VALIDATING = ("policies",)


def canonical(value):
    """Bytes of a value as JSON with sorted keys, compact, UTF-8."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def prompts(folder=PROMPTS):
    """The screen's and the adjudicator's prompt files, by stage."""
    return {
        stage: json.loads((Path(folder) / f"unknown_names.{stage}.json").read_text(encoding="utf-8"))
        for stage in STAGES
    }


def provider_settings(provider, pages=None):
    """What the hash takes of a provider and of the reader of its pages."""
    return {**provider.settings, "pages": pages.settings if pages else None}


def validation_stack_hash(rules, provider, *, screen=None, prompt_files=None, code=CODE_VERSION):
    """SHA-256, in hex, over the canonical JSON of everything that decides a verdict.

    Args:
        rules: build.validation.rules.Rules; its data but the ablations' policies counts.
        provider: the provider's public settings (name, locale …), never a key.
        screen: the screen's public settings, None without a screen.
        prompt_files: by stage; by default those of this project.
    """
    stack = {
        "code": code,
        "rules": {stem: data for stem, data in rules.data.items() if stem not in NOT_VALIDATING},
        "canary": rules.canary,
        "provider": provider,
        "screen": screen,
        "prompts": prompts() if prompt_files is None else prompt_files,
    }
    return hashlib.sha256(canonical(stack)).hexdigest()
