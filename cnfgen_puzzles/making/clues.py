"""Grid puzzles with one solution: a random board, all clues that it allows, then fewer of them.

1. The variables of the formula without clues get random values, in random order, as far as a board allows.
2. If another board obeys the clues, it is taken instead if it allows more clues. Otherwise the genre changes the puzzle such that
that board breaks it, or the search starts again.
3. In random order, each clue is left out if no other board has the rest. A clue that was needed is needed with fewer clues, too.

Only whether there are models decides, never which one a solver finds. So a seed gives the same puzzle everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.grid.layer.constraints import Cut
from cnfgen_puzzles.families.grid.layer.givens import clue_places, sections, without_clues
from cnfgen_puzzles.families.links.pzpr import MOST_SIDE, NONE, Size, widths_of
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, neighbors
from cnfgen_puzzles.making.made import Made, check_solvers, proves_unique
from cnfgen_puzzles.pipeline.api import unique
from cnfgen_puzzles.solving.incremental import IncrementalSolver

SOLVER = "glucose4"
BOARDS, CHANGES = 1_000, 200
"""The most random boards for a puzzle, and the most changes of the clues of one."""
ROOM = 5
"""The mean number of cells in random rooms."""


def minimal_puzzle(genre: Any, width: int, height: int, seed: int) -> Any:
    """A puzzle of this size in which no clue can be left out, with one solution; None if the search finds none."""
    check_solvers()
    if max(width, height) > MOST_SIDE:
        raise InputError(f"found the size {width}x{height}, expected sides of at most {MOST_SIDE} cells")
    size, choice = Size(height, width), SeededChoice(f"{genre.name} {width}x{height}", seed)
    for _ in range(BOARDS):
        blank = genre.prepared(_blank(genre, size, choice), choice)
        board = genre.random_board(blank, choice)
        if board is None:
            with ClueSolver(blank) as solver:
                board = solver.random_board(choice)
        puzzle, cuts = None if board is None else genre.clued(blank, board, choice), list[Cut]()
        for _ in range(CHANGES):
            if puzzle is None or board is None:
                break
            with ClueSolver(puzzle, board, cuts) as solver:
                other, cuts = solver.random_board(choice), solver.cuts
                if other is None:
                    return _reduced(solver, choice)
            more = genre.clued(blank, other, choice)
            if clue_count(more) > clue_count(puzzle):
                puzzle, board = more, other
            else:
                puzzle = genre.changed(puzzle, board, other, choice)
    return None


def clue_job(family: Any, file: str | None, seed: int, *, size: tuple[int, int], solver: str | None, checker: str | None) -> Made:
    """Make a puzzle of this size, and prove that it has one solution; `file` is None."""
    width, height = size
    puzzle = minimal_puzzle(family, width, height, seed)
    if puzzle is None:
        text = f"No puzzle: the search from this seed found none of {width}x{height} cells with one solution."
        return Made(family=family, text=text, entry={"family": family.name, "puzzle": None, "unique": False})
    answer = unique(puzzle, certify=True, solver=solver, checker=checker)
    return Made(
        family=family, text=answer.sentence(), entry=answer.to_json() | {"unique": proves_unique(answer)}, puzzle=puzzle,
        board=answer.board, answer=answer, remark=f", {clue_count(puzzle)} clues, none of which can be left out",
    )  # fmt: skip


def clue_count(puzzle: Any) -> int:
    """The number of clues."""
    return sum(1 for _ in clue_places(puzzle))


def _reduced(solver: ClueSolver, choice: SeededChoice) -> Any:
    """The puzzle of the rules without clues that the others imply."""
    for place in choice.shuffled(list(clue_places(solver.puzzle))):
        if not solver.is_needed(place):
            solver.puzzle = without_clues(solver.puzzle, {place})
            solver.gates.pop(place, None)
    return solver.puzzle


class ClueSolver:
    """The rules of a puzzle in an incremental solver; with a `board`, only other boards are models.

    If the clauses of each clue can be distinguished, its gate, a literal, switches them on. Otherwise there are no `gates`, and a
    puzzle with fewer clues needs another solver, which gets the cuts that are known.
    """

    def __init__(self, puzzle: Any, board: Cells | None = None, cuts: Sequence[Cut] = ()):
        self.puzzle, self.board, self.genre = puzzle, board, puzzle.family
        self.formula, clauses = sections(puzzle)
        places = list(clue_places(puzzle))
        self.gates: dict[Cell, int] = {}
        if clauses[None] == sections(without_clues(puzzle, set(places)))[1][None]:
            self.gates = {place: self.formula.num_variables + k for k, place in enumerate(places, start=1)}
        self.core: set[int] | None = None
        """Gates that allow no other board, so that each clue without one of them can be left out."""
        self.solver = IncrementalSolver(SOLVER)
        for place, of_place in clauses.items():
            gate = [-self.gates[place]] if place in self.gates else []
            self.solver.add_all([*clause, *gate] for clause in of_place)
        self.cuts = [*cuts]
        self.solver.add_all(map(self.formula.clause_of, cuts))

    def __enter__(self) -> ClueSolver:
        return self

    def __exit__(self, *_: object) -> None:
        self.solver.__exit__()

    def solve(self, assumed: Sequence[int] = ()) -> set[int] | None:
        """The true variables of a model in which these literals are true, or None."""
        while self.solver.solve([*assumed, *self.gates.values()]):
            true = {literal for literal in self.solver.model if literal > 0}
            cuts = self.formula.cuts(true)
            self.cuts += cuts
            self.solver.add_all(map(self.formula.clause_of, cuts))
            if not cuts and self.genre.decode(self.puzzle, self.formula.blocks, true) != self.board:
                return true
            if not cuts:
                self.solver.add([-literal if literal in true else literal for literal in self.formula.projection])
        self.core = set(self.solver.core)
        return None

    def random_board(self, choice: SeededChoice) -> Cells | None:
        """A random board: variable by variable the wanted value, or the other one if no board has it with those before."""
        true, fixed = self.solve(), list[int]()
        for variable in choice.shuffled(self.formula.projection) if true is not None else ():
            wanted = variable if choice.random() < self.genre.density else -variable
            assert true is not None
            if (variable in true) != (wanted > 0):
                found = self.solve([*fixed, wanted])
                true, wanted = (true, -wanted) if found is None else (found, wanted)
            fixed.append(wanted)
        return None if true is None else self.genre.decode(self.puzzle, self.formula.blocks, true)

    def is_needed(self, place: Cell) -> bool:
        """Whether there is another board without this clue."""
        if not self.gates:
            with ClueSolver(without_clues(self.puzzle, {place}), self.board, self.cuts) as fewer:
                found = fewer.solve()
                self.cuts = fewer.cuts
            return found is not None
        gate = self.gates.pop(place)
        needed = (self.core is None or gate in self.core) and self.solve() is not None
        self.gates[place] = gate
        return needed


def _blank(genre: Any, size: Size, choice: SeededChoice) -> Any:
    """A puzzle without clues, with random rooms if it has rooms."""
    parts: dict[str, Any] = {}
    for field in (codec.field for codec in genre.url):
        none: Any = () if field == "lists" else NONE
        parts[field] = tuple((none,) * width for width in widths_of(field, size))
    if "rooms" in parts:
        parts["rooms"] = random_rooms(size, choice)
    return genre.puzzle(*size, **parts)


def random_rooms(size: Size, choice: SeededChoice) -> tuple[tuple[int, ...], ...]:
    """Rooms that grow from random cells, always the smallest one that can."""
    cells = choice.shuffled([(r, c) for r in range(size.height) for c in range(size.width)])
    rooms = [[cell] for cell in cells[: max(1, len(cells) // ROOM)]]
    free = set(cells[len(rooms) :])
    while free:
        edges = (
            (room, sorted(free.intersection(other for cell in room for other in neighbors(cell))))
            for room in sorted(rooms, key=len)
        )
        room, edge = next((room, edge) for room, edge in edges if edge)
        room.append(choice.chosen(edge))
        free.remove(room[-1])
    number = {cell: k for k, room in enumerate(sorted(map(sorted, rooms))) for cell in room}
    return size.rows([number[cell] for cell in sorted(number)])
