"""The puzzle: one string of moves that fits a pattern and solves every maze of a set.

`Mazes` is a set of mazes of one kind and size that checks strings by bit-parallel simulation. For every cell, bit i of an integer
is set if the walk in maze i is at this cell; for every cell and direction, bit i of another integer is set if the move is
possible in maze i. A move in all mazes then takes a few operations on integers with one bit for each maze:

* `mazes.unsolved(string)`: the numbers (from 0) of the mazes that a string does not solve, in the order of the set;
* `mazes.begin()`, `mazes.advance(walks, letters)`, `mazes.open_bits(walks)`: the same step by step, for searches;
* `mazes[i]`, iteration, `len`; `mazes.chosen(numbers)` is a subset in the given order.

`check_string` checks the rules, independently of every encoding; `symmetries` are the symmetries of the grid that map mazes and
pattern to themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.capabilities import Symmetry
from cnfgen_puzzles.families.family import Puzzle
from cnfgen_puzzles.families.maze.model import BLOCKED, DIRECTIONS, LETTERS, THIN, Grid, GridSymmetry, Maze, maze_text, members
from cnfgen_puzzles.formula import Block

FREE = "*"
ALIASES = {"U": "N", "R": "E", "D": "S", "L": "W"}
"""Other letters for the directions: up, right, down, left."""

MAX_LENGTH = 10_000
"""The longest pattern that is read."""


SHOWN_FAULTS = 20
LAST = 6
"""The number of mazes that a string solves last and that are shown."""

Entry = tuple[int, int]
"""`open` and `start` of a maze."""


Origin = tuple[tuple[str, ...], int | None]
"""The origin of a set: the mazes of the grid that remain after these reductions, or so many of the first of them."""


Walks = tuple[tuple[int, ...], tuple[int, ...]]
"""The walks in all mazes: for each cell, the mazes whose walk is in it, and those whose walk visited it."""


@dataclass(frozen=True)
class Mazes:
    """Mazes of one kind on one grid. `origin` is None for listed mazes."""

    kind: str
    grid: Grid
    entries: tuple[Entry, ...]
    origin: Origin | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, number: int) -> Maze:  # slices: see `chosen`
        return Maze(self.kind, self.grid, *self.entries[number])

    def __iter__(self) -> Iterator[Maze]:
        return (Maze(self.kind, self.grid, *entry) for entry in self.entries)

    def chosen(self, numbers: Iterable[int]) -> Mazes:
        """The mazes with these numbers, in this order."""
        return Mazes(self.kind, self.grid, tuple(self.entries[number] for number in numbers))

    def first(self, count: int) -> Mazes:
        """The first `count` mazes."""
        origin = self.origin and (self.origin[0], count)
        return Mazes(self.kind, self.grid, self.entries[:count], origin)

    # -- simulation -----------------------------------------------------------------------------------------------------

    def unsolved(self, string: str) -> list[int]:
        """The numbers of the mazes that the string does not solve."""
        return list(members(self.open_bits(self.advance(self.begin(), string))))

    def begin(self) -> Walks:
        """All walks at their starts."""
        return self._starts, self._starts

    def advance(self, walks: Walks, letters: str) -> Walks:
        """The walks after these letters."""
        at, visited = map(list, walks)
        for letter in letters:
            sources, passes, targets = self.passages[LETTERS.index(letter)]
            going = [at[source] & passing for source, passing in zip(sources, passes, strict=True)]
            for source, leaving in zip(sources, going, strict=True):
                at[source] ^= leaving
            for target, coming in zip(targets, going, strict=True):
                at[target] |= coming
                visited[target] |= coming
        return tuple(at), tuple(visited)

    def open_bits(self, walks: Walks) -> int:
        """The set of mazes (bit i is maze i) that these walks have not solved."""
        unsolved = 0
        for must, visited in zip(self.must_bits, walks[1], strict=True):
            unsolved |= must & ~visited
        return unsolved

    def solved_after(self, string: str) -> list[int]:
        """For each maze, the number of letters after which it is solved; -1 for a maze that the string does not solve."""
        steps = [-1] * len(self)
        walks = self.begin()
        still_open = self._everything
        for count, letter in enumerate(["", *string]):
            walks = self.advance(walks, letter)
            open_now = self.open_bits(walks)
            for number in members(still_open & ~open_now):
                steps[number] = count
            still_open = open_now
        return steps

    # -- sets of mazes as bits ------------------------------------------------------------------------------------------

    @property
    def _everything(self) -> int:
        return (1 << len(self)) - 1

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        starts = [start for _, start in self.entries]
        used = set(starts)
        return tuple(_bits(start == cell for start in starts) if cell in used else 0 for cell in range(self.grid.cells))

    @cached_property
    def passages(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], ...]:
        """For each direction: the cells with a neighbor, the sets of mazes in which the move is possible, and the neighbors."""
        places = len(self.grid.edges) if self.kind == THIN else self.grid.cells
        opens = [open for open, _ in self.entries]
        is_open = [_bits(open >> place & 1 for open in opens) for place in range(places)]
        found = []
        for direction in DIRECTIONS:
            sources, passes, targets = [], [], []
            for cell in range(self.grid.cells):
                other = self.grid.neighbours[cell][direction]
                if other is not None:
                    sources.append(cell)
                    targets.append(other)
                    passes.append(
                        is_open[self.grid.edge_number[cell, other]] if self.kind == THIN else is_open[cell] & is_open[other]
                    )
            found.append((tuple(sources), tuple(passes), tuple(targets)))
        return tuple(found)

    @cached_property
    def must_bits(self) -> tuple[int, ...]:
        """For each cell, the mazes in which the walk must visit it."""
        if self.kind == THIN:
            return self._layers[-1]
        return (*(0 for _ in range(self.grid.cells - 1)), self._everything)

    @cached_property
    def _layers(self) -> list[tuple[int, ...]]:
        """For each number of moves and each cell, the mazes in which at most this many moves reach it; in the last entry, any
        number."""
        found = [self._starts]
        while True:
            reached = list(found[-1])
            for sources, passes, targets in self.passages:
                for source, passing, target in zip(sources, passes, targets, strict=True):
                    reached[target] |= found[-1][source] & passing
            if tuple(reached) == found[-1]:
                return found
            found.append(tuple(reached))

    def hardest(self) -> tuple[int, int | None]:
        """The maze with the largest lower bound on the length of a string, and this bound.

        The bound of a blocked maze is the distance to its goal, None without a path; of a thin maze, the number of cells to visit
        minus 1.
        """
        if self.kind == THIN:
            counts = [0] * len(self)
            for bits in self.must_bits:
                for number in members(bits):
                    counts[number] += 1
            number = max(range(len(self)), key=counts.__getitem__)
            return number, counts[number] - 1
        for distance in range(len(self._layers), 0, -1):
            missing = self._everything & ~self._layers[distance - 1][-1]
            if missing:
                return next(members(missing)), distance if distance < len(self._layers) else None
        return 0, 0


def _bits(flags: Iterable[object]) -> int:
    """The integer whose bit i is flag i."""
    return int("".join("1" if flag else "0" for flag in flags)[::-1] or "0", 2)


# -- the pattern and the string ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class MazeString(Puzzle):
    """The puzzle: a string that fits `pattern`, over N E S W and `*` for a free step, and solves all `mazes`."""

    mazes: Mazes
    pattern: str

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The free steps."""
        return tuple(step for step, letter in enumerate(self.pattern) if letter == FREE)

    def contradictions(self) -> list[str]:
        """Reasons, from distances, why no string exists."""
        if not self.mazes:
            return []
        number, bound = self.mazes.hardest()
        if bound is None:
            return [f"maze {number + 1} has no path from its start to its goal"]
        if bound > len(self.pattern):
            return [f"maze {number + 1} needs at least {bound} moves, but the pattern has {len(self.pattern)}"]
        return []


class Window:
    """A pattern as a fixed prefix, the steps of the middle, and a fixed suffix.

    `steps[i]` are the directions allowed at the i-th step of the middle, which is step `first + i` of the pattern.
    """

    def __init__(self, pattern: str):
        self.pattern = pattern
        free = [step for step, letter in enumerate(pattern) if letter == FREE]
        self.first, self.end = (free[0], free[-1] + 1) if free else (len(pattern), len(pattern))
        self.prefix, self.suffix = pattern[: self.first], pattern[self.end :]
        middle = pattern[self.first : self.end]
        self.steps = [tuple(DIRECTIONS) if letter == FREE else (LETTERS.index(letter),) for letter in middle]


def direction_keys(pattern: str) -> list[tuple[int, int]]:
    """(step, direction) for each free step: the keys of the directions in a formula, in the order of their variables."""
    return [(step, d) for step, letter in enumerate(pattern) if letter == FREE for d in DIRECTIONS]


def string_of(pattern: str, direction: Block, true: Collection[int]) -> str:
    """The string of a model, given by its true variables or all literals; `?` for a step without exactly one direction."""
    chosen: dict[int, str] = {}
    true = frozenset(true)
    for step, d in direction_keys(pattern):
        if direction[step, d] in true:
            chosen[step] = "?" if step in chosen else LETTERS[d]
    return "".join(chosen.get(step, "?") if letter == FREE else letter for step, letter in enumerate(pattern))


def read_pattern(text: str, source: str | None = None, *, free: bool = True) -> str:
    """The pattern in N E S W and, if `free`, `*`. Input may use U R D L, lower case, and blanks."""
    what, known = ("pattern", LETTERS + FREE) if free else ("string", LETTERS)
    if len(text) > 2 * MAX_LENGTH:
        raise InputError(f"found a {what} of {len(text)} characters, expected at most {MAX_LENGTH}", source=source)
    found = []
    for place, character in enumerate(text, start=1):
        if character.isspace():
            continue
        letter = ALIASES.get(character.upper(), character.upper())
        if letter not in known:
            expected = "N, E, S, W (or U, R, D, L)" + " and * for a free step" * free
            raise InputError(f"found {character!r} at position {place} of the {what}, expected {expected}", source=source)
        found.append(letter)
    if len(found) > MAX_LENGTH:
        raise InputError(f"found a {what} of length {len(found)}, expected at most {MAX_LENGTH}", source=source)
    return "".join(found)


# -- the rules ------------------------------------------------------------------------------------------------------------------


def check_string(puzzle: MazeString, string: str) -> list[str]:
    """The violated rules as text; empty for a solution."""
    if len(string) != len(puzzle.pattern):
        return [f"the string has {len(string)} letters, but the pattern has {len(puzzle.pattern)}"]
    faults = []
    for step, (letter, wanted) in enumerate(zip(string, puzzle.pattern, strict=True), start=1):
        if letter not in LETTERS:
            faults.append(f"letter {step} is {letter}, expected one of N, E, S, W")
        elif wanted not in (FREE, letter):
            faults.append(f"letter {step} is {letter}, but the pattern requires {wanted}")
    if faults:
        return faults
    unsolved = puzzle.mazes.unsolved(string)
    for number in unsolved[:SHOWN_FAULTS]:
        maze = puzzle.mazes[number]
        visited = len({cell for cell in maze.walk(string) if maze.must >> cell & 1})
        far = f"the walk visits {visited} of {maze.must.bit_count()} cells that it must visit ({maze_text(maze)})"
        faults.append(f"maze {number + 1} is not solved: {far}")
    if len(unsolved) > SHOWN_FAULTS:
        faults.append(f"{len(unsolved) - SHOWN_FAULTS} more mazes of {len(puzzle.mazes)} are not solved")
    return faults


def solved_last(mazes: Mazes, string: str, count: int = LAST) -> tuple[int, list[tuple[int, int]]]:
    """The number of mazes that the string solves; and the `count` mazes that it solves last, each with its number of letters.

    Unsolved mazes come first, with -1.
    """
    steps = mazes.solved_after(string)
    order = sorted(range(len(steps)), key=lambda number: (steps[number] >= 0, -steps[number], number))
    return sum(step >= 0 for step in steps), [(number, steps[number]) for number in order[:count]]


# -- symmetries ---------------------------------------------------------------------------------------------------------


def symmetries(mazes: Mazes, pattern: str) -> tuple[GridSymmetry, ...]:
    """The symmetries of the puzzle, the identity first."""
    grid = mazes.grid
    identity, *others = grid.symmetries
    fitting = [symmetry for symmetry in others if symmetry.string(pattern) == pattern]
    if mazes.kind == BLOCKED:
        fitting = [symmetry for symmetry in fitting if symmetry.cells[0] == 0 and symmetry.cells[-1] == grid.cells - 1]
    if not fitting:
        return (identity,)
    forms = {maze.normal_form for maze in mazes}
    return (identity, *(each for each in fitting if all(form.image(each).in_corner in forms for form in forms)))


class StringSymmetry(Symmetry):
    """The action of the symmetries of a puzzle on strings."""

    def __init__(self, puzzle: MazeString, blocks: Mapping[str, Block]):
        self._group = symmetries(puzzle.mazes, puzzle.pattern)
        self._letters = {variable: (step, d) for (step, d), variable in blocks["dir"].items()}
        self.order = len(self._group)
        self.convention = f"up to the {self.order} symmetries of the puzzle" if self.order > 1 else "no symmetry"

    def canonical(self, true: Collection[int]) -> tuple[Hashable, int]:
        chosen = dict(self._letters[variable] for variable in true if variable in self._letters)
        string = "".join(LETTERS[chosen[step]] for step in sorted(chosen))
        images = {symmetry.string(string) for symmetry in self._group}
        return min(images, key=lambda image: [LETTERS.index(letter) for letter in image]), len(images)

    def permutations(self) -> list[dict[int, int]] | None:
        variable = {key: number for number, key in self._letters.items()}
        found = []
        for symmetry in self._group:
            moved = {number: variable.get((step, symmetry.directions[d]), 0) for number, (step, d) in self._letters.items()}
            if 0 in moved.values():  # not every step has all letters
                return None
            found.append(moved)
        return found
