"""Named blocks of variables and the mapping of their keys to numbers.

A block is a range of consecutive variables with a name and keys: `cell[r, c]`, `start[line, block, position]`,
`place[piece, orientation, row, column]`. The keys have one of three shapes, each with a JSON form:

* `GridBlock`, `shape=(h, w)`: every key with 0 <= r < h and 0 <= c < w, in row-major order;
* `RaggedBlock`, `lengths={(0, 0): 4, (0, 1): 4}`: keys (0, 0, 0..3), then (0, 1, 0..3): under each prefix the last number counts
  from 0; prefixes are in the given order;
* `KeyBlock`, `listed=((0, 1), (3, 7))`: exactly these keys, in this order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.readers.strictjson import member, type_told, whole

Key = tuple[int, ...]
LARGEST = 2**31 - 1
MOST_SIDES = 32


@dataclass(frozen=True, repr=False)
class Block(ABC):
    """A named range of variables that starts at `first`. The board does not depend on `auxiliary` ones directly."""

    name: str
    first: int
    auxiliary: bool = field(default=False, kw_only=True)
    count: int = field(init=False, compare=False)
    variables: range = field(init=False, compare=False)

    def _set(self, count: int, **derived: Any) -> None:
        """Set the derived fields."""
        self.__dict__.update(derived, count=count, variables=range(self.first, self.first + count))

    def __repr__(self) -> str:
        kind = "auxiliary variables" if self.auxiliary else "variables"
        message = f"{kind} {self.first}..{self.variables[-1]}" if self.variables else f"no {kind}"
        return showing.in_brackets("Block", self.name, message)

    @abstractmethod
    def __getitem__(self, key: int | Key) -> int:
        """The variable of a key, as in `cell[r, c]`; KeyError for an unknown key."""

    @abstractmethod
    def keys(self) -> Iterable[Key]:
        """All keys in the order of their variables."""

    @abstractmethod
    def below(self, *prefix: int) -> range:
        """The variables whose keys begin with `prefix`, which must be consecutive: `cell.below(r)` is row r."""

    def items(self) -> Iterable[tuple[Key, int]]:
        """Pairs of key and variable."""
        return zip(self.keys(), self.variables, strict=True)

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Name, first variable, number of variables, and keys."""

    def _to_json(self, shape: str, listed: list[Any]) -> dict[str, Any]:
        entry: dict[str, Any] = {"name": self.name, "first": self.first, "count": self.count, shape: listed}
        return entry | {"auxiliary": True} if self.auxiliary else entry


@dataclass(frozen=True, repr=False)
class GridBlock(Block):
    """All keys within a shape."""

    shape: Key

    def __post_init__(self) -> None:
        self._set(prod(self.shape))

    def __getitem__(self, key: int | Key) -> int:
        key = key if isinstance(key, tuple) else (key,)
        if len(key) != len(self.shape):
            raise KeyError(key)
        offset = 0
        for k, side in zip(key, self.shape, strict=True):
            if not 0 <= k < side:
                raise KeyError(key)
            offset = offset * side + k
        return self.first + offset

    def keys(self) -> Iterable[Key]:
        return product(*map(range, self.shape)) if self.variables else ()

    def below(self, *prefix: int) -> range:
        place = 0
        for k, side in zip(prefix, self.shape, strict=False):
            place = place * side + k
        size = prod(self.shape[len(prefix) :])
        return range(self.first + place * size, self.first + (place + 1) * size)

    def to_json(self) -> dict[str, Any]:
        return self._to_json("grid", list(self.shape))


@dataclass(frozen=True, repr=False)
class RaggedBlock(Block):
    """For each prefix, keys whose last number is 0 .. length-1."""

    lengths: Mapping[Key, int]
    _runs: dict[Key, range] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        runs, start = {}, self.first
        for prefix, length in self.lengths.items():
            runs[prefix] = range(start, start + length)
            start += length
        self._set(start - self.first, _runs=runs)

    def __getitem__(self, key: int | Key) -> int:
        key = key if isinstance(key, tuple) else (key,)
        run = self._runs[key[:-1]]
        if not 0 <= key[-1] < len(run):
            raise KeyError(key)
        return run[key[-1]]

    def keys(self) -> Iterable[Key]:
        return ((*prefix, last) for prefix, length in self.lengths.items() for last in range(length))

    def below(self, *prefix: int) -> range:
        return self._runs[prefix]

    def to_json(self) -> dict[str, Any]:
        return self._to_json("ragged", [[*prefix, length] for prefix, length in self.lengths.items()])


@dataclass(frozen=True, repr=False)
class KeyBlock(Block):
    """The keys of a list."""

    listed: tuple[Key, ...]
    _places: dict[Key, int] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self._set(len(self.listed), _places={key: place for place, key in enumerate(self.listed)})
        if len(self._places) != len(self.listed):
            raise ValueError("the list contains a key twice")

    def __getitem__(self, key: int | Key) -> int:
        return self.first + self._places[key if isinstance(key, tuple) else (key,)]

    def keys(self) -> Iterable[Key]:
        return self.listed

    def below(self, *prefix: int) -> range:
        found = [variable for key, variable in self.items() if key[: len(prefix)] == prefix]
        if found and found[-1] - found[0] + 1 != len(found):
            raise KeyError(prefix)
        return range(found[0], found[-1] + 1) if found else range(0)

    def to_json(self) -> dict[str, Any]:
        return self._to_json("keys", [list(key) for key in self.listed])


def block_from_json(entry: Mapping[str, Any], variables: int = LARGEST) -> Block:
    """The block that `Block.to_json` described, in a formula with this number of variables.

    KeyError, TypeError, or ValueError for an invalid entry. The memory that this needs is bounded by the size of the entry.
    """
    auxiliary = "auxiliary" in entry and member(entry, "auxiliary", bool)
    name, first = member(entry, "name", str), whole(entry["first"], 1, variables + 1)
    block: Block
    match entry:
        case {"grid": list(shape)}:
            if len(shape) > MOST_SIDES:
                raise ValueError(f"block of {len(shape)} dimensions, expected at most {MOST_SIDES}")
            block = GridBlock(name, first, tuple(whole(side, 0, LARGEST) for side in shape), auxiliary=auxiliary)
        case {"ragged": list(runs)}:
            lengths = {_key(run[:-1]): whole(run[-1], 0, variables) for run in runs}
            if len(lengths) < len(runs):
                raise ValueError("block that lists a prefix twice")
            block = RaggedBlock(name, first, lengths, auxiliary=auxiliary)
        case {"keys": list(keys)}:
            block = KeyBlock(name, first, tuple(map(_key, keys)), auxiliary=auxiliary)
        case _:
            raise ValueError("block without an index, expected one of grid, ragged, keys")
    if block.count != member(entry, "count", int):
        raise ValueError(f"block {name[:40]!r} whose count differs from the number of its keys, {block.count}")
    if block.variables.stop > variables + 1:
        raise ValueError(f"block {name[:40]!r} beyond the {variables} variables of the formula")
    return block


def _key(numbers: Any) -> Key:
    if not isinstance(numbers, list):
        raise TypeError(f"found {type_told(numbers)}, expected an array of whole numbers")
    return tuple(whole(number, -LARGEST, LARGEST) for number in numbers)
