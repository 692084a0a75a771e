"""What nonogram formats share: the numbers of a clue, and lines that hold clues.

Not here: what a format's lines mean (`sized.py`, `non.py`, `webpbn.py`), lines and numbers as such (`families/textlines.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.nonogram.puzzle import Clue
from cnfgen_puzzles.families.textlines import Lines, shown, whole_number
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.inputlimits import checked_amount

MAX_LINES = 8 * MOST_SIDE
"""More lines than any puzzle within `MOST_SIDE` needs, with room for its properties and blank lines."""

MAX_CLUE_TEXT = 8 * MOST_SIDE
"""More characters than any clue within `MOST_SIDE` needs, with room for columns that are set out with spaces."""

COLOURED = re.compile(r"[0-9]+[A-Za-z]")


class ClueLines(Lines):
    """The lines of a puzzle whose clues stand one on a line."""

    def __init__(self, text: str, source: str, expected: str):
        super().__init__(text, source, expected, MAX_LINES)
        self.numbers = 0  # in all clues so far

    def clues(self, indices: Iterable[int], kind: str, *, commas: bool = False) -> tuple[Clue, ...]:
        """One clue a line, for the lines with these indices; `kind` is `row` or `column`. A blank line is an empty clue."""
        return tuple(self._clue(index, f"{kind} {number}", commas) for number, index in enumerate(indices, start=1))

    def _clue(self, index: int, what: str, commas: bool) -> Clue:
        line = self[index]
        if len(line) > MAX_CLUE_TEXT:
            raise self.error(index, f"found a line of {len(line)} characters, expected {what} in {MAX_CLUE_TEXT} at most")
        if commas and "," in line:
            if not all(part.strip() for part in line.split(",")):
                raise self.error(index, f"found {self.shown(index)}, expected a number on both sides of a comma in {what}")
            line = line.replace(",", " ")
        error = partial(self.error, index)
        self.numbers += line.count(" ") + 1
        checked_amount("steps", self.numbers, found=f"clues of about {self.numbers} numbers", source=self.source, line=index + 1)
        return clue_of([clue_number(token, what, error) for token in line.split()], what, error)


def clue_number(token: str, what: str, error: Callable[[str], InputError]) -> int:
    """One number of a clue, from 0 to `MOST_SIDE`."""
    if len(token) < 5 and token.isascii() and token.isdigit():  # nearly all of them
        return int(token)
    if COLOURED.fullmatch(token):
        hint = "a colour? only black and white puzzles can be read"
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
