"""The XML of the puzzle site webpbn.com: a `<puzzleset>` of `<puzzle>`s with `<clues>` and perhaps a `<solution>`.

    <puzzleset>
    <puzzle type="grid" defaultcolor="black">
    <clues type="columns">
    <line><count>2</count></line>
    ...

Source: https://webpbn.com/pbn_fmt.html (version 0.3), and pbnsolve, the site's own solver. Black and white here means:
one colour beside the background, whatever their names. An empty clue is a `<line>` without `<count>`. The clues may be
missing if the goal is there.

Nothing outside the file is ever read: the DTD that exports name is not fetched, entities that a file declares are
refused, and the HTML entities of the site's DTD (`&copy;`) are known by heart.
"""

from __future__ import annotations

from html import escape

from cnfgen_puzzles.families.nonogram.formats.clues import clue_of, shown, tidy, whole_number
from cnfgen_puzzles.families.nonogram.puzzle import MAX_SIDE, Board, Clue, Nonogram, clues_of
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.strictxml import Element, parse_xml

ABOUT = {
    "title": "title",
    "author": "author",
    "copyright": "copyright",
    "id": "catalogue",
    "description": "description",
}
"""Element -> key in `Nonogram.about`. An `<id>` counts within its `<source>`, so the two make one catalogue entry."""


def recognise(text: str) -> bool:
    """Whether the text begins like XML."""
    return text.lstrip().startswith("<")


def read(text: str, source_name: str) -> Nonogram:
    """The only puzzle of the set; raises InputError, also if there are several."""
    puzzles = read_set(text, source_name)
    if len(puzzles) != 1:
        titles = ", ".join(shown(puzzle.about.get("title", "untitled"), 40) for puzzle in puzzles[:5])
        more = ", ..." if len(puzzles) > 5 else ""
        raise InputError(
            f"found {len(puzzles)} puzzles ({titles}{more}), expected one: say the number of the one that is meant",
            source=source_name,
        )
    return puzzles[0]


def read_set(text: str, source_name: str) -> tuple[Nonogram, ...]:
    """All puzzles of the set; raises InputError."""
    root = parse_xml(text, source_name, "a puzzle set of webpbn", lower=True)
    if root.name != "puzzleset":
        raise root.error(f"found the root element <{root.name}>, expected <puzzleset>")
    found = root.named("puzzle")
    if not found:
        raise root.error("found no <puzzle> in the <puzzleset>, expected at least one")
    shared = _about(root, "author", "copyright")
    source = _text_of(root, "source")
    return tuple(_puzzle(element, shared, source) for element in found)


def _puzzle(element: Element, shared: dict[str, str], source: str) -> Nonogram:
    if element.attributes.get("type", "grid") != "grid":
        raise element.error(f"found a puzzle of type {shown(element.attributes['type'])}, expected 'grid'")
    about = shared | _about(element, *ABOUT)
    catalogue = " ".join(filter(None, (_text_of(element, "source") or source, _text_of(element, "id"))))
    if catalogue:
        about["catalogue"] = catalogue
    palette = _Palette(element)
    clues: dict[str, tuple[Clue, ...]] = {}
    for child in element.named("clues"):
        kind = child.attributes.get("type", "")
        if kind not in ("rows", "columns"):
            raise child.error(f"found clues of type {shown(kind)}, expected 'rows' or 'columns'")
        if kind in clues:
            raise child.error(f"found the clues of the {kind} again, expected them once")
        clues[kind] = _clues(child, kind.removesuffix("s"), palette)
    goal = _goal(element, palette)
    if not clues and goal is not None:
        drawn = clues_of(goal)
        return Nonogram(drawn.rows, drawn.columns, about, goal)
    for kind in ("rows", "columns"):
        if kind not in clues:
            raise element.error(f'found a puzzle without the clues of its {kind}, expected <clues type="{kind}">')
    if goal is not None and (len(goal), len(goal[0])) != (len(clues["rows"]), len(clues["columns"])):
        expected = f"{len(clues['columns'])} x {len(clues['rows'])} as the clues say"
        raise element.error(f"found a goal of {len(goal[0])} x {len(goal)} cells, expected {expected}")
    return Nonogram(clues["rows"], clues["columns"], about, goal)


class _Palette:
    """What is background in a puzzle and what is the one other colour."""

    def __init__(self, puzzle: Element):
        self.background = puzzle.attributes.get("backgroundcolor", "white")
        self.default = puzzle.attributes.get("defaultcolor", "black")
        self.names = {".": "white", "X": "black"}
        for child in puzzle.named("color"):
            if "char" in child.attributes and "name" in child.attributes:
                self.names[child.attributes["char"]] = child.attributes["name"]
        self.foreground: str | None = None

    def use(self, color: str, element: Element) -> None:
        """Notes that cells have this colour, which must be the same wherever it is not the background."""
        if color == self.background:
            raise element.error(f"found a clue in the background colour {shown(color)}, expected another colour")
        if self.foreground not in (None, color):
            colors = f"{shown(str(self.foreground))} and {shown(color)}"
            raise element.error(f"found the colours {colors}, expected black and white: colour puzzles cannot be read")
        self.foreground = color


def _clues(element: Element, kind: str, palette: _Palette) -> tuple[Clue, ...]:
    element.holds_only("line")
    if not 1 <= len(element.children) <= MAX_SIDE:
        raise element.error(f"found {len(element.children)} clues of {kind}s, expected from 1 to {MAX_SIDE}")
    return tuple(_clue(line, f"{kind} {number}", palette) for number, line in enumerate(element.children, start=1))


def _clue(line: Element, what: str, palette: _Palette) -> Clue:
    line.holds_only("count")
    clue = []
    for count in line.children:
        clue.append(whole_number(count.text.strip(), f"a clue of {what}", count.error))
        if clue[-1]:
            palette.use(count.attributes.get("color", palette.default), count)
    return clue_of(clue, what, line.error)


def _goal(puzzle: Element, palette: _Palette) -> Board | None:
    """The picture of the first solution of type `goal` (which is the default type)."""
    for solution in puzzle.named("solution"):
        if solution.attributes.get("type", "goal") == "goal":
            images = solution.named("image")
            if len(images) != 1:
                raise solution.error(f"found {len(images)} <image>s in the <solution>, expected one")
            return _board(images[0], palette)
    return None


def _board(image: Element, palette: _Palette) -> Board:
    text = "".join(image.text.split())
    rows = text[1:-1].split("||")
    if len(text) < 3 or text[0] + text[-1] != "||" or any("|" in row for row in rows):
        raise image.error("found a picture that is cut short, expected rows that each begin and end with |")
    if len({len(row) for row in rows}) != 1 or not 1 <= len(rows[0]) <= MAX_SIDE or len(rows) > MAX_SIDE:
        raise image.error(f"found rows of different length in the picture, expected equal ones of 1 to {MAX_SIDE} cells")
    filled = {}
    for letter in sorted(set(text) - {"|"}):
        if letter not in palette.names:
            raise image.error(f"found {letter!r} in the picture, expected the characters of the puzzle's colours")
        filled[letter] = palette.names[letter] != palette.background
        if filled[letter]:
            palette.use(palette.names[letter], image)
    return tuple(tuple(filled[letter] for letter in row) for row in rows)


def _about(element: Element, *names: str) -> dict[str, str]:
    return {ABOUT[name]: value for name in names if (value := _text_of(element, name))}


def _text_of(element: Element, name: str) -> str:
    """The text of the first child with this name, on one line; empty if there is none."""
    return next((tidy(child.text) for child in element.named(name)), "")


def write(puzzle: Nonogram) -> str:
    """The puzzle as a set of one, with what is known about it and its goal.

    There is no DOCTYPE (nothing needs it, and pbnsolve would look for it on the network), no comment and no indentation
    among the clues (pbnsolve counts every child node as a line).
    """
    lines = ['<?xml version="1.0"?>', "<puzzleset>", '<puzzle type="grid" defaultcolor="black">']
    known = [(name, tidy(puzzle.about.get(key, ""))) for name, key in ABOUT.items()]
    lines += [f"<{name}>{escape(value, quote=False)}</{name}>" for name, value in known if value]
    lines += ['<color name="white" char=".">fff</color>', '<color name="black" char="X">000</color>']
    for kind, clues in (("columns", puzzle.columns), ("rows", puzzle.rows)):
        lines.append(f'<clues type="{kind}">')
        lines += [f"<line>{''.join(f'<count>{block}</count>' for block in clue)}</line>" for clue in clues]
        lines.append("</clues>")
    if puzzle.goal is not None:
        rows = [f"|{''.join('.X'[cell] for cell in row)}|" for row in puzzle.goal]
        lines += ['<solution type="goal">', "<image>", *rows, "</image>", "</solution>"]
    return "\n".join([*lines, "</puzzle>", "</puzzleset>", ""])
