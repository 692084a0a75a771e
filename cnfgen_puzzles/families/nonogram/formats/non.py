"""`.non`, Steve Simpson's format: lines that begin with a keyword, and the clues after `rows` and `columns`.

    title "A corner"
    width 3
    height 2

    rows
    1,1
    2

    columns
    2
    1
    1

    goal "101110"

Source: https://www.comp.lancs.ac.uk/~ss/nonogram/fmt2, and the description of input formats that comes with Jan
Wolter's pbnsolve for `goal` and `saved` (whose bits may run on over several lines). The format's text writes an empty
clue as `0` and ignores blank lines; Wolter's files write a blank line. Both are read: if a section has as many filled
lines as it has clues, its blank lines are ignored, otherwise each blank line is an empty clue. `rows 5` is another way
to say `height 5` (and, as pbnsolve reads it, begins the clues if a number follows). Keywords that are not known are
properties, which are passed over.
"""

from __future__ import annotations

import html
import re

from cnfgen_puzzles.families.nonogram.formats.clues import Lines, clue_text, shown, tidy
from cnfgen_puzzles.families.nonogram.puzzle import Board, Clue, Nonogram
from cnfgen_puzzles.ground.errors import InputError

PROPERTIES = {
    "catalogue": "catalogue",
    "title": "title",
    "by": "author",
    "copyright": "copyright",
    "description": "description",
}
"""Keyword in the file -> key in `Nonogram.about`."""

KNOWN = {*PROPERTIES, "width", "height", "rows", "columns", "goal", "saved", "color", "colour", "license", "maxrule"}
KEYWORD = re.compile(r"\s*([A-Za-z_][\w-]*)[ \t]*", re.ASCII)
MARK = re.compile(r"^[ \t]*(?:width|height|rows|columns)\b", re.MULTILINE)
BITS = re.compile(r"[01?\s\"']*")


def recognise(text: str) -> bool:
    """Whether the text begins with a keyword and says a width, a height, rows or columns somewhere."""
    return KEYWORD.match(text) is not None and MARK.search(text) is not None


def read(text: str, source_name: str) -> Nonogram:
    """The puzzle; raises InputError."""
    return _Reader(Lines(text, source_name, "a .non puzzle with width, height, rows and columns")).puzzle()


def write(puzzle: Nonogram) -> str:
    """The puzzle as `.non` in ASCII, with what is known about it and its goal."""
    lines = [f'{word} "{_escaped(puzzle.about[key])}"' for word, key in PROPERTIES.items() if puzzle.about.get(key)]
    lines += [f"width {puzzle.width}", f"height {puzzle.height}", ""]
    lines += ["rows", *(clue_text(clue, ",") for clue in puzzle.rows), ""]
    lines += ["columns", *(clue_text(clue, ",") for clue in puzzle.columns), ""]
    if puzzle.goal is not None:
        lines += [f'goal "{"".join("01"[cell] for row in puzzle.goal for cell in row)}"', ""]
    return "\n".join(lines)


def _escaped(value: str) -> str:
    return html.escape(tidy(value), quote=True).encode("ascii", "xmlcharrefreplace").decode("ascii")


class _Reader:
    """Reads the sections in whatever order they come; a section may come once."""

    def __init__(self, lines: Lines):
        self.lines = lines
        self.seen: dict[str, int] = {}
        self.sides: dict[str, int] = {}
        self.clues: dict[str, tuple[Clue, ...]] = {}
        self.about: dict[str, str] = {}
        self.goal: tuple[int, str] | None = None

    def puzzle(self) -> Nonogram:
        index = self.lines.skip_blank()
        while index < len(self.lines):
            index = self.lines.skip_blank(self.line(index))
        for name, where in (
            ("width", self.sides),
            ("height", self.sides),
            ("rows", self.clues),
            ("columns", self.clues),
        ):
            if name not in where:
                raise self.lines.error(len(self.lines) - 1, f"found the end of the file, expected a line '{name}'")
        return Nonogram(self.clues["rows"], self.clues["columns"], self.about, self.board())

    def line(self, index: int) -> int:
        """Reads what begins at a line and returns the index after it."""
        match = KEYWORD.match(self.lines[index])
        if match is None:
            found = shown(self.lines[index].strip())
            raise self.lines.error(index, f"found {found}, expected a keyword such as width, rows or goal")
        word, rest = match[1].lower(), self.lines[index][match.end() :].strip()
        if word in ("width", "height"):
            return self.side(index, word, rest)
        if word in ("rows", "columns"):
            return self.section(index, word, rest)
        if word in ("goal", "saved"):
            return self.bits(index, word, rest)
        if word in PROPERTIES:
            self.once(index, word)
            self.about[PROPERTIES[word]] = tidy(html.unescape(_unquoted(rest)))
        elif word in ("color", "colour"):
            raise self.lines.error(index, "found a colour puzzle, expected a black and white one")
        return index + 1

    def once(self, index: int, word: str) -> None:
        if word in self.seen:
            raise self.lines.error(index, f"found '{word}' again (first on line {self.seen[word] + 1}), expected it once")
        self.seen[word] = index

    def side(self, index: int, name: str, rest: str) -> int:
        self.once(index, name)
        if len(rest.split(maxsplit=1)) != 1:
            raise self.lines.error(index, f"found {shown(rest)} after '{name}', expected one number")
        self.sides[name] = self.lines.side(index, rest, name)
        return index + 1

    def section(self, index: int, word: str, rest: str) -> int:
        """The clues after `rows` or `columns`; with a number on the line, first of all the height or width."""
        side = "height" if word == "rows" else "width"
        if rest:
            self.side(index, side, rest)
            following = self.lines.skip_blank(index + 1)
            if following == len(self.lines) or not self.lines[following].strip()[0].isdigit():
                return index + 1
        self.once(index, word)
        if side not in self.sides:
            raise self.lines.error(index, f"found '{word}', expected '{side}' before it")
        end = index + 1
        while end < len(self.lines) and KEYWORD.match(self.lines[end]) is None:
            end += 1
        chosen = self.clue_lines(index + 1, end, self.sides[side], word)
        self.clues[word] = self.lines.clues(chosen, word.removesuffix("s"), separators="commas")
        return end

    def clue_lines(self, start: int, end: int, count: int, word: str) -> list[int]:
        """The lines of a section that are its clues: see the module's docstring for blank lines."""
        filled = [index for index in range(start, end) if self.lines[index].strip()]
        if len(filled) == count:
            return filled
        if len(filled) < count <= end - start and all(index < start + count for index in filled):
            return list(range(start, start + count))
        raise self.miscount(filled, end, count, word)

    def miscount(self, filled: list[int], end: int, count: int, word: str) -> InputError:
        """The error of a section with too few or too many clues, at the line where it goes wrong."""
        expected = f"expected {count} clues after '{word}' (an empty clue is written 0)"
        if len(filled) > count:
            return self.lines.error(filled[count], f"found clue {count + 1}, {expected}")
        if end < len(self.lines) and KEYWORD.match(self.lines[end])[1].lower() not in KNOWN:
            return self.lines.error(end, f"found {shown(self.lines[end].strip())} after {len(filled)} clues, {expected}")
        return self.lines.error(end - 1, f"found {len(filled)} clues, {expected}")

    def bits(self, index: int, word: str, rest: str) -> int:
        """The picture after `goal`, which may run on over lines of 0 and 1; one after `saved` is passed over."""
        parts, end = [rest], index + 1
        while end < len(self.lines) and self.lines[end].strip() and BITS.fullmatch(self.lines[end]):
            parts.append(self.lines[end])
            end += 1
        if word == "goal":
            self.once(index, word)
            self.goal = index, re.sub(r"[\s\"']+", "", "".join(parts))
        return end

    def board(self) -> Board | None:
        if self.goal is None:
            return None
        index, bits = self.goal
        width, height = self.sides["width"], self.sides["height"]
        strange = re.search(r"[^01]", bits)
        if strange:
            raise self.lines.error(index, f"found {strange[0]!r} in the goal, expected 0 and 1 alone (black and white)")
        if len(bits) != width * height:
            expected = f"{width} x {height} = {width * height}"
            raise self.lines.error(index, f"found {len(bits)} cells in the goal, expected {expected}")
        return tuple(tuple(bit == "1" for bit in bits[start : start + width]) for start in range(0, len(bits), width))


def _unquoted(value: str) -> str:
    """The string without its quotes; what follows the closing quote is dropped, as pbnsolve does."""
    if value[:1] in ("'", '"'):
        return value[1:].partition(value[0])[0]
    return value
