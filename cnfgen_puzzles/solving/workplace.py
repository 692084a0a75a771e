"""Where one solver runs: its input, its outputs, its scratch folder, and a guard over all files that are not its own.

With Landlock a solver reads the user's own file, which it cannot write. Without, it is given the formula as we have read it, in
a file of its own: nothing that it does to its input meets the user's file, and nothing that others did to that meets the solver.

A guarded file whose identity (device, inode, size, times, mode) changed during the run is looked into: one that was only touched
is no damage. Damage makes the run an ERROR, whatever it says; the files stay as they are.

Not here: what the solver said (`run`), what keeps a program from doing damage (`confinement`).
"""

from __future__ import annotations

import contextlib
import functools
import os
import stat
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.formula import Cnf, read_dimacs, write_dimacs
from cnfgen_puzzles.solving.confinement import CONFINEMENT, Confinement, is_enforced
from cnfgen_puzzles.solving.executables import checksum, homes
from cnfgen_puzzles.solving.process import Limits, Measurement, SupervisorLost, run_process
from cnfgen_puzzles.solving.supervision import LAUNCH_FAILED, SUPERVISOR_LOST
from cnfgen_puzzles.solving.table import Solver, load_solvers

DENIED = (b"ermission denied", b"PermissionError", b"EACCES", b"peration not permitted")
"""What programs say where they were refused a file."""
END = 1 << 16
"""Bytes at the end of stderr in which that is looked for."""
TICK = 20_000_000
"""Nanoseconds: where kernels count times in ticks, a file that changed twice within one looks unchanged."""
AS_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class Workplace:
    """The place of one run in the folder `work`, which is ours and thrown away afterwards.

    `cnf_file` is the user's file, `readable` the one that the solver can read: the same or one in `work`. `proof` is where the
    proof goes. Raises InputError if that is no place for it.
    """

    def __init__(
        self, solver: Solver, executable: Path, work: Path, cnf_file: Path, readable: Path, cnf: Cnf, proof: Path | None,
        guarded: Sequence[Guarded] = (),
    ):  # fmt: skip
        self._unconfined = not is_enforced()
        self._environment = dict(solver.environment)
        self.stdout, self.stderr = work / "stdout", work / "stderr"
        self.scratch = work / "scratch"
        self.scratch.mkdir()
        self._folders = {folder: _number(folder) for folder in (work, self.scratch)}
        cnf_file = cnf_file.absolute()
        self.cnf_file = readable.absolute()
        if self._unconfined and self.cnf_file == cnf_file:
            self.cnf_file = work / "input.cnf"
            with self.cnf_file.open("wb") as stream:
                write_dimacs(cnf, stream)
        files = [*guarded, Guarded(executable, checksum(executable))]
        if self.cnf_file != cnf_file:  # what the solver reads in place of the user's file
            files.append(Guarded(self.cnf_file, digest_of_file(self.cnf_file)))
        if not self._unconfined:
            files.append(Guarded(cnf_file, cnf.checksum(), is_formula=True))
        else:
            files += [Guarded(cnf_file, digest_of_file(cnf_file))] if cnf_file.is_file() else []
            files += [Guarded(other, checksum(other)) for other in _other_programs() if other != executable]
        outputs = []
        for other in files if proof else ():
            if proof and proof.exists() and other.path.exists() and proof.samefile(other.path):
                raise InputError(f"found {other.path} as the file for the proof, expected another than the formula and programs")
        if proof:
            try:
                outputs.append(OwnFile(proof))
            except OSError as error:
                raise InputError(f"cannot be written: {error.strerror}", source=str(proof)) from None
        self.proof_path = outputs[0].path if proof else None
        if solver.model_from == "file":
            outputs.append(OwnFile(work / "model"))
        self._own = [OwnFile(self.stdout), OwnFile(self.stderr), *outputs]
        self._confinement = Confinement(
            self.scratch,
            reads=[self.cnf_file.resolve(), *solver.files_read(executable)],
            writes=[file.path for file in outputs],
        )
        self._guarded = [(file, state) for file in files if (state := _identity(file.path)) is not None]

    def run(
        self, command: Sequence[str], limits: Limits, cores: Collection[int] | None, written: Mapping[Path, int]
    ) -> Measurement:
        """The run, `written` as in `run_process`. A solver that has killed its supervisor is measured as that."""
        try:
            return run_process(
                command, stdout=self.stdout, stderr=self.stderr, limits=limits, cores=cores, written=written,
                env={**os.environ, **self._environment}, confinement=self._confinement,
            )  # fmt: skip
        except SupervisorLost as lost:
            return Measurement(SUPERVISOR_LOST, detail=str(lost))
        finally:
            with contextlib.suppress(OSError):  # it is gone, or there is something else that we may not touch
                if self._folders[self.scratch] == _number(self.scratch):
                    empty_folder(self.scratch)

    def faults(self, measurement: Measurement) -> str:
        """What the run did to files, in words; empty if it kept to its own."""
        faults = []
        for folder, number in self._folders.items():
            if _number(folder) != number:
                faults.append("removed the folder that it ran in")
                if folder.is_symlink() or not folder.is_dir():
                    folder.unlink(missing_ok=True)
                folder.mkdir(exist_ok=True)
        faults += [fault for file in self._own if (fault := file.fault())]
        confined = bool(measurement.confinement)
        found = ((file.path, _damage(file, state, confined)) for file, state in self._guarded)
        if damages := [f"{path} ({what})" for path, what in found if what]:
            faults.append(f"while it ran, files changed that are not its own: {'; '.join(damages)}")
        return "; ".join(faults)

    def hint(self, measurement: Measurement, stderr: BinaryIO) -> str:
        """Where a run failed that may have wanted more than it was allowed: how to allow it."""
        if self._unconfined or not (measurement.confinement or measurement.ended == LAUNCH_FAILED):
            return ""
        stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - END))
        said = stderr.read() + measurement.detail.encode()
        if not any(words in said for words in DENIED):
            return ""
        how = f"name them under `reads` of its declaration, or set {CONFINEMENT}=no"
        return f"; it was confined: if it needs more files than its own, {how} (docs/confinement.md)"


def _number(folder: Path) -> int:
    """The inode of a folder itself; 0 if there is none at this path."""
    try:
        there = folder.lstat()
    except OSError:
        return 0
    return there.st_ino if stat.S_ISDIR(there.st_mode) else 0


def _other_programs() -> tuple[Path, ...]:
    """What is installed, and whatever else is known as a solver."""
    states = []
    for home in homes():
        with contextlib.suppress(OSError):
            states.append((home / "bin", (home / "bin").stat().st_mtime_ns))
    return _known_programs(tuple(states))


@functools.lru_cache(maxsize=1)
def _known_programs(states: tuple[tuple[Path, int], ...]) -> tuple[Path, ...]:
    """The same, for one state of these folders."""
    found = {Path(entry.path) for folder, _ in states for entry in os.scandir(folder) if entry.is_file()}
    for solver in load_solvers().values():
        with contextlib.suppress(CnfgenError):
            found.add(solver.locate())
    return tuple(sorted(found))


# -- files that a program must not change, and files that it writes for us --------------------------------------------------


@dataclass(frozen=True)
class Guarded:
    """A file that no program but ours may change, with the SHA-256 of its bytes, or of the formula in it. Its content is looked
    at only where the file's identity has changed."""

    path: Path
    sha256: str
    is_formula: bool = False


class FileIdentity(NamedTuple):
    """A file at one moment; `link` is where its name leads if that is a symbolic link."""

    numbers: tuple[int, ...]
    link: str | None
    mode: int
    recent: bool


def _identity(path: Path) -> FileIdentity | None:
    """None where there is no regular file: devices and pipes have no content to guard."""
    try:
        there, link = os.lstat(path), None  # this is asked before and after each run, so without pathlib
        if stat.S_ISLNK(there.st_mode):
            there, link = os.stat(path), os.readlink(path)
    except OSError:
        return None
    if not stat.S_ISREG(there.st_mode):
        return None
    numbers = (there.st_dev, there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns)
    recent = time.time_ns() - there.st_ctime_ns < TICK
    return FileIdentity(numbers, link, stat.S_IMODE(there.st_mode), recent)


def _damage(guarded: Guarded, before: FileIdentity, confined: bool) -> str:
    """What happened to a file in a few words; empty if nothing that matters."""
    now = _identity(guarded.path)
    if now is None:
        return "gone" if not os.path.lexists(guarded.path) else "replaced by something that is no file"
    if now.link != before.link:
        return f"replaced by a link to {now.link}" if now.link else "no longer a link"
    if now.mode != before.mode:
        return f"its mode changed from {before.mode:o} to {now.mode:o}"
    if now.numbers == before.numbers and (confined or not before.recent):
        return ""
    try:
        if guarded.is_formula:
            same = read_dimacs(open_source(guarded.path)).cnf.checksum() == guarded.sha256
        else:
            same = digest_of_file(guarded.path) == guarded.sha256
        return "" if same else "changed"
    except Exception as error:  # whatever cannot be read any more is not what it was
        return f"changed: {error}"


class OwnFile:
    """A file that a program may write: made before it runs, so that its folder need not be opened to the program, and empty.

    Afterwards it must be this very file still, under one name: not a link to somebody else's, nor somebody else's file. One that
    the program never opened is removed again. Where there is a device or a pipe at that path, it is left as it is.
    """

    def __init__(self, path: Path):
        """Raises OSError where the file cannot be made."""
        self.path = path.resolve()
        self._file: BinaryIO | None = None  # held open, so that no other file can have its number meanwhile
        if not self.path.exists() or self.path.is_file():
            self._file = self.path.open("wb")
            os.utime(self._file.fileno(), (0, 0))  # whoever opens it to write will change that

    def fault(self) -> str:
        """What is wrong with it, empty if nothing is. To be asked once, after the run."""
        if self._file is None:
            return ""
        with self._file:
            made = os.fstat(self._file.fileno())
            try:
                there = os.lstat(self.path)
            except OSError:
                return f"removed {self.path}, which it was to write"
            with contextlib.suppress(OSError):
                if (there.st_dev, there.st_ino) != (made.st_dev, made.st_ino):
                    self.path.unlink()  # so that nobody reads it as ours
                    return f"put something else in place of {self.path}, which it was to write"
                if made.st_size == 0 and made.st_mtime_ns == 0:
                    self.path.unlink()
        return ""


def empty_folder(folder: Path) -> None:
    """Remove all that is in a folder which a program could fill as it liked, however deep its folders are.

    (`shutil.rmtree` calls itself for each level, and holds a file open for it.)
    """
    folder.chmod(stat.S_IRWXU)
    below: list[str] = []  # the names from `folder` to where we are
    here = os.open(folder, AS_FOLDER)
    try:
        while True:
            inner = _remove_files(here)
            if inner is None and not below:
                return
            there = os.open("..", AS_FOLDER, dir_fd=here) if inner is None else os.open(inner, AS_FOLDER, dir_fd=here)
            os.close(here)
            here = there
            if inner is None:
                os.rmdir(below.pop(), dir_fd=here)
            else:
                below.append(inner)
    finally:
        os.close(here)


def _remove_files(folder: int) -> str | None:
    """Remove what is in an open folder up to the first folder in it, and the name of that."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                os.chmod(entry.name, stat.S_IRWXU, dir_fd=folder)
                return entry.name
            os.unlink(entry.name, dir_fd=folder)
    return None
