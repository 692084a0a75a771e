"""Tentai Show (Spiral Galaxies)."""

from collections.abc import Iterator, Mapping
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, border_words, cells_around, holed, regions
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.genre import Clauses, Parts
from cnfgen_puzzles.families.grid.layer.kinds import Owned
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components
from cnfgen_puzzles.formula import Block


def turned(star: Cell, cell: Cell) -> Cell:
    """The image of a cell after half a turn about a star."""
    return star[0] - cell[0], star[1] - cell[1]


def cells_at(star: Cell) -> set[Cell]:
    """The cells that a star touches: one, two at a side, or four at a corner."""
    return set(cells_around(star))


class Tentaisho(Owned):
    """Tentai Show: divide the board into regions, each with one star in its center.

    A region looks the same after half a turn about its star. No border passes through a star. Black cells belong to no region.
    """

    name = "tentaisho"
    url = (pzpr.HOLED_POINTS,)
    file = (pzprfile.POINTS, pzprfile.BORDERS)
    rules = "bdPassStar bkNoStar bkNotSymSt bkPlStar"
    connectivity = True

    def stars(self, puzzle: Any) -> list[Cell]:
        """The rows and columns of the stars among the points."""
        return [(y, x) for y, row in enumerate(puzzle.points) for x, mark in enumerate(row) if mark in (1, 2)]

    def holes(self, puzzle: Any) -> set[Cell]:
        """The black cells."""
        return {(r, c) for r, c in puzzle.cells if puzzle.points[2 * r][2 * c] == pzpr.HOLE}

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        stars, free = self.stars(puzzle), set(puzzle.cells) - self.holes(puzzle)
        taken = {cell: star for star in stars for cell in cells_at(star)}
        reach: list[set[Cell]] = []
        for star in stars:
            open_to = {cell for cell in free if taken.get(cell, star) == star}
            parts = components(cell for cell in open_to if turned(star, cell) in open_to)
            reach.append(next((part for part in parts if part >= cells_at(star)), set()))
        block = formula.keyed("owner", [(k, *cell) for k, part in enumerate(reach) for cell in sorted(part)])
        formula.projection = block.variables
        for cell in sorted(free):
            formula.exactly_one([block[k, *cell] for k, part in enumerate(reach) if cell in part], "pairwise")
        for k, (star, part) in enumerate(zip(stars, reach, strict=True)):
            if not part:
                formula.add()
                continue
            for cell in sorted(part):
                formula.add(*([block[k, *cell]] if cell in cells_at(star) else [-block[k, *cell], block[k, *turned(star, cell)]]))
            formula.connected_within({cell: block[k, *cell] for cell in part}, part, connectivity)

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        holes = {place[:2], place[2:]} <= self.holes(puzzle)
        return [[]] * value if holes else super().known_clauses(puzzle, blocks, place, value)

    def drawn_faults(self, puzzle: Any, board: Cells, parts: Parts) -> Iterator[Fault]:
        """A border within a region is a fault only if it passes a star."""
        yield from self.faults(puzzle, board)
        for place, border in parts.items():
            if border and any({place[:2], place[2:]} <= cells_at(star) for star in self.stars(puzzle)):
                yield "bdPassStar", f"{border_words(place, border)} through a star"

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        holes = self.holes(puzzle)
        areas = [set(region) for region in regions(holed(puzzle, board)) if region[0] not in holes]
        inside: list[list[Cell]] = [[] for _ in areas]
        for star in self.stars(puzzle):
            touched = [k for k, region in enumerate(areas) if region & cells_at(star)]
            if len(touched) == 1 and cells_at(star) <= areas[touched[0]]:
                inside[touched[0]].append(star)
            else:
                yield "bdPassStar", f"{at((star[0] // 2, star[1] // 2))}: a border passes through a star"
        for region, stars in zip(areas, inside, strict=True):
            if len(stars) != 1:
                yield "bkPlStar" if stars else "bkNoStar", f"{at(min(region))}: a region with {len(stars)} stars"
            elif any(turned(stars[0], cell) not in region for cell in region):
                yield "bkNotSymSt", f"{at(min(region))}: the star is not the center of its region"


FAMILY = Tentaisho()
