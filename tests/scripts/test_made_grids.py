"""The puzzles of instances/grid and their suite: the suite reads each, and the script makes the same bytes again."""

import sys

import pytest
from repository import INSTANCES, REPOSITORY

from cnfgen_puzzles.bench.run.formulacache import Formulas
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.making.clues import minimal_puzzle

sys.path.append(str(REPOSITORY / "scripts" / "make"))
from make_made_grids import SEED, SIDES

FILES = {f"{genre}-{side}x{side}.url" for genre, sides in SIDES.items() for side in sides}


def test_the_suite_reads_every_puzzle(tmp_path):
    suite = read_suite(INSTANCES / "suites" / "grid.yaml")
    formulas = Formulas(suite.folder, tmp_path)
    instances = {task.instance for task in suite.tasks}
    for instance in instances:
        puzzle = formulas.puzzle(instance)
        genre, size = instance.name.removeprefix("grid/").removesuffix(".url").split("-")
        assert (puzzle.family.name, f"{puzzle.width}x{puzzle.height}") == (genre, size) and instance.family == genre
        assert instance.expected == "SATISFIABLE"
    assert {instance.name.removeprefix("grid/") for instance in instances} == FILES
    assert {path.name for path in (INSTANCES / "grid").iterdir()} == FILES | {"README.md"}
    for genre in SIDES:
        encodings = {task.encoding.name for task in suite.tasks if task.instance.family == genre}
        assert encodings == set(find_family(genre).encodings)


@pytest.mark.parametrize("genre", SIDES)
def test_the_script_makes_the_same_bytes(genre):
    side = SIDES[genre][0]
    family = find_family(genre)
    made = family.write(minimal_puzzle(family, side, side, SEED), "url")
    assert (INSTANCES / "grid" / f"{genre}-{side}x{side}.url").read_bytes() == made.encode()
