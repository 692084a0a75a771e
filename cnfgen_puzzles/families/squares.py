"""Cells of a board of squares: a row and a column, both from 0 at the top left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Cell = tuple[int, int]


def neighbors(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The four cells that share a side with this one, also beyond the border."""
    r, c = cell
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)


def components(members: Iterable[Any], around: Callable[[Any], Iterable[Any]] = neighbors) -> list[set[Any]]:
    """The connected components of a set of cells, or of other vertices with an order."""
    left, found = set(members), []
    for start in sorted(left):
        if start in left:
            left.remove(start)
            component, queue = {start}, [start]
            while queue:
                for other in around(queue.pop()):
                    if other in left:
                        left.remove(other)
                        component.add(other)
                        queue.append(other)
            found.append(component)
    return found
