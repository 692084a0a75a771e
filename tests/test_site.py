"""The site of docs/ builds without warnings, loads nothing from other hosts, and can be read and searched from disk."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time

import pytest
from repository import REPOSITORY

pytestmark = pytest.mark.release

PAGES = [
    "index",
    "tutorials/tutorial",
    "results/results",
    "reference/solve-puzzle",
    "reference/families",
    "reference/run-record",
    "reference/python",
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site; strict, so that dead links and anchors are errors."""
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", folder],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_loads_nothing_from_other_hosts(site):
    loaded = re.compile(
        r"""<(?:script|img|iframe|source)\b[^>]*\b(?:src|srcset)=["']?(?:https?:)?//|<link\b[^>]*stylesheet[^>]*//"""
    )
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    assert not [page for page in pages if loaded.search(page.read_text(encoding="utf-8"))]
    styles = [*site.rglob("*.css")]
    assert styles
    assert not [style for style in styles if re.search(r"url\(['\"]?(?:https?:)?//", style.read_text(encoding="utf-8"))]


def test_the_reference_is_complete(site):
    from cnfgen_puzzles import __all__ as public
    from cnfgen_puzzles.bench.record import FIELDS
    from cnfgen_puzzles.families import find_family

    record = (site / "reference" / "run-record.html").read_text(encoding="utf-8")
    assert not [name for name in FIELDS if f"<code>{name}</code>" not in record.replace("&#95;", "_")]
    python = (site / "reference" / "python.html").read_text(encoding="utf-8")
    assert not [
        name for name in public if name != "__version__" and not re.search(rf'id="cnfgen_puzzles\.[\w.]*\b{name}"', python)
    ]
    families = (site / "reference" / "families.html").read_text(encoding="utf-8")
    for name in ("nonogram", "tiling", "maze", "triddler"):
        assert not [each for each in find_family(name).encodings if f'id="{name}-{each}"' not in families]


SEARCHES = {
    "count solutions": "how-to/counting.html",
    "time limit": "reference/limits.html",
    "memory limit": "reference/limits.html",
    "license": "reference/licenses.html",
    "install": "how-to/installing.html",
    "exit code": "reference/commands.html",
    "hint": "how-to/hints.html",
    "add solver": "how-to/adding-a-solver.html",
    "certificate": "how-to/certificates.html",
    "file format": "reference/formats.html",
    "print puzzle": "how-to/drawing.html",
}


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
def test_the_search_finds_the_right_page_first(site):
    command = ["node", REPOSITORY / "tests" / "pages" / "search.js", site, *SEARCHES]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = [json.loads(line)[0].partition("#")[0] for line in done.stdout.splitlines()]
    assert dict(zip(SEARCHES, found, strict=True)) == SEARCHES


def _browser(width, scheme):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(word)
    options.binary_location = shutil.which("chromium")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    return driver


@pytest.mark.skipif(not (shutil.which("chromium") and shutil.which("chromedriver")), reason="needs Chromium")
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_pages_fit_the_screen_and_follow_the_system(site, width, scheme):
    driver = _browser(width, scheme)
    try:
        for page in PAGES:
            driver.get(f"file://{site}/{page}.html")
            assert driver.execute_script("return document.documentElement.scrollWidth") <= width, page
            assert (
                driver.execute_script("return document.body.dataset.mdColorScheme")
                == {"light": "default", "dark": "slate"}[scheme]
            )
            script = "return [...document.images].filter(i => i.offsetParent && !(i.complete && i.naturalWidth)).map(i => i.src)"
            assert driver.execute_script(script) == []
            loaded = driver.execute_script("return performance.getEntriesByType('resource').map(each => each.name)")
            assert not [name for name in loaded if name.startswith("http")]
        driver.execute_script("document.querySelector('[data-md-toggle=search]').click()")
        driver.execute_script("arguments[0].focus()", driver.find_element("css selector", "input.md-search__input"))
        driver.find_element("css selector", "input.md-search__input").send_keys("pentominoes")
        deadline = time.monotonic() + 60
        while not driver.find_elements("css selector", ".md-search-result__item") and time.monotonic() < deadline:
            time.sleep(0.1)
        assert driver.find_elements("css selector", ".md-search-result__item")
    finally:
        driver.quit()
