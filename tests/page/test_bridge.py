"""The functions of the package that the page calls (page/bridge.py), without a browser: wrong values are refused in sentences."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from cnfgen_puzzles.families import GENRES, find_family

ROOT = Path(__file__).resolve().parents[2]
BOARDS = json.loads((ROOT / "tests/families/grid/pzpr-boards.json").read_text())
CAT = (ROOT / "cnfgen_puzzles/samples/cat.nin").read_text()
TULIP = (ROOT / "cnfgen_puzzles/samples/tulip.non").read_text()


@pytest.fixture
def bridge():
    spec = importlib.util.spec_from_file_location("bridge", ROOT / "page" / "bridge.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def call(name, /, **args):
        return json.loads(module.call(name, json.dumps(args)))

    return call


def model_of(cnf):
    """A model of a DIMACS text."""
    with Solver(name="cadical195", bootstrap_with=CNF(from_string=cnf)) as solver:
        assert solver.solve()
        return solver.get_model()


WRONG = {
    "x": "found x in the clue, expected numbers separated by spaces, or 0 for an empty row",
    "99": "found the clue 99, which needs 99 cells, but the row has 25",
    "20 5": "found the clue 20 5, which needs 26 cells, but the row has 25",
    "-1": "found -1 in the clue, expected numbers separated by spaces, or 0 for an empty row",
    "٣": "found ٣ in the clue, expected numbers separated by spaces, or 0 for an empty row",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_clue_of_a_nonogram_is_refused_and_the_puzzle_remains(bridge, text):
    bridge("read", text=CAT, name="cat.nin")
    assert bridge("edit", row=0, column=-1, text=text) == {"error": WRONG[text]}
    assert bridge("clue", row=0, column=-1) == {"result": "1 1"}


def test_a_column_has_as_many_cells_as_the_board_has_rows(bridge):
    bridge("read", text=CAT, name="cat.nin")
    error = "found the clue 24, which needs 24 cells, but the column has 23"
    assert bridge("edit", row=-1, column=0, text="24") == {"error": error}
    assert "result" in bridge("edit", row=-1, column=0, text="23")
    assert bridge("clue", row=-1, column=0) == {"result": "23"}


def test_clues_of_a_colored_nonogram_have_their_colors(bridge):
    bridge("read", text=TULIP, name="tulip.non")
    assert bridge("clue", row=0, column=-1) == {"result": "1y 1r 1r"}
    assert "with one of r p g y after each" in bridge("edit", row=0, column=-1, text="1 1 1")["error"]
    # blocks of two colors need no gap
    assert "needs 12 cells, but the row has 11" in bridge("edit", row=0, column=-1, text="6y 6r")["error"]
    assert "result" in bridge("edit", row=0, column=-1, text="6y 5r")
    assert bridge("clue", row=0, column=-1) == {"result": "6y 5r"}


def test_a_clue_in_a_file_that_needs_too_many_cells_is_a_warning(bridge):
    read = bridge("read", text="rows\n99\n1\n\ncolumns\n1\n1\n", name="the puzzle")["result"]
    assert "row 1: clue 99 needs 99 cells, the row has 2" in read["warnings"][0]
    assert not bridge("read", text=CAT, name="cat.nin")["result"]["warnings"]
    assert bridge("read", text="slither/2/2/3333", name="the puzzle")["result"]["warnings"] == []


@pytest.mark.parametrize("name", [name for name in GENRES if name in BOARDS])
def test_a_wrong_clue_of_a_genre_is_refused(bridge, name):
    read = bridge("read", text=f"{name}/{BOARDS[name]['url']}", name="the puzzle")["result"]
    title = find_family(name).title
    assert title in read["title"] and (title == name or name not in read["title"])
    if bridge("clue", row=0, column=0)["result"] is None:
        return
    for text in ("x", "-1", "1.5", "²", "9" * 5000):
        error = bridge("edit", row=0, column=0, text=text)["error"]
        assert error.startswith("found the clue ") and "expected" in error and len(error) < 120


def test_an_error_in_an_edited_clue_names_no_file(bridge):
    bridge("read", text="slither/2/2/3333", name="the puzzle")
    error = "cell 1: found the clue 5, expected one of 0, 1, 2, 3, 4"
    assert bridge("edit", row=0, column=0, text="5") == {"error": error}


def test_titles_are_those_that_people_know(bridge):
    assert bridge("read", text="lightup/2/2/j", name="the puzzle")["result"]["title"] == "2x2 Light Up"
    assert [name for name in GENRES if not re.match(r"[A-Z]", find_family(name).title)] == []
    read = bridge("read", text="slither/2/2/3333", name="the puzzle")["result"]
    assert read["formats"]["url"] == "a puzz.link URL"


def test_a_download_during_a_count_changes_nothing(bridge):
    """The formula of the search excludes the boards found so far, also after DIMACS or the clauses of a cell were asked for."""
    bridge("read", text="rows\n1\n1\n\ncolumns\n1\n1\n", name="the puzzle")
    model = model_of(bridge("formula")["result"]["cnf"])
    assert bridge("found", model=model)["result"]["boards"] == 1
    bridge("another")
    assert "\np cnf " in bridge("download")["result"] and bridge("clauses_of", row=0, column=0)["result"]["total"]
    assert "falsifies clause" in bridge("found", model=model)["error"]


def test_the_formula_of_a_contradictory_puzzle_can_be_downloaded(bridge):
    bridge("read", text="rows\n2\n0\n\ncolumns\n1\n0\n", name="the puzzle")
    assert bridge("formula")["result"]["sentence"].startswith("No solution: ")
    assert "\np cnf " in bridge("download")["result"]
    assert bridge("clauses_of", row=0, column=0)["result"]["variables"] == ["cell[0, 0]"]


def test_the_page_imports_no_module_that_browsers_lack():
    """Pyodide has none of these modules of the standard library, and the page loads no other packages than PyYAML."""
    lacking = ["resource", "termios", "pwd", "grp", "_multiprocessing", "_posixshmem", "psutil", "click", "tabulate", "numpy"]
    script = (
        f"import sys; sys.modules.update(dict.fromkeys({lacking!r})); sys.path.insert(0, {str(ROOT / 'page')!r}); import bridge"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
