"""Encodings of connected sets of cells.

There are four:

- `tree-cotree`: linear size, planar. Each cell points to a parent, each lattice point to a dual parent, and no arcs cross. The
  auxiliary variables are not functions of the board: project.
- `rank`: quadratic size. The distance of each cell from the first cell of the set, exactly. All auxiliary variables are functions
  of the board, so a formula has as many models as the puzzle has solutions.
- `diagonal-forest`: n log n, where no two cells outside the set share a side. These cells, with the border as one more vertex,
  are a forest under diagonal adjacency. The auxiliary variables are not functions of the board: project.
- `lazy`: no clauses. `cuts` gives cuts that a disconnected set violates (minimal vertex separators), for a CEGAR loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations, product
from typing import Any

from cnfgen_puzzles.families.grid.layer.cuts import OUTSIDE, LazySet
from cnfgen_puzzles.families.squares import Cell, neighbors
from cnfgen_puzzles.formula.formula import FALSE, TRUE

Cells = Mapping[Cell, int]
"""A set of cells: a literal for each."""
DIRECT, TREE_COTREE, RANK, LAZY, DIAGONAL_FOREST = "direct", "tree-cotree", "rank", "lazy", "diagonal-forest"
TAPS = {2: 1, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 9: 4, 10: 3, 11: 2, 15: 1, 17: 3}
"""For a number n of bits, a number k such that x^n + x^k + 1 is primitive: its shift register has the period 2^n - 1."""


def _size(cells: Cells) -> tuple[int, int]:
    """The height and width of the rectangle that the cells fill."""
    return max((r + 1 for r, _ in cells), default=0), max((c + 1 for _, c in cells), default=0)


def _rank(formula: Any, cells: Cells, outside: bool) -> None:
    """within[k][cell]: the cell is in the set and at most k steps from its first cell, or from the outside.

    A shortest path in the set has at most three cells in each block of 2 x 2, which bounds k.
    """
    listed = sorted(cells)
    if outside:
        within = {cell: cells[cell] if any(o not in cells for o in neighbors(cell)) else FALSE for cell in listed}
    else:
        within, none_before = {}, TRUE
        for cell in listed:
            within[cell] = formula.iff_and([none_before, cells[cell]])
            none_before = formula.iff_and([none_before, -cells[cell]])
    height, width = _size(cells)
    for _ in range(3 * -(-height // 2) * -(-width // 2) - 1):
        after = {}
        for cell in listed:
            near = formula.iff_or([within[cell], *(within.get(other, FALSE) for other in neighbors(cell))])
            after[cell] = formula.iff_and([cells[cell], near])
        if after == within:
            break
        within = after
    for cell in listed:
        formula.add_folded(-cells[cell], within[cell])


def _tree_cotree(formula: Any, cells: Cells, outside: bool) -> None:
    """A spanning tree of all cells and one of the lattice points that do not cross (Euler: each side of a cell is crossed by an
    arc of one of them). Each cell of the set but the first has its parent in the set.

    A cycle of arcs between cells would enclose lattice points whose arcs cannot leave it, hence a cycle of those, and so on
    inwards; the roots lie beside each other at the border, so no cycle separates them. Hence both are trees without ranks.
    """
    height, width = _size(cells)
    out: dict[tuple[str, Cell], list[int]] = {}
    segments: list[list[int]] = []
    arcs: list[tuple[Cell, Cell, int]] = []
    root = OUTSIDE if outside else (0, 0)
    dual_root = (0, 0) if outside else OUTSIDE

    def vertex(cell: Cell) -> Cell:
        return cell if 0 <= cell[0] < height and 0 <= cell[1] < width else OUTSIDE

    def point(r: int, c: int) -> Cell:
        return (r, c) if outside or (0 < r < height and 0 < c < width) else OUTSIDE

    def segment(a: Cell, b: Cell, p: Cell, q: Cell) -> None:
        if not outside and OUTSIDE in (a, b):
            return
        literals = []
        for kind, source, target, base in (
            ("cell", a, b, root),
            ("cell", b, a, root),
            ("point", p, q, dual_root),
            ("point", q, p, dual_root),
        ):
            if source != base:
                arc = formula.new()
                out.setdefault((kind, source), []).append(arc)
                literals.append(arc)
                if kind == "cell":
                    arcs.append((source, target, arc))
        segments.append(literals)

    for r, c in product(range(height + 1), range(width + 1)):
        if c < width:
            segment(vertex((r - 1, c)), vertex((r, c)), point(r, c), point(r, c + 1))
        if r < height:
            segment(vertex((r, c - 1)), vertex((r, c)), point(r, c), point(r + 1, c))
    for literals in segments:
        formula.add_clauses((-a, -b) for a, b in combinations(literals, 2))
    for literals in out.values():
        formula.add_clause(literals)
    earlier = dict.fromkeys(cells, TRUE) if outside else _earlier(formula, cells)
    for source, target, arc in arcs:
        if source in cells:
            formula.add_folded(-arc, -cells[source], -earlier[source], TRUE if target == OUTSIDE else cells.get(target, FALSE))


def _diagonal_forest(formula: Any, cells: Cells, outside: bool) -> None:
    """The cells outside the set, no two of which share a side, and the border as one vertex have no cycle of diagonal steps.

    Such a cycle separates cells of the set, and a part of the set that is cut off has one around it. Each edge between two of
    these cells leads up from one of them, at most one leads up from each, and none from a cell at the border. A linear feedback
    shift register takes a step along each edge, and no cycle is as long as its period.
    """
    if outside:
        raise ValueError("the encoding diagonal-forest is for sets that do not count the outside")
    (height, width), border = _size(cells), {cell for cell in cells for other in neighbors(cell) if other not in cells}
    bits = next(n for n in TAPS if 2 ** (n + 1) > len(cells) + 3)
    state = {cell: formula.auxiliary(bits) for cell in cells if cell not in border}
    up: dict[Cell, list[int]] = {cell: [] for cell in state}
    for cell in state:
        formula.add(*state[cell])
    for (r, c), literal in cells.items():
        if 1 in (height, width) and 0 < r + c < height + width - 2:  # it touches the border on two sides
            formula.add_folded(literal)
        for other in ((r + 1, c - 1), (r + 1, c + 1)):
            ways = []
            for low, high in (((r, c), other), (other, (r, c))) if other in cells else ():
                if low in state:
                    ways.append(arc := formula.new())
                    up[low].append(arc)
                    if high in state:
                        for bit, after in zip(state[low][1:], state[high], strict=False):
                            formula.add_clauses([(-arc, -bit, after), (-arc, bit, -after)])
                        a, b, last = state[low][0], state[low][TAPS[bits]], state[high][-1]
                        formula.add_clauses((-arc, i * a, j * b, -i * j * last) for i in (1, -1) for j in (1, -1))
            if other in cells:
                formula.add_folded(literal, cells[other], *ways)
    for arcs in up.values():
        formula.add_clauses((-a, -b) for a, b in combinations(arcs, 2))


def _earlier(formula: Any, cells: Cells) -> dict[Cell, int]:
    """For each cell: a cell before it, in reading order, is in the set."""
    found, before = {}, FALSE
    for cell in sorted(cells):
        found[cell] = before
        before = formula.iff_or([before, cells[cell]])
    return found


CONNECTED: Mapping[str, Callable[[Any, Cells, bool], None]] = {
    TREE_COTREE: _tree_cotree,
    RANK: _rank,
    DIAGONAL_FOREST: _diagonal_forest,
    LAZY: lambda formula, cells, outside: formula.lazy.append(LazySet(cells, outside)),
}
"""Functions of a `GridFormula`, a set of cells, and whether it may be connected through the outside."""
