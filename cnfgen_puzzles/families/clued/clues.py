"""Text formats with lines: numbered lines, clues, and one-line texts, with errors that name the line.

Damaged files of any size are refused at once: lengths are checked before text is split or converted. `formats.py` and `webpbn.py`
define the meaning of the lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened, whole_number
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.clued.puzzle import Clue, ColoredClue

MAX_LINES = 8 * MOST_SIDE
"""More lines than any puzzle within `MOST_SIDE` needs, including its properties and blank lines."""

MAX_CLUE_TEXT = 8 * MOST_SIDE
"""More characters than any clue within `MOST_SIDE` needs, including spaces that align columns."""

COLORED = regex(r"[0-9]+[A-Za-z]")

LETTERED = regex(r"([0-9]+)([^\s0-9,.+-])")
"""A number and the letter, or other sign, of a color."""

NONCHARACTERS = "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
NOT_CARRIED = regex(f"[\0-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef{NONCHARACTERS}]")
"""Control characters, halves of surrogate pairs and noncharacters."""


class Lines(list[str]):
    """The lines of a text, with errors that number them, and the sides and clues on them.

    `expected` describes the expected text, `most` is its maximal number of lines. The last line end does not start another line;
    blank lines at the end are kept, because the formats treat them differently. `filled` are the indices of all other lines.
    """

    def __init__(self, text: str, source: str, expected: str, most: int = MAX_LINES):
        self.source = source
        self.numbers = 0  # in all clues so far
        found = text.count("\n") + 1
        if found > most:
            raise InputError(f"found {found} lines, expected {expected} (at most {most} lines)", source=source)
        super().__init__(text.removesuffix("\n").split("\n"))
        self.filled = self.find_filled(0, len(self))
        if not self.filled:
            raise InputError(f"found an empty file, expected {expected}", source=source, line=1)

    def error(self, index: int, message: str) -> InputError:
        """An error at the line with this index (which counts from 0; the error counts from 1)."""
        return InputError(message, source=self.source, line=index + 1)

    def find_filled(self, start: int, end: int) -> list[int]:
        """The indices from `start` to before `end` of the lines that are not blank."""
        return [index for index in range(start, end) if self[index].strip()]

    def quote(self, index: int) -> str:
        """The line quoted for an error message."""
        return shortened(self[index].strip())

    def sides(self, index: int, *names: str) -> list[int]:
        """The sides of a board that form a line, one for each name."""
        expected = f"expected the {' and the '.join(names)}"
        if index >= len(self):
            raise self.error(len(self) - 1, f"found the end of the file, {expected}")
        tokens = self[index].split(maxsplit=len(names))
        if len(tokens) != len(names):
            raise self.error(index, f"found {self.quote(index) if tokens else 'no number'}, {expected}")
        return [clue_number(token, f"the {name}", self.source, index + 1, 1) for token, name in zip(tokens, names, strict=True)]

    def clues(
        self, indices: Iterable[int], kind: str, color: Callable[[str], int] | None = None, between: str = r"\s+"
    ) -> tuple[ColoredClue, ...]:
        """The clues on the lines with these indices; `kind` is `row` or `column`, `between` the pattern between numbers. A blank
        line is an empty clue.

        With `color`, numbers can be followed by a letter; `color(letter)` is the number of the color (`""`: no letter), and
        raises KeyError for an unknown letter.
        """
        return tuple(self._clue(index, f"{kind} {number}", between, color) for number, index in enumerate(indices, start=1))

    def _clue(self, index: int, what: str, between: str, color: Callable[[str], int] | None) -> ColoredClue:
        line = self[index].strip()
        if len(line) > MAX_CLUE_TEXT:
            raise self.error(index, f"found a line of {len(line)} characters, expected {what} in {MAX_CLUE_TEXT} at most")
        tokens = re.split(between, line) if line else []
        if not all(tokens):
            raise self.error(
                index, f"found {self.quote(index)}, expected numbers with one separator between them in {what}, such as 3,1"
            )
        self.numbers += len(tokens)
        checked_amount("steps", self.numbers, found=f"clues of about {self.numbers} numbers", source=self.source, line=index + 1)
        parts = [LETTERED.fullmatch(token) if color else None for token in tokens]
        texts = (part[1] if part else token for part, token in zip(parts, tokens, strict=True))
        clue = clue_of(
            [clue_number(text, f"a clue of {what}", self.source, index + 1) for text in texts], what, self.source, index + 1
        )
        if color is None:
            return clue, (1,) * len(clue)
        inks: list[int] = []
        for part in parts if clue else []:
            try:
                inks.append(color(part[2] if part else ""))
            except KeyError:
                found = f"found the letter {part[2]!r}" if part else "found a number without a letter"
                expected = "expected the letter of a color that is declared"
                raise self.error(index, f"{found} in the clue of {what}, {expected}") from None
        return clue, tuple(inks)


def clue_number(token: str, what: str, source: str, line: int, least: int = 0) -> int:
    """A number of a clue or a side, to `MOST_SIDE`, written with the digits 0 to 9 only."""
    if not (token.isascii() and token.isdigit()):
        hint = " (a color? this format only has black and white puzzles)" if COLORED.fullmatch(token) else ""
        raise InputError(f"found {shortened(token)}{hint}, expected a whole number for {what}", source=source, line=line)
    return whole_number(token, what, least=least, most=MOST_SIDE, source=source, line=line)


def clue_of(numbers: Sequence[int], what: str, source: str, line: int) -> Clue:
    """The clue with these numbers; a single 0 means an empty line."""
    if 0 in numbers and len(numbers) > 1:
        found = f"found a 0 inside the clue {shortened(' '.join(map(str, numbers)))} of {what}"
        raise InputError(f"{found}, expected positive numbers or a single 0", source=source, line=line)
    return tuple(filter(None, numbers))


def tidy(value: str) -> str:
    """`value` on one line with single spaces, without characters that XML and HTML references cannot represent.

    Titles and names are normalized on reading and on writing, so conversions between formats preserve them.
    """
    return " ".join(NOT_CARRIED.sub(" ", value).split())
