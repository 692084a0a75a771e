"""Whole numbers of any size as text: Python refuses to write more than 4300 digits, and counts of models may have more."""

from __future__ import annotations

import math


def digits(number: int) -> str:
    """All decimal digits.

    >>> digits(-12), len(digits(1 << 100_000))
    ('-12', 30103)
    """
    if -(10**18) < number < 10**18:
        return str(number)
    from decimal import Decimal  # takes longer to load than all that is needed for other numbers

    return f"{Decimal(number):f}"


def log10(number: int) -> float:
    """The decimal logarithm of a number above 0, however large.

    >>> log10(1000), round(log10(1 << 100_000))
    (3.0, 30103)
    """
    return math.log10(number)
