"""The `.xmpuzzle` format of BurrTools: gzipped or plain XML with shapes and with problems that use them.

    <puzzle version="2"><gridType type="0"/><colors/>
    <shapes><voxel x="2" y="1" z="1" type="0">##</voxel><voxel x="2" y="2" z="1" type="0">####</voxel></shapes>
    <problems><problem><shapes><shape id="0" count="2"/></shapes><result id="1"/><bitmap/></problem></problems></puzzle>

Source: https://burrtools.sourceforge.net/lib-doc/xmpuzzleFormat.html, the user guide, and the behavior of version 0.6.

* A shape lists its voxels with x running fastest, then y, then z: `_` empty, `#` filled, `+` variable (may stay empty in the
  goal), each optionally with the number of a color. The voxel (x, y, z) is the cell (z, y, x).
* Pieces are rotated in space, never mirrored, and used `count` times, or from `min` to `max` times.
* A voxel of color p of a piece may cover a voxel of color r of the goal if the bitmap has the pair (p - 1, r - 1), or if one of
  them has no color. Pieces of this package have one set of colors. A piece whose voxels may cover different colors is pinned to
  all places that the rules allow; solutions that differ only in how it is turned within the same cells count once.
* Found solutions, weights, hotspots, and groups (which matter only for disassembly) are ignored. Other grids than cubes are
  refused, and so is a limit on holes (`maxHoles`) that the volumes do not determine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from itertools import product
from operator import add, sub

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, input_limits
from cnfgen_puzzles.common.readers.strictxml import Element, parse_xml, root_name
from cnfgen_puzzles.families.lattice import CUBIC, SQUARE, Cell, turn_cell
from cnfgen_puzzles.families.tiling.pieces import Piece, distinct
from cnfgen_puzzles.families.tiling.puzzle import COVERED, EMPTY, OPTIONAL, Tiling

GRIDS = ("cubes", "triangular prisms", "spheres", "rhombic tetrahedra", "tetrahedra and octahedra")
VOXEL = re.compile(r"([_#+])(\d{0,3})")
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
EXPECTED = "a BurrTools puzzle"


def recognise(text: str) -> bool:
    """True if the text is XML with a puzzle element."""
    return root_name(text) == "puzzle"


def read_set(text: str, source: str) -> Sequence[Callable[[], Tiling]]:
    """A reader for each problem of the file; raises InputError."""
    root = parse_xml(text, source, EXPECTED)
    if root.name != "puzzle":
        raise root.error(f"found the root element <{root.name}>, expected <puzzle>")
    if root.attributes.get("version") != "2":
        raise root.error(f"found version {root.attributes.get('version', 'none')} of the format, expected version 2")
    grid = root.only("gridType")
    if grid.attributes.get("type") != "0":
        number = _number(grid, "type", 0, 99)
        name = GRIDS[number] if number < len(GRIDS) else "unknown"
        raise grid.error(f"found the grid of type {number} ({name}), expected type 0 (cubes)")
    found = root.only("problems").named("problem")
    if not found:
        raise root.error("found no <problem>, expected at least one")
    shapes = root.only("shapes").named("voxel")
    return [partial(_problem, root, shapes, problem) for problem in found]


def _number(element: Element, attribute: str, least: int, most: int, default: int | None = None) -> int:
    """A whole number of an attribute, from `least` to `most`."""
    text = element.attributes.get(attribute, "" if default is None else str(default))
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most):
        found = repr(text) if attribute in element.attributes else "none"
        raise element.error(f"found {found} for {attribute!r} of <{element.name}>, expected a number from {least} to {most}")
    return int(text)


# -- shapes -------------------------------------------------------------------------------------------------------------


Voxels = dict[Cell, tuple[bool, int]]
"""For each cell of a shape, whether its voxel is fixed, and its color (0: none)."""


def _shape(shapes: Sequence[Element], user: Element) -> tuple[Element, Voxels]:
    """The shape to which `user` refers, and its voxels."""
    number = _number(user, "id", 0, 10**9)
    if number >= len(shapes):
        message = f"found the shape {number}, expected one of the {len(shapes)} shapes of the file, which count from 0"
        raise user.error(message)
    element = shapes[number]
    sides = [_number(element, axis, 1, 10**9 - 1) for axis in "zyx"]
    volume = sides[0] * sides[1] * sides[2]
    text = "".join(element.text.split())
    signs = sum(map(text.count, "_#+"))
    if signs != volume and not re.search(r"[^_#+0-9]", text):
        raise element.error(f"found {signs} voxels, expected {' x '.join(map(str, sides[::-1]))} = {volume}")
    checked_amount("cells", max(signs, volume), found=f"a shape of {volume} voxels", source=element.source, line=element.line)
    found = VOXEL.findall(text)
    if "".join(state + color for state, color in found) != text:
        raise element.error("found an invalid voxel, expected _, #, or +, optionally with the number of a color")
    cells = product(*map(range, sides))
    voxels = {cell: (s == "#", int(color or 0)) for cell, (s, color) in zip(cells, found, strict=True) if s != "_"}
    if not voxels:
        raise element.error("found an empty shape, expected at least one voxel")
    return element, voxels


# -- problems -----------------------------------------------------------------------------------------------------------


def _problem(root: Element, shapes: Sequence[Element], problem: Element) -> Tiling:
    _, goal = _shape(shapes, problem.only("result"))
    allowed = {
        (_number(pair, "piece", 0, 999) + 1, _number(pair, "result", 0, 999) + 1)
        for bitmap in problem.named("bitmap")
        for pair in bitmap.named("pair")
    }
    board = {cell: COVERED if fixed else OPTIONAL for cell, (fixed, _) in goal.items()}
    colors = {cell: str(color) for cell, (_, color) in goal.items() if color}
    on_board = {cell: color for cell, (_, color) in goal.items()}
    pieces: list[Piece] = []
    cells = 0
    for user in problem.only("shapes").named("shape"):
        pieces.append(_piece(shapes, user, allowed, on_board))
        cells += pieces[-1].size
        checked_amount("steps", cells, found=f"pieces with {cells} cells", source=user.source, line=user.line)
    checked_amount("pieces", sum(piece.least for piece in pieces), source=problem.source, line=problem.line)
    about = {"title": problem.attributes["name"]} if problem.attributes.get("name") else {}
    comment = " ".join(" ".join(element.text.split()) for element in root.named("comment"))
    if comment:
        about["description"] = comment
    puzzle = Tiling(CUBIC, board, tuple(distinct(p for p in pieces if p.most)), False, True, colors, about=about)
    _check_holes(puzzle, problem)
    return puzzle


def _piece(shapes: Sequence[Element], user: Element, allowed: set[tuple[int, int]], on_board: dict[Cell, int]) -> Piece:
    """A shape and its use in a problem; `on_board` is the color of each cell of the goal, 0 for none."""
    shape, voxels = _shape(shapes, user)
    if not all(fixed for fixed, _ in voxels.values()):
        raise shape.error("found a variable voxel (+) in a piece, expected # and _; only a goal can have variable voxels")
    if "count" in user.attributes or "min" not in user.attributes or "max" not in user.attributes:
        least = most = _number(user, "count", 0, input_limits().pieces, default=1)
    else:
        least, most = (_number(user, bound, 0, input_limits().pieces) for bound in ("min", "max"))
        if least > most:
            raise user.error(f"found at least {least} and at most {most} pieces, expected bounds in order")
    of_goal = {color for color in on_board.values() if color}
    rules = {p: frozenset(r for r in of_goal if not p or (p, r) in allowed) for p in {color for _, color in voxels.values()}}
    name = shape.attributes.get("name") or f"S{int(user.attributes['id']) + 1}"
    piece = Piece(name, CUBIC.normal(voxels), least, most)
    if len({*rules.values()}) > 1:
        pinned = _places({cell: rules[color] | {0} for cell, (_, color) in voxels.items()}, on_board, user)
        if not pinned and most:
            raise user.error("found a piece in several colors that fits nowhere on the goal, expected one that fits")
        return replace(piece, pinned=pinned)
    (colors,) = {*rules.values()}
    return replace(piece, colors=None if colors == of_goal else frozenset(map(str, colors)))


def _places(voxels: dict[Cell, frozenset[int]], on_board: dict[Cell, int], user: Element) -> tuple[frozenset[Cell], ...]:
    """The sets of cells where each voxel of the rotated piece covers a color that it may cover."""
    checked_amount("steps", len(CUBIC.rotations) * len(on_board) * len(voxels), source=user.source, line=user.line)
    found = set[frozenset[Cell]]()
    for matrix in CUBIC.rotations:
        turned = [(turn_cell(matrix, cell), allowed) for cell, allowed in voxels.items()]
        for target in on_board:
            offset = tuple(map(sub, target, turned[0][0]))
            if all(on_board.get(tuple(map(add, cell, offset)), -1) in allowed for cell, allowed in turned):
                found.add(frozenset(tuple(map(add, cell, offset)) for cell, _ in turned))
    return tuple(sorted(found, key=sorted))


def _check_holes(puzzle: Tiling, problem: Element) -> None:
    """Checks that the volumes imply the limit on empty cells, because puzzles have no such limit."""
    if "maxHoles" not in problem.attributes:
        return
    limit = _number(problem, "maxHoles", 0, 2**32 - 1)
    least = sum(piece.least * piece.size for piece in puzzle.pieces)
    room = len(puzzle.coverable) - max(least, len(puzzle.must_cover))
    if room > limit:
        raise problem.error(f"found at most {limit} holes where the pieces can leave {room}; a limit on holes is not supported")


# -- writing ------------------------------------------------------------------------------------------------------------


def write(puzzle: Tiling) -> str:
    """The puzzle as a file with one problem; InputError for features that BurrTools does not support.

    A flat puzzle becomes a layer of cubes if its pieces may be turned over, because a rotation in space does that.
    """
    _check_can_be_written(puzzle)
    flat = puzzle.lattice is SQUARE
    goal = {(0, *cell) if flat else cell: kind for cell, kind in puzzle.board.items()}
    names = sorted(set(puzzle.colors.values()))
    color_of = {(0, *cell) if flat else cell: names.index(color) + 1 for cell, color in puzzle.colors.items()}
    permissions = sorted({tuple(sorted(p.colors & set(names))) for p in puzzle.pieces if p.colors is not None and names})
    lines = ['<?xml version="1.0"?>', '<puzzle version="2">', '<gridType type="0"/>']
    count = len(names) + len(permissions)
    palette = [
        f'<color red="{60 + 97 * n % 196}" green="{60 + 151 * n % 196}" blue="{60 + 37 * n % 196}"/>' for n in range(count)
    ]
    lines += ["<colors>", *palette, "</colors>", "<shapes>"]
    users = []
    for number, piece in enumerate(puzzle.pieces):
        cells = [(0, *cell) if flat else cell for cell in piece.shape]
        color = 0
        if piece.colors is not None and names:
            color = len(names) + permissions.index(tuple(sorted(piece.colors & set(names)))) + 1
        lines.append(_voxel(piece.name, dict.fromkeys(cells, ("#", color))))
        most = len(puzzle.coverable) // piece.size if piece.most is None else piece.most
        bounds = f'count="{most}"' if piece.least == most else f'min="{piece.least}" max="{max(piece.least, most)}"'
        users.append(f'<shape id="{number}" {bounds}/>')
    goal_voxels = {cell: ("#" if kind == COVERED else "+", color_of.get(cell, 0)) for cell, kind in goal.items() if kind != EMPTY}
    if not goal_voxels:
        raise InputError("found a board without cells to cover, expected at least one")
    lines += [_voxel("", goal_voxels), "</shapes>", "<problems>"]
    title = puzzle.about.get("title")
    lines += [f'<problem{f" name={_quote(title)}" if title else ""} state="0">', "<shapes>", *users, "</shapes>"]
    lines += [f'<result id="{len(puzzle.pieces)}"/>', "<bitmap>"]
    for n, permission in enumerate(permissions, start=len(names)):
        lines += [f'<pair piece="{n}" result="{names.index(name)}"/>' for name in permission]
    lines += ["</bitmap>", "</problem>", "</problems>"]
    comment = "\n".join(puzzle.about[key] for key in ("author", "source", "description") if key in puzzle.about)
    return "\n".join([*lines, f"<comment>{escape(NOT_XML.sub('', comment))}</comment>", "</puzzle>", ""])


def _quote(text: str) -> str:
    return f'"{escape(NOT_XML.sub("", text))}"'


def _voxel(name: str, voxels: dict[Cell, tuple[str, int]]) -> str:
    """A shape in its bounding box."""
    least = [min(axis) for axis in zip(*voxels, strict=True)]
    sides = [max(axis) - low + 1 for axis, low in zip(zip(*voxels, strict=True), least, strict=True)]
    text = ""
    for cell in product(*(range(low, low + side) for low, side in zip(least, sides, strict=True))):
        state, color = voxels.get(cell, ("_", 0))
        text += state + (str(color) if color else "")
    title = f" name={_quote(name)}" if name else ""
    return f'<voxel x="{sides[2]}" y="{sides[1]}" z="{sides[0]}"{title} type="0">{text}</voxel>'


def _check_can_be_written(puzzle: Tiling) -> None:
    """InputError for features that BurrTools does not support."""
    if puzzle.lattice not in (CUBIC, SQUARE):
        raise InputError(f"found the {puzzle.lattice.name} lattice, which BurrTools does not support; expected cubes or squares")
    if any(puzzle.wrap):
        raise InputError("found a board that closes to a ring, which BurrTools does not support")
    if puzzle.groups:
        raise InputError("found bounds on a group of pieces, which BurrTools does not support")
    flat = puzzle.lattice is SQUARE
    turns = puzzle.lattice.symmetries if flat else puzzle.lattice.rotations
    for number, piece in enumerate(puzzle.pieces):
        if piece.pinned:
            raise InputError(f"found the pinned piece {piece.name}, which BurrTools does not support")
        if set(puzzle.orientations[number]) != set(puzzle.lattice.orientations(piece.shape, turns)):
            way = "rotated and turned over" if flat else "rotated and not mirrored"
            raise InputError(f"found piece {piece.name}, which is not {way}, as BurrTools requires")
