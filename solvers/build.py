"""Builds one solver from its recipe: fetch, verify, unpack, build, install into solvers/bin/.

    python solvers/build.py kissat

One short line a step; these and what the build prints go to solvers/build/NAME.log, whose end is shown where it fails. The
binary is moved to its place last and in one step, so an interrupted build leaves the old binary or none. Beside it stands
NAME.json: version, checksums of binary and source, origin, compiler.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fetch import FetchError, checksum, fetch_archive, fetch_prebuilt

from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.solving.table import Solver, find_solver

HERE = Path(__file__).resolve().parent
BIN = HERE / "bin"
WORK = HERE / "build"
LOG_LINES = 15  # of a failed build's log that are shown


class BuildError(Exception):
    """The source is there, and no binary comes of it."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Build one solver from its recipe in solvers/.")
    parser.add_argument("name", help="the recipe's name, for example kissat")
    parser.add_argument("--force", action="store_true", help="build even if the binary is up to date")
    arguments = parser.parse_args()
    try:
        solver = find_solver(arguments.name)
    except InputError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    if not solver.build:
        print(f"{solver.name}: its recipe says nothing about building", file=sys.stderr)
        return 2
    with _locked(solver.name):
        if not arguments.force and is_current(solver):
            os.utime(BIN / solver.name)  # so that make sees it as newer than the recipe
            print(f"{solver.name}: up to date")
            return 0
        try:
            install(solver)
        except (BuildError, FetchError, OSError) as error:
            _say(solver.name, f"NOT BUILT: {error}")
            return 1
        except KeyboardInterrupt:
            _say(solver.name, "interrupted")
            return 130
    return 0


def fingerprint(solver: Solver) -> str:
    """What a binary depends on: the recipe's version and its build part, not its prose."""
    text = json.dumps([solver.version, solver.build], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def is_current(solver: Solver) -> bool:
    """Whether the binary in solvers/bin/ is whole and was built from the recipe as it is now."""
    binary, note = BIN / solver.name, BIN / f"{solver.name}.json"
    if not (binary.is_file() and note.is_file()):
        return False
    built = json.loads(note.read_text(encoding="utf-8"))
    return built["recipe"] == fingerprint(solver) and built["binary_sha256"] == checksum(binary)


def install(solver: Solver) -> None:
    """Builds `solver` from source; where that fails and the recipe names a ready binary, takes that and says so."""
    started = time.monotonic()
    _log(solver.name).unlink(missing_ok=True)
    facts: dict[str, Any] = {"name": solver.name, "version": solver.version, "recipe": fingerprint(solver)}
    try:
        binary = _from_source(solver, facts)
    except (BuildError, FetchError) as error:
        prebuilt = solver.build.get("prebuilt")
        if not prebuilt:
            raise
        _say(solver.name, f"{error}; taking the ready binary of version {prebuilt['version']} instead")
        binary, origin = fetch_prebuilt(prebuilt)
        facts |= {"version": prebuilt["version"], "origin": origin, "source_sha256": None, "compiler": None}
    _put(solver, binary, facts)
    _say(solver.name, f"version {facts['version']} installed after {time.monotonic() - started:.0f} s")


def _from_source(solver: Solver, facts: dict[str, Any]) -> Path:
    build = solver.build
    archive, origin = fetch_archive(build, lambda line: _say(solver.name, line))
    _say(solver.name, f"source from {origin}")
    folder = WORK / solver.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _unpack(archive, folder)
    folder = folder / build.get("folder", "")
    for nested in build.get("nested", ()):
        _unpack(folder / nested, folder)
    _compile(solver.name, build, folder)
    facts |= {"origin": origin, "source_sha256": build["sha256"], "compiler": _compilers()}
    return folder / build["binary"]


def _unpack(archive: Path, folder: Path) -> None:
    try:
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as file:
                file.extractall(folder)
        else:
            with tarfile.open(archive) as file:
                file.extractall(folder, filter="data")
    except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise BuildError(f"{archive.name} cannot be unpacked: {error}") from None


def _compile(name: str, build: Mapping[str, Any], folder: Path) -> None:
    """Runs the recipe's commands as one shell script that stops at the first failure."""
    log = _log(name)
    _say(name, f"building (log: {log.relative_to(HERE.parent)})")
    if not folder.is_dir():
        raise BuildError(f"the archive holds no folder {build['folder']}")
    script = "\n".join(("set -ex", *build["commands"]))
    with log.open("ab") as output:
        # make hands its job slots down through inherited files
        done = subprocess.run(
            ["sh", "-c", script], cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            close_fds=False, check=False,
        )  # fmt: skip
    if done.returncode:
        last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:]
        raise BuildError("\n  ".join((f"its build failed; the end of {log}:", *last)))
    if not (folder / build["binary"]).is_file():
        raise BuildError(f"its build made no {build['binary']}; see {log}")


def _put(solver: Solver, binary: Path, facts: Mapping[str, Any]) -> None:
    """The note and then the binary move to solvers/bin/, each in one step."""
    BIN.mkdir(exist_ok=True)
    part = BIN / f".{solver.name}.part"
    shutil.copyfile(binary, part)
    part.chmod(0o755)
    note = BIN / f".{solver.name}.json.part"
    note.write_text(json.dumps({**facts, "binary_sha256": checksum(part)}, indent=2) + "\n", encoding="utf-8")
    note.replace(BIN / f"{solver.name}.json")
    part.replace(BIN / solver.name)


def _compilers() -> dict[str, str]:
    """The first line of each compiler's own account of itself."""
    versions = {}
    for compiler in ("cc", "c++"):
        if shutil.which(compiler):
            said = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
            versions[compiler] = said.stdout.partition("\n")[0]
    return versions


@contextlib.contextmanager
def _locked(name: str) -> Iterator[None]:
    """One build of a solver at a time, also when two makes run."""
    WORK.mkdir(exist_ok=True)
    with (WORK / f".{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _log(name: str) -> Path:
    return WORK / f"{name}.log"


def _say(name: str, line: str) -> None:
    """One line for the person who waits, and for the log."""
    print(f"{name}: {line}", flush=True)
    with _log(name).open("a", encoding="utf-8") as log:
        log.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
