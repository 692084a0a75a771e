"""The encoding `states`: as `pruned`, with the states of a maze's minimal automaton within the window in place of cells.

What is still to be visited is part of the position, only states that can be reached and completed are allowed, and clauses (3)
are not needed. A state says where the walk is and which cells it still has to visit in the window. It accepts if the suffix
visits them from there. Unlike without a suffix, one letter more may do harm: the walk is then elsewhere when the suffix begins.
So it matters how many letters are left *exactly*. States that the same fillings complete, of every length, are one (Moore's
algorithm); of the hundreds of states of a thin 3x3 maze some ten remain, because prefix and suffix visit nearly everything.

Not here: positions without what was visited (`__init__.py`), joint states of several mazes (`studies/mazes/`).
"""

from __future__ import annotations

from cnfgen_puzzles.families.maze.encode import Layers, PrunedEncoder
from cnfgen_puzzles.families.maze.model import Maze, Moves, followed, members
from cnfgen_puzzles.families.maze.model.puzzle import Window

State = tuple[int, int]
"""A cell, and the cells that are still to be visited (a set as bits)."""


class WindowAutomaton:
    """The minimal automaton of a maze: state 0 is that after the prefix, `next[s]` holds the four successors.

    Two mazes have equal automata exactly if the same fillings of every length solve them: states are numbered in the order in
    which a search from the start meets them. `accepts[s]` says whether the suffix completes what is left in s.
    """

    def __init__(self, maze: Maze, prefix: str, suffix: str):
        moves = maze.moves_until_solved
        cell, visited = followed(moves, maze.start, prefix)
        covers = [followed(moves, last, suffix)[1] for last in range(maze.grid.cells)]
        missing = maze.must & ~visited & ~_everywhere(covers, maze.reachable)
        table = _states(moves, (cell, missing))
        accepts = {state: not state[1] & ~covers[state[0]] for state in table}
        self.next, self.accepts = _minimal(table, accepts)

    def __len__(self) -> int:
        return len(self.next)

    @property
    def form(self) -> tuple[Moves, tuple[bool, ...]]:
        """Equal for mazes that the same fillings solve."""
        return self.next, self.accepts

    def solved_anyway(self, letters: int) -> bool:
        """Whether every filling of so many letters solves the maze."""
        sure = self.accepts
        for _ in range(letters):
            sure = tuple(all(sure[after] for after in row) for row in self.next)
        return sure[0]


def _everywhere(covers: list[int], cells: int) -> int:
    """The cells that the suffix visits wherever it begins."""
    found = -1
    for cell in members(cells):
        found &= covers[cell]
    return found


def _states(moves: Moves, start: State) -> dict[State, tuple[State, ...]]:
    """The states that can be reached, each with its successors."""
    table: dict[State, tuple[State, ...]] = {}
    new = [start]
    while new:
        state = new.pop()
        if state not in table:
            cell, missing = state
            table[state] = tuple((other, missing & ~(1 << other)) for other in moves[cell])
            new += table[state]
    return table


def _minimal(table: dict[State, tuple[State, ...]], accepts: dict[State, bool]) -> tuple[Moves, tuple[bool, ...]]:
    """Successors and acceptance of the classes of equivalent states, numbered from the class of the first state on."""
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
    for number in order:  # which grows
        for after in table[member[number]]:
            if classes[after] not in place:
                place[classes[after]] = len(order)
                order.append(classes[after])
    following = tuple(tuple(place[classes[after]] for after in table[member[number]]) for number in order)
    return following, tuple(accepts[member[number]] for number in order)


class StateLayers(Layers):
    """The states that can be reached and completed before each step of a window (the last: after it)."""

    def __init__(self, maze: Maze, window: Window):
        automaton = WindowAutomaton(maze, window.prefix, window.suffix)
        self.moves = automaton.next
        self.allowed = [1]
        for directions in window.steps:
            self.allowed.append(self._bits({self.moves[state][d] for state in members(self.allowed[-1]) for d in directions}))
        self.allowed[-1] &= self._bits({state for state, accepted in enumerate(automaton.accepts) if accepted})
        self.solved = all(automaton.accepts[state] for state in range(len(automaton)))
        for place in reversed(range(len(window.steps))):
            later = self.allowed[place + 1]
            alive = {state for state, row in enumerate(self.moves) if any(later >> row[d] & 1 for d in window.steps[place])}
            self.allowed[place] &= self._bits(alive)

    @staticmethod
    def _bits(states: set[int]) -> int:
        return sum(1 << state for state in states)


class StatesEncoder(PrunedEncoder):
    """The same with the states of the maze's minimal automaton as positions: what was visited is part of them.

    Each state that is left is one from which some filling solves the maze, so a direction that no filling of a maze has is
    found by unit propagation, and lemmas are exact joint distances for thin mazes too. Meant for windows: without a fixed prefix
    and suffix a maze of 3x3 has some hundred states a step.
    """

    def _layers(self, maze: Maze) -> StateLayers:
        return StateLayers(maze, self.window)


ENCODER = StatesEncoder
