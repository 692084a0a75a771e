"""Programs as files: their folders, their checksums, and the versions that they report.

A home has three folders: `bin` (programs, each with its note NAME.json), `build` (locks and logs), `sources` (archives). In a
checkout the home is the checkout's `solvers/`, else `solvers/` in the user's data folder. `$CNFGEN_SOLVERS_FOLDER` replaces both;
it names a home, or the `bin` folder of one.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import CnfgenError, InputError, printable
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.solving.answers import RunOutputs, content_of, last_words
from cnfgen_puzzles.solving.confinement import Confinement
from cnfgen_puzzles.solving.process import Limits, run_process
from cnfgen_puzzles.solving.supervision import EXIT

FOLDER = "CNFGEN_SOLVERS_FOLDER"
"""The environment variable that names the home to use."""

PACKAGED = Path(__file__).parent / "recipes"
CHECKOUT = None if PACKAGED.is_dir() else Path(__file__).resolve().parents[2] / "solvers"
RECIPES = CHECKOUT or PACKAGED

VERSION_LIMITS = Limits(cpu=10, wall=20, memory=1 << 30, output=1 << 16)
"""Limits of a call that asks a program for its version."""
LONGEST_VERSION = 200  # characters
VERSION = re.compile(r"(?<!\S)v?(\d[\w.+-]*)")
UNKNOWN_VERSION = "unknown"


def homes() -> Iterator[Path]:
    """The homes in which installed programs are searched, in this order; they need not exist."""
    if named := os.environ.get(FOLDER):
        folder = Path(os.path.expanduser(named)).absolute()
        is_bin = folder.name == "bin" and folder.is_dir() and not (folder / "bin").is_dir()
        yield folder.parent if is_bin else folder
        return
    if CHECKOUT:
        yield CHECKOUT
    data = os.environ.get("XDG_DATA_HOME", "").strip() or os.path.expanduser("~/.local/share")
    folder = Path(data, "cnfgen-puzzles", "solvers")
    if folder.is_absolute():  # not for a user without a home folder
        yield folder


def home() -> Path:
    """The home for new programs: the first of `homes`. InputError if none exists."""
    if found := next(homes(), None):
        return found
    raise InputError(f"this user has no home folder to install solvers into; set ${FOLDER} to a folder")


def is_installed_here(executable: Path) -> bool:
    """Whether `cnf-solvers install` installed this program and the file has not changed since."""
    return executable.parent in [folder / "bin" for folder in homes()] and bool(note_of(executable))


def note_of(executable: Path) -> Mapping[str, str]:
    """The note of an installed program; empty if it has none, has an invalid one, or has changed since."""
    try:
        note = json.loads(executable.with_name(f"{executable.name}.json").read_bytes())
        return note if note["binary_sha256"] == checksum(executable) and "version" in note else {}
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return {}


def log_of(name: str) -> Path | None:
    """The log of the last build of a solver, if it exists."""
    return next((log for each in homes() if (log := each / "build" / f"{name}.log").is_file()), None)


def user_file() -> Path:
    """The path of the user's solver file, which need not exist."""
    if named := os.environ.get("CNFGEN_SOLVERS_FILE"):
        return Path(named)
    return Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")) / "cnfgen-puzzles" / "solvers.yaml"


def is_executable(path: Path) -> bool:
    """Whether `path` is a file that this user may run."""
    return path.is_file() and os.access(path, os.X_OK)


def named_executable(named: str, *, source: str, line: int | None = None) -> Path:
    """The program that an override names: a path (in the user's file: relative to that file), or a command on PATH."""
    try:
        if "/" in named:
            base = Path(source).parent if line is not None else Path()
            path = base / Path(named).expanduser()
            if is_executable(path):
                return path.absolute()
        elif found := shutil.which(named):
            return Path(found).absolute()
    except (OSError, ValueError, RuntimeError):  # a name that is too long or has a NUL byte, an unknown user
        pass
    raise InputError(f"found {named!r}, expected an executable file or a command on PATH", source=source, line=line)


FileState = tuple[int, ...]
"""Device, inode, size, and times of a file: they differ after it was written, replaced, or moved. ctime cannot be set back."""


def state_of(path: Path) -> FileState:
    """The state of an existing file, after links; OSError if it does not exist."""
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def checksum(executable: Path) -> str:
    """The SHA-256 of a program, computed once for each state of the file."""
    return _checksum(executable, state_of(executable))


@functools.lru_cache(maxsize=64)
def _checksum(executable: Path, _state: FileState) -> str:
    return digest_of_file(executable)


@functools.lru_cache(maxsize=64)
def ask_version(
    command: tuple[str, ...], reads: tuple[Path, ...], environment: tuple[tuple[str, str], ...], _state: FileState
) -> str:
    """The version in the first line of the command's output: its first word that begins with a digit, the whole line if only
    other words have digits, else `unknown`. It is computed once for each state of the program.

    The call runs under limits and confined; `reads` are files that it may read besides itself. CnfgenError if the program cannot
    be run, fails, or exceeds a limit.
    """
    with scratch_folder("version") as folder, RunOutputs.create(folder) as outputs:
        asked = run_process(
            command, stdout=folder / "stdout", stderr=folder / "stderr", limits=VERSION_LIMITS,
            env={**os.environ, **dict(environment)}, confinement=Confinement(folder / "scratch", reads=reads),
        )  # fmt: skip
        if asked.ended != EXIT or asked.exit_code != 0:
            how = asked.detail or (f"exit code {asked.exit_code}" if asked.ended == EXIT else asked.ended)
            last = last_words(outputs.stderr, outputs.stdout)
            raise CnfgenError(f"{printable(command[0])} does not report its version: {printable(how)}{last}")
        lines = (line.strip() for line in content_of(outputs.stdout).decode("utf-8", "replace").splitlines())
        first = next(filter(None, lines), "")
    word = VERSION.search(first)
    return printable(word[1] if word else first)[:LONGEST_VERSION] if any(map(str.isdigit, first)) else UNKNOWN_VERSION
