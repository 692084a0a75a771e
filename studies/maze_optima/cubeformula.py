"""The formula of one cube: the strings with a given prefix that solve some mazes, with joint distances of tuples as lemmas.

Every clause and its place is determined by prefix, length, mazes and tuples, so that a checker that shares no code with this
writes the same formula and compares checksums (`scripts/check/check_maze_cubes.py`). With r letters left after the prefix:

* The states of a maze are numbered as `automaton_of` finds them, breadth first, N before E before S before W, all solved ones as
  one. allowed[m, 0] is the state after the prefix; allowed[m, t+1] are the states one letter after allowed[m, t] from which m
  can be solved in the r-t-1 letters left. Positions are these states, ascending, in blocked mazes; in thin ones they are
  the cells of these states, or all cells where t letters can lead if the solved state is among them, row by row.
* Variables: dir[t, d] is 4 t + d + 1; then at[m, t, p] for mazes in the order given, steps 1 .. r, positions in order. A single
  position, as at t = 0, is the constant true.
* Directions: for each t, OR of dir[t, d]; not dir[t, d] or not dir[t, e].
* Walks: for each maze and t, not at[m, t, p] or not dir[t, d] or at[m, t+1, next(p, d)], without the last literal where there is
  no such position; OR of at[m, t+1, p] if there are several, and in thin mazes not at[m, t+1, p] or not at[m, t+1, q], and
  not at[m, t+1, p] or OR of at[m, t, q] for the q with next(q, d) = p for some d, ascending, unless one of them is the constant.
  A maze that is solved by the prefix has no clauses, one that cannot be solved the empty clause.
* Visits, in thin mazes: for each cell that the prefix has not visited, OR of at[m, t, cell] over t.
* Lemmas, for each tuple whose mazes are all among those of the cube (in thin mazes: and that the prefix does not solve): joint[0]
  are the states after the prefix. For t = 1 .. r joint[t] are the joint states one letter after joint[t-1], ascending (the first
  maze counts most), from which r-t letters are enough. Blocked: the others exclude each other, OR of not at[m, t, s], unless some
  state is not allowed. Thin: OR of not at[m, t, p] for all positions p (one a maze, the first slowest) in which no joint
  state of joint[t] is, where the solved state is in every position.
* Pairs, in thin mazes: for each maze m of the cube and each m' of the BEFORE before it (the prefix solves none of these), nearest
  last, pairs of positions are alive at t if some string that goes by positions leads from those after the prefix there and
  on to step r. For t = 1 .. r not at[m', t, p] or not at[m, t, q] for all other pairs, the first slowest.

In thin mazes positions are cells, since what solvers learn of them holds whatever has been visited; states made 8 times the work.
A blocked maze may have more positions true than that of the walk, which does no harm: that of the walk is among them.
Models, projected to the directions, are the strings that solve these mazes. Not here: which cubes (`plan.py`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

import numpy as np

from cnfgen_puzzles.families.maze.model import DIRECTIONS, LETTERS, THIN, members
from cnfgen_puzzles.families.maze.puzzle import Mazes
from cnfgen_puzzles.formula import Cnf
from studies.mazes.automata import automaton_of
from studies.mazes.jointstates import Array, StringMachines, Tuple

TRUE = 1 << 30
"""The constant true, as the literal of the only position."""

BEFORE = 4
"""The number of previous mazes with which a thin maze is compared."""


class CubeFormulas:
    """The formulas of cubes of one case. Tables of joint distances are cached."""

    def __init__(self, mazes: Mazes, length: int, tuples: Iterable[Tuple]):
        self.mazes, self.length = mazes, length
        self.tuples = tuple(tuples)
        self._machines = StringMachines(mazes)
        self._tables: dict[Tuple, tuple[Array, Array]] = {}

    def formula(self, prefix: str, mazes: Sequence[int]) -> Cnf:
        """The formula of the strings with this prefix that solve these mazes."""
        return _Cube(self, prefix, mazes).cnf()

    def next(self, maze: int) -> Array:
        """`[d, s]` is the state of the maze after direction d."""
        return self._machines.tables.next[maze]

    def is_done(self, maze: int, state: int) -> bool:
        """True if this is the solved state of the maze."""
        return state == int(self._machines.done[maze])

    def moves(self, maze: int) -> Array:
        """`[d, p, q]` is true if direction d leads from cell p to cell q."""
        following = np.array(self.mazes[maze].moves).T
        leads: Array = following[:, :, None] == np.arange(following.shape[1])
        return leads

    def table(self, tuple_: Tuple) -> tuple[Array, Array]:
        """The joint distances and successors of the joint states of the tuple."""
        if tuple_ not in self._tables:
            successors = self._machines.tables.successors(tuple_).astype(np.int32)
            self._tables[tuple_] = self._machines.bound(tuple_).distance, successors
        return self._tables[tuple_]


class _Cube:
    """A formula under construction."""

    def __init__(self, formulas: CubeFormulas, prefix: str, mazes: Sequence[int]):
        self._formulas, self._mazes = formulas, mazes
        self._left = formulas.length - len(prefix)
        self._variables = 4 * self._left
        self._clauses = 0
        self._parts: list[Array] = []
        self._states = {maze: self._after(maze, prefix) for maze in mazes}
        self._literals: dict[int, Array] = {}
        self._layers: dict[int, list[Array]] = {}

    def cnf(self) -> Cnf:
        self._directions()
        for maze in self._mazes:
            self._walk(maze)
        lemmas = self._cell_lemmas if self._formulas.mazes.kind == THIN else self._lemmas
        for tuple_ in self._formulas.tuples:
            if all(maze in self._literals for maze in tuple_):
                lemmas(tuple_)
        thin = list(self._layers)
        for place, maze in enumerate(thin):
            for other in thin[max(place - BEFORE, 0) : place]:
                self._pair_lemmas(other, maze)
        flat = np.concatenate(self._parts) if self._parts else np.zeros(0, np.int32)
        return Cnf(self._variables, self._clauses, array("i", flat.astype(np.int32).tobytes()))

    def _after(self, maze: int, prefix: str) -> int:
        state, following = 0, self._formulas.next(maze)
        for letter in prefix:
            state = int(following[LETTERS.index(letter), state])
        return state

    def _add(self, rows: Array) -> None:
        """Adds a clause for each row; 0 means no literal."""
        ended = np.pad(rows, ((0, 0), (0, 1)))
        kept = ended != 0
        kept[:, -1] = True
        self._parts.append(ended[kept].astype(np.int32))
        self._clauses += len(rows)

    def _directions(self) -> None:
        for t in range(self._left):
            moves = [4 * t + d + 1 for d in DIRECTIONS]
            self._add(np.array([moves]))
            self._add(np.array([(-one, -other) for one, other in combinations(moves, 2)]))

    def _walk(self, maze: int) -> None:
        """Creates the positions of the maze; `self._literals[maze][t, s]` is a literal, TRUE, or 0 for a position that is not
        allowed."""
        following, state = self._formulas.next(maze), self._states[maze]
        distance, _ = self._formulas.table((maze,))
        if distance[state] > self._left:
            self._add(np.zeros((1, 0), np.int64))
            return
        allowed = [np.array([state])]
        for t in range(self._left):
            after = np.unique(following[:, allowed[-1]])
            allowed.append(after[distance[after] <= self._left - t - 1])
        if self._formulas.mazes.kind == THIN:
            if not self._formulas.is_done(maze, state):
                self._cells(maze, allowed)
            return
        literals = self._literals[maze] = np.zeros((self._left + 1, following.shape[1]), np.int64)
        self._positions(literals, allowed, following, walked=not self._formulas.is_done(maze, state))

    def _cells(self, number: int, allowed: list[Array]) -> None:
        """The walk of a thin maze, by cells, and the visits."""
        maze = self._formulas.mazes[number]
        states = automaton_of(maze).states
        following = np.array(maze.moves).T
        start, visited = states[self._states[number]]
        reach, cells = np.array([start]), [np.array([start])]
        for layer in allowed[1:]:
            reach = np.unique(following[:, reach])
            among = {states[state][0] for state in layer}
            cells.append(reach if -1 in among else np.array(sorted(among)))  # -1: solved, wherever that is
        literals = self._literals[number] = np.zeros((self._left + 1, following.shape[1]), np.int64)
        self._layers[number] = cells
        self._positions(literals, cells, following)
        for cell in members(maze.must & ~visited):
            ways = np.unique(literals[:, cell])
            if TRUE not in ways:
                self._add(ways[None])

    def _positions(self, literals: Array, layers: list[Array], following: Array, walked: bool = True) -> None:
        """The literals of the positions of each layer, and the clauses of the walk."""
        literals[0, layers[0]] = TRUE
        for t, (before, after) in enumerate(pairwise(layers)):
            literals[t + 1, after] = self._new(len(after))
            if walked:
                self._step(t, literals, before, after, following)

    def _new(self, count: int) -> Array | int:
        if count == 1:
            return TRUE
        self._variables += count
        return np.arange(self._variables - count + 1, self._variables + 1)

    def _step(self, t: int, literals: Array, before: Array, after: Array, following: Array) -> None:
        """A position and a direction imply the next position."""
        here = np.repeat(literals[t, before], 4)
        moves = np.tile(np.arange(4 * t + 1, 4 * t + 5), len(before))
        there = literals[t + 1, following[:, before].T.ravel()]
        rows = np.stack([np.where(here == TRUE, 0, -here), -moves, there], axis=1)[there != TRUE]
        self._add(rows)
        if len(after) > 1:
            self._add(literals[None, t + 1, after])
            if self._formulas.mazes.kind == THIN:
                self._add(-np.array(list(combinations(literals[t + 1, after], 2))))
                self._backwards(literals[t], literals[t + 1], before, after, following)

    def _backwards(self, here: Array, there: Array, before: Array, after: Array, following: Array) -> None:
        """A position implies a previous one that leads there."""
        for position in after:
            sources = here[before[(following[:, before] == position).any(axis=0)]]
            if TRUE not in sources:
                self._add(np.array([[-there[position], *sources]]))

    def _lemmas(self, tuple_: Tuple) -> None:
        """Positions from which the mazes of the tuple need too many letters exclude each other."""
        distance, successors = self._formulas.table(tuple_)
        sizes = [self._formulas.next(maze).shape[1] for maze in tuple_]
        joint: Array = np.array([np.ravel_multi_index([self._states[maze] for maze in tuple_], sizes)])
        for t in range(1, self._left + 1):
            joint = np.unique(successors[:, joint])
            states = np.unravel_index(joint, sizes)
            literals = np.stack([self._literals[maze][t, state] for maze, state in zip(tuple_, states, strict=True)], axis=1)
            allowed, far = (literals != 0).all(axis=1), distance[joint] > self._left - t
            dead = literals[allowed & far]
            self._add(np.where(dead == TRUE, 0, -dead))
            joint = joint[allowed & ~far]

    def _cell_lemmas(self, tuple_: Tuple) -> None:
        """Cells exclude each other if the tuple has no joint state there from which the remaining letters suffice."""
        distance, successors = self._formulas.table(tuple_)
        sizes = [self._formulas.next(maze).shape[1] for maze in tuple_]
        cell_of = [np.array([cell for cell, _ in automaton_of(self._formulas.mazes[maze]).states]) for maze in tuple_]
        joint: Array = np.array([np.ravel_multi_index([self._states[maze] for maze in tuple_], sizes)])
        for t in range(1, self._left + 1):
            joint = np.unique(successors[:, joint])
            joint = joint[distance[joint] <= self._left - t]
            met = np.zeros([self._formulas.mazes.grid.cells + 1] * len(tuple_), bool)
            met[tuple(cells[states] for cells, states in zip(cell_of, np.unravel_index(joint, sizes), strict=True))] = True
            for axis in range(len(tuple_)):
                met |= met.take([-1], axis)  # the last: solved, wherever that is
            layers = [self._layers[maze][t] for maze in tuple_]
            dead = np.argwhere(~met[np.ix_(*layers)])
            chosen = zip(tuple_, layers, dead.T, strict=True)
            literals = np.stack([self._literals[maze][t, layer[places]] for maze, layer, places in chosen], axis=1)
            self._add(np.where(literals == TRUE, 0, -literals))

    def _pair_lemmas(self, one: int, other: int) -> None:
        """Cells of two mazes exclude each other if no string leads from the prefix through both to the end."""
        here, there = (self._formulas.moves(maze) for maze in (one, other))
        allowed = []
        for cells, others in zip(self._layers[one], self._layers[other], strict=True):
            allowed.append(np.zeros((here.shape[1], there.shape[1]), bool))
            allowed[-1][np.ix_(cells, others)] = True
        alive = [allowed[0]]
        for pairs in allowed[1:]:
            alive.append(pairs & (here.transpose(0, 2, 1) @ alive[-1] @ there).any(axis=0))
        for t in range(self._left - 1, 0, -1):
            alive[t] &= (here @ alive[t + 1] @ there.transpose(0, 2, 1)).any(axis=0)
        for t in range(1, self._left + 1):
            dead = np.argwhere(allowed[t] & ~alive[t])
            literals = np.stack([self._literals[one][t, dead[:, 0]], self._literals[other][t, dead[:, 1]]], axis=1)
            self._add(np.where(literals == TRUE, 0, -literals))
