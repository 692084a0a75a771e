"""Battleship."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, bank_faults, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.genre import Parts
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pieces import FLEETS, orientations, piece_cells
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import components, neighbors
from cnfgen_puzzles.formula.formula import FALSE

WATER, MIDDLE, WHOLE = 0, 5, 6
NEIGHBORS = {1: 8, 2: 1, 3: 4, 4: 2, WHOLE: 0, 7: 12, 8: 10, 9: 5, 10: 3}
"""For the clue of a part of a ship: where the ship continues (up 1, left 2, right 4, down 8)."""


class Battleship(Shading):
    """Battleship: place the ships of the fleet, turned and reflected as needed, so that no two share a side or a corner.

    A number outside says how many cells of its row or column belong to ships. A clue in a cell shows water or a part of a ship:
    an end, a corner, a middle part (with ship on two opposite sides), a whole ship of one cell, or any part.
    """

    name = "battleship"
    url = (pzpr.HEADINGS, pzpr.NUMBERS, pzpr.bank(FLEETS))
    file = (pzprfile.bank(FLEETS), pzprfile.framed(pzprfile.CLUES, write=pzprfile.number_token), pzprfile.SHIPS)
    rules = "csPieceExtra bankGt bankInvalid shDiag csMismatch exShadeNe bankLt"
    connectivity = False
    clue_field = "outside"
    looks: ClassVar = {0: Look("."), 1: Look("#", written=True)}
    ships: ClassVar = {**NEIGHBORS, MIDDLE: 15}
    signs: ClassVar = dict(enumerate("~∩∪⊂⊃□○┌┐└┘"))

    def board_of(self, puzzle: Any, parts: Parts) -> Cells:
        """With the cells that clues tell."""
        return super().board_of(puzzle, dict(parts) | {cell: int(clue != WATER) for cell, clue in puzzle.given()})

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        ship = formula.subset("shaded")
        formula.pieces(ship, [orientations(piece_cells(piece)) for piece in puzzle.bank], corners=True)
        for cell, clue in puzzle.given():
            formula.add(-ship[cell] if clue == WATER else ship[cell])
            up, left, right, down = (ship.get(other, FALSE) for other in neighbors(cell))
            if clue == MIDDLE:
                formula.add_folded(formula.iff_and([up, down]), formula.iff_and([left, right]))
            elif clue in NEIGHBORS:
                for k, literal in enumerate((up, left, right, down)):
                    formula.add_folded(literal if NEIGHBORS[clue] >> k & 1 else -literal)
            elif clue > WHOLE:
                formula.add()
        for line, number in puzzle.sights():
            formula.exactly_k([ship[cell] for cell in line], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        ships = cells_with(board, 1)
        part_of = {cell: n for n, part in enumerate(components(ships)) for cell in part}
        for r, c in ships:
            if any((r + 1, c + k) in part_of and part_of[r + 1, c + k] != part_of[r, c] for k in (-1, 1)):
                yield "shDiag", f"{at((r, c))}: two ships touch at a corner"
        yield from bank_faults(puzzle, board)
        for cell, clue in puzzle.given():
            goes_on = sum(1 << k for k, other in enumerate(neighbors(cell)) if other in part_of)
            middle = goes_on & 9 == 9 or goes_on & 6 == 6
            fits = clue < WATER or (middle if clue == MIDDLE else not middle and goes_on == NEIGHBORS.get(clue))
            if cell in part_of and (clue == WATER or (not fits and clue != MIDDLE and goes_on)):
                yield "csPieceExtra", f"{at(cell)}: there is more of a ship than the clue shows"
            if clue != WATER and (cell not in part_of or not fits):
                yield "csMismatch", f"{at(cell)}: not the part of a ship that the clue shows"
        for line, number in puzzle.sights():
            if (found := sum(board[r][c] for r, c in line)) != number:
                yield "exShadeNe", f"{at(line[0])}: the line has {found} cells of ships, expected {number}"


FAMILY = Battleship()
