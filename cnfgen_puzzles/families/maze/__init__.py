"""Universal maze strings: one string of moves that solves every maze of a set."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from cnfgen_puzzles.families.family import Family, Refinement, Symmetry, View
from cnfgen_puzzles.families.maze.encode import ENCODINGS
from cnfgen_puzzles.families.maze.formats import (
    FORMATS,
    GENERATORS,
    OPTIONS,
    board_from_json,
    board_to_json,
    puzzle_from_json,
    puzzle_to_json,
    read,
    write_mazes,
)
from cnfgen_puzzles.families.maze.model.puzzle import MazeString, check_string, differences, string_of
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.ground.sources import Source


class MazeFamily(Family):
    """Reads, encodes, decodes, checks and draws strings that solve mazes; a board is such a string."""

    name = "maze"
    summary = "universal maze strings (one string of moves that solves every maze)"
    formats = FORMATS
    encodings = ENCODINGS
    default_encoding = "pruned"
    options = OPTIONS
    generators = GENERATORS
    reads_file = False

    def read(self, source: Source | None, **options_given: Any) -> MazeString:
        return read(source, **options_given)

    def write(self, puzzle: MazeString, format: str) -> str:
        return write_mazes(puzzle.mazes)

    def puzzle_to_json(self, puzzle: MazeString) -> dict[str, Any]:
        return puzzle_to_json(puzzle)

    def puzzle_from_json(self, entry: Mapping[str, Any]) -> MazeString:
        return puzzle_from_json(entry)

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
        return string_of(puzzle.pattern, blocks["dir"], true)

    def check(self, puzzle: MazeString, board: str) -> list[str]:
        return check_string(puzzle, board)

    def board_to_json(self, puzzle: MazeString, board: str) -> Any:
        return board_to_json(puzzle, board)

    def board_from_json(self, puzzle: MazeString, entry: Any) -> str:
        return board_from_json(entry)

    def differences(self, puzzle: MazeString, board: str, other: str) -> list[str]:
        return differences(board, other)

    # -- what only some users need is imported when it is asked for -------------------------------------------------------

    @property
    def views(self) -> dict[str, View]:  # type: ignore[override]  # read-only, and made late
        from cnfgen_puzzles.families.maze.views.pictures import VIEWS

        return VIEWS

    @property
    def refinement(self) -> type[Refinement]:  # type: ignore[override]  # read-only, and made late
        from cnfgen_puzzles.families.maze.refine.refinement import MazeRefinement

        return MazeRefinement

    def symmetry(self, puzzle: MazeString, blocks: Mapping[str, Block]) -> Symmetry:
        from cnfgen_puzzles.families.maze.model.symmetry import StringSymmetry

        return StringSymmetry(puzzle, blocks)


FAMILY = MazeFamily()
