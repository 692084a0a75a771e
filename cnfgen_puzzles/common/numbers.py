"""Whole numbers of any size as text, and memory sizes with units: 512MiB, 2GiB, 1.5G."""

from __future__ import annotations

import re

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.lazy import regex


def digits(number: int) -> str:
    """All decimal digits.

    >>> digits(-12), len(digits(1 << 100_000))
    ('-12', 30103)
    """
    if -(10**18) < number < 10**18:
        return str(number)
    from decimal import Decimal  # slow to load, and needed for large numbers only

    return f"{Decimal(number):f}"


SIZE = regex(r"(\d{1,30}(?:\.\d{1,30})?)\s*([KMGT]?)(I?B?)", re.IGNORECASE | re.ASCII)
POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
SHOWN = 40


def parse_size(text: str) -> int:
    """The bytes in `text`: powers of 1024 for 2GiB, 2G, and 2g, of 1000 for 2GB; InputError for other text, and for zero."""
    match = SIZE.fullmatch(text.strip())
    found = repr(text) if len(text) <= SHOWN else f"{text[:SHOWN]!r}..."
    if not match or match[3].upper() == "I":
        raise InputError(f"found the size {found}, expected one such as 512MiB or 2GiB")
    base = 1000 if match[2] and match[3].upper() == "B" else 1024
    size = int(float(match[1]) * base ** POWERS[match[2].upper()])
    if size <= 0:
        raise InputError(f"found the size {found}, expected more than 0")
    return size
