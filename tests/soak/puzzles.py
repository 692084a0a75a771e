"""Random small puzzles of all families, as files and options of a user, each with the truth about it.

This module writes the texts without the package, so that the readers are tested as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.options import Option
from soak.oracle import Truth
from soak.oracle.mazes import MazeTruth, blocked_lines, thin_lines
from soak.oracle.nonograms import NonogramTruth, clue_of
from soak.oracle.tilings import Cell, Group, Piece, Region, TilingTruth

MOST_LEMMAS = 12


@dataclass(frozen=True)
class Puzzle:
    """A puzzle: its file (empty: `options` define it), the arguments after the file's name, and the truth about it."""

    family: str
    file: str
    text: str
    options: Mapping[str, str]
    truth: Truth

    @property
    def words(self) -> list[str]:
        """The puzzle on a command line, after the name of the family."""
        return [*([self.file] if self.file else []), *(f"--{name}={value}" for name, value in self.options.items())]

    def entry(self, folder: str) -> dict[str, Any]:
        """The puzzle in a suite."""
        named = {"puzzles": [f"{folder}/{self.file}"]} if self.file else {}
        return {"family": self.family, **named, **({"options": dict(self.options)} if self.options else {})}


def random_puzzle(chance: Random) -> Puzzle:
    """A puzzle of a random family."""
    return chance.choice((nonogram, nonogram, tiling, tiling, maze))(chance)


# -- nonograms ------------------------------------------------------------------------------------------------------------


def nonogram(chance: Random) -> Puzzle:
    """The clues of random noise or strokes, sometimes with two clues exchanged, or random clues."""
    large = chance.random() < 0.15
    width, height = (chance.randint(8, 14) if large else chance.randint(1, 6) for _ in range(2))
    picture = noise(chance, width, height) if chance.random() < 0.6 else strokes(chance, width, height)
    rows = [clue_of(line) for line in picture]
    columns = [clue_of(line) for line in zip(*picture, strict=True)]
    damage = chance.choice(("", "", "", "swapped", "swapped", "longer", "free"))
    if damage == "swapped" and height > 1:
        first, second = chance.sample(range(height), 2)
        rows[first], rows[second] = rows[second], rows[first]
    elif damage == "longer":
        chance.choice(columns).append(1)
    elif damage == "free":
        rows = [clue_of(line) for line in noise(chance, width, height)]
    truth = NonogramTruth(rows, columns, drawn=not damage)
    return Puzzle("nonogram", *chance.choice((as_nin, as_non))(rows, columns), {}, truth)


def noise(chance: Random, width: int, height: int) -> list[str]:
    density = chance.uniform(0.2, 0.8)
    return ["".join("#" if chance.random() < density else "." for _ in range(width)) for _ in range(height)]


def strokes(chance: Random, width: int, height: int) -> list[str]:
    """A drawing: some rectangles and lines."""
    cells = [["."] * width for _ in range(height)]
    for _ in range(chance.randint(1, 4)):
        top, left = chance.randrange(height), chance.randrange(width)
        for r in range(top, min(height, top + chance.randint(1, 4))):
            for c in range(left, min(width, left + chance.randint(1, 6))):
                cells[r][c] = "#"
    return ["".join(line) for line in cells]


def as_nin(rows: list[list[int]], columns: list[list[int]]) -> tuple[str, str]:
    lines = [f"{len(columns)} {len(rows)}", *(" ".join(map(str, clue or [0])) for clue in rows + columns)]
    return "puzzle.nin", "\n".join(lines) + "\n"


def as_non(rows: list[list[int]], columns: list[list[int]]) -> tuple[str, str]:
    lines = [f"width {len(columns)}", f"height {len(rows)}"]
    for name, clues in (("rows", rows), ("columns", columns)):
        lines += ["", name, *(",".join(map(str, clue or [0])) for clue in clues)]
    return "puzzle.non", "\n".join(lines) + "\n"


# -- tilings --------------------------------------------------------------------------------------------------------------

NEIGHBOURS: Mapping[str, tuple[Cell, ...]] = {
    "square": ((0, 1), (1, 0), (0, -1), (-1, 0)),
    "cubic": ((0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 0, -1), (0, -1, 0), (-1, 0, 0)),
    "hexagonal": ((0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1)),
}
COLORS = {"r": "red", "b": "blue"}


def tiling(chance: Random) -> Puzzle:
    """A small board and random pieces: cut from the board, so that they cover it; or of the same total size; or any."""
    lattice = chance.choice(("square", "square", "square", "cubic", "hexagonal"))
    sides = [chance.randint(1, 2), chance.randint(1, 3), chance.randint(1, 3)] if lattice == "cubic" else [
        chance.randint(1, 4), chance.randint(1, 5)]  # fmt: skip
    cells: set[Cell] = {()}
    for side in sides:
        cells = {(*cell, x) for cell in cells for x in range(side)}
    wrap: tuple[int | None, ...] = (None,) * len(sides)
    ring = chance.choice(("", "", "cylinder", "torus")) if lattice == "square" and min(sides) > 1 else ""
    if ring:
        wrap = (sides[0] if ring == "torus" else None, sides[1])
    drawn = lattice == "square" and not ring
    if drawn:
        cells -= {cell for cell in sorted(cells) if chance.random() < 0.15 and len(cells) > 1 and cell != (0, 0)}
    optional = {cell for cell in sorted(cells) if chance.random() < 0.12}
    colors = {cell: chance.choice(sorted(COLORS.values())) for cell in sorted(cells) if drawn and chance.random() < 0.1}
    reflections = chance.random() < 0.7 if lattice != "cubic" else False
    cut = chance.random() < 0.6
    shapes = cut_up(chance, lattice, cells, wrap) if cut else loose(chance, lattice, len(cells))
    pieces, bounds_hold = named_pieces(chance, shapes, reflections, sorted(set(colors.values())))
    groups = tuple(bounded(chance, len(pieces)) for _ in range(chance.choice((0, 0, 0, 1, 2))))
    bounds_hold &= not groups
    region = Region(lattice, frozenset(cells), frozenset(optional), colors, wrap, tuple(pieces), groups)
    text = as_yaml(region, sides, ring, reflections, drawn=drawn)
    return Puzzle("tiling", "puzzle.yaml", text, {}, TilingTruth(region, cut=cut and bounds_hold and not ring))


def bounded(chance: Random, pieces: int) -> Group:
    """A bound on some of this number of pieces."""
    numbers = tuple(sorted(chance.sample(range(pieces), chance.randint(1, pieces))))
    least = chance.randint(0, 3)
    return Group(numbers, least, chance.choice((None, least, least + 1, least + 3)))


def cut_up(chance: Random, lattice: str, cells: set[Cell], wrap: tuple[int | None, ...]) -> list[tuple[Cell, ...]]:
    """The cells as connected shapes of one to four cells; none closes around a ring, where its shape would change."""
    left, shapes = set(cells), []
    while left:
        shape = [min(left)]
        left.discard(shape[0])
        for _ in range(chance.randint(0, 3)):
            around = [tuple(a + b for a, b in zip(cell, step, strict=True)) for cell in shape for step in NEIGHBOURS[lattice]]
            if beside := sorted(left.intersection(around)):
                shape.append(chance.choice(beside))
                left.discard(shape[-1])
        shapes.append(tuple(shape))
    return shapes


def loose(chance: Random, lattice: str, area: int) -> list[tuple[Cell, ...]]:
    """Random connected shapes with about this total number of cells."""
    shapes: list[tuple[Cell, ...]] = []
    while sum(map(len, shapes)) < area:
        shape = [(0,) * len(NEIGHBOURS[lattice][0])]
        for _ in range(chance.randint(0, 3)):
            steps = ((cell, step) for cell in shape for step in NEIGHBOURS[lattice])
            beside = {tuple(a + b for a, b in zip(cell, step, strict=True)) for cell, step in steps} - set(shape)
            shape.append(chance.choice(sorted(beside)))
        shapes.append(tuple(shape))
    return shapes


def named_pieces(
    chance: Random, shapes: list[tuple[Cell, ...]], reflections: bool, colors: list[str]
) -> tuple[list[Piece], bool]:
    """Each shape as a piece, equal ones as copies; and whether the bounds allow all of the shapes as often as they occur."""
    counts: dict[tuple[Cell, ...], int] = {}
    for shape in shapes:
        low = [min(axis) for axis in zip(*shape, strict=True)]
        placed = tuple(sorted(tuple(a - b for a, b in zip(cell, low, strict=True)) for cell in shape))
        counts[placed] = counts.get(placed, 0) + 1
    pieces, all_fit = [], True
    for number, (shape, count) in enumerate(counts.items()):
        loose: list[tuple[int, int | None]] = [(0, None), (0, count + 1), (count, None)]
        least, most = chance.choice([(count, count)] * 3 + loose)
        worn = frozenset(chance.sample(colors, chance.randint(0, len(colors)))) if chance.random() < 0.2 else None
        all_fit &= worn is None
        rotate = chance.random() < 0.85
        pieces.append(Piece(f"p{number}", shape, least, most, reflections and rotate, rotate, worn))
    return pieces, all_fit


def as_yaml(region: Region, sides: list[int], ring: str, reflections: bool, *, drawn: bool) -> str:
    """The region as a tiling file: drawn if it has holes or colors, otherwise by its sides."""
    lines = [f"lattice: {region.lattice}", f"reflections: {str(reflections).lower()}"]
    if drawn:
        symbols = {cell: "o" if cell in region.optional else "X" for cell in region.cells}
        legend = {}
        for cell, color in sorted(region.colors.items()):
            kind = "optional" if cell in region.optional else "covered"
            symbols[cell] = color[0] if kind == "covered" else color[0].upper()
            legend[symbols[cell]] = f"{kind} {color}"
        lines += ["board: |", *("  " + "".join(symbols.get((r, c), ".") for c in range(sides[1])) for r in range(sides[0]))]
        lines += ["legend:", *(f"  {symbol}: {meaning}" for symbol, meaning in legend.items())] if legend else []
    else:
        lines.append(f"size: {'x'.join(map(str, sides))}")
        if region.optional:
            lines.append(f"optional: {' '.join(place(region.lattice, cell) for cell in sorted(region.optional))}")
    lines += [f"{ring}: true"] if ring else []
    lines.append("pieces:")
    for piece in region.pieces:
        most = "" if piece.most is None else str(piece.most)
        lines += [f"  - name: {piece.name}", "    art: |", *(f"      {line}" for line in art(region.lattice, piece.shape))]
        lines.append(f"    count: {f'{piece.least}..{most}' if most else f'at least {piece.least}'}")
        lines += [] if piece.rotate else ["    rotate: false", "    reflect: false"]
        lines += [] if piece.colors is None else [f"    colors: {' '.join(sorted(piece.colors)) or 'none'}"]
    lines += ["groups:"] if region.groups else []
    for group in region.groups:
        names = ", ".join(region.pieces[number].name for number in group.pieces)
        count = f"at least {group.least}" if group.most is None else f"{group.least}..{group.most}"
        lines += [f"  - pieces: {names}", f"    count: {count}"]
    return "\n".join(lines) + "\n"


def place(lattice: str, cell: Cell) -> str:
    """A cell as in a drawing of the board; a row of hexagons is shifted by half a hexagon from the row above."""
    drawn = (cell[0], 2 * cell[1] + cell[0]) if lattice == "hexagonal" else cell
    return ",".join(map(str, drawn))


def art(lattice: str, shape: tuple[Cell, ...]) -> list[str]:
    """A drawing of the piece: blank lines separate layers, hexagons form a honeycomb."""
    if lattice == "cubic":
        layers = [[cell[1:] for cell in shape if cell[0] == number] for number in range(1 + max(cell[0] for cell in shape))]
        height, width = (1 + max(cell[axis] for cell in shape) for axis in (1, 2))
        drawings = [["".join("X" if (r, c) in layer else "." for c in range(width)) for r in range(height)] for layer in layers]
        return [line for number, drawing in enumerate(drawings) for line in ([""] if number else []) + drawing]
    height, width = (1 + max(cell[axis] for cell in shape) for axis in (0, 1))
    if lattice == "square":
        return ["".join("X" if (r, c) in shape else "." for c in range(width)) for r in range(height)]
    return ["." * r + " ".join("X" if (r, c) in shape else "." for c in range(width)) for r in range(height)]


# -- mazes ----------------------------------------------------------------------------------------------------------------


def maze(chance: Random) -> Puzzle:
    """All mazes of a tiny grid, or a few of a small one, and a short pattern."""
    kind = chance.choice(("thin", "blocked"))
    lines_of: Callable[[int, int], Any] = thin_lines if kind == "thin" else blocked_lines
    pattern = "".join(chance.choice("NESW") if chance.random() < 0.15 else "*" for _ in range(chance.randint(1, 7)))
    wanted = {"pattern": pattern} if set(pattern) != {"*"} else {"length": str(len(pattern))}
    if chance.random() < 0.4:
        size = chance.choice(("2x2", "3x1") if kind == "thin" else ("2x2", "3x2"))
        reduce = chance.choice(("article", "all", "none"))
        truth = MazeTruth(list(lines_of(*map(int, reversed(size.split("x"))))), pattern)
        return Puzzle("maze", "", "", {"kind": kind, "size": size, "reduce": reduce, **wanted}, truth)
    height, width = chance.choice(((2, 2), (2, 3), (3, 3)) if kind == "blocked" else ((2, 2), (1, 4), (2, 3)))
    every = list(lines_of(height, width))
    lines = chance.sample(every, min(len(every), chance.randint(1, 4)))
    text = "\n".join([f"mazes {kind} {height}x{width}", *lines]) + "\n"
    return Puzzle("maze", "puzzle.mazes", text, wanted, MazeTruth(lines, pattern))


# -- encodings ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chosen:
    """An encoding with options."""

    name: str
    options: Mapping[str, Any]

    @property
    def words(self) -> list[str]:
        """The encoding on a command line."""
        return ["--encoding", self.name, *(word for name, value in self.options.items() for word in option_words(name, value))]

    @property
    def leaves_out(self) -> bool:
        """Whether it omits some solutions."""
        return "representatives" in self.options.values()


def option_words(name: str, value: Any) -> list[str]:
    flag = name.replace("_", "-")
    return [f"--{flag}" if value else f"--no-{flag}"] if isinstance(value, bool) else [f"--{flag}", str(value)]


def random_encoding(family: str, chance: Random) -> Chosen:
    """Any encoding of the family with any of its options."""
    encoding = chance.choice(list(find_family(family).encodings.values()))
    taken = [option for option in encoding.options if chance.random() < 0.4 and not option.name.startswith("most_")]
    return Chosen(encoding.name, {option.name: random_value(option, chance) for option in taken})


def random_value(option: Option, chance: Random) -> Any:
    if option.choices:
        return chance.choice(option.choices)
    if option.type is bool:
        return chance.random() < 0.5
    return chance.randint(int(option.least or 0), int(option.least or 0) + MOST_LEMMAS)
