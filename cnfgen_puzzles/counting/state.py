"""A folder that keeps the finished parts of an enumeration, so that it can be stopped (or killed) and continued.

`state.json` says to which problem it belongs, how that is split and which parts were divided later; `part-K.txt` holds the
solutions of part K, one a line, and ends with a line `end N`. All appear whole: a kill loses the parts in flight, no more. A part
that is damaged is done again. Only one process at a time may use a folder.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Sequence
from pathlib import Path

from cnfgen_puzzles.counting.problem import Cube, Parts, Problem
from cnfgen_puzzles.ground.atomicfiles import write_whole
from cnfgen_puzzles.ground.errors import InputError

SCHEMA = "cnfgen-puzzles/enumeration"
VERSION = 1


class State:
    """The folder of one enumeration; made if it is not there. InputError if it is used for something else."""

    def __init__(self, folder: Path, problem: Problem, cubes: Sequence[Cube]):
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = (folder / "lock").open("a")
        except OSError as error:
            raise InputError(f"cannot keep a state here: {error.strerror or error}", source=str(folder)) from None
        try:
            self._lock_folder()
            self._identity = problem.identity()
            self.parts = self._begin(cubes)
            self.parts.on_divide = self._write
        except BaseException:
            self._lock.close()
            raise

    def _lock_folder(self) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError("another process is using this state", source=str(self.folder)) from None

    def _begin(self, cubes: Sequence[Cube]) -> Parts:
        """The parts of the state; those of the cubes given if it is new."""
        path = self.folder / "state.json"
        if not path.exists():
            self.parts = Parts(cubes)
            self._write()
            return self.parts
        try:
            entry = json.loads(path.read_text())
            schema, version, found = entry["schema"], entry["version"], entry["problem"]
            kept = [tuple(int(literal) for literal in cube) for cube in entry["cubes"]]
            divisions = [(int(number), [int(literal) for literal in by]) for number, by in entry.get("divisions", ())]
            parts = Parts(kept, divisions)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"damaged state: {type(error).__name__}: {error}", source=str(path)) from None
        if (schema, version) != (SCHEMA, VERSION):
            raise InputError(f"found {schema} version {version}, expected {SCHEMA} version {VERSION}", source=str(path))
        if found != self._identity:
            told = f"its formula and projection set have sha256 {found[:12]}..., expected {self._identity[:12]}..."
            raise InputError(f"this state belongs to another problem: {told}", source=str(path))
        return parts

    def _write(self) -> None:
        entry = {"schema": SCHEMA, "version": VERSION, "problem": self._identity, "cubes": self.parts.cubes}
        if self.parts.divisions:
            entry["divisions"] = self.parts.divisions
        write_whole(self.folder / "state.json", json.dumps(entry) + "\n")

    def finished(self, part: int) -> list[str] | None:
        """The solutions of a finished part as lines; None if it is not finished, or its file is damaged."""
        try:
            lines = self._path(part).read_text().splitlines()
        except (OSError, UnicodeDecodeError):
            return None
        if not lines or lines[-1] != f"end {len(lines) - 1}":
            return None
        return lines[:-1] if all(_is_solution(line) for line in lines[:-1]) else None

    def keep(self, part: int, solutions: Sequence[str]) -> None:
        """Note the solutions of a part that is now finished."""
        write_whole(self._path(part), "".join(f"{line}\n" for line in (*solutions, f"end {len(solutions)}")))

    def _path(self, part: int) -> Path:
        return self.folder / f"part-{part:05}.txt"

    def close(self) -> None:
        self._lock.close()


def _is_solution(line: str) -> bool:
    return all(word.isascii() and word.isdigit() for word in line.split(" ")) if line else True
