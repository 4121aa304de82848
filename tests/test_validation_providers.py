"""Providers, pages and the screen over real sockets: what a service can do wrong, and what each fault becomes."""

import json
import time

import pytest

from build.errors import BuildError
from build.validation import forms, pages, retry, rules, screen
from build.validation.providers import (
    NotRecorded,
    RateLimited,
    Refused,
    Transient,
    http,
    local,
    replay,
    searxng,
    serper,
)
from build.validation.providers.searxng import Searxng
from build.validation.providers.serper import Serper
from build.validation.queries import inventory
from build.validation.traces import AMBIGUITY, EXACT_PERSON, UNRELATED, Trace, label
from tests.search_server import SearchServer

RULES = rules.load()
NAME = "Leora Vandeskel"
NAMED = forms.profile(NAME, RULES)
EXACT, UNQUOTED = inventory(NAME, RULES)[:2]
PAGE = inventory(NAME, RULES)[-1]
FOUND = {
    "organic": [("Leora Vandeskel, professor", "Born in 1970.", "https://news.example/a")],
    "panel": {"title": "Leora Vandeskel", "type": "Actress", "description": "American actress"},
    "correction": "Liora Vandeskel",
}


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    """Loopback is never asked through a proxy that the environment may name."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def server():
    with SearchServer() as made:
        yield made


def make(kind, server, timeout=5):
    environ = {"SERPER_API_KEY": "secret", "SERPER_BASE_URL": server.url, "SEARXNG_URL": server.url + "/"}
    return {"serper": Serper, "searxng": Searxng}[kind](RULES, locale="de-AT", environ=environ, timeout=timeout)


@pytest.mark.parametrize("kind", ["serper", "searxng"])
def test_an_answer_becomes_traces(server, kind):
    server.results[EXACT.text] = FOUND
    made = make(kind, server).search(EXACT)
    assert [label(trace, NAMED, RULES).label for trace in made] == [AMBIGUITY, EXACT_PERSON, EXACT_PERSON]
    assert {(trace.query, trace.type, trace.provider) for trace in made} == {(EXACT.text, "exact_quoted", kind)}
    assert make(kind, server).search(UNQUOTED) == []


def test_what_serper_is_sent(server):
    provider = make("serper", server)
    provider.search(EXACT)
    headers, body = server.seen[0]
    assert body == {"q": '"Leora Vandeskel"', "hl": "de", "gl": "at", "num": 10}
    assert {key.lower(): value for key, value in headers.items()}["x-api-key"] == "secret"
    assert "secret" not in json.dumps(provider.settings)


def test_what_searxng_is_sent(server):
    make("searxng", server).search(EXACT)
    asked = server.seen[0][1]
    assert (asked["q"], asked["format"], asked["language"]) == ('"Leora Vandeskel"', "json", "de-AT")


FAULTS = [
    ("500", Transient),
    ("429", RateLimited),
    ("400", Refused),
    ("401", Refused),
    ("truncated", Transient),
    ("invalid", Transient),
    ("list", Transient),
    ("hang", Transient),
    ("drip", Transient),
]


@pytest.mark.parametrize("kind", ["serper", "searxng"])
@pytest.mark.parametrize("fault, error", FAULTS)
def test_each_fault_is_a_typed_error(server, kind, fault, error):
    server.faults.append(fault)
    with pytest.raises(error) as caught:
        make(kind, server, timeout=0.3).search(EXACT)
    assert type(caught.value) is error and "secret" not in str(caught.value)
    assert getattr(caught.value, "retry_after", None) == (7.0 if fault == "429" else None)
    assert getattr(caught.value, "fatal", False) == (fault == "401")


def test_a_body_shorter_than_announced_is_no_answer(server):
    server.faults.append("truncated")
    with pytest.raises(Transient):
        http.fetch(f"{server.url}/search?q=x", timeout=5, limit=1000)


def test_nobody_at_home_is_transient():
    with SearchServer() as gone:
        provider = make("serper", gone)
    with pytest.raises(Transient):
        provider.search(EXACT)


def test_engines_that_did_not_respond_are_no_empty_answer(server):
    server.results[EXACT.text] = {"unresponsive": [["e", "timeout"]]}
    with pytest.raises(Transient, match="no engine"):
        make("searxng", server).search(EXACT)


@pytest.mark.parametrize("provider, variable", [(Serper, "SERPER_API_KEY"), (Searxng, "SEARXNG_URL")])
def test_a_missing_key_or_address_says_which_variable_to_set(provider, variable):
    with pytest.raises(BuildError, match=variable):
        provider(RULES, environ={})


@pytest.mark.parametrize(
    "value, expected",
    [
        (None, None),
        ("7", 7.0),
        (" 0 ", 0.0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0),
        ("Thu, 01 Jan 1970 00:00:01 GMT", 0.0),
        ("soon", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value, expected):
    assert http.retry_after(value, lambda: 100.0) == expected


RETRY = {"attempts": 4, "base": 1.0, "longest": 3.0, "longest_retry_after": 60.0}


def attempts(*errors):
    """(what call gives or raises, the sleeps) for an ask that raises the errors in turn and then answers."""
    left, slept = list(errors), []

    def ask():
        if left:
            raise left.pop(0)
        return "answer"

    try:
        return retry.call(ask, RETRY, (0, "unknown_names", "k"), slept.append), slept
    except Exception as error:
        return error, slept


def test_backoff_doubles_with_keyed_jitter_and_is_capped():
    made, slept = attempts(Transient("a"), Transient("b"), Transient("c"))
    assert made == "answer" and slept == attempts(Transient("a"), Transient("b"), Transient("c"))[1]
    assert all(low <= seconds <= high for seconds, (low, high) in zip(slept, [(0.5, 1), (1, 2), (1.5, 3)], strict=True))


def test_retry_after_is_honoured_and_a_too_long_one_is_not_waited_for():
    assert attempts(RateLimited("a", 40.0)) == ("answer", [40.0])
    made, slept = attempts(RateLimited("a", 61.0))
    assert isinstance(made, RateLimited) and slept == []


def test_attempts_run_out_and_refusals_are_not_repeated():
    made, slept = attempts(*[Transient("a")] * 4)
    assert isinstance(made, Transient) and len(slept) == 3
    made, slept = attempts(Refused("a"))
    assert isinstance(made, Refused) and slept == []


def test_the_pacer_keeps_calls_apart():
    now, slept = [0.0], []

    def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds

    pacer = retry.Pacer(4, lambda: now[0], sleep)
    pacer.wait()
    pacer.wait()
    now[0] += 0.1
    pacer.wait()
    now[0] += 5
    pacer.wait()
    assert slept == [pytest.approx(0.25), pytest.approx(0.15)]


class Index:
    """A person index of two persons."""

    persons = {"leora vandeskel", "jose nunez"}

    def contains(self, key):
        return key in self.persons

    def near(self, name):
        return ["Liora Vandeskel"] if name.startswith("Leora") else []


def test_the_local_provider_looks_names_up_in_any_order_and_without_accents():
    provider = local.Local(Index())
    accented = inventory("Núñez José", RULES)
    assert [label(t, forms.profile("Núñez José", RULES), RULES).label for t in provider.search(accented[0])] == [
        EXACT_PERSON
    ]
    assert [label(t, NAMED, RULES).label for t in provider.search(EXACT)] == [EXACT_PERSON]
    assert [label(t, NAMED, RULES).label for t in provider.search(UNQUOTED)] == [AMBIGUITY]
    near = forms.profile("Leora Vandeskal", RULES)
    variant = next(q for q in inventory("Leora Vandeskal", RULES) if q.form == NAME)
    assert [label(t, near, RULES).label for t in provider.search(variant)] == [AMBIGUITY]


def test_a_replay_answers_what_was_recorded_and_nothing_else(tmp_path):
    path = tmp_path / "traces.jsonl"
    kept = {"query": EXACT.text, "type": EXACT.type, "provider": "serper", "title": "x"}
    path.write_text(json.dumps({"name": NAME, "type": EXACT.type, "text": EXACT.text, "traces": [kept]}) + "\n\n")
    provider = replay.from_jsonl(path, is_web=True)
    assert [trace.title for trace in provider.search(EXACT)] == ["x"]
    with pytest.raises(NotRecorded):
        provider.search(UNQUOTED)
    odd = {"name": NAME, "type": "unquoted", "text": NAME, "traces": [{**kept, "title": 5}]}
    for wrong in ({"name": "x"}, {**odd, "traces": [{}]}, {**odd, "traces": 5}, odd, []):
        path.write_text(json.dumps(wrong) + "\n")
        with pytest.raises(BuildError, match="line 1"):
            replay.from_jsonl(path, is_web=True)


def page(server, *listed):
    """What the reader makes of the pages at these paths."""
    found = [Trace(EXACT.text, EXACT.type, "p", url=f"{server.url}{path}") for path in listed]
    return pages.Pages(RULES, timeout=1, allow_private=True).search(PAGE, NAMED, found)


def test_pages_are_read_as_text_through_redirects(server):
    body = "<head><script>Leora Vandeskel died</script></head><p>Leo<b>ra</b> Vandeskel<p>was born" + " x" * 5000
    server.pages = {
        "/a": (200, "text/html; charset=utf-8", body, None),
        "/b": (302, "text/html", "", "/a"),
        "/c": (200, "application/pdf", "Leora Vandeskel", None),
        "/d": (200, "text/plain", "nothing here", None),
    }
    made = page(server, "/b", "/c", "/d", "/a")
    assert [trace.content is None for trace in made] == [False, True, False]
    assert [label(trace, NAMED, RULES).label for trace in made] == [EXACT_PERSON, "inconclusive", UNRELATED]
    assert len(made[0].content) < 200 and "died" not in made[0].content


def test_pages_of_private_addresses_and_other_schemes_are_not_read(server):
    server.pages = {"/a": (200, "text/plain", "x", None), "/b": (302, "text/plain", "", "file:///etc/hostname")}
    closed = pages.Pages(RULES, timeout=1)
    for url in (f"{server.url}/a", "http://[::1]/", "http://localhost/", "file:///etc/hostname", "ftp://127.0.0.1/a"):
        with pytest.raises(Refused):
            closed.read(url)
    with pytest.raises(Refused):
        pages.Pages(RULES, timeout=1, allow_private=True).read(f"{server.url}/b")
    assert server.asked["/a"] == 0


@pytest.mark.parametrize(
    "text, expected",
    [
        ("<p>Leo<b>ra</b> V</p><p>born", ["leora", "v", "born"]),
        ("a<!-- <p>no</p> -->b<!--no", ["a", "b"]),
        ("a<SCRIPT>if (1<2) no</script >b<style>no", ["a", "b"]),
        ("<![foo a <!DOCTYPE html>b<?x ?>c", ["b", "c"]),
        ("1 < 2 &amp; Jos&eacute;", ["1", "2", "jose"]),
        ("", []),
    ],
)
def test_html_becomes_text(text, expected):
    assert rules.words(pages.html_text(text)) == expected


@pytest.mark.parametrize("part", ["<a", "<!--", "<![", "</", "<script>", "&#", "<a <b ", "x<"])
def test_hostile_html_takes_linear_time(part):
    began = time.monotonic()
    pages.page_text((part * 200_000).encode(), "text/html", "idna")
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("kind", ["serper", "searxng"])
@pytest.mark.parametrize("value", [None, 5, "x", [5], [None], {"a": 1}, [{"title": 5, "link": [], "url": {}}]])
def test_answers_of_odd_shapes_are_traces_or_transient(server, kind, value):
    parse = {
        "serper": lambda answer: serper.parse(answer, EXACT, ["showingResultsFor"]),
        "searxng": lambda answer: searxng.parse(answer, EXACT, 10),
    }[kind]
    for field in ("organic", "results", "knowledgeGraph", "searchInformation", "infoboxes", "corrections"):
        try:
            made = parse({"organic": [], "results": [], field: value})
        except Transient:
            continue
        assert all(label(Trace.from_dict(trace.as_dict()), NAMED, RULES).label for trace in made)


def test_lone_surrogates_of_an_answer_become_question_marks(server):
    server.results[EXACT.text] = {"organic": [("a\ud800b", "", "")]}
    assert make("serper", server).search(EXACT)[0].title == "a?b"


def test_redirects_in_a_ring_end(server):
    server.pages = {"/a": (302, "text/html", "", "/a")}
    assert page(server, "/a")[0].content is None
    assert server.asked["/a"] == RULES.settings("pages")["redirects"] + 1


def test_an_excerpt_gives_the_label_of_the_whole_page():
    filler = "lorem ipsum " * 200
    for text in (
        f"{filler} Leora Vandeskel {filler} Leora Vandeskel died in May {filler}",
        f"{filler} Leora Vandeskel {'lorem ' * 21} died {filler}",
        f"{filler} Liora Vandeskel {filler}",
        f"{filler} Leora {filler} Vandeskel {filler}",
    ):
        short = pages.excerpt(text, NAMED, RULES)
        whole, cut = (
            label(Trace(NAME, "page_content", "p", content=content), NAMED, RULES) for content in (text, short)
        )
        assert whole == cut and len(short) < 1000


def test_of_a_long_page_the_start_is_read(server):
    server.pages = {"/a": (200, "text/plain", "x " * 2_000_000, None)}
    began = time.monotonic()
    assert page(server, "/a")[0].content == "" and time.monotonic() - began < 5


@pytest.mark.parametrize(
    "reply, expected",
    [
        ('{"label": "no_info"}', "no_info"),
        ('```json\n{"label": "similar"}\n```', "similar"),
        ('{"label": ["similar", "found"]}', "found"),
        ('{"label": ["no_info", "fail"]}', "fail"),
        ('{"label": "unknown"}', "fail"),
        ('{"label": null}', "fail"),
        ('{"label": [[]]}', "fail"),
        ("no_info", "fail"),
        ("", "fail"),
        ("[]", "fail"),
    ],
)
def test_the_adjudicator_s_label(reply, expected):
    assert screen.label_of(reply) == expected


def test_the_screen_asks_one_model_and_lets_the_other_judge(server):
    server.replies = {"m": "I know of nobody called that.", "judge": '{"label": "no_info"}', "mute": ""}
    made = screen.Screen(RULES, "m", "judge", base_url=server.url, environ={"OPENAI_API_KEY": "k"})
    assert made.ask(NAME) == ("no_info", "I know of nobody called that.")
    mute = screen.Screen(RULES, "mute", "judge", base_url=server.url, environ={})
    assert mute.ask(NAME) == ("fail", "")
    with pytest.raises(BuildError, match="OPENAI_BASE_URL"):
        screen.Screen(RULES, "m", "judge", environ={})
