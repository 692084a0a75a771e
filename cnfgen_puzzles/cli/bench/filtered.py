"""By what filter results were read, in names of files and in captions."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST = 80
"""Characters of a filter in a file's name."""


def filter_mark(filters: Iterable[str]) -> str:
    """What tells a file of filtered results from that of all: `.family=nonogram.solver=kissat`; nothing without filters.

    >>> filter_mark(["family=nonogram", "solver!=mini*"]), filter_mark([])
    ('.family=nonogram.solver!=mini_', '')
    """
    mark = "".join("." + re.sub(r"[^\w=!,+-]+", "_", text) for text in sorted(filters))
    return mark if len(mark) <= LONGEST else f"{mark[: LONGEST - 9]}.{_number(mark)}"


def _number(text: str) -> str:
    import zlib

    return f"{zlib.crc32(text.encode()):08x}"


def filter_told(filters: Iterable[str]) -> str:
    """What the caption says of it."""
    told = ", ".join(filters)
    return f"Only runs with {told}." if told else ""
