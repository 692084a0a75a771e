"""The string as a board: the rules (a simulation, independent of every encoding), which mazes it solves last, and JSON.

Not here: pictures (`pictures.py`), the simulation itself (`mazes.py`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.families.maze.formats.mazelines import maze_text
from cnfgen_puzzles.families.maze.model.grid import DIRECTIONS, LETTERS
from cnfgen_puzzles.families.maze.model.mazeset import Mazes
from cnfgen_puzzles.families.maze.model.puzzle import FREE, MazeString
from cnfgen_puzzles.formula import Block

SHOWN_FAULTS = 20
LAST = 6
"""How many mazes are shown of those that a string solves last."""


def string_of(puzzle: MazeString, direction: Block, true: Collection[int]) -> str:
    """The string of a model; `?` where it does not say exactly one direction."""
    found = []
    for step, letter in enumerate(puzzle.pattern):
        if letter == FREE:
            said = [LETTERS[d] for d in DIRECTIONS if direction[step, d] in true]
            letter = said[0] if len(said) == 1 else "?"
        found.append(letter)
    return "".join(found)


def check_string(puzzle: MazeString, string: str) -> list[str]:
    """The rules that the string breaks, in words; empty for a solution."""
    if len(string) != len(puzzle.pattern):
        return [f"the string has {len(string)} letters, the pattern {len(puzzle.pattern)}"]
    faults = []
    for step, (letter, wanted) in enumerate(zip(string, puzzle.pattern, strict=True), start=1):
        if letter not in LETTERS:
            faults.append(f"letter {step} is {letter}, expected one of N, E, S, W")
        elif wanted not in (FREE, letter):
            faults.append(f"letter {step} is {letter}, the pattern says {wanted}")
    if faults:
        return faults
    unsolved = puzzle.mazes.unsolved(string)
    faults += [f"maze {number + 1} is not solved: {_how_far(puzzle.mazes, number, string)}" for number in unsolved[:SHOWN_FAULTS]]
    if len(unsolved) > SHOWN_FAULTS:
        faults.append(f"{len(unsolved) - SHOWN_FAULTS} more mazes of {len(puzzle.mazes)} are not solved")
    return faults


def _how_far(mazes: Mazes, number: int, string: str) -> str:
    maze = mazes[number]
    visited = len({cell for cell in maze.walk(string) if maze.must >> cell & 1})
    return f"{visited} of {maze.must.bit_count()} cells that must be visited are ({maze_text(maze)})"


@dataclass(frozen=True)
class Verdict:
    """What a string does: how many mazes it solves, and the numbers of those that it solves last with how many letters each took.

    Mazes that it does not solve come first, with -1.
    """

    solved: int
    last: tuple[tuple[int, int], ...]


def verdict(mazes: Mazes, string: str, count: int = LAST) -> Verdict:
    """How the string does on the mazes; of those that take longest, `count` are named."""
    steps = mazes.solved_after(string)
    order = sorted(range(len(steps)), key=lambda number: (steps[number] >= 0, -steps[number], number))
    return Verdict(sum(step >= 0 for step in steps), tuple((number, steps[number]) for number in order[:count]))


def differences(string: str, other: str) -> list[str]:
    """The letters in which two strings differ."""
    if len(string) != len(other):
        return [f"{len(string)} letters and {len(other)}"]
    return [f"letter {step}: {a} and {b}" for step, (a, b) in enumerate(zip(string, other, strict=True), start=1) if a != b]


def to_json(puzzle: MazeString, string: str) -> dict[str, Any]:
    """The string and the mazes that it solves last."""
    found = verdict(puzzle.mazes, string)
    last = [{"maze": maze_text(puzzle.mazes[number]), "number": number + 1, "letters": steps} for number, steps in found.last]
    return {"string": string, "length": len(string), "mazes": len(puzzle.mazes), "solved": found.solved, "last": last}


def from_json(entry: Any) -> str:
    """The string that `to_json` described; KeyError or TypeError if it does not describe one."""
    string = entry["string"]
    if not isinstance(string, str):
        raise TypeError(f"found {type(string).__name__}, expected a string of letters")
    return string
