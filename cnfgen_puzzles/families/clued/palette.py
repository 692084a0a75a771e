"""Colors in files, by name, by value, or by letter, and default colors.

`puzzle.py` defines colors; `formats.py` reads and writes files.
"""

from __future__ import annotations

import re
import string
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.common.inputlimits import shortened
from cnfgen_puzzles.families.clued.clues import tidy
from cnfgen_puzzles.families.clued.puzzle import BLACK_AND_WHITE, CluedPuzzle, Color, ColoredClue
from cnfgen_puzzles.families.looks import Look

P = TypeVar("P", bound=CluedPuzzle)

WHITE, BLACK = BLACK_AND_WHITE

INKS = (
    Color("red", "#d55e00", "r"), Color("blue", "#0072b2", "b"), Color("yellow", "#f0e442", "y"),
    Color("green", "#009e73", "g"), Color("orange", "#e69f00", "o"), Color("sky", "#56b4e9", "s"),
    Color("pink", "#cc79a7", "p"), Color("black", "#000000", "k"),
)  # fmt: skip
"""The default colors of puzzles: the palette of Okabe and Ito (2008), which people with any color vision can distinguish."""

NAMED = {
    "white": "#ffffff", "black": "#000000", "red": "#ff0000", "green": "#00ff00", "blue": "#0000ff", "yellow": "#ffff00",
    "cyan": "#00ffff", "magenta": "#ff00ff", "gray": "#bebebe", "grey": "#bebebe", "orange": "#ffa500", "brown": "#a52a2a",
    "pink": "#ffc0cb", "purple": "#a020f0", "violet": "#ee82ee", "navy": "#000080", "gold": "#ffd700", "tan": "#d2b48c",
    "beige": "#f5f5dc", "maroon": "#b03060", "turquoise": "#40e0d0", "salmon": "#fa8072", "khaki": "#f0e68c", "orchid": "#da70d6",
    "coral": "#ff7f50", "darkgreen": "#006400", "lightblue": "#add8e6", "skyblue": "#87ceeb",
}  # fmt: skip
"""Color names of X11 that files use."""

MOST_COLORS = len(string.ascii_letters)
"""The largest number of inks that letters can distinguish."""


def value_of(text: str, error: Callable[[str], InputError]) -> str:
    """The value of a color that a file gives as a name, as `f00`, or as `ff0000`, with or without a `#`; raises `error`."""
    text = text.strip()
    digits = text.removeprefix("#").lower()
    if text.lower() in NAMED:
        return NAMED[text.lower()]
    if not re.fullmatch("[0-9a-f]{3}|[0-9a-f]{6}", digits):
        raise error(
            f"found the color {shortened(text)}, expected six hexadecimal digits such as #ff8000, or a plain name such as red"
        )
    return "#" + ("".join(2 * digit for digit in digits) if len(digits) == 3 else digits)


def name_of(value: str) -> str:
    """A name for a value: a plain name if there is one, else the value."""
    known = [*NAMED.items(), *((ink.name, ink.value) for ink in INKS)]
    return next((name for name, its in known if its == value), value)


class Palette:
    """The colors of one file, declared or used. `key` is the name of a color in the file: a letter or a word."""

    def __init__(self) -> None:
        self.entries: dict[str, tuple[str, str, str]] = {}  # key -> name, value, preferred letter

    def add(self, key: str, name: str, value: str | None, letter: str = "") -> None:
        """Declares an ink. Without a value it gets the first default color that no other ink has."""
        if value is None:
            usual = [(ink.name, ink.value, ink.sign) for ink in INKS]
            preferred = sorted(usual, key=lambda ink: ink[2] != letter)
            taken = {WHITE.value, *(word for entry in self.entries.values() for word in entry[:2])}
            free = (ink for ink in (*preferred, *((*named, "") for named in NAMED.items())) if taken.isdisjoint(ink[:2]))
            usual_name, value, sign = next(free, usual[-1])
            name, letter = name or usual_name, letter or sign
        self.entries[key] = (tidy(name)[:40].strip() or name_of(value), value, letter)

    def number(self, key: str) -> int:
        """The number of an ink, from 1; KeyError for an undeclared one."""
        return {known: number for number, known in enumerate(self.entries, start=1)}[key]

    def colors(self, background: str = WHITE.value, name: str = "") -> tuple[Color, ...]:
        """The palette of the puzzle, in which each color has a unique name and letter. Empty for black on white."""
        inks = list(self.entries.values())
        values = [background, *(value for _, value, _ in inks)]
        if values == [WHITE.value] or (
            values == [WHITE.value, BLACK.value] and (name or "white", inks[0][0]) == ("white", "black")
        ):
            return ()
        names = _different([name or name_of(background), *(each for each, _, _ in inks)])
        signs = [WHITE.sign, *letters([wanted for _, _, wanted in inks], names[1:])]
        return tuple(Color(*each) for each in zip(names, values, signs, strict=True))


def letters(wanted: Sequence[str], names: Sequence[str]) -> list[str]:
    """A letter for each color: the preferred one, else a letter of its name, else any. ValueError for too many colors."""
    if len(names) > MOST_COLORS:
        raise ValueError(f"found {len(names)} colors besides the background, expected at most {MOST_COLORS}")
    found = [sign if sign in {*string.ascii_letters} - {*wanted[:n]} else "" for n, sign in enumerate(wanted)]
    for n, name in enumerate(names):
        if not found[n]:
            usual = [ink.sign for ink in INKS if ink.name == name]
            preferred = [*usual, *(letter for letter in name if letter in string.ascii_letters)]
            found[n] = next(letter for letter in (*preferred, *string.ascii_letters) if letter not in found)
    return found


def letters_of(inks: Sequence[Color]) -> list[str]:
    """The letters of inks in a file: their signs, if these are letters."""
    return letters([ink.sign for ink in inks], [ink.name for ink in inks])


def clue_texts(lines: Iterable[ColoredClue], colors: Sequence[Color], separator: str = " ") -> list[str]:
    """The clues of these lines as in files, `0` for an empty one, with the letters of the colors if there are several."""
    letters = ["", *(letters_of(colors[1:]) if colors else [""])]
    return [separator.join(f"{block}{letters[color]}" for block, color in zip(*line, strict=True)) or "0" for line in lines]


def warn_of_equal_colors(puzzle: P, source: str) -> P:
    """The puzzle; warns if colors of its clues have the same value, or the value of the background."""
    used = {ink for kind in puzzle.kinds.values() for _, inks in puzzle.lines(kind) for ink in inks} if puzzle.colors else ()
    names: dict[str, list[str]] = {}
    for ink in sorted({0, *used}):
        names.setdefault(puzzle.palette[ink].value, []).append(puzzle.palette[ink].name)
    for value, alike in names.items():
        if len(alike) > 1:
            message = f"found the same value {value} for the colors {', '.join(alike)}: pictures cannot distinguish them"
            warnings.warn(InputWarning(message, source=source), stacklevel=2)
    return puzzle


def facts_of_clues(puzzle: Any) -> dict[str, Any]:
    """The data of a `CluedPuzzle` that files can hold, for `FormatTable`; of colors, the background comes first.

    A half-filled grid is written as a saved one: the known cells, or else the saved grids of the file.
    """
    paper, *inks = palette = puzzle.palette
    return {
        **puzzle.about,
        "sides": getattr(puzzle, "sides", ()),
        **{f"{name}s": list(puzzle.lines(kind)) for name, kind in puzzle.kinds.items()},
        "goal": puzzle.goal,
        "known cells": (puzzle.known,) if puzzle.known else getattr(puzzle, "saved", ()),
        "the background's color": paper.value,
        "colors": [ink.value for ink in inks],
        "letters of colors": [color.sign for color in palette],
        "names of colors": [color.name for color in palette],
    }


def looks_of_palette(colors: Sequence[Color]) -> dict[int, Look]:
    """The appearance of the cells of a colored puzzle, by value; the background comes first."""
    paper, *inks = colors
    ground = Look(paper.sign, None if paper.value == WHITE.value else paper.value, ground=True)
    return {0: ground} | {number: Look(ink.sign, ink.value) for number, ink in enumerate(inks, start=1)}


def _different(names: Iterable[str]) -> list[str]:
    """The names, with a number appended to repeated ones."""
    found: list[str] = []
    for name in names:
        same = 2
        chosen = name
        while chosen in found:
            chosen, same = f"{name} {same}", same + 1
        found.append(chosen)
    return found
