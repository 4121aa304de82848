"""The page in a real browser: headless Chromium opens it, at a phone's width too, and has nothing to complain of."""

import html
import json
import os
import re
import shutil
import subprocess

import pytest

from tests.releases import ROOT
from tests.report_pages import COMMITTED, HOSTILE, hostile, load, page_of, write

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run")
PHONE = 390
# opens a page in a frame of a given width, in a sandbox without scripts if so told, and writes what it finds there
HARNESS = """<!doctype html><meta charset="utf-8"><pre id="found"></pre>
<iframe {sandbox} style="width:{width}px;height:800px;border:0" srcdoc="{page}"></iframe>
<script>
document.querySelector('iframe').onload = event => {{
  const inside = event.target.contentDocument, root = inside.documentElement;
  const found = {{
    title: inside.title, text: inside.body.textContent, width: root.clientWidth, scroll: root.scrollWidth,
    foreign: [...inside.querySelectorAll('script,img,iframe,object,b:not(.number):not(.square)')].map(x => x.outerHTML),
    handlers: [...inside.querySelectorAll('*')].flatMap(x => x.getAttributeNames()).filter(x => x.startsWith('on')),
    boxes: [...inside.querySelectorAll('.scroll')].map(x => [x.scrollWidth, x.clientWidth]),
    outside: [...inside.querySelectorAll('body *')].filter(x => !x.closest('.scroll')
      && x.getBoundingClientRect().right > root.clientWidth + 1).map(x => x.tagName + ' ' + x.textContent.slice(0, 40)),
    small: [...inside.querySelectorAll('svg text')].filter(x => x.getBoundingClientRect().height < 9).length,
    cut: [...inside.querySelectorAll('svg')].flatMap(svg => {{
      const box = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('text')].filter(x => {{
        const at = x.getBoundingClientRect();
        return at.left < box.left - 2 || at.right > box.right + 2 || at.top < box.top - 3 || at.bottom > box.bottom + 3;
      }}).map(x => svg.getAttribute('aria-label') + ': ' + x.textContent);
    }}),
  }};
  document.getElementById('found').textContent = JSON.stringify(found);
}};
</script>
"""


@pytest.fixture(scope="module", autouse=True)
def browser():
    """A browser: on the machine that checks every change it must be there."""
    if BROWSER is None:
        message = "no Chromium here (on Debian: apt-get install chromium)"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)


def chromium(folder, *arguments):
    """Run the browser on a profile of its own; returns the finished process."""
    command = [BROWSER, *OPTIONS, f"--user-data-dir={folder / 'profile'}", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)


def complaints(folder, path):
    """What a page makes the browser write to its console."""
    done = chromium(folder, "--enable-logging=stderr", "--v=0", "--dump-dom", path.as_uri())
    return [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def inside(folder, page, width, *, scripts=False):
    """What the browser finds in a page shown at a width, as the harness tells it; by default scripts are off."""
    harness = folder / "harness.html"
    sandbox = "" if scripts else 'sandbox="allow-same-origin"'
    text = HARNESS.format(sandbox=sandbox, width=width, page=html.escape(page.read_text(encoding="utf-8")))
    harness.write_text(text, encoding="utf-8")
    done = chromium(
        folder, "--dump-dom", "--virtual-time-budget=10000", f"--window-size={width + 100},900", harness.as_uri()
    )
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL).group(1)
    return json.loads(html.unescape(found))


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of every committed report."""
    return page_of(tmp_path_factory.mktemp("page"), *COMMITTED)


@pytest.fixture(scope="module")
def taken(tmp_path_factory):
    """A page of reports whose every text is hostile, and of one with a name without a place to break."""
    folder = tmp_path_factory.mktemp("taken")
    reports = [write(folder, f"{at}.json", hostile(text)) for at, text in enumerate(HOSTILE.values())]
    endless = load(ROOT / "baselines" / "reports" / "usernames.test.vicary.json") | {"system": "M" * 4000}
    return page_of(folder, *reports, write(folder, "endless.json", endless))


def test_the_page_opens_without_complaint(page, taken, tmp_path):
    assert complaints(tmp_path, page) == []
    assert complaints(tmp_path, taken) == []


def test_a_complaint_would_be_seen(tmp_path):
    """The page's own policy, and a script that it forbids."""
    policy = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'
    path = tmp_path / "bad.html"
    path.write_text(f"<!doctype html>{policy}<script>console.log(1)</script>", encoding="utf-8")
    assert complaints(tmp_path, path)


@pytest.mark.parametrize("width", [PHONE, 768, 1280])
def test_the_page_fits_its_width(width, page, tmp_path):
    """No sideways scroll of the page: what is wider scrolls in its own box. Plots stay whole and readable."""
    found = inside(tmp_path, page, width)
    assert found["scroll"] <= found["width"] <= width
    assert found["outside"] == [] and found["cut"] == [] and found["small"] == 0
    assert len(found["boxes"]) > 50
    if width == PHONE:
        assert any(whole > shown for whole, shown in found["boxes"])


def test_hostile_texts_are_text(taken, tmp_path):
    found = inside(tmp_path, taken, PHONE, scripts=True)
    assert found["title"] == "NymBench: score reports"
    assert found["foreign"] == [] and found["handlers"] == []
    assert found["scroll"] <= found["width"] and found["outside"] == []
    for text in HOSTILE.values():
        assert found["text"].count(text) >= 5, text


def test_the_page_is_the_same_without_scripts(page, tmp_path):
    assert inside(tmp_path, page, 1280, scripts=True) == inside(tmp_path, page, 1280, scripts=False)


@pytest.mark.parametrize(("scripts", "title"), [(True, "run"), (False, "as written")])
def test_a_script_would_run_where_scripts_are_on_alone(scripts, title, tmp_path):
    path = tmp_path / "scripted.html"
    path.write_text("<!doctype html><title>as written</title><script>document.title = 'run'</script>", encoding="utf-8")
    assert inside(tmp_path, path, PHONE, scripts=scripts)["title"] == title
