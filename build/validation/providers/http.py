"""HTTP with the standard library: one request, its faults as the providers' typed errors."""

import email.utils
import http.client
import json
import time
import urllib.error
import urllib.request

from build.validation.providers import RateLimited, Refused, Transient

AGENT = "nymbench-validation/1"
_BLOCK = 65536


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An API that redirects would be sent the key elsewhere, so a redirect is a fault."""

    def redirect_request(self, *_):
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def fetch(url, *, body=None, headers=(), timeout, limit, cut=False, clock=time.time):
    """(bytes, headers) of a GET, or of a POST of a JSON body.

    Args:
        timeout: seconds for the whole answer.
        limit: bytes of the longest answer taken; a longer one is a fault, or with `cut` its start is enough.
        clock: seconds since the epoch, for Retry-After dates.

    Raises RateLimited for 429 (and 503 with Retry-After), Transient for other server errors, timeouts and broken
    answers, Refused for other statuses (with `location` for a redirect), fatal for 401 and 403.
    """
    sent = {"User-Agent": AGENT, **dict(headers)}
    data = None
    if body is not None:
        data = json.dumps(body, ensure_ascii=False).encode("utf-8")
        sent["Content-Type"] = "application/json"
    try:
        request = urllib.request.Request(url, data=data, headers=sent)
        with _OPENER.open(request, timeout=timeout) as answer:
            return _read(answer, timeout, limit, cut), answer.headers
    except urllib.error.HTTPError as error:
        with error:
            raise _fault(error, clock) from error
    except (OSError, http.client.HTTPException) as error:
        raise Transient(f"no whole answer ({type(error).__name__})") from error
    except ValueError as error:
        raise Refused(f"the address cannot be asked ({type(error).__name__})") from error


def fetch_json(url, **options):
    """The JSON object of an answer. Raises as fetch does, and Transient for anything but a JSON object."""
    data, _ = fetch(url, **options)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Transient("the answer is no JSON") from error
    if not isinstance(value, dict):
        raise Transient("the answer is no JSON object")
    return without_surrogates(value)


def without_surrogates(value):
    """The same JSON value with a question mark for every lone surrogate, which no file or request can hold."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def _read(answer, timeout, limit, cut):
    """The whole body; a body that drips past the timeout, ends early or is too long is a fault."""
    end = time.monotonic() + timeout
    parts, size = [], 0
    while block := answer.read1(_BLOCK):
        parts.append(block)
        size += len(block)
        if size > limit and cut:
            return b"".join(parts)[:limit]
        if size > limit:
            raise Transient(f"the answer is longer than {limit} bytes")
        if time.monotonic() > end:
            raise Transient("the answer took longer than its time")
    length = answer.headers.get("Content-Length")
    if length and length.isdigit() and size < int(length):
        raise Transient("the answer ends early")
    return b"".join(parts)


def _fault(error, clock):
    status = error.code
    wait = retry_after(error.headers.get("Retry-After"), clock)
    if status == 429 or (status == 503 and wait is not None):
        return RateLimited(f"status {status}", wait)
    if status >= 500 or status == 408:
        return Transient(f"status {status}")
    refused = Refused(f"status {status}", fatal=status in (401, 403))
    refused.location = error.headers.get("Location")
    return refused


def retry_after(value, clock):
    """Seconds of a Retry-After header, which is a number or a date; None when absent or unreadable."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - clock())
    except (ValueError, TypeError):
        return None
