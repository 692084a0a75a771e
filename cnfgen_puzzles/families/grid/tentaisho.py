"""Tentai Show (Spiral Galaxies)."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from cnfgen_puzzles.families.grid import pzpr, pzprfile
from cnfgen_puzzles.families.grid.constraints import Cell, GridFormula, components, neighbors
from cnfgen_puzzles.families.grid.genre import Fault, Regions, at
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.formula.formula import FALSE


def turned(star: Cell, cell: Cell) -> Cell:
    """The image of a cell after half a turn about a star."""
    return star[0] - cell[0], star[1] - cell[1]


def cells_at(star: Cell) -> set[Cell]:
    """The cells that a star touches: one, two at a side, or four at a corner."""
    return set(product({star[0] // 2, (star[0] + 1) // 2}, {star[1] // 2, (star[1] + 1) // 2}))


class Tentaisho(Regions):
    """Tentai Show: divide the board into regions, each with one star in its center.

    A region looks the same after half a turn about its star. No border passes through a star. Black cells belong to no region.
    """

    name = "tentaisho"
    url = (pzpr.POINTS,)
    file = (pzprfile.POINTS, pzprfile.REGIONS)
    rules = "bdPassStar bkNoStar bkNotSymSt bkPlStar"

    def stars(self, puzzle: Any) -> list[Cell]:
        """The rows and columns of the stars among the points."""
        return [(y, x) for y, row in enumerate(puzzle.points) for x, mark in enumerate(row) if mark in (1, 2)]

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
            rows, columns = sorted({r for r, _ in part}), sorted({c for _, c in part})
            box = product(range(len(rows)), range(len(columns)))
            here = {(r, c): (k, r + rows[0], c + columns[0]) for r, c in box}
            formula.connected({cell: block[key] if key[1:] in part else FALSE for cell, key in here.items()}, connectivity)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        free = set(puzzle.cells) - self.holes(puzzle)
        regions = components(free, lambda a: [b for b in neighbors(a) if b in free and board[a[0]][a[1]] == board[b[0]][b[1]]])
        inside: list[list[Cell]] = [[] for _ in regions]
        for star in self.stars(puzzle):
            touched = [k for k, region in enumerate(regions) if region & cells_at(star)]
            if len(touched) == 1 and cells_at(star) <= regions[touched[0]]:
                inside[touched[0]].append(star)
            else:
                yield "bdPassStar", f"{at((star[0] // 2, star[1] // 2))}: a border passes through a star"
        for region, stars in zip(regions, inside, strict=True):
            if len(stars) != 1:
                yield "bkPlStar" if stars else "bkNoStar", f"{at(min(region))}: a region with {len(stars)} stars"
            elif any(turned(stars[0], cell) not in region for cell in region):
                yield "bkNotSymSt", f"{at(min(region))}: the star is not the center of its region"


FAMILY = Tentaisho()
