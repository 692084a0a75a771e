"""A formula that would be too large is refused with its number of clauses, before it is made."""

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.maze.encodings import ENCODERS, build, estimated_clauses
from cnfgen_puzzles.pipeline.cegar import CegarLoop


def puzzle(size, length):
    return find_family("maze").read(None, kind="thin", size=size, length=length)


@pytest.mark.parametrize("name", ENCODERS)
def test_the_estimate_is_near(name):
    thin = puzzle("2x3", 12)
    made = build(thin, name).num_clauses
    assert made / 2 < estimated_clauses(thin, name) < 2 * made


def test_all_mazes_of_3x3(command):
    run = command("gen-cnf", "maze", "--kind", "thin", "--size", "3x3", "--length", "78")
    assert run.returncode == 2 and not run.stdout
    assert b"56,836,303 clauses" in run.stderr and b"--first" in run.stderr


def test_the_limit_is_an_option(command):
    words = ("gen-cnf", "maze", "--kind", "thin", "--size", "2x3", "--length", "12", "--most-clauses")
    assert command(*words, "1000").returncode == 2
    assert command(*words, "1000000").returncode == 0


def test_the_loop_has_it_too():
    loop = CegarLoop(find_family("maze"), puzzle("2x2", 10), options={"most_clauses": 200})
    with pytest.raises(InputError, match="--most-clauses"):
        list(loop.boards())
