"""Builds a program, tests it, and installs it into a home (`executables`).

    install(find_solver("kissat"), home(), say=print, works=lambda program: "")

A lock allows one installation of a solver at a time. The note NAME.json and then the program are moved to their places in one
step each, so an interrupted installation leaves the old program or none.

A build unpacks an archive and runs the commands of the recipe under a time limit. Its output goes to a log, and the end of the
log is shown if the build fails. Makefiles of solvers often fail in paths with spaces, so the folder for temporary files must have
none.
"""

from __future__ import annotations

import contextlib
import json
import lzma
import os
import re
import shutil
import subprocess
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.digests import digest_of_file, digest_of_json
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import lock, open_regular, scratch_folder
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.solving.executables import FOLDER, note_of
from cnfgen_puzzles.solving.fetch import Say, fetch_archive
from cnfgen_puzzles.solving.process import Limits, run_process
from cnfgen_puzzles.solving.supervision import EXIT, WALL_LIMIT
from cnfgen_puzzles.solving.table import EXTRA, Solver, how_to_get

PATIENCE = 1800.0
"""Default time limit of a build in seconds: twenty times what the slowest needs."""

DEFAULT_NEEDS = ("cc", "make")
PACKAGES = {"cc": "gcc", "c++": "g++", "zlib.h": "zlib1g-dev"}
"""Debian's packages for requirements of recipes that are called otherwise."""

LOG_LINES = 15  # lines of the log of a failed build that are shown
PLAIN = re.compile(r"[\w/.,:@%+=-]+", re.ASCII)
MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
"""Variables of a `make` that started this process, which the build must not inherit."""

Works = Callable[[Path], str]
"""Tests a program: returns the error, empty if there is none."""


class BuildError(CnfgenError):
    """The source is available, but the build fails."""


def install(
    solver: Solver, home: Path, *, say: Say, works: Works, force: bool = False, jobs: int = 1, seconds: float = PATIENCE
) -> Path:
    """Install a program and return its path; `say` gets a line for each step. With `force`, a current program is replaced as
    well. `jobs` is the number of processes of a build, `seconds` its limit of elapsed time.

    Raises CnfgenError if there is no program that `works`, InputError for a folder that cannot be written.
    """
    if not solver.build:
        raise InputError(f"{solver.name} is not installed by this command: {how_to_get(solver)}")
    try:
        place = home / "bin" / solver.name
        with _own(solver, home, say):
            if not force and is_current(solver, home):
                say(f"{note_of(place)['version']} is already installed: {place}")
                return place
            started = time.monotonic()
            (home / "bin").mkdir(exist_ok=True)
            origin = _build(solver, home, say, works, jobs, seconds)
            say(f"{solver.version} installed in {time.monotonic() - started:.0f} s ({origin}): {place}")
            return place
    except OSError as error:
        where = error.filename or home
        raise InputError(f"cannot be written: {error.strerror}; name another folder in ${FOLDER}", source=str(where)) from None


def remove(solver: Solver, home: Path, say: Say) -> bool:
    """Remove an installed program with its note and log; returns whether it existed. Running processes of it continue."""
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
    """Whether the installed program is unchanged and comes from the current recipe."""
    binary = home / "bin" / solver.name
    return os.access(binary, os.X_OK) and note_of(binary).get("recipe") == fingerprint(solver)


def fingerprint(solver: Solver) -> str:
    """The digest of the parts of a recipe that a built program depends on: source and commands, but not its texts and origins."""
    parts = {key: value for key, value in (solver.build or {}).items() if key not in ("archive", "origins", "needs")}
    return digest_of_json([solver.version, parts])


def _build(solver: Solver, home: Path, say: Say, works: Works, jobs: int, seconds: float) -> str:
    """Build and install the program; returns the origin of the source."""
    build = solver.build or {}
    if lacking := missing_needs(build.get("needs", DEFAULT_NEEDS)):
        others = f"; without a compiler, this installs kissat and glucose: {install_extra(EXTRA)}"
        raise BuildError(f"{lacking}{others if solver.kind == 'solver' else ''}")
    archive, origin = fetch_archive(build, home / "sources", say)
    log = home / "build" / f"{solver.name}.log"
    say(f"building from {origin} (log: {log})")
    with scratch_folder("build") as folder:
        _check_folder(folder)
        unpack(archive, folder)
        source = next(folder.glob(build["folder"]), None) if "folder" in build else folder
        if source is None:
            raise BuildError(f"the archive contains no folder {build['folder']}")
        for nested in build.get("nested", ()):
            unpack(source / nested, source)
        _compile(build, source, log, jobs, seconds)
        facts = {
            "version": solver.version, "recipe": fingerprint(solver), "origin": origin, "source_sha256": digest_of_file(archive),
            "compiler": compilers(),
        }  # fmt: skip
        _put(solver, home, source / build["binary"], facts, works)
    return origin


def _put(solver: Solver, home: Path, program: Path, facts: Mapping[str, Any], works: Works) -> None:
    """Move a program that works to its place, after its note."""
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


@contextlib.contextmanager
def _own(solver: Solver, home: Path, say: Say) -> Iterator[None]:
    """Lock the solver in this home for the block; the lock ends with the process."""
    path = home / "build" / f".{solver.name}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(open_regular(path, os.O_WRONLY | os.O_CREAT), "w") as stream:
        if not lock(stream.fileno()):  # without locks, files are still moved to their places in one step
            say("waiting for another installation of it")
            lock(stream.fileno(), wait=True)
        yield


# -- building ----------------------------------------------------------------------------------------------------------------


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a zip or tar archive; InputError if it is no complete archive, or names files outside the folder."""
    try:
        if archive.suffix == ".zip":
            shutil.unpack_archive(archive, folder)
            for path in (path for path in folder.rglob("*") if not path.is_symlink()):
                path.chmod(0o755)  # permissions were not unpacked
        else:
            safely: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # since Python 3.11.4
            shutil.unpack_archive(archive, folder, **safely)
    except (OSError, EOFError, ValueError, tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError) as error:
        raise InputError(f"cannot be unpacked: {error}", source=str(archive)) from None


def compilers() -> dict[str, str]:
    """The first line of the version output of each compiler."""
    versions = {}
    for compiler in filter(shutil.which, ("cc", "c++")):
        answer = subprocess.run([compiler, "--version"], capture_output=True, text=True, errors="replace", check=False)
        versions[compiler] = answer.stdout.partition("\n")[0]
    return versions


def _compile(build: Mapping[str, Any], folder: Path, log: Path, jobs: int, seconds: float) -> None:
    """Run the recipe's commands as a shell script that stops at the first failure."""
    script = "\n".join(("set -ex", *build["commands"]))
    env = {name: value for name, value in os.environ.items() if name not in MAKE}
    env |= {"MAKEFLAGS": f"-j{jobs}", **build.get("environment", {})}
    run = run_process(["sh", "-c", script], stdout=log, stderr=log, limits=Limits(wall=seconds), cwd=folder, env=env)
    if run.ended == WALL_LIMIT:
        raise BuildError(f"its build exceeded {seconds:g} s (--time allows more); its log: {log}")
    if run.ended != EXIT or run.exit_code:
        last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:]
        raise BuildError("\n  ".join((f"its build failed; the end of {log}:", *last)))
    if not (folder / build["binary"]).is_file():
        raise BuildError(f"its build did not produce {build['binary']}; see {log}")


def _check_folder(folder: Path) -> None:
    """BuildError unless the build folder has a plain path and programs may run in it."""
    probe = folder / "probe"
    probe.touch(0o755)
    if not PLAIN.fullmatch(str(folder)) or not os.access(probe, os.X_OK):
        raise BuildError(
            f"programs cannot be built in {folder.parent}: its path must be plain ASCII without spaces, and programs must be "
            "allowed to run there; set $TMPDIR to such a folder"
        )
    probe.unlink()


def missing_needs(needs: Sequence[str]) -> str:
    """The programs that a build requires and this system lacks, with the command that installs them; empty if there are none.

    A missing header is reported by the build.
    """
    lacking = [need for need in needs if not need.endswith(".h") and shutil.which(need) is None]
    packages = " ".join(PACKAGES.get(need, need) for need in needs)
    how = f"{'' if os.geteuid() == 0 else 'sudo '}apt-get install {packages}"
    if not shutil.which("apt-get"):
        how = f"install them with its package manager (Debian's names: {packages})"
    return f"this system lacks {' and '.join(lacking)}: {how}" if lacking else ""
