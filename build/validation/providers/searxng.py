"""A SearXNG instance: GET /search?format=json, which the instance must allow in its settings."""

import os
from urllib.parse import urlencode

from build.validation.providers import SEARCH_TYPES, Refused, Transient
from build.validation.providers.http import fetch_json
from build.validation.traces import Trace

BASE_URL = "SEARXNG_URL"


class Searxng:
    """The provider `searxng`; arguments as for Serper. Raises Refused when SEARXNG_URL is not set."""

    name = "searxng"
    is_web = True
    types = SEARCH_TYPES

    def __init__(self, rules, locale="en-US", environ=os.environ, base_url=None, timeout=None):
        own = rules.settings(self.name)
        base = base_url or environ.get(BASE_URL)
        if not base:
            raise Refused(f"searxng needs the address of an instance: set {BASE_URL}", fatal=True)
        self._url = base.rstrip("/") + "/search"
        self._timeout = timeout or own["timeout"]
        self._limit = rules.data["providers"]["body_bytes"]
        self._results = own["results"]
        self._asked = {"language": locale, "safesearch": own["safesearch"], "categories": own["categories"]}
        self.settings = {"name": self.name, "locale": locale, **self._asked}

    def search(self, query):
        """The traces of one query."""
        asked = urlencode({"q": query.text, "format": "json", **self._asked})
        answer = fetch_json(f"{self._url}?{asked}", timeout=self._timeout, limit=self._limit)
        return parse(answer, query, self._results)


def parse(answer, query, results):
    """The traces in an answer: corrections, infoboxes as panels, the first results.

    Raises Transient when there is no list of results, or when nothing was found while engines did not respond:
    silence of an engine is no evidence of absence.
    """
    if not isinstance(answer.get("results"), list):
        raise Transient("the answer holds no search results")
    same = {"query": query.text, "type": query.type, "provider": Searxng.name}
    try:
        made = [Trace(**same, correction=str(text)) for text in answer.get("corrections") or []]
        for box in answer.get("infoboxes") or []:
            kept = {"title": str(box.get("infobox") or ""), "type": "", "description": str(box.get("content") or "")}
            made.append(Trace(**same, panel=kept, url=str(box.get("id") or "")))
        made += [_result(result, same) for result in answer["results"][:results]]
    except (AttributeError, TypeError) as error:
        raise Transient("the answer is not in SearXNG's form") from error
    if not made and answer.get("unresponsive_engines"):
        raise Transient("no engine of the instance responded")
    return made


def _result(result, same):
    texts = {"title": result.get("title"), "snippet": result.get("content"), "url": result.get("url")}
    return Trace(**same, **{field: str(text or "") for field, text in texts.items()})
