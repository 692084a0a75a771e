"""Records as rows of a table: nested objects as dotted names, and columns of one kind each. Not here: files (`export.py`)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from cnfgen_puzzles.bench.record import FIELDS, Record


def flat(record: Record) -> Record:
    """Nested objects as dotted names, lists as JSON; an empty object is left out.

    >>> flat({"status": "TIMEOUT", "limits": {"cpu": 5, "memory": None}, "cores": [0, 1]})
    {'status': 'TIMEOUT', 'limits.cpu': 5, 'limits.memory': None, 'cores': '[0, 1]'}
    """
    row: Record = {}
    for name, value in record.items():
        if name == "board":  # one value, whatever its shape
            row[name] = None if value is None else json.dumps(value, ensure_ascii=False)
        elif isinstance(value, dict):
            for inner, part in flat(value).items() if value else ():
                row[f"{name}.{inner}"] = part
        elif isinstance(value, (list, tuple)):
            row[name] = json.dumps(value, ensure_ascii=False)
        else:
            row[name] = value
    return row


def in_order(names: Iterable[str]) -> list[str]:
    places = {name: place for place, name in enumerate(FIELDS)}
    return sorted(names, key=lambda name: places.get(name.partition(".")[0], len(places)))


def common_kind(kinds: set[type]) -> type:
    """The kind that all values of a column have: whole numbers among others are numbers, all that is mixed is text."""
    kinds = kinds - {type(None)}
    if kinds == {int, float}:
        return float
    return min(kinds, key=str) if len(kinds) == 1 and kinds <= {bool, int, float, str} else str


def of_kind(kind: type, value: Any) -> Any:
    if value is None or kind is not str:
        return value if value is None else kind(value)
    return str(plain(value)).encode("utf-8", "backslashreplace").decode()  # a file's name may be any bytes


def plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value
