"""The better encoding of mazes: positions only where they can matter, and few clauses.

Not here: which positions can matter (`layers.py`), the formula's directions and the published encoding (`encoders.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from cnfgen_puzzles.families.maze.encode.encoders import Encoder
from cnfgen_puzzles.families.maze.encode.layers import Layers, Window
from cnfgen_puzzles.families.maze.encode.lemmas import dead_pairs
from cnfgen_puzzles.families.maze.encode.windows import StateLayers
from cnfgen_puzzles.families.maze.model.grid import GridSymmetry, members
from cnfgen_puzzles.families.maze.model.puzzle import THIN, Maze
from cnfgen_puzzles.formula.formula import FALSE, TRUE
from cnfgen_puzzles.ground.errors import InputError

Positions = dict[int, int]
"""The literal of each allowed cell at one step."""


class PrunedEncoder(Encoder):
    """Positions at[i][cell] for the allowed cells of each step of the window, exactly one a step (`mutex`).

    `lemmas` is the number of mazes, of those added last, with which a new one is compared: positions in the two mazes that
    exclude each other, because from there no string solves both in time, get a binary clause. In a blocked maze it does no
    harm if more positions are true than that of the walk, as long as that one is; without `mutex` nothing forbids it there.
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

    def _layers(self, maze: Maze) -> Layers | StateLayers:
        return Layers(maze, self.window)

    def _walk(self, layers: Layers | StateLayers) -> list[Positions]:
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
        """A position and a direction give the next position; a position has one before it that leads there."""
        sources: dict[int, set[int]] = {cell: set() for cell in after}
        for cell, here in before.items():
            for d, target in enumerate(layers.moves[cell]):
                self.formula.add_folded(-here, -moves[d], after.get(target, FALSE))
                if target in sources:
                    sources[target].add(here)
        for target, there in after.items():
            self.formula.add_folded(-there, *sorted(sources[target]))

    def _cells_are_visited(self, layers: Layers, at: list[Positions]) -> None:
        """Each cell that neither prefix nor suffix visits for sure is visited in the window, or by the suffix from its end."""
        for cell in members(layers.missing):
            literals = {positions[cell] for positions in at if cell in positions}
            literals |= {literal for last, literal in at[-1].items() if layers.covers[last] >> cell & 1}
            self.formula.add_folded(*sorted(literals))

    def _exclude_dead_pairs(self, one: Layers, here: list[Positions], other: Layers, there: list[Positions]) -> None:
        """Positions of two mazes that no string can be in at once, or from which none solves both in time."""
        for place, pairs in enumerate(dead_pairs(one, other, self.window)):
            for a, b in pairs:
                self.formula.add_folded(-here[place][a], -there[place][b])


class StatesEncoder(PrunedEncoder):
    """The same with the states of the maze's minimal automaton as positions: what was visited is part of them (`windows.py`).

    Each state that is left is one from which some filling solves the maze, so a direction that no filling of a maze has is
    found by unit propagation, and lemmas are exact joint distances for thin mazes too. Meant for windows: without a fixed prefix
    and suffix a maze of 3x3 has some hundred states a step.
    """

    def _layers(self, maze: Maze) -> StateLayers:
        return StateLayers(maze, self.window)

    def _cells_are_visited(self, layers: StateLayers, at: list[Positions]) -> None:
        """Nothing new: only states that the suffix completes are allowed at the end."""
