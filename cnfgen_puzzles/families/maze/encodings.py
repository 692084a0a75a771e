"""Encodings of maze strings as CNF: `pruned` (the default), `states`, and `article` (the published one).

The pattern has the steps 0 .. T-1; F is the set of free steps. Every encoding has variables dir[t, d] for t in F and d = N,
E, S, W (0..3), exactly one of which is true for each step; they are the projection set. For a fixed letter, dir[t, d] is a
constant. Let m(c, d) be the cell after a move. For each maze, `pruned` has variables at[t, c], only between the first and the
last free step, and only for allowed cells (`CellLayers`):

* at least one at[t, c] for each step t; in thin mazes, or with `mutex`, exactly one;
* (1) at[t, c] and dir[t, d] imply at[t+1, m(c, d)];
* (2) at[t+1, b] implies the OR of all at[t, c] that lead there;
* (3) for every cell c that must be visited, unless prefix or suffix always visit it: OR of at[t, c] over all t and of
  at[last, b] if the suffix visits c from b. In blocked mazes, (3) is implied: from each allowed last position, the suffix
  reaches the goal.

The models, projected to the directions, are the strings. In thin mazes or with `mutex`, the directions determine the
positions, so that each string has one model. With `symmetry=representatives`, the formula keeps one string of each orbit
under the symmetry group of the puzzle (`symmetries` in `puzzle.py`): for every g except the identity, and d with g(d) < d,
dir[t, d] implies OR of dir[u, e] over u < t and e with g(e) != e.

Example: one row of two cells, start at the left, two letters, one of them free:

>>> from cnfgen_puzzles.families.maze.model import Grid
>>> from cnfgen_puzzles.families.maze.puzzle import Mazes
>>> mazes = Mazes("thin", Grid(1, 2), ((1, 0),))
>>> list(build(MazeString(mazes, "E*"), "pruned").clauses())  # solved by the E: only the direction, exactly one of four
[[1, 2, 3, 4], [-1, -2], [-1, -3], [-1, -4], [-2, -3], [-2, -4], [-3, -4]]
>>> list(build(MazeString(mazes, "W*"), "pruned").clauses())[7:]  # not N, and so on: the walk must end in the cell at the right
[[-1], [-3], [-4]]
>>> list(build(MazeString(mazes, "W"), "pruned").clauses())  # no string
[[]]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from itertools import combinations
from operator import and_
from typing import Any, NamedTuple

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families.family import Encoding, by_name
from cnfgen_puzzles.families.maze.model import DIRECTIONS, LETTERS, THIN, GridSymmetry, Maze, Moves, bits_of, follow, members
from cnfgen_puzzles.families.maze.puzzle import FREE, MazeString, Window, direction_keys, symmetries
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.formula.formula import FALSE, TRUE

SAMPLE = 10
"""The number of mazes from which the size of a formula is estimated."""

ALL, REPRESENTATIVES = "all", "representatives"

Positions = dict[int, int]
"""The literal of each allowed position at one step."""


class Encoder(ABC):
    """A formula for the strings that fit a pattern and solve all mazes added so far.

    It starts with the directions. `add_maze` appends clauses for one more maze, over the directions and new auxiliary
    variables, and never changes earlier clauses; an incremental solver needs only the new clauses. `moves[step][d]` is the
    literal of a direction. `group` are symmetries of the whole puzzle: of each orbit of strings, the formula keeps only the
    first one in the order N < E < S < W.
    """

    def __init__(self, pattern: str, group: Sequence[GridSymmetry] = ()):
        self.pattern, self.group = pattern, group
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
        """The symmetry maps the first letter that it changes to a later one."""
        changed = [d for d in DIRECTIONS if symmetry.directions[d] != d]
        earlier: list[int] = []
        for moves in self.moves:
            for d in changed:
                if symmetry.directions[d] < d:
                    self.formula.add_folded(-moves[d], *earlier)
            earlier += [moves[d] for d in changed]

    @abstractmethod
    def add_maze(self, maze: Maze) -> None:
        """Appends clauses that require that the string solves the maze."""

    def add_mazes(self, mazes: Iterable[Maze]) -> None:
        """Appends the clauses of all these mazes."""
        for maze in mazes:
            self.add_maze(maze)

    # -- gates, with constants folded -----------------------------------------------------------------------------------

    def either(self, literals: Iterable[int]) -> int:
        """A literal that is true exactly if one of these is true; a constant or one of them if possible."""
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
        """A literal that is true exactly if both are true."""
        return -self.either((-one, -other))


class Layers:
    """The possible positions (cells or states) of the walk through one maze at each step of a window.

    `allowed[i]` are the positions, as bits, before the i-th step; the last entry is after the last step. `moves[position][d]`
    is the next position. `missing` are the cells that must be visited, unless prefix or suffix always visit them or the
    positions include this information; `covers[position]` are the cells that the suffix visits from a position of the last
    layer.
    """

    moves: Moves
    allowed: list[int]
    missing: int = 0
    covers: Mapping[int, int] = {}
    solved: bool
    """True if every string that fits the pattern solves the maze."""

    @property
    def impossible(self) -> bool:
        """True if no string that fits the pattern solves the maze."""
        return not all(self.allowed)


class CellLayers(Layers):
    """The possible cells of a walk. The fixed letters at both ends are simulated.

    A cell is allowed if the walk can reach it and, for each single cell that must be visited, the walk can have visited that
    cell before or can visit it in the remaining steps. This is exact for blocked mazes; in thin mazes, an allowed cell can be
    a dead end.
    """

    def __init__(self, maze: Maze, window: Window):
        self.moves = maze.moves_until_solved
        self._grid, self._steps = maze.grid, window.steps
        self._passing = [sum(1 << cell for cell, row in enumerate(self.moves) if row[d] != cell) for d in DIRECTIONS]
        cell, visited = follow(self.moves, maze.start, window.prefix)
        self.allowed = [1 << cell]
        for directions in self._steps:
            self.allowed.append(self._image(self.allowed[-1], directions))
        self.covers = {last: follow(self.moves, last, window.suffix)[1] for last in members(self.allowed[-1])}
        self.missing = maze.must & ~visited & ~reduce(and_, self.covers.values(), -1)
        self.solved = not self.missing
        if self.missing:
            self._prune()

    def _image(self, cells: int, directions: tuple[int, ...]) -> int:
        """The cells after one step from these cells."""
        found = 0
        for d in directions:
            going, delta = cells & self._passing[d], self._grid.deltas[d]
            found |= cells ^ going | (going << delta if delta > 0 else going >> -delta)
        return found

    def _before(self, cells: int, directions: tuple[int, ...]) -> int:
        """The cells from which one step leads to these cells."""
        found = 0
        for d in directions:
            passing, delta = self._passing[d], self._grid.deltas[d]
            found |= (cells >> delta if delta > 0 else cells << -delta) & passing | cells & ~passing
        return found

    def _prune(self) -> None:
        """Removes cells that exclude a visit to some cell that must be visited, until nothing changes."""
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
        """Keeps only positions of walks that visit the cell."""
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
    """Positions at[i][cell] for the allowed cells of each step of the window; with `mutex`, exactly one for each step.

    Each new maze is compared with the last `lemmas` mazes: positions in the two mazes from which no string solves both in
    time get a binary clause (`dead_pairs`). In a blocked maze, the formula without `mutex` allows that more positions are
    true than the position of the walk; the solutions are the same.
    """

    layers_of: Callable[[Maze, Window], Layers] = CellLayers

    def __init__(self, pattern: str, group: Sequence[GridSymmetry] = (), lemmas: int = 0, mutex: bool = False):
        super().__init__(pattern, group)
        self._mutex = mutex
        self.window = Window(pattern)
        self._lemmas = lemmas
        self._recent: list[tuple[Layers, list[Positions]]] = []

    def add_maze(self, maze: Maze) -> None:
        self.mazes.append(maze)
        layers = self.layers_of(maze, self.window)
        if layers.solved:
            return
        if layers.impossible:
            self.formula.add()
            return
        at = self._walk(layers)
        for cell in members(layers.missing):  # (3)
            literals = {positions[cell] for positions in at if cell in positions}
            literals |= {literal for last, literal in at[-1].items() if layers.covers[last] >> cell & 1}
            self.formula.add_folded(*sorted(literals))
        if self._lemmas:
            for other, there in self._recent[-self._lemmas :]:
                for place, pairs in enumerate(dead_pairs(layers, other, self.window.steps)):
                    for a, b in pairs:
                        self.formula.add_folded(-at[place][a], -there[place][b])
            self._recent = [*self._recent, (layers, at)][-self._lemmas :]

    def _walk(self, layers: Layers) -> list[Positions]:
        """The positions of each step; the only position of a step is the constant TRUE."""
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
        """New variables for these cells; at least one is true, exactly one if `alone`."""
        count = cells.bit_count()
        literals = self.formula.auxiliary(count) if count > 1 else [TRUE]
        positions = dict(zip(members(cells), literals, strict=True))
        if count > 1:
            self.formula.add_clause(literals)
            if alone:
                self.formula.at_most_one(literals, "pairwise")
        return positions

    def _fixed_step(self, layers: Layers, before: Positions, direction: int, allowed: int) -> Positions:
        """The positions after a fixed letter; only a cell that two positions lead to needs a new variable."""
        coming: dict[int, list[int]] = {}
        for cell, here in before.items():
            coming.setdefault(layers.moves[cell][direction], []).append(here)
        for cell, ways in coming.items():
            if not allowed >> cell & 1:
                for literal in ways:
                    self.formula.add_folded(-literal)
        return {cell: self.either(ways) for cell, ways in sorted(coming.items()) if allowed >> cell & 1}

    def _free_step(self, layers: Layers, before: Positions, after: Positions, moves: Sequence[int]) -> None:
        """(1) A position and a direction imply the next position; (2) a position implies a previous one that leads there."""
        sources: dict[int, set[int]] = {cell: set() for cell in after}
        for cell, here in before.items():
            for d, target in enumerate(layers.moves[cell]):
                self.formula.add_folded(-here, -moves[d], after.get(target, FALSE))
                if target in sources:
                    sources[target].add(here)
        for target, there in after.items():
            self.formula.add_folded(-there, *sorted(sources[target]))


# -- the published encoding ---------------------------------------------------------------------------------------------


class ArticleEncoder(Encoder):
    """The published encoding: gates for every position, at most one position for each step, and the cells reached so far.

    For each maze, at[t, c] for every step t and every reachable cell c, by gates with constants folded: at[t+1, c] is
    (at[t, c] and OR of dir[t, d] with m(c, d) = c) or OR of (at[t, b] and dir[t, d]) with m(b, d) = c; not at[t, b] or not
    at[t, c]; reached[t+1, c] = reached[t, c] or at[t+1, c]; reached[T, c] for every cell that must be visited. The directions
    determine the positions, so that each string has one model.
    """

    def add_maze(self, maze: Maze) -> None:
        self.mazes.append(maze)
        cells = list(members(maze.reachable))
        at = {cell: TRUE if cell == maze.start else FALSE for cell in cells}
        reached = dict(at)
        for moves in self.moves:
            at = self._moved(maze, at, moves)
            for one, other in combinations([literal for literal in at.values() if literal != FALSE], 2):
                self.formula.add_folded(-one, -other)
            reached = {cell: self.either((reached[cell], at[cell])) for cell in cells}
        for cell in members(maze.must):
            self.formula.add_folded(reached.get(cell, FALSE))

    def _moved(self, maze: Maze, at: dict[int, int], moves: Sequence[int]) -> dict[int, int]:
        """The positions after a step: the walk came from a neighbor, or its move had no effect."""
        coming: dict[int, list[int]] = {cell: [] for cell in at}
        for cell, here in at.items():
            if here != FALSE:
                stopped = self.either(moves[d] for d in DIRECTIONS if maze.moves[cell][d] == cell)
                coming[cell].append(self.both(here, stopped))
                for d in DIRECTIONS:
                    if maze.moves[cell][d] != cell:
                        coming[maze.moves[cell][d]].append(self.both(here, moves[d]))
        return {cell: self.either(ways) for cell, ways in coming.items()}


# -- states as positions ------------------------------------------------------------------------------------------------


State = tuple[int, int]
"""A cell, and the set of cells (bits) that must still be visited."""


class WindowAutomaton(NamedTuple):
    """The minimal automaton of a maze in a window: state 0 is the state after the prefix, `next[s]` has the four successors.

    A state consists of the cell of the walk and the cells that it must still visit; it accepts (`accepts[s]`) if the suffix
    visits all of these from that cell. A filling with one more letter can fail because the suffix then starts at another cell;
    therefore two states are equivalent if the same fillings of every exact length complete them. Moore's algorithm merges
    equivalent states: of the hundreds of states of a thin 3x3 maze, about ten remain.

    Two mazes have equal automata exactly if the same fillings of every length solve them, because states are numbered in the
    order in which a search from the start visits them.
    """

    next: Moves
    accepts: tuple[bool, ...]


def window_automaton(maze: Maze, window: Window) -> WindowAutomaton:
    """The automaton of the reachable states, with equivalent states merged."""
    moves = maze.moves_until_solved
    cell, visited = follow(moves, maze.start, window.prefix)
    covers = [follow(moves, last, window.suffix)[1] for last in range(maze.grid.cells)]
    table: dict[State, tuple[State, ...]] = {}
    new = [(cell, maze.must & ~visited & ~reduce(and_, map(covers.__getitem__, members(maze.reachable))))]
    while new:
        state = new.pop()
        if state not in table:
            cell, missing = state
            table[state] = tuple((other, missing & ~(1 << other)) for other in moves[cell])
            new += table[state]
    return _minimal(table, {state: not state[1] & ~covers[state[0]] for state in table})


def _minimal(table: dict[State, tuple[State, ...]], accepts: dict[State, bool]) -> WindowAutomaton:
    """The classes of equivalent states; the class of the first state has the number 0."""
    classes: dict[State, int] = {state: int(accepted) for state, accepted in accepts.items()}
    count = 0
    while count != len(known := set(classes.values())):
        count = len(known)
        numbers: dict[tuple[int, ...], int] = {}
        classes = {
            state: numbers.setdefault((classes[state], *[classes[after] for after in row]), len(numbers))
            for state, row in table.items()
        }
    member = {number: state for state, number in reversed(classes.items())}
    order = [classes[next(iter(table))]]
    place = {order[0]: 0}
    for number in order:  # grows during the loop
        for after in table[member[number]]:
            if classes[after] not in place:
                place[classes[after]] = len(order)
                order.append(classes[after])
    following = tuple(tuple(place[classes[after]] for after in table[member[number]]) for number in order)
    return WindowAutomaton(following, tuple(accepts[member[number]] for number in order))


class StateLayers(Layers):
    """The states before each step of a window, and after the last one, that can be reached and completed."""

    def __init__(self, maze: Maze, window: Window):
        self.moves, accepts = window_automaton(maze, window)
        self.allowed = [1]
        for directions in window.steps:
            self.allowed.append(bits_of(self.moves[state][d] for state in members(self.allowed[-1]) for d in directions))
        self.allowed[-1] &= bits_of(state for state, accepted in enumerate(accepts) if accepted)
        self.solved = all(accepts)
        for place in reversed(range(len(window.steps))):
            later = self.allowed[place + 1]
            alive = (state for state, row in enumerate(self.moves) if any(later >> row[d] & 1 for d in window.steps[place]))
            self.allowed[place] &= bits_of(alive)


class StatesEncoder(PrunedEncoder):
    """As `pruned`, but the positions are the states of the minimal automaton of the maze, which include the visited cells.

    Clauses (3) are not needed. From each remaining state, some filling solves the maze. So unit propagation finds a direction
    that no filling of a maze has, and lemmas are exact joint distances also for thin mazes. This encoding is meant for
    windows: without a fixed prefix and suffix, a 3x3 maze has about a hundred states for each step.
    """

    layers_of = StateLayers


# -- joint distances of two mazes ---------------------------------------------------------------------------------------


Pair = tuple[int, int]


def dead_pairs(one: Layers, other: Layers, steps: Sequence[tuple[int, ...]]) -> Iterator[list[Pair]]:
    """For each layer, the pairs of allowed positions, one of each maze, that exclude each other; `steps` has the directions.

    A pair is dead if no string leads both walks there, or if no string of the remaining steps leads from there to positions
    from which the suffix solves both mazes. This is exact for blocked mazes; for thin mazes, whose positions do not include
    the visited cells, it is a sufficient condition.
    """
    forward = [_pairs(one, other, 0)]
    for place, directions in enumerate(steps):
        allowed = _pairs(one, other, place + 1)
        forward.append({pair for before in forward[-1] for pair in _next(one, other, before, directions)} & allowed)
    alive = [forward[-1]]
    for place in reversed(range(len(steps))):
        after = alive[-1]
        alive.append({pair for pair in forward[place] if not after.isdisjoint(_next(one, other, pair, steps[place]))})
    for place, pairs in enumerate(reversed(alive)):
        yield sorted(_pairs(one, other, place) - pairs)


def _pairs(one: Layers, other: Layers, place: int) -> set[Pair]:
    return {(a, b) for a in members(one.allowed[place]) for b in members(other.allowed[place])}


def _next(one: Layers, other: Layers, pair: Pair, directions: tuple[int, ...]) -> list[Pair]:
    here, there = one.moves[pair[0]], other.moves[pair[1]]
    return [(here[d], there[d]) for d in directions]


# -- the table ----------------------------------------------------------------------------------------------------------

ENCODERS: dict[str, type[Encoder]] = {"pruned": PrunedEncoder, "states": StatesEncoder, "article": ArticleEncoder}


def make_encoder(puzzle: MazeString, name: str, symmetry: str = ALL, **options: Any) -> Encoder:
    """An encoder without mazes, for a loop that adds them one by one. The symmetries are those of all mazes of the puzzle."""
    group = symmetries(puzzle.mazes, puzzle.pattern)[1:] if symmetry == REPRESENTATIVES else ()
    return ENCODERS[name](puzzle.pattern, group, **options)


def build(puzzle: MazeString, name: str, symmetry: str = ALL, **options: Any) -> Formula:
    """The formula of all mazes of the puzzle; InputError if a sample, spread over the list, shows that it would be too large."""
    if (count := len(puzzle.mazes)) > SAMPLE:
        trial = make_encoder(puzzle, name, **options)
        trial.add_mazes(puzzle.mazes.chosen(place * (count - 1) // (SAMPLE - 1) for place in range(SAMPLE)))
        expected = len(trial.formula.literals) * count // SAMPLE
        advice = "use fewer mazes (--first K), or add mazes one by one with solve-puzzle maze"
        checked_amount("literals", expected, found=f"a formula of about {expected:,} literals ({advice})")
    made = make_encoder(puzzle, name, symmetry, **options)
    made.add_mazes(puzzle.mazes)
    return made.formula


SYMMETRY = Option("symmetry", "keep all strings, or at least one of each symmetry orbit", ALL, choices=(ALL, REPRESENTATIVES))
MUTEX = Option("mutex", "in blocked mazes, require exactly one position for each step", False, bool)
LEMMAS = Option("lemmas", "add binary clauses from joint distances of each maze and this many mazes before it", 0, int, least=0)

SUMMARIES = {
    "pruned": "only positions from which the maze can still be solved, as far as single cells show; small and fast",
    "states": "positions include the visited cells; exact, for windows between fixed letters",
    "article": "gates for every position and for the cells reached so far; the published encoding",
}
ENCODINGS = by_name(
    *(
        Encoding(name, text, partial(build, name=name), (SYMMETRY,) if name == "article" else (SYMMETRY, LEMMAS, MUTEX))
        for name, text in SUMMARIES.items()
    )
)
