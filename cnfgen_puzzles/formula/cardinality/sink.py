"""What a constraint is written to: the part of a `Formula` that an encoding uses, so that encodings need not know formulas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol


class ClauseSink(Protocol):
    """Takes clauses and hands out new auxiliary variables."""

    def auxiliary(self, count: int) -> range:
        """`count` new variables, side by side."""

    def add(self, *literals: int) -> None:
        """One clause."""

    def add_clause(self, literals: Iterable[int], /) -> None:
        """One clause from any iterable of literals."""

    def add_clauses(self, clauses: Iterable[Sequence[int]], /) -> None:
        """Many clauses."""

    def conflict(self, literal: int, others: range, /) -> None:
        """`literal` excludes every literal in `others`: binary clauses, written in bulk."""
