"""A user's road (options or a file, puzzle, reductions, formula, string, check) passes six files of the family, and no other."""

import subprocess
import sys
from pathlib import Path

import pytest

import cnfgen_puzzles.families.maze as family

FOLDER = Path(family.__file__).parent
FILES = {"__init__", "model/__init__", "model/puzzle", "sets/__init__", "formats/__init__", "encode/__init__"}

AT_THE_END = """
import atexit, sys
family = "cnfgen_puzzles.families.maze"
atexit.register(lambda: print(*(m.__file__ for n, m in sys.modules.items() if n.startswith(family)), file=sys.stderr))
"""
GENERATE = """
from cnfgen_puzzles.cli.gen_cnf import main
main()
"""
DECODE = """
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.instance import make_instance
maze = find_family("maze")
instance = make_instance(maze, maze.read(None, kind="thin", size="2x2", pattern="NESWNEN****"))
direction = instance.map.blocks["dir"]
true = {direction[7, 3], direction[8, 2], direction[9, 1], direction[10, 0]}
string = maze.decode(instance.puzzle, instance.map.blocks, true)
assert string == "NESWNENWSEN" and maze.check(instance.puzzle, string) == []
assert maze.puzzle_from_json(instance.map.puzzle) == instance.puzzle
"""
FILE = "mazes thin 2x3\n6ac/1.1 0,0\n4.4/3a9 1,2\n"


def passed(code, *words, input=""):
    """The family's files that a process has loaded when it ends, without `.py`."""
    command = [sys.executable, "-c", AT_THE_END + code, *words]
    run = subprocess.run(command, input=input, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    return {str(Path(file).relative_to(FOLDER).with_suffix("")) for file in run.stderr.split()}


@pytest.mark.parametrize(
    ("words", "input"),
    [
        (("maze", "--kind", "thin", "--size", "2x2", "--length", "11"), ""),
        (("maze", "--kind", "blocked", "--size", "3x3", "--pattern", "E***SE***", "--reduce", "none"), ""),
        (("maze", "-", "--length", "9"), FILE),
    ],
)
def test_from_the_command_line_to_a_formula(words, input):
    assert passed(GENERATE, *words, input=input) == FILES


def test_from_options_to_a_checked_string():
    assert passed(DECODE) == FILES


@pytest.mark.parametrize(
    ("words", "more"),
    [
        (("--encoding", "states"), {"encode/states"}),
        (("--encoding", "article"), {"encode/article"}),
        (("--lemmas", "2"), {"encode/lemmas"}),
        (("--symmetry", "representatives"), {"model/symmetry"}),
        (("--reduce", "all"), {"sets/dominance", "model/automaton"}),
    ],
)
def test_what_is_rare_is_loaded_where_it_is_asked_for(words, more):
    assert passed(GENERATE, "maze", "--kind", "blocked", "--size", "2x3", "--length", "6", *words) == FILES | more
