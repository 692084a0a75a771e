"""Conversion of dataclasses to JSON and back by the types of their fields. Variable maps store puzzles this way by default.

Tuples and sets become lists, mappings become objects. Fields that do not take part in comparisons, and fields with their default
value, are omitted. Reading is strict: each value must have the type of its field (`true` is not a number), no field may be
missing, and unknown fields are errors.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Clues:
...     rows: tuple[tuple[int, ...], ...]
...     title: str = ""
>>> to_json(Clues(((1, 2), ())))
{'rows': [[1, 2], []]}
>>> from_json(Clues, {'rows': [[1, 2], []], 'title': 'Cat'})
Clues(rows=((1, 2), ()), title='Cat')
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Collection, Mapping, Sequence, Set
from functools import cache
from typing import Any


def to_json(value: Any) -> Any:
    """The value as JSON; TypeError if JSON cannot represent it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(part) for f in _kept(type(value)) if (part := getattr(value, f.name)) != _default(f)}
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise TypeError(f"found a mapping with keys that are no text: {value!r:.80}")
        return {key: to_json(part) for key, part in value.items()}
    if isinstance(value, (Set, frozenset)):
        return sorted(to_json(part) for part in value)
    if isinstance(value, (list, tuple)):
        return [to_json(part) for part in value]
    raise TypeError(f"found {type(value).__name__}, expected numbers, texts, tuples, sets, mappings and dataclasses")


def from_json(wanted: Any, entry: Any) -> Any:
    """The value of type `wanted` that `to_json` converted to `entry`; KeyError, TypeError, or ValueError if there is none."""
    if wanted is Any:
        return entry
    if dataclasses.is_dataclass(wanted) and isinstance(wanted, type):
        return _dataclass(wanted, entry)
    origin, inner = typing.get_origin(wanted), typing.get_args(wanted)
    if origin in (typing.Union, types.UnionType):
        return _union(inner, entry)
    if origin is typing.Literal:
        return _exactly(entry in inner, entry, wanted)
    if origin is tuple and inner[-1:] != (...,):
        _exactly(isinstance(entry, list) and len(entry) == len(inner), entry, wanted)
        return tuple(from_json(kind, part) for kind, part in zip(inner, entry, strict=True))
    if origin in (tuple, list, set, frozenset, Sequence, Collection):
        _exactly(isinstance(entry, list), entry, wanted)
        made = tuple if origin in (Sequence, Collection) else origin
        if {*map(type, entry)} == {inner[0]}:  # such as rows of numbers
            return made(entry)
        return made(from_json(inner[0], part) for part in entry)
    if origin in (dict, Mapping):
        _exactly(isinstance(entry, dict), entry, wanted)
        return {from_json(inner[0], key): from_json(inner[1], part) for key, part in entry.items()}
    if wanted is float and type(entry) is int:
        return float(entry)
    return _exactly(type(entry) is (type(None) if wanted is None else wanted), entry, wanted)


def _exactly(holds: bool, entry: Any, wanted: Any) -> Any:
    if not holds:
        raise TypeError(f"found {entry!r:.80}, expected {getattr(wanted, '__name__', wanted)}")
    return entry


def _dataclass(wanted: type, entry: Any) -> Any:
    _exactly(isinstance(entry, dict), entry, wanted)
    fields = {f.name: f for f in _kept(wanted)}
    if unknown := sorted(entry.keys() - fields.keys()):
        raise ValueError(f"found {', '.join(unknown)}, expected only {', '.join(fields)}")
    kinds = _types(wanted)
    given = {name: from_json(kinds[name], part) for name, part in entry.items()}
    for name, f in fields.items():
        if name not in given and _default(f) is dataclasses.MISSING:
            raise KeyError(name)
    return wanted(**given)


def _union(kinds: Sequence[Any], entry: Any) -> Any:
    for kind in kinds:
        try:
            return from_json(kind, entry)
        except (KeyError, TypeError, ValueError):
            continue
    raise TypeError(f"found {entry!r:.80}, expected one of {', '.join(map(str, kinds))}")


@cache
def _types(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _kept(kind: Any) -> list[dataclasses.Field[Any]]:
    return [f for f in dataclasses.fields(kind) if f.compare and f.init]


def _default(f: dataclasses.Field[Any]) -> Any:
    return f.default if f.default_factory is dataclasses.MISSING else f.default_factory()
