"""The engine that lets clasp enumerate by itself: an external program, started by the worker, one run a part.

clasp backtracks from solution to solution and adds no clauses. It prints whole models, so each is checked against the formula.
It is not told the projection set until two models turn out to be the same solution: where the auxiliary variables are functions
of the others, as in all encodings here, that never happens, and without it clasp is up to twice as fast. If it happens, clasp is
started anew with a line `c project 1 2 3 0` after the header, which it reads with --parse-ext.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from collections.abc import Generator, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import IO

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.counting.problem import Part, Problem
from cnfgen_puzzles.counting.starved import StarvedParts
from cnfgen_puzzles.evidence.modelcheck import Checker
from cnfgen_puzzles.formula import Cnf

OPTIONS = (
    "--verbose=1", "--quiet=0", "--models=0", "--configuration=crafty", "--sat-prepro=0", "--contraction=no", "--otfs=0",
    "--counter-restarts=no", "--del-init=3.0,500,3000", "--del-max=3000",
)  # fmt: skip
"""crafty was the fastest of clasp's configurations on tilings, and is faster with fewer learnt clauses (docs/counting.md)."""

PIPE = 1 << 20  # bytes: a model may have tens of thousands

PROJECTED = ("--parse-ext", "--project=project,3")


TRUE = re.compile(rb" (\d+)")
"""The true literals of a `v` line: most of the thousands are false and need not become numbers."""


class Native:
    """All solutions of a part by clasp; `command` starts it."""

    def __init__(self, problem: Problem, command: Sequence[str], folder: Path):
        self._problem = problem
        self._command = [*command, *OPTIONS]
        self._folder = folder
        self._projection = frozenset(problem.projection)
        self._text = _clauses_text(problem.cnf)

    @cached_property
    def _checker(self) -> Checker:
        """Made when clasp has been started, which takes as long to read the formula."""
        return Checker(self._problem.cnf)

    @cached_property
    def _starved(self) -> StarvedParts:
        return StarvedParts(self._problem)

    def solutions(self, part: Part) -> Iterator[list[int]]:
        path = self._folder / "part.cnf"
        self._write(path, part)
        seen: set[tuple[int, ...]] = set()
        for options in ((), PROJECTED):
            with contextlib.closing(self._models([*self._command, *options, str(path)])) as models:
                for true in models:
                    solution = sorted(true & self._projection)
                    if tuple(solution) not in seen:
                        seen.add(tuple(solution))
                        yield solution
                    elif not options:
                        break
                else:
                    return

    def _models(self, command: Sequence[str]) -> Generator[set[int]]:
        """The models that clasp prints, checked; CnfgenError unless they are all. Closing this ends clasp."""
        # this variable would make the Python module clingo write each literal by itself, which takes longer than the search
        env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, pipesize=PIPE, env=env) as clasp:
            assert clasp.stdout is not None
            reader = _Reader(clasp.stdout)
            try:
                holds = self._checker.holds
                for true in reader.models():
                    if not holds(true):
                        raise CnfgenError("clasp gives a model that falsifies a clause")
                    yield true
            except BaseException:
                clasp.kill()
                raise
        reader.check_complete(clasp.returncode)

    def _write(self, path: Path, part: Part) -> None:
        """The formula with the part's clauses, and a fresh variable that is true: clasp needs a clause and something to show."""
        cnf, more = self._problem.cnf, part.clauses()
        if part.cube:
            more += map(list, self._starved.clauses(part))
        dummy = cnf.num_variables + 1
        header = f"p cnf {dummy} {cnf.num_clauses + len(more) + 1}\n"
        projection = f"c project {' '.join(map(str, (*self._problem.projection, dummy)))} 0\n"
        added = "".join(f"{' '.join(map(str, clause))} 0\n" for clause in [*more, [dummy]])
        path.write_text(f"{header}{projection}{self._text}{added}")


def _clauses_text(cnf: Cnf) -> str:
    """The clauses in DIMACS, a line each: numbers become text by a table, since there are millions."""
    positive = [f"{number} " for number in range(1, cnf.num_variables + 1)]
    text = [
        "0\n",
        *positive,
        *(f"-{each}" for each in reversed(positive)),
    ]  # so that literal x is at text[x], below 0 from behind
    return "".join(map(text.__getitem__, cnf.literals))


class _Reader:
    """What clasp prints: `v` lines with a model each, the verdict, and how many models it says there were."""

    def __init__(self, stream: IO[bytes]):
        self._stream = stream
        self._verdict = b""
        self._told = b""
        self._count = 0

    def models(self) -> Iterator[set[int]]:
        true: set[int] = set()
        for line in self._stream:
            if line.startswith(b"v "):
                true.update(map(int, TRUE.findall(line)))
                if line.endswith(b" 0\n"):
                    self._count += 1
                    yield true - {0}
                    true = set()
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
