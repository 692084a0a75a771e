"""Installs a program into a home (`executables`), from source where that can be built, else ready-made, and tries it before.

    install(find_solver("kissat"), home(), say=print, works=lambda program: "")

One at a time for each solver, whoever calls. The note NAME.json and then the program move to their places, each in one step, so
an interrupted installation leaves the old program or none.

A build unpacks an archive and runs the commands of the recipe under a time limit. Its output goes to a log, whose end is shown if
it fails. Makefiles of solvers do not bear spaces in paths, so the folder for the build is one without: the folder for temporary
files, if programs may run there, else one beside the log.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.digests import digest_of_file, digest_of_json
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.solving.executables import FOLDER
from cnfgen_puzzles.solving.fetch import FetchError, Say, fetch_archive, fetch_prebuilt, fits_machine, lock_for
from cnfgen_puzzles.solving.process import Limits, run_process
from cnfgen_puzzles.solving.supervision import EXIT, WALL_LIMIT
from cnfgen_puzzles.solving.table import EXTRA, Solver

PATIENCE = 1800.0
"""Seconds that a build may take unless told otherwise: twenty times what the slowest needs."""

ZLIB = "zlib.h"
DEFAULT_NEEDS = ("cc", "make")
PACKAGES: Mapping[str, tuple[str, str]] = {
    "cc": ("a C compiler", "gcc"),
    "gcc": ("the C compiler gcc", "gcc"),
    "c++": ("a C++ compiler", "g++"),
    "make": ("make", "make"),
    ZLIB: ("the headers of zlib", "zlib1g-dev"),
}
"""By the word of the recipe: in words, and Debian's package."""
COMPILER_SECONDS = 20.0
"""Seconds for a preprocessor to answer."""

LOG_LINES = 15  # of a failed build's log that are shown
PLAIN = re.compile(r"[\w/.,:@%+=-]+", re.ASCII)
MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
"""What a `make` that has started us hands down, and is none of this build's business."""

Works = Callable[[Path], str]
"""What is wrong with a program, empty if nothing is."""


class BuildError(CnfgenError):
    """The source is there, and no program comes of it."""


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
                say(f"{(note_of(place) or {}).get('version')} is there already: {place}")
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
    recipes = (fingerprint(solver), (solver.build or {}).get("prebuilt", {}).get("sha256", ""))  # built, ready-made
    return note.get("recipe") in recipes and note.get("binary_sha256") == digest_of_file(binary)


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
    return digest_of_json([solver.version, parts])


def _first_that_works(solver: Solver, home: Path, say: Say, works: Works, ways: Ways) -> Mapping[str, Any]:
    build = solver.build or {}
    prebuilt = build.get("prebuilt")
    lacking = missing_needs(build.get("needs", DEFAULT_NEEDS)) if ways.source else []
    if ways.source and not lacking:
        try:
            archive, origin = fetch_archive(build, home / "sources", say)
            log = home / "build" / f"{solver.name}.log"
            say(f"building from {origin} (log: {log})")
            with build_program(build, archive, log, jobs=ways.jobs, seconds=ways.seconds) as program:
                facts: dict[str, Any] = {"version": solver.version, "recipe": fingerprint(solver), "origin": origin}
                facts |= {"source_sha256": digest_of_file(archive), "compiler": compilers()}
                return _put(solver, home, program, facts, works)
        except (BuildError, FetchError) as error:
            if not (ways.ready_made and prebuilt):
                raise
            say(f"not built from source: {error}")
    elif lacking:
        say(f"cannot be built here: {how_to_get_needs(lacking)}")
    if prebuilt and ways.ready_made and (fits_machine(prebuilt) or not lacking):
        say(f"taking the ready-made program of version {prebuilt['version']}")
        program, origin = fetch_prebuilt(prebuilt, home / "sources")
        facts = {"version": prebuilt["version"], "recipe": prebuilt["sha256"], "origin": f"ready-made, {origin}"}
        return _put(solver, home, program, facts | {"source_sha256": None, "compiler": None}, works)
    if lacking:
        others = f"; this installs kissat and glucose: {install_extra(EXTRA)}" if solver.kind == "solver" else ""
        raise BuildError(f"nobody offers it ready-made for this machine{others}")
    raise FetchError("nobody offers it ready-made; it is built from source")


def _put(solver: Solver, home: Path, program: Path, facts: Mapping[str, Any], works: Works) -> Mapping[str, Any]:
    """A program that works goes to its place, after its note."""
    folder = home / "bin"
    part, note = folder / f".{solver.name}.part", folder / f".{solver.name}.json.part"
    try:
        shutil.copyfile(program, part)
        part.chmod(0o755)
        if wrong := works(part):
            raise BuildError(f"the program does not work here: {wrong}")
        noted = {"name": solver.name, **facts, "licence": solver.licence, "binary_sha256": digest_of_file(part)}
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
    with lock_for(home / "build", solver.name, lambda: say("waiting for another process that installs it")):
        yield


# -- building ----------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def build_program(build: Mapping[str, Any], archive: Path, log: Path, *, jobs: int, seconds: float) -> Iterator[Path]:
    """The program of a recipe's `build` part made from its archive, for the block. Raises BuildError."""
    with _workplace(log) as folder:
        unpack(archive, folder)
        if pattern := build.get("folder"):
            found = next(folder.glob(pattern), None)
            if found is None:
                raise BuildError(f"the archive holds no folder {pattern}")
            folder = found
        for nested in build.get("nested", ()):
            unpack(folder / nested, folder)
        _compile(build, folder, log, jobs, seconds)
        yield folder / build["binary"]


def unpack(archive: Path, folder: Path) -> None:
    """All that a zip or tar archive holds."""
    try:
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as file:
                file.extractall(folder)
        else:
            with tarfile.open(archive) as tar:
                if hasattr(tarfile, "data_filter"):
                    tar.extractall(folder, filter="data")
                else:  # Python before 3.11.4: the checksum vouches for what is in it
                    tar.extractall(folder)
    except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise BuildError(f"{archive.name} cannot be unpacked: {error}") from None


def compilers() -> dict[str, str]:
    """The first line of each compiler's own account of itself."""
    versions = {}
    for compiler in filter(shutil.which, ("cc", "c++")):
        said = subprocess.run([compiler, "--version"], capture_output=True, text=True, errors="replace", check=False)
        versions[compiler] = said.stdout.partition("\n")[0]
    return versions


def _compile(build: Mapping[str, Any], folder: Path, log: Path, jobs: int, seconds: float) -> None:
    """Runs the recipe's commands as one shell script that stops at the first failure."""
    script = "\n".join(("set -ex", *build["commands"]))
    env = {name: value for name, value in os.environ.items() if name not in MAKE}
    env |= {"MAKEFLAGS": f"-j{jobs}", **build.get("environment", {})}
    run = run_process(["sh", "-c", script], stdout=log, stderr=log, limits=Limits(wall=seconds), cwd=folder, env=env)
    if run.ended == WALL_LIMIT:
        raise BuildError(f"its build had not ended after {seconds:g} s (--time allows more); its log: {log}")
    if run.ended != EXIT or run.exit_code:
        last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:]
        raise BuildError("\n  ".join((f"its build failed; the end of {log}:", *last)))
    if not (folder / build["binary"]).is_file():
        raise BuildError(f"its build made no {build['binary']}; see {log}")


@contextlib.contextmanager
def _workplace(log: Path) -> Iterator[Path]:
    """A folder to build in: its path is plain, and programs may run there."""
    with scratch_folder("build") as folder:
        if _fits(folder):
            yield folder
            return
    beside = log.with_suffix("")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    try:
        if not _fits(beside):
            raise BuildError(
                f"found no folder to build in, neither in {folder.parent} nor in {beside.parent}: its path must be plain ASCII "
                "without spaces, and programs must be allowed to run there; name one in $TMPDIR"
            )
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _fits(folder: Path) -> bool:
    if not PLAIN.fullmatch(str(folder)):
        return False
    probe = folder / "probe"
    probe.write_text("#!/bin/sh\n", encoding="ascii")
    probe.chmod(0o755)
    try:
        return subprocess.run([probe], check=False).returncode == 0
    except OSError:  # mounted noexec
        return False
    finally:
        probe.unlink()


def missing_needs(needs: Iterable[str]) -> list[str]:
    """Those that this system has not."""
    compiler = next(filter(None, map(shutil.which, ("cc", "c++", "gcc", "g++"))), None)

    def is_missing(need: str) -> bool:
        if need != ZLIB or compiler is None:  # without a compiler that is what is missing
            return need != ZLIB and shutil.which(need) is None
        command = [compiler, "-x", "c", "-E", "-"]
        text = b"#include <zlib.h>\n"
        return subprocess.run(command, input=text, capture_output=True, timeout=COMPILER_SECONDS, check=False).returncode != 0

    return [need for need in needs if is_missing(need)]


def how_to_get_needs(lacking: Iterable[str]) -> str:
    """What is lacking, and the command that installs it."""
    known = [PACKAGES.get(need, (need, need)) for need in lacking]
    words = " and ".join(text for text, _ in known)
    packages = " ".join(package for _, package in known)
    if shutil.which("apt-get"):
        return f"this system lacks {words}: {'' if os.geteuid() == 0 else 'sudo '}apt-get install {packages}"
    return f"this system lacks {words}: install them with its package manager (Debian's names: {packages})"
