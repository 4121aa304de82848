"""A loopback server that speaks the parts of the Hub's API which pushing and fetching a dataset use.

It keeps commits as {path: bytes}, takes Parquet and gzip as LFS objects by the basic transfer, and fails where it is
told to: `faults` maps a step (create, refs, validate, preupload, batch, upload, commit, tag, info, file) to a status,
to "drop" (the connection ends without an answer) or to "lost" (the step is done, but its answer is not sent).
"""

import base64
import hashlib
import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import yaml

WRITER, READER = "hf_writer", "hf_reader"
LFS = (".parquet", ".gz")
REPO = "(?P<repo>[^/]+/[^/]+)"
ROUTES = [
    ("POST", "/api/repos/create", "create"),
    ("POST", "/api/validate-yaml", "validate"),
    ("GET", f"/api/datasets/{REPO}/refs", "refs"),
    ("GET", f"/api/datasets/{REPO}(/revision/(?P<revision>[^/]+))?", "info"),
    ("GET", f"/api/datasets/{REPO}/tree/(?P<revision>[^/]+)", "tree"),
    ("POST", f"/api/datasets/{REPO}/preupload/(?P<revision>[^/]+)", "preupload"),
    ("POST", f"/datasets/{REPO}.git/info/lfs/objects/batch", "batch"),
    ("PUT", "/objects/(?P<oid>[0-9a-f]{64})", "upload"),
    ("POST", f"/api/datasets/{REPO}/commit/(?P<revision>[^/]+)", "commit"),
    ("POST", f"/api/datasets/{REPO}/tag/(?P<revision>[^/]+)", "tag"),
    ("GET", f"/datasets/{REPO}/resolve/(?P<revision>[^/]+)/(?P<path>.+)", "file"),
    ("HEAD", f"/datasets/{REPO}/resolve/(?P<revision>[^/]+)/(?P<path>.+)", "file"),
]
WRITES = {"create", "preupload", "batch", "commit", "tag"}


class Refused(Exception):
    """An answer that is an error: status and, where the Hub names one, its error code."""

    def __init__(self, status, code=None, body=None):
        super().__init__(status)
        self.status, self.code, self.body = status, code, json.dumps(body or {}).encode()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def blob_id(data):
    """Git's name of a blob."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


class Repo:
    """One dataset: its commits, the main branch's head, its tags."""

    def __init__(self, files):
        self.commits, self.tags, self.head = {}, {}, None
        self.commit(files)

    def commit(self, files):
        listing = "".join(f"{path} {sha256(data)}\n" for path, data in sorted(files.items()))
        self.head = hashlib.sha1(f"{self.head} {listing}".encode()).hexdigest()
        self.commits[self.head] = dict(files)
        return self.head

    def resolve(self, revision):
        """(commit, files) of a branch, tag or commit."""
        oid = {"main": self.head, **self.tags}.get(revision, revision)
        if oid not in self.commits:
            raise Refused(404, "RevisionNotFound")
        return oid, self.commits[oid]


class Hub(ThreadingHTTPServer):
    """The server and all that it keeps; `log` holds the steps in the order in which they were asked for."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.repos, self.objects, self.faults, self.log = {}, {}, {}, []

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def repo(self, name):
        if name not in self.repos:
            raise Refused(404, "RepoNotFound")
        return self.repos[name]

    def create(self, body, **_):
        request = json.loads(body)
        name = f"{request['organization']}/{request['name']}"
        if name in self.repos:
            raise Refused(409, body={"url": f"{self.address}/datasets/{name}"})
        self.repos[name] = Repo({".gitattributes": b"*.parquet filter=lfs\n"})
        return {"url": f"{self.address}/datasets/{name}"}

    def validate(self, body, **_):
        head = json.loads(body)["content"].split("---\n")[1]
        assert yaml.safe_load(head)["configs"]
        return {"errors": [], "warnings": []}

    def refs(self, repo, **_):
        found = self.repo(repo)
        tags = [{"name": k, "ref": f"refs/tags/{k}", "targetCommit": oid} for k, oid in found.tags.items()]
        branches = [{"name": "main", "ref": "refs/heads/main", "targetCommit": found.head}]
        return {"branches": branches, "converts": [], "tags": tags}

    def info(self, repo, revision=None, **_):
        oid, files = self.repo(repo).resolve(revision or "main")
        return {"id": repo, "sha": oid, "private": False, "siblings": [{"rfilename": path} for path in sorted(files)]}

    def tree(self, repo, revision, **_):
        return [self._entry(path, data) for path, data in sorted(self.repo(repo).resolve(revision)[1].items())]

    def _entry(self, path, data):
        found = {"type": "file", "path": path, "size": len(data), "oid": blob_id(data)}
        if path.endswith(LFS):
            found["lfs"] = {"oid": sha256(data), "size": len(data), "pointerSize": 130}
        return found

    def preupload(self, body, repo, revision, **_):
        files = self.repo(repo).resolve(revision)[1]
        answers = []
        for asked in json.loads(body)["files"]:
            lfs, known = asked["path"].endswith(LFS), files.get(asked["path"])
            answer = {"path": asked["path"], "uploadMode": "lfs" if lfs else "regular", "shouldIgnore": False}
            answers.append(answer | ({"oid": (sha256 if lfs else blob_id)(known)} if known is not None else {}))
        return {"files": answers}

    def batch(self, body, **_):
        objects = []
        for asked in json.loads(body)["objects"]:
            href = {"upload": {"href": f"{self.address}/objects/{asked['oid']}"}}
            objects.append(asked | ({} if asked["oid"] in self.objects else {"actions": href}))
        return {"transfer": "basic", "objects": objects}

    def upload(self, body, oid, **_):
        if sha256(body) != oid:
            raise Refused(400)
        self.objects[oid] = body
        return {}

    def commit(self, body, repo, revision, **_):
        found = self.repo(repo)
        oid, files = found.resolve(revision)
        header, *operations = (json.loads(line) for line in body.splitlines())
        if header["value"].get("parentCommit", oid) != oid:
            raise Refused(412)
        files = dict(files)
        for operation in operations:
            value = operation["value"]
            if operation["key"] == "deletedFile":
                del files[value["path"]]
            elif operation["key"] == "lfsFile":
                files[value["path"]] = self.objects[value["oid"]]
            else:
                files[value["path"]] = base64.b64decode(value["content"])
        made = found.commit(files)
        return {"commitOid": made, "commitUrl": f"{self.address}/datasets/{repo}/commit/{made}"}

    def tag(self, body, repo, revision, **_):
        found = self.repo(repo)
        name = json.loads(body)["tag"]
        if name in found.tags:
            raise Refused(409)
        found.tags[name] = found.resolve(revision)[0]
        return {}


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        """Keep the tests' output clean."""

    def _serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = urlsplit(self.path).path
        for method, pattern, step in ROUTES:
            found = re.fullmatch(pattern, path)
            if found and method == self.command:
                self.server.log.append(step)
                given = {key: unquote(value) for key, value in found.groupdict().items() if value}
                return self._step(step, body, given)
        return self._answer(404, b"{}")

    do_GET = do_HEAD = do_POST = do_PUT = _serve

    def _step(self, step, body, given):
        fault = self.server.faults.get(step)
        try:
            self._check_token(step)
            if isinstance(fault, int):
                raise Refused(fault)
            if fault == "drop":
                return self._hang_up()
            if step == "file":
                return self._file(**given)
            answer = getattr(self.server, step)(body=body, **given)
        except Refused as error:
            return self._answer(error.status, error.body, {"X-Error-Code": error.code} if error.code else {})
        return self._hang_up() if fault == "lost" else self._answer(200, json.dumps(answer).encode())

    def _check_token(self, step):
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        if step in WRITES and token != WRITER:
            raise Refused(403 if token == READER else 401)

    def _hang_up(self):
        self.close_connection = True
        self.connection.close()

    def _file(self, repo, revision, path):
        oid, files = self.server.repo(repo).resolve(revision)
        if path not in files:
            raise Refused(404, "EntryNotFound")
        data = files[path]
        etag = sha256(data) if path.endswith(LFS) else blob_id(data)
        self._answer(200, data, {"ETag": f'"{etag}"', "X-Repo-Commit": oid})

    def _answer(self, status, data, headers=None):
        self.send_response(status)
        for key, value in {"Content-Type": "application/json", "Content-Length": len(data), **(headers or {})}.items():
            self.send_header(key, str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


@contextmanager
def running():
    """A Hub that serves until the block ends."""
    server = Hub()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
