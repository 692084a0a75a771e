"""Text formats with lines: numbered lines, whole numbers, clues, and one-line texts, with errors that name the line.

Damaged files of any size are refused at once: lengths are checked before text is split or converted. `formats.py` and `webpbn.py`
define the meaning of the lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
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


class Lines:
    """The numbered lines of a text, with errors that name them, and the sides and clues on them.

    `expected` describes the expected text, `most` is its maximal number of lines. The last line end does not start another line;
    blank lines at the end are kept, because the formats treat them differently.
    """

    def __init__(self, text: str, source: str, expected: str, most: int = MAX_LINES):
        self.source = source
        self.numbers = 0  # in all clues so far
        found = text.count("\n") + 1
        if found > most:
            raise InputError(f"found {found} lines, expected {expected} (at most {most} lines)", source=source)
        if not text.strip():
            raise InputError(f"found an empty file, expected {expected}", source=source, line=1)
        self.lines = text.removesuffix("\n").split("\n")

    def __getitem__(self, index: int) -> str:
        return self.lines[index]

    def __len__(self) -> int:
        return len(self.lines)

    def error(self, index: int, message: str) -> InputError:
        """An error at the line with this index (which counts from 0; the error counts from 1)."""
        return InputError(message, source=self.source, line=index + 1)

    def skip_blank(self, index: int = 0) -> int:
        """The index of the first line at or after `index` that is not blank (the number of lines if there is none)."""
        while index < len(self.lines) and not self.lines[index].strip():
            index += 1
        return index

    def end_of_text(self) -> int:
        """The index after the last line that is not blank."""
        return max((index + 1 for index, line in enumerate(self.lines) if line.strip()), default=0)

    def find_filled(self, start: int, end: int) -> list[int]:
        """The indices from `start` to before `end` of the lines that are not blank."""
        return [index for index in range(start, end) if self.lines[index].strip()]

    def quote(self, index: int) -> str:
        """The line quoted for an error message."""
        return shortened(self.lines[index].strip())

    def sides(self, index: int, *names: str, most: int) -> list[int]:
        """The sides of a board that form a line: whole numbers from 1 to `most`, one for each name."""
        expected = f"expected the {' and the '.join(names)}"
        if index >= len(self):
            raise self.error(len(self) - 1, f"found the end of the file, {expected}")
        tokens = self[index].split(maxsplit=len(names))
        if len(tokens) != len(names):
            raise self.error(index, f"found {self.quote(index) if tokens else 'no number'}, {expected}")
        return [self.side(index, token, name, most) for token, name in zip(tokens, names, strict=True)]

    def side(self, index: int, token: str, name: str, most: int) -> int:
        """One side of a board, as in `sides`."""
        value = whole_number(token, f"the {name}", most, partial(self.error, index))
        if value == 0:
            raise self.error(index, f"found {name} 0, expected a {name} of at least 1")
        return value

    def clues(
        self, indices: Iterable[int], kind: str, color: Callable[[str], int] | None = None, *, commas: bool = False
    ) -> tuple[ColoredClue, ...]:
        """The clues on the lines with these indices; `kind` is `row` or `column`. A blank line is an empty clue.

        With `color`, numbers can be followed by a letter; `color(letter)` is the number of the color (`""`: no letter), and
        raises KeyError for an unknown letter.
        """
        return tuple(self._clue(index, f"{kind} {number}", commas, color) for number, index in enumerate(indices, start=1))

    def _clue(self, index: int, what: str, commas: bool, color: Callable[[str], int] | None) -> ColoredClue:
        error = partial(self.error, index)
        tokens = self._tokens(index, what, commas)
        parts = [LETTERED.fullmatch(token) if color else None for token in tokens]
        numbers = [clue_number(part[1] if part else token, what, error) for part, token in zip(parts, tokens, strict=True)]
        clue = clue_of(numbers, what, error)
        if color is None:
            return clue, (1,) * len(clue)
        inks: list[int] = []
        for part in parts if clue else []:
            try:
                inks.append(color(part[2] if part else ""))
            except KeyError:
                found = f"found the letter {part[2]!r}" if part else "found a number without a letter"
                raise error(f"{found} in the clue of {what}, expected the letter of a color that is declared") from None
        return clue, tuple(inks)

    def measured(self, index: int, what: str) -> str:
        """The line of a clue; InputError if it is too long for one."""
        line = self[index]
        if len(line) > MAX_CLUE_TEXT:
            raise self.error(index, f"found a line of {len(line)} characters, expected {what} in {MAX_CLUE_TEXT} at most")
        self.numbers += line.count(" ") + line.count(",") + 1
        checked_amount("steps", self.numbers, found=f"clues of about {self.numbers} numbers", source=self.source, line=index + 1)
        return line

    def _tokens(self, index: int, what: str, commas: bool) -> list[str]:
        line = self.measured(index, what)
        if commas and "," in line:
            if not all(part.strip() for part in line.split(",")):
                raise self.error(index, f"found {self.quote(index)}, expected a number on both sides of a comma in {what}")
            line = line.replace(",", " ")
        return line.split()


def clue_number(token: str, what: str, error: Callable[[str], InputError]) -> int:
    """One number of a clue, from 0 to `MOST_SIDE`."""
    if len(token) < 5 and token.isascii() and token.isdigit():  # the common case
        return int(token)
    if COLORED.fullmatch(token):
        hint = "a color? this format only has black and white puzzles"
        raise error(f"found {shortened(token)} ({hint}), expected a whole number for a clue of {what}")
    return whole_number(token, f"a clue of {what}", MOST_SIDE, error)


def clue_of(numbers: Sequence[int], what: str, error: Callable[[str], InputError]) -> Clue:
    """The clue with these numbers; a single 0 means an empty line."""
    if 0 in numbers and len(numbers) > 1:
        text = shortened(" ".join(map(str, numbers)))
        raise error(f"found a 0 inside the clue {text} of {what}, expected positive numbers or a single 0")
    return tuple(filter(None, numbers))


def whole_number(token: str, what: str, most: int, error: Callable[[str], InputError]) -> int:
    """A whole number from 0 to `most`, written with the digits 0 to 9 only; raises `error` with the reason for other text."""
    if not (token.isascii() and token.isdigit()):
        raise error(f"found {shortened(token)}{number_trouble(token)}, expected a whole number for {what}")
    digits = token.lstrip("0") or "0"
    if len(digits) > len(str(most)) or int(digits) > most:
        raise error(f"found {shortened(token)} for {what}, expected at most {most}")
    return int(digits)


def number_trouble(token: str) -> str:
    """The reason why `token` is not a whole number, if it is not obvious."""
    for pattern, trouble in ((r"-[0-9]+", "negative"), (r"\+[0-9]+", "a plus sign"), (r"[0-9]*\.[0-9]*", "a decimal fraction")):
        if re.fullmatch(pattern, token):
            return f" ({trouble})"
    if not token.isascii() and any(unicodedata.category(letter) in ("Nd", "No", "Nl") for letter in token[:100]):
        return " (digits other than 0 to 9)"
    return ""


def tidy(value: str) -> str:
    """`value` on one line with single spaces, without characters that XML and HTML references cannot represent.

    Titles and names are normalized on reading and on writing, so conversions between formats preserve them.
    """
    return " ".join(NOT_CARRIED.sub(" ", value).split())
