"""URLs and files of puzz.link and pzpr: how numbers, circles, and borders are written.

    slither/5/5/cbcbcddad                 the genre, the width, the height, and the body
    https://puzz.link/p?slither/5/5/cbcbcddad

A body is a sequence of parts, each by a codec. A codec reads its part into a field of the puzzle and writes it. Errors name the
character by its place in the URL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, islice, product
from typing import Any, NamedTuple

from cnfgen_puzzles.families.links.pieces import checked_piece
from cnfgen_puzzles.families.squares import Cell, components, neighbors

NONE, UNKNOWN = -1, -2
"""A cell without a clue, and one with a question mark."""
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
    if field == "between":
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


def check_clues(values: Sequence[Any], allowed: Callable[[Any], bool], expected: str) -> None:
    """ValueError for a clue that URLs of the genre cannot have."""
    for k, value in enumerate(values):
        if not allowed(value):
            raise ValueError(f"cell {k + 1}: found the clue {value}, expected {expected}")


# -- values one after the other ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spelling:
    """How values of places follow each other: `read(reader, sign)` gives the values that a sign begins, and
    `write(value, behind)` the signs of a value with so many empty places behind it."""

    read: Callable[[Reader, str], list[Any]]
    write: Callable[[Any, int], str]
    first: int = 36
    """The digits from this one on are gaps of 1, 2, ... empty places."""
    empty: Any = NONE
    behind: int = 0
    """The most empty places in the sign of the value before them."""
    allowed: Callable[[Any], bool] = lambda value: True
    expected: str = ""
    """The allowed values, in words."""
    beyond: bool = True
    """Whether the last value has the most empty places behind it, even beyond the end."""

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
        if len(values) > count and not (self.behind and set(values[count:]) == {self.empty}):
            raise reader.wrong(reader.text[reader.at - 1], f"at most {count} cells")
        return [*values, *[self.empty] * (count - len(values))][:count]

    def give(self, values: Sequence[Any]) -> str:
        """The text that `take` reads."""
        check_clues(values, self.allowed, self.expected)
        gaps = [0]
        for value in reversed(values):
            gaps.append(gaps[-1] + 1 if value == self.empty else 0)
        gaps.reverse()
        text, at = "", 0
        while at < len(values):
            if gaps[at] and self.first < 36:
                step = min(gaps[at], 36 - self.first)
                text += DIGITS[self.first + step - 1]
            else:
                last = at + 1 + gaps[at + 1] == len(values)
                behind = 0 if values[at] == UNKNOWN else self.behind if last and self.beyond else min(gaps[at + 1], self.behind)
                text, step = text + self.write(values[at], behind), 1 + behind
            at += step
        return text

    def of(self, field: str) -> Codec:
        """The codec of a field with such values."""

        def read(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
            widths = widths_of(field, size)
            return cut(self.take(reader, sum(widths)), widths)

        return Codec(field, read, lambda rows, size, known: self.give([value for row in rows for value in row]))


WIDE = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "@": (3, 8192), "%": (3, 8192), "*": (4, 12240), "$": (5, 77776)}
"""Prefixes of numbers beyond one digit: how many digits follow, and what is added to them."""
MOST_NUMBER = 77776 + 16**5


def _read_number(reader: Reader, sign: str) -> list[int]:
    if sign in WIDE:
        digits, added = WIDE[sign]
        return [reader.number(digits, 16) + added]
    if sign not in DIGITS[:16] + ".":
        raise reader.wrong(sign, "a digit, a letter, or one of .-+=@%*$")
    return [UNKNOWN if sign == "." else int(sign, 16)]


def _write_number(value: int, behind: int) -> str:
    if value == UNKNOWN or 0 <= value < 16:
        return "." if value == UNKNOWN else DIGITS[value]
    prefix, digits, added = next((prefix, w, a) for prefix, (w, a) in WIDE.items() if 0 <= value - a < 16**w)
    return f"{prefix}{value - added:0{digits}x}"


HEX = Spelling(
    _read_number,
    _write_number,
    16,
    allowed=lambda value: UNKNOWN <= value < MOST_NUMBER,
    expected=f"a number to {MOST_NUMBER - 1}",
)
"""`number16`: hexadecimal digits, prefixes of WIDE, `.` for a question mark, and letters from g for gaps."""


def _packed(states: int, first: int, least: int = 0, empty: int = NONE) -> Spelling:
    """Values from `least` on in so many states, in one digit with empty places behind them; `.` for a question mark if 0 is a
    value."""
    behind = first // states - 1

    def read(reader: Reader, sign: str) -> list[int]:
        place = DIGITS.find(sign)
        if sign == "." and least == 0:
            return [UNKNOWN]
        if not 0 <= place < states * (behind + 1):
            raise reader.wrong(sign, "a digit, a letter but f, or a point" if least == 0 else "a digit to base 36")
        return [place % states + least, *[empty] * (place // states)]

    def write(value: int, behind: int) -> str:
        return "." if value == UNKNOWN else DIGITS[value - least + states * behind]

    values = [empty, *range(least, least + states), *[UNKNOWN] * (least == 0)]
    expected = f"a number from {least} to {least + states - 1}"
    return Spelling(read, write, first, empty, behind, values.__contains__, expected if states > 1 else "1", states > 1)


def _read_digit(reader: Reader, sign: str) -> list[int]:
    if sign not in DIGITS + "-.@%":
        raise reader.wrong(sign, "a digit, a letter, or one of -.@%")
    return [reader.number(2, 36) if sign == "-" else {".": NONE, "@": UNKNOWN, "%": UNKNOWN}.get(sign, DIGITS.find(sign))]


def _write_digit(value: int, behind: int) -> str:
    return {NONE: ".", UNKNOWN: "@"}.get(value) or (
        DIGITS[value] if value < 36 else f"-{DIGITS[value // 36]}{DIGITS[value % 36]}"
    )


@dataclass(frozen=True)
class Thirds(Spelling):
    """Three places of three states in a digit to base 27; NONE is 0."""

    def take(self, reader: Reader, count: int) -> list[int]:
        return [value or NONE for value in super().take(reader, count)]

    def give(self, values: Sequence[int]) -> str:
        check_clues(values, lambda value: value in (NONE, 1, 2), "1 or 2")
        states = [max(value, 0) for value in values] + [0, 0]
        return "".join(DIGITS[9 * a + 3 * b + c] for a, b, c in zip(states[::3], states[1::3], states[2::3], strict=False))


def _read_three(reader: Reader, sign: str) -> list[int]:
    place = DIGITS[:27].find(sign)
    if place < 0:
        raise reader.wrong(sign, "a digit to base 27")
    return [place // 9, place // 3 % 3, place % 3]


SEVERAL = {2: (360, 6), 3: (396, 4), 4: (460, 2)}
"""For so many numbers in a cell: what is added to their code, and its base."""


def _read_list(reader: Reader, sign: str) -> list[tuple[int, ...]]:
    place = DIGITS.find(sign)
    if sign == "." or 0 <= place < 10:
        return [(1, 1, 1, 1) if place == 9 else (UNKNOWN if sign == "." else place,)]
    if place < 0:
        raise reader.wrong(sign, "a digit, a letter, or a point")
    code = 36 * place + reader.number(1, 36)
    for length, (added, base) in SEVERAL.items():
        if added <= code < added + base**length:
            return [tuple((code - added) // base**k % base or UNKNOWN for k in range(length - 1, -1, -1))]
    raise reader.wrong(reader.text[reader.at - 2 : reader.at], "a code of several numbers, from a0 to d7")


def _write_list(numbers: tuple[int, ...], behind: int) -> str:
    if numbers == (1, 1, 1, 1):
        return "9"
    if len(numbers) == 1 and UNKNOWN <= numbers[0] < 9:
        return "." if numbers[0] == UNKNOWN else str(numbers[0])
    code, base = SEVERAL.get(len(numbers), (0, 0))
    if not all(0 < number < base or number == UNKNOWN for number in numbers):
        raise ValueError(f"found {','.join(map(str, numbers))} in a cell, which addresses cannot have")
    code += sum(max(number, 0) * base**k for k, number in enumerate(reversed(numbers)))
    return DIGITS[code // 36] + DIGITS[code % 36]


FOUR_CELLS, THIRDS = _packed(5, 16), Thirds(_read_three, _write_digit, 36, 0, 2)
"""`4cell`: numbers to 4 with up to two empty cells behind them; and circles."""
NUMBERS, OUTSIDE, FOUR, CORNERS = HEX.of("numbers"), HEX.of("outside"), FOUR_CELLS.of("numbers"), FOUR_CELLS.of("corners")
CIRCLES, BETWEEN = THIRDS.of("numbers"), THIRDS.of("between")
EVERY = Spelling(_read_digit, _write_digit, allowed=lambda value: UNKNOWN <= value < 36 * 36, expected="a number to 1295").of(
    "numbers"
)
"""A number in each cell: a digit to base 36, or `-` and two of them."""
LISTS = Spelling(_read_list, _write_list, 16, ()).of("lists")
"""Up to four numbers in a cell: a digit is one, 9 is four ones, two digits to base 36 from a0 are several, of which 0 is a
question mark; letters from g are gaps."""
SOME_NUMBERS = Codec(
    "numbers",
    lambda reader, size, known: NUMBERS.read(reader if reader.more() else Reader(""), size, known),
    lambda rows, size, known: NUMBERS.write(rows, size, known) if any(n != NONE for row in rows for n in row) else "",
)
"""Numbers, or nothing if there are none."""
ONES = _packed(1, 18, 1).of("numbers")
"""Ones, with up to 17 empty cells behind them."""


def _read_headings(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
    above, left = cut(HEX.take(reader, size.width + size.height), [size.width, size.height])
    return above, (NONE,) * size.width, left, (NONE,) * size.height


HEADINGS = Codec("outside", _read_headings, lambda rows, size, known: HEX.give([*rows[0], *rows[2]]))
"""The numbers above the board, then those to its left."""

SUMS = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The signs of the sums from 0 to 45; `-` is 0, too."""


def _sum(reader: Reader, sign: str = "") -> int:
    if (sign := sign or reader.take()) not in SUMS + "-":
        raise reader.wrong(sign, "a sum from 0 to 9, a to j, A to Z, or -")
    return max(SUMS.find(sign), 0)


def _read_pair(reader: Reader, sign: str) -> list[tuple[int, int]]:
    below, right = (0, 0) if sign == "." else (_sum(reader, sign), _sum(reader))
    return [(right, below)]


PAIRS = Spelling(
    _read_pair,
    lambda sums, behind: SUMS[sums[1]] + SUMS[sums[0]] if any(sums) else ".",
    20,
    (),
    allowed=lambda sums: not sums or (len(sums) == 2 and max(sums) < len(SUMS)),
    expected=f"two sums to {len(SUMS) - 1}",
).of("lists")


def _read_sums(reader: Reader, size: Size, known: dict[str, Any]) -> Any:
    """Clue cells with the sums of the cells to their right and below them, then the sums outside, above and to the left."""
    rows = PAIRS.read(reader, size, known)
    above = tuple(NONE if cell else _sum(reader) or NONE for cell in rows[0])
    left = tuple(NONE if row[0] else _sum(reader) or NONE for row in rows)
    known["outside"] = (above, (NONE,) * size.width, left, (NONE,) * size.height)
    return rows


def _write_sums(rows: Any, size: Size, known: dict[str, Any]) -> str:
    check_clues([*known["outside"][0], *known["outside"][2]], lambda number: number < len(SUMS), f"a sum to {len(SUMS) - 1}")
    outside = zip((*rows[0], *(row[0] for row in rows)), (*known["outside"][0], *known["outside"][2]), strict=True)
    return PAIRS.write(rows, size, known) + "".join(SUMS[max(number, 0)] for cell, number in outside if not cell)


CLUE_SUMS = Codec("lists", _read_sums, _write_sums, ("outside",))


def _arrows(marks: bool) -> Codec:
    """Clues of a direction and a number, with `marks` after a digit from 0 to 2, and letters for gaps."""
    fields = ("numbers", "arrows", "marks")[: 2 + marks]

    def one(reader: Reader, sign: str) -> list[tuple[int, ...]]:
        mark = DIGITS.index(sign) if marks and sign in DIGITS[:3] else 0
        sign = reader.take() if marks else sign
        if sign not in DIGITS[:10] + "-":
            raise reader.wrong(sign, "a direction from 0 to 9, a minus sign, or a letter")
        digits = 3 if sign == "-" else 1 + (sign in DIGITS[5:10])
        direction = reader.number(1, 5) if sign == "-" else int(sign) % 5
        if unknown := digits == 1 and reader.text[reader.at : reader.at + 1] == ".":
            reader.take()
        return [(UNKNOWN if unknown else reader.number(digits, 16), direction, mark)[: 2 + marks]]

    def spelled(clue: tuple[int, ...], behind: int) -> str:
        number, arrow, *mark = clue
        narrow = f"{arrow}." if number == UNKNOWN else f"{arrow + 5 * (number > 15)}{number:x}"
        return "".join(map(str, mark)) + (narrow if number < 256 else f"-{arrow}{number:x}")

    def read(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
        clues = spelling.take(reader, size.height * size.width)
        known.update((field, size.rows(values)) for field, values in zip(fields, zip(*clues, strict=True), strict=True))
        return known["numbers"]  # type: ignore[no-any-return]

    def write(rows: Rows, size: Size, known: dict[str, Any]) -> str:
        clues = zip(*([value for row in known[field] for value in row] for field in fields), strict=True)
        check_clues([number for row in rows for number in row], lambda number: number < 4096, "a number to 4095")
        return spelling.give([clue if clue[0] != NONE else spelling.empty for clue in clues])

    spelling = Spelling(one, spelled, 10, (NONE, 0, 0)[: 2 + marks])
    return Codec("numbers", read, write, fields[1:])


ARROWS, MARKED_ARROWS = _arrows(False), _arrows(True)
"""Numbers with arrows; in cells that also have marks."""


# -- rooms ------------------------------------------------------------------------------------------------------------------


def read_bits(reader: Reader, count: int) -> list[bool]:
    """So many bits, five in a digit to base 32."""
    bits: list[bool] = []
    while len(bits) < count:
        number = reader.number(1, 32)
        bits += [bool(number >> k & 1) for k in (4, 3, 2, 1, 0)]
    return bits[:count]


def write_bits(bits: Sequence[bool]) -> str:
    """The text that `read_bits` reads."""
    padded = [*bits, *[False] * (-len(bits) % 5)]
    return "".join(DIGITS[sum(bit << 4 - k for k, bit in enumerate(padded[at : at + 5]))] for at in range(0, len(padded), 5))


def rooms_of(size: Size, walls: set[tuple[Cell, Cell]]) -> Rows:
    """The number of the room of each cell, in reading order of first cells; a wall lies between two cells."""
    cells = set(product(range(size.height), range(size.width)))
    parts = components(cells, lambda cell: [o for o in neighbors(cell) if tuple(sorted((cell, o))) not in walls])
    number = {cell: n for n, part in enumerate(parts) for cell in part}
    return tuple(tuple(number[r, c] for c in range(size.width)) for r in range(size.height))


def walled_rooms(size: Size, bits: Iterable[bool]) -> dict[str, Any]:
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


def _read_sides(reader: Reader, size: Size) -> list[bool]:
    """A bit for each pair of neighbors: those in a row, filled up to whole digits, then those in a column."""
    across = size.height * (size.width - 1)
    return read_bits(reader, across) + read_bits(reader, size.width * (size.height - 1))


def _write_sides(bits: Sequence[bool], size: Size) -> str:
    across = size.height * (size.width - 1)
    return write_bits(bits[:across]) + write_bits(bits[across:])


def _read_rooms(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
    known.update(walled_rooms(size, _read_sides(reader, size)))
    return known["rooms"]  # type: ignore[no-any-return]


ROOMS = Codec(
    "rooms", _read_rooms, lambda rooms, size, known: _write_sides(walls_in(size, {**known, "rooms": rooms}), size), ("walls",)
)
MARKS = Codec(
    "marks",
    lambda reader, size, known: size.rows(
        map(int, read_bits(reader if reader.more() else Reader("0" * MOST_SIDE**2), size.height * size.width))
    ),
    lambda rows, size, known: write_bits([bool(mark) for row in rows for mark in row]) if any(map(any, rows)) else "",
)
"""A bit for each cell, or nothing if there are no marks."""


def _read_walls(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
    bits = _read_sides(reader, size) if reader.more() else [False] * len(sides(size))
    return cut([1 if bit else NONE for bit in bits], widths_of("between", size))


def _write_walls(rows: Rows, size: Size, known: dict[str, Any]) -> str:
    bits = [mark != NONE for row in rows for mark in row]
    return _write_sides(bits, size) if any(bits) else ""


SOME_WALLS = Codec("between", _read_walls, _write_walls)
"""Walls between cells, or nothing if there are none."""


def first_cells(rooms: Rows) -> list[Cell]:
    """The first cell of each room, in reading order."""
    found: dict[int, Cell] = {}
    for r, row in enumerate(rooms):
        for c, room in enumerate(row):
            found.setdefault(room, (r, c))
    return [found[room] for room in sorted(found)]


def _read_room_numbers(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
    firsts = first_cells(known["rooms"])
    numbers = dict(zip(firsts, HEX.take(reader, len(firsts)), strict=True))
    return size.rows([numbers.get(cell, NONE) for cell in product(range(size.height), range(size.width))])


def _write_room_numbers(numbers: Rows, size: Size, known: dict[str, Any]) -> str:
    found = dict.fromkeys(range(len(first_cells(known["rooms"]))), NONE)
    for r, c in product(range(size.height), range(size.width)):
        if numbers[r][c] != NONE and found.setdefault(known["rooms"][r][c], NONE) != NONE:
            raise ValueError(f"row {r + 1}, column {c + 1}: found a second number of the same room, expected one")
        if numbers[r][c] != NONE:
            found[known["rooms"][r][c]] = numbers[r][c]
    return HEX.give(list(found.values()))


ROOM_NUMBERS = Codec("numbers", _read_room_numbers, _write_room_numbers)


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
STARS = _packed(2, 16, 1, 0)


def _read_points(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
    widths = widths_of("points", size)
    rows = [list(row) for row in cut(STARS.take(reader, sum(widths)), widths)]
    if reader.more():
        for k, hole in enumerate(read_bits(reader, size.height * size.width)):
            if hole:
                rows[2 * (k // size.width)][2 * (k % size.width)] = HOLE
    return tuple(map(tuple, rows))


def _write_points(rows: Rows, size: Size, known: dict[str, Any]) -> str:
    holes = [point == HOLE for row in rows[::2] for point in row[::2]]
    return STARS.give([point % HOLE for row in rows for point in row]) + (write_bits(holes) if any(holes) else "")


POINTS = Codec("points", _read_points, _write_points)
"""White (1) and black (2) points at the centers of cells, sides, and corners, then holes, if there are any."""


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
