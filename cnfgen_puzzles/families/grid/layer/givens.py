"""The clues of a puzzle, the given numbers of a puzzle of numbers, and the values of a half-filled board, for finding those that
contradict."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from cnfgen_puzzles.families.capabilities import Given, Givens
from cnfgen_puzzles.families.grid.layer.boards import at
from cnfgen_puzzles.families.grid.layer.connectivity import LAZY
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.genre import formula_of
from cnfgen_puzzles.families.links.pzpr import UNKNOWN
from cnfgen_puzzles.families.squares import Cell
from cnfgen_puzzles.formula import Block, Cnf

Sections = dict[tuple[int, ...] | None, list[list[int]]]
CIRCLES = {1: "a white circle", 2: "a black circle"}


def clue_places(puzzle: Any) -> Iterator[Cell]:
    """The places of the clues that can be left out."""
    genre = puzzle.family
    return (place for place, clue in puzzle.given(genre.clue_field) if clue != genre.without)


def without_clues(puzzle: Any, places: Collection[tuple[int, ...]]) -> Any:
    """The puzzle without the clues at some places."""
    genre = puzzle.family
    rows = enumerate(getattr(puzzle, genre.clue_field))
    kept = tuple(tuple(genre.without if (r, c) in places else clue for c, clue in enumerate(row)) for r, row in rows)
    return replace(puzzle, **{genre.clue_field: kept})


def sections(puzzle: Any, encoding: str = LAZY) -> tuple[GridFormula, Sections]:
    """The formula without cuts, and the clauses of each clue that can be distinguished; None stands for all others."""
    formula = formula_of(puzzle, encoding)
    clauses, found = list(formula.clauses()), Sections({None: []})
    for (start, place), (end, _) in pairwise([(0, None), *formula.starts, (len(clauses), None)]):
        found.setdefault(place, []).extend(clauses[start:end])
    return formula, found


class GridGivens(Givens):
    """The clues of a puzzle, or the values of its half-filled board, if it has one."""

    def of(self, puzzle: Any) -> Givens:
        return KNOWN if puzzle.known else self

    @abstractmethod
    def places(self, puzzle: Any) -> Sequence[tuple[int, ...]]:
        """The places of the givens."""

    def count(self, puzzle: Any) -> int:
        return len(self.places(puzzle))

    def only(self, puzzle: Any, numbers: Collection[int]) -> Any:
        return without_clues(puzzle, {place for k, place in enumerate(self.places(puzzle)) if k not in numbers})

    def selecting(self, puzzle: Any, encoding: str) -> Cnf | None:
        formula, clauses = sections(puzzle, encoding)
        selectors = {place: k for k, place in enumerate(self.places(puzzle), start=formula.num_variables + 1)}
        rest = {place: of_place for place, of_place in clauses.items() if place not in selectors}
        if sections(self.only(puzzle, ()), encoding)[1] != rest:
            return None
        found = Cnf(formula.num_variables + len(selectors), formula.num_clauses, formula.literals[:0])
        for place, of_place in clauses.items():
            for clause in of_place:
                found.literals.extend([*clause, *([-selectors[place]] if place in selectors else []), 0])
        return found


class KnownValues(GridGivens):
    """The values of a half-filled board."""

    name = "known value"
    rest = "clues"

    def places(self, puzzle: Any) -> Sequence[tuple[int, ...]]:
        return list(puzzle.parts)

    def entries(self, puzzle: Any, blocks: Mapping[str, Block]) -> Sequence[Given]:
        names = ("row", "column", "to_row", "to_column")
        return [
            Given(
                puzzle.family.part_words(puzzle, place, value),
                {name: n + 1 for name, n in zip(names, place, strict=False)} | {"value": value},
                (),
            )
            for place, value in puzzle.parts.items()
        ]

    def only(self, puzzle: Any, numbers: Collection[int]) -> Any:
        return replace(puzzle, known=tuple(part for k, part in enumerate(puzzle.known) if k in numbers))

    def boards(self, puzzle: Any, numbers: Collection[int]) -> Sequence[Any]:
        return () if puzzle.family.kind == "division" else super().boards(puzzle, numbers)

    def remark(self, puzzle: Any) -> str:
        if not puzzle.known:
            return ""
        genre = puzzle.family
        broken = genre.broken(puzzle, genre.board_of(puzzle, puzzle.parts), puzzle.parts)
        if not broken:
            return "The half-filled board is a solution: with all unknown values empty, it breaks no rule."
        rules = "this rule" if len(broken) == 1 else f"these {len(broken)} rules"
        heading = f"With all unknown values empty, the half-filled board breaks {rules}:"
        return "\n".join([heading, *(f"  {fault}" for fault in broken.values())])


class GivenClues(GridGivens):
    """The clues of a genre in its `clue_field`. In some genres, other clauses depend on them: then there is a formula for each
    selection of clues."""

    name = "clue"
    rest = "rules"

    def places(self, puzzle: Any) -> Sequence[tuple[int, ...]]:
        return list(clue_places(puzzle))

    def entries(self, puzzle: Any, blocks: Mapping[str, Block]) -> Sequence[Given]:
        clues = dict(puzzle.given(puzzle.family.clue_field))
        return [self._entry(puzzle.family, place, clues[place]) for place in clue_places(puzzle)]

    def _entry(self, genre: Any, place: Cell, clue: Any) -> Given:
        r, c = place
        numbers = [clue] if isinstance(clue, int) else list(clue)
        words = " ".join("?" if number == UNKNOWN else str(number) for number in numbers)
        words = CIRCLES.get(clue, words) if genre.circles else words
        words = genre.signs.get(clue, words) if genre.clue_field == "numbers" else words
        if genre.clue_field == "corners":
            return Given(
                f"the corner after row {r}, column {c} is {words}", {"after_row": r, "after_column": c, "clue": clue}, ()
            )
        if genre.clue_field == "outside":
            side, line = ("above", "below", "left of", "right of")[r], ("column", "row")[r > 1]
            return Given(f"the number {side} {line} {c + 1} is {words}", {"side": side.split()[0], line: c + 1, "clue": clue}, ())
        return Given(f"{at(place)} is {words}", {"row": r + 1, "column": c + 1, "clue": clue}, ())

    def boards(self, puzzle: Any, numbers: Collection[int]) -> Sequence[Any]:
        places = {place for k, place in enumerate(clue_places(puzzle)) if k in numbers}
        field, empty = puzzle.family.clue_field, getattr(puzzle.family, "states", (0,))[0]
        blank = puzzle.corners if field == "corners" else puzzle.family.blank(puzzle)
        marked = (tuple(empty if (r, c) in places else None for c in range(len(row))) for r, row in enumerate(blank))
        return () if field == "outside" else (tuple(marked), tuple((None,) * len(row) for row in blank))


class GivenNumbers(GridGivens):
    """The given numbers, row by row. The literals of a number that its cell cannot have contradict each other."""

    name = "given number"
    rest = "rules"

    def places(self, puzzle: Any) -> Sequence[tuple[int, ...]]:
        return [cell for cell, _ in puzzle.clues()]

    def entries(self, puzzle: Any, blocks: Mapping[str, Block]) -> Sequence[Given]:
        number = blocks["number"]
        never = (number.variables[0], -number.variables[0])
        found, variables = dict(puzzle.clues()), dict(zip(map(tuple, number.keys()), number.variables, strict=True))
        return [
            Given(
                f"{at((r, c))} is {value}",
                {"row": r + 1, "column": c + 1, "number": value},
                (variables[r, c, value],) if (r, c, value) in variables else never,
            )
            for (r, c), value in found.items()
        ]

    def selecting(self, puzzle: Any, encoding: str) -> None:
        return None


CLUES, GIVENS, KNOWN = GivenClues(), GivenNumbers(), KnownValues()
