"""What a family gives whose puzzles can be solved by thought: steps that a person can follow and a program can replay."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

DEPTH = 2
"""How many assumptions are made within each other at most, if nobody says otherwise."""
LOOKS = 500_000
"""Lines looked at for looking ahead at most, if nobody says otherwise: some seconds."""
Boards = Callable[[], Iterable[Any]]
"""Finds solutions of a puzzle that differ much, the more the better; none where there is none, or none that is soon found."""


@dataclass(frozen=True)
class ExplainedStep:
    """One step in words, and as JSON for who replays it: what fields it has is the family's affair, `technique` among them."""

    text: str
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class Explanation:
    """How a puzzle is solved by thought, as far as that goes.

    `status` is SATISFIABLE where every cell followed, so that `board` is the only solution; UNSATISFIABLE where no solution is
    left; else UNKNOWN, and `board` has what is known, None where nothing is. `sentence` says which, and why it ended.
    `difficulty` has numbers and words by name, for the whole puzzle; where it was not solved they are of what was done.
    """

    puzzle: Any
    steps: tuple[ExplainedStep, ...]
    status: str
    sentence: str
    board: Any
    difficulty: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Everything but the puzzle and its board, which the family writes."""
        return {"status": self.status, "sentence": self.sentence, "difficulty": dict(self.difficulty)}

    def __repr__(self) -> str:
        return f"<Explanation: {self.sentence}>"


class Explaining(ABC):
    """Solves puzzles of a family by thought."""

    @abstractmethod
    def explain(
        self, puzzle: Any, *, depth: int = DEPTH, looks: int = LOOKS, most: int | None = None, boards: Boards | None = None
    ) -> Explanation:
        """The steps from what is known of the puzzle on; the next is the easiest. They end after `most` that
        say what some part of the board is; with 1, a hint, they are only those that it needs.

        `depth` assumptions are made within each other at most (0: none), and `looks` lines are looked at for them at most.
        No step rests on `boards`: they say only what need not be tried, since it is true in some solution, and where several
        differ.
        """

    @abstractmethod
    def board_to_json(self, puzzle: Any, board: Any) -> Any:
        """A board of which not everything is known."""
