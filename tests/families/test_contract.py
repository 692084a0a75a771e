"""All families of this package, and one in a separate package that follows docs/how-to/adding-a-family.md, against the
contract."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from itertools import permutations, product
from pathlib import Path

import pytest
from exhaustive import gridranges
from installedcheckers import OF_HINTS
from smallpuzzles import small_puzzles

import cnfgen_puzzles as cp
from cnfgen_puzzles.families import BUILT_IN, Option, find_family
from cnfgen_puzzles.families.jsonfields import from_json, to_json
from cnfgen_puzzles.families.options import checked_options
from cnfgen_puzzles.testing import check_family, models

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "tests" / "sudokux"
SOLVED = "826439175\n394751268\n517682943\n268394751\n943517682\n175826439\n682943517\n439175826\n751268394\n"
PUZZLE = """.2.......
...7.1..8
........3
2....4.5.
.........
.7.82.4..
...9..5.7
4........
7.12.....  ; with 19 digits
"""


OWN = ("tiling", "maze")  # they declare their small puzzles
SLOW = "nonogram"  # it has the most encodings and formats: a minute


@pytest.mark.sample(15)
@pytest.mark.long
@pytest.mark.parametrize("name", [pytest.param(SLOW, marks=pytest.mark.release), *(name for name in BUILT_IN if name != SLOW)])
def test_built_in_families_satisfy_the_contract(name):
    family = find_family(name)
    known = {"solutions": partial(gridranges.solutions, family)} if name in gridranges.GENRES else {}
    puzzles = () if name in OWN else small_puzzles(family)
    told = check_family(family, puzzles, **known)
    assert re.match(r"(\d+) of \1 puzzles: the models of every encoding are all boards", told[0])


# -- the Sudoku X package -------------------------------------------------------------------------------------------------


def test_sudokux_satisfies_the_contract():
    family = find_family("sudokux")  # `make setup` installs tests/sudokux
    small = [puzzle for puzzle in family.small_puzzles() if puzzle.height == 4]

    def solutions(puzzle):
        rows = [[p for p in permutations((1, 2, 3, 4)) if all(g in (0, d) for g, d in zip(row, p, strict=True))]
                for row in puzzle.givens]  # fmt: skip
        return [board for board in product(*rows) if not family.check(puzzle, board)]

    assert "2 of 2 puzzles: the models of every encoding are all boards" in check_family(family, solutions=solutions)[0]
    assert sum(len(solutions(puzzle)) for puzzle in small) == 2  # of the first; the second contradicts itself


LANGFORD = (0, 0, 1, 1, 0, 0, 26, 150)
"""OEIS A014552 from n = 1: Langford pairings up to reversal."""


def test_langford_satisfies_the_contract():
    told = check_family(find_family("langford"))  # without generators, with a default of its reader's option
    assert "commands: solve-puzzle, with --unique, and decode-cnf give a board that obeys the rules" in told
    assert any("symmetry" in line for line in told)


@pytest.mark.parametrize("n", range(1, 9))
def test_langford_pairings_match_published_counts(n):
    family = find_family("langford")
    puzzle = family.read(None, n=n)
    formula = family.encode(puzzle)
    reversal = family.counting.symmetry(puzzle, formula.blocks)
    found = {frozenset(model & set(formula.projection)) for model in models(formula)}
    assert len({reversal.canonical(true)[0] for true in found}) == LANGFORD[n - 1]
    assert len(found) == 2 * LANGFORD[n - 1]


def test_langford_counts_through_the_pipeline():
    family = find_family("langford")
    found = cp.count(family.read())  # n = 7 by default
    assert (found.solutions, found.raw) == (26, 52)
    assert cp.solve(family.read(None, n=6)).status == "UNSATISFIABLE"  # by parity, no solver runs


def test_a_family_is_at_most_120_lines_and_the_page_shows_it():
    files = ["cnfgen_sudokux.py", "pyproject.toml", "suite.yaml"]
    texts = [(PACKAGE / name).read_text() for name in files]
    assert sum(len(text.splitlines()) for text in texts) <= 120
    page = (ROOT / "docs/how-to/adding-a-family.md").read_text()
    assert all(text in page for text in texts)
    assert max(map(len, texts[0].splitlines())) <= 130


def test_sudokux_on_the_command_line(command, tmp_path):
    file = tmp_path / "x.sdk"
    file.write_text(PUZZLE)
    done = command("solve-puzzle", "sudokux", file, "--unique", "--as", "plain", "--quiet")
    assert done.returncode == 0 and done.stdout.decode() == SOLVED + f"The only solution (proof checked by {OF_HINTS}).\n"
    boxes = command("solve-puzzle", "sudokux", file, "--quiet").stdout.decode().splitlines()
    assert boxes[0] == " 8 2 6 | 4 3 9 | 1 7 5" and boxes[3] == "-------+-------+------"
    assert command("solve-puzzle", "sudokux", file, "--count", "--quiet").stdout.startswith(b"1 solution. No others (claimed by ")
    for view, magic in (("svg", b"<svg"), ("png", b"\x89PNG"), ("json", b"{")):
        assert command("solve-puzzle", "sudokux", file, "--as", view, "--quiet").stdout.startswith(magic)
    cnf = command("gen-cnf", "sudokux", "--generate", "holes", "--order", 2, "--givens", 8, "--seed", 3).stdout
    board = command("decode-cnf", input=command("run-cnf", "cadical", "-", input=cnf).stdout).stdout.decode()
    assert len(re.findall(r"[1-4]", board)) == 16


def test_sudokux_in_a_suite(command, tmp_path):
    suite = tmp_path / "suite.yaml"
    suite.write_text((PACKAGE / "suite.yaml").read_text().replace("seeds: 1-3", "seeds: 1").replace("[3, 4]", "2"))
    done = command("bench-cnf", suite, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in (tmp_path / "results" / "sudokux" / "runs.jsonl").read_text().splitlines()]
    assert {(r["status"], r["family"]) for r in records} == {("SATISFIABLE", "sudokux")} and len(records) == 4
    assert any(r.get("board") for r in records)


@pytest.mark.parametrize(
    "text, told",
    [
        ("12\n34\n", "x.sdk: found 2 rows, expected 1, 4, 9 or 16"),
        ("1234\n12\n", "x.sdk:2: found 2 cells, expected 4 as above"),
        ("12x4\n" * 4, "x.sdk:1: found 'x'"),
        ("", "x.sdk:1: found no rows"),
        ("5...\n" * 4, "x.sdk: found a digit that is none of 1 to 4"),
    ],
)
def test_errors_in_files_name_the_line(command, tmp_path, text, told):
    (tmp_path / "x.sdk").write_text(text)
    done = command("solve-puzzle", "sudokux", "x.sdk", cwd=tmp_path)
    assert done.returncode == 2 and told in done.stderr.decode() and b"Traceback" not in done.stderr


# -- options ------------------------------------------------------------------------------------------------------------

OPTIONS = (
    Option("symmetry", "", "all", choices=("all", "representatives")),
    Option("copies", "", 1, int, least=1, most=9),
    Option("share", "", None, float, least=0),
    Option("placed", "", True, bool),
    Option("size", "", "20"),
)


@pytest.mark.parametrize(
    "given, value",
    [
        ({"symmetry": "all"}, "all"),
        ({"copies": 3}, 3),
        ({"copies": "3"}, 3),
        ({"share": 2}, 2),
        ({"share": "0.5"}, 0.5),
        ({"placed": "no"}, False),
        ({"placed": True}, True),
        ({"size": 30}, "30"),
    ],
)
def test_options_take_values_and_texts(given, value):
    assert list(checked_options(OPTIONS, given, "it").values()) == [value]


@pytest.mark.parametrize(
    "given, told",
    [
        ({"symetry": "all"}, r"unknown option of it 'symetry'; did you mean symmetry\?"),
        ({"symmetry": "representatve"}, r"unknown symmetry 'representatve'; did you mean representatives\?.*\(it\)"),
        ({"symmetry": True}, "unknown symmetry 'True'"),
        ({"copies": 0}, "found copies 0, expected 1 to 9"),
        ({"copies": 2.5}, "found 2.5, expected a whole number for copies"),
        ({"copies": True}, "found True, expected a whole number for copies"),
        ({"copies": "x"}, "found 'x', expected a whole number for copies"),
        ({"share": float("nan")}, "found nan, expected a number for share"),
        ({"share": "inf"}, "found 'inf', expected a number"),
        ({"share": -1}, "expected at least 0"),
        ({"placed": "maybe"}, "expected true or false for placed"),
        ({"size": ["3"]}, "expected text for size"),
    ],
)
def test_wrong_options_raise_input_errors(given, told):
    with pytest.raises(cp.InputError, match=told):
        checked_options(OPTIONS, given, "it")


def test_a_wrong_option_never_loses_solutions_silently(command, tmp_path):
    """`symmetry="representatve"` once lost solutions silently, and the nonogram reader accepted any option."""
    (tmp_path / "x.nin").write_text("1 1\n1\n1\n")
    with pytest.raises(cp.InputError, match=r"unknown option of the family nonogram 'formt'; did you mean format\?"):
        cp.read(tmp_path / "x.nin", family="nonogram", formt="nin")
    done = command("gen-cnf", "tiling", "--board", "2x3", "--pieces", "3*domino", "--symmetry", "representatve")
    assert done.returncode == 2 and b"did you mean representatives?" in done.stderr


# -- JSON by fields -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind, value",
    [
        (tuple[tuple[int, ...], ...], ((1, 2), ())),
        (tuple[int, str], (1, "a")),
        (Mapping[str, int | None], {"a": None, "b": 2}),
        (frozenset[int], frozenset({3, 1})),
        (list[bool], [True]),
        (float, 2.0),
    ],
)
def test_values_survive_json(kind, value):
    assert from_json(kind, json.loads(json.dumps(to_json(value)))) == value


@pytest.mark.parametrize(
    "kind, entry",
    [(int, True), (int, 1.0), (str, 1), (tuple[int, str], [1]), (tuple[int, ...], {}), (Mapping[str, int], {"a": "b"}),
     (int | None, "x"), (find_family("nonogram").puzzle, {"rows": [[1]]}),
     (find_family("nonogram").puzzle, {"rows": [[1]], "columns": [[1]], "extra": 1}),
     (find_family("nonogram").puzzle, {"rows": [[-1]], "columns": [[1]]})],
)  # fmt: skip
def test_json_of_another_type_is_refused(kind, entry):
    with pytest.raises((KeyError, TypeError, ValueError)):
        from_json(kind, entry)


def test_options_of_all_families_together_give_no_warning(command):
    done = command("solve-puzzle", "--n", "7", "--quiet")
    assert done.returncode == 2 and b"found no puzzle, expected a family" in done.stderr
    assert b"Warning" not in done.stderr and b"more than once" not in done.stderr
