"""The YAML file of a suite: values by their places, and errors with the line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, TypeVar

from cnfgen_puzzles.bench.suite.plan import Options
from cnfgen_puzzles.common.errors import InputError, printable
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.readers.strictyaml import Document, Either
from cnfgen_puzzles.families.options import Option, checked_options

TEXTS = Either(scalar=str, list=[str])
"""One value or a list of them."""
NUMBERS = TEXTS
"""`3`, `1-20`, or a list of those; see `SuiteFile.numbers`."""
T = TypeVar("T")
MOST_TOLD = 600
"""The maximum number of characters of an error."""
RANGE = re.compile(r"\s*(\d{1,10})\s*(?:-\s*(\d{1,10})\s*)?")


class SuiteFile(Document):
    """The validated document in the file `source`. A place is the path of keys to a value."""

    @property
    def folder(self) -> Path:
        return Path(self.source).parent

    def line(self, *place: str) -> int | None:
        """The line of a place, or of the nearest place that contains it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place)

    def error(self, message: str, *place: str) -> InputError:
        if len(message) > MOST_TOLD:  # a long value of the file
            message = f"{message[: MOST_TOLD // 2]} ... {message[-MOST_TOLD // 2 :]}"
        return InputError(printable(message), source=self.source, line=self.line(*place))

    def checked(self, find: Callable[[], T], *place: str) -> T:
        """The result of `find`; its InputError gets the file and line of the suite."""
        try:
            return find()
        except InputError as error:
            raise self.error(error.message, *place) from None

    def at(self, *place: str) -> Any:
        """The value of a place, None if it does not exist."""
        value: Any = self.value
        for key in place:
            if isinstance(value, list):
                value = value[int(key)]
            elif value is not None:
                value = value.get(key)
        return value

    def at_least(self, least: int, *place: str) -> int | None:
        """The number of a place, None if it does not exist."""
        value: int | None = self.at(*place)
        if value is not None and value < least:
            raise self.error(f"found {value}, expected at least {least}", *place)
        return value

    def numbers(self, *place: str) -> list[int]:
        """The whole numbers of a place: `[1, 2]`, `1-20`, `[1-3, 7]`."""
        value = self.at(*place)
        found: list[int] = []
        for text in [value] if isinstance(value, str) else value:
            match = RANGE.fullmatch(text)
            first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
            if first > last:
                raise self.error(f"found {text!r}, expected a number such as 3 or a range such as 1-20", *place)
            self.bounded(len(found) + last - first + 1, *place)
            found += range(first, last + 1)
        if not found:
            raise self.error("found an empty list, expected at least one number", *place)
        counts = Counter(found)
        if len(counts) < len(found):
            twice = next(number for number in found if counts[number] > 1)
            raise self.error(f"found {twice} a second time", *place)
        return found

    def bounded(self, runs: int, *place: str) -> None:
        """InputError if the value at a place makes more runs than a suite may have."""
        checked_amount("runs", runs, source=self.source, line=self.line(*place))

    def products(self, given: Mapping[str, Any], known: Sequence[Option], what: str, *place: str) -> list[Options]:
        """All combinations of one value per option, where a list has several values; each value is validated."""
        columns = []
        for name, value in given.items():
            if value == []:
                raise self.error(f"found an empty list, expected a value of {name}", *place, name)
            texts = [value] if isinstance(value, str) else value
            converted = (partial(checked_options, known, {name: text}, what) for text in texts)
            columns.append([pair for convert in converted for pair in self.checked(convert, *place, name).items()])
        self.bounded(prod(map(len, columns)), *place)
        return [tuple(sorted(chosen)) for chosen in product(*columns)]
