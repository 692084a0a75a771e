"""The report in a browser, from disk, without network, with hostile output of a solver in it."""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from reportruns import make_runs, write_runs
from repository import INSTANCES

from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.show import report
from cnfgen_puzzles.bench.show.report import write_report
from cnfgen_puzzles.bench.show.report.details import PageData, draw, puzzle_in
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.tiling.puzzle import make_board

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
POINTS = "#plot-cactus svg .mark-symbol [aria-roledescription=point]"
HOSTILE = 'c </script><script>document.title="hacked"</script><b>bold</b> <!-- <script>\nc \u2028 second line \x1b[1m'
REASON = 'clause 17 is false <img src="http://127.0.0.1:9/x.png" onerror="document.title=\'hacked\'">'

no_browser = pytest.mark.skipif(
    not (CHROMIUM.exists() and DRIVER.exists()), reason=f"no browser: {CHROMIUM} and {DRIVER} are not installed"
)


def needs_browser(test):
    return pytest.mark.release(no_browser(test))


@pytest.fixture(scope="session")
def solved(tmp_path_factory):
    """A result folder with real runs of all families; each test gets new records."""
    folder = tmp_path_factory.mktemp("results")
    make_runs(folder)
    return folder


@pytest.fixture
def records(solved):
    return [json.loads(line) for line in (solved / "runs.jsonl").read_text().splitlines()]


# -- what is written ------------------------------------------------------------------------------------------------------


def data_of(records: list[dict], folder: Path) -> dict:
    """The data for the script of the page."""
    return json.loads(json.dumps(PageData(records, [folder], folder).to_json()))


def data_in(path: Path) -> dict:
    """The data in a written page."""
    [text] = re.findall(r'<script type="text/plain" id="data">(.*?)</script>', path.read_text())
    return json.loads(gzip.decompress(base64.b64decode(text)))


def test_boards_come_back_from_json(solved, records):
    """A family reads the JSON that it writes, and draws the same board."""
    kept = [record for record in records if record.get("board")]
    assert {record["family"] for record in kept} == {"nonogram", "tiling", "maze"}
    for record in kept:
        family, puzzle = puzzle_in(record, [solved])
        board = family.board_from_json(puzzle, json.loads(json.dumps(record["board"])))
        assert family.check(puzzle, board) == []
        assert family.board_to_json(puzzle, board) == record["board"]


@pytest.mark.parametrize("entry", [None, {}, [], [{"piece": "?", "cells": [[0, 0]]}], {"string": 3}, "x", 5, {"rows": 1}])
@pytest.mark.parametrize("name", ["nonogram", "tiling", "maze"])
def test_damaged_boards_are_refused(name, entry, solved, records):
    record = next(record for record in records if record["family"] == name and record.get("board"))
    with pytest.raises(CnfgenError):
        draw(record | {"board": entry}, [solved])


def test_pieces_with_equal_names_differ_by_shape():
    """Two pieces of a puzzle can have the same name; their shapes distinguish them."""
    family = find_family("tiling")
    puzzle = family.read(open_source(INSTANCES / "tiling/pentominoes-6x10.yaml"))
    alike = replace(puzzle, pieces=tuple(replace(piece, name="same") for piece in puzzle.pieces))
    for number, shapes in enumerate(puzzle.orientations):
        board = make_board([(number, shapes[0])])
        assert family.board_from_json(alike, family.board_to_json(alike, board)) == board


def test_every_solved_instance_has_its_board(solved, records):
    data = data_of(records, solved)
    pictures = {instance["id"]: instance["boards"] for instance in data["instances"]}
    assert all(boards[0][0].startswith("<svg") for name, boards in pictures.items() if "too-long" not in name)
    assert pictures["nonogram-too-long-10.cwd"] == []
    assert "No run found a board." in [instance["note"] for instance in data["instances"]]


def test_a_board_that_is_no_solution_is_not_drawn(solved, records):
    """A merged or edited file can contain the board of another puzzle."""
    record = next(record for record in records if record["family"] == "nonogram" and record.get("board"))
    record["board"]["rows"][0] = "#" * record["board"]["width"]
    data = data_of([record], solved)
    assert data["instances"][0]["boards"] == []
    assert "does not solve the puzzle" in data["instances"][0]["note"]


def test_report_without_maps_explains_missing_boards(records, tmp_path):
    data = data_of(records, tmp_path)
    assert all(instance["boards"] == [] for instance in data["instances"])
    assert any("cat.order.map.json of the formula does not exist" in instance["note"] for instance in data["instances"])


def test_command(command, solved, tmp_path):
    done = command("bench-cnf", "report", solved, "-o", tmp_path / "r.html", "--title", "Tom & Jerry")
    assert (done.returncode, done.stdout.decode()) == (0, f"{tmp_path / 'r.html'}\n"), done.stderr
    assert "<title>Tom &amp; Jerry</title>" in (tmp_path / "r.html").read_text()
    missing = command("bench-cnf", "report", tmp_path / "nothing")
    assert missing.returncode == 2
    assert b"nothing" in missing.stderr and b"Traceback" not in missing.stderr


# -- in the browser -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from selenium import webdriver

    folder = tmp_path_factory.mktemp("browser")
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in ("headless=new", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
                 "disable-component-update", "disable-sync", f"user-data-dir={folder}", "window-size=1280,900"):  # fmt: skip
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(str(DRIVER)))
    yield driver
    driver.quit()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def hostile(solved):
    """One run with markup in everything that a solver says, and a wrong answer."""
    kept = solved / "kept" / "run-1"
    kept.mkdir(parents=True)
    (kept / "stdout").write_text(HOSTILE)
    (kept / "stderr").write_bytes(b"\xff\xfe<i>segmentation fault</i>")
    found = [json.loads(line) for line in (solved / "runs.jsonl").read_text().splitlines()]
    found[1] |= {"status": "WRONG", "reason": REASON, "output": HOSTILE, "kept": str(kept), "version": "<u>4</u>"}
    return found


@pytest.fixture(scope="session")
def hostile_page(hostile, solved, tmp_path_factory):
    return write_report(hostile, tmp_path_factory.mktemp("page") / "report.html", solved, "Test <b>report</b>")


@pytest.fixture
def opened(browser, hostile_page):
    """The report, open in the browser; afterwards the console must be empty and the network unused."""
    use_theme(browser, "light")
    clear_logs(browser)
    browser.get(hostile_page.as_uri())
    yield browser
    assert errors_of(browser) == []
    assert requests_of(browser) <= {hostile_page.as_uri()}


def use_theme(browser, name: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": name}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def clear_logs(browser) -> None:
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get_log("performance")


def errors_of(browser) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def requests_of(browser) -> set[str]:
    """All addresses that the page requested, except those that contain their data."""
    messages = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    addresses = (m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent")
    return {address.partition("#")[0] for address in addresses if not address.startswith(("data:", "blob:", "about:"))}


def find(browser, selector: str):
    from selenium.webdriver.common.by import By

    return browser.find_element(By.CSS_SELECTOR, selector)


def find_all(browser, selector: str) -> list:
    from selenium.webdriver.common.by import By

    return browser.find_elements(By.CSS_SELECTOR, selector)


def wait_for(browser, told):
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, 60).until(lambda _: told())


def column_of(browser, title: str) -> list[str]:
    """The texts of a column of the table of all runs, as far as they are in the page."""
    titles = [heading.text for heading in find_all(browser, "#run-table thead button")]
    at = titles.index(title) + 1
    return [cell.text for cell in find_all(browser, f"#run-table tbody tr:not(.space) > :nth-child({at})")]


def heading(browser, title: str):
    return next(button for button in find_all(browser, "#run-table thead button") if button.text == title)


@needs_browser
def test_rows_sort_by_a_click_and_by_the_keyboard(opened):
    times = column_of(opened, "CPU s")
    heading(opened, "CPU s").click()
    assert column_of(opened, "CPU s") == sorted(times, key=float)
    assert heading(opened, "CPU s").find_element("xpath", "..").get_attribute("aria-sort") == "ascending"
    heading(opened, "CPU s").send_keys("\ue007")  # the enter key
    assert column_of(opened, "CPU s") == sorted(times, key=float, reverse=True)
    heading(opened, "solver").click()
    assert column_of(opened, "solver") == sorted(column_of(opened, "solver"))


@needs_browser
def test_rows_are_filtered_by_words_and_choices(opened, hostile):
    find(opened, "#filter-text").send_keys("CAT kissat")
    assert set(column_of(opened, "instance")) == {"cat.nin"}
    assert set(column_of(opened, "solver")) == {"kissat"}
    assert find(opened, "#shown").text == f"2 of {len(hostile)} runs"
    find(opened, "#filters button[type=reset]").click()
    wait_for(opened, lambda: find(opened, "#shown").text == f"{len(hostile)} runs")
    find(opened, "#filter-text").send_keys("clause 17 is false")  # a reason
    assert "WRONG" in column_of(opened, "status")
    assert len(set(column_of(opened, "solver"))) == 1  # all runs of the solver that is disqualified for this reason
    find(opened, "#filters button[type=reset]").click()
    wait_for(opened, lambda: find(opened, "#shown").text == f"{len(hostile)} runs")
    for name, value in (("status", "SATISFIABLE"), ("solver", "kissat"), ("family", "tiling"), ("encoding", "product")):
        find(opened, f"#filter-{name} option[value='={value}']").click()
    wanted = ("SATISFIABLE", "kissat", "tiling", "product")
    expected = [r for r in hostile if (r["status"], r["solver"], r["family"], r["encoding"]) == wanted]
    assert len(column_of(opened, "status")) == len(expected) > 0


@needs_browser
def test_hovering_a_point_names_the_instance(opened, hostile):
    from selenium.webdriver.common.action_chains import ActionChains

    find(opened, "#plots").location_once_scrolled_into_view  # noqa: B018
    wait_for(opened, lambda: find_all(opened, POINTS))
    names = {Path(record["instance"]).name.split(".")[0] for record in hostile}

    def told() -> bool:
        for point in find_all(opened, POINTS)[:6]:
            ActionChains(opened).move_to_element(point).perform()
            shown = find_all(opened, "#vg-tooltip-element")
            if shown and any(name in shown[0].text for name in names):
                return True
        return False

    assert wait_for(opened, told)
    find_all(opened, POINTS)[-1].click()  # drawn last: no other point lies over it, however close two times are
    assert wait_for(opened, lambda: find(opened, ".instance[open] .body")).is_displayed()


@needs_browser
def test_a_link_opens_an_instance_with_its_board(opened):
    for name in ("nonogram-cat.nin", "tiling-soma-cube.yaml", "maze-blocked-2x2-in-7"):
        opened.execute_script("location.hash = arguments[0]", name)
        part = wait_for(opened, lambda name=name: find(opened, f"[id='{name}'][open] .board"))
        wait_for(opened, lambda part=part: part.get_property("complete"))
        assert part.is_displayed() and part.get_property("naturalWidth") > 50
    assert "25x23 nonogram" in find(opened, "[id='nonogram-cat.nin']").text


@needs_browser
def test_a_row_leads_to_its_run_and_hostile_output_is_text(opened, hostile):
    alarm = find(opened, "#alarm")
    assert alarm.location["y"] < find(opened, "#summary").location["y"]
    assert REASON in alarm.text
    find(opened, "#filter-status option[value='=WRONG']").click()
    find(opened, "#run-table tbody a").click()
    details = wait_for(opened, lambda: find(opened, ".run-details"))
    assert hostile[1]["command"] in details.text
    assert REASON in details.text
    shown = [each.get_property("textContent") for each in find_all(opened, ".run-details pre.output")]
    assert shown == [HOSTILE, HOSTILE, "\ufffd\ufffd<i>segmentation fault</i>"]
    assert find_all(opened, ".run-details b, .run-details i, .run-details script, main img:not(.board)") == []
    assert opened.title == "Test <b>report</b>"


@needs_browser
def test_the_command_line_is_copied(opened, hostile):
    opened.execute_script("location.hash = 'nonogram-cat.nin'")
    wait_for(opened, lambda: find(opened, ".run-row button")).click()
    button = wait_for(opened, lambda: find(opened, ".copy button"))
    button.click()
    wait_for(opened, lambda: button.text == "Copied")
    box = find(opened, "#filter-text")
    box.send_keys("\ue009v")  # control and v
    assert box.get_property("value") in {record["command"] for record in hostile}


@needs_browser
def test_light_and_dark(opened):
    def brightness() -> int:
        color = opened.execute_script("return getComputedStyle(document.body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", color)[:3]))

    assert brightness() > 600
    use_theme(opened, "dark")
    assert wait_for(opened, lambda: brightness() < 150)
    find(opened, "#theme option[value=light]").click()
    assert wait_for(opened, lambda: brightness() > 600)
    find(opened, "#theme option[value='']").click()
    assert wait_for(opened, lambda: brightness() < 150)


CUT_LABELS = """
return [...document.querySelectorAll(".plot svg text")].filter((label) => {
  const own = label.getBoundingClientRect(), whole = label.closest("svg").getBoundingClientRect();
  return own.left < whole.left - 1 || own.right > whole.right + 1 || label.textContent.endsWith("\u2026");
}).map((label) => label.textContent)
"""


@needs_browser
@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_sticks_out(opened, width):
    """The page itself never scrolls sideways, also with everything open."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        opened.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
        wait_for(opened, lambda: len(find_all(opened, ".board")) >= 4)
        opened.execute_script("for (const button of document.querySelectorAll('.run-row button')) button.click()")
        find(opened, "#plots").location_once_scrolled_into_view  # noqa: B018
        wait_for(opened, lambda: find_all(opened, "#plot-cactus svg"))
        assert opened.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
        assert opened.execute_script(CUT_LABELS) == []
    finally:
        opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@needs_browser
@pytest.mark.release
def test_ten_thousand_runs(browser, records, tmp_path):
    """The page opens, contains few rows at a time, and reaches the last one."""
    many = []
    for number in range(10_000):
        record = records[number % len(records)]
        name = f"made/{number // 20}.nin"
        many.append({**record, "key": str(number), "instance": name, "cpu": number / 1000, "board": None})
    patched = pytest.MonkeyPatch()
    patched.setattr(report, "charts", lambda records, rules: [])  # they are drawn elsewhere, and take their time
    try:
        path = write_report(many, tmp_path / "report.html", tmp_path)
    finally:
        patched.undo()
    clear_logs(browser)
    browser.get(path.as_uri())
    assert find(browser, "#shown").text == "10,000 runs"
    assert len(find_all(browser, "#run-table tbody tr")) < 100
    heading(browser, "CPU s").click()
    browser.execute_script("const box = document.getElementById('rows'); box.scrollTop = box.scrollHeight")
    wait_for(browser, lambda: column_of(browser, "CPU s")[-1] == "9.999")
    find(browser, "#filter-text").send_keys("made/499.nin")
    wait_for(browser, lambda: find(browser, "#shown").text == "20 of 10,000 runs")
    assert errors_of(browser) == []


def test_runs_may_be_written_twice(solved, records, tmp_path):
    """A result file in which a repeated run has the opposite verdict raises the alarm."""
    again = records[0] | {"status": "UNSATISFIABLE", "date": "2099-01-01T00:00:00+00:00"}
    write_runs(tmp_path, [records[0], again])
    read = read_results([tmp_path])
    text = write_report(read.records, tmp_path / "report.html", solved, found=read.alarms).read_text()
    assert 'role="alert"' in text and "disagree" in text
