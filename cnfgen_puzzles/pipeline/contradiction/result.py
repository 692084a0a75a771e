"""What of a puzzle contradicts the rest of it, as a result: in words, as JSON, and as boards to compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.evidence.basis import Evidence, evidence_json
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.families.capabilities import Given, Givens
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE

SHOWN, SHOWN_SETS = 12, 4
"""So many of a set are told in words, and so many sets of several."""


@dataclass(frozen=True)
class ContradictingSet:
    """Things given that contradict the rest of the puzzle together. `minimal`: no fewer of them do, for each is left out in a
    board that was checked; `numbers` are their places among all that is given."""

    givens: tuple[Given, ...]
    numbers: tuple[int, ...]
    minimal: bool


@dataclass(frozen=True, repr=False)
class Contradiction:
    """Why a puzzle has no solution, as far as it lies in what is given: cells known beforehand, digits of a sudoku.

    `alone` is the status of the puzzle without any of it: UNSATISFIABLE where it is not to blame. The `sets` have nothing in
    common, and where `rest` is a board, it has all that is in none of them. `evidence` is what it rests on that the sets
    contradict (or that the puzzle has no solution alone). `reason` says why not all is known, empty where it is.
    """

    family: Family
    puzzle: Puzzle
    alone: str
    sets: tuple[ContradictingSet, ...] = ()
    rest: Board | None = None
    evidence: Evidence | None = None
    reason: str = ""
    interrupted: bool = False

    def __repr__(self) -> str:
        sizes = f"sets of {', '.join(str(len(each.numbers)) for each in self.sets)}" if self.sets else ""
        return showing.in_brackets("Contradiction", self.family.describe(self.puzzle), sizes, self.reason)

    @property
    def _kind(self) -> Givens:
        assert self.family.givens is not None  # else nobody asked
        return self.family.givens

    @property
    def numbers(self) -> list[int]:
        """Those of all sets."""
        return sorted(number for each in self.sets for number in each.numbers)

    def remaining(self) -> Puzzle:
        """The puzzle without what contradicts."""
        every = range(self._kind.count(self.puzzle))
        remaining: Puzzle = self._kind.only(self.puzzle, set(every).difference(self.numbers))
        return remaining

    def sentence(self) -> str:
        """What is true, and which they are, in lines."""
        kind, grounds = self._kind, self.evidence.words() if self.evidence else ""
        if self.alone == UNSATISFIABLE:
            return f"The {kind.rest} alone have no solution{grounds}."
        if not self.sets:
            told = f"it is not known which {kind.name}s contradict the {kind.rest}: {self.reason}"
            return "".join([told[0].upper(), told[1:], "."]) if self.reason else f"The {kind.name}s contradict nothing."
        lines = [f"The {kind.rest} alone have a solution." if self.alone == SATISFIABLE else ""]
        singles = [each for each in self.sets if len(each.numbers) == 1 and each.minimal]
        several = [each for each in self.sets if each not in singles]
        for sets in filter(None, (singles, *([each] for each in several[:SHOWN_SETS]))):
            words = [f"  {given.words}" for each in sets for given in each.givens]
            lines += [self._heading(sets, grounds), *words[:SHOWN]]
            lines += [f"  and {len(words) - SHOWN} more"] * (len(words) > SHOWN)
        lines += [f"And {len(several) - SHOWN_SETS} more such sets."] * (len(several) > SHOWN_SETS)
        lines.append(self._others())
        return "\n".join(filter(None, lines))

    def _heading(self, sets: Sequence[ContradictingSet], grounds: str) -> str:
        """What is said of a set, or of several of one thing each."""
        name, rest, count = self._kind.name, self._kind.rest, len(sets[0].numbers)
        if len(sets) > 1:
            return f"Each of these {len(sets)} {name}s contradicts the {rest}{grounds}:"
        if not sets[0].minimal:
            return f"These {count} {name}s contradict the {rest}{grounds}; fewer of them may do ({self.reason}):"
        if count == 1:
            return f"This {name} contradicts the {rest}{grounds}:"
        return f"These {count} {name}s contradict the {rest} together, and no fewer of them do{grounds}:"

    def _others(self) -> str:
        """What is known of those in no set."""
        others = self._kind.count(self.puzzle) - len(self.numbers)
        if self.rest is not None:
            return f"Without {'it' if len(self.numbers) == 1 else 'them'} there is a solution." if others else ""
        return f"Whether there is a solution without them is not known: {self.reason}." if others else ""

    def to_json(self) -> dict[str, Any]:
        """All that is known, as JSON; `solution_without`: whether there is a board with what is in no set (null: not known)."""
        return {
            "alone": self.alone,
            "given": self._kind.count(self.puzzle),
            "sets": [{"minimal": each.minimal, "given": [dict(given.entry) for given in each.givens]} for each in self.sets],
            "evidence": evidence_json(self.evidence),
            "solution_without": True if self.rest is not None else None,
            "reason": self.reason,
        }

    def boards(self) -> Sequence[Board]:
        """What is given, and what of it contradicts nothing: two boards of which nothing else is known, to be drawn compared.
        None where the family does not draw that."""
        found: list[Any] = [self.family.blank(puzzle) for puzzle in (self.puzzle, self.remaining())] if self.sets else []
        return [] if None in found else found
