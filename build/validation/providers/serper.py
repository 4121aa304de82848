"""Google Search through Serper: POST JSON to /search with the key in X-API-KEY (PUN, appendix A.2)."""

import os

from build.validation.providers import SEARCH_TYPES, Refused, Transient
from build.validation.providers.http import fetch_json
from build.validation.traces import Trace

KEY = "SERPER_API_KEY"
BASE_URL = "SERPER_BASE_URL"


class Serper:
    """The provider `serper`.

    Args:
        rules: whose settings for serper apply.
        locale: such as "en-US": the interface language and the country of the search.
        environ: where SERPER_API_KEY and, if set, SERPER_BASE_URL are read.

    Raises Refused when there is no key.
    """

    name = "serper"
    is_web = True
    types = SEARCH_TYPES

    def __init__(self, rules, locale="en-US", environ=os.environ, base_url=None, timeout=None):
        own = rules.settings(self.name)
        self._key = environ.get(KEY)
        if not self._key:
            raise Refused(f"serper needs a key: set {KEY}", fatal=True)
        self._url = (base_url or environ.get(BASE_URL) or own["base_url"]).rstrip("/") + "/search"
        self._timeout = timeout or own["timeout"]
        self._limit = rules.data["providers"]["body_bytes"]
        self._corrections = own["corrections"]
        language, _, country = locale.partition("-")
        self._asked = {"hl": language.lower(), "gl": (country or "us").lower(), "num": own["results"]}
        self.settings = {"name": self.name, "locale": locale, **self._asked}

    def search(self, query):
        """The traces of one query."""
        body = {"q": query.text, **self._asked}
        answer = fetch_json(
            self._url, body=body, headers={"X-API-KEY": self._key}, timeout=self._timeout, limit=self._limit
        )
        return parse(answer, query, self._corrections)


def parse(answer, query, corrections):
    """The traces in an answer: a correction, a knowledge panel, the organic results.

    Raises Transient for an answer without searchParameters and organic, which is no answer of a search.
    """
    if "organic" not in answer and "searchParameters" not in answer:
        raise Transient("the answer holds no search results")
    same = {"query": query.text, "type": query.type, "provider": Serper.name}
    try:
        information = answer.get("searchInformation") or {}
        found = [information.get(field) for field in corrections]
        made = [Trace(**same, correction=str(text)) for text in found if text]
        panel = answer.get("knowledgeGraph")
        if panel:
            kept = {part: str(panel.get(part) or "") for part in ("title", "type", "description")}
            made.append(Trace(**same, panel=kept, url=str(panel.get("website") or "")))
        return made + [_organic(result, same) for result in answer.get("organic") or []]
    except (AttributeError, TypeError) as error:
        raise Transient("the answer is not in Serper's form") from error


def _organic(result, same):
    texts = {"title": result.get("title"), "snippet": result.get("snippet"), "url": result.get("link")}
    return Trace(**same, **{field: str(text or "") for field, text in texts.items()})
