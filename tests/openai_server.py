"""A loopback server that speaks the parts of the OpenAI API which the tests use: chat, files, batches.

It answers a recognise prompt with every capitalised word but the first as a PERSON, in the manner that its
`mode` asks for, so that refusals, errors and fenced answers come back as a real endpoint's would.
"""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer_of(messages):
    """The content that the server's "model" gives for a request's messages."""
    text = messages[-1]["content"].split("\n", 1)[1]
    found = re.findall(r"(?<=[a-z,] )[A-Z]\w+", text)
    return json.dumps({"entities": [{"text": word, "type": "PERSON"} for word in found]})


def message_of(number, messages):
    """The message for the request of a number: plain, fenced, refused or empty in turn."""
    content, refusal = answer_of(messages), None
    if number % 10 == 1:
        content = f"```json\n{content}\n```"
    if number % 10 == 2:
        content, refusal = None, "I can't help with that."
    if number % 10 == 3:
        content = ""
    if number % 10 == 4:
        content = "Sure! Here you go: nothing."
    return {"role": "assistant", "content": content, "refusal": refusal}


def completion(model, message):
    """A chat completion object."""
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": model, "choices": [choice]}


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        """Keep the tests' output clean."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/v1/files":
            self.server.files["in"] = re.search(rb'\r\n\r\n(\{"custom_id.*?\n)\r?\n?--', body, re.DOTALL)[1]
            self._send({"id": "in", "object": "file", "bytes": 1, "created_at": 0, "filename": "f", "purpose": "batch"})
        elif self.path == "/v1/batches":
            self.server.run_batch(self.server.files["in"])
            self._send(self._batch())
        else:
            request = json.loads(body)
            self._send(completion(request["model"], self.server.message(0, request["messages"])))

    def do_GET(self):
        if self.path.startswith("/v1/batches"):
            self._send(self._batch())
        else:
            self._send_bytes(self.server.files["out"])

    def _batch(self):
        return {
            "id": "b",
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "input_file_id": "in",
            "completion_window": "24h",
            "status": "completed",
            "output_file_id": "out",
            "created_at": 0,
        }

    def _send(self, value):
        self._send_bytes(json.dumps(value).encode())

    def _send_bytes(self, data):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Server(ThreadingHTTPServer):
    """The server on a free loopback port; use it as a context manager.

    `message` makes the answer to a request of a number with its messages; by default that of a recogniser.
    """

    def __init__(self, message=message_of):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files = {}
        self.message = message

    @property
    def url(self):
        """The base address for a client."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def run_batch(self, data):
        """Answer every line of an input file; one in ten fails, as requests do."""
        lines = []
        for number, line in enumerate(data.decode().splitlines()):
            request = json.loads(line)
            made = {"id": f"r{number}", "custom_id": request["custom_id"], "response": None, "error": None}
            if number % 10 == 5:
                made["error"] = {"code": "server_error", "message": "overloaded"}
            else:
                message = self.message(number, request["body"]["messages"])
                body = completion(request["body"]["model"], message)
                made["response"] = {"status_code": 200, "request_id": "q", "body": body}
            lines.append(json.dumps(made))
        self.files["out"] = ("\n".join(lines) + "\n").encode()

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()
