"""The cache of CNF files of tasks.

The name of a formula contains a checksum of its sources: the bytes of the puzzle file with the options of its reader (or
generator and seed), the encoding with its options, the seed of the scrambling, and a fingerprint of the code. So a changed
encoding never uses an old file. Next to `x.cnf` are `x.map.json` (the variable map for `decode-cnf`) and `x.json` (measurements).
Damaged files are made again. Several processes can share the folder, because files with one name have one content. Third-party
CNF files are used in place if they are strict DIMACS, otherwise a clean copy is used.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import cnfgen_puzzles
from cnfgen_puzzles.bench.suite.features import GBD_HASH
from cnfgen_puzzles.bench.suite.plan import CNF, BenchInstance, Task
from cnfgen_puzzles.common.digests import digest_of_file, digest_of_json
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import atomic_file, read_regular
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import Family, Puzzle, find_family
from cnfgen_puzzles.formula import Cnf, VariableMap, read_dimacs, write_dimacs
from cnfgen_puzzles.formula.scramble import scramble
from cnfgen_puzzles.formula.varmap import identity
from cnfgen_puzzles.pipeline.instance import BrokenBoard, checked_board, make_instance, puzzle_of, scramble_instance, sidecar_of

CNF_FOLDER, KEPT_FOLDER = "cnf", "kept"
"""The folders of formulas, and of outputs of failed runs, in a result folder."""
PACKAGE = Path(cnfgen_puzzles.__file__).parent


@cache
def code_fingerprint(family: type) -> str:
    """The fingerprint of the code that reads, encodes, scrambles, and writes puzzles, with that of a third-party family."""
    files = [path for name in ("common", "families", "formula") for path in sorted((PACKAGE / name).rglob("*.py"))]
    own = Path(inspect.getfile(family))
    if PACKAGE not in own.parents:
        files += sorted(own.parent.rglob("*.py")) if own.name == "__init__.py" else [own]
    digest = hashlib.sha256(cnfgen_puzzles.__version__.encode())
    for path in (*files, PACKAGE / "pipeline" / "instance.py"):
        digest.update(f"\0{path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


KEPT = 16
"""The number of formulas and puzzles in memory. Tasks are sorted by instance, but the threads of all cores share them."""


@dataclass(frozen=True)
class Prepared:
    """A formula ready for solvers. `seconds` is the CPU time of reading, encoding, and writing."""

    cnf_file: Path
    identity: dict[str, Any]
    seconds: float
    map: Path | None
    size: dict[str, int]
    describe: str

    def cnf(self) -> Cnf:
        """The formula, read on demand; the last few stay in memory."""
        with _reading:
            return _read_cnf(self.cnf_file, self.identity["sha256"])

    def file_with_map(self, folder: Path) -> Path:
        """A copy in this folder with the map in its comments; the file itself if there is no map."""
        if self.map is None:
            return self.cnf_file
        *_, vmap = read_map(self.map, self.identity["sha256"])
        copy = folder / self.cnf_file.name
        with copy.open("wb") as stream:
            write_dimacs(self.cnf(), stream, vmap.to_comments())
        return copy

    def check_model(self, model: Sequence[int]) -> tuple[Any, str | None]:
        """The board of a model as JSON, and None or the violated rule; a third-party CNF has neither."""
        if self.map is None:
            return None, None
        family, puzzle, vmap = read_map(self.map, self.identity["sha256"])
        try:
            board = checked_board(family, puzzle, vmap, model)
        except BrokenBoard as error:
            return None, str(error)
        return family.board_to_json(puzzle, board), None


_reading = threading.Lock()
"""Threads that need the same formula or map wait until one of them has read it."""


@lru_cache(KEPT)
def _read_cnf(path: Path, sha256: str) -> Cnf:
    cnf = read_dimacs(open_source(path)).cnf
    if cnf.checksum() != sha256:
        raise CnfgenError(f"{path}: the formula has changed since its run was prepared")
    return cnf


def read_map(path: Path, sha256: str) -> tuple[Family, Puzzle, VariableMap]:
    """The map of this formula with its family and puzzle; the last few stay in memory."""
    with _reading:
        return _read_map(path, sha256)


@lru_cache(KEPT)
def _read_map(path: Path, sha256: str) -> tuple[Family, Puzzle, VariableMap]:
    vmap = VariableMap.from_json(open_source(path).text(), str(path))
    if vmap.formula.get("sha256") != sha256:
        raise CnfgenError(f"{path}: the map belongs to another formula")
    return *puzzle_of(vmap, str(path)), vmap


@dataclass(frozen=True)
class Formulas:
    """The formulas of a suite. File names are relative to `suite_folder`; `cache` is the folder of the formulas."""

    suite_folder: Path
    cache: Path

    def get(self, task: Task) -> Prepared:
        """The formula of a task, from the folder or made now; CnfgenError if it cannot be made.

        The metadata are written last.
        """
        instance = task.instance
        original = self._path(instance) if instance.family == CNF else None
        try:
            source = digest_of_file(self._path(instance)) if instance.source is not None else None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", source=str(self._path(instance))) from None
        name, own, family = CNF, dict[str, Any](), None
        if not original:
            family = find_family(instance.family)
            name = family.encoding(task.encoding.name if task.encoding else None).name
            own = {
                "file": Path(instance.source).name if instance.source else None,  # its suffix can determine the format
                "options": dict(instance.options),
                "generator": instance.generator,
                "seed": instance.seed,
                "encoding": [name, dict(task.encoding.options) if task.encoding else {}],
            }
        code = code_fingerprint(type(family) if family else Family)
        made_of = {"family": instance.family, "source": source, **own, "scramble": task.scramble, "code": code}
        last = Path(instance.name).name if instance.source else instance.name
        words = re.sub(r"[^A-Za-z0-9._=-]+", "_", last).strip("._")[:60]
        mark = "" if task.scramble is None else f".s{task.scramble}"
        cnf = self.cache / f"{words}.{name}{mark}.{digest_of_json(made_of)[:16]}.cnf"
        found = _opened(cnf, original)
        if found is None:
            self.cache.mkdir(parents=True, exist_ok=True)
            started = time.thread_time()
            made = _copy(task, original, cnf) if original else self._encode(task, name, cnf)
            meta = {"made_of": made_of, **made, "seconds": round(time.thread_time() - started, 4)}
            written = [] if meta.get("in_place") else [cnf, sidecar_of(cnf)] if original is None else [cnf]
            meta["files"] = {path.name: digest_of_file(path) for path in written}
            with atomic_file(cnf.with_suffix(".json")) as stream:
                stream.write(json.dumps({**meta, "sha256": digest_of_json(meta)}).encode() + b"\n")
            found = _opened(cnf, original)
        if found is None:
            raise CnfgenError(f"{cnf}: the file changed after it was written")
        return found

    def _path(self, instance: BenchInstance) -> Path:
        return self.suite_folder / (instance.source or "")

    def _encode(self, task: Task, encoding: str, path: Path) -> dict[str, Any]:
        """Write the formula of a puzzle and its map."""
        puzzle, family = self.puzzle(task.instance), find_family(task.instance.family)
        if family.refinement and encoding in family.refinement.encodings:
            from cnfgen_puzzles.pipeline.cegar import cut_instance  # loads solvers

            made, decided = cut_instance(family, puzzle)
            if decided == "more than one solution":  # a model can break a rule, which is no fault of a solver
                raise InputError(f"found a puzzle with {decided}, expected one for the encoding {encoding}")
        else:
            made = make_instance(family, puzzle, encoding, **dict(task.encoding.options if task.encoding else ()))
        if task.scramble is not None:
            made = scramble_instance(made, task.scramble)
        with atomic_file(path) as stream:
            made.write(stream, with_map=False)
        with atomic_file(sidecar_of(path)) as stream:
            stream.write((made.map.to_json() + "\n").encode())
        named = {**made.map.formula, "gbd_hash": made.cnf.gbd_hash()}
        return {"identity": named, "size": family.size(puzzle) or _plain_size(made.cnf), "describe": family.describe(puzzle)}

    def puzzle(self, instance: BenchInstance) -> Any:
        """The puzzle of an instance, read or generated."""
        family, options = find_family(instance.family), dict(instance.options)
        if instance.generator is not None:
            return family.generate(instance.generator, instance.seed or 0, **options)
        return family.read(open_source(self._path(instance)) if instance.source else None, **options)


def _copy(task: Task, original: Path, path: Path) -> dict[str, Any]:
    """Write a clean or scrambled copy of a third-party CNF file, unless solvers can read it in place."""
    file = read_dimacs(open_source(original))
    cnf = file.cnf if task.scramble is None else scramble(file.cnf, task.scramble)[0]
    in_place = file.strict and task.scramble is None
    if not in_place:
        mark = "" if task.scramble is None else f", scrambled by seed {task.scramble}"
        with atomic_file(path) as stream:
            write_dimacs(cnf, stream, [original.name + mark])
    named = {**identity(cnf), "gbd_hash": cnf.gbd_hash()}
    known = dict(task.instance.features).get("hash")
    if isinstance(known, str) and GBD_HASH.fullmatch(known) and known != (found := file.cnf.gbd_hash()):
        wrong = f"found a formula with the GBD hash {found}, expected {known} according to its features"
        raise InputError(wrong, source=str(original))
    return {"identity": named, "size": _plain_size(cnf), "describe": original.name, "in_place": in_place}


def _opened(cnf: Path, original: Path | None) -> Prepared | None:
    """The formula in the folder if its files exist and match the checksums of the metadata."""
    try:
        meta = json.loads(read_regular(cnf.with_suffix(".json")))
        if meta.pop("sha256") != digest_of_json(meta):
            return None
        if any(digest_of_file(cnf.with_name(name)) != sha256 for name, sha256 in meta["files"].items()):
            return None
        file = original if original and meta.get("in_place") else cnf
        vmap = sidecar_of(cnf) if original is None else None
        return Prepared(file, meta["identity"], meta["seconds"], vmap, meta["size"], meta["describe"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _plain_size(cnf: Cnf) -> dict[str, int]:
    return {"variables": cnf.num_variables, "clauses": cnf.num_clauses}
