"""A loopback server that speaks Serper's and SearXNG's JSON, serves pages and chats, and can misbehave.

`results` maps a query's text to its answer ({"organic", "panel", "correction"}); any other query finds nothing.
`faults` are consumed one a request:
"500", "429", "429-long", "400", "401", "hang", "drip", "truncated", "invalid", "list".
`asked` counts the requests of a query's text that were answered or failed on purpose.
"""

import json
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

STATUS = {"500": 500, "429": 429, "429-long": 429, "400": 400, "401": 401}
RETRY_AFTER = {"429": "7", "429-long": "100000"}


def serper(query, found):
    """Serper's answer to a query."""
    answer = {"searchParameters": {"q": query, "type": "search", "engine": "google"}, "organic": [], "credits": 1}
    for place, (title, snippet, link) in enumerate(found.get("organic", []), 1):
        answer["organic"].append({"title": title, "link": link, "snippet": snippet, "position": place})
    if "panel" in found:
        answer["knowledgeGraph"] = found["panel"]
    if "correction" in found:
        answer["searchInformation"] = {"originalQuery": query, "showingResultsFor": found["correction"]}
    return answer


def searxng(query, found):
    """SearXNG's answer to a query."""
    results = [{"title": t, "content": s, "url": u, "engine": "e"} for t, s, u in found.get("organic", [])]
    panel = found.get("panel")
    return {
        "query": query,
        "number_of_results": 0,
        "results": results,
        "answers": [],
        "corrections": [found["correction"]] if "correction" in found else [],
        "infoboxes": [{"infobox": panel["title"], "content": panel.get("description", "")}] if panel else [],
        "suggestions": [],
        "unresponsive_engines": found.get("unresponsive", []),
    }


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        """Keep the tests' output clean."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/chat/completions":
            self._answer(body["messages"][-1]["content"], self.server.chat(body))
        else:
            self.server.seen.append((dict(self.headers), body))
            self._answer(body["q"], serper(body["q"], self.server.results.get(body["q"], {})))

    def do_GET(self):
        parts = urlsplit(self.path)
        if parts.path == "/search":
            asked = {key: values[0] for key, values in parse_qs(parts.query).items()}
            self.server.seen.append((dict(self.headers), asked))
            self._answer(asked["q"], searxng(asked["q"], self.server.results.get(asked["q"], {})))
        else:
            self._page(parts.path)

    def _page(self, path):
        self.server.asked[path] += 1
        status, content_type, body, location = self.server.pages.get(path, (404, "text/html", "", None))
        headers = {"Content-Type": content_type, **({"Location": location} if location else {})}
        self._send(status, body.encode("utf-8"), headers)

    def _answer(self, text, value):
        time.sleep(self.server.delay)
        with self.server.guard:
            self.server.asked[text] += 1
            fault = self.server.faults.pop(0) if self.server.faults else None
        data = json.dumps(value).encode("utf-8")
        if fault == "hang":
            self.server.released.wait(5)
        elif fault == "drip":
            self._send(200, b"", {}, length=len(data))
            self._drip(data)
        elif fault in STATUS:
            wait = {"Retry-After": RETRY_AFTER[fault]} if fault in RETRY_AFTER else {}
            self._send(STATUS[fault], b"{}", wait)
        elif fault == "truncated":
            self._send(200, data[:-5], {}, length=len(data))
        else:
            self._send(200, {"invalid": b"<html>busy</html>", "list": b"[]"}.get(fault, data), {})

    def _drip(self, data):
        """A byte at a time, each before a socket's timeout."""
        try:
            for at in range(len(data)):
                self.wfile.write(data[at : at + 1])
                if self.server.released.wait(0.05):
                    return
        except OSError:
            self.close_connection = True

    def _send(self, status, data, headers, length=None):
        try:
            self.send_response(status)
            for key, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(data) if length is None else length))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            self.close_connection = True


class SearchServer(ThreadingHTTPServer):
    """The server on a free loopback port; use it as a context manager."""

    daemon_threads = True

    def __init__(self, results=None, delay=0.0):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.results = results or {}
        self.delay = delay
        self.faults, self.pages, self.seen = [], {}, []
        self.asked = Counter()
        self.guard = threading.Lock()
        self.released = threading.Event()
        self.replies = {}

    @property
    def url(self):
        """The base address."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def chat(self, body):
        """A chat completion whose content `replies` gives by the request's model."""
        message = {"role": "assistant", "content": self.replies[body["model"]]}
        return {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}

    def handle_error(self, *_):
        """A client that went away is what some tests do."""

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.released.set()
        self.shutdown()
        self.server_close()
