"""A folder that keeps the finished parts of an enumeration, so that it can be stopped (or killed) and continued.

`state.json` says to which problem it belongs, how that is split and which parts were divided later. `part-K.txt` is a line of
JSON, which names the problem, the part and its cubes, and then the solutions of part K, one a line. Both have a checksum of all
that is in them (`sha256`, over the object without it and over the lines), so a file that was edited, cut short, or belongs to
another part or problem is told, not counted. All appear whole: a kill loses the parts in flight, no more. Only one process at a
time may use a folder.

Parts that versions 0.1.0 and 0.2.0 kept (in states of version 1) are solutions and a line `end N`, without a checksum:
`state.json` lists them as `unsealed`. That none of their solutions was lost cannot be seen, and is told.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.atomicfiles import write_whole
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.regularfiles import content_of
from cnfgen_puzzles.counting.problem import Cube, Part, Parts, Problem

SCHEMA = "cnfgen-puzzles/enumeration"
PART_SCHEMA = "cnfgen-puzzles/enumeration-part"
VERSION = 2
UNSEALED_VERSION = 1

PART_NAME = re.compile(r"part-(\d{5,})\.txt", re.ASCII)
AGAIN = "remove the file, and the part is searched again"


class State:
    """The folder of one enumeration; made if it is not there. InputError if it is used for something else, or was changed.

    `parts` are those of the search, `unsealed` the numbers of those whose files have no checksum.
    """

    def __init__(self, folder: Path, problem: Problem, cubes: Sequence[Cube]):
        self.folder = folder
        self.unsealed: set[int] = set()
        self._path = folder / "state.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = (folder / "lock").open("a")
        except OSError as error:
            raise InputError(f"cannot keep a state here: {error.strerror or error}", source=str(folder)) from None
        try:
            self._lock_folder()
            self._identity, self._variables = problem.identity(), problem.cnf.num_variables
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
        except OSError as error:
            raise InputError(f"cannot be locked: {error.strerror or error}", source=str(self.folder)) from None

    # -- state.json -----------------------------------------------------------------------------------------------------

    def _begin(self, cubes: Sequence[Cube]) -> Parts:
        """The parts of the state; those of the cubes given if it is new."""
        content = content_of(self._path)
        if content is None:
            self.parts = Parts(cubes)
        else:
            version, self.parts, self.unsealed = self._read(content)
        there = self._files()
        if content is None and there:
            raise InputError("found parts, but no state.json that says how the search is split", source=str(self.folder))
        if strays := there.keys() - set(self.parts.numbers()):
            stray = there[min(strays)]
            raise InputError("found a part that the search has not, as state.json tells it", source=str(stray))
        if content is None or version == UNSEALED_VERSION:
            self.unsealed = set(there)
            self._write()
        return self.parts

    def _read(self, content: bytes) -> tuple[int, Parts, set[int]]:
        """The version of state.json, its parts, and which of them are unsealed."""
        try:
            entry = _object(content)
            schema, version, found = entry["schema"], entry["version"], entry["problem"]
            if (schema, version) not in ((SCHEMA, VERSION), (SCHEMA, UNSEALED_VERSION)):
                told = f"found {schema} version {version}, expected {SCHEMA} version {VERSION}"
                raise InputError(told, source=str(self._path))
            if version == VERSION and entry.pop("sha256", None) != _seal(entry):
                raise ValueError("its checksum is not that of its content")
            cubes = [self._literals(cube) for cube in _listed(entry["cubes"])]
            divisions = [
                (_number(number), self._literals(by)) for number, by in map(_listed, _listed(entry.get("divisions", [])))
            ]
            parts = Parts(cubes, divisions)
            unsealed = {_number(number) for number in _listed(entry.get("unsealed", []))}
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(f"damaged state: {type(error).__name__}: {error}", source=str(self._path)) from None
        if found != self._identity:
            told = f"its formula and projection set have sha256 {str(found)[:12]}..., expected {self._identity[:12]}..."
            raise InputError(f"this state belongs to another problem: {told}", source=str(self._path))
        return version, parts, unsealed

    def _literals(self, listed: Any) -> Cube:
        """A cube: literals of the formula."""
        cube = tuple(_number(literal) for literal in _listed(listed))
        for literal in cube:
            if not 0 < abs(literal) <= self._variables:
                raise ValueError(f"found the literal {str(literal)[:40]}, the formula has {self._variables} variables")
        return cube

    def _files(self) -> dict[int, Path]:
        """The files of parts that are there, by the number in their names."""
        try:
            names = [(PART_NAME.fullmatch(name), name) for name in os.listdir(self.folder)]
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", source=str(self.folder)) from None
        return {int(match[1]): self.folder / name for match, name in names if match}

    def _write(self) -> None:
        entry: dict[str, Any] = {"schema": SCHEMA, "version": VERSION, "problem": self._identity, "cubes": self.parts.cubes}
        if self.parts.divisions:
            entry["divisions"] = self.parts.divisions
        if self.unsealed:
            entry["unsealed"] = sorted(self.unsealed)
        write_whole(self._path, json.dumps(entry | {"sha256": _seal(entry)}) + "\n")

    # -- parts ----------------------------------------------------------------------------------------------------------

    def path(self, part: int) -> Path:
        """The file of a part."""
        return self.folder / f"part-{part:05}.txt"

    def finished(self, part: int) -> list[str] | None:
        """The solutions of a finished part as lines; None if it is not finished. InputError if its file is not as it was kept."""
        path = self.path(part)
        content = content_of(path)
        if content is None or content.startswith(b"{"):
            self.unsealed.discard(part)  # it was removed: what was searched since has a checksum
        if content is None:
            return None
        try:
            return _unsealed_lines(content) if part in self.unsealed else self._sealed_lines(part, content)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            told = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
            raise InputError(f"damaged part: {told}; {AGAIN}", source=str(path)) from None

    def keep(self, part: int, solutions: Sequence[str]) -> None:
        """Note the solutions of a part that is now finished."""
        header, body = self._header(part, len(solutions)), "".join(f"{line}\n" for line in solutions)
        write_whole(self.path(part), json.dumps(header | {"sha256": _seal(header, body)}) + "\n" + body)

    def _header(self, number: int, solutions: int) -> dict[str, Any]:
        """What the file of a part says of it. The cubes that it leaves out may be many: they are told by their checksum."""
        part: Part = self.parts[number]
        without = hashlib.sha256(json.dumps([list(cube) for cube in part.without]).encode()).hexdigest()
        return {
            "schema": PART_SCHEMA, "version": VERSION, "problem": self._identity, "part": number, "cube": list(part.cube),
            "without": without, "solutions": solutions,
        }  # fmt: skip

    def _sealed_lines(self, number: int, content: bytes) -> list[str]:
        first, _, rest = content.partition(b"\n")
        entry, body = _object(first), rest.decode("ascii")
        if entry.pop("sha256", None) != _seal(entry, body):
            raise ValueError("its checksum is not that of its content")
        lines = body.splitlines()
        for name, expected in self._header(number, len(lines)).items():
            if entry[name] != expected:
                raise ValueError(f"found {name} {str(entry[name])[:60]}, expected {str(expected)[:60]}")
        return lines

    def close(self) -> None:
        self._lock.close()


def _unsealed_lines(content: bytes) -> list[str]:
    """The solutions in a file of version 0.1.0 or 0.2.0."""
    lines = content.decode("ascii").splitlines()
    if not lines or lines[-1] != f"end {len(lines) - 1}":
        raise ValueError("its last line does not tell how many solutions it has")
    return lines[:-1]


def problem_of_state(folder: Path) -> str | None:
    """`Problem.identity` of the problem whose state is in a folder; None where there is none, or a damaged one."""
    try:
        found = _object(content_of(folder / "state.json") or b"")["problem"]
    except (InputError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return found if isinstance(found, str) else None


def _seal(entry: Mapping[str, Any], body: str = "") -> str:
    """The checksum (hex) of an object and of the text after it."""
    return hashlib.sha256(f"{json.dumps(entry, sort_keys=True)}\n{body}".encode()).hexdigest()


def _object(content: bytes) -> dict[str, Any]:
    entry = json.loads(content)
    if not isinstance(entry, dict):
        raise TypeError("found no JSON object")
    return entry


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"found {str(value)[:40]}, expected a list")
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"found {str(value)[:40]}, expected an integer")
    return value
