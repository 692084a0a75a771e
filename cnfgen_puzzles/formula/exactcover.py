"""Exact cover problems: a second, solver-free way to say what some formulas say.

Items must be covered exactly once (primary) or at most once (secondary) by options that are chosen; option i is chosen where
the variable `variables[i]` of the formula is true. Where the formula has more to say (a piece that is used two to four times),
`counted` bounds how many of some options are chosen; exact-cover programs do not know such bounds.

The text form is that of Knuth's DLX programs (The Art of Computer Programming 4B, section 7.2.2.1): the first line names the
items, `|` before the secondary ones, then a line an option.

>>> cover = ExactCover(("a", "b"), ("c",), (("a", "c"), ("b",), ("a", "b")), (1, 2, 3))
>>> print(cover.to_dlx(), end="")
a b | c
a c
b
a b
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ExactCover:
    """Items by name (no spaces, no bars), options as sequences of items, and the variable that stands for each option."""

    primary: Sequence[str]
    secondary: Sequence[str]
    options: Sequence[Sequence[str]]
    variables: Sequence[int]
    counted: Sequence[tuple[frozenset[int], int, int | None]] = ()
    """Bounds beyond the items: (variables, least, most) with `most` None for no bound."""

    @property
    def antichain(self) -> bool:
        """Whether certainly no solution is part of another: every option has a primary item, so one more would cover it twice."""
        primary = set(self.primary)
        return all(not primary.isdisjoint(option) for option in self.options)

    def to_dlx(self) -> str:
        """The text that Knuth's programs read."""
        items = [*self.primary, *(("|", *self.secondary) if self.secondary else ())]
        return "\n".join([" ".join(items), *(" ".join(option) for option in self.options), ""])
