"""Named blocks of variables and how their keys map to numbers.

A block is a run of consecutive variables with a name and an index: `cell[r, c]`, `start[line, block, position]`,
`place[piece, orientation, row, column]`. The index is one of three shapes, each of which JSON can carry:

* `GridIndex((h, w))`: every key with 0 <= r < h and 0 <= c < w, the last number running fastest;
* `RaggedIndex({(0, 0): 4, (0, 1): 4})`: keys (0, 0, 0..3), then (0, 1, 0..3): the last number runs from 0 below each prefix;
* `KeyIndex([(0, 1), (3, 7)])`: just these keys, in this order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from operator import itemgetter
from typing import Any, Protocol

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.readers.strictjson import member, type_told, whole

Key = tuple[int, ...]
LARGEST = 2**31 - 1
MOST_SIDES = 32


class Index(Protocol):
    """A bijection between the keys of a block and 0 .. size-1."""

    @property
    def size(self) -> int:
        """How many keys there are."""

    def offset(self, key: Key) -> int:
        """The place of `key`; KeyError if the block has no such key."""

    def key(self, offset: int) -> Key:
        """The key at a place."""

    def keys(self) -> Iterator[Key]:
        """All keys in the order of their variables."""

    def below(self, prefix: Key) -> range:
        """The offsets of the keys that extend `prefix`, which must lie side by side."""

    def to_json(self) -> dict[str, Any]:
        """One entry: the kind of index and what it needs."""


@dataclass(frozen=True)
class GridIndex:
    """All keys of a box."""

    shape: Key

    @property
    def size(self) -> int:
        return prod(self.shape)

    def offset(self, key: Key) -> int:
        if len(key) != len(self.shape) or not all(0 <= k < side for k, side in zip(key, self.shape, strict=True)):
            raise KeyError(key)
        return self.below(key).start

    def key(self, offset: int) -> Key:
        key = []
        for side in reversed(self.shape):
            offset, k = divmod(offset, side)
            key.append(k)
        return tuple(reversed(key))

    def keys(self) -> Iterator[Key]:
        return product(*map(range, self.shape)) if self.size else iter(())

    def below(self, prefix: Key) -> range:
        first = 0
        for k, side in zip(prefix, self.shape, strict=False):
            first = first * side + k
        rest = prod(self.shape[len(prefix) :])
        return range(first * rest, (first + 1) * rest)

    def to_json(self) -> dict[str, Any]:
        return {"grid": list(self.shape)}


@dataclass(frozen=True)
class RaggedIndex:
    """Below each prefix a run 0 .. length-1 of the last number; prefixes in the order given."""

    lengths: Mapping[Key, int]
    _starts: dict[Key, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts, total = {}, 0
        for prefix, length in self.lengths.items():
            starts[prefix] = total
            total += length
        object.__setattr__(self, "_starts", starts)

    @property
    def size(self) -> int:
        return sum(self.lengths.values())

    def offset(self, key: Key) -> int:
        run = self.below(key[:-1])
        if not 0 <= key[-1] < len(run):
            raise KeyError(key)
        return run.start + key[-1]

    def key(self, offset: int) -> Key:
        runs = list(self._starts.items())
        prefix, start = runs[bisect_right(runs, offset, key=itemgetter(1)) - 1]
        return (*prefix, offset - start)

    def keys(self) -> Iterator[Key]:
        return ((*prefix, last) for prefix, length in self.lengths.items() for last in range(length))

    def below(self, prefix: Key) -> range:
        start = self._starts[prefix]
        return range(start, start + self.lengths[prefix])

    def to_json(self) -> dict[str, Any]:
        return {"ragged": [[*prefix, length] for prefix, length in self.lengths.items()]}


@dataclass(frozen=True)
class KeyIndex:
    """Just the keys of a list."""

    listed: tuple[Key, ...]
    _offsets: dict[Key, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_offsets", {key: place for place, key in enumerate(self.listed)})
        if len(self._offsets) != len(self.listed):
            raise ValueError("a key stands twice in the list")

    @property
    def size(self) -> int:
        return len(self.listed)

    def offset(self, key: Key) -> int:
        return self._offsets[key]

    def key(self, offset: int) -> Key:
        return self.listed[offset]

    def keys(self) -> Iterator[Key]:
        return iter(self.listed)

    def below(self, prefix: Key) -> range:
        places = [place for place, key in enumerate(self.listed) if key[: len(prefix)] == prefix]
        if places and places[-1] - places[0] + 1 != len(places):
            raise KeyError(prefix)
        return range(places[0], places[-1] + 1) if places else range(0)

    def to_json(self) -> dict[str, Any]:
        return {"keys": [list(key) for key in self.listed]}


@dataclass(frozen=True)
class Block:
    """A named run of variables `first .. first + count - 1`; `auxiliary` ones say nothing of the board by themselves."""

    name: str
    first: int
    index: Index
    auxiliary: bool = False

    def __repr__(self) -> str:
        kind = "auxiliary variables" if self.auxiliary else "variables"
        last = self.first + self.count - 1
        return showing.in_brackets("Block", self.name, f"{kind} {self.first}..{last}" if self.count else f"no {kind}")

    @property
    def count(self) -> int:
        return self.index.size

    @property
    def variables(self) -> range:
        return range(self.first, self.first + self.count)

    def __getitem__(self, key: int | Key) -> int:
        """The variable of a key, as in `cell[r, c]`; KeyError if there is none."""
        return self.first + self.index.offset(key if isinstance(key, tuple) else (key,))

    def key(self, variable: int) -> Key:
        """The key of one of the block's variables."""
        return self.index.key(variable - self.first)

    def below(self, *prefix: int) -> range:
        """The variables whose keys begin with `prefix`: `cell.below(r)` is row r."""
        offsets = self.index.below(prefix)
        return range(self.first + offsets.start, self.first + offsets.stop)

    def items(self) -> Iterable[tuple[Key, int]]:
        """Pairs of key and variable."""
        return zip(self.index.keys(), self.variables, strict=True)

    def to_json(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"name": self.name, "first": self.first, "count": self.count} | self.index.to_json()
        return entry | {"auxiliary": True} if self.auxiliary else entry


def block_from_json(entry: Mapping[str, Any], variables: int = LARGEST) -> Block:
    """The block that `Block.to_json` described, of a formula with so many variables.

    KeyError, TypeError or ValueError if the entry does not describe one; nothing is made of it that is larger than itself.
    """
    index: Index
    match entry:
        case {"grid": list(shape)}:
            if len(shape) > MOST_SIDES:
                raise ValueError(f"block of {len(shape)} dimensions, expected at most {MOST_SIDES}")
            index = GridIndex(tuple(whole(side, 0, LARGEST) for side in shape))
        case {"ragged": list(runs)}:
            lengths = {_key(run[:-1]): whole(run[-1], 0, variables) for run in runs}
            if len(lengths) < len(runs):
                raise ValueError("block with a prefix that stands twice in its list")
            index = RaggedIndex(lengths)
        case {"keys": list(keys)}:
            index = KeyIndex(tuple(map(_key, keys)))
        case _:
            raise ValueError("block without an index, expected one of grid, ragged, keys")
    auxiliary = "auxiliary" in entry and member(entry, "auxiliary", bool)
    block = Block(member(entry, "name", str), whole(entry["first"], 1, variables + 1), index, auxiliary)
    if block.count != member(entry, "count", int):
        raise ValueError(f"block {block.name[:40]!r} whose count is not that of its index, {block.count}")
    if block.variables.stop > variables + 1:
        raise ValueError(f"block {block.name[:40]!r} beyond the {variables} variables of the formula")
    return block


def _key(numbers: Any) -> Key:
    if not isinstance(numbers, list):
        raise TypeError(f"found {type_told(numbers)}, expected an array of whole numbers")
    return tuple(whole(number, -LARGEST, LARGEST) for number in numbers)
