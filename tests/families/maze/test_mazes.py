"""Enumeration, reductions and bit-parallel simulation, against published numbers and against walks cell by cell."""

import random

import mazenaive
import pytest

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.families.maze.formats import read_mazes
from cnfgen_puzzles.families.maze.model import LETTERS, Grid, maze_text
from cnfgen_puzzles.families.maze.puzzle import direction_keys, string_of
from cnfgen_puzzles.families.maze.sets import (
    STEPS,
    check_size,
    chosen_steps,
    grid_of,
    mazes_of,
    reduced,
    step_names,
)
from cnfgen_puzzles.formula.blocks import KeyBlock
from studies.maze_reductions.counts import effects, effects_of
from studies.mazes.cases import verified

THIN_3X3 = {
    "exits": 138_172,
    "starts": 30_464,
    "component": 12_934,
    "shift": 12_246,
    "small": 12_140,
    "paths": 11_300,
    "ends": 10_824,
    "loops": 10_772,
    "leaves": 8_292,
}
INSTANCES = {
    ("thin", "2x1"): 2,
    ("thin", "3x1"): 10,
    ("thin", "2x2"): 100,
    ("thin", "3x2"): 1_842,
    ("blocked", "2x2"): 3,
    ("blocked", "3x2"): 8,
    ("blocked", "3x3"): 51,
    ("blocked", "4x3"): 295,
}


def mutants(string, count, seed=0):
    """Strings near one that solves everything, so many of them fail only in few mazes."""
    chance = random.Random(seed)
    for _ in range(count):
        letters = list(string)
        for _ in range(chance.randrange(1, 4)):
            letters[chance.randrange(len(letters))] = chance.choice(LETTERS)
        yield "".join(letters)


def test_the_numbers_of_the_article_thin():
    grid = Grid(3, 3)
    table = effects("thin", grid, step_names("thin"))
    assert {row.step: row.left for row in table} == THIN_3X3  # each step has an effect
    assert all(row.argument for row in table)
    mazes = reduced("thin", grid, chosen_steps("thin"))
    assert len(mazes) == 10_772
    order = [(-maze.reachable.bit_count(), maze.open.bit_count()) for maze in mazes]
    assert order == sorted(order)  # most cells first, then most walls


@pytest.mark.release  # dominance among 2,083 mazes
def test_the_numbers_of_the_article_blocked():
    table = effects_of("blocked", "4x4", "all")
    assert {row.step: row.left for row in table} == {
        "cells": 16_384, "solvable": 3_828, "component": 2_423, "goal": 2_083, "dominance": 1_874
    }  # fmt: skip


@pytest.mark.parametrize(("case", "count"), INSTANCES.items())
def test_instances_of_small_grids(case, count):
    kind, size = case
    grid = grid_of(size)
    first = {"thin": "exits", "blocked": "solvable"}[kind]
    assert next(row.left for row in effects(kind, grid, ()) if row.step == first) == count
    lines = mazenaive.all_lines(kind, grid.height, grid.width)
    assert (sum(map(mazenaive.exits, lines)) if kind == "thin" else len(lines)) == count
    assert sorted(map(maze_text, reduced(kind, grid, ()))) == sorted(lines)


def test_known_strings_solve_everything(known):
    """Every known string on all mazes without reductions, bit-parallel and (small grids) cell by cell."""
    assert len(known) > 5
    for entry in known:
        grid = grid_of(entry["size"])
        everything = reduced(entry["kind"], grid, ())
        assert len(entry["string"]) == entry["length"]
        assert everything.unsolved(entry["string"]) == []
        if len(everything) < 4000:
            assert all(mazenaive.solves(maze_text(maze), entry["string"]) for maze in everything)


@pytest.mark.release
def test_the_79_letters_by_hand(best):
    """On every start of every set of walls; with one letter less, both simulations fail in the same mazes."""
    everything = reduced("thin", Grid(3, 3), ())
    lines = [maze_text(maze) for maze in everything]
    assert [number for number, line in enumerate(lines) if not mazenaive.solves(line, best[:-1])] == everything.unsolved(
        best[:-1]
    )
    assert everything.unsolved(best) == []
    assert sum(maze.reachable.bit_count() - 1 for maze in everything) == 138_172


@pytest.mark.parametrize(
    ("kind", "size"), [("thin", (2, 3)), ("thin", (1, 5)), ("thin", (4, 1)), ("blocked", (3, 3)), ("blocked", (2, 4))]
)
def test_simulation_is_the_walk_by_hand(kind, size):
    chance = random.Random(1)
    mazes = reduced(kind, Grid(*size), ())
    mazes = mazes.chosen(chance.sample(range(len(mazes)), min(len(mazes), 40)))
    lines = [maze_text(maze) for maze in mazes]
    for length in (0, 1, 5, 12, 30):
        string = "".join(chance.choices(LETTERS, k=length))
        unsolved = [number for number, line in enumerate(lines) if not mazenaive.solves(line, string)]
        assert mazes.unsolved(string) == unsolved
        after = mazes.solved_after(string)
        for line, steps in zip(lines, after, strict=True):
            first = next((n for n in range(length + 1) if mazenaive.solves(line, string[:n])), -1)
            assert steps == first


CASES = [("thin", "2x2"), ("thin", "3x2"), ("thin", "3x3"), ("blocked", "3x3"), ("blocked", "4x3"), ("blocked", "4x4")]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("kind", "size"), CASES)
def test_reductions_lose_nothing(kind, size, known):
    """Each step alone, the default steps, and all steps: a string that fails in a removed maze fails in a remaining one."""
    string = next(entry["string"] for entry in known if (entry["kind"], entry["size"]) == (kind, size))
    grid = grid_of(size)
    everything = reduced(kind, grid, ())
    chosen = [(step.name,) for step in STEPS[kind]] + [chosen_steps(kind), step_names(kind)]
    left = [reduced(kind, grid, names) for names in chosen]
    for mutant in mutants(string, 150 if len(everything) < 5000 else 40):
        solved = not everything.unsolved(mutant)
        assert [not mazes.unsolved(mutant) for mazes in left] == [solved] * len(left)


def test_steps_by_name():
    assert chosen_steps("thin", "loops, shift") == ("shift", "loops")
    assert chosen_steps("thin", "none") == () and chosen_steps("blocked", "all") == ("component", "goal")
    with pytest.raises(InputError, match="did you mean shift"):
        chosen_steps("thin", "shfit")


@pytest.mark.parametrize(
    ("kind", "size", "told"),
    [
        ("thin", (4, 4), r"2\^24 sets of walls with 16 starts each"),
        ("thin", (3, 4), None),
        ("blocked", (5, 5), r"2\^23 sets of blocked cells"),
        ("thin", (100_000, 100_000), "too many to list"),
        ("blocked", (4, 5), None),
    ],
)
def test_errors_for_too_large_grids_contain_the_number_of_mazes(kind, size, told):
    if told is None:
        check_size(kind, Grid(*size))
    else:
        with pytest.raises(InputError, match=told):
            check_size(kind, Grid(*size))


def test_the_hardest_maze_bounds_every_string():
    assert reduced("thin", Grid(3, 3), ()).hardest()[1] == 8
    mazes = reduced("blocked", Grid(3, 3), ())
    assert mazes.hardest()[1] == 4
    closed = read_mazes("mazes blocked 2x2\n../..\n.#/#.\n", "x")
    assert closed.hardest() == (1, None)


def test_mazes_by_options(best):
    assert len(mazes_of("blocked", "3 x 2", "none")) == 8
    for words in (("thick", "2x2"), ("thin", "2y"), ("thin", "2x2", "shfit"), ("thin", "9x9")):
        with pytest.raises(InputError):
            mazes_of(*words)
    assert verified("thin", "3x3", best) == best
    with pytest.raises(CnfgenError, match=r"solve \d+ thin mazes of 3x3") as caught:
        verified("thin", "3x3", best[:-1])
    assert not isinstance(caught.value, InputError)  # no user's mistake


def test_a_string_is_read_from_any_model():
    pattern = "N**E*"
    direction = KeyBlock("dir", 5, tuple(direction_keys(pattern)))
    assert direction.variables == range(5, 17)
    assert string_of(pattern, direction, [1, -5, 6, 12, 15, -16, 20]) == "NEWES"
    assert string_of(pattern, direction, [5, 6, 12]) == "N?WE?"  # said twice, and not said
