"""URLs and files of puzz.link and pzpr: how numbers, circles, and borders are written.

    slither/5/5/cbcbcddad                 the genre, the width, the height, and the body
    https://puzz.link/p?slither/5/5/cbcbcddad

A body is a sequence of parts, each by a codec. A codec reads its part into a field of the puzzle and writes it. Errors name the
character by its place in the URL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple, Protocol

from cnfgen_puzzles.families.grid.constraints import Cell, components, neighbors
from cnfgen_puzzles.families.grid.pieces import checked_piece

NONE, UNKNOWN = -1, -2
"""A cell without a clue, and one with a question mark."""
MOST_SIDE = 200
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
Rows = tuple[tuple[int, ...], ...]


class Size(NamedTuple):
    height: int
    width: int

    def rows(self, values: Sequence[int]) -> Rows:
        return tuple(tuple(values[r * self.width : (r + 1) * self.width]) for r in range(self.height))


class Sides(Protocol):
    """What has a height and a width."""

    @property
    def height(self) -> int: ...
    @property
    def width(self) -> int: ...


def outside_widths(size: Sides) -> list[int]:
    """How many numbers are above the board, below it, to its left, and to its right."""
    return [size.width, size.width, size.height, size.height]


def between_widths(size: Sides) -> list[int]:
    """How many pairs of neighbors are in each row, then in each two rows."""
    return [size.width - 1] * size.height + [size.width] * (size.height - 1)


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

    def filled(self, values: list[Any], count: int, empty: Any = NONE, *, padded: bool = False) -> list[Any]:
        """The values of so many cells; a URL without a body has only empty ones, and the last character may be `padded`."""
        if len(values) < count and not self.blank:
            found = f"found {self.text[self.at]!r}" if self.at < len(self.text) else "the URL ends"
            raise ValueError(f"character {self.at + 1}: {found} after {len(values)} cells, expected {count} cells")
        if len(values) > count and not (padded and set(values[count:]) == {empty}):
            raise self.wrong(self.text[self.at - 1], f"at most {count} cells")
        return [*values, *[empty] * (count - len(values))][:count]

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


# -- numbers ----------------------------------------------------------------------------------------------------------------

WIDE = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192)}
"""Prefixes of numbers beyond one digit: how many digits follow, and what is added to them."""


def read_numbers(reader: Reader, count: int) -> list[int]:
    """So many cells by `number16`: hexadecimal digits, prefixes of WIDE, `.` for a question mark, and letters from g for gaps."""
    values: list[int] = []
    while len(values) < count and reader.more():
        sign = reader.take()
        if sign in DIGITS[:16]:
            values.append(int(sign, 16))
        elif sign in WIDE:
            digits, added = WIDE[sign]
            values.append(reader.number(digits, 16) + added)
        elif sign == ".":
            values.append(UNKNOWN)
        elif sign in DIGITS[16:]:
            values += [NONE] * (DIGITS.index(sign) - 15)
        else:
            raise reader.wrong(sign, "a digit, a letter, or one of .-+=%")
    return reader.filled(values, count)


def write_numbers(values: Sequence[int]) -> str:
    """What `read_numbers` reads."""
    check_clues(values, lambda value: UNKNOWN <= value < 8192 + 4096, f"a number to {8192 + 4095}")
    text, gap = "", 0

    def flush() -> str:
        return DIGITS[35] * (gap // 20) + (DIGITS[15 + gap % 20] if gap % 20 else "")

    for value in values:
        if value == NONE:
            gap += 1
            continue
        text, gap = text + flush(), 0
        prefix = next(((sign, w, a) for sign, (w, a) in WIDE.items() if 0 <= value - a < 16**w), None)
        if value == UNKNOWN:
            text += "."
        elif 0 <= value < 16:
            text += DIGITS[value]
        elif prefix:
            text += f"{prefix[0]}{value - prefix[2]:0{prefix[1]}x}"
    return text + flush()


def read_four(reader: Reader, count: int) -> list[int]:
    """So many cells by `4cell`: numbers from 0 to 4, with up to two empty cells behind them in the same character."""
    values: list[int] = []
    while len(values) < count and reader.more():
        sign = reader.take()
        place = DIGITS.find(sign)
        if sign == ".":
            values.append(UNKNOWN)
        elif 0 <= place < 15:
            values += [place % 5, *[NONE] * (place // 5)]
        elif place > 15:
            values += [NONE] * (place - 15)
        else:
            raise reader.wrong(sign, "a digit, a letter but f, or a point")
    return reader.filled(values, count, padded=True)


def write_four(values: Sequence[int]) -> str:
    """What `read_four` reads."""
    check_clues(values, lambda value: UNKNOWN <= value < 5, "a number from 0 to 4")
    text, at = "", 0
    while at < len(values):
        end = next((k for k in range(at, len(values)) if values[k] != NONE), len(values))
        gap, value = end - at, values[at]
        if gap:
            step = min(gap, 20)
            text, at = text + DIGITS[15 + step], at + step
            continue
        after = next((k for k in range(at + 1, len(values)) if values[k] != NONE), len(values) + 2) - at - 1
        empty = min(after, 2) if value != UNKNOWN else 0
        text, at = text + ("." if value == UNKNOWN else DIGITS[value + 5 * empty]), at + 1 + empty
    return text


def read_thirds(reader: Reader, count: int) -> list[int]:
    """So many cells of three states, three in a digit to base 27: 0 becomes NONE."""
    values: list[int] = []
    while len(values) < count and reader.more():
        number = reader.number(1, 27)
        values += [number // 9, number // 3 % 3, number % 3]
    return [value or NONE for value in reader.filled(values, count, 0, padded=True)]


def write_thirds(values: Sequence[int]) -> str:
    """What `read_thirds` reads."""
    check_clues(values, lambda value: value in (NONE, 1, 2), "1 or 2")
    states = [max(value, 0) for value in values] + [0, 0]
    return "".join(DIGITS[9 * a + 3 * b + c] for a, b, c in zip(states[::3], states[1::3], states[2::3], strict=False))


def read_digits(reader: Reader, count: int) -> list[int]:
    """So many cells, a digit to base 36 each, or `-` and two of them."""
    values: list[int] = []
    while len(values) < count and reader.more():
        sign = reader.take()
        if sign == "-":
            values.append(reader.number(2, 36))
        elif sign in ".%":
            values.append(UNKNOWN if sign == "." else NONE)
        elif sign in DIGITS:
            values.append(DIGITS.index(sign))
        else:
            raise reader.wrong(sign, "a digit, a letter, a minus sign, or a point")
    return reader.filled(values, count)


def write_digits(values: Sequence[int]) -> str:
    """What `read_digits` reads."""
    check_clues(values, lambda value: UNKNOWN <= value < 36 * 36, "a number to 1295")
    return "".join(
        {UNKNOWN: ".", NONE: "%"}.get(v) or (DIGITS[v] if v < 36 else f"-{DIGITS[v // 36]}{DIGITS[v % 36]}") for v in values
    )


SEVERAL = {2: (360, 6), 3: (396, 4), 4: (460, 2)}
"""For so many numbers in a cell: what is added to their code, and its base."""


def read_lists(reader: Reader, count: int) -> list[tuple[int, ...]]:
    """So many cells with up to four numbers: a digit is one, 9 is four ones, two digits to base 36 from a0 are several, of which
    0 is a question mark; letters from g are gaps."""
    cells: list[tuple[int, ...]] = []
    while len(cells) < count and reader.more():
        sign = reader.take()
        place = DIGITS.find(sign)
        if sign == "." or 0 <= place < 10:
            cells.append((1, 1, 1, 1) if place == 9 else (UNKNOWN if sign == "." else place,))
        elif 10 <= place < 16:
            code = 36 * place + reader.number(1, 36)
            found = next(((n, code - a, b) for n, (a, b) in SEVERAL.items() if a <= code < a + b**n), None)
            if found is None:
                raise reader.wrong(reader.text[reader.at - 2 : reader.at], "a code of several numbers, from a0 to d7")
            length, code, base = found
            cells.append(tuple(code // base**k % base or UNKNOWN for k in range(length - 1, -1, -1)))
        elif place >= 16:
            cells += [()] * (place - 15)
        else:
            raise reader.wrong(sign, "a digit, a letter, or a point")
    return reader.filled(cells, count, ())


def write_lists(cells: Sequence[tuple[int, ...]]) -> str:
    """What `read_lists` reads."""
    text, gap = "", 0
    for numbers in (*cells, None):
        if numbers == () and gap < 20:
            gap += 1
            continue
        text, gap = text + (DIGITS[15 + gap] if gap else ""), int(numbers == ())
        if numbers == (1, 1, 1, 1):
            text += "9"
        elif numbers and len(numbers) == 1 and -2 <= numbers[0] < 9:
            text += "." if numbers[0] == UNKNOWN else str(numbers[0])
        elif numbers:
            code, base = SEVERAL.get(len(numbers), (0, 0))
            if not all(0 < number < base or number == UNKNOWN for number in numbers):
                raise ValueError(f"found {','.join(map(str, numbers))} in a cell, which addresses cannot have")
            code += sum(max(number, 0) * base**k for k, number in enumerate(reversed(numbers)))
            text += DIGITS[code // 36] + DIGITS[code % 36]
    return text


def _of_cells(
    read: Callable[[Reader, int], list[Any]], write: Callable[[Sequence[Any]], str], field: str = "numbers", more: int = 0
) -> Codec:
    """A value for each place of a rectangle whose sides have `more` places than the board has cells."""

    def take(reader: Reader, size: Size, known: dict[str, Rows]) -> Rows:
        size = Size(size.height + more, size.width + more)
        return size.rows(read(reader, size.height * size.width))

    return Codec(field, take, lambda rows, size, known: write([value for row in rows for value in row]))


NUMBERS, FOUR = _of_cells(read_numbers, write_numbers), _of_cells(read_four, write_four)
CIRCLES, EVERY = _of_cells(read_thirds, write_thirds), _of_cells(read_digits, write_digits)
CORNERS = _of_cells(read_four, write_four, "corners", 1)
LISTS = _of_cells(read_lists, write_lists, "lists")


def _of_rows(
    field: str,
    widths: Callable[[Sides], list[int]],
    read: Callable[[Reader, int], list[int]],
    write: Callable[[Sequence[int]], str],
) -> Codec:
    """A value for each place of rows of these widths."""

    def take(reader: Reader, size: Size, known: dict[str, Rows]) -> Rows:
        values = iter(read(reader, sum(widths(size))))
        return tuple(tuple(next(values) for _ in range(width)) for width in widths(size))

    return Codec(field, take, lambda rows, size, known: write([value for row in rows for value in row]))


def _read_any(reader: Reader, count: int) -> list[int]:
    return read_numbers(reader, count) if reader.more() else [NONE] * count


def _write_any(values: Sequence[int]) -> str:
    """Numbers, or nothing if there are none."""
    return write_numbers(values) if any(value != NONE for value in values) else ""


OUTSIDE, SOME_NUMBERS = _of_rows("outside", outside_widths, read_numbers, write_numbers), _of_cells(_read_any, _write_any)
BETWEEN = _of_rows("between", between_widths, read_thirds, write_thirds)


# -- sums -------------------------------------------------------------------------------------------------------------------

SUMS = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The signs of the sums from 0 to 45."""


def _read_sums(reader: Reader, size: Size, known: dict[str, Any]) -> Any:
    """Clue cells with the sums of the cells to their right and below them, then the sums outside, above and to the left."""

    def one() -> int:
        sign = reader.take()
        if sign not in SUMS:
            raise reader.wrong(sign, "a sum from 0 to 9, a to j, or A to Z")
        return SUMS.index(sign)

    count, cells = size.height * size.width, list[tuple[int, ...]]()
    while len(cells) < count:
        sign = reader.take()
        if sign in DIGITS[20:]:
            cells += [()] * (DIGITS.index(sign) - 19)
        elif sign == ".":
            cells.append((0, 0))
        else:
            reader.at -= 1
            below = one()
            cells.append((one(), below))
    rows: Any = size.rows(reader.filled(cells, count, ()))
    above = tuple(NONE if cell else one() or NONE for cell in rows[0])
    left = tuple(NONE if row[0] else one() or NONE for row in rows)
    known["outside"] = (above, (NONE,) * size.width, left, (NONE,) * size.height)
    return rows


def _write_sums(rows: Any, size: Size, known: dict[str, Any]) -> str:
    cells = [cell for row in rows for cell in row]
    check_clues(cells, lambda cell: not cell or (len(cell) == 2 and max(cell) < len(SUMS)), f"two sums to {len(SUMS) - 1}")
    check_clues([*known["outside"][0], *known["outside"][2]], lambda number: number < len(SUMS), f"a sum to {len(SUMS) - 1}")
    text, gap = "", 0
    for cell in [*cells, None]:
        if cell == () and gap < 16:
            gap += 1
            continue
        text, gap = text + DIGITS[19 + gap] * bool(gap), int(cell == ())
        if cell:
            text += "." if cell == (0, 0) else SUMS[cell[1]] + SUMS[cell[0]]
    outside = zip((*rows[0], *(row[0] for row in rows)), (*known["outside"][0], *known["outside"][2]), strict=True)
    return text + "".join(SUMS[max(number, 0)] for cell, number in outside if not cell)


CLUE_SUMS = Codec("lists", _read_sums, _write_sums, ("outside",))


# -- arrows -----------------------------------------------------------------------------------------------------------------


def _read_arrows(reader: Reader, size: Size, known: dict[str, Rows], marks: bool) -> Rows:
    """Clues of a direction and a number, with `marks` after a digit from 0 to 2, and letters for gaps."""
    count, found = size.height * size.width, list[tuple[int, int, int]]()
    while len(found) < count and reader.more():
        sign = reader.take()
        if sign in DIGITS[10:]:
            found += [(NONE, 0, 0)] * (DIGITS.index(sign) - 9)
            continue
        mark = DIGITS.index(sign) if marks and sign in DIGITS[:3] else 0
        sign = reader.take() if marks else sign
        digits = 3 if sign == "-" else 1 + (sign in DIGITS[5:10])
        direction = reader.number(1, 5) if sign == "-" else DIGITS.index(sign) % 5 if sign in DIGITS[:10] else None
        if direction is None:
            raise reader.wrong(sign, "a direction from 0 to 9, a minus sign, or a letter")
        if digits == 1 and reader.text[reader.at : reader.at + 1] == ".":
            reader.take()
            found.append((UNKNOWN, direction, mark))
        else:
            found.append((reader.number(digits, 16), direction, mark))
    found = reader.filled(found, count, (NONE, 0, 0))
    numbers, known["arrows"], cell_marks = (size.rows([clue[k] for clue in found]) for k in range(3))
    if marks:
        known["marks"] = cell_marks
    return numbers


def _write_arrows(numbers: Rows, size: Size, known: dict[str, Rows], marks: bool) -> str:
    check_clues([number for row in numbers for number in row], lambda number: number < 4096, "a number to 4095")
    text, gap = "", 0
    for r, c in product(range(size.height), range(size.width)):
        number, arrow = numbers[r][c], known["arrows"][r][c]
        if number != NONE:
            text += DIGITS[9 + gap] * bool(gap) + (str(known["marks"][r][c]) if marks else "")
            narrow = f"{arrow}." if number == UNKNOWN else f"{arrow + 5 * (number > 15)}{number:x}"
            text += narrow if number < 256 else f"-{arrow}{number:x}"
        gap = gap + 1 if number == NONE else 0
        if gap == 26:
            text, gap = text + "z", 0
    return text + DIGITS[9 + gap] * bool(gap)


def _arrows(marks: bool) -> Codec:
    return Codec(
        "numbers",
        lambda reader, size, known: _read_arrows(reader, size, known, marks),
        lambda rows, size, known: _write_arrows(rows, size, known, marks),
        ("arrows", "marks") if marks else ("arrows",),
    )


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
    """What `read_bits` reads."""
    padded = [*bits, *[False] * (-len(bits) % 5)]
    return "".join(DIGITS[sum(bit << 4 - k for k, bit in enumerate(padded[at : at + 5]))] for at in range(0, len(padded), 5))


def rooms_of(size: Size, walls: set[tuple[Cell, Cell]]) -> Rows:
    """The number of the room of each cell, in reading order of first cells; a wall lies between two cells."""
    cells = set(product(range(size.height), range(size.width)))
    parts = components(cells, lambda cell: [o for o in neighbors(cell) if tuple(sorted((cell, o))) not in walls])
    number = {cell: n for n, part in enumerate(parts) for cell in part}
    return tuple(tuple(number[r, c] for c in range(size.width)) for r in range(size.height))


def sides(size: Sides) -> list[tuple[Cell, Cell]]:
    """The pairs of neighboring cells: first those in a row, then those in a column."""
    across = [((r, c), (r, c + 1)) for r in range(size.height) for c in range(size.width - 1)]
    return across + [((r, c), (r + 1, c)) for r in range(size.height - 1) for c in range(size.width)]


def _read_rooms(reader: Reader, size: Size, known: dict[str, Rows]) -> Rows:
    listed = sides(size)
    across = size.height * (size.width - 1)
    bits = read_bits(reader, across) + read_bits(reader, len(listed) - across)
    return rooms_of(size, {side for side, bit in zip(listed, bits, strict=True) if bit})


def _write_rooms(rooms: Rows, size: Size, known: dict[str, Rows]) -> str:
    bits = [rooms[a[0]][a[1]] != rooms[b[0]][b[1]] for a, b in sides(size)]
    across = size.height * (size.width - 1)
    return write_bits(bits[:across]) + write_bits(bits[across:])


ROOMS = Codec("rooms", _read_rooms, _write_rooms)
MARKS = Codec(
    "marks",
    lambda reader, size, known: size.rows(list(map(int, read_bits(reader, size.height * size.width)))),
    lambda rows, size, known: write_bits([bool(mark) for row in rows for mark in row]),
)


def first_cells(rooms: Rows) -> list[Cell]:
    """The first cell of each room, in reading order."""
    found: dict[int, Cell] = {}
    for r, row in enumerate(rooms):
        for c, room in enumerate(row):
            found.setdefault(room, (r, c))
    return [found[room] for room in sorted(found)]


def _read_room_numbers(reader: Reader, size: Size, known: dict[str, Rows]) -> Rows:
    firsts = first_cells(known["rooms"])
    numbers = dict(zip(firsts, read_numbers(reader, len(firsts)), strict=True))
    return size.rows([numbers.get(cell, NONE) for cell in product(range(size.height), range(size.width))])


def _write_room_numbers(numbers: Rows, size: Size, known: dict[str, Rows]) -> str:
    found = dict.fromkeys(range(len(first_cells(known["rooms"]))), NONE)
    for r, c in product(range(size.height), range(size.width)):
        if numbers[r][c] != NONE and found.setdefault(known["rooms"][r][c], NONE) != NONE:
            raise ValueError(f"row {r + 1}, column {c + 1}: found a second number of the same room, expected one")
        if numbers[r][c] != NONE:
            found[known["rooms"][r][c]] = numbers[r][c]
    return write_numbers(list(found.values()))


ROOM_NUMBERS = Codec("numbers", _read_room_numbers, _write_room_numbers)


# -- objects ----------------------------------------------------------------------------------------------------------------


def _read_headings(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
    values = read_numbers(reader, size.width + size.height)
    none = (NONE,)
    return tuple(values[: size.width]), none * size.width, tuple(values[size.width :]), none * size.height


HEADINGS = Codec("outside", _read_headings, lambda rows, size, known: write_numbers([*rows[0], *rows[2]]))
"""The numbers above the board, then those to its left."""


def read_ones(reader: Reader, count: int) -> list[int]:
    """So many cells, some of which have a one: a digit to h is a one with so many empty cells behind it, i to z are 1 to 18 empty
    cells."""
    values: list[int] = []
    while len(values) < count and reader.more():
        place = reader.number(1, 36)
        values += [1, *[NONE] * place] if place < 18 else [NONE] * (place - 17)
    return reader.filled(values, count, padded=True)


def write_ones(values: Sequence[int]) -> str:
    """What `read_ones` reads."""
    check_clues(values, lambda value: value in (NONE, 1), "1")
    text, at = "", 0
    while at < len(values):
        first = values[at] == 1
        after = next((k for k in range(at + first, min(at + 18, len(values))) if values[k] == 1), min(at + 18, len(values)))
        text, at = text + DIGITS[after - at - 1 if first else after - at + 17], after
    return text


ONES = _of_cells(read_ones, write_ones)


def read_until(reader: Reader, expected: str, known: Callable[[str], Any]) -> Any:
    """What the characters to the next slash, which is skipped, are; `known` raises a ValueError for others."""
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


def _read_points(reader: Reader, size: Size, known: dict[str, Any]) -> Rows:
    points = Size(2 * size.height - 1, 2 * size.width - 1)
    values: list[int] = []
    while len(values) < points.height * points.width and reader.more():
        place = reader.number(1, 36)
        values += [place % 2 + 1, *[0] * (place // 2)] if place < 16 else [0] * (place - 15)
    rows = [list(row) for row in points.rows(reader.filled(values, points.height * points.width, 0, padded=True))]
    if reader.more():
        for k, hole in enumerate(read_bits(reader, size.height * size.width)):
            if hole:
                rows[2 * (k // size.width)][2 * (k % size.width)] = HOLE
    return tuple(map(tuple, rows))


def _write_points(rows: Rows, size: Size, known: dict[str, Any]) -> str:
    values = [point % HOLE for row in rows for point in row]
    text, at = "", 0
    while at < len(values):
        first = values[at] > 0
        most = 8 if first else 20
        end = min(at + most, len(values)) if not first else at + most
        after = next((k for k in range(at + first, min(end, len(values))) if values[k]), end)
        text += DIGITS[2 * (after - at - 1) + values[at] - 1 if first else 15 + after - at]
        at = after
    holes = [point == HOLE for row in rows[::2] for point in row[::2]]
    return text + (write_bits(holes) if any(holes) else "")


HOLE = 3
"""A point of a cell that is no part of the board."""
POINTS = Codec("points", _read_points, _write_points)
"""White (1) and black (2) points at the centers of cells, sides, and corners, then holes, if there are any."""


def _read_walls(reader: Reader, size: Size, known: dict[str, Rows]) -> Rows:
    across = size.height * (size.width - 1)
    counts = (across, len(sides(size)) - across) if reader.more() else (0, 0)
    bits = iter([bit for count in counts for bit in read_bits(reader, count)])
    return tuple(tuple(1 if next(bits, False) else NONE for _ in range(width)) for width in between_widths(size))


def _write_walls(rows: Rows, size: Size, known: dict[str, Rows]) -> str:
    bits, across = [mark != NONE for row in rows for mark in row], size.height * (size.width - 1)
    return write_bits(bits[:across]) + write_bits(bits[across:]) if any(bits) else ""


SOME_WALLS = Codec("between", _read_walls, _write_walls)
"""Walls between cells, or nothing if there are none."""


# -- whole URLs -------------------------------------------------------------------------------------------------------------


def read_body(parts: Sequence[Codec], size: Size, url: str, start: int = 0) -> dict[str, Any]:
    """The fields of a puzzle from the body of a URL, which begins at `start`; ValueError with the place of what is wrong."""
    reader, known = Reader(url, start), dict[str, Any]()
    for codec in parts:
        known[codec.field] = codec.read(reader, size, known)
    if reader.at < len(url):
        raise reader.wrong(reader.take(), f"the end, since the {size.height * size.width} cells are complete")
    return known


def write_body(parts: Sequence[Codec], size: Size, known: dict[str, Any]) -> str:
    """What `read_body` reads."""
    return "".join(codec.write(known[codec.field], size, known) for codec in parts)
