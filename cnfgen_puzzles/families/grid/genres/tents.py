"""Tents."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.grid.layer.boards import Fault, around, at, cells_with, touching
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import Size
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import Cell, components, neighbors


class Tents(Shading):
    """Tents: place a tent beside each tree, so that trees and tents form pairs that share a side.

    No two tents share a side or a corner. A number outside says how many tents its row or column has.
    """

    name = "tents"
    url = (pzpr.HEADINGS, pzpr.ONES)
    file = (pzprfile.framed(pzprfile.mixed({"A": (pzpr.NONE, 1), "-": (pzpr.NONE, 0)})),)
    rules = "tentAround nmTreeNone nmTentGt nmTentNone nmTentLt exTentNe"
    connectivity = False
    signs: ClassVar = {1: "♣"}
    looks: ClassVar = {0: Look("."), 1: Look("▲", written=True)}

    clue_field = "outside"

    def random_board(self, puzzle: Any, choice: SeededChoice) -> Cells:
        tents = set[Cell]()
        for cell in choice.shuffled(puzzle.cells):
            if tents.isdisjoint(around(puzzle, cell)) and len(tents) < len(puzzle.cells) // 5:
                tents.add(cell)
        return Size(puzzle.height, puzzle.width).rows([int(cell in tents) for cell in puzzle.cells])

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        side, k = place
        return pzpr.NONE if side % 2 else sum(row[k] for row in board) if side == 0 else sum(board[k])

    def clued(self, puzzle: Any, board: Cells, choice: SeededChoice) -> Any:
        """With a tree beside each tent; None if there is no room."""
        trees, tents = set[Cell](), cells_with(board, 1)
        for tent in tents:
            free = [cell for cell in neighbors(tent) if cell in puzzle.cells and cell not in trees and cell not in tents]
            if not free:
                return None
            trees.add(choice.chosen(free))
        numbers = Size(puzzle.height, puzzle.width).rows([1 if cell in trees else pzpr.NONE for cell in puzzle.cells])
        return super().clued(replace(puzzle, numbers=numbers), board, choice)

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        tent = formula.subset("shaded")
        trees = [cell for cell, _ in puzzle.given()]
        formula.no_two_touching(tent)
        for cell in trees:
            formula.add(-tent[cell])
        free = tent.keys() - set(trees)
        pairs = [(*tree, *cell) for tree in trees for cell in neighbors(tree) if cell in free]
        pair = formula.keyed("pair", pairs)
        for tree in trees:
            formula.exactly_one([pair[key] for key in pairs if key[:2] == tree], "pairwise")
        for cell in sorted(free):
            found = [pair[key] for key in pairs if key[2:] == cell]
            formula.at_most_one(found, "pairwise")
            formula.add(-tent[cell], *found)
            for variable in found:
                formula.add(-variable, tent[cell])
        for line, number in puzzle.sights():
            formula.exactly_k([tent[cell] for cell in line], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        trees, tents = {cell for cell, _ in puzzle.given()}, set(cells_with(board, 1))
        for cell in [*touching(board, 1), *sorted(trees & tents)]:
            yield "tentAround", f"{at(cell)}: the tent touches another one, or it stands on a tree"
        for camp in components(trees | tents, lambda cell: set(neighbors(cell)) & (tents if cell in trees else trees)):
            found, expected = len(camp & tents), len(camp & trees)
            if found != expected:
                code = "nmTreeNone" if not expected else "nmTentNone" if not found else None
                code = code or ("nmTentGt" if found > expected else "nmTentLt")
                yield code, f"{at(min(camp))}: {found} tents beside {expected} trees"
        for line, number in puzzle.sights():
            if (found := sum(board[r][c] for r, c in line)) != number:
                yield "exTentNe", f"{at(line[0])}: the line has {found} tents, expected {number}"


FAMILY = Tents()
