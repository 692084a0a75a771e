"""What a program may touch while it runs: its own files, what the system shares, its input, its outputs and a scratch folder.

    run_process(command, ..., confinement=Confinement(scratch=folder, reads=[cnf_file], writes=[proof]))

The kernel's Landlock holds a run to that where it is there (docs/confinement.md); `Measurement.confinement` says whether it did.
Everywhere the run's working folder and its folder for temporary files are the scratch folder.

Not here: the system calls (`supervision.sandbox`), whether files are still what they were after a run (`integrity`).
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.solving.supervision.sandbox import abi, is_of_the_system

CONFINEMENT = "CNFGEN_CONFINEMENT"
"""The environment variable that says `no` where Landlock shall not be used."""

# What loaders and the C library look up, besides what lasts (`sandbox.LASTING_FOLDERS`): files that an installation replaces by
# others, and the process itself.
LOOKED_UP = (
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload",
    "/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group",
    "/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk",
    "/proc/self",
)  # fmt: skip
TEMPORARY = ("TMPDIR", "TMP", "TEMP")  # the variables that programs look into for such a folder

SCRIPT = b"#!"
LONGEST_FIRST_LINE = 256  # bytes: as much as the kernel reads
INTERPRETERS = 5  # a script's interpreter may be a script: the kernel follows that so far


@dataclass(frozen=True)
class Confinement:
    """What a run may touch besides its program and the system: paths, of which those that are not there allow nothing."""

    scratch: Path
    """A folder in which it may do what it likes."""
    reads: Sequence[Path] = ()
    """Files that it may read and execute, folders with all below them."""
    writes: Sequence[Path] = ()
    """Files that it may overwrite, but neither remove nor rename."""

    def domain(self, program: Path, env: Mapping[str, str]) -> dict[str, Any] | None:
        """The `sandbox.Domain` of a run, for the launcher; None where Landlock is not there or not wanted."""
        if not is_enforced():
            return None
        return {
            "reads": [*LOOKED_UP, *map(str, program_files(program, env)), *map(str, self.reads)],
            "writes": [*map(str, self.writes)],
            "owns": [str(self.scratch)],
        }


def is_enforced() -> bool:
    """Whether the kernel can hold runs to their confinement, and shall."""
    return abi() > 0 and os.environ.get(CONFINEMENT) != "no"


def program_files(program: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """What a program needs to start: itself, the interpreters of a script, their libraries, and what LD_LIBRARY_PATH names.

    They are looked for once for each state of the program; nothing for one that is not there.
    """
    try:
        modified = program.stat().st_mtime_ns
    except OSError:
        return ()
    return _program_files(program, modified, env.get("PATH", os.defpath), env.get("LD_LIBRARY_PATH", ""))


@functools.lru_cache(maxsize=64)
def _program_files(program: Path, _modified: int, search: str, libraries: str) -> tuple[Path, ...]:
    found, layer = [], [program]
    for _ in range(INTERPRETERS):
        found += [file for path in layer for file in _with_libraries(path)]
        layer = [interpreter for path in layer for interpreter in _interpreters(path, search)]
    return *found, *(Path(folder) for folder in libraries.split(os.pathsep) if folder)


def _with_libraries(program: Path) -> Iterator[Path]:
    """The file and the libraries that lie where a program's own ones do: beside it, or in `lib` beside its `bin`.

    Under both of its names where it is a link: a virtual environment's python has its packages beside the one, its library beside
    the other. Nothing else of its folder, which may be anybody's home.
    """
    for path in {program.absolute(), program.resolve()}:
        if is_of_the_system(os.path.realpath(path.parent)):
            continue
        yield path
        folder = path.parent
        if folder.name == "shims":  # of a manager of versions (pyenv, asdf): scripts that look for the program elsewhere below it
            yield folder.parent
        elif folder.name == "bin":
            yield from (folder.parent / name for name in ("lib", "lib32", "lib64", "libexec", "pyvenv.cfg"))
        with contextlib.suppress(OSError):
            yield from (Path(entry.path) for entry in os.scandir(folder) if ".so" in entry.name)


def _interpreters(program: Path, search: str) -> list[Path]:
    """The interpreter that the first line of a script names, and the one that `env` will find; nothing for other programs."""
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


def python_files() -> list[Path]:
    """What a program needs that is this Python: its folders, and those of all modules that are to be found here."""
    return [Path(sys.prefix), Path(sys.base_prefix), *(Path(entry).absolute() for entry in sys.path)]


def python_environment() -> dict[str, str]:
    """The environment in which this Python finds the modules that are to be found here, from whatever folder it is started."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
