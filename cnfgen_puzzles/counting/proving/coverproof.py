"""Refutations of formulas that are exact covers, as LRAT proofs of the search for exact covers (`coversearch`).

In such a formula, each clause of positive literals is an item, and its variables are the options with this item. Clauses of two
negative literals exclude options with a common item. All other clauses, such as the blocking clauses of listed solutions, are
compared with each exact cover that the search finds: one of them must be false, otherwise the cover is a model.

If each piece is used once, clause learning gains little, and the proofs of solvers are long. A third-party program checks the
proof, so errors in this module cannot make a count wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from cnfgen_puzzles.counting.exactcovers import load, new_search
from cnfgen_puzzles.evidence.allmodels import Literals
from cnfgen_puzzles.formula import Cnf

BLOCK = 1 << 20
"""The bytes of proof that the search writes before it returns to the caller."""

Array = np.ndarray[Any, Any]


class CoverFormula:
    """The exact cover in a formula; several proofs share it. `suitable` is False if the formula is something else."""

    def __init__(self, cnf: Cnf):
        self.clauses = cnf.num_clauses
        self.units: list[tuple[int, int]] = []  # literal, number of the clause
        self.others: list[tuple[Literals, int]] = []
        items: list[tuple[Literals, int]] = []
        pairs: list[tuple[int, int, int]] = []
        for number, clause in enumerate(map(tuple, cnf.clauses()), start=1):
            if len(clause) == 1:
                self.units.append((clause[0], number))
            elif clause and min(clause) > 0:
                items.append((clause, number))
            elif len(clause) == 2 and max(clause) < 0:
                pairs.append((-clause[0], -clause[1], number))
            else:
                self.others.append((clause, number))
        self.variables = sorted({variable for clause, _ in items for variable in clause})
        self.option = {variable: option for option, variable in enumerate(self.variables)}
        self.empty = next((number for clause, number in self.others if not clause), 0)
        self.short = {frozenset(map(abs, clause)): number for clause, number in self.others if max(clause, default=1) < 0}
        inside = self.option.keys()
        self.suitable = (
            all(inside >= {one, other} and one != other for one, other, _ in pairs)
            and all(inside >= set(map(abs, clause)) and clause for clause, _ in self.others)
            and all(len(set(clause)) == len(clause) for clause, _ in items)
        )
        if self.empty:
            self.suitable = True
        elif self.suitable:
            self._index([([self.option[v] for v in clause], number) for clause, number in items], pairs)

    def _index(self, items: list[tuple[list[int], int]], pairs: list[tuple[int, int, int]]) -> None:
        """Make the arrays, and compare the pairs with the items."""
        count = len(self.variables)
        ends = np.array([[self.option[one], self.option[other]] for one, other, _ in pairs], np.int64).reshape(-1, 2)
        rows, columns = np.concatenate([ends, ends[:, ::-1]]).T
        order = np.lexsort((columns, rows))
        keys = (rows * count + columns)[order]
        in_items = [np.array(options)[np.stack(np.triu_indices(len(options), 1))] for options, _ in items]
        together = np.concatenate([np.zeros((2, 0), np.int64), *in_items], axis=1)
        shared = np.unique(np.minimum(*together) * count + np.maximum(*together))
        self.suitable = bool(np.isin(shared, keys).all())
        self.items = [options for options, _ in items]
        self.primary = len(items)
        low = np.unique(np.minimum(*ends.T) * count + np.maximum(*ends.T))
        self.items += [[int(key) // count, int(key) % count] for key in np.setdiff1d(low, shared)]  # secondary items
        self.items_of: list[list[int]] = [[] for _ in self.variables]
        for item, options in enumerate(self.items):
            for option in options:
                self.items_of[option].append(item)
        numbers = np.array([number for *_, number in pairs], np.int64)
        pair_at = np.searchsorted(rows[order], np.arange(count + 1))
        self.pairs = pair_at, columns[order], np.concatenate([numbers, numbers])[order]
        self.item_clause = np.array([number for _, number in items], np.int64)

    def pair(self, one: int, other: int) -> int:
        """The number of the clause that excludes one of two options."""
        at, others, numbers = self.pairs
        return int(numbers[at[one] + np.searchsorted(others[at[one] : at[one + 1]], other)])


class CoverProof:
    """The refutation of a formula and a cube. Clauses are numbered as in a file: the formula's, then the cube's units.

    `blocks()` yields the bytes of the proof. Afterwards, `refuted` is True if it is complete. Otherwise, `model` has the true
    variables of a model, or the caller stopped the search.
    """

    def __init__(self, formula: CoverFormula, cube: Sequence[int]):
        self._formula = formula
        self._units = [*formula.units, *((literal, formula.clauses + place) for place, literal in enumerate(cube, start=1))]
        self._number = formula.clauses + len(cube)
        self.refuted = False
        self.model: list[int] | None = None

    def blocks(self, stopped: Callable[[], bool] = lambda: False) -> Iterator[bytes]:
        """The proof in LRAT, as text; calls `stopped` repeatedly."""
        formula, known = self._formula, dict[int, int]()
        if formula.empty:
            self.refuted = True
            yield f"{self._number + 1} 0 {formula.empty} 0\n".encode()
            return
        owner, why = np.full(len(formula.items), -1, np.int64), np.zeros(len(formula.variables), np.int64)
        for literal, number in self._units:
            option = formula.option.get(abs(literal))
            conflict = [known[-literal], number] if -literal in known else []
            if literal > 0 and literal not in known and option is not None and not conflict:
                for item in formula.items_of[option]:
                    if owner[item] >= 0:
                        other = int(owner[item])
                        conflict = [known[formula.variables[other]], number, formula.pair(other, option)]
                    owner[item] = option
            elif literal < 0 and option is not None:
                why[option] = number
            if conflict:
                self.refuted = True
                yield f"{self._number + 1} 0 {' '.join(map(str, conflict))} 0\n".encode()
                return
            known.setdefault(literal, number)
        yield from self._search(known, owner, why, stopped)

    def _search(self, known: dict[int, int], owner: Array, why: Array, stopped: Callable[[], bool]) -> Iterator[bytes]:
        formula, algorithm = self._formula, load()
        taken = (owner >= 0).tolist()
        left = [option for option, items in enumerate(formula.items_of) if not why[option] and not any(taken[i] for i in items)]
        items = [item for item in range(len(formula.items)) if not taken[item]]
        place = {item: number for number, item in enumerate(items)}
        arrays = new_search([[place[item] for item in formula.items_of[option]] for option in left], len(items))
        registers, levels, buffer = arrays[:3]
        registers[algorithm.NUMBER] = self._number
        text = np.zeros(2 * max(BLOCK, 64 * (len(formula.variables) + len(items) + 64)), np.uint8)
        facts = [number for literal, number in known.items() if literal > 0 and literal in formula.option]
        proof = (
            _int64(formula.variables), owner, why, np.zeros(len(why), np.int64), _int64(left), _int64(items),
            *_table(formula.items_of), *map(_int64, formula.pairs), _int64(facts), *_table(formula.items), formula.item_clause,
        )  # fmt: skip
        primary, true = sum(item < formula.primary for item in items), {literal for literal in known if literal > 0}
        while registers[0] >= 0:
            used = algorithm.search(primary, proof, text, *arrays)
            if used:
                chosen = buffer[1:used].tolist()
                clause, number = self._falsified(true | {formula.variables[left[option]] for option in chosen})
                if self.model is not None:
                    return
                excluded = _int64([formula.option[literal] for literal in clause if literal > 0])
                algorithm.write_lemma(len(chosen), registers, levels, proof, text, excluded, number)
            yield text[: registers[algorithm.WRITTEN]].tobytes()
            if registers[0] >= 0 and stopped():
                return
        self.refuted = True

    def _falsified(self, true: set[int]) -> tuple[Literals, int]:
        """The clause that a cover falsifies, and its number; without such a clause, the cover is a `model`."""
        if number := self._formula.short.get(frozenset(true & self._formula.option.keys()), 0):
            return (), number
        for clause, number in self._formula.others:
            if all((abs(literal) in true) == (literal < 0) for literal in clause):
                return clause, number
        self.model = sorted(true)
        return (), 0


def _int64(numbers: Any) -> Array:
    return np.array(numbers, np.int64)


def _table(lists: Sequence[Sequence[int]]) -> tuple[Array, Array]:
    """Lists of numbers as the start of each list and all numbers."""
    return _int64([0, *np.cumsum([len(each) for each in lists])]), _int64([number for each in lists for number in each])
