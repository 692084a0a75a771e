"""URLs and files of puzz.link and pzpr: how numbers, circles, and borders are written.

    slither/5/5/cbcbcddad                 the genre, the width, the height, and the body
    https://puzz.link/p?slither/5/5/cbcbcddad

A body is a sequence of parts, each by a codec. A codec reads its part into a field of the puzzle and writes it. Errors name the
character by its place in the URL.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, compress, islice, product, takewhile
from typing import Any, NamedTuple

from cnfgen_puzzles.families.links.pieces import checked_piece
from cnfgen_puzzles.families.squares import Cell, components, neighbors

NONE, UNKNOWN, BLACK = -1, -2, -3
ARROW_UP, ARROW_DOWN, ARROW_LEFT, ARROW_RIGHT, ANY = -4, -5, -6, -7, -8
"""Clues that are arrows without a number, and a question mark where UNKNOWN is an empty circle."""
"""A cell without a clue, one with a question mark, and a black one."""
MOST_SIDE = 200
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
Rows = tuple[tuple[int, ...], ...]


class Size(NamedTuple):
    height: int
    width: int

    def rows(self, values: Iterable[int]) -> Rows:
        return cut(values, [self.width] * self.height)


def widths_of(field: str, size: Size) -> list[int]:
    """How many values each row of a field has: outside, above the board, below it, to its left, and to its right; between, the
    pairs of neighbors in each row, then in each two rows."""
    if field == "outside":
        return [size.width, size.width, size.height, size.height]
    if field in ("between", "lines"):
        return [size.width - 1] * size.height + [size.width] * (size.height - 1)
    if field == "points":
        return [2 * size.width - 1] * (2 * size.height - 1)
    more = field == "corners"
    return [size.width + more] * (size.height + more)


def cut(values: Iterable[Any], widths: Sequence[int]) -> tuple[tuple[Any, ...], ...]:
    """The values in rows of these widths."""
    left = iter(values)
    return tuple(tuple(islice(left, width)) for width in widths)


class Reader:
    """The body of a URL, which begins at a place, read from left to right."""

    def __init__(self, text: str, at: int = 0):
        self.text, self.at, self.blank = text, at, at == len(text)

    def more(self) -> bool:
        """Whether there is another character before the end or the next slash."""
        return self.at < len(self.text) and self.text[self.at] != "/"

    def take(self, count: int = 1) -> str:
        """The next characters; ValueError at the end."""
        if self.at + count > len(self.text):
            raise ValueError(f"the URL ends after character {len(self.text)}, expected at least {self.at + count}")
        self.at += count
        return self.text[self.at - count : self.at]

    def number(self, count: int, base: int) -> int:
        """A number of so many digits."""
        digits = self.take(count)
        if not all(digit in DIGITS[:base] for digit in digits):
            raise self.wrong(digits, f"a digit to base {base}" if count == 1 else f"{count} digits to base {base}")
        return int(digits, base)

    def wrong(self, found: str, expected: str) -> ValueError:
        """The error for characters that were just taken."""
        return ValueError(f"character {self.at - len(found) + 1}: found {found!r}, expected {expected}")


@dataclass(frozen=True)
class Codec:
    """One part of a body."""

    field: str
    read: Callable[[Reader, Size, dict[str, Any]], Any]
    write: Callable[[Any, Size, dict[str, Any]], str]
    more: tuple[str, ...] = ()
    """Other fields, which `read` adds to those that it gets."""


# -- values one after the other ---------------------------------------------------------------------------------------------


class Spelling(ABC):
    """How values of places follow each other: signs of a few values each, and letters for gaps.

    The digits from `first` on are gaps of 1, 2, ... `empty` places. A sign stands for at most `longest` values, those of the last
    sign beyond the end are ignored; with `beyond`, the last sign is the longest one, with empty places beyond the end.
    """

    first, longest, beyond = 36, 1, False
    empty: Any = NONE
    clues: Collection[Any] = ()
    """The values of a table of signs."""

    @abstractmethod
    def read(self, reader: Reader, sign: str) -> Sequence[Any]:
        """The values that a sign begins."""

    def spell(self, ahead: Sequence[Any]) -> tuple[str, int]:
        """The sign of the first of these values, and the number of values for which it stands; none for what is only read."""
        return "", 0

    def take(self, reader: Reader, count: int) -> list[Any]:
        """So many values; a URL without a body has only empty ones."""
        values: list[Any] = []
        while len(values) < count and reader.more():
            sign = reader.take()
            place = DIGITS.find(sign)
            values += [self.empty] * (place - self.first + 1) if place >= self.first else self.read(reader, sign)
        if len(values) < count and not reader.blank:
            found = f"found {reader.text[reader.at]!r}" if reader.at < len(reader.text) else "the URL ends"
            raise ValueError(f"character {reader.at + 1}: {found} after {len(values)} cells, expected {count} cells")
        if len(values) > count and self.longest == 1:
            raise reader.wrong(reader.text[reader.at - 1], f"at most {count} cells")
        return [*values, *[self.empty] * (count - len(values))][:count]

    def give(self, values: Sequence[Any]) -> str:
        """The text that `take` reads; ValueError for a clue that URLs of the genre cannot have."""
        padded = [*values, *[self.empty] * (self.longest - 1) * self.beyond]
        text, at = "", 0
        while at < len(values):
            sign = ""
            if gap := len(list(takewhile(lambda value: value == self.empty, values[at : at + 36 - self.first]))):
                sign, count = DIGITS[self.first + gap - 1], gap
            else:
                sign, count = self.spell(padded[at : at + self.longest])
            if not sign:
                wrong = next((k for k in range(at, len(values)) if values[k] not in self.clues), at)
                few = ", ".join(str(clue) for clue in self.clues if isinstance(clue, int) and clue >= 0)
                expected = f"one of {few}" if 0 < len(few) < 20 else "one that addresses of the genre can have"
                raise ValueError(f"cell {wrong + 1}: found the clue {values[wrong]}, expected {expected}")
            text, at = text + sign, at + count
        return text

    def of(self, field: str, places: Callable[[Size, dict[str, Any]], list[Cell]] | None = None) -> Codec:
        """The codec of a field with such values, at some `places` in their order, by default at all."""

        def listed(size: Size, known: dict[str, Any]) -> list[Cell]:
            widths = widths_of(field, size)
            return places(size, known) if places else [(r, c) for r, width in enumerate(widths) for c in range(width)]

        def read(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
            here = listed(size, known)
            found = dict(zip(here, self.take(reader, len(here)), strict=True))
            widths = widths_of(field, size)
            return tuple(tuple(found.get((r, c), self.empty) for c in range(width)) for r, width in enumerate(widths))

        return Codec(field, read, lambda rows, size, known: self.give([rows[r][c] for r, c in listed(size, known)]))

    def of_several(self, fields: str) -> Codec:
        """The codec of fields whose values at a place are one of these."""
        first, *more = fields.split()
        every = self.of(first)

        def read(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
            rows = every.read(reader, size, known)
            known.update((name, tuple(tuple(value[k] for value in row) for row in rows)) for k, name in enumerate((first, *more)))
            return known[first]  # type: ignore[no-any-return]

        def write(rows: Rows, size: Size, known: dict[str, Any]) -> str:
            pairs = (zip(*row, strict=True) for row in zip(rows, *(known[name] for name in more), strict=True))
            return every.write([[self.empty if each[0] == NONE else each for each in row] for row in pairs], size, known)

        return Codec(first, read, write, tuple(more))


class Signs(Spelling):
    """A table of signs, of one character or several, each with its values; of signs with the same values, the last is written.

    `expected` are the signs in words.
    """

    def __init__(
        self,
        signs: Mapping[str, tuple[Any, ...]],
        expected: str,
        first: int = 36,
        empty: Any = NONE,
        beyond: bool = False,
    ):
        self.signs, self.expected, self.first, self.empty, self.beyond = signs, expected, first, empty, beyond
        self.longest = max(map(len, signs.values()))
        self.begun = {sign[:length] for sign in signs for length in range(1, len(sign))}
        self.sign_of = {values: sign for sign, values in signs.items()}
        self.clues = dict.fromkeys(value for values in signs.values() for value in values)

    def read(self, reader: Reader, sign: str) -> Sequence[Any]:
        while sign in self.begun and sign not in self.signs:
            sign += reader.take()
        if sign not in self.signs:
            raise reader.wrong(sign, self.expected)
        return self.signs[sign]

    def spell(self, ahead: Sequence[Any]) -> tuple[str, int]:
        counts = (count for count in range(len(ahead), 0, -1) if tuple(ahead[:count]) in self.sign_of)
        count = next(counts, 0)
        return self.sign_of.get(tuple(ahead[:count]), ""), count


WIDE = {"": (1, 0), "-": (2, 0), "+": (3, 0), "=": (3, 4096), "@": (3, 8192), "%": (3, 8192), "*": (4, 12240), "$": (5, 77776)}
"""Prefixes of numbers: how many digits follow, and what is added to them."""


class _Hexadecimal(Spelling):
    """`number16`: hexadecimal digits, prefixes of WIDE, `.` for a question mark, and letters from g for gaps."""

    first = 16

    def read(self, reader: Reader, sign: str) -> Sequence[Any]:
        if sign in WIDE:
            digits, added = WIDE[sign]
            return [reader.number(digits, 16) + added]
        if sign not in DIGITS[:16] + ".":
            raise reader.wrong(sign, "a digit, a letter, or one of .-+=@%*$")
        return [UNKNOWN if sign == "." else int(sign, 16)]

    def spell(self, ahead: Sequence[Any]) -> tuple[str, int]:
        if ahead[0] == UNKNOWN:
            return ".", 1
        wide = ((prefix, digits, ahead[0] - added) for prefix, (digits, added) in WIDE.items())
        return next((f"{prefix}{left:0{digits}x}" for prefix, digits, left in wide if 0 <= left < 16**digits), ""), 1


def packed(values: Sequence[int], behind: int, expected: str, empty: int = NONE, beyond: bool = True) -> Signs:
    """Values in one digit with up to so many empty places behind them; `.` for a question mark if 0 is a value. Letters behind
    these digits (g if there is no digit f) are gaps."""
    signs = {
        DIGITS[n + len(values) * count]: (value, *[empty] * count)
        for count in range(behind + 1)
        for n, value in enumerate(values)
    }
    return Signs(signs | ({".": (UNKNOWN,)} if 0 in values else {}), expected, max(16, len(signs)), empty, beyond)


SEVERAL = {2: (360, 6), 3: (396, 4), 4: (460, 2)}
"""For so many numbers in a cell: what is added to their code, and its base."""
LISTED = {
    DIGITS[code // 36] + DIGITS[code % 36]: (tuple(number or UNKNOWN for number in numbers),)
    for length, (added, base) in SEVERAL.items()
    for code, numbers in enumerate(product(range(base), repeat=length), start=added)
}
SUMS = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The signs of the sums from 0 to 45; `-` is 0, too."""
SUM_SIGNS = {"-": 0} | {sign: number for number, sign in enumerate(SUMS)}
SUM = "a sum from 0 to 9, a to j, A to Z, or -"

HEX = _Hexadecimal()
COLORED_NUMBERS = Signs(
    {f"{n:x}" if n < 16 else f"-{n:x}" if n < 256 else f"+{n:x}": (n,) for n in range(1024)},
    "a digit, a letter, or one of -+",
    16,
).of("numbers")
"""Numbers in circles: twice the number, or 0 for none, and 1 more in a black circle."""
FOUR_CELLS = packed(range(5), 2, "a digit, a letter but f, or a point")
"""`4cell`: numbers to 4 with up to two empty cells behind them."""
THIRDS = Signs(
    {DIGITS[n]: tuple(state or NONE for state in states) for n, states in enumerate(product(range(3), repeat=3))},
    "a digit to base 27",
    beyond=True,
)
"""Three places of three states, of which 0 is empty, in a digit to base 27."""


def bits(values: tuple[int, int], empty: int) -> Signs:
    """Five places in a digit to base 32: the values of the bits 0 and 1."""
    signs = {DIGITS[n]: bits for n, bits in enumerate(product(values, repeat=5))}
    return Signs(signs, "a digit to base 32", empty=empty, beyond=True)


BITS = bits((0, 1), empty=0)
SPOTS = bits((NONE, 1), empty=NONE).of("numbers")
"""Circles (1): the bit says that a cell has one."""
ONES = packed((1,), 17, "a digit to base 36", beyond=False).of("numbers")
"""Ones, with up to 17 empty cells behind them."""
DECIMAL = Signs({str(digit): (digit,) for digit in range(10)} | {".": (UNKNOWN,)}, "a digit, a letter, or a point", 10).of(
    "numbers"
)
"""`number10`: one digit, `.` for a question mark, and letters for gaps."""
BORDER_COUNTS = {digit: (int(digit),) for digit in "012345689"} | {".": (UNKNOWN,)}
HOLED_DECIMAL = Signs(BORDER_COUNTS | {"7": (BLACK,)}, "a digit, a letter, or a point", 10).of("numbers")
"""The same, 7 for a cell that is no part of the board (BLACK)."""
CIRCLED_ARROWS = Signs(
    {f"-{n:02x}": (n,) for n in range(256)}
    | {digit: (n,) for n, digit in enumerate(DIGITS[:16])}
    | {".": (UNKNOWN,), "%": (ANY,), "@": (ANY,)}
    | dict(zip("ghij", ((ARROW_UP,), (ARROW_DOWN,), (ARROW_LEFT,), (ARROW_RIGHT,)), strict=True)),
    "a digit to base 16, a letter from g on, or one of -.@%",
    20,
).of("numbers")
"""Circles with a number or without one (UNKNOWN), arrows, question marks, and gaps of 1 to 16 cells (k to z)."""
NUMBERS, OUTSIDE, FOUR, CORNERS = HEX.of("numbers"), HEX.of("outside"), FOUR_CELLS.of("numbers"), FOUR_CELLS.of("corners")
CIRCLES, BETWEEN = THIRDS.of("numbers"), THIRDS.of("between")
EVERY = Signs(
    {f"-{a}{b}": (36 * DIGITS.index(a) + DIGITS.index(b),) for a, b in product(DIGITS, repeat=2)}
    | {digit: (n,) for n, digit in enumerate(DIGITS)}
    | {".": (NONE,), "%": (UNKNOWN,), "@": (UNKNOWN,)},
    "a digit, a letter, or one of -.@%",
).of("numbers")
"""A number in each cell: a digit to base 36, or `-` and two of them."""
LISTS = Signs(
    {str(digit): ((digit,),) for digit in range(9)} | {"9": ((1,) * 4,), ".": ((UNKNOWN,),)} | LISTED,
    "a digit, a letter, a point, or a code of several numbers, from a0 to d7",
    16,
    (),
).of("lists")
"""Up to four numbers in a cell: a digit is one, 9 is four ones, two digits to base 36 from a0 are several, of which 0 is a
question mark; letters from g are gaps."""


def _optional(codec: Codec) -> Codec:
    """The same part, or nothing if all of its places are empty."""

    def write(rows: Any, size: Size, known: dict[str, Any]) -> str:
        return "" if rows == codec.read(Reader(""), size, {}) else codec.write(rows, size, known)

    return Codec(codec.field, lambda reader, *more: codec.read(reader if reader.more() else Reader(""), *more), write)


def _holed(signs: Spelling, field: str, hole: int, step: int, always: bool = False) -> Codec:
    """Values, then, if there are holes, a bit for each cell that is no part of the board. The values of cells are those of each
    row and column, or, with the step 2, of each second one."""

    def read(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
        widths = widths_of(field, size)
        rows = [list(row) for row in cut(signs.take(reader, sum(widths)), widths)]
        for k, bit in enumerate(BITS.take(reader, size.height * size.width) if reader.more() else ()):
            if bit:
                rows[step * (k // size.width)][step * (k % size.width)] = hole
        return tuple(map(tuple, rows))

    def write(rows: Rows, size: Size, known: dict[str, Any]) -> str:
        holes = [value == hole for row in rows[::step] for value in row[::step]]
        values = signs.give([signs.empty if value == hole else value for row in rows for value in row])
        return values + (BITS.give(holes) if always or any(holes) else "")

    return Codec(field, read, write)


SOME_NUMBERS, MARKS = _optional(NUMBERS), _optional(BITS.of("marks"))
"""Numbers, or a bit for each cell."""


HOLED_CIRCLES = _optional(_holed(THIRDS, "numbers", BLACK, 1, always=True))
"""Circles (1 and 2), then a bit for each cell that is no part of the board (BLACK)."""


POLES = HEX.of(
    "outside",
    lambda size, known: (
        [(side, c) for c in range(size.width) for side in (1, 0)] + [(side, r) for r in range(size.height) for side in (3, 2)]
    ),
)
"""For each column, then each row, the second number beside it, which belongs below or to the right, and the first one."""


def _headings(size: Size, known: dict[str, Any]) -> list[Cell]:
    """The places above the board, then those to its left."""
    return [(0, c) for c in range(size.width)] + [(2, r) for r in range(size.height)]


HEADINGS = HEX.of("outside", _headings)


def _read_slashed(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
    if reader.blank or (slash := reader.take()) == "/":
        return HEADINGS.read(reader, size, known)  # type: ignore[no-any-return]
    raise reader.wrong(slash, "a slash and the numbers outside")


SLASHED_HEADINGS = Codec("outside", _read_slashed, lambda rows, size, known: "/" + HEADINGS.write(rows, size, known))
"""The same after a slash."""
PREFIXED = {"-": (1, 2), "+": (2, 1), "=": (2, 2)}
"""Prefixes of pairs of numbers: the digits of the first one, and of the second one."""


class _NumberPairs(Spelling):
    """Clue cells with two hexadecimal numbers, that of the cells below and that of the cells to the right, or a point for none,
    and letters from g for gaps."""

    first, empty = 16, ()

    def read(self, reader: Reader, sign: str) -> Sequence[Any]:
        reader.at -= sign not in PREFIXED
        below, right = (self._number(reader, count) for count in PREFIXED.get(sign, (1, 1)))
        return [(right, below)]

    def _number(self, reader: Reader, count: int) -> int:
        if reader.text[reader.at : reader.at + 1] == ".":
            reader.take()
            return NONE
        return reader.number(count, 16)

    def spell(self, ahead: Sequence[Any]) -> tuple[str, int]:
        right, below = ("." if number == NONE else f"{number:x}" for number in ahead[0])
        prefixes = {counts: prefix for prefix, counts in PREFIXED.items()} | {(1, 1): ""}
        counts = len(below), len(right)
        return (prefixes[counts] + below + right if counts in prefixes else ""), 1


class _Compasses(Spelling):
    """Four numbers above, below, to the left, and to the right, as `number16`; `.` for none. They are listed in reading order."""

    first, empty = 16, ()

    def read(self, reader: Reader, sign: str) -> Sequence[Any]:
        numbers = [number for each in (sign, *[""] * 3) for number in HEX.read(reader, each or reader.take())]
        up, down, left, right = (NONE if number == UNKNOWN else number for number in numbers)
        return [(up, left, right, down)]

    def spell(self, ahead: Sequence[Any]) -> tuple[str, int]:
        up, left, right, down = ahead[0]
        signs = [HEX.spell([UNKNOWN if number == NONE else number])[0] for number in (up, down, left, right)]
        return "".join(signs) if all(signs) else "", 1


def _apart(codec: Codec, is_black: Callable[[Any], bool] = bool) -> Codec:
    """The same part, with walls around its black cells, so that each is a room."""

    def read(reader: Reader, size: Size, known: dict[str, Any]) -> Any:
        rows = known[codec.field] = codec.read(reader, size, known)
        black = {(r, c) for r, row in enumerate(rows) for c, value in enumerate(row) if is_black(value)}
        bits = zip(walls_in(size, known), sides(size), strict=True)
        known.update(walled_rooms(size, [wall or not black.isdisjoint(pair) for wall, pair in bits]))
        return rows

    return Codec(codec.field, read, codec.write, codec.more)


FOUR_WAYS, NUMBER_PAIRS, BLACK_MARKS = _Compasses().of("lists"), _apart(_NumberPairs().of("lists")), _apart(MARKS)
ALL_HEADINGS = Signs(
    {f"-{n:02x}": (n,) for n in range(256)} | {f"{n:x}": (n,) for n in range(16)} | {".": (NONE,)},
    "a digit, a point, or a minus sign and two digits",
).of("outside", _headings)
"""A number, or a point for none, above each column, then to the left of each row."""
CLUE_SUMS = Signs(
    {below + right: ((SUM_SIGNS[right], SUM_SIGNS[below]),) for below, right in product(SUM_SIGNS, repeat=2)} | {".": ((0, 0),)},
    SUM,
    20,
    (),
).of("lists")
"""Clue cells with the sums of the cells to their right and below them."""
BLACK_SUMS = Signs(
    {sign: (number,) for number, sign in enumerate(SUMS)}
    | {"_": (UNKNOWN,), "+": (BLACK,), ".": (NONE,)}
    | {DIGITS[18 + count]: (NONE,) * count for count in range(2, 18)},
    "a sum, a letter, or one of ._+",
).of("numbers")
"""Sums from 0 to 45, black cells (`+`), and gaps of up to 17 cells, of which a point is one cell."""
OUTSIDE_SUMS = Signs({sign: (number or NONE,) for sign, number in SUM_SIGNS.items()}, SUM).of(
    "outside",
    lambda size, known: [(side, k) for side, k in _headings(size, known) if not known["lists"][k * (side == 2)][k * (side == 0)]],
)
"""The sums above the board and to its left, beside cells without sums."""


class _Arrows(Spelling):
    """Clues of a number and a direction, with `marks` also of a digit from 0 to 2, and letters for gaps."""

    first = 10

    def __init__(self, marks: bool):
        self.marks, self.empty = marks, (NONE, 0, 0)[: 2 + marks]

    def read(self, reader: Reader, sign: str) -> Sequence[Any]:
        mark = DIGITS.index(sign) if self.marks and sign in DIGITS[:3] else 0
        sign = reader.take() if self.marks else sign
        if sign not in DIGITS[:10] + "-":
            raise reader.wrong(sign, "a direction from 0 to 9, a minus sign, or a letter")
        digits = 3 if sign == "-" else 1 + (sign in DIGITS[5:10])
        direction = reader.number(1, 5) if sign == "-" else int(sign) % 5
        if unknown := digits == 1 and reader.text[reader.at : reader.at + 1] == ".":
            reader.take()
        return [(UNKNOWN if unknown else reader.number(digits, 16), direction, mark)[: 2 + self.marks]]

    def spell(self, ahead: Sequence[Any]) -> tuple[str, int]:
        number, arrow, *mark = ahead[0]
        narrow = f"{arrow}." if number == UNKNOWN else f"{arrow + 5 * (number > 15)}{number:x}"
        sign = "".join(map(str, mark)) + (narrow if number < 256 else f"-{arrow}{number:x}")
        return sign if number < 4096 else "", 1


ARROWS, MARKED_ARROWS = _Arrows(marks=False).of_several("numbers arrows"), _Arrows(marks=True).of_several("numbers arrows marks")
"""Numbers with arrows; in cells that also have marks."""


# -- rooms ------------------------------------------------------------------------------------------------------------------


def rooms_of(size: Size, walls: set[tuple[Cell, Cell]]) -> Rows:
    """The number of the room of each cell, in reading order of first cells; a wall lies between two cells."""
    cells = set(product(range(size.height), range(size.width)))
    parts = components(cells, lambda cell: [o for o in neighbors(cell) if tuple(sorted((cell, o))) not in walls])
    number = {cell: n for n, part in enumerate(parts) for cell in part}
    return tuple(tuple(number[r, c] for c in range(size.width)) for r in range(size.height))


def walled_rooms(size: Size, bits: Iterable[int]) -> dict[str, Any]:
    """The fields of walls between neighbors, a bit for each pair of `sides`: the rooms, and the walls inside a room."""
    walls = set(compress(sides(size), bits))
    rooms = rooms_of(size, walls)
    return {"rooms": rooms, "walls": tuple(sorted((*a, *b) for a, b in walls if rooms[a[0]][a[1]] == rooms[b[0]][b[1]]))}


def walls_in(size: Size, known: Mapping[str, Any]) -> list[bool]:
    """The bits that `walled_rooms` reads."""
    rooms, walls = known["rooms"], set(known.get("walls", ()))
    return [rooms[a[0]][a[1]] != rooms[b[0]][b[1]] or (*a, *b) in walls for a, b in sides(size)]


def sides(size: Size) -> list[tuple[Cell, Cell]]:
    """The pairs of neighboring cells: first those in a row, then those in a column."""
    across = [((r, c), (r, c + 1)) for r in range(size.height) for c in range(size.width - 1)]
    return across + [((r, c), (r + 1, c)) for r in range(size.height - 1) for c in range(size.width)]


def _read_sides(reader: Reader, size: Size) -> list[int]:
    """A bit for each pair of neighbors: those in a row, filled up to whole digits, then those in a column."""
    return BITS.take(reader, size.height * (size.width - 1)) + BITS.take(reader, size.width * (size.height - 1))


def _write_sides(bits: Sequence[bool], size: Size) -> str:
    across = size.height * (size.width - 1)
    return BITS.give(bits[:across]) + BITS.give(bits[across:])


def _read_rooms(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
    known.update(walled_rooms(size, _read_sides(reader, size)))
    return known["rooms"]  # type: ignore[no-any-return]


ROOMS = Codec(
    "rooms", _read_rooms, lambda rooms, size, known: _write_sides(walls_in(size, {**known, "rooms": rooms}), size), ("walls",)
)
SOME_WALLS = _optional(
    Codec(
        "between",
        lambda reader, size, known: cut((bit or NONE for bit in _read_sides(reader, size)), widths_of("between", size)),
        lambda rows, size, known: _write_sides([mark != NONE for row in rows for mark in row], size),
    )
)
"""Walls between cells."""


ROOM_ARROWS = Signs(
    {str(n): ((n + 1, 0),) for n in range(10)}
    | {f"-{n}": ((n + 1, 0),) for n in range(10, 99)}
    | {"abcde"[arrow]: ((BLACK, arrow),) for arrow in range(5)},
    "a digit, a minus sign and a number, or a letter but f",
    16,
    (NONE, 0),
).of_several("numbers arrows")


BLACK_ARROWS = _apart(ROOM_ARROWS, lambda number: number == BLACK)
"""Numbers of rooms, after their walls, and black cells, which may have an arrow."""


def first_cells(rooms: Rows) -> list[Cell]:
    """The first cell of each room, in reading order."""
    found: dict[int, Cell] = {}
    for r, row in enumerate(rooms):
        for c, room in enumerate(row):
            found.setdefault(room, (r, c))
    return [found[room] for room in sorted(found)]


def _write_room_numbers(numbers: Rows, size: Size, known: dict[str, Any]) -> str:
    found = dict.fromkeys(range(len(first_cells(known["rooms"]))), NONE)
    for r, c in product(range(size.height), range(size.width)):
        if numbers[r][c] != NONE and found.setdefault(known["rooms"][r][c], NONE) != NONE:
            raise ValueError(f"row {r + 1}, column {c + 1}: found a second number of the same room, expected one")
        if numbers[r][c] != NONE:
            found[known["rooms"][r][c]] = numbers[r][c]
    return HEX.give(list(found.values()))


ROOM_NUMBERS = replace(HEX.of("numbers", lambda size, known: first_cells(known["rooms"])), write=_write_room_numbers)


# -- objects ----------------------------------------------------------------------------------------------------------------


def read_until(reader: Reader, expected: str, known: Callable[[str], Any]) -> Any:
    """The meaning of the characters to the next slash, which is skipped; `known` raises a ValueError for others."""
    end = reader.text.find("/", reader.at)
    word = reader.take((end if end >= 0 else len(reader.text)) - reader.at)
    try:
        found = known(word)
    except ValueError:
        raise reader.wrong(word, expected) from None
    reader.at += end >= 0
    return found


def _count(reader: Reader, expected: str) -> int:
    return int(read_until(reader, expected, lambda word: int(word) if word.isdecimal() and len(word) < 5 else int("")))


COUNT = Codec("count", lambda reader, size, known: _count(reader, "a number of objects"), lambda count, size, known: f"{count}/")


def bank(presets: Mapping[str, tuple[str, ...]]) -> Codec:
    """A list of pieces: two slashes and the letter of a preset, or a slash, their number, and the pieces, a slash before each."""

    def read(reader: Reader, size: Size, known: dict[str, Any]) -> tuple[str, ...]:
        if (slash := reader.take()) != "/":
            raise reader.wrong(slash, "a slash and a list of pieces")
        if reader.text[reader.at :].startswith("/"):
            letter = reader.take(2)[1]
            if letter not in presets:
                raise reader.wrong(letter, f"a list of pieces: one of {', '.join(presets)}")
            return presets[letter]
        return tuple(read_until(reader, "a piece", checked_piece) for _ in range(_count(reader, "a number of pieces")))

    def write(pieces: tuple[str, ...], size: Size, known: dict[str, Any]) -> str:
        letter = next((letter for letter, listed in presets.items() if listed == pieces), None)
        return f"//{letter}" if letter else "/" + "/".join([str(len(pieces)), *pieces])

    return Codec("bank", read, write)


HOLE = 3
"""A point of a cell that is no part of the board."""


STARS = packed((1, 2), 7, "a digit to base 36", 0)
POINTS, HOLED_POINTS = STARS.of("points"), _holed(STARS, "points", HOLE, 2)
"""White (1) and black (2) points at the centers of cells, sides, and corners; then holes, if there are any."""
DOTS, BLACK_FIRST = (0, 2, 4, 1), (0, 3, 1, 1, 2)
"""White (1), black (2), and gray (4) points by their numbers in pzpr, and those numbers by points."""
DOT_PAIRS = Signs({f"{n:x}": (n or NONE,) for n in range(16)}, "a digit to base 16 or a letter", 16)


def _read_dots(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
    widths = widths_of("points", size)
    pairs = (divmod(max(pair, 0), 4) for pair in DOT_PAIRS.take(reader, (sum(widths) + 1) // 2))
    return cut((DOTS[dot] for dot in chain(*pairs)), widths)


def _write_dots(rows: Rows, size: Size, known: dict[str, Any]) -> str:
    dots = [BLACK_FIRST[point] for point in chain(*rows)] + [0]
    return DOT_PAIRS.give([4 * one + other or NONE for one, other in zip(dots[::2], dots[1::2], strict=True)])


PAIRED_POINTS = Codec("points", _read_dots, _write_dots)
"""White (1), black (2), and gray (4) points, two of them in a digit to base 16, and letters for pairs without any."""


# -- whole URLs -------------------------------------------------------------------------------------------------------------


def read_body(parts: Sequence[Codec], size: Size, url: str, start: int = 0) -> dict[str, Any]:
    """The fields of a puzzle from the body of a URL, which begins at `start`; ValueError with the place of what is wrong."""
    reader, known = Reader(url, start), dict[str, Any]()
    for codec in parts:
        known[codec.field] = codec.read(reader, size, known)
    if url[reader.at :] not in ("", "/"):
        raise reader.wrong(reader.take(), f"the end, since the {size.height * size.width} cells are complete")
    return known


def write_body(parts: Sequence[Codec], size: Size, known: dict[str, Any]) -> str:
    """The text that `read_body` reads."""
    return "".join(codec.write(known[codec.field], size, known) for codec in parts)
