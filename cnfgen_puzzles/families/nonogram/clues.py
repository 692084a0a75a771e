"""What nonogram formats share: the numbers of a clue, and lines that hold clues.

Not here: what a format's lines mean (`formats.py`, `webpbn.py`), lines and numbers as such (`families/textlines.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.nonogram.palette import letters_of
from cnfgen_puzzles.families.nonogram.puzzle import Clue, Colour, ColouredClue, Nonogram
from cnfgen_puzzles.families.textlines import Lines, shown, whole_number

MAX_LINES = 8 * MOST_SIDE
"""More lines than any puzzle within `MOST_SIDE` needs, with room for its properties and blank lines."""

MAX_CLUE_TEXT = 8 * MOST_SIDE
"""More characters than any clue within `MOST_SIDE` needs, with room for columns that are set out with spaces."""

COLOURED = re.compile(r"[0-9]+[A-Za-z]")

LETTERED = re.compile(r"([0-9]+)([^\s0-9,.+-])")
"""A number and the letter, or other sign, of a colour."""


class ClueLines(Lines):
    """The lines of a puzzle whose clues stand one on a line."""

    def __init__(self, text: str, source: str, expected: str):
        super().__init__(text, source, expected, MAX_LINES)
        self.numbers = 0  # in all clues so far

    def clues(self, indices: Iterable[int], kind: str) -> tuple[Clue, ...]:
        """One clue a line, for the lines with these indices; `kind` is `row` or `column`. A blank line is an empty clue."""
        return tuple(self._clue(index, f"{kind} {number}", False, None)[0] for number, index in enumerate(indices, start=1))

    def coloured_clues(
        self, indices: Iterable[int], kind: str, colour: Callable[[str], int], *, commas: bool = False
    ) -> tuple[ColouredClue, ...]:
        """As `clues`, of numbers that may have a letter behind them; `colour(letter)` numbers it (`""`: there is none), and
        raises KeyError for one that is not known."""
        return tuple(self._clue(index, f"{kind} {number}", commas, colour) for number, index in enumerate(indices, start=1))

    def _clue(self, index: int, what: str, commas: bool, colour: Callable[[str], int] | None) -> ColouredClue:
        error = partial(self.error, index)
        tokens = self._tokens(index, what, commas)
        parts = [LETTERED.fullmatch(token) if colour else None for token in tokens]
        numbers = [clue_number(part[1] if part else token, what, error) for part, token in zip(parts, tokens, strict=True)]
        clue = clue_of(numbers, what, error)
        if colour is None:
            return clue, ()
        inks: list[int] = []
        for part in parts if clue else []:
            try:
                inks.append(colour(part[2] if part else ""))
            except KeyError:
                found = f"found the letter {part[2]!r}" if part else "found a number without a letter"
                raise error(f"{found} in the clue of {what}, expected the letter of a colour that is declared") from None
        return clue, tuple(inks)

    def _tokens(self, index: int, what: str, commas: bool) -> list[str]:
        line = self[index]
        if len(line) > MAX_CLUE_TEXT:
            raise self.error(index, f"found a line of {len(line)} characters, expected {what} in {MAX_CLUE_TEXT} at most")
        if commas and "," in line:
            if not all(part.strip() for part in line.split(",")):
                raise self.error(index, f"found {self.shown(index)}, expected a number on both sides of a comma in {what}")
            line = line.replace(",", " ")
        self.numbers += line.count(" ") + 1
        checked_amount("steps", self.numbers, found=f"clues of about {self.numbers} numbers", source=self.source, line=index + 1)
        return line.split()


def clue_number(token: str, what: str, error: Callable[[str], InputError]) -> int:
    """One number of a clue, from 0 to `MOST_SIDE`."""
    if len(token) < 5 and token.isascii() and token.isdigit():  # nearly all of them
        return int(token)
    if COLOURED.fullmatch(token):
        hint = "a colour? this format has black and white puzzles alone"
        raise error(f"found {shown(token)} ({hint}), expected a whole number for a clue of {what}")
    return whole_number(token, f"a clue of {what}", MOST_SIDE, error)


def clue_of(numbers: Sequence[int], what: str, error: Callable[[str], InputError]) -> Clue:
    """The clue with these numbers, where a single 0 stands for an empty line."""
    if 0 in numbers and len(numbers) > 1:
        text = shown(" ".join(map(str, numbers)))
        raise error(f"found a 0 inside the clue {text} of {what}, expected positive numbers or a single 0")
    return tuple(filter(None, numbers))


def clue_text(clue: Clue, separator: str = " ") -> str:
    """The clue as the line-based formats write it: `2 1`, or `0` for an empty line."""
    return separator.join(map(str, clue)) or "0"


def black_only(puzzle: Nonogram, format: str) -> None:
    """InputError for a puzzle in several colours, of which the format has no word."""
    if puzzle.row_colours or puzzle.column_colours:
        raise InputError(
            f"found blocks of {puzzle.inks} colours, expected black ones: {format} has no colours (webpbn, non and g have)"
        )


def lettered_clues(puzzle: Nonogram, kind: str, separator: str) -> list[str]:
    """The clues of `row` or `column` with the letters of their colours, `3r 1b`; without them where all is black on white."""
    return lettered(puzzle.lines(kind), puzzle.colours, separator)


def lettered(lines: Iterable[ColouredClue], colours: Sequence[Colour], separator: str) -> list[str]:
    """The clues of these lines with the letters of their colours; without them where `colours` is empty: black on white."""
    letters = ["", *(letters_of(colours[1:]) if colours else [""])]
    return [
        separator.join(f"{block}{letters[colour]}" for block, colour in zip(clue, told, strict=True)) or "0"
        for clue, told in lines
    ]
