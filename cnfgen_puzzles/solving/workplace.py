"""The workplace of a solver run: its input, its outputs, its scratch folder, and the check of files that it must not change.

With Landlock, a solver reads the user's file and cannot write it. Without Landlock, it gets a copy of the formula, so that it
cannot change the user's file.

If the identity of a guarded file (device, inode, size, times, mode) changed during the run, its content is compared; new times
alone are no damage. With damage, the run is an ERROR, whatever its answer; the files stay as they are.

`run` reads the answer of the solver, `confinement` prevents damage.
"""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.formula import Cnf, read_dimacs
from cnfgen_puzzles.solving.confinement import CONFINEMENT, Confinement, is_enforced
from cnfgen_puzzles.solving.executables import checksum, homes
from cnfgen_puzzles.solving.process import Limits, Measurement, SupervisorLost, run_process
from cnfgen_puzzles.solving.supervision import LAUNCH_FAILED, SUPERVISOR_LOST
from cnfgen_puzzles.solving.table import Solver, load_solvers

DENIED = (b"ermission denied", b"PermissionError", b"EACCES", b"peration not permitted")
"""Error messages of programs without access to a file."""
END = 1 << 16
"""Bytes at the end of stderr that are searched for such messages."""
TICK = 20_000_000
"""Nanoseconds. Kernels count file times in ticks: a second change within one tick does not change the times."""


class Workplace:
    """The workplace of one run in the temporary folder `work`.

    `cnf_file` is the user's file, `readable` the file that the solver can read: the same, or one in `work` (always without
    Landlock). `proof` is the file for the proof; InputError if it cannot be that.
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
        files = [*guarded, Guarded(executable, checksum(executable))]
        if self.cnf_file != cnf_file:  # the solver's copy of the user's file
            files.append(Guarded(self.cnf_file, digest_of_file(self.cnf_file)))
        files.append(Guarded(cnf_file, cnf.checksum(), is_formula=True))
        if self._unconfined:
            files += [Guarded(other, checksum(other)) for other in _other_programs() if other != executable]
        outputs = []
        for other in files if proof else ():
            if proof and proof.exists() and other.path.exists() and proof.samefile(other.path):
                raise InputError(f"found {other.path} as the file for the proof, expected neither the formula nor a program")
        if proof:
            try:
                outputs.append(OwnFile(proof))
            except OSError as error:
                raise InputError(f"cannot be written: {error.strerror}", source=str(proof)) from None
        self.proof_path = outputs[0].path if proof else None
        if solver.model_from == "file":
            outputs.append(OwnFile(work / "model"))
        self._own = outputs
        self._confinement = Confinement(
            self.scratch,
            reads=[self.cnf_file.resolve(), *solver.files_read(executable)],
            writes=[file.path for file in outputs],
        )
        self._guarded = [(file, state) for file in files if (state := _identity(file.path)) is not None]

    def run(
        self, command: Sequence[str], limits: Limits, cores: Collection[int] | None, written: Mapping[Path, int]
    ) -> Measurement:
        """Run the command, `written` as in `run_process`. If the solver kills its supervisor, the measurement says so."""
        try:
            return run_process(
                command, stdout=self.stdout, stderr=self.stderr, limits=limits, cores=cores, written=written,
                env={**os.environ, **self._environment}, confinement=self._confinement,
            )  # fmt: skip
        except SupervisorLost as lost:
            return Measurement(SUPERVISOR_LOST, detail=str(lost))
        finally:
            with contextlib.suppress(OSError):  # it does not exist, or it is something that must not be removed
                if self._folders[self.scratch] == _number(self.scratch):
                    empty_folder(self.scratch)

    def faults(self, measurement: Measurement) -> str:
        """Damage to files, in words; empty without damage."""
        faults = []
        for folder, number in self._folders.items():
            if _number(folder) != number:
                faults.append("the solver removed its working folder")
                if folder.is_symlink() or not folder.is_dir():
                    folder.unlink(missing_ok=True)
                folder.mkdir(exist_ok=True)
        faults += [fault for file in self._own if (fault := file.fault())]
        confined = bool(measurement.confinement)
        found = ((file.path, _damage(file, state, confined)) for file, state in self._guarded)
        if damages := [f"{path} ({what})" for path, what in found if what]:
            faults.append(f"guarded files changed during the run: {'; '.join(damages)}")
        return "; ".join(faults)

    def hint(self, measurement: Measurement, stderr: BinaryIO) -> str:
        """Advice for a failed run that may have needed other files."""
        if self._unconfined or not (measurement.confinement or measurement.ended == LAUNCH_FAILED):
            return ""
        stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - END))
        printed = stderr.read() + measurement.detail.encode()
        if not any(words in printed for words in DENIED):
            return ""
        how = f"list them under `reads` in its declaration, or set {CONFINEMENT}=no"
        return f"; the solver was confined: if it needs other files, {how}"


def _number(folder: Path) -> int:
    """The inode of a folder, not of a link to it; 0 if it does not exist."""
    try:
        status = folder.lstat()
    except OSError:
        return 0
    return status.st_ino if stat.S_ISDIR(status.st_mode) else 0


def _other_programs() -> set[Path]:
    """The installed programs, and the programs of all other solvers."""
    found: set[Path] = set()
    for home in homes():
        with contextlib.suppress(OSError):
            found |= {Path(entry.path) for entry in os.scandir(home / "bin") if entry.is_file()}
    for solver in load_solvers().values():
        with contextlib.suppress(CnfgenError):
            found.add(solver.locate())
    return found


# -- guarded files, and output files of a program ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Guarded:
    """A file that solvers must not change, with the SHA-256 of its bytes or of its formula. Its content is read only if its
    identity has changed."""

    path: Path
    sha256: str
    is_formula: bool = False


class FileIdentity(NamedTuple):
    """The state of a file at one time; `link` is the target if its path is a symbolic link."""

    numbers: tuple[int, ...]
    link: str | None
    mode: int
    recent: bool


def _identity(path: Path) -> FileIdentity | None:
    """The state, or None if this is not a regular file: devices and pipes have no content to guard."""
    try:
        status, link = os.lstat(path), None  # called before and after each run, so without pathlib
        if stat.S_ISLNK(status.st_mode):
            status, link = os.stat(path), os.readlink(path)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    numbers = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    recent = time.time_ns() - status.st_ctime_ns < TICK
    return FileIdentity(numbers, link, stat.S_IMODE(status.st_mode), recent)


def _damage(guarded: Guarded, before: FileIdentity, confined: bool) -> str:
    """The relevant change of a file in a few words; empty if there is none."""
    now = _identity(guarded.path)
    if now is None:
        return "removed" if not os.path.lexists(guarded.path) else "replaced by something that is not a file"
    if now.link != before.link:
        return f"replaced by a link to {now.link}" if now.link else "no longer a link"
    if now.mode != before.mode:
        return f"its mode changed from {before.mode:o} to {now.mode:o}"
    if now.numbers == before.numbers and (confined or not before.recent):
        return ""
    try:
        if guarded.is_formula:
            same = read_dimacs(open_source(guarded.path), relaxed=True).cnf.checksum() == guarded.sha256
        else:
            same = digest_of_file(guarded.path) == guarded.sha256
        return "" if same else "changed"
    except Exception as error:  # a file that cannot be read any more has changed
        return f"changed: {error}"


class OwnFile:
    """A file that a program may write. It is made empty before the program runs, which therefore needs no access to the folder.

    Afterwards the path must lead to the same file with one name: neither a link to another file nor another file. A file that the
    program never opened is removed. A device or pipe at that path stays as it is.
    """

    def __init__(self, path: Path):
        """Make the file; OSError if that fails."""
        self.path = path.resolve()
        self._file: BinaryIO | None = None  # kept open, so that no other file can get its inode number meanwhile
        if not self.path.exists() or self.path.is_file():
            self._file = self.path.open("wb")
            os.utime(self._file.fileno(), (0, 0))  # opening it for writing changes this

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


def empty_folder(folder: Path) -> None:
    """Remove the content of a folder, to any depth.

    (`shutil.rmtree` is recursive and keeps a file open for each level.)
    """
    folder.chmod(stat.S_IRWXU)
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries]
    if names:
        opened = ["find", ".", "-type", "d", "!", "-perm", "-700", "-exec", "chmod", "u+rwx", "{}", ";"]
        for command in (opened, ["find", ".", "-mindepth", "1", "-delete"]):
            subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
