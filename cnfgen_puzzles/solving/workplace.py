"""Where one solver runs: its input, its outputs, its scratch folder, and a guard over all that is not its own.

With Landlock a solver reads the user's own file, which it cannot write. Without, it is given the formula as we have read it, in
a file of its own: nothing that it does to its input meets the user's file, and nothing that others did to that meets the solver.
There is a copy of the user's file then to repair it from, if it is found in spite of that.

Not here: what the solver said (`run`).
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import shutil
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.formula import Cnf, read_dimacs, write_dimacs
from cnfgen_puzzles.solving import process
from cnfgen_puzzles.solving.confinement import CONFINEMENT, Confinement, is_enforced
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.integrity import Guard, Guarded, OwnFile, empty_folder, sha256_of
from cnfgen_puzzles.solving.process import Limits, Measurement, SupervisorLost, run_process
from cnfgen_puzzles.solving.provision.places import bins
from cnfgen_puzzles.solving.table import Solver, load_solvers

DENIED = (b"ermission denied", b"PermissionError", b"EACCES", b"peration not permitted")
"""What programs say where they were refused a file."""
END = 1 << 16
"""Bytes at the end of stderr in which that is looked for."""


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
        self.scratch, self._found = work / "scratch", work / "found"
        self.scratch.mkdir()
        self._folders = {folder: _number(folder) for folder in (work, self.scratch)}
        self.cnf_file = readable.absolute()
        if self._unconfined and readable == cnf_file:
            self.cnf_file = work / "input.cnf"
            self.cnf_file.write_bytes(_dimacs(cnf))
        files = [*self._inputs(cnf_file.absolute(), cnf, work), *guarded, *self._programs(executable)]
        outputs = [_proof_file(proof, files)] if proof else []
        self.proof_path = outputs[0].path if proof else None
        if solver.model_from == "file":
            outputs.append(OwnFile(work / "model"))
        self._own = [OwnFile(self.stdout), OwnFile(self.stderr), *outputs]
        self._confinement = Confinement(
            self.scratch,
            reads=[self.cnf_file.resolve(), *solver.files_read(executable)],
            writes=[file.path for file in outputs],
        )
        self._guard = Guard(files)

    def _inputs(self, cnf_file: Path, cnf: Cnf, work: Path) -> Iterator[Guarded]:
        """The user's file, and what the solver reads in its place."""
        if self.cnf_file != cnf_file:
            yield Guarded.with_checksum(self.cnf_file, sha256_of(self.cnf_file))
        if not self._unconfined:
            yield Guarded(cnf_file, lambda there: _checksum(there) == cnf.checksum())
        elif cnf_file.is_file():
            yield _with_copy(cnf_file, work / "original", cnf)

    def _programs(self, executable: Path) -> Iterator[Guarded]:
        """The solver's own program and those of others, as far as they lie where somebody might look for them."""
        yield Guarded.with_checksum(executable, checksum(executable))
        if self._unconfined:
            for other in _other_programs():
                if other != executable:
                    yield Guarded.with_checksum(other, checksum(other))

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
            return Measurement(process.SUPERVISOR_LOST, None, None, 0.0, 0.0, 0, "", 0, str(lost))
        finally:
            with contextlib.suppress(OSError):  # it is gone, or there is something else that we may not touch
                if self._folders[self.scratch] == _number(self.scratch):
                    empty_folder(self.scratch)

    def faults(self, measurement: Measurement) -> str:
        """What the run did to files, in words; empty if it kept to its own. Damage is repaired."""
        faults = []
        for folder, number in self._folders.items():
            if _number(folder) != number:
                faults.append("removed the folder that it ran in")
                if folder.is_symlink() or not folder.is_dir():
                    folder.unlink(missing_ok=True)
                folder.mkdir(exist_ok=True)
        faults += [fault for file in self._own if (fault := file.fault())]
        for output in (self.stdout, self.stderr):
            output.touch()
        confined = bool(measurement.confinement)
        if damages := self._guard.damages(confined):
            self._found.mkdir(parents=True, exist_ok=True)
            left = self._guard.repair(damages, self._found, confined)
            told = (f"{damage}{'' if damage in left else ', repaired'}" for damage in damages)
            faults.append(f"while it ran, files changed that are not its own: {'; '.join(told)}")
        return "; ".join(faults)

    def keep_found(self, kept: Path) -> None:
        """Move what was found in place of repaired files to this folder: it may be somebody's work."""
        if self._found.is_dir():
            for found in self._found.iterdir():
                shutil.move(found, kept / found.name)

    def hint(self, measurement: Measurement) -> str:
        """Where a run failed that may have wanted more than it was allowed: how to allow it."""
        if not measurement.confinement and measurement.ended != process.LAUNCH_FAILED:
            return ""
        with self.stderr.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - END))
            said = file.read() + measurement.detail.encode()
        if self._unconfined or not any(words in said for words in DENIED):
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


def kept(path: Path) -> Guarded:
    """A file of a caller, guarded, and repaired from its bytes as they are now; these are needed only without Landlock."""
    if is_enforced() or not path.is_file():
        return Guarded(path, lambda _: True)
    return Guarded.with_content(path, path.read_bytes())


def _with_copy(cnf_file: Path, copy: Path, cnf: Cnf) -> Guarded:
    """The user's file, to be repaired from a copy; where that has suffered, too, from the formula, without comments."""
    sha256 = sha256_of(Path(shutil.copyfile(cnf_file, copy)))

    def same(path: Path) -> bool:
        return sha256_of(path) == sha256

    def content() -> bytes:
        return copy.read_bytes() if copy.is_file() and same(copy) else _dimacs(cnf)

    return Guarded(cnf_file, same, content)


def _checksum(path: Path) -> str:
    """That of the formula in a file."""
    return read_dimacs(open_source(path)).cnf.checksum()


def _dimacs(cnf: Cnf) -> bytes:
    stream = io.BytesIO()
    write_dimacs(cnf, stream)
    return stream.getvalue()


def _proof_file(proof: Path, guarded: Sequence[Guarded]) -> OwnFile:
    """The proof's file, made. InputError where it would overwrite a file that is guarded, and where it cannot be."""
    for other in guarded:
        if proof.exists() and other.path.exists() and proof.samefile(other.path):
            raise InputError(f"found {other.path} as the file for the proof, expected another than the formula and programs")
    try:
        return OwnFile(proof)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", source=str(proof)) from None


def _other_programs() -> tuple[Path, ...]:
    """What is installed (`provision`), and whatever else is known as a solver."""
    states = []
    for folder in bins():
        with contextlib.suppress(OSError):
            states.append((folder, folder.stat().st_mtime_ns))
    return _known_programs(tuple(states))


@functools.lru_cache(maxsize=1)
def _known_programs(states: tuple[tuple[Path, int], ...]) -> tuple[Path, ...]:
    """The same, for one state of these folders."""
    installed = {Path(entry.path) for folder, _ in states for entry in os.scandir(folder) if entry.is_file()}
    return tuple(sorted(_declared_programs() | installed))


@functools.cache
def _declared_programs() -> frozenset[Path]:
    """The programs of all declared solvers that are there; looked for once a process."""
    found = set()
    for solver in load_solvers().values():
        with contextlib.suppress(CnfgenError):
            found.add(solver.locate())
    return frozenset(found)
