"""Universal maze strings: one string of moves that solves every maze of a set."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from cnfgen_puzzles.families import jsonfields
from cnfgen_puzzles.families.capabilities import Counting, Symmetry
from cnfgen_puzzles.families.family import Family
from cnfgen_puzzles.families.maze.encodings import ENCODINGS
from cnfgen_puzzles.families.maze.formats import FORMATS, GENERATORS, OPTIONS, puzzle_from_json, puzzle_to_json, read
from cnfgen_puzzles.families.maze.model import THIN, maze_text
from cnfgen_puzzles.families.maze.puzzle import MazeString, StringSymmetry, check_string, solved_last, string_of
from cnfgen_puzzles.families.maze.sets import reduced, size_of
from cnfgen_puzzles.formula import Block

# Modules that only some calls need (the CEGAR loop, pictures) are imported on demand.


class MazeCounting(Counting):
    """The action of the symmetries of a set of mazes on strings."""

    options: ClassVar = {"symmetry": "representatives"}

    def symmetry(self, puzzle: MazeString, blocks: Mapping[str, Block]) -> Symmetry:
        return StringSymmetry(puzzle, blocks)


MOST_SETS = {True: 1 << 12, False: 1 << 16}
"""The most sets of walls (thin) or of blocked cells that the program of the rules tries, in a few seconds."""
MOST_LISTED = 20_000


def rules_in_awk(puzzle: MazeString, string: str) -> tuple[str, str] | None:
    """The program `families/awk/maze-rules.awk` and its input; None for too many mazes."""
    mazes, thin = puzzle.mazes, puzzle.mazes.kind == THIN
    places = len(mazes.grid.edges) if thin else max(mazes.grid.cells - 2, 0)
    if "mazes" in puzzle_to_json(puzzle):
        checked = len(mazes) <= MOST_LISTED
    else:  # the program makes all mazes of the grid
        checked = 1 << places <= MOST_SETS[thin] and not reduced(mazes.kind, mazes.grid, ()).unsolved(string)
    return ("maze-rules", f"{string}\n") if checked else None


class MazeFamily(Family):
    """Reads, encodes, decodes, checks, and draws strings that solve mazes; a board is such a string."""

    name = "maze"
    summary = "universal maze strings (one string of moves that solves every maze)"
    puzzle = MazeString
    formats = FORMATS
    encodings = ENCODINGS
    options = OPTIONS
    reads_file = False
    examples = ("--kind blocked --size 3x3 --length 11", "sample:few --length 10", "--generate subset --size 3x3 --seed 7")
    capabilities: ClassVar = {
        "generators": GENERATORS,
        "views": "cnfgen_puzzles.families.maze.views:VIEWS",
        "refinement": "cnfgen_puzzles.families.maze.refinement:MazeRefinement",
        "rules_in_awk": rules_in_awk,
        "counting": MazeCounting(),
    }

    # -- puzzles --------------------------------------------------------------------------------------------------------

    parse = staticmethod(read)
    puzzle_to_json = staticmethod(puzzle_to_json)
    puzzle_from_json = staticmethod(puzzle_from_json)

    def describe(self, puzzle: MazeString) -> str:
        grid, count = puzzle.mazes.grid, len(puzzle.mazes)
        mazes = f"{count} {puzzle.mazes.kind} {size_of(grid)} maze{'s' * (count != 1)}"
        return f"string of {len(puzzle.pattern)} letters ({len(puzzle.free)} free) for {mazes}"

    def size(self, puzzle: MazeString) -> dict[str, int]:
        return {"letters": len(puzzle.pattern), "mazes": len(puzzle.mazes)}

    def blank(self, puzzle: MazeString) -> str:
        """The mazes before the first letter."""
        return ""

    def small_puzzles(self) -> list[MazeString]:
        grids = (("blocked", "2x2", "***"), ("blocked", "2x2", "*S*"), ("thin", "2x1", "**"), ("thin", "2x1", "E"))
        return [self.read(None, kind=kind, size=size, pattern=pattern) for kind, size, pattern in grids]

    def working(self, puzzle: MazeString) -> list[str]:
        """The maze with the largest lower bound."""
        if not puzzle.mazes:
            return []
        number, _ = puzzle.mazes.hardest()
        return [f"maze {number + 1} is {maze_text(puzzle.mazes[number])}, the pattern {puzzle.pattern}"]

    # -- boards ---------------------------------------------------------------------------------------------------------

    def decode(self, puzzle: MazeString, blocks: Mapping[str, Block], true: Collection[int]) -> str:
        return string_of(puzzle.pattern, blocks["dir"], true)

    def check(self, puzzle: MazeString, board: str) -> list[str]:
        return check_string(puzzle, board)

    def board_to_json(self, puzzle: MazeString, board: str) -> Any:
        solved, found = solved_last(puzzle.mazes, board)
        last = [{"maze": maze_text(puzzle.mazes[number]), "number": number + 1, "letters": steps} for number, steps in found]
        return {"string": board, "length": len(board), "mazes": len(puzzle.mazes), "solved": solved, "last": last}

    def board_from_json(self, puzzle: MazeString, entry: Any) -> str:
        string: str = jsonfields.from_json(str, entry["string"])
        return string

    def differences(self, puzzle: MazeString, board: str, other: str) -> list[str]:
        if len(board) != len(other):
            return [f"{len(board)} letters and {len(other)}"]
        return [f"letter {step}: {a} and {b}" for step, (a, b) in enumerate(zip(board, other, strict=True), start=1) if a != b]


FAMILY = MazeFamily()
