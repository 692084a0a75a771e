"""Maze strings as formulas: the table of encodings, the directions that all of them share, and the default encoding `pruned`.

The pattern has letters 0 .. T-1, free steps F. Every encoding has dir[t, d] for t in F and d = N, E, S, W (0..3), exactly one a
step, which is the projection set; for a fixed letter dir[t, d] is a constant. For each maze, with m(c, d) the cell after a move,
`pruned` has at[t, c] only between the first free step and the last, and only for cells that are allowed (`CellLayers`):

* some at[t, c] a step; in thin mazes, or with `mutex`, exactly one;
* (1) at[t, c] and dir[t, d] imply at[t+1, m(c, d)];
* (2) at[t+1, b] implies some at[t, c] that leads there;
* (3) for every cell c that must be visited, and is not by prefix or suffix for sure: OR of at[t, c] over all t, or of at[last, b]
  where the suffix visits c from b. In blocked mazes (3) says nothing new: the last positions that are allowed are those from
  which the suffix reaches the goal, which is never left.

The solutions, projected to the directions, are the strings; in thin mazes or with `mutex` the positions are functions of the
directions, so that each string has one model. With `symmetry=representatives` one string of each orbit under the puzzle's
symmetry group is kept (`model/symmetry.py`): for every g but the identity, and d with g(d) < d, dir[t, d] implies OR of dir[u, e]
over u < t and e with g(e) != e.

A small case in full: one row of two cells, start at the left, two letters of which one is free:

>>> from cnfgen_puzzles.families.maze.model import Grid
>>> from cnfgen_puzzles.families.maze.model.puzzle import Mazes
>>> mazes = Mazes("thin", Grid(1, 2), ((1, 0),))
>>> list(build(MazeString(mazes, "E*"), "pruned").clauses())  # solved by the E: only the direction, exactly one of four
[[1, 2, 3, 4], [-1, -2], [-1, -3], [-1, -4], [-2, -3], [-2, -4], [-3, -4]]
>>> list(build(MazeString(mazes, "W*"), "pruned").clauses())[7:]  # not N, and so on: the walk must end in the cell at the right
[[-1], [-3], [-4]]
>>> list(build(MazeString(mazes, "W"), "pruned").clauses())  # no string
[[]]

Not here: the encodings `article` and `states`, and the option `lemmas`: each is in a file of its own, loaded if asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.families.family import Encoding, by_name
from cnfgen_puzzles.families.maze.model import DIRECTIONS, LETTERS, THIN, GridSymmetry, Maze, Moves, followed, members
from cnfgen_puzzles.families.maze.model.puzzle import FREE, MazeString, Window, direction_keys
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.formula.formula import FALSE, TRUE

MOST_CLAUSES = 50_000_000
"""About a gigabyte of memory. All mazes of 3x3 with 78 free letters have 57 million (`pruned`)."""

SAMPLE = 10
"""Mazes by which the size of a formula is estimated."""

ALL, REPRESENTATIVES = "all", "representatives"

Positions = dict[int, int]
"""The literal of each allowed position at one step."""


class Encoder(ABC):
    """A formula that grows a maze at a time: the strings that fit a pattern and solve all mazes added so far.

    It begins with the directions. `add_maze` appends clauses, over the directions and auxiliary variables of its own, that say
    that the string solves one more maze, and never changes an earlier clause; so an incremental solver is fed what came since.
    `moves[step][d]` is the literal of a direction. `group` are symmetries that map the whole puzzle to itself: of the strings
    that they map to one another only the first in the order N < E < S < W is kept.
    """

    def __init__(self, pattern: str, group: Sequence[GridSymmetry] = ()):
        self.pattern = pattern
        self.formula = Formula(up_to=f"up to the {len(group) + 1} symmetries of the puzzle" if group else "")
        self.mazes: list[Maze] = []
        direction = self.formula.keyed("dir", direction_keys(pattern))
        self.formula.projection = direction.variables
        self.moves: list[tuple[int, ...]] = [
            tuple(direction[step, d] for d in DIRECTIONS)
            if letter == FREE
            else tuple(TRUE if LETTERS[d] == letter else FALSE for d in DIRECTIONS)
            for step, letter in enumerate(pattern)
        ]
        for letter, moves in zip(pattern, self.moves, strict=True):
            if letter == FREE:
                self.formula.exactly_one(moves, "pairwise")
        for symmetry in group:
            self._least_of_orbit(symmetry)

    def _least_of_orbit(self, symmetry: GridSymmetry) -> None:
        """The first letter that the symmetry changes is changed to a later one."""
        changed = [d for d in DIRECTIONS if symmetry.directions[d] != d]
        earlier: list[int] = []
        for moves in self.moves:
            for d in changed:
                if symmetry.directions[d] < d:
                    self.formula.add_folded(-moves[d], *earlier)
            earlier += [moves[d] for d in changed]

    @abstractmethod
    def add_maze(self, maze: Maze) -> None:
        """Appends the clauses that say that the string solves the maze."""

    def add_mazes(self, mazes: Iterable[Maze]) -> None:
        """Appends one maze after the other."""
        for maze in mazes:
            self.add_maze(maze)

    # -- gates, with constants folded -----------------------------------------------------------------------------------

    def either(self, literals: Iterable[int]) -> int:
        """A literal that is true exactly if one of these is; a constant or one of them where that is clear."""
        chosen = {literal for literal in literals if literal != FALSE}
        if TRUE in chosen:
            return TRUE
        if len(chosen) < 2:
            return next(iter(chosen), FALSE)
        gate = self.formula.auxiliary(1)[0]
        for literal in sorted(chosen):
            self.formula.add(-literal, gate)
        self.formula.add(-gate, *sorted(chosen))
        return gate

    def both(self, one: int, other: int) -> int:
        """A literal that is true exactly if both are."""
        return -self.either((-one, -other))


class Layers:
    """Where the walk through one maze can be at each step of a window, as numbers of positions: cells, or states.

    `allowed[i]` are the positions (bits) before the i-th step, the last: after it; `moves[position][d]` is the next position.
    `missing` are the cells that must be visited and that prefix and suffix do not visit for sure, as far as positions do not say
    so; `covers[position]` are those that the suffix visits from a position of the last layer.
    """

    moves: Moves
    allowed: list[int]
    missing: int = 0
    covers: Mapping[int, int] = {}
    solved: bool
    """Every string that fits the pattern solves the maze."""

    @property
    def impossible(self) -> bool:
        """No string that fits the pattern solves the maze."""
        return not all(self.allowed)


class CellLayers(Layers):
    """The cells in which a walk can be. The fixed letters at both ends are simulated.

    A cell is allowed if, as far as single cells show, the walk can be there and the maze can still be solved in the steps left:
    every cell that must be visited can have been visited before, or can be visited afterwards. Exact for blocked mazes, where the
    walk stays at the goal; for thin ones a cell that is allowed may still be a dead end.
    """

    def __init__(self, maze: Maze, window: Window):
        self.moves = maze.moves_until_solved
        self._grid, self._steps = maze.grid, window.steps
        self._passing = [sum(1 << cell for cell, row in enumerate(self.moves) if row[d] != cell) for d in DIRECTIONS]
        cell, visited = followed(self.moves, maze.start, window.prefix)
        self.allowed = [1 << cell]
        for directions in self._steps:
            self.allowed.append(self._image(self.allowed[-1], directions))
        self.covers = {last: followed(self.moves, last, window.suffix)[1] for last in members(self.allowed[-1])}
        covered_anyway = -1
        for cells in self.covers.values():
            covered_anyway &= cells
        self.missing = maze.must & ~visited & ~covered_anyway
        self.solved = not self.missing
        if self.missing:
            self._prune()

    def _image(self, cells: int, directions: tuple[int, ...]) -> int:
        """Where these cells lead in one step."""
        found = 0
        for d in directions:
            going, delta = cells & self._passing[d], self._grid.deltas[d]
            found |= cells ^ going | (going << delta if delta > 0 else going >> -delta)
        return found

    def _before(self, cells: int, directions: tuple[int, ...]) -> int:
        """The cells that lead to these in one step."""
        found = 0
        for d in directions:
            passing, delta = self._passing[d], self._grid.deltas[d]
            found |= (cells >> delta if delta > 0 else cells << -delta) & passing | cells & ~passing
        return found

    def _prune(self) -> None:
        """Removes cells from which something can neither have been visited nor be visited, until nothing changes."""
        while True:
            before = list(self.allowed)
            for cell in members(self.missing):
                self._prune_for(cell)
            for place, directions in enumerate(self._steps):
                self.allowed[place + 1] &= self._image(self.allowed[place], directions)
            for place in reversed(range(len(self._steps))):
                self.allowed[place] &= self._before(self.allowed[place + 1], self._steps[place])
            if before == self.allowed:
                return

    def _prune_for(self, cell: int) -> None:
        """Keeps the places of walks that visit the cell."""
        bit = 1 << cell
        later = [0] * len(self.allowed)
        later[-1] = sum(1 << last for last, covered in self.covers.items() if covered & bit) & self.allowed[-1]
        for place in reversed(range(len(self._steps))):
            later[place] = (self._before(later[place + 1], self._steps[place]) | bit) & self.allowed[place]
        earlier = 0
        for place in range(len(self.allowed)):
            earlier = (self._image(earlier, self._steps[place - 1]) if place else 0) | bit
            earlier &= self.allowed[place]
            self.allowed[place] = earlier | later[place]


class PrunedEncoder(Encoder):
    """Positions at[i][cell] for the allowed cells of each step of the window, exactly one a step (`mutex`).

    `lemmas` is the number of mazes, of those added last, with which a new one is compared: positions in the two mazes that
    exclude each other, because from there no string solves both in time, get a binary clause (`lemmas.py`). In a blocked maze
    it does no harm if more positions are true than that of the walk, as long as that one is; without `mutex` nothing forbids it.
    """

    def __init__(self, pattern: str, group: Sequence[GridSymmetry] = (), lemmas: int = 0, mutex: bool = False):
        super().__init__(pattern, group)
        if lemmas < 0:
            raise InputError(f"found {lemmas}, expected 0 or more mazes to compare with", source="--lemmas")
        self._mutex = mutex
        self.window = Window(pattern)
        self._lemmas = lemmas
        self._recent: list[tuple[Layers, list[Positions]]] = []

    def add_maze(self, maze: Maze) -> None:
        self.mazes.append(maze)
        layers = self._layers(maze)
        if layers.solved:
            return
        if layers.impossible:
            self.formula.add()
            return
        at = self._walk(layers)
        self._cells_are_visited(layers, at)
        if self._lemmas:
            for other, there in self._recent[-self._lemmas :]:
                self._exclude_dead_pairs(layers, at, other, there)
            self._recent = [*self._recent, (layers, at)][-self._lemmas :]

    def _layers(self, maze: Maze) -> Layers:
        return CellLayers(maze, self.window)

    def _walk(self, layers: Layers) -> list[Positions]:
        """The positions step by step; a position is the constant TRUE where there is only one."""
        alone = self._mutex or self.mazes[-1].kind == THIN
        at = [self._positions(layers.allowed[0], alone)]
        for place, allowed in enumerate(layers.allowed[1:]):
            moves = self.moves[self.window.first + place]
            if len(self.window.steps[place]) == 1:
                at.append(self._fixed_step(layers, at[-1], self.window.steps[place][0], allowed))
            else:
                at.append(self._positions(allowed, alone))
                self._free_step(layers, at[-2], at[-1], moves)
        return at

    def _positions(self, cells: int, alone: bool) -> Positions:
        """New variables for these cells, one of them true, and no other where the position is to be `alone`."""
        count = cells.bit_count()
        literals = self.formula.auxiliary(count) if count > 1 else [TRUE]
        positions = dict(zip(members(cells), literals, strict=True))
        if count > 1:
            self.formula.add_clause(literals)
            if alone:
                self.formula.at_most_one(literals, "pairwise")
        return positions

    def _fixed_step(self, layers: Layers, before: Positions, direction: int, allowed: int) -> Positions:
        """A fixed letter needs no new variable but where two positions meet; none may lead to a cell that is not allowed."""
        coming: dict[int, list[int]] = {}
        for cell, here in before.items():
            coming.setdefault(layers.moves[cell][direction], []).append(here)
        for cell, ways in coming.items():
            if not allowed >> cell & 1:
                for literal in ways:
                    self.formula.add_folded(-literal)
        return {cell: self.either(ways) for cell, ways in sorted(coming.items()) if allowed >> cell & 1}

    def _free_step(self, layers: Layers, before: Positions, after: Positions, moves: Sequence[int]) -> None:
        """(1) A position and a direction give the next position; (2) a position has one before it that leads there."""
        sources: dict[int, set[int]] = {cell: set() for cell in after}
        for cell, here in before.items():
            for d, target in enumerate(layers.moves[cell]):
                self.formula.add_folded(-here, -moves[d], after.get(target, FALSE))
                if target in sources:
                    sources[target].add(here)
        for target, there in after.items():
            self.formula.add_folded(-there, *sorted(sources[target]))

    def _cells_are_visited(self, layers: Layers, at: list[Positions]) -> None:
        """(3) Each cell that neither prefix nor suffix visits for sure is visited in the window, or by the suffix after it."""
        for cell in members(layers.missing):
            literals = {positions[cell] for positions in at if cell in positions}
            literals |= {literal for last, literal in at[-1].items() if layers.covers[last] >> cell & 1}
            self.formula.add_folded(*sorted(literals))

    def _exclude_dead_pairs(self, one: Layers, here: list[Positions], other: Layers, there: list[Positions]) -> None:
        """Positions of two mazes that no string can be in at once, or from which none solves both in time."""
        from cnfgen_puzzles.families.maze.encode.lemmas import dead_pairs  # an option

        for place, pairs in enumerate(dead_pairs(one, other, self.window.steps)):
            for a, b in pairs:
                self.formula.add_folded(-here[place][a], -there[place][b])


# -- the table ----------------------------------------------------------------------------------------------------------

ENCODERS = ("pruned", "states", "article")


def encoder_class(name: str) -> type[Encoder]:
    """The encoder of that name; those other than the default are in modules of their own, imported when asked for."""
    if name not in ENCODERS:
        raise InputError(unknown_name("maze encoding", name, ENCODERS))
    return PrunedEncoder if name == "pruned" else import_module(f"{__name__}.{name}").ENCODER


def make_encoder(puzzle: MazeString, name: str, symmetry: str = ALL, **options: Any) -> Encoder:
    """An encoder for the puzzle that knows no maze yet: what a loop that adds one maze after another starts from.

    The symmetries are those of all the puzzle's mazes.
    """
    group: Sequence[GridSymmetry] = ()
    if symmetry == REPRESENTATIVES:
        from cnfgen_puzzles.families.maze.model.symmetry import symmetries

        group = symmetries(puzzle.mazes, puzzle.pattern)[1:]
    return encoder_class(name)(puzzle.pattern, group, **options)


def build(puzzle: MazeString, name: str, symmetry: str = ALL, most_clauses: int = MOST_CLAUSES, **options: Any) -> Formula:
    """The formula of all mazes of the puzzle; InputError for one that would be too large."""
    made = make_encoder(puzzle, name, symmetry, **options)
    expected = estimated_clauses(puzzle, name, **options)
    if expected > most_clauses:
        raise too_large(expected, most_clauses)
    made.add_mazes(puzzle.mazes)
    return made.formula


def estimated_clauses(puzzle: MazeString, name: str, **options: Any) -> int:
    """About how many clauses the formula of all mazes will have: counted for a few mazes, spread over the list."""
    count = len(puzzle.mazes)
    if count <= SAMPLE:
        return 0
    trial = make_encoder(puzzle, name, **options)
    trial.add_mazes(puzzle.mazes.chosen(place * (count - 1) // (SAMPLE - 1) for place in range(SAMPLE)))
    return trial.formula.num_clauses * count // SAMPLE


def too_large(clauses: int, most: int) -> InputError:
    """What the user is told."""
    return InputError(
        f"found a formula of about {clauses:,} clauses, expected at most {most:,}; take fewer mazes (--first K), add them one by "
        "one (solve-puzzle maze), or raise --most-clauses"
    )


SYMMETRY = Option("symmetry", "which strings: all, or at least one of every orbit", ALL, choices=(ALL, REPRESENTATIVES))
MUTEX = Option("mutex", "in blocked mazes also say that a walk is in one place only", False, bool)
LEMMAS = Option("lemmas", "binary clauses from joint distances of each maze and so many before it", 0, int, least=0)
MOST = Option("most_clauses", "refuse to make a formula of more clauses, before it is made", MOST_CLAUSES, int, least=0)


def _encoding(name: str, summary: str, *options: Option) -> Encoding:
    return Encoding(name, summary, partial(build, name=name), options)


ENCODINGS = by_name(
    _encoding(
        "pruned",
        "positions only where they can matter, ends of the pattern simulated: small and fast",
        *(SYMMETRY, LEMMAS, MUTEX, MOST),
    ),
    _encoding(
        "states",
        "what a walk has visited as part of its position: exact, for windows between fixed letters",
        *(SYMMETRY, LEMMAS, MUTEX, MOST),
    ),
    _encoding("article", "gates for every position, cells reached so far: the published one", SYMMETRY, MOST),
)
