"""The XML of the puzzle site webpbn.com: a `<puzzleset>` of `<puzzle>`s with `<clues>` and an optional `<solution>`.

    <puzzleset><puzzle type="grid" defaultcolor="black"><clues type="columns"><line><count>2</count></line>...

Source: https://webpbn.com/pbn_fmt.html (version 0.3), and pbnsolve, the site's own solver. Colors are declared by
`<color name="red" char="r">f00</color>`, and blocks name their color in `<count color="red">`. The puzzle has a `defaultcolor`
and a `backgroundcolor`; black and white need no declaration. An empty clue is a `<line>` without `<count>`. The clues can be
missing if the file has a goal. Solutions of type `saved` are half-filled grids.

Nothing outside the file is read: the DTD that exports name is not fetched, entity declarations are refused, and the HTML entities
of the site's DTD (`&copy;`) are built in.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape

from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.readers.strictxml import Element, parse_xml, root_name
from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.clued.clues import clue_number, clue_of, tidy
from cnfgen_puzzles.families.clued.palette import BLACK, NAMED, WHITE, Palette, letters_of, value_of, warn_of_equal_colors
from cnfgen_puzzles.families.clued.puzzle import BLACK_AND_WHITE, Board, Color, ColoredClue, Known, clue_of_runs
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, puzzle_of

ABOUT = {"title": "title", "author": "author", "copyright": "copyright", "id": "catalogue", "description": "description"}
"""Element -> key in `Nonogram.about`. An `<id>` counts within its `<source>`, so both form one catalog entry."""


MORE = ("authorid", "note", "license")
"""Elements that are kept by their names."""

CELL = regex(r"\[[^\]]*\]|.")
"""A cell of a picture: the character of its color, or a list of possible characters."""


def of_triddlers(text: str, *, expected: bool = True) -> bool:
    """Whether the text is a set of puzzles that begins with a triddler, or, if none is expected, with another puzzle."""
    first = re.search(r"<puzzle\s[^<>]*>", text, re.IGNORECASE)
    found = first is not None and re.search(r"""\stype\s*=\s*["']triddler["']""", first[0]) is not None
    return found == expected and root_name(text) == "puzzleset"


def read_set(text: str, source: str) -> Sequence[Callable[[], Nonogram]]:
    """A reader for each puzzle of the set; raises InputError."""
    root, found = puzzles_in(text, source)
    return [lambda element=element: PuzzleReader(element, root).puzzle() for element in found]  # type: ignore[misc]


def puzzles_in(text: str, source: str) -> tuple[Element, list[Element]]:
    """The set, and the elements of its puzzles, at least one; raises InputError."""
    root = parse_xml(text, source, "a puzzle set of webpbn", lower=True)
    if root.name != "puzzleset":
        raise root.error(f"found the root element <{root.name}>, expected <puzzleset>")
    found = root.named("puzzle")
    if not found:
        raise root.error("found no <puzzle> in the <puzzleset>, expected at least one")
    return root, found


OTHERS = {
    "grid": ("a nonogram of rows and columns", " (use the family nonogram)"),
    "triddler": ("a triddler", " (use the family triddler)"),
}
"""The name of the other type of puzzles, with advice."""


class PuzzleReader:
    """Reads one puzzle of a set. Its colors are the declared ones, then others in the order in which they occur."""

    kind = "grid"
    clue_sets: Mapping[str, str] = {"rows": "row", "columns": "column"}
    """The types of its sets of clues, with the name of a line of each."""
    fewest = 1
    """The least number of lines of a set."""

    def __init__(self, element: Element, root: Element):
        """Checks the type of the puzzle and reads the colors that it declares."""
        self.element, self.root = element, root
        if (kind := _type(element, "grid")) != self.kind:
            found, hint = OTHERS.get(kind, (f"a puzzle of type {shortened(kind)}", ""))
            raise element.error(f"found {found}, expected one of type {self.kind!r}{hint}")
        self.background = _color_name(element, "backgroundcolor", "white")
        self.default = _color_name(element, "defaultcolor", "black")
        self.names = {WHITE.sign: WHITE.name, "X": BLACK.name}
        self.palette = Palette()
        self.ground = NAMED.get(self.background.lower())
        seen: set[str] = set()
        letters: set[str] = set()
        for child in element.named("color"):
            name, letter = _color_name(child, "name"), child.attributes.get("char", "")
            for what, word, known in (("color", name, seen), ("character", letter, letters)):
                if word in known:
                    raise child.error(f"found the {what} {shortened(word)} again, expected it once")
            seen.add(name)
            if letter:
                letters.add(letter)
                self.names[letter] = name
            value = value_of(child.text, child.error) if child.text.strip() else NAMED.get(name.lower())
            if name == self.background:
                self.ground = value
            else:
                self.palette.add(name, name, value, letter)
        if not self.ground:
            message = f"found the background {shortened(self.background)}, which no <color> gives a value: it is shown white"
            warnings.warn(InputWarning(message, source=element.source, line=element.line), stacklevel=2)

    def puzzle(self) -> Nonogram:
        clues, goal = self.clues(), self.goal()
        colors = self.palette.colors(self.ground or WHITE.value, self.background)
        if goal is not None and not clues:
            clues = {"rows": tuple(map(clue_of_runs, goal)), "columns": tuple(map(clue_of_runs, zip(*goal, strict=True)))}
        for kind in ("rows", "columns"):
            if kind not in clues:
                message = f'found a puzzle without the clues of its {kind}, expected <clues type="{kind}">'
                raise self.element.error(message)
        rows, columns = clues["rows"], clues["columns"]
        if goal is not None and (len(goal), len(goal[0])) != (len(rows), len(columns)):
            expected = f"{len(columns)} x {len(rows)} as the clues say"
            raise self.element.error(f"found a goal of {len(goal[0])} x {len(goal)} cells, expected {expected}")
        saved = self.saved(len(rows), len(columns))
        puzzle = puzzle_of(rows, columns, colors, about=self.about(), goal=goal, saved=saved)
        return warn_of_equal_colors(puzzle, self.element.source)

    def about(self) -> dict[str, str]:
        """The properties of the puzzle; an empty property is kept as an empty text."""
        found = {key: _text(self.element, name) for name, key in ABOUT.items()}
        found |= {name: _text(self.element, name, every=True) for name in MORE}
        for shared in ("author", "copyright"):
            found[shared] = found[shared] or _text(self.root, shared) or found[shared]
        if source := _text(self.element, "source") or _text(self.root, "source"):
            found["catalogue"] = f"{source} {found['catalogue'] or ''}".strip()
        return {key: text for key, text in found.items() if text is not None}

    def ink(self, name: str, element: Element) -> int:
        """The number of the color that an element names; 0 for the background. Undeclared colors get new numbers."""
        if name == self.background:
            return 0
        if name not in self.palette.entries:
            if name.lower() not in NAMED:
                message = f"found the color {shortened(name)}, which no <color> declares: a value is chosen"
                warnings.warn(InputWarning(message, source=element.source, line=element.line), stacklevel=2)
            self.palette.add(name, name, NAMED.get(name.lower()))
        return self.palette.number(name)

    def clues(self) -> dict[str, tuple[ColoredClue, ...]]:
        """The clues of `rows` and `columns` that the file contains."""
        found: dict[str, tuple[ColoredClue, ...]] = {}
        for child in self.element.named("clues"):
            kind = _type(child, "")
            if kind not in self.clue_sets:
                raise child.error(f"found clues of type {shortened(kind)}, expected {' or '.join(map(repr, self.clue_sets))}")
            if kind in found:
                raise child.error(f"found the clues of the {kind} again, expected them once")
            child.holds_only("line")
            lines = child.children
            if not self.fewest <= len(lines) <= MOST_SIDE:
                raise child.error(f"found {len(lines)} clues of {kind}, expected from {self.fewest} to {MOST_SIDE}")
            found[kind] = tuple(self.clue(line, f"{self.clue_sets[kind]} {number}") for number, line in enumerate(lines, start=1))
        return found

    def clue(self, line: Element, what: str) -> ColoredClue:
        line.holds_only("count")
        numbers, inks = [], []
        for count in line.children:
            numbers.append(clue_number(count.text.strip(), f"a clue of {what}", count.source, count.line))
            if numbers[-1]:
                name = _color_name(count, "color", self.default)
                inks.append(self.ink(name, count))
                if not inks[-1]:
                    raise count.error(f"found a clue in the background color {shortened(name)}, expected another color")
        return clue_of(numbers, what, line.source, line.line), tuple(inks)

    def solutions(self, kind: str) -> Iterator[Element]:
        """The solutions of a type; `goal` is the default type."""
        return (solution for solution in self.element.named("solution") if _type(solution, "goal") == kind)

    def goal(self) -> Board | None:
        """The picture of the first goal."""
        for solution in self.solutions("goal"):
            image = solution.only("image")
            rows = self.picture(image)
            if any(cell is None for row in rows for cell in row):
                raise image.error("found an unknown cell in the picture of a goal, expected one color for each cell")
            return tuple(tuple(cell or 0 for cell in row) for row in rows)
        return None

    def saved(self, height: int, width: int) -> tuple[Known, ...]:
        """The half-filled grids. They are optional, so an invalid one is ignored with a warning."""
        found = []
        for solution in self.solutions("saved"):
            try:
                rows = self.picture(image := solution.only("image"))
                if (len(rows), len(rows[0])) != (height, width):
                    raise image.error(
                        f"found a picture of another shape, expected {width} x {height} cells, with | between the rows"
                    )
                found.append(rows)
            except InputError as error:
                message = f"{error.message}: this saved grid is ignored"
                warnings.warn(InputWarning(message, source=error.source, line=error.line), stacklevel=2)
        return tuple(found)

    def picture(self, image: Element) -> Known:
        """A picture with rows such as `|.XX.|`, written with the characters of the colors of the puzzle; `?` is an unknown cell,
        and `[.X]` lists the possible values of a cell. Blanks are ignored, unless they are the character of a color."""
        checked_amount(
            "steps", len(image.text), found=f"a picture of {len(image.text)} signs", source=image.source, line=image.line
        )
        before, *rows = image.text.split("|")  # rows and the text between them alternate
        if len(rows) < 2 or len(rows) % 2 or any(text.strip() for text in (before, *rows[1::2])):
            raise image.error("found a picture that is cut short, expected rows that begin and end with |")
        cells = [CELL.findall(row if " " in self.names else "".join(row.split())) for row in rows[::2]]
        if len({*map(len, cells)}) != 1 or not 1 <= len(cells[0]) <= MOST_SIDE or len(cells) > MOST_SIDE:
            raise image.error(f"found rows of different length in the picture, expected equal ones of 1 to {MOST_SIDE} cells")
        values = {cell: self.value(cell, image) for cell in sorted({cell for row in cells for cell in row})}
        return tuple(tuple(values[cell] for cell in row) for row in cells)

    def value(self, cell: str, image: Element) -> int | None:
        """The color of a cell of a picture; None if several are possible."""
        letters = {cell} if cell in self.names else set(cell.strip("[]"))
        if letters - self.names.keys() - {"?"} or not letters:
            raise image.error(
                f"found {shortened(cell)} in the picture, expected the characters of the puzzle's colors, ? and [ ]"
            )
        name = self.names.get(letters.pop()) if len(letters) == 1 else None
        return None if name is None else self.ink(name, image)


def _color_name(element: Element, attribute: str, default: str = "") -> str:
    """The name of a color in an attribute; InputError for an empty one, or for none without a default."""
    if name := element.attributes.get(attribute, default).strip():
        return name
    raise element.error(f"found a <{element.name}> with no name in '{attribute}', expected the name of a color")


def _type(element: Element, default: str) -> str:
    """The attribute `type`, in lower case."""
    return element.attributes.get("type", default).lower()


def _text(element: Element, name: str, *, every: bool = False) -> str | None:
    """The text of the first child with this name, or of every one, on one line; None if there is none."""
    texts = [tidy(child.text) for child in element.named(name)]
    return "; ".join(texts if every else texts[:1]) if texts else None


def write(puzzle: Nonogram) -> str:
    """The puzzle as a set with one puzzle, its properties, its goal, and the known cells as a saved solution.

    There is no DOCTYPE, because pbnsolve would look for it on the network, and no comment or indentation among the clues, because
    pbnsolve counts every child node as a line.
    """
    lines, colors, signs = head_lines(puzzle.palette, puzzle.about, "grid")
    for kind in ("column", "row"):
        lines += clue_lines(f"{kind}s", puzzle.lines(kind), colors)
    if puzzle.goal is not None:
        rows = [f"|{''.join(signs[cell] for cell in row)}|" for row in puzzle.goal]
        lines += ['<solution type="goal">', "<image>", *rows, "</image>", "</solution>"]
    for grid in (puzzle.known,) if puzzle.known else puzzle.saved:
        rows = [f"|{''.join('?' if cell is None else signs[cell] for cell in row)}|" for row in grid]
        lines += ['<solution type="saved">', "<image>", *rows, "</image>", "</solution>"]
    return "\n".join([*lines, "</puzzle>", "</puzzleset>", ""])


def head_lines(palette: Sequence[Color], about: Mapping[str, str], kind: str) -> tuple[list[str], list[str], list[str]]:
    """The lines before the clues; the names of the colors for attributes; and their characters."""
    paper, *inks = palette
    signs = [WHITE.sign, *(letters_of(inks) if tuple(palette) != BLACK_AND_WHITE else "X")]
    colors = [escape(tidy(color.name), quote=True) for color in palette]
    ground = f' backgroundcolor="{colors[0]}"' if paper.name != WHITE.name else ""
    lines = ['<?xml version="1.0"?>', "<puzzleset>", f'<puzzle type="{kind}" defaultcolor="{colors[1]}"{ground}>']
    names = {**ABOUT, **{name: name for name in MORE}}
    known = [(name, tidy(about[key])) for name, key in names.items() if key in about]
    lines += [f"<{name}>{escape(value, quote=False)}</{name}>" for name, value in known]
    lines += [
        f'<color name="{name}" char="{sign}">{_digits(color.value)}</color>'
        for name, sign, color in zip(colors, signs, palette, strict=True)
    ]
    return lines, colors, signs


def clue_lines(kind: str, clues: Iterable[ColoredClue], colors: Sequence[str]) -> list[str]:
    """A set of clues; blocks of the first color do not name it."""
    lines = [f'<clues type="{kind}">']
    for clue, inks in clues:
        named = ["" if color == 1 else f' color="{colors[color]}"' for color in inks]
        lines.append(f"<line>{''.join(f'<count{name}>{b}</count>' for b, name in zip(clue, named, strict=True))}</line>")
    return [*lines, "</clues>"]


def _digits(value: str) -> str:
    """The value as the site writes it: `f00` for #ff0000."""
    return value[1::2] if value[1::2] == value[2::2] else value[1:]
