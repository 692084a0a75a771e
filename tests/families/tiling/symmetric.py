"""All symmetries of a tiling puzzle by brute force: every move of every part onto every part, every exchange of pieces.

Shares no code with the package: a move is a bijection of cells, and a symmetry if it maps the places of each piece to those of a
piece that is used equally often, and groups to groups.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations, product

import tilingbrute

from cnfgen_puzzles.families.tiling.puzzle import EMPTY


def moves(puzzle, places):
    """Each symmetry once, as the list of the images of `places`, which are all (number of a piece, cells)."""
    puzzle = without_empty(puzzle)
    laid = [n for n, _ in enumerate(puzzle.pieces) if any(number == n for number, _ in places)]
    known = set(places)
    found = set()
    for exchange in permutations(laid):
        becomes = dict(zip(laid, exchange, strict=True))
        if not exchanged(puzzle, becomes):
            continue
        parts = together(puzzle, places)
        local = {part: [place for place in places if place[1] <= part] for part in parts}
        ways = [[way for way in turns(puzzle, part, parts) if fits(way, local[part], becomes, known)] for part in parts]
        for chosen in product(*ways):
            moved = {cell: target for way in chosen for cell, target in way.items()}
            if len(set(moved.values())) == len(moved):
                found.add(tuple((becomes[n], frozenset(moved[cell] for cell in cells)) for n, cells in places))
    return found


def classes(puzzle) -> tuple[int, int]:
    """The number of solutions up to symmetry, and in all."""
    found = set(tilingbrute.solutions(puzzle))
    laid = [(number, cells) for number, piece in enumerate(puzzle.pieces) for cells in tilingbrute.places(puzzle, piece)]
    ways = [dict(zip(laid, images, strict=True)) for images in moves(puzzle, laid)]
    return len({frozenset(frozenset(map(way.get, each)) for way in ways) for each in found}), len(found)


def without_empty(puzzle):
    """The puzzle without the cells that stay empty, which have no effect on symmetries."""
    board = {cell: kind for cell, kind in puzzle.board.items() if kind != EMPTY}
    return replace(puzzle, board=board) if board else puzzle


def exchanged(puzzle, becomes) -> bool:
    """Whether exchanged pieces have the same bounds, and groups are mapped to groups."""
    pieces, same = puzzle.pieces, lambda n: becomes.get(n, n)
    if any(
        (pieces[a].least, pieces[a].most, pieces[a].colors) != (pieces[b].least, pieces[b].most, pieces[b].colors)
        for a, b in becomes.items()
    ):
        return False
    groups = Counter((frozenset(group.pieces), group.least, group.most) for group in puzzle.groups)
    return groups == Counter((frozenset(map(same, group.pieces)), group.least, group.most) for group in puzzle.groups)


def together(puzzle, places) -> list[frozenset]:
    """The parts of the board with placements: cells are connected if they are neighbors or a disconnected piece covers both."""
    part = {cell: frozenset([cell]) for cell in puzzle.board}
    pairs = [(cell, near) for cell in puzzle.board for near in puzzle.neighbours(cell)]
    pairs += [(min(cells), cell) for n, cells in places if not puzzle.lattice.connected(puzzle.pieces[n].shape) for cell in cells]
    for one, other in pairs:
        if part[one] is not part[other]:
            joined = part[one] | part[other]
            part |= dict.fromkeys(joined, joined)
    return [each for each in dict.fromkeys(part.values()) if any(cells <= each for _, cells in places)]


def turns(puzzle, part, parts):
    """Every image of a part under turns and moves that is a part of the same form."""
    kind = tilingbrute.orthogonal if puzzle.lattice.name in ("square", "cubic") else tilingbrute.sixfold
    first = min(part)
    for _, turn in kind(len(first)):
        for other in parts:
            for target in other:
                shift = [a - b for a, b in zip(target, turn(first), strict=True)]
                way = {c: tilingbrute.reduced(puzzle, [a + s for a, s in zip(turn(c), shift, strict=True)]) for c in part}
                looks = all(
                    puzzle.board.get(b) == puzzle.board[a] and puzzle.colors.get(b) == puzzle.colors.get(a)
                    for a, b in way.items()
                )
                if set(way.values()) == other and looks:
                    yield way


def fits(way, places, becomes, known) -> bool:
    return all((becomes[n], frozenset(way[cell] for cell in cells)) in known for n, cells in places)
