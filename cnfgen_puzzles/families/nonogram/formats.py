"""Nonogram files: formats with one clue per line, and the table of all formats (`webpbn.py` reads the XML).

docs/reference/formats.md describes each format with an example. Sources: https://jwilk.net/software/nonogram (`.nin`),
https://www.comp.lancs.ac.uk/~ss/nonogram/fmt2 (`.non`), github.com/mikix/nonogram-db (colors in `.non`), and for all others, and
`goal` and `saved` of `.non`, the examples that come with Mirek and Petr Olšák's `grid`, the description of input formats that
comes with Jan Wolter's pbnsolve, and its examples.

An empty clue is written `0`; a blank line is an empty clue if the number of lines requires it. In `.non`, unknown keywords are
kept by their names; `rows 5` means `height 5` (and, as in pbnsolve, starts the clues if a number follows); `&eacute;` and
`&#233;` are references, but an `&` without a `;` is an `&`; a number without a letter is black, and a 1 of the goal is black or
the only color. In `.g`, each line of the palette has a letter for clues, a sign for printing, a value or a name, and a remark:
`r:r  #ff0000  red`; `0` is the background, `1` the color of numbers without a letter. Text before the first line that begins with
`#` or `:` is a remark, and every blank line is an empty clue. Blocks with triangular ends are refused, and so are triddlers
(`#t`), which `families/triddler` reads.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from itertools import islice, pairwise, takewhile

from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.common.inputlimits import shortened
from cnfgen_puzzles.common.lazy import module, regex
from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.clued.clues import Lines, clue_number, tidy
from cnfgen_puzzles.families.clued.palette import (
    BLACK,
    WHITE,
    Palette,
    clue_texts,
    facts_of_clues,
    letters_of,
    value_of,
    warn_of_equal_colors,
)
from cnfgen_puzzles.families.clued.puzzle import Color, ColoredClue, Known
from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.links.formats import file_format, url_format
from cnfgen_puzzles.families.nonogram import typedclues
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, puzzle_of

# -- .nin, .mk, .cwd ----------------------------------------------------------------------------------------------------

TWO_NUMBERS = regex(r"\s*[0-9]+[ \t]+[0-9]+[ \t]*(?:\n|\Z)")
ONE_NUMBER_TWICE = regex(r"\s*[0-9]+[ \t]*\n[ \t]*[0-9]+[ \t]*(?:\n|\Z)")
SEPARATOR = regex(r"^[ \t]*#", re.MULTILINE)


def name_of_sized(text: str) -> str | None:
    """`nin` if the first line holds two numbers, `mk` if a line also begins with `#`; `cwd` if each of the first two lines holds
    one number. None for other texts, among them clues without a header (unless they also fit `cwd`)."""
    if TWO_NUMBERS.match(text):
        return "mk" if SEPARATOR.search(text) else None if typedclues.is_clues(text) else "nin"
    fits = ONE_NUMBER_TWICE.match(text) and (not typedclues.is_clues(text) or typedclues.fits_cwd(text))
    return "cwd" if fits else None


def _clue_lines(lines: Lines, start: int, end: int, count: int, wanted: str) -> list[int]:
    """The indices of the `count` clue lines between two indices.

    If `count` lines are not blank, blank lines are ignored; otherwise a blank line is an empty clue, and only blank lines follow.
    """
    filled = lines.find_filled(start, end)
    if len(filled) < count <= end - start and all(index < start + count for index in filled):
        return list(range(start, start + count))
    if len(filled) == count:
        return filled
    blanks = f" and {blank} blank line{'s' * (blank != 1)}" if (blank := end - start - len(filled)) else ""
    found = f"found {len(filled)} line{'s' * (len(filled) != 1)} of clues{blanks}"
    expected = f"expected {wanted} (an empty clue is written 0)"
    if len(filled) > count:
        raise lines.error(filled[count], f"{found}, {expected}: this one is too many")
    raise lines.error(max(end - 1, start - 1), f"{found}, {expected}")


def sized_format(name: str, title: str, example: str, header: str, between: str | None = None) -> Format[Nonogram]:
    """A format without title and goal: the `header` such as `width height`, the rows, the line `between` (None: none), the
    columns. Its `write` raises InputError for a puzzle in several colors."""

    def read(text: str, source: str) -> Nonogram:
        lines = Lines(text, source, f"a .{name} puzzle that begins with {' and '.join(header.split())}")
        start, end, sides = lines.filled[0], lines.filled[-1] + 1, dict[str, int]()
        for names in map(str.split, header.split("\n")):
            sides |= zip(names, lines.sides(start, *names), strict=True)
            start += 1
        height, width = sides["height"], sides["width"]
        if between is None:
            found = _clue_lines(lines, start, end, height + width, f"{height} row and {width} column clues")
            rows, columns = found[:height], found[height:]
        else:
            middle, line = start + height, f"the line {between!r}" if between else "the blank line"
            if between:
                middle = next(
                    (index for index in lines.find_filled(start, end) if lines[index].lstrip().startswith(between)), end
                )
            elif middle < end and lines[middle].strip():
                raise lines.error(middle, f"found {lines.quote(middle)}, expected a blank line after the {height} row clues")
            rows = _clue_lines(lines, start, min(middle, end), height, f"{height} row clues before {line}")
            columns = _clue_lines(lines, min(middle + 1, end), end, width, f"{width} column clues after {line}")
        return puzzle_of(lines.clues(rows, "row"), lines.clues(columns, "column"), ())

    def write(puzzle: Nonogram) -> str:
        rows, columns = typedclues.black_texts(puzzle, f".{name} has")
        sides = header.replace("width", str(puzzle.width)).replace("height", str(puzzle.height))
        return "\n".join([sides, *rows, *([] if between is None else [between]), *columns, ""])

    return Format(name, title, (f".{name}",), lambda text: name_of_sized(text) == name, read, write, example=example)


# -- .non ---------------------------------------------------------------------------------------------------------------

ABOUT = {"catalogue": "catalogue", "title": "title", "by": "author", "copyright": "copyright", "description": "description"}
"""Keyword in the file -> key in `Nonogram.about`."""

KEYWORDS = {*ABOUT, "width", "height", "rows", "columns", "goal", "saved", "color", "colour"}
KEYWORD = regex(r"\s*([A-Za-z_][\w-]*)(.*)", re.ASCII | re.DOTALL)
MARK = regex(r"^[ \t]*(?:width|height|rows|columns)\b", re.MULTILINE)
REFERENCE = regex(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
BITS = regex(r"\s*[01?\"'][01?\s\"']*")
DECLARED_COLOR = regex(r"([^\s0-9,.+?\"'-])\s+(\S.*)", re.DOTALL)


def is_non(text: str) -> bool:
    """Whether the text begins with a keyword, contains a width, a height, rows, or columns, and matches neither `.g` nor clues
    without a header."""
    found = KEYWORD.match(text) is not None and MARK.search(text) is not None
    return found and not is_g(text) and not typedclues.is_clues(text)


def read_non(text: str, source: str) -> Nonogram:
    """The puzzle; raises InputError."""
    return NonReader(Lines(text, source, "a .non puzzle with width, height, rows, and columns")).puzzle()


def write_non(puzzle: Nonogram) -> str:
    """The puzzle as `.non` in ASCII, with its properties, its goal, and the known cells as a saved picture."""
    words = {key: word for word, key in ABOUT.items()}
    words |= {key: key for key in puzzle.about if key not in words and KEYWORD.fullmatch(key) and key.lower() not in KEYWORDS}
    lines = [f'{word} "{_escaped(puzzle.about[key])}"' for key, word in words.items() if key in puzzle.about]
    lines += [f"width {puzzle.width}", f"height {puzzle.height}", ""]
    signs = ["0", *(letters_of(puzzle.colors[1:]) if puzzle.colors else "1")]
    lines += [f"color {sign} {color.value}" for sign, color in zip(signs[1:], puzzle.colors[1:], strict=False)]
    for kind in ("row", "column"):
        lines += [f"{kind}s", *clue_texts(puzzle.lines(kind), puzzle.colors, ","), ""]
    if puzzle.goal is not None:
        lines += [f'goal "{"".join(signs[cell] for row in puzzle.goal for cell in row)}"', ""]
    for grid in (puzzle.known,) if puzzle.known else puzzle.saved:
        lines += [f'saved "{"".join("?" if cell is None else signs[cell] for row in grid for cell in row)}"', ""]
    return "\n".join(lines)


def _escaped(value: str) -> str:
    from html import escape

    return escape(tidy(value), quote=True).encode("ascii", "xmlcharrefreplace").decode("ascii")


class NonReader:
    """Reads the sections in any order: each extends from its keyword to the next one, and may occur once."""

    def __init__(self, lines: Lines):
        self.lines = lines
        self.words = {index: match for index, line in enumerate(lines) if (match := KEYWORD.match(line))}
        self.seen: dict[str, int] = {}  # keyword -> index of its line
        self.sides: dict[str, int] = {}
        self.clues: dict[str, tuple[ColoredClue, ...]] = {}
        self.palette = Palette()
        self.about: dict[str, str] = {}
        self.pictures: list[tuple[int, str, str]] = []  # index of the line, keyword, and bits

    def puzzle(self) -> Nonogram:
        for index, following in pairwise([-1, *self.words, len(self.lines)]):
            end = self.section(index, following) if index >= 0 else 0
            for other in self.lines.find_filled(end, following):
                raise self.lines.error(other, f"found {self.lines.quote(other)}, expected a keyword such as width, rows or goal")
        for name in ("width", "height", "rows", "columns"):
            if name not in self.sides | self.clues:
                raise self.lines.error(len(self.lines) - 1, f"found the end of the file, expected a line '{name}'")
        colors = self.palette.colors()
        goal, saved = None, list[Known]()
        for index, word, bits in self.pictures:
            try:
                found = self.picture(index, word, bits)
            except InputError as error:
                if word == "goal":
                    raise
                message = f"{error.message}: it is ignored"  # saved pictures are optional
                warnings.warn(InputWarning(message, source=self.lines.source, line=index + 1), stacklevel=2)
                continue
            if word == "goal":
                goal = tuple(tuple(cell or 0 for cell in row) for row in found)
            else:
                saved.append(found)
        rows, columns = self.clues["rows"], self.clues["columns"]
        puzzle = puzzle_of(rows, columns, colors, about=self.about, goal=goal, saved=tuple(saved))
        return warn_of_equal_colors(puzzle, self.lines.source)

    def section(self, index: int, end: int) -> int:
        """Reads one section; returns the index after the lines that belong to it."""
        word, rest = self.words[index][1].lower(), self.words[index][2].strip()
        if word in ("width", "height"):
            self.side(index, word, rest)
        elif word in ("rows", "columns"):
            return self.clue_section(index, end, word, rest)
        elif word in ("goal", "saved"):  # the signs can extend over several lines
            more = list(takewhile(BITS.fullmatch, self.lines[index + 1 : end]))
            if word == "goal":
                self.once(index, word)
            self.pictures.append((index, word, re.sub(r"[\s\"']+", "", "".join([rest, *more]))))
            return index + 1 + len(more)
        elif word in ABOUT:
            self.once(index, word)
            self.about[ABOUT[word]] = self.property(index, rest)
        elif word in ("color", "colour"):
            self.color(index, rest)
        elif word not in ABOUT.values():
            self.about[word] = "; ".join(filter(None, (self.about.get(word), self.property(index, rest))))
        return index + 1

    def color(self, index: int, rest: str) -> None:
        """Declares a color: a letter and a value."""
        found = DECLARED_COLOR.fullmatch(rest)
        if found is None:
            raise self.lines.error(
                index, f"found {shortened(rest)} after 'color', expected a letter and a value such as r #ff0000"
            )
        self.once(index, f"color {found[1]}")
        value = value_of(self.unquoted(index, found[2]), lambda message: self.lines.error(index, message))
        self.palette.add(found[1], "", value, found[1])

    def ink(self, letter: str) -> int:
        """The number of the color with this letter; a new letter gets a new number."""
        if letter not in self.palette.entries:
            if not letter:
                self.palette.add("", BLACK.name, BLACK.value, BLACK.sign)
            elif letter.isascii() and letter.isalpha():
                self.palette.add(letter, "", None, letter)
        return self.palette.number(letter)

    def property(self, index: int, rest: str) -> str:
        """The text of a property, on one line."""
        from html import unescape  # takes a while to load

        return tidy(REFERENCE.sub(lambda found: unescape(found[0]), self.unquoted(index, rest)))

    def unquoted(self, index: int, rest: str) -> str:
        """The text without the quotes around it; text after the closing quote is ignored, as in pbnsolve."""
        if rest[:1] not in ("'", '"'):
            return rest
        value, closed, after = rest[1:].rpartition(rest[0])
        if not closed:
            return after
        if after.strip() and not after.strip().startswith("#"):  # a comment
            message = f"found {shortened(after.strip())} after the closing quote: it is ignored"
            warnings.warn(InputWarning(message, source=self.lines.source, line=index + 1), stacklevel=2)
        return value

    def once(self, index: int, word: str) -> None:
        if word in self.seen:
            raise self.lines.error(index, f"found '{word}' again (first on line {self.seen[word] + 1}), expected it once")
        self.seen[word] = index

    def side(self, index: int, name: str, rest: str) -> None:
        self.once(index, name)
        if len(rest.split(maxsplit=1)) != 1:
            raise self.lines.error(index, f"found {shortened(rest)} after '{name}', expected one number")
        self.sides[name] = clue_number(rest, f"the {name}", self.lines.source, index + 1, 1)

    def clue_section(self, index: int, end: int, word: str, rest: str) -> int:
        """Reads the clues after `rows` or `columns`; a number on the line is the height or width."""
        side, start = "height" if word == "rows" else "width", index + 1
        if rest:
            self.side(index, side, rest)
            filled = self.lines.find_filled(start, end)
            if not filled or not self.lines[filled[0]].strip()[0].isdigit():
                return start
        self.once(index, word)
        if side not in self.sides:
            raise self.lines.error(index, f"found '{word}', expected '{side}' before it")
        count = self.sides[side]
        indices = _clue_lines(self.lines, start, end, count, f"{count} clues after '{word}'")
        self.clues[word] = self.lines.clues(indices, word.removesuffix("s"), self.ink, r"\s*,\s*|\s+")
        return end

    def picture(self, index: int, word: str, bits: str) -> Known:
        """The picture after `goal` or `saved`; a saved one can have unknown cells, `?`."""
        width, height = self.sides["width"], self.sides["height"]
        inks = {letter: number for number, letter in enumerate(self.palette.entries, start=1)}
        signs: dict[str, int | None] = {"0": 0, "1": inks.get("", 1 if len(inks) < 2 else None), **inks}
        signs = {sign: ink for sign, ink in signs.items() if sign and ink is not None} | ({"?": None} if word == "saved" else {})
        if strange := next((sign for sign in bits if sign not in signs), None):
            raise self.lines.error(index, f"found {strange!r} in the {word}, expected only {' and '.join(signs)}")
        if len(bits) != width * height:
            expected = f"expected {width} x {height} = {width * height}"
            raise self.lines.error(index, f"found {len(bits)} cells in the {word}, {expected}")
        cells = [signs[sign] for sign in bits]
        return tuple(tuple(cells[start : start + width]) for start in range(0, len(cells), width))


# -- .g -----------------------------------------------------------------------------------------------------------------

ROWS, COLUMNS = (regex(rf"^:[ \t]*{word}\b", re.MULTILINE | re.IGNORECASE) for word in ("rows", "columns"))
HEAD, DIGIT, TRIDDLER = regex("^:.*", re.MULTILINE), regex("[0-9]"), regex("^#t", re.MULTILINE | re.IGNORECASE)
PALETTE_LINE = regex(r"\s*(\S)\s*:(.)\s*(\S+)(.*)", re.DOTALL)


def is_g(text: str) -> bool:
    """Whether two lines begin with a colon, with clues between them, and none declares a triddler. Text after a colon is a remark
    in any language."""
    if TRIDDLER.search(text):
        return False
    if ROWS.search(text) and COLUMNS.search(text):
        return True
    heads = [head.span() for head in islice(HEAD.finditer(text), 2)]
    clues = text[heads[0][1] : heads[1][0]].split() if len(heads) == 2 else []
    return bool(clues) and all(DIGIT.search(word) for word in clues)


def read_g(text: str, source: str) -> Nonogram:
    """The puzzle; raises InputError."""
    lines = Lines(text, source, "a .g puzzle with the lines ': rows' and ': columns'")
    if (index := find_declaration(lines, "#t")) is not None:
        raise lines.error(index, "found a triddler, expected a puzzle with rows and columns (use the family triddler)")
    groups, palette, background = read_groups(lines, 2, "expected ': rows' and ': columns'")
    swapped = COLUMNS.match(lines[groups[0].start - 1]) and ROWS.match(lines[groups[1].start - 1])
    kinds = ("column", "row") if swapped else ("row", "column")
    found = {kind: _clues(lines, group, kind, palette) for kind, group in zip(kinds, groups, strict=True)}
    puzzle = puzzle_of(found["row"], found["column"], palette.colors(*background))
    return warn_of_equal_colors(puzzle, source)


def find_declaration(lines: Lines, word: str) -> int | None:
    """The index of the first line that begins with `#t` or `#d`."""
    return next((index for index, line in enumerate(lines) if line[:2].lower() == word), None)


def read_groups(lines: Lines, count: int, expected: str, unused: str = "") -> tuple[list[range], Palette, tuple[str, str]]:
    """The indices of the clues of `count` groups, each below a line with a colon; and the result of `read_palette`."""
    starts = [index for index, line in enumerate(lines) if line.startswith(":")]
    if len(starts) < count:
        raise lines.error(starts[-1] if starts else 0, f"found {len(starts)} lines that begin with a colon, {expected}")
    palette, background = read_palette(lines, find_declaration(lines, "#d"), starts[0], unused)
    ends = [*starts[1:], lines.filled[-1] + 1]
    return [range(start + 1, end) for start, end in zip(starts, ends, strict=True)][:count], palette, background


def read_palette(lines: Lines, start: int | None, end: int, unused: str = "") -> tuple[Palette, tuple[str, str]]:
    """The colors that are declared after the line `start` (None: black on white), and value and name of the background. Colors
    with the keys `unused` are ignored."""
    palette, background = Palette(), (WHITE.value, WHITE.name)
    if start is None or start > end:
        palette.add("", BLACK.name, BLACK.value, BLACK.sign)
        return palette, background
    seen: dict[str, int] = {}
    for index in lines.find_filled(start + 1, end):
        found = PALETTE_LINE.match(lines[index])
        if found is None or (found[1].isdigit() and found[1] not in "01" + unused) or found[1] == ",":
            raise lines.error(index, f"found {lines.quote(index)}, expected a color such as 'r:r  #ff0000'")
        key, value, remark = found[1], found[3], " ".join(found[4].split())
        if key in unused:
            continue
        if key in seen:
            raise lines.error(index, f"found the color {key!r} again (first on line {seen[key] + 1}), expected it once")
        seen[key] = index
        if "/" in value or "\\" in value:
            raise lines.error(index, f"found a triangle ({shortened(value)}), expected colors of whole cells")
        name = remark if value.startswith("#") else value
        try:
            known = value_of(value, lambda message, index=index: lines.error(index, message))  # type: ignore[misc]
        except InputError as error:
            if value.startswith("#") or not value.isalnum():
                raise
            warnings.warn(InputWarning(f"{error.message}; another is used", source=lines.source, line=index + 1), stacklevel=2)
            known = None
        if key == "0":
            background = (known or WHITE.value, name)
        else:
            palette.add("" if key == "1" else key, name, known, key if key.isalpha() else "")
    if not palette.entries:
        raise lines.error(start, "found no colors after '#d', expected at least one besides the background")
    return palette, background


def _clues(lines: Lines, group: range, kind: str, palette: Palette) -> tuple[ColoredClue, ...]:
    found = lines.clues(group, kind, palette.number)
    if not 1 <= len(found) <= MOST_SIDE:
        head = group.start - 1
        raise lines.error(head, f"found {len(found)} clues of {kind}s after {lines.quote(head)}, expected 1 to {MOST_SIDE}")
    return found


def write_g(puzzle: Nonogram) -> str:
    """The puzzle without its title and goal."""
    lines = palette_lines(puzzle.colors)
    for kind in ("row", "column"):
        lines += [f": {kind}s", *(clue.removeprefix("0") for clue in clue_texts(puzzle.lines(kind), puzzle.colors))]
    return "\n".join([*lines, ": end", ""])


def palette_lines(colors: Sequence[Color]) -> list[str]:
    """The lines that declare the colors, the background first; none for black on white."""
    if not colors:
        return []
    paper, *inks = colors
    declared = [f"   {key}:{key}  {ink.value}  {ink.name}" for key, ink in zip(letters_of(inks), inks, strict=True)]
    return ["#d", f"   0:{WHITE.sign}  {paper.value}  {paper.name}", *declared]


# -- all formats --------------------------------------------------------------------------------------------------------


XML = ("the XML of webpbn.com", (".xml", ".pbn"))
pzpr, webpbn = (module(f"{__package__}.{name}") for name in ("pzpr", "webpbn"))  # seldom needed
CLUES = "clues without a header"
TYPED = "rows\n1 1\n2\n\ncolumns\n2\n1\n1\n"
NON = "width 3\nheight 2\n\nrows\n1,1\n2\n\ncolumns\n2\n1\n1\n"
OLSAK = ": rows\n1 1\n2\n: columns\n2\n1\n1\n: end\n"
PBN = """<puzzleset>
<puzzle>
<clues type="columns">
<line><count>2</count></line><line><count>1</count></line><line><count>1</count></line>
</clues>
<clues type="rows">
<line><count>1</count><count>1</count></line><line><count>2</count></line>
</clues>
</puzzle>
</puzzleset>
"""
FORMATS: FormatTable[Nonogram] = FormatTable(
    "nonogram",
    "a nonogram",
    (
        sized_format("nin", "Jakub Wilk's .nin", "3 2\n1 1\n2\n2\n1\n1\n", "width height"),
        Format("non", "Steve Simpson's .non", (".non",), is_non, read_non, write_non, latin1=True, example=NON),
        sized_format("mk", "the Olšáks' .mk", "2 3\n1 1\n2\n#\n2\n1\n1\n", "height width", "#"),
        Format("clues", CLUES, (), typedclues.is_clues, typedclues.read, typedclues.write, example=TYPED),
        sized_format("cwd", "QNonograms' .cwd", "2\n3\n1 1\n2\n\n2\n1\n1\n", "height\nwidth", ""),
        Format(
            "webpbn",
            *XML,
            lambda text: text.lstrip().startswith("<") and webpbn.of_triddlers(text, expected=False),
            None,
            lambda puzzle: webpbn.write(puzzle),
            lambda text, name: webpbn.read_set(text, name),
            latin1=True,
            example=PBN,
        ),
        Format("g", "the Olšáks' .g", (".g",), is_g, read_g, write_g, latin1=True, example=OLSAK),
        url_format(pzpr)._replace(example="nonogram/3/2/211112g\n"),
        file_format(pzpr)._replace(example="pzprv3\nnonogram\n2\n3\n. . 2 1 1\n1 1 . . .\n. 2 . . .\n", suffixes=()),
    ),
    facts_of_clues,
)
read_puzzle = FORMATS.read_puzzle
