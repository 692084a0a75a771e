"""Options of readers, encodings, and generators: name, type, choices, range, and default in one place, checked by one function.

Library calls give values; suites and the command line give text. Both are converted here, and a wrong name or value is an
InputError that names the closest valid one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.inputlimits import SHOWN, finite_number, shortened, whole_number
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.formula.cardinality import AT_MOST_ONE

KINDS: Mapping[type, str] = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
MOST_BITS = 128
BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Option(NamedTuple):
    """An option of a reader, an encoding, or a generator: a keyword in the library, `--name` in the commands.

    `type` is str, int, float, or bool. `choices` are the valid values of a text; `least` and `most` bound a number. `default` is
    shown in help texts; None means 'not given'. `group` is the heading in the help of a command. With `file`, users may also name
    a file that contains the value: `file(given)` returns the content of the file, or `given` if it is a value. Values never name
    files, because suites and certificates store them. `command` is the documented name if it differs from `name`, which the maps
    of formulas store; commands, suites, and the library accept both.
    """

    name: str
    help: str
    default: Any = None
    type: type = str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    group: str = ""
    file: Callable[[Any], Any] | None = None
    command: str = ""

    def read(self, given: Any) -> Any:
        """The value that a user gives, perhaps as the name of a file; InputError names the file."""
        return self.value(given if self.file is None else self.file(given))

    def value(self, given: Any) -> Any:
        """The value that `given`, a value or a text, stands for; InputError says what was found and what is expected."""
        if self.choices:
            if given in self.choices:
                return given
            raise InputError(unknown_name(self.name, given if isinstance(given, str) else _quote(given), self.choices))
        value = self._typed(given)
        if (self.least is not None and value < self.least) or (self.most is not None and value > self.most):
            raise InputError(f"found {self.name} {_quote(given)}, expected {self._range()}")
        return value

    def _typed(self, given: Any) -> Any:
        """Text stands for a value of any type, and a whole number also for a float and for text. Nothing else is converted."""
        kind = type(given)
        if kind is self.type or (kind is int and self.type is float) or (self.type is str and isinstance(given, str)):
            if kind is float and not math.isfinite(given):
                raise self._wrong(given)
            return given
        if kind is int and self.type is str and given.bit_length() <= MOST_BITS:
            return str(given)
        if kind is not str:
            raise self._wrong(given)
        if self.type is int:
            return whole_number(given, self.name, least=None)
        if self.type is float:
            return finite_number(given, self.name)
        if given.strip().lower() not in BOOLEANS:
            raise self._wrong(given)
        return BOOLEANS[given.strip().lower()]

    def _wrong(self, given: Any) -> InputError:
        return InputError(f"found {_quote(given)}, expected {KINDS.get(self.type, self.type.__name__)} for {self.name}")

    def _range(self) -> str:
        if self.least is None:
            return f"at most {self.most:g}"
        return f"at least {self.least:g}" if self.most is None else f"{self.least:g} to {self.most:g}"


def _quote(given: Any) -> str:
    """A value for an error message: text in quotes, all shortened."""
    if isinstance(given, int) and given.bit_length() > MOST_BITS:  # Python does not print numbers of thousands of digits
        return f"a number of {given.bit_length()} bits"
    return shortened(given) if isinstance(given, str) else f"{given!r:.{SHOWN}}"


def group_options(heading: str, options: Iterable[Option]) -> tuple[Option, ...]:
    """The options under that heading."""
    return tuple(option._replace(group=heading) for option in options)


def amo_option(help: str = "at-most-one encoding", default: str = "pairwise") -> Option:
    """The option that selects an at-most-one encoding by its name."""
    return Option("amo", help, default, choices=tuple(AT_MOST_ONE))


SIDES = regex(r"\s*([0-9]{1,9})\s*(?:[x×]\s*([0-9]{1,9})\s*)?", re.IGNORECASE)


SIZE_HELP = "width x height, or the side of a square"
"""The help of every option `--size`: width comes first in all families and commands."""


def two_sides(text: str) -> tuple[int, int] | None:
    """Width and height of a size such as `30x20`, or `20` for 20x20, both above 0; None for other text."""
    match = SIDES.fullmatch(text)
    sides = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    return sides if min(sides) > 0 else None


def read_size(text: str, source: str | None = "--size") -> tuple[int, int]:
    """Width and height of a size as in `two_sides`; InputError for other text."""
    sides = two_sides(text)
    if sides is None:
        expected = "width x height (columns x rows) such as 30x20, or one number for a square"
        raise InputError(f"found the size {shortened(text)}, expected {expected}", source=source)
    return sides


def checked_options(options: Iterable[Option], given: Mapping[str, Any], what: str, *, defaults: bool = False) -> dict[str, Any]:
    """The values of the given options; None means 'not given'. InputError for a wrong name or value.

    `what` describes the owner of the options: `the tiling encoding product`. With `defaults`, options that are not given have
    their default. The names in commands (`Option.command`) are accepted as well.
    """
    known = {option.name: option for option in options}
    values = {name: option.default for name, option in known.items() if defaults and option.default is not None}
    documented = {option.command.replace("-", "_") or name: option for name, option in known.items()}
    for name, value in given.items():
        option = documented.get(name) or known.get(name)
        if option is None:
            raise InputError(unknown_name(f"option of {what}", name, documented))
        if value is None:
            continue
        try:
            values[option.name] = option.value(value)
        except InputError as error:
            raise InputError(f"{error.message} ({what})") from None
    return values
