"""The files that a program may access while it runs: its own files, shared system files, input, outputs, and a scratch folder.

    run_process(command, ..., confinement=Confinement(scratch=folder, reads=[cnf_file], writes=[proof]))

Landlock in the kernel enforces this if it is available (docs/explanation/confinement.md); `Measurement.confinement` says
whether it did. On all systems, the scratch folder is the working folder of the run and its folder for temporary files.

`supervision.landlock` has the system calls.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.supervision.landlock import abi, is_of_the_system

CONFINEMENT = "CNFGEN_CONFINEMENT"
"""The environment variable that disables Landlock with `no`."""

# Files that loaders and the C library read, in addition to `landlock.LASTING_FOLDERS`: files that installations replace, and the
# process itself.
LOOKED_UP = (
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload",
    "/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group",
    "/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk",
    "/proc/self",
)  # fmt: skip
TEMPORARY = ("TMPDIR", "TMP", "TEMP")  # the variables with the folder for temporary files

SCRIPT = b"#!"
LONGEST_FIRST_LINE = 256  # bytes: as much as the kernel reads
INTERPRETERS = 5  # an interpreter may be a script itself: the kernel follows this number of levels


class Confinement(NamedTuple):
    """The paths that a run may access besides its program and the system; paths that do not exist are ignored."""

    scratch: Path
    """A folder with full access, which `run_process` makes."""
    reads: Sequence[Path] = ()
    """Files that it may read and execute; folders with their contents."""
    writes: Sequence[Path] = ()
    """Files that it may overwrite, but not remove or rename."""

    def domain(self, program: Path, env: Mapping[str, str]) -> dict[str, Any] | None:
        """The `landlock.Domain` of a run, for the launcher; None if Landlock is not available or disabled."""
        if not is_enforced():
            return None
        return {
            "reads": [*LOOKED_UP, *map(str, program_files(program, env)), *map(str, self.reads)],
            "writes": [*map(str, self.writes)],
            "owns": [str(self.scratch)],
        }


def is_enforced() -> bool:
    """Whether Landlock is available and enabled."""
    return abi() > 0 and os.environ.get(CONFINEMENT) != "no"


def program_files(program: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """The files that a program needs to start: itself, the interpreters of a script, their libraries, and LD_LIBRARY_PATH.

    Empty for a missing program.
    """
    if not program.exists():
        return ()
    search, libraries = env.get("PATH", os.defpath), env.get("LD_LIBRARY_PATH", "")
    found, layer = [], [program]
    for _ in range(INTERPRETERS):
        found += [file for path in layer for file in _with_libraries(path)]
        layer = [interpreter for path in layer for interpreter in _interpreters(path, search)]
    return *found, *(Path(folder) for folder in libraries.split(os.pathsep) if folder)


def _with_libraries(program: Path) -> Iterator[Path]:
    """The file, and the libraries of the program: beside it, or in `lib` beside its `bin`.

    For a link, this includes the folders of both paths: the python of a virtual environment has its packages beside the link and
    its library beside the target. Nothing else in the folder is included, since it may be a home folder.
    """
    for path in {program.absolute(), program.resolve()}:
        if is_of_the_system(os.path.realpath(path.parent)):
            continue
        yield path
        folder = path.parent
        if folder.name == "shims":  # a version manager (pyenv, asdf): scripts that search the program in another folder below it
            yield folder.parent
        elif folder.name == "bin":
            yield from (folder.parent / name for name in ("lib", "lib32", "lib64", "libexec", "pyvenv.cfg"))
        with contextlib.suppress(OSError):
            yield from (Path(entry.path) for entry in os.scandir(folder) if ".so" in entry.name)


def _interpreters(program: Path, search: str) -> list[Path]:
    """The interpreter in the first line of a script, and the program that `env` finds; empty for other programs."""
    try:
        with program.open("rb") as file:
            line = file.read(LONGEST_FIRST_LINE).split(b"\n", 1)[0]
    except OSError:
        return []
    if not line.startswith(SCRIPT):
        return []
    words = os.fsdecode(line[len(SCRIPT) :]).split()
    found = [Path(words[0])] if words else []
    if words and Path(words[0]).name == "env":
        named = next((word for word in words[1:] if not word.startswith("-") and "=" not in word), None)
        where = shutil.which(named, path=search) if named else None
        found += [Path(where)] if where else []
    return found


class OutputFile:
    """A file that a program may write. It is made empty before the program runs, which therefore needs no access to the folder.

    Afterwards the path must lead to the same file with one name: neither a link to another file nor another file. A file that the
    program never opened is removed. A device or pipe at that path stays as it is.
    """

    def __init__(self, path: Path):
        """Make the file; InputError if that fails."""
        self.path = path.resolve()
        self._file: BinaryIO | None = None  # kept open, so that no other file can get its inode number meanwhile
        try:
            if not self.path.exists() or self.path.is_file():
                self._file = self.path.open("wb")
                os.utime(self._file.fileno(), (0, 0))  # opening it for writing changes this
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", source=str(path)) from None

    def fault(self) -> str:
        """The error of the file, empty if there is none. Call it once, after the run."""
        if self._file is None:
            return ""
        with self._file:
            made = os.fstat(self._file.fileno())
            try:
                status = os.lstat(self.path)
            except OSError:
                return f"the solver removed {self.path}, the file for its proof"
            with contextlib.suppress(OSError):
                if (status.st_dev, status.st_ino) != (made.st_dev, made.st_ino):
                    self.path.unlink()  # so that it is not read as the proof
                    return f"the solver replaced {self.path}, the file for its proof"
                if made.st_size == 0 and made.st_mtime_ns == 0:
                    self.path.unlink()
        return ""


def python_files() -> list[Path]:
    """The files of this Python: its folders, and those of all modules on its path."""
    return [Path(sys.prefix), Path(sys.base_prefix), *(Path(entry).absolute() for entry in sys.path)]


def python_environment() -> dict[str, str]:
    """The environment in which this Python finds all modules of this process, in any working folder."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
