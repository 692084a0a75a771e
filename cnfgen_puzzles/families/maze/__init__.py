"""Universal maze strings: one string of moves that solves every maze of a set."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from cnfgen_puzzles.families.family import Family, Symmetry
from cnfgen_puzzles.families.maze.encode.encodings import ENCODINGS
from cnfgen_puzzles.families.maze.formats import jsonform, options
from cnfgen_puzzles.families.maze.formats.mazelines import FORMATS, write_mazes
from cnfgen_puzzles.families.maze.model import board as boards
from cnfgen_puzzles.families.maze.model.puzzle import MazeString
from cnfgen_puzzles.families.maze.model.symmetry import StringSymmetry
from cnfgen_puzzles.families.maze.refine.refinement import MazeRefinement
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.ground.sources import Source


class MazeFamily(Family):
    """Reads, encodes, decodes, checks and draws strings that solve mazes; a board is such a string."""

    name = "maze"
    summary = "universal maze strings (one string of moves that solves every maze)"
    formats = FORMATS
    encodings = ENCODINGS
    default_encoding = "pruned"
    options = options.OPTIONS
    reads_file = False
    refinement = MazeRefinement

    def read(self, source: Source | None, **options_given: Any) -> MazeString:
        return options.read(source, **options_given)

    def write(self, puzzle: MazeString, format: str) -> str:
        return write_mazes(puzzle.mazes)

    def puzzle_to_json(self, puzzle: MazeString) -> dict[str, Any]:
        return jsonform.to_json(puzzle)

    def puzzle_from_json(self, entry: Mapping[str, Any]) -> MazeString:
        return jsonform.from_json(entry)

    def warnings(self, puzzle: MazeString) -> list[str]:
        return puzzle.contradictions()

    def describe(self, puzzle: MazeString) -> str:
        grid, count = puzzle.mazes.grid, len(puzzle.mazes)
        mazes = f"{count} {puzzle.mazes.kind} {grid.height}x{grid.width} maze{'s' * (count != 1)}"
        return f"string of {len(puzzle.pattern)} letters ({len(puzzle.free)} free) for {mazes}"

    def size(self, puzzle: MazeString) -> dict[str, int]:
        return {"letters": len(puzzle.pattern), "mazes": len(puzzle.mazes)}

    # -- boards -------------------------------------------------------------------------------------------------------

    def decode(self, puzzle: MazeString, blocks: Mapping[str, Block], true: Collection[int]) -> str:
        return boards.string_of(puzzle, blocks["dir"], true)

    def check(self, puzzle: MazeString, board: str) -> list[str]:
        return boards.check_string(puzzle, board)

    def board_to_json(self, puzzle: MazeString, board: str) -> Any:
        return boards.to_json(puzzle, board)

    def board_from_json(self, puzzle: MazeString, entry: Any) -> str:
        return boards.from_json(entry)

    def differences(self, puzzle: MazeString, board: str, other: str) -> list[str]:
        return boards.differences(board, other)

    @property
    def generators(self):
        from cnfgen_puzzles.families.maze.sets.generators import GENERATORS  # seldom needed

        return GENERATORS

    @property
    def views(self):
        from cnfgen_puzzles.families.maze.views.pictures import VIEWS  # drawing is not needed to encode a puzzle

        return VIEWS

    def symmetry(self, puzzle: MazeString, blocks: Mapping[str, Block]) -> Symmetry:
        return StringSymmetry(puzzle, blocks)


FAMILY = MazeFamily()
