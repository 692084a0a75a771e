"""Exact cover problems that are equivalent to some formulas, for enumeration without a SAT solver.

The chosen options must cover each primary item exactly once and each secondary item at most once; option i is chosen if the
variable `variables[i]` of the formula is true. For other constraints (a piece that is used two to four times), `counted` bounds
the number of chosen options; exact-cover programs do not support such bounds.

>>> cover = ExactCover(("a", "b"), ("c",), (("a", "c"), ("b",), ("a", "b")), (1, 2, 3))
>>> cover.antichain
True
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class ExactCover(NamedTuple):
    """Items by name (no spaces, no bars), options as sequences of items, and the variable of each option."""

    primary: Sequence[str]
    secondary: Sequence[str]
    options: Sequence[Sequence[str]]
    variables: Sequence[int]
    counted: Sequence[tuple[frozenset[int], int, int | None]] = ()
    """Additional bounds: (variables, least, most), with `most` None for no bound."""

    @property
    def antichain(self) -> bool:
        """Whether no solution can be a part of another: each option has a primary item, which another option would cover
        twice."""
        primary = set(self.primary)
        return all(not primary.isdisjoint(option) for option in self.options)
