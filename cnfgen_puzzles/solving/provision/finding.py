"""Where the program of a solver is looked for, in which order, and what helps where it is not found.

1. `$CNFGEN_SOLVER_NAME`
2. the user's file
3. installed by `cnf-solvers install` or `make solvers` (`places.homes`)
4. ready-made in a Python package that is installed (`pip install 'cnfgen-puzzles[solvers]'`)
5. PATH, and beside this Python
6. a Python module that runs as this solver
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from cnfgen_puzzles.solving.executables import is_executable, named_executable
from cnfgen_puzzles.solving.provision.places import bins, user_file

NAMED, INSTALLED, WHEEL, SYSTEM, MODULE = "named", "installed", "wheel", "PATH", "module"
"""Kinds of places."""
EXTRA = "pip install 'cnfgen-puzzles[solvers]'"
"""What brings solvers without a compiler."""


class Findable(Protocol):
    """What must be known of a solver to find its program (`table.Solver`)."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def variable(self) -> str: ...
    @property
    def program(self) -> str: ...
    @property
    def executable(self) -> str | None: ...
    @property
    def module(self) -> str | None: ...
    @property
    def module_needs(self) -> str | None: ...
    @property
    def source(self) -> str: ...
    @property
    def line(self) -> int | None: ...
    @property
    def build(self) -> Mapping[str, Any] | None: ...
    @property
    def get(self) -> str: ...
    @property
    def like(self) -> Findable | None: ...


@dataclass(frozen=True)
class Place:
    """One place of the search: its kind, what a person calls it, and the program that is there (None: there is none)."""

    kind: str
    title: str
    program: Path | None


def search(solver: Findable) -> Iterator[Place]:
    """All places in their order. InputError at one that the user has named and that has no program: nothing comes after it."""
    override = os.environ.get(solver.variable)
    title = f"${solver.variable}"
    yield Place(NAMED, title, None if override is None else named_executable(override, source=title))
    if solver.executable is None:
        yield Place(NAMED, str(user_file()), None)
    else:
        place = solver.source if solver.line is None else f"{solver.source}:{solver.line}"
        yield Place(NAMED, place, named_executable(solver.executable, source=solver.source, line=solver.line))
    if solver.like is not None:
        yield from search(solver.like)
        return
    for folder in bins():
        yield _program_at(INSTALLED, str(folder / solver.name), folder / solver.name)
    if carried := (solver.build or {}).get("prebuilt", {}).get("pip"):
        inside = [Path(entry) / carried["member"] for entry in sys.path if os.path.isabs(entry)]
        found = next(filter(is_executable, inside), None)
        yield Place(WHEEL, f"the Python package {carried['requirement'].partition('==')[0]}", found)
    beside_python = Path(sys.executable).parent  # where pip puts programs, also those of an environment that is not active
    there = shutil.which(solver.program, path=f"{os.environ.get('PATH', os.defpath)}{os.pathsep}{beside_python}")
    yield Place(SYSTEM, f"{solver.program} on PATH", Path(there).absolute() if there else None)
    if solver.module:
        found = Path(sys.executable) if all(map(_importable, (solver.module_needs or solver.module, solver.module))) else None
        yield Place(MODULE, f"the Python module {solver.module_needs or solver.module}", found)


def find(solver: Findable) -> Place | None:
    """The first place that has its program. InputError as in `search`."""
    return next((place for place in search(solver) if place.program), None)


def not_there(solver: Findable) -> str:
    """The message for a solver that is nowhere: what helps first, then where it was looked for."""
    looked = ", ".join(place.title for place in search(solver))
    return f"the {solver.kind} {solver.name} is not there: {how_to_get(solver)} (looked at {looked})"


def how_to_get(solver: Findable) -> str:
    """The one command that helps where a solver is not there; a second one where that needs a compiler and there may be none."""
    if solver.like is not None:
        return how_to_get(solver.like)
    if solver.build and solver.kind == "checker":
        return f"`cnf-solvers install {solver.name}` gets it"
    if solver.build:
        carried = solver.build.get("prebuilt", {}).get("pip")
        return f"`cnf-solvers install {solver.name}` gets it" + (f", or {EXTRA}" if carried else "")
    if solver.get:
        return f"`{solver.get}` gets it"
    return f"install it, or name its program in ${solver.variable}"


def _program_at(kind: str, title: str, path: Path) -> Place:
    return Place(kind, title, path if is_executable(path) else None)


def _importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):  # of a package that is broken, or not there
        return False
