"""The suffix of -o determines the format; --as must agree; convert-puzzle reports what it omits."""

from __future__ import annotations

import json
from xml.dom import minidom

import pytest
from click.testing import CliRunner
from PIL import Image

from cnfgen_puzzles.cli import convert_puzzle, decode_cnf, solve_puzzle


def run(command, *arguments):
    return CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False, standalone_mode=False)


def opens(path):
    if path.suffix.lower() == ".png":
        Image.open(path).load()
    elif path.suffix.lower() == ".svg":
        minidom.parse(str(path))
    else:
        json.loads(path.read_text())


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "name, more",
    [("x.png", ["--unique"]), ("x.svg", ["--all"]), ("X.PNG", ["--all"]), ("x.json", []), ("x.json", ["--count"])],
)
def test_the_suffix_determines_the_output(name, more, tmp_path):
    output = tmp_path / name
    run(solve_puzzle.COMMAND, "tiling", "--board", "2x3", "--pieces", "domino: any", *more, "-o", output)
    opens(output)


def test_decode_cnf_follows_the_suffix(tmp_path):
    answer = tmp_path / "answer"
    puzzle = tmp_path / "p.nin"
    puzzle.write_text("1 1\n1\n1\n")
    from cnfgen_puzzles.cli import gen_cnf

    run(gen_cnf.COMMAND, "nonogram", puzzle, "-e", "direct", "-o", tmp_path / "p.cnf")
    variables = int((tmp_path / "p.cnf").read_text().split("p cnf ")[1].split()[0])
    answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, range(1, variables + 1))) + " 0\n")
    run(decode_cnf.COMMAND, answer, "--map", tmp_path / "p.map.json", "-o", tmp_path / "b.png")
    opens(tmp_path / "b.png")


def test_conversions_report_what_they_lose(tmp_path):
    puzzle = tmp_path / "p.non"
    puzzle.write_text('title ""\nby "A "B" C"\nlicense CC0\nwidth 1\nheight 1\nrows\n1\ncolumns\n1\ngoal "1"\n')
    told = run(convert_puzzle.COMMAND, "nonogram", puzzle, "--to", "nin").stderr
    assert {"title", "author", "license", "goal"} <= set(told.strip().partition("store: ")[2].split(", "))
    assert not run(convert_puzzle.COMMAND, "nonogram", puzzle, "--to", "non").stderr
    told = run(convert_puzzle.COMMAND, "maze", "--kind", "thin", "--size", "2x2", "--pattern", "N***", "--to", "mazes").stderr
    assert told == "note: mazes cannot store: the pattern\n"
