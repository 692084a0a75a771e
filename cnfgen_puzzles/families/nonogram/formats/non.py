"""`.non`, Steve Simpson's format: lines that begin with a keyword, and the clues after `rows` and `columns`.

    title "A corner"            rows       columns       goal "101110"
    width 3                     1,1        2
    height 2                    2          1
                                           1

Source: https://www.comp.lancs.ac.uk/~ss/nonogram/fmt2, and the description of input formats that comes with Jan
Wolter's pbnsolve for `goal` and `saved` (whose bits may run on over several lines; in a saved picture `?` is a cell that is not
known). The format's text writes an empty clue as `0` and ignores blank lines; Wolter's files write a blank line. Both are read:
if a section has as many filled lines as it has clues, its blank lines are ignored, otherwise each blank line is an empty clue.
`rows 5` is another way to say `height 5` (and, as pbnsolve reads it, begins the clues if a number follows). Keywords that are not
known are properties: they are kept by their names, and mean nothing.

In several colours, as the collection github.com/mikix/nonogram-db extends the format: `color r #ff0000` declares a letter (or
another sign), a number of a clue may have a letter behind it (`3r,1b`), and the goal has the letters for 1. Letters that are not
declared get colours that are told apart; a number without a letter is black, and so is a 1 of the goal (or has the one colour
that there is). The background is white.

A text may stand in quotes, and ends with the last one of its line: `title "The "Cat""` is The "Cat", as many files have it.
In a text `&eacute;` and `&#233;` are references, as the format says, but an `&` without a `;` is an `&`.
"""

from __future__ import annotations

import html
import re
import warnings
from itertools import pairwise, takewhile

from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.nonogram.formats.clues import ClueLines, ColouredClue, lettered_clues
from cnfgen_puzzles.families.nonogram.palette import BLACK, Palette, letters_of, told_alike, value_of
from cnfgen_puzzles.families.nonogram.puzzle import Board, Known, Nonogram
from cnfgen_puzzles.families.textlines import shown, tidy

ABOUT = {"catalogue": "catalogue", "title": "title", "by": "author", "copyright": "copyright", "description": "description"}
"""Keyword in the file -> key in `Nonogram.about`."""

KNOWN = {*ABOUT, "width", "height", "rows", "columns", "goal", "saved", "color", "colour"}
KEYWORD = re.compile(r"\s*([A-Za-z_][\w-]*)(.*)", re.ASCII | re.DOTALL)
MARK = re.compile(r"^[ \t]*(?:width|height|rows|columns)\b", re.MULTILINE)
REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
BITS = re.compile(r"\s*[01?\"'][01?\s\"']*")
DECLARED = re.compile(r"([^\s0-9,.+?\"'-])\s+(\S.*)", re.DOTALL)


def recognise(text: str) -> bool:
    """Whether the text begins with a keyword and says a width, a height, rows or columns somewhere."""
    return KEYWORD.match(text) is not None and MARK.search(text) is not None


def read(text: str, source: str) -> Nonogram:
    """The puzzle; raises InputError."""
    return _Reader(ClueLines(text, source, "a .non puzzle with width, height, rows and columns")).puzzle()


def write(puzzle: Nonogram) -> str:
    """The puzzle as `.non` in ASCII, with what is known about it, its goal, and the known cells as a saved picture."""
    words = {key: word for word, key in ABOUT.items()}
    words |= {key: key for key in puzzle.about if key not in words and KEYWORD.fullmatch(key) and key.lower() not in KNOWN}
    lines = [f'{word} "{_escaped(puzzle.about[key])}"' for key, word in words.items() if key in puzzle.about]
    lines += [f"width {puzzle.width}", f"height {puzzle.height}", ""]
    signs = ["0", *(letters_of(puzzle.colours[1:]) if puzzle.colours else "1")]
    lines += [f"color {sign} {colour.value}" for sign, colour in zip(signs[1:], puzzle.colours[1:], strict=False)]
    lines += ["rows", *lettered_clues(puzzle, "row", ","), ""]
    lines += ["columns", *lettered_clues(puzzle, "column", ","), ""]
    if puzzle.goal is not None:
        lines += [f'goal "{"".join(signs[cell] for row in puzzle.goal for cell in row)}"', ""]
    for grid in (puzzle.known,) if puzzle.known else puzzle.saved:
        lines += [f'saved "{"".join("?" if cell is None else signs[cell] for row in grid for cell in row)}"', ""]
    return "\n".join(lines)


def _escaped(value: str) -> str:
    return html.escape(tidy(value), quote=True).encode("ascii", "xmlcharrefreplace").decode("ascii")


class _Reader:
    """Reads the sections in whatever order they come: each from its keyword to the next one. A section may come once."""

    def __init__(self, lines: ClueLines):
        self.lines = lines
        self.words = {index: match for index, line in enumerate(lines.lines) if (match := KEYWORD.match(line))}
        self.seen: dict[str, int] = {}  # keyword -> index of its line
        self.sides: dict[str, int] = {}
        self.clues: dict[str, tuple[ColouredClue, ...]] = {}
        self.palette = Palette()
        self.about: dict[str, str] = {}
        self.goal: str | None = None
        self.saved: list[tuple[int, str]] = []  # index of the line, and bits

    def puzzle(self) -> Nonogram:
        self.nothing(0, min(self.words, default=len(self.lines)))
        for index, end in pairwise([*self.words, len(self.lines)]):
            self.nothing(self.section(index, end), end)
        for name in ("width", "height", "rows", "columns"):
            if name not in self.sides | self.clues:
                raise self.lines.error(len(self.lines) - 1, f"found the end of the file, expected a line '{name}'")
        colours = self.palette.colours()
        goal, saved = self.board(black=not colours), self.grids()
        (rows, row_colours), (columns, column_colours) = (
            (tuple(clue for clue, _ in self.clues[name]), tuple(inks for _, inks in self.clues[name]))
            for name in ("rows", "columns")
        )
        puzzle = Nonogram(rows, columns, self.about, goal, colours, row_colours, column_colours, saved=saved)
        return told_alike(puzzle, self.lines.source)

    def nothing(self, start: int, end: int) -> None:
        """InputError if not all lines from `start` to before `end` are blank."""
        for index in self.lines.filled(start, end):
            raise self.lines.error(index, f"found {self.lines.shown(index)}, expected a keyword such as width, rows or goal")

    def section(self, index: int, end: int) -> int:
        """Reads one section; returns the index after the lines that belong to it."""
        word, rest = self.words[index][1].lower(), self.words[index][2].strip()
        if word in ("width", "height"):
            self.side(index, word, rest)
        elif word in ("rows", "columns"):
            return self.clue_section(index, end, word, rest)
        elif word in ("goal", "saved"):
            return self.bits(index, end, word, rest)
        elif word in ABOUT:
            self.once(index, word)
            self.about[ABOUT[word]] = self.property(index, rest)
        elif word in ("color", "colour"):
            self.colour(index, rest)
        elif word not in ABOUT.values():
            self.about[word] = "; ".join(filter(None, (self.about.get(word), self.property(index, rest))))
        return index + 1

    def colour(self, index: int, rest: str) -> None:
        """A colour that is declared: a letter and a value."""
        found = DECLARED.fullmatch(rest)
        if found is None:
            raise self.lines.error(index, f"found {shown(rest)} after 'color', expected a letter and a value such as r #ff0000")
        self.once(index, f"color {found[1]}")
        value = value_of(self.unquoted(index, found[2]), lambda message: self.lines.error(index, message))
        self.palette.add(found[1], "", value, found[1])

    def ink(self, letter: str) -> int:
        """The number of a letter's colour, which begins here if it is new."""
        if letter not in self.palette.entries:
            if not letter:
                self.palette.add("", BLACK.name, BLACK.value, BLACK.sign)
            elif letter.isascii() and letter.isalpha():
                self.palette.add(letter, "", None, letter)
        return self.palette.number(letter)

    def property(self, index: int, rest: str) -> str:
        """The text of a property, on one line."""
        return tidy(REFERENCE.sub(lambda found: html.unescape(found[0]), self.unquoted(index, rest)))

    def unquoted(self, index: int, rest: str) -> str:
        """A text without the quotes around it; what follows them is dropped, as pbnsolve does."""
        if rest[:1] not in ("'", '"'):
            return rest
        value, closed, after = rest[1:].rpartition(rest[0])
        if not closed:
            return after
        if after.strip() and not after.strip().startswith("#"):  # a remark
            message = f"found {shown(after.strip())} behind the closing quote, which is passed over"
            warnings.warn(InputWarning(message, source=self.lines.source, line=index + 1), stacklevel=2)
        return value

    def once(self, index: int, word: str) -> None:
        if word in self.seen:
            raise self.lines.error(index, f"found '{word}' again (first on line {self.seen[word] + 1}), expected it once")
        self.seen[word] = index

    def side(self, index: int, name: str, rest: str) -> None:
        self.once(index, name)
        if len(rest.split(maxsplit=1)) != 1:
            raise self.lines.error(index, f"found {shown(rest)} after '{name}', expected one number")
        self.sides[name] = self.lines.side(index, rest, name, MOST_SIDE)

    def clue_section(self, index: int, end: int, word: str, rest: str) -> int:
        """The clues after `rows` or `columns`; with a number on the line, first of all the height or width."""
        side, start, filled = "height" if word == "rows" else "width", index + 1, self.lines.filled(index + 1, end)
        if rest:
            self.side(index, side, rest)
            if not filled or not self.lines[filled[0]].strip()[0].isdigit():
                return start
        self.once(index, word)
        if side not in self.sides:
            raise self.lines.error(index, f"found '{word}', expected '{side}' before it")
        count = self.sides[side]
        if len(filled) < count <= end - start and all(n < start + count for n in filled):
            filled = list(range(start, start + count))  # blank lines are clues: see the module's docstring
        if len(filled) != count:
            raise self.miscount(filled, end, count, word)
        self.clues[word] = self.lines.coloured_clues(filled, word.removesuffix("s"), self.ink, commas=True)
        return end

    def miscount(self, filled: list[int], end: int, count: int, word: str) -> InputError:
        """The error of a section with too few or too many clues, at the line where it goes wrong."""
        expected = f"expected {count} clues after '{word}' (an empty clue is written 0)"
        if len(filled) > count:
            return self.lines.error(filled[count], f"found clue {count + 1}, {expected}")
        if end in self.words and self.words[end][1].lower() not in {*KNOWN, "license", "maxrule"}:
            return self.lines.error(end, f"found {self.lines.shown(end)} after {len(filled)} clues, {expected}")
        return self.lines.error(end - 1, f"found {len(filled)} clues, {expected}")

    def bits(self, index: int, end: int, word: str, rest: str) -> int:
        """The picture after `goal` or `saved`, which may run on over lines of 0 and 1 (and ?); there may be many saved ones."""
        more = list(takewhile(BITS.fullmatch, self.lines.lines[index + 1 : end]))
        bits = re.sub(r"[\s\"']+", "", "".join([rest, *more]))
        if word == "goal":
            self.once(index, word)
            self.goal = bits
        else:
            self.saved.append((index, bits))
        return index + 1 + len(more)

    def signs(self) -> dict[str, int | None]:
        """The colours that signs of a picture have; None for a 1 that could be any of several."""
        inks = {letter: number for number, letter in enumerate(self.palette.entries, start=1)}
        return {"0": 0, "1": inks.get("", 1 if len(inks) < 2 else None), **inks}

    def grids(self) -> tuple[Known, ...]:
        """The saved pictures, which nothing needs: one that cannot be read is passed over with a warning."""
        width, height, signs = self.sides["width"], self.sides["height"], self.signs()
        found = []
        for index, bits in self.saved:
            if len(bits) == width * height and all(signs.get(bit) is not None for bit in bits.replace("?", "")):
                cells = [signs.get(bit) for bit in bits]
                found.append(tuple(tuple(cells[start : start + width]) for start in range(0, len(cells), width)))
            else:
                expected = f"expected {width} x {height} of those of a goal and ?"
                message = f"found a saved picture of {len(bits)} signs, {expected}: it is passed over"
                warnings.warn(InputWarning(message, source=self.lines.source, line=index + 1), stacklevel=2)
        return tuple(found)

    def board(self, *, black: bool) -> Board | None:
        """The goal as a picture; of a puzzle that is black on white it has bools."""
        if self.goal is None:
            return None
        width, height = self.sides["width"], self.sides["height"]
        signs = self.signs()
        if strange := next((sign for sign in self.goal if signs.get(sign) is None), None):
            known = " and ".join(sign for sign, ink in signs.items() if sign and ink is not None)
            raise self.lines.error(self.seen["goal"], f"found {strange!r} in the goal, expected {known} alone")
        if len(self.goal) != width * height:
            message = f"found {len(self.goal)} cells in the goal, expected {width} x {height} = {width * height}"
            raise self.lines.error(self.seen["goal"], message)
        cells = [sign == "1" if black else signs[sign] or 0 for sign in self.goal]
        return tuple(tuple(cells[start : start + width]) for start in range(0, len(cells), width))
