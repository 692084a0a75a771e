"""The formula that a family builds: clauses and cardinality constraints over named blocks of variables.

>>> formula = Formula()
>>> cell = formula.grid("cell", 2, 2)
>>> formula.add(cell[0, 0], -cell[1, 1])
>>> formula.at_most_one(cell.below(0), encoding="pairwise")
>>> formula.projection = cell.variables
>>> list(formula.clauses())
[[1, -4], [-1, -2]]
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.formula.blocks import Block, GridBlock, Key, KeyBlock, RaggedBlock
from cnfgen_puzzles.formula.cardinality import (
    AT_MOST_K,
    AT_MOST_ONE,
    DEFAULT,
    DEFAULT_K,
    CardinalityEncoding,
    distinct,
    find_encoding,
    settled,
)
from cnfgen_puzzles.formula.cnf import Cnf

AUXILIARY = "aux"
TRUE = 1 << 40
FALSE = -TRUE
"""Constants among literals, for `Formula.add_folded`; `-TRUE` is FALSE. No variable has such a number."""

_NATIVE: ContextVar[bool] = ContextVar("native", default=False)


@contextmanager
def native_cardinality() -> Iterator[None]:
    """Formulas that are made in this block store cardinality constraints in `bounds` and write no clauses for them."""
    before = _NATIVE.set(True)
    try:
        yield
    finally:
        _NATIVE.reset(before)


class Bound(NamedTuple):
    """At most `most` of the literals are true and, unless it is None, at least `least`; each occurrence counts."""

    literals: array[int]
    least: int | None
    most: int


@dataclass(eq=False, repr=False)
class Formula(Cnf):
    """A CNF whose variables have names. InputError if a block exceeds the limit of variables (or literals).

    `projection` holds the variables that determine the board: two models that agree on it are the same solution.
    `up_to` is empty if every solution of the puzzle is a model of the formula. Otherwise it names the symmetries that map each
    omitted solution to a model (`up to the 8 symmetries of board and pieces`). `bounds` is None in a CNF; in a formula that was
    made under `native_cardinality` it holds the cardinality constraints. `partial` is empty if every model is a solution;
    otherwise it says what the formula has of the constraints that are added lazily (`5 cuts`).
    """

    blocks: dict[str, Block] = field(default_factory=dict)
    projection: Sequence[int] = ()
    up_to: str = ""
    partial: str = ""
    bounds: list[Bound] | None = field(default_factory=lambda: [] if _NATIVE.get() else None)

    def facts(self) -> list[str]:
        return [*super().facts(), f"blocks {', '.join(self.blocks)}" if self.blocks else ""]

    # -- variables ----------------------------------------------------------------------------------------------

    def grid(self, name: str, *shape: int) -> Block:
        """A new block with a variable for every key below `shape`: `cell = grid("cell", height, width)`."""
        return self._add_block(GridBlock(name, self.num_variables + 1, shape))

    def ragged(self, name: str, lengths: Mapping[Key, int]) -> Block:
        """A new block with keys `(*prefix, 0 .. length-1)` for every prefix in `lengths`."""
        return self._add_block(RaggedBlock(name, self.num_variables + 1, lengths))

    def keyed(self, name: str, keys: Iterable[Key]) -> Block:
        """A new block with exactly these keys."""
        return self._add_block(KeyBlock(name, self.num_variables + 1, tuple(keys)))

    def auxiliary(self, count: int) -> range:
        """`count` new auxiliary variables with consecutive numbers."""
        last = next(reversed(self.blocks.values()), None)
        if isinstance(last, GridBlock) and last.auxiliary and last.name.startswith(AUXILIARY):
            self.blocks[last.name] = GridBlock(last.name, last.first, (last.count + count,), auxiliary=True)
        else:
            number = sum(block.auxiliary for block in self.blocks.values())
            name = AUXILIARY if not number else f"{AUXILIARY}{number + 1}"
            self.blocks[name] = GridBlock(name, self.num_variables + 1, (count,), auxiliary=True)
        self.num_variables += count
        return range(self.num_variables - count + 1, self.num_variables + 1)

    def _add_block(self, block: Block) -> Block:
        if block.name in self.blocks:
            raise ValueError(f"the formula already has a block {block.name!r}")
        checked_amount("variables", self.num_variables + block.count)
        checked_amount("literals", len(self.literals))
        self.blocks[block.name] = block
        self.num_variables += block.count
        return block

    # -- clauses ------------------------------------------------------------------------------------------------

    def add(self, *literals: int) -> None:
        """One clause; `add()` is the empty clause, which is false."""
        self.literals.extend((*literals, 0))
        self.num_clauses += 1

    def add_clause(self, literals: Iterable[int]) -> None:
        """One clause from any iterable of literals."""
        self.literals.extend(literals)
        self.literals.append(0)
        self.num_clauses += 1

    def add_clauses(self, clauses: Iterable[Sequence[int]]) -> None:
        """Many clauses, each a sequence of literals."""
        for clause in clauses:
            self.add_clause(clause)

    def add_ended(self, literals: Sequence[int]) -> None:
        """Many clauses in bulk, each with a 0 at its end."""
        self.literals.extend(literals)
        self.num_clauses += literals.count(0)

    def add_folded(self, *literals: int) -> None:
        """One clause whose literals may include the constants TRUE and FALSE, which are simplified away."""
        if TRUE not in literals:
            self.literals.extend([literal for literal in literals if literal != FALSE])
            self.literals.append(0)
            self.num_clauses += 1

    def add_binary(self, left: array[int], right: array[int]) -> None:
        """Many binary clauses in bulk: each literal in `left` with the one at the same place in `right`."""
        clauses = array("i", (0,)) * (3 * len(left))
        clauses[0::3], clauses[1::3] = left, right
        self.literals.extend(clauses)
        self.num_clauses += len(left)

    def implies_each(self, literal: int, consequents: Sequence[int]) -> None:
        """`literal` implies every literal in `consequents`: len(consequents) binary clauses, written in bulk."""
        self.add_binary(array("i", (-literal,)) * len(consequents), array("i", consequents))

    # -- cardinality constraints: see `cardinality.py` --------------------------------------------------------------------

    def at_most_one(self, literals: Iterable[int], encoding: str = DEFAULT) -> None:
        """At most one of `literals` is true."""
        self._bound(AT_MOST_ONE, encoding, literals, None, 1)

    def exactly_one(self, literals: Iterable[int], encoding: str = DEFAULT) -> None:
        """Exactly one of `literals` is true."""
        self._bound(AT_MOST_ONE, encoding, literals, 1, 1)

    def at_most_k(self, literals: Iterable[int], k: int, encoding: str = DEFAULT_K) -> None:
        """At most `k` of `literals` are true; for k < 0 the empty clause."""
        self._bound(AT_MOST_K, encoding, literals, None, k)

    def at_least_k(self, literals: Iterable[int], k: int, encoding: str = DEFAULT_K) -> None:
        """At least `k` of n `literals` are true: at most n - k of their negations; for k > n the empty clause."""
        negations = [-literal for literal in literals]
        self.at_most_k(negations, len(negations) - k, encoding)

    def exactly_k(self, literals: Iterable[int], k: int, encoding: str = DEFAULT_K) -> None:
        """Exactly `k` of `literals` are true; for k < 0 and for k > n the empty clause."""
        self._bound(AT_MOST_K, encoding, literals, k, k)

    def _bound(
        self, table: Mapping[str, CardinalityEncoding], name: str, literals: Iterable[int], least: int | None, most: int
    ) -> None:
        """At most `most` of the literals are true; exactly so many if `least` is not None."""
        chosen = find_encoding(table, name)
        if self.keep_bound(literals, least, most):
            return
        remaining, k = distinct(self, literals, most)
        if settled(self, remaining, 0 if least is None else k, k):
            return
        bound = () if table is AT_MOST_ONE else (k,)
        if least is None:
            chosen.at_most(self, remaining, *bound)
        elif chosen.exactly:
            chosen.exactly(self, remaining, *bound)
        elif table is AT_MOST_ONE:
            self.add_clause(remaining)
            chosen.at_most(self, remaining)
        else:
            self.at_most_k(remaining, k, name)
            self.at_least_k(remaining, k, name)

    def keep_bound(self, literals: Iterable[int], least: int | None, most: int) -> bool:
        """Whether the constraint was stored as such, so that no clauses are needed."""
        if self.bounds is None:
            return False
        bound = Bound(array("i", literals), least, most)
        if most < len(bound.literals) or (least or 0) > 0:
            self.bounds.append(bound)
        return True
