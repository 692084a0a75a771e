"""Programs as files: whether one is there, its checksum, the version that it tells."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from cnfgen_puzzles.ground.errors import CnfgenError, InputError

VERSION_TIMEOUT = 10.0  # seconds; a program that cannot say its version by then is broken


def is_executable(path: Path) -> bool:
    """Whether `path` is a file that this user may run."""
    return path.is_file() and os.access(path, os.X_OK)


def named_executable(named: str, *, source: str, line: int | None = None) -> Path:
    """The program that an override names: a path (of the user's file: relative to that file), or a command on PATH."""
    if "/" in named:
        base = Path(source).parent if line is not None else Path()
        path = base / Path(named).expanduser()
        if is_executable(path):
            return path.absolute()
    elif found := shutil.which(named):
        return Path(found)
    raise InputError(f"found {named!r}, expected an executable file or a command on PATH", source=source, line=line)


def checksum(executable: Path) -> str:
    """The SHA-256 of a program, worked out once a process for each state of the file."""
    status = executable.stat()
    return _checksum(executable, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=64)
def _checksum(executable: Path, _modified: int, _size: int) -> str:
    with executable.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@functools.lru_cache(maxsize=64)
def ask_version(command: tuple[str, ...]) -> str:
    """The first line that the command prints; `unknown` if it prints nothing. CnfgenError if it cannot be run."""
    try:
        asked = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=VERSION_TIMEOUT,
            text=True,
            errors="replace",
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CnfgenError(f"{command[0]} cannot say its version: {error}") from None
    lines = [line.strip() for line in (asked.stdout + asked.stderr).splitlines() if line.strip()]
    return lines[0] if lines else "unknown"
