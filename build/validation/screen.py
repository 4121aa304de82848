"""The screen: a model with web search is asked about a name, an adjudicator labels its reply (PUN, 4.2 and A.3).

Both are reached over any OpenAI-compatible endpoint. The screen is triage: only names labelled no_info go on to the
searches, and no label of it makes a name unknown.
"""

import json
import os

from build.errors import BuildError
from build.prompts import fill
from build.validation.providers import Refused, Transient
from build.validation.providers.http import fetch_json
from build.validation.stack import prompts

LABELS = ("fail", "found", "attractor", "similar", "no_info")
BASE_URL, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"


class Screen:
    """A screen and its adjudicator.

    Args:
        rules: whose settings for the screen apply.
        model, adjudicator: names of models as the endpoint knows them.
        extra: fields added to the screen's request, such as {"tools": [{"type": "web_search_preview"}]}.
        environ: where OPENAI_BASE_URL and OPENAI_API_KEY are read; a local endpoint may need no key.

    Raises Refused when there is no address.
    """

    def __init__(self, rules, model, adjudicator, *, extra=None, environ=os.environ, base_url=None, timeout=None):
        base = base_url or environ.get(BASE_URL)
        if not base:
            raise Refused(f"the screen needs the address of an endpoint: set {BASE_URL}", fatal=True)
        own = rules.settings("screen")
        self._url = base.rstrip("/") + "/chat/completions"
        self._headers = {"Authorization": f"Bearer {environ[KEY]}"} if environ.get(KEY) else {}
        self._timeout = timeout or own["timeout"]
        self._limit = rules.data["providers"]["body_bytes"]
        self._prompts = prompts()
        self._extra = extra or {}
        self.settings = {
            "model": model,
            "adjudicator": adjudicator,
            "temperature": own["temperature"],
            "extra": self._extra,
        }

    def ask(self, name):
        """(label, response) for a name; a response without text is a fail. Raises a provider's typed errors."""
        response = self._chat("screen", {"name": name}, self.settings["model"], self._extra)
        if not response.strip():
            return "fail", response
        reply = self._chat("adjudicate", {"name": name, "response": response}, self.settings["adjudicator"], {})
        return label_of(reply), response

    def _chat(self, stage, values, model, extra):
        prompt = self._prompts[stage]["variants"]["plain"]
        messages = [
            {"role": "system", "content": prompt["system"]},
            {"role": "user", "content": fill(prompt["user"], values)},
        ]
        body = {"model": model, "messages": messages, "temperature": self.settings["temperature"], **extra}
        answer = fetch_json(self._url, body=body, headers=self._headers, timeout=self._timeout, limit=self._limit)
        return content_of(answer)


def content_of(answer):
    """The text of a chat completion; of a refusal its wording. Raises Transient for an answer of another form."""
    try:
        message = answer["choices"][0]["message"]
        return str(message.get("content") or message.get("refusal") or "")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise Transient("the answer is no chat completion") from error


def label_of(reply):
    """The label in an adjudicator's reply; several are settled by the decision order, none or unknown ones fail."""
    text = reply.strip()
    if text.startswith("```"):
        text = text.strip("`").removeprefix("json").strip()
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return "fail"
    given = given.get("label") if isinstance(given, dict) else given
    return first_label(given if isinstance(given, list) else [given])


def first_label(labels):
    """The first of the labels in the paper's decision order; fail when any is unknown or there is none."""
    if not labels or any(label not in LABELS for label in labels):
        return "fail"
    return min(labels, key=LABELS.index)


def check_extra(text):
    """The extra fields from a JSON object given as text. Raises BuildError for anything else."""
    try:
        extra = json.loads(text or "{}")
    except ValueError as error:
        raise BuildError(f"the screen's extra fields are no JSON ({error})") from error
    if not isinstance(extra, dict):
        raise BuildError("the screen's extra fields must be one JSON object")
    return extra
