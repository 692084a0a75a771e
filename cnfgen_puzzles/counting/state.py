"""The state of an enumeration: a folder with a journal of its finished parts, from which a later call resumes.

`parts.jsonl` is a `common.journal` whose head names the problem. Each further line is a division of a part, or a finished part
with its solutions and a digest of its cube. A kill loses the parts in flight. A line that was edited or cut off, or is from
another state, is an error; parts whose lines are missing are searched again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.digests import digest_of_json
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.journal import Journal, JournalLine
from cnfgen_puzzles.common.readers.strictjson import member, whole
from cnfgen_puzzles.counting.problem import Cube, Parts, Problem
from cnfgen_puzzles.formula.blocks import LARGEST

SCHEMA, VERSION = "cnfgen-puzzles/enumeration", 4
NAME = "parts.jsonl"
AGAIN = "remove the folder to start the search again"


class EnumerationState:
    """The state of one enumeration in a folder, which is created if needed; `parts` are those of the search.

    InputError for the state of another problem, one that another process uses, and a damaged one.
    """

    def __init__(self, folder: Path, problem: Problem):
        self.path = folder / NAME
        self._journal = Journal(self.path, {"schema": SCHEMA, "version": VERSION, "problem": problem.identity()})
        self._projection = frozenset(problem.projection)
        self._finished: dict[int, int] = {}  # from a part to its position in the journal
        self.parts = Parts()
        try:
            self._journal.resume(self._take, AGAIN)
            if strays := self._finished.keys() - set(self.parts.numbers()):
                raise InputError(f"damaged state: found part {min(strays)}, which is divided; {AGAIN}", source=str(self.path))
        except BaseException:
            self.close()
            raise
        self.parts.on_divide = lambda number, literals: self._journal.append({"divided": number, "by": literals})

    def _take(self, line: JournalLine) -> None:
        """Read a line: a division, or a finished part."""
        entry = line.entry
        if "divided" in entry:
            self.parts.divide(whole(entry["divided"], 0, LARGEST), self._literals(entry["by"]))
        else:
            number = whole(entry["part"], 0, LARGEST)
            if number in self._finished:
                raise ValueError(f"found part {number} twice")
            if entry["identity"] != digest_of_json(self.parts[number]):
                raise ValueError(f"found part {number} of another split")
            self._finished[number] = line.offset

    def _literals(self, value: Any) -> Cube:
        if not isinstance(value, list) or not all(type(literal) is int and abs(literal) in self._projection for literal in value):
            raise ValueError(f"found {str(value)[:60]}, expected literals of the projection variables")
        return tuple(value)

    def finished(self, number: int) -> list[str] | None:
        """The solutions of a finished part as lines; None if it is not finished."""
        offset = self._finished.get(number)
        return None if offset is None else member(self._journal.entry(offset), "solutions", str).splitlines()

    def keep(self, number: int, solutions: Sequence[str]) -> None:
        """Keep the solutions of a part that is now finished."""
        text = "".join(f"{line}\n" for line in solutions)
        entry = {"part": number, "identity": digest_of_json(self.parts[number]), "solutions": text}
        self._finished[number] = self._journal.append(entry)

    def close(self) -> None:
        """Release the folder."""
        self._journal.close()
