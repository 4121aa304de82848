"""Page content of top results: evidence beyond snippets (PUN, table 7, page_content).

Only public web pages are read: http and https, addresses of the public Internet at every redirect, text and HTML,
bounded in time and bytes. Of a page only the places around a form of the name are kept.
"""

import html
import ipaddress
import re
import socket
from urllib.parse import quote, urljoin

from build.validation import forms
from build.validation.providers import ProviderError, Refused, Transient
from build.validation.providers.http import fetch
from build.validation.rules import words
from build.validation.traces import Trace, split_url

_INLINE = frozenset(("a", "abbr", "b", "bdi", "em", "font", "i", "mark", "small", "span", "strong", "sub", "sup", "u"))
_HIDDEN = frozenset(("script", "style", "noscript", "template"))
_TAG = re.compile(r"(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_COMMENT_END = "-->"
_NO_CHARSETS = ("idna", "punycode")
_SAFE = "%/:=&?~#+!$,;'@()*[]"
_TEXTS = ("text/html", "application/xhtml+xml", "text/plain")


class Pages:
    """Reads the pages of traces. `allow_private` lets tests and intranets read private addresses."""

    def __init__(self, rules, timeout=None, allow_private=False):
        self._rules = rules
        self._own = rules.settings("pages")
        self._timeout = timeout or self._own["timeout"]
        self._allow_private = allow_private
        self.settings = {"pages": rules.data["queries"]["page_content"]["pages"]}

    def search(self, query, named, found):
        """A trace for each page of the first traces in `found` that have an address.

        A page that cannot be read has content None. Raises Transient when every page failed in a way that may pass.
        """
        urls = list(dict.fromkeys(trace.url for trace in found if trace.url and trace.panel is None))
        made, passing = [], 0
        for url in urls[: self.settings["pages"]]:
            try:
                content = excerpt(self.read(url), named, self._rules)
            except Transient:
                content, passing = None, passing + 1
            except ProviderError:
                content = None
            made.append(Trace(query=query.text, type=query.type, provider="pages", url=url, content=content))
        if made and passing == len(made):
            raise Transient("none of the pages answered")
        return made

    def read(self, url):
        """The text of a page. Raises Transient, or Refused for a page that is not text or not public."""
        for _ in range(self._own["redirects"] + 1):
            if split_url(url).scheme not in ("http", "https") or not (self._allow_private or is_public(url)):
                raise Refused("not a public web page")
            try:
                address = quote(url, safe=_SAFE)
                data, headers = fetch(address, timeout=self._timeout, limit=self._own["bytes"], cut=True)
                return page_text(data, headers.get_content_type(), headers.get_content_charset())
            except Refused as error:
                if not error.location:
                    raise
                url = _joined_url(url, error.location)
            except UnicodeError as error:
                raise Refused("the address cannot be asked") from error
        raise Refused("too many redirects")


def _joined_url(url, location):
    try:
        return urljoin(url, location)
    except ValueError as error:
        raise Refused("redirected to what is no address") from error


def is_public(url):
    """Whether every address of the URL's host is one of the public Internet. Raises Transient when it has none."""
    try:
        host = split_url(url).hostname or ""
        found = {entry[4][0] for entry in socket.getaddrinfo(host, None)}
    except (OSError, ValueError) as error:
        raise Transient("the host has no address") from error
    return all(ipaddress.ip_address(address.partition("%")[0]).is_global for address in found)


def page_text(data, content_type, charset=None):
    """The readable text of a page's bytes. Raises Refused for other types than text and HTML."""
    if content_type not in _TEXTS:
        raise Refused(f"{content_type} is not read")
    try:
        text = data.decode("utf-8" if charset in (None, *_NO_CHARSETS) else charset, "replace")
    except (LookupError, ValueError):
        text = data.decode("utf-8", "replace")
    if content_type == "text/plain":
        return text
    return html_text(text)


def html_text(text):
    """The text of HTML in one pass, whatever the page holds: comments, scripts and styles left out, tags parting words.

    A pass of our own, because the standard parser takes quadratic time on some hostile pages and fails on others.
    """
    first, *pieces = text.split("<")
    parts, until = [first], None
    for piece in pieces:
        until, shown = _shown(piece, until)
        parts.append(shown)
    return html.unescape("".join(parts))


def _shown(piece, until):
    """(what hides the text from here on or None, the text to show) of what follows one "<"."""
    if until == _COMMENT_END or (until is None and piece.startswith("!--")):
        _, closed, rest = piece.partition(_COMMENT_END)
        return (None, f" {rest}") if closed else (_COMMENT_END, "")
    tag, _, rest = piece.partition(">")
    found = _TAG.match(tag)
    name = found[2].lower() if found else ""
    if until is not None:
        return (None, f" {rest}") if found and found[1] and name == until else (until, "")
    if name in _HIDDEN and not found[1]:
        return name, ""
    if not found and not tag.startswith(("!", "?")):
        return None, f"<{piece}"
    return None, rest if name in _INLINE else f" {rest}"


def excerpt(text, named, rules):
    """The places of a text around forms of the name, wide enough that labels do not change; exact forms first."""
    pieces = text.split()
    flat = [(word, at) for at, piece in enumerate(pieces) for word in words(piece)]
    found = forms.occurrences([word for word, _ in flat], named, rules.data["labels"])
    width = rules.data["labels"]["context_words"] + len(named.exact) + rules.data["labels"]["words_between"]
    kept, size = set(), 0
    for _, place in sorted(found, key=lambda entry: (entry[0] not in forms.EVIDENCE, entry[1])):
        first, last = flat[max(0, place - width)][1], flat[min(len(flat) - 1, place + width)][1]
        new = [at for at in range(first, last + 1) if at not in kept]
        size += sum(len(pieces[at]) + 1 for at in new)
        if size > rules.settings("pages")["excerpt_characters"] and kept:
            break
        kept.update(new)
    return _joined(pieces, sorted(kept))


def _joined(pieces, kept):
    """The kept pieces in order, with an ellipsis where some were left out."""
    made = []
    for before, at in zip([None, *kept], kept, strict=False):
        if before is not None and at != before + 1:
            made.append("…")
        made.append(pieces[at])
    return " ".join(made)
