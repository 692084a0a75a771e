"""Installs a program into a home (`places`): from source where that can be built, else ready-made; tried before it is put there.

    install(find_solver("kissat"), home(), say=print, works=lambda program: "")

One at a time for each solver, whoever calls. The note NAME.json and then the program move to their places, each in one step, so
an interrupted installation leaves the old program or none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.provision import needs
from cnfgen_puzzles.solving.provision.build import BuildError, built, compilers
from cnfgen_puzzles.solving.provision.fetch import Say, checksum, fetch_archive, fetch_prebuilt, fits_machine, locked
from cnfgen_puzzles.solving.provision.finding import EXTRA
from cnfgen_puzzles.solving.provision.places import FOLDER
from cnfgen_puzzles.solving.provision.registries import FetchError
from cnfgen_puzzles.solving.table import Solver

PATIENCE = 1800.0
"""Seconds that a build may take unless told otherwise: twenty times what the slowest needs."""

Works = Callable[[Path], str]
"""What is wrong with a program, empty if nothing is."""


@dataclass(frozen=True)
class Ways:
    """How a solver may be installed: by default from source, and ready-made where that fails."""

    source: bool = True
    ready_made: bool = True
    jobs: int = 1
    seconds: float = PATIENCE


def install(solver: Solver, home: Path, *, say: Say, works: Works, ways: Ways = Ways(), force: bool = False) -> Path:
    """The path of the installed program; `say` is told each step in a line, with `force` what is there and whole is made again.

    Raises CnfgenError where no way leads to a program that `works`, InputError for a folder that takes none.
    """
    if not solver.build:
        raise InputError(f"{solver.name} is not installed by this command: {solver.get or 'its recipe has no part `build`'}")
    try:
        place = home / "bin" / solver.name
        with _own(solver, home, say):
            if not force and is_current(solver, home):
                say(f"{_version(home, solver)} is there already: {place}")
                return place
            started = time.monotonic()
            (home / "bin").mkdir(exist_ok=True)
            facts = _first_that_works(solver, home, say, works, ways)
            say(f"{facts['version']} installed in {time.monotonic() - started:.0f} s ({facts['origin']}): {place}")
            return place
    except OSError as error:
        where = error.filename or home
        raise InputError(f"cannot be written: {error.strerror}; name another folder in ${FOLDER}", source=str(where)) from None


def remove(solver: Solver, home: Path, say: Say) -> bool:
    """Whether an installed program was there; it is gone, with its note and log. One that runs goes on to its end."""
    files = [home / "bin" / solver.name, home / "bin" / f"{solver.name}.json", home / "build" / f"{solver.name}.log"]
    if not any(file.exists() for file in files):
        return False
    try:
        with _own(solver, home, say):
            for file in files:
                file.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot be removed: {error.strerror}", source=str(error.filename or home)) from None
    return True


def is_current(solver: Solver, home: Path) -> bool:
    """Whether the installed program is whole and comes from the recipe as it is now."""
    note, binary = note_of(home / "bin" / solver.name), home / "bin" / solver.name
    if note is None or not os.access(binary, os.X_OK):
        return False
    recipes = (fingerprint(solver), ready_fingerprint(solver))
    return note.get("recipe") in recipes and note.get("binary_sha256") == checksum(binary)


def note_of(program: Path) -> Mapping[str, Any] | None:
    """What was noted when a program was installed; None for one that was not, or whose note cannot be read."""
    try:
        note = json.loads(program.with_name(f"{program.name}.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return note if isinstance(note, dict) and program.is_file() else None


def fingerprint(solver: Solver) -> str:
    """What a program that was built depends on: the source and what is done with it; not the prose, not where it is fetched."""
    parts = {key: value for key, value in (solver.build or {}).items() if key not in ("archive", "origins", "needs", "prebuilt")}
    return hashlib.sha256(json.dumps([solver.version, parts], sort_keys=True).encode()).hexdigest()


def ready_fingerprint(solver: Solver) -> str:
    """The same of a ready-made program."""
    return str((solver.build or {}).get("prebuilt", {}).get("sha256", ""))


def _first_that_works(solver: Solver, home: Path, say: Say, works: Works, ways: Ways) -> Mapping[str, Any]:
    build = solver.build or {}
    prebuilt = build.get("prebuilt")
    lacking = needs.missing(build.get("needs", needs.DEFAULT)) if ways.source else []
    if ways.source and not lacking:
        try:
            return _from_source(solver, home, say, works, ways)
        except (BuildError, FetchError) as error:
            if not (ways.ready_made and prebuilt):
                raise
            say(f"not built from source: {error}")
    elif lacking:
        say(f"cannot be built here: {needs.how_to_get(lacking)}")
    if prebuilt and ways.ready_made and (fits_machine(prebuilt) or not lacking):
        say(f"taking the ready-made program of version {prebuilt['version']}")
        program, origin = fetch_prebuilt(prebuilt, home / "sources")
        facts = {"version": prebuilt["version"], "recipe": ready_fingerprint(solver), "origin": f"ready-made, {origin}"}
        return _put(solver, home, program, facts | {"source_sha256": None, "compiler": None}, works)
    if lacking:
        others = f"; kissat and glucose are to be had so: {EXTRA}" if solver.kind == "solver" else ""
        raise BuildError(f"nobody offers it ready-made for this machine{others}")
    raise FetchError("nobody offers it ready-made; it is built from source")


def _from_source(solver: Solver, home: Path, say: Say, works: Works, ways: Ways) -> Mapping[str, Any]:
    build = solver.build or {}
    archive, origin = fetch_archive(build, home / "sources", say)
    log = home / "build" / f"{solver.name}.log"
    say(f"building from {origin} (log: {log})")
    facts = {"version": solver.version, "recipe": fingerprint(solver), "origin": origin, "source_sha256": build["sha256"]}
    with built(build, archive, log, jobs=ways.jobs, seconds=ways.seconds) as program:
        return _put(solver, home, program, facts | {"compiler": compilers()}, works)


def _put(solver: Solver, home: Path, program: Path, facts: Mapping[str, Any], works: Works) -> Mapping[str, Any]:
    """A program that works goes to its place, after its note."""
    folder = home / "bin"
    part, note = folder / f".{solver.name}.part", folder / f".{solver.name}.json.part"
    try:
        shutil.copyfile(program, part)
        part.chmod(0o755)
        if wrong := works(part):
            raise BuildError(f"the program does not work here: {wrong}")
        noted = {"name": solver.name, **facts, "licence": solver.licence, "binary_sha256": checksum(part)}
        note.write_text(json.dumps(noted, indent=2) + "\n", encoding="utf-8")
        note.replace(folder / f"{solver.name}.json")
        part.replace(folder / solver.name)
    finally:
        part.unlink(missing_ok=True)
        note.unlink(missing_ok=True)
    return facts


@contextlib.contextmanager
def _own(solver: Solver, home: Path, say: Say) -> Iterator[None]:
    for folder in ("build", "sources"):
        (home / folder).mkdir(parents=True, exist_ok=True)
    with locked(home / "build", solver.name, lambda: say("waiting for another process that installs it")):
        yield


def _version(home: Path, solver: Solver) -> str:
    return str((note_of(home / "bin" / solver.name) or {}).get("version"))
