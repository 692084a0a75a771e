"""The engine that lets clasp enumerate by itself: an external program, started by the worker, one run a part.

clasp backtracks from solution to solution and adds no clauses. It learns the projection set from a line `c project 1 2 3 0`
after the header (with --parse-ext), and prints whole models, so each is checked against the formula.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from cnfgen_puzzles.errors import CnfgenError
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.solving.enumeration.certify import Checker
from cnfgen_puzzles.solving.enumeration.problem import Part, Problem

OPTIONS = ("--verbose=1", "--quiet=0", "--models=0", "--configuration=crafty", "--parse-ext", "--project=project,3")
"""crafty was the fastest of clasp's configurations on tilings (docs/counting.md)."""


class Native:
    """All solutions of a part by clasp; `command` starts it."""

    def __init__(self, problem: Problem, command: Sequence[str], folder: Path):
        self._problem = problem
        self._command = [*command, *OPTIONS]
        self._folder = folder
        self._projection = frozenset(problem.projection)
        self._checker = Checker(problem.cnf)
        self._text = "".join(f"{' '.join(map(str, clause))} 0\n" for clause in problem.cnf.clauses())

    def solutions(self, part: Part) -> Iterator[list[int]]:
        path = self._folder / "part.cnf"
        self._write(path, part)
        with subprocess.Popen([*self._command, str(path)], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as clasp:
            reader = _Reader(clasp.stdout)
            for true in reader.models():
                if not self._checker.holds(true):
                    raise CnfgenError("clasp gives a model that falsifies a clause")
                yield sorted(true & self._projection)
        reader.check_complete(clasp.returncode)

    def _write(self, path: Path, part: Part) -> None:
        """The formula with the part's clauses, and a fresh variable that is true: clasp needs a clause and something to show."""
        cnf, more = self._problem.cnf, part.clauses()
        dummy = cnf.num_variables + 1
        header = f"p cnf {dummy} {cnf.num_clauses + len(more) + 1}\n"
        projection = f"c project {' '.join(map(str, (*self._problem.projection, dummy)))} 0\n"
        added = "".join(f"{' '.join(map(str, clause))} 0\n" for clause in [*more, [dummy]])
        path.write_text(header + projection + self._text + added)


class _Reader:
    """What clasp prints: `v` lines with a model each, the verdict, and how many models it says there were."""

    def __init__(self, stream: IO[bytes]):
        self._stream = stream
        self._verdict = b""
        self._told = b""
        self._count = 0

    def models(self) -> Iterator[set[int]]:
        tokens: list[bytes] = []
        for line in self._stream:
            if line.startswith(b"v "):
                tokens += line[2:].split()
                if tokens[-1] == b"0":
                    self._count += 1
                    yield {int(token) for token in tokens if not token.startswith((b"-", b"0"))}
                    tokens = []
            elif line.startswith(b"s "):
                self._verdict = line[2:].strip()
            elif line.startswith(b"c Models "):
                self._told = line.partition(b":")[2].strip()

    def check_complete(self, code: int) -> None:
        """CnfgenError unless clasp says that these models were all: `17+` means that it stopped early."""
        expected = b"SATISFIABLE" if self._count else b"UNSATISFIABLE"
        if self._verdict != expected or self._told != str(self._count).encode():
            told = f"says {self._verdict.decode() or 'nothing'} and {self._told.decode() or 'no number of'} models"
            raise CnfgenError(f"clasp printed {self._count} models, {told}, exits with {code}")
