"""The page in headless Chromium: its answers are those of the commands, and nothing is loaded from elsewhere."""

import functools
import hashlib
import http.server
import io
import json
import shutil
import subprocess
import sys
import tarfile
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from cnfgen_puzzles.cli.playpage import Handler
from cnfgen_puzzles.cli.solve_puzzle import COMMAND as SOLVE
from cnfgen_puzzles.families import BUILT_IN

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ("chromium", "chromedriver", "em++", "npm", "node")
missing = [name for name in PROGRAMS if shutil.which(name) is None]
pytestmark = [
    pytest.mark.release,
    pytest.mark.timeout(3600),  # the page is built first
    pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}"),
]

PACKAGES = {
    "axe-core-4.14.1.tgz": "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745",
    "typescript-5.9.3.tgz": "10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3",
}
CAT = (ROOT / "cnfgen_puzzles/samples/cat.nin").read_text()
BOARDS = json.loads((ROOT / "tests/families/grid/pzpr-boards.json").read_text())
GENRES = {name: entry for name, entry in BOARDS.items() if name in BUILT_IN}
SEVERAL = "rows\n1\n1\n\ncolumns\n1\n1\n"


def package_of(archive, folder):
    """A package of npm, unpacked."""
    name, version = archive.removesuffix(".tgz").rsplit("-", 1)
    subprocess.run(["npm", "pack", "--silent", f"{name}@{version}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    assert hashlib.sha256((folder / archive).read_bytes()).hexdigest() == PACKAGES[archive]
    with tarfile.open(folder / archive) as content:
        content.extractall(folder / name, filter="data")
    return folder / name / "package"


class CutServer(http.server.ThreadingHTTPServer):
    """Serves a folder without the files whose addresses end with `cut`; with "", it serves none."""

    cut = None


class CutHandler(Handler):
    def do_GET(self):
        if self.server.cut is not None and self.path.partition("#")[0].endswith(self.server.cut):
            self.send_error(503)
        else:
            super().do_GET()


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("play")
    done = subprocess.run([sys.executable, "scripts/make/make_page.py", folder], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    server = CutServer(("127.0.0.1", 0), functools.partial(CutHandler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


class Browser:
    """The page as a user sees it."""

    def __init__(self, server, width=1280, dark=False):
        from selenium import webdriver

        options = webdriver.ChromeOptions()
        for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
            options.add_argument(word)
        options.binary_location = shutil.which("chromium")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "deny"})
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        self.server = server

    def open(self, part=""):
        self.driver.get(f"http://127.0.0.1:{self.server.server_port}/index.html{part}")
        self.until(lambda: not self.status.startswith("Loading"))
        self.idle()

    def until(self, condition):
        deadline = time.monotonic() + 300
        while not condition():
            assert time.monotonic() < deadline, self.status
            time.sleep(0.05)

    def idle(self):
        self.until(lambda: self.driver.find_element("id", "stop").get_attribute("disabled") is not None)

    @property
    def status(self):
        return self.driver.find_element("id", "status").text

    def paste(self, text):
        """Paste a text; returns the status after it was read."""
        self.driver.execute_script("document.getElementById('status').textContent = ''")
        script = "const e = document.getElementById('text'); e.value = arguments[0]; e.dispatchEvent(new Event('input'))"
        self.driver.execute_script(script, text)
        self.until(lambda: self.status and not self.status.startswith("Reading"))
        self.idle()
        return self.status

    def set(self, name, value):
        """Type a value into an input."""
        script = "const e = document.getElementById(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('input'))"
        self.driver.execute_script(script, name, value)

    def shown(self, name):
        return self.driver.find_element("id", name).is_displayed()

    def click(self, name):
        self.driver.find_element("id", name).click()
        self.idle()
        return self.status

    def plain(self):
        return self.driver.execute_script("return document.getElementById('plain').textContent")


@pytest.fixture(scope="module")
def browser(page):
    opened = Browser(page)
    opened.open()
    yield opened
    opened.driver.quit()


def test_solve_unique_and_hint(browser):
    assert "25x23 nonogram" in browser.paste(CAT)
    assert browser.click("solve").startswith("A solution.")
    assert browser.click("unique").startswith("The only solution (proof checked by the built-in checker).")
    assert browser.click("hint").startswith("column 1: ")
    assert browser.driver.find_elements("css selector", "#board img")


def test_several_solutions_are_shown_with_their_difference(browser):
    browser.paste(SEVERAL)
    assert browser.click("unique").startswith("Several solutions. Two of them differ in:")
    assert len(browser.driver.find_elements("css selector", "#board img")) == 2
    assert browser.click("count").startswith("2 solutions (proof checked by the built-in checker).")


def test_no_solution(browser):
    browser.paste("slither/2/2/3333")
    assert browser.click("solve").startswith("No solution (proof checked by the built-in checker).")
    browser.paste("rows\n2\n0\n\ncolumns\n1\n0\n")
    assert browser.click("solve").startswith("No solution: ")


HOSTILE = ["slither/5/x", "maze --length", "nosuch/5/5/abc", "\0"]
HOSTILE += ["<script>alert(1)</script>", "slither/5/5/<img src=x onerror=alert(1)>"]


@pytest.mark.parametrize("text", HOSTILE)
def test_bad_input_is_a_sentence(browser, text):
    status = browser.paste(text)
    assert any(word in status for word in ("found", "expected", "unknown"))
    assert "Traceback" not in status and "an error in this page" not in status
    assert not browser.driver.find_element("id", "solve").is_enabled()
    assert not browser.driver.find_elements("css selector", "#status *, main script, main [onerror]")


def test_stop(browser):
    browser.paste("size: 6x10\npieces:\n  - set: pentominoes\n")
    browser.driver.find_element("id", "count").click()
    browser.driver.find_element("id", "stop").click()
    assert browser.status == "Stopped."
    browser.paste(CAT)
    assert browser.click("solve").startswith("A solution.")


def test_a_picture_becomes_a_nonogram(browser, tmp_path):
    browser.driver.find_element("id", "file").send_keys(str(ROOT / "cnfgen_puzzles/samples/heart.svg"))
    browser.until(lambda: "made from heart.svg" in browser.status)
    assert browser.click("solve").startswith("A solution.")
    wrong = tmp_path / "wrong.png"
    wrong.write_bytes(b"not a picture")
    browser.driver.find_element("id", "file").send_keys(str(wrong))
    browser.until(lambda: "wrong.png is not a picture" in browser.status)


def test_a_clue_is_changed(browser):
    browser.paste("slither/2/2/3333")
    browser.driver.execute_script("document.getElementById('formula').open = true")
    browser.until(lambda: browser.driver.find_element("id", "clue").get_attribute("value") == "3")
    browser.driver.find_element("id", "clue").clear()
    assert "2x2 Slitherlink" in browser.click("edit")
    assert "slither/2/2/333" not in browser.driver.find_element("id", "text").get_attribute("value")


def test_a_wrong_clue_is_a_sentence(browser):
    browser.paste(CAT)
    browser.driver.execute_script("document.getElementById('formula').open = true")
    browser.set("cell-row", "1")
    browser.set("cell-column", "0")
    browser.driver.execute_script("document.getElementById('cell-column').dispatchEvent(new Event('change'))")
    browser.until(lambda: browser.driver.find_element("id", "clue").get_attribute("value") == "1 1")
    for clue, sentence in {
        "x": "found x in the clue, expected numbers separated by spaces, or 0 for an empty row",
        "99": "found the clue 99, which needs 99 cells, but the row has 25",
    }.items():
        browser.set("clue", clue)
        assert browser.click("edit") == sentence
        assert browser.driver.find_element("id", "text").get_attribute("value") == CAT
    warned = browser.paste("rows\n99\n1\n\ncolumns\n1\n1\n")
    assert "Warning: the puzzle:2: row 1: clue 99 needs 99 cells, the row has 2" in warned


@pytest.mark.parametrize("value", ["0", "1001", "2.5", ""])
def test_a_wrong_number_is_a_sentence(browser, value):
    browser.paste(SEVERAL)
    browser.set("limit", value)
    assert browser.click("count") == f"up to: found {value or 'no number'}, expected a whole number from 1 to 1000."
    browser.set("limit", "100")
    assert browser.click("count").startswith("2 solutions")
    browser.driver.execute_script("document.getElementById('drawing').open = true")
    browser.set("columns", value)
    assert browser.status == f"Width: found {value or 'no number'}, expected a whole number from 1 to 20."
    browser.set("columns", "6")
    browser.driver.execute_script("document.getElementById('formula').open = true")
    browser.set("cell-row", value or "3")
    script = "document.getElementById('cell-row').dispatchEvent(new Event('change'))"
    browser.driver.execute_script(script)
    if value != "0":  # row 0 has the clues of the columns
        browser.until(lambda: browser.status == f"Row: found {value or '3'}, expected a whole number from 0 to 2.")


def test_a_drawing_without_cells_is_a_sentence(browser):
    browser.driver.execute_script("document.getElementById('drawing').open = true")
    browser.set("columns", "6")
    assert browser.click("use-board") == "The drawing has no cells. Click cells first."


def test_only_what_works_is_shown(page):
    """Before a puzzle is read, after one is refused, and after the text is deleted, nothing is offered that needs a puzzle."""
    opened = Browser(page)
    try:
        opened.open()
        for text in (None, "nosuch/5/5/abc", ""):
            if text is not None:
                opened.paste(CAT)
                assert opened.shown("downloads") and opened.shown("formula")
                opened.paste(text)
            assert not any(map(opened.shown, ("downloads", "formula", "as-text")))
            assert not any(opened.driver.find_element("id", name).is_enabled() for name in ("solve", "unique", "count", "hint"))
        assert not opened.driver.find_element("id", "add-piece").is_enabled()
        rows, columns = "0\n" * 23, ("1 " * 12 + "\n") * 9000
        assert "9000x23 nonogram" in opened.paste(f"rows\n{rows}\ncolumns\n{columns}")  # its picture would be too large
        offered = opened.driver.find_elements("css selector", "#format option")
        assert [each.get_attribute("value") for each in offered if not each.is_enabled()] == ["svg", "png"]
    finally:
        opened.driver.quit()


def test_a_download_during_a_count_changes_nothing(browser):
    browser.paste("size: 6x10\npieces:\n  - set: pentominoes\n")
    browser.set("limit", "8")
    browser.driver.find_element("id", "count").click()
    browser.until(lambda: "Searching for another" in browser.status)
    browser.driver.find_element("id", "download").click()
    browser.idle()
    browser.set("limit", "100")
    assert browser.status.startswith("At least 8 solutions")


def test_a_new_puzzle_ends_the_search(browser):
    """Its board is not drawn over, and the solver is free at once."""
    browser.paste("size: 6x10\npieces:\n  - set: pentominoes\n")
    browser.driver.find_element("id", "count").click()
    browser.until(lambda: "Searching for another" in browser.status)
    browser.paste(SEVERAL)
    assert browser.click("count").startswith("2 solutions")


FILES_OF_PYTHON = ["pyodide/pyodide.mjs", "pyodide/pyodide.asm.mjs", "pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip"]
FILES_OF_PYTHON += ["pyodide/pyodide-lock.json", "library.js", "package.zip"]


@pytest.mark.parametrize("file", ["solver.js", "cadical.js", "cadical.wasm", *FILES_OF_PYTHON])
def test_a_part_that_cannot_be_loaded_is_a_sentence(page, file):
    opened = Browser(page)
    page.cut = file
    try:
        opened.open()
        title = "Python" if file in FILES_OF_PYTHON else "The solver"
        if title == "The solver":
            opened.paste(CAT)
            opened.click("solve")
        assert opened.status.startswith(f"{title} cannot be loaded")
        assert opened.status.endswith("Check the connection, and reload the page.")
        if title == "Python":
            assert opened.paste(CAT).startswith("Python cannot be loaded")
    finally:
        page.cut = None
        opened.driver.quit()


def test_without_examples_or_script_the_page_says_so(page):
    opened = Browser(page)
    page.cut = "examples.json"
    try:
        opened.open()
        assert "No examples" in opened.driver.find_element("id", "example").text
        assert "25x23 nonogram" in opened.paste(CAT)
        page.cut = "main.js"
        opened.driver.get(f"http://127.0.0.1:{page.server_port}/index.html?other")
        assert "check the connection, and reload the page" in opened.status
    finally:
        page.cut = None
        opened.driver.quit()


def screenshot(place):
    """An element on the screen."""
    from PIL import Image

    return Image.open(io.BytesIO(place.screenshot_as_png)).convert("RGB")


def test_dark_mode(page):
    opened = Browser(page, dark=True)
    try:
        opened.open()
        opened.paste("slither/5/5/cbcbcddad")
        opened.click("unique")
        opened.driver.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
        image = opened.driver.find_element("css selector", "#board img")
        for place in (image, opened.driver.find_element("id", "plain"), opened.driver.find_element("id", "sketch")):
            pixels = sorted(screenshot(place).convert("L").getdata())
            assert pixels[len(pixels) // 2] < 60 and pixels[-1] > 120, "light signs on a dark ground"
        opened.paste((ROOT / "cnfgen_puzzles/samples/tulip.non").read_text())
        opened.click("solve")
        image = opened.driver.find_element("css selector", "#board img")
        opened.until(lambda: image.get_property("naturalWidth"))
        pixels = set(screenshot(image).getdata())
        assert max(map(max, pixels)) < 200, "the paper is not white"
        red = (0xD7, 0x26, 0x3D)
        assert any(all(abs(0.7 * a - b) < 8 for a, b in zip(red, pixel, strict=True)) for pixel in pixels), "the tulip is red"
    finally:
        opened.driver.quit()


def test_clues_are_readable_on_a_small_screen(page):
    """The clues of a nonogram of 35x35 cells, 10 numbers deep, have 9 pixels at least; the page itself does not scroll."""
    line = " ".join(["2"] * 10) + "\n"
    opened = Browser(page, 400)
    try:
        opened.open()
        opened.paste(f"rows\n{line * 35}\ncolumns\n{line * 35}")
        script = (
            "const e = document.querySelector('#board img'); return [e.clientWidth, e.naturalWidth, e.parentElement.clientWidth]"
        )
        opened.until(lambda: opened.driver.execute_script(script)[1])
        drawn, natural, room = opened.driver.execute_script(script)
        assert 11.2 * drawn / natural >= 8.9 and drawn > room, "the picture has letters of 11.2 pixels"
        assert opened.driver.execute_script("return document.documentElement.scrollWidth") <= 400
        opened.paste("slither/5/5/cbcbcddad")
        opened.until(lambda: opened.driver.execute_script(script)[1])
        drawn, _, room = opened.driver.execute_script(script)
        assert drawn <= room, "a small board fits"
    finally:
        opened.driver.quit()


def test_a_drawing_becomes_a_tiling(browser):
    browser.driver.execute_script("document.getElementById('drawing').open = true")

    def draw(*places):
        for row in range(1, 5):
            for column in range(1, 7):
                cell = browser.driver.find_element("css selector", f"[aria-label='row {row}, column {column}']")
                if (cell.get_attribute("aria-selected") == "true") != ((row, column) in places):
                    cell.click()

    draw((1, 1), (1, 2), (2, 1), (2, 2))
    browser.driver.find_element("id", "use-board").click()
    browser.idle()
    draw((1, 1), (1, 2))
    for _ in range(2):
        browser.driver.find_element("id", "add-piece").click()
        browser.until(lambda: "square tiling" in browser.status)
        browser.idle()
    assert browser.click("unique").startswith(("Several solutions", "The only solution"))


def test_shared_link_and_back(browser):
    browser.paste(CAT)
    link = browser.driver.current_url.partition("#")[2]
    browser.paste(SEVERAL)
    browser.driver.back()
    browser.until(lambda: "25x23" in browser.status)
    browser.open(f"?again#{link}")
    assert "25x23 nonogram" in browser.status
    browser.open("?damaged#!!!")
    assert "damaged" in browser.status
    browser.open()


def test_formula(browser):
    browser.paste(CAT)
    browser.click("solve")
    browser.driver.execute_script("document.getElementById('formula').open = true")
    browser.until(lambda: browser.driver.find_elements("css selector", "#clauses li"))
    assert "cell[0, 0]" in browser.driver.find_element("id", "variables").text
    assert browser.driver.find_elements("css selector", ".cell")
    from selenium.webdriver.common.action_chains import ActionChains

    image = browser.driver.find_element("css selector", "#board img")
    ActionChains(browser.driver).move_to_element(image).perform()
    browser.until(lambda: "cell[0, 0]" not in browser.driver.find_element("id", "variables").text)
    row, column = (browser.driver.find_element("id", name).get_attribute("value") for name in ("cell-row", "cell-column"))
    wanted = f"cell[{int(row) - 1}, {int(column) - 1}]"
    browser.until(lambda: wanted in browser.driver.find_element("id", "variables").text)


FILES = [
    *(f"nonogram/{name}" for name in ("anchor.xml", "fish.xml", "key.mk", "lantern.g", "letter-a.non", "sailboat.cwd")),
    *(f"nonogram/{name}" for name in ("owl.nin", "snail.nin", "permutations-5.nin", "sums-differ-5.nin", "swapped-20.nin")),
    *(f"triddler/{name}" for name in ("cube.xml", "fir.xml", "random-triangle-6.g", "switching-2.g")),
    *(f"tiling/{name}.yaml" for name in ("tetrominoes-4x5", "l-trominoes-2x3", "tetrahexes-triangle", "heptomino-ring-7x7")),
]
COMMANDS = ["maze --kind blocked --size 2x2 --length 3", "maze --kind blocked --size 2x2 --length 2"]
VERDICTS = ("The only solution", "Several solutions", "No solution")


@pytest.mark.parametrize("name", [*GENRES, *FILES, *COMMANDS])
def test_answers_are_those_of_the_command(browser, name):
    text, words = name, name.split()
    if name in GENRES:
        text = f"{name}/{GENRES[name]['url']}"
        words = [text]
    elif name in FILES:
        text = (ROOT / "instances" / name).read_text()
        words = [str(ROOT / "instances" / name)]
    browser.paste(text)
    done = CliRunner().invoke(SOLVE, [*words, "--unique", "--as", "text"])
    found = browser.click("unique")
    assert [verdict for verdict in VERDICTS if verdict in done.output] == [verdict for verdict in VERDICTS if verdict in found]
    if "The only solution" in found:
        assert browser.plain().strip() in done.output


def test_nothing_is_loaded_from_elsewhere_and_the_network_may_be_cut(page, browser):
    browser.open("?cut")
    loaded = browser.driver.execute_script("return performance.getEntriesByType('resource').map(each => each.name)")
    assert loaded and all(name.startswith(f"http://127.0.0.1:{page.server_port}/") for name in loaded)
    browser.paste(CAT)
    browser.click("solve")
    page.cut = ""
    try:
        assert browser.click("unique").startswith("The only solution")
    finally:
        page.cut = None
    assert not [entry for entry in browser.driver.get_log("browser") if "Content Security Policy" in entry["message"]]


@pytest.mark.parametrize("width", [1280, 400])
def test_accessible_and_fits(page, width, tmp_path):
    opened = Browser(page, width)
    try:
        opened.open()
        opened.paste(CAT)
        opened.click("unique")
        opened.driver.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
        assert opened.driver.execute_script("return document.documentElement.scrollWidth") <= width
        opened.driver.execute_script((package_of("axe-core-4.14.1.tgz", tmp_path) / "axe.min.js").read_text())
        found = opened.driver.execute_async_script("axe.run().then(arguments[0])")
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found["violations"]] == []
    finally:
        opened.driver.quit()


def test_types(tmp_path):
    compiler = package_of("typescript-5.9.3.tgz", tmp_path) / "lib" / "tsc.js"
    options = ["--noEmit", "--checkJs", "--allowJs", "--strict", "--target", "es2022", "--module", "esnext"]
    options += ["--lib", "es2022,dom,dom.iterable"]
    done = subprocess.run(["node", compiler, *options, ROOT / "page/main.js"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
