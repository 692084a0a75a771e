"""Random small puzzles of all families, as files and options of a user, each with all its solutions.

The puzzles and their solutions are those of `tests/exhaustive`, which finds them by brute force, without encodings and solvers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from exhaustive.table import OWN

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.options import Option

FAMILIES = ("nonogram", "tiling", "maze", "triddler")
"""Half of the puzzles are of these families; the others are of genres of grid puzzles."""
MOST_LEMMAS = 12
LOSSY = ("burrtools",)
"""Formats in which the cells of a board have other names."""


class Truth:
    """All solutions of a puzzle; `key` converts a board in JSON to their form."""

    def __init__(self, family: str, puzzle: Any, solutions: frozenset[Any], key: Any):
        self.family, self.puzzle, self.solutions, self.board_key = find_family(family), puzzle, solutions, key

    @property
    def count(self) -> int:
        """The number of solutions, with symmetric ones counted separately."""
        return len(self.solutions)

    def key(self, board: Any) -> Any:
        """A key that distinguishes the boards of the puzzle; `board` is the JSON that the commands write."""
        return self.board_key(self.family.board_from_json(self.puzzle, board))

    def to_json(self) -> dict[str, Any]:
        return {"count": self.count}


@dataclass(frozen=True)
class Puzzle:
    """A puzzle: its file, the options after the file's name, and the truth about it."""

    family: str
    file: str
    text: str
    options: Mapping[str, str]
    truth: Truth

    def entry(self, folder: str) -> dict[str, Any]:
        """The puzzle in a suite."""
        named = {"family": self.family, "puzzles": [f"{folder}/{self.file}"]}
        return {**named, **({"options": dict(self.options)} if self.options else {})}


def random_puzzle(chance: Random) -> Puzzle:
    """A puzzle of a random family, in a random format that can represent it."""
    name = chance.choice(FAMILIES if chance.random() < 0.5 else [each for each in OWN if each not in FAMILIES])
    family, range = find_family(name), chance.choice(OWN[name])
    case = range.random(chance)
    options = {"pattern": case.puzzle.pattern} if name == "maze" else {}
    formats = [each for each in family.formats.values() if each.write is not None and each.name not in LOSSY]
    for format in chance.sample(formats, len(formats)):
        try:
            text = family.write(case.puzzle, format.name)
        except InputError:  # the format refuses colors, for example
            continue
        file = f"puzzle{format.suffixes[0]}"
        return Puzzle(name, file, text, options, Truth(name, case.puzzle, case.solutions, range.key))
    raise AssertionError(f"{name}: no format can represent {case.puzzle!r}")


# -- encodings ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chosen:
    """An encoding with options."""

    name: str
    options: Mapping[str, Any]

    @property
    def words(self) -> list[str]:
        """The encoding on a command line."""
        return ["--encoding", self.name, *(word for name, value in self.options.items() for word in option_words(name, value))]

    @property
    def leaves_out(self) -> bool:
        """Whether it omits some solutions."""
        return "representatives" in self.options.values()


def option_words(name: str, value: Any) -> list[str]:
    flag = name.replace("_", "-")
    return [f"--{flag}" if value else f"--no-{flag}"] if isinstance(value, bool) else [f"--{flag}", str(value)]


def random_encoding(family: str, chance: Random) -> Chosen:
    """Any encoding of the family with any of its options."""
    encoding = chance.choice(list(find_family(family).encodings.values()))
    taken = [option for option in encoding.options if chance.random() < 0.4 and not option.name.startswith("most_")]
    return Chosen(encoding.name, {option.name: random_value(option, chance) for option in taken})


def random_value(option: Option, chance: Random) -> Any:
    if option.choices:
        return chance.choice(option.choices)
    if option.type is bool:
        return chance.random() < 0.5
    return chance.randint(int(option.least or 0), int(option.least or 0) + MOST_LEMMAS)
