"""The requests of callers as frozen dataclasses: `SolveRequest`, `CountRequest`, `MusRequest`.

A request has the puzzle (and its formula, if the caller encoded it) and every setting of the call. Each field defines its valid
values; an invalid value is an InputError when the request is created. `api` describes the settings.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.pipeline.instance import NOTHING, SYMMETRY, UP_TO, Instance
from cnfgen_puzzles.solving.process import Limits

if TYPE_CHECKING:  # imported only by the calls that need them
    from concurrent.futures import Executor


CEGAR_SOLVER = "glucose4"
"""The default incremental solver of the CEGAR loop, if python-sat is installed: the fastest in measurements."""

ADDED_AT_ONCE = 10
"""The default number of lazy constraints to add in a round (`add`)."""


class ProofPolicy(StrEnum):
    """The required evidence of 'no (other) board'."""

    NONE = "none"
    """No proof is checked; the answer is not independently verified."""
    BOUNDED = "bounded"
    """A checked proof if the solver writes one and the check ends within its bounds; otherwise the answer is not independently
    verified."""
    REQUIRED = "required"
    """A checked proof, however long the check takes; an answer without one is an ERROR."""


@dataclass(frozen=True)
class Round:
    """The state of the loop after an answer: `board` is the solver's board (None: there is none), `broken` the number of
    constraints that it violates.

    `noun` is the name of the constraints; `added` of `total` were in the formula.
    """

    number: int
    noun: str
    added: int
    total: int | None
    variables: int
    clauses: int
    seconds: float
    conflicts: int | None = None
    board: Board | None = None
    broken: int = 0


# -- a certificate --------------------------------------------------------------------------------------------------------

SAFE = regex(r"\.[a-z0-9]{1,10}")
"""The suffixes that files of a certificate can have."""
PUZZLE = "puzzle.json"
"""The puzzle as it was read, in a certificate."""


@dataclass
class CertificateOrder:
    """A requested certificate: its folder, and the origin of the puzzle (`origin_of_...`), from which it can be read again.

    `source` is the file of the puzzle. With `replaces`, an existing certificate is overwritten. Afterwards, `sums` is the SHA-256
    of SHA256SUMS, or `reason` says why there is no certificate.
    """

    folder: Path
    origin: Mapping[str, Any] = field(default_factory=lambda: origin_of_program())
    source: Source | None = None
    replaces: bool = False
    sums: str = ""
    reason: str = ""


def origin_of_file(source: Source, options: Mapping[str, Any]) -> dict[str, Any]:
    """The origin of a puzzle that was read from a file."""
    suffix = source.suffix if SAFE.fullmatch(source.suffix) else ""
    return {"file": given_name(suffix), "suffix": suffix, "options": dict(options)}


def given_name(suffix: str) -> str:
    """The name of the original file of the puzzle in a certificate."""
    return "given.json" if suffix == ".json" else f"puzzle{suffix or '.txt'}"


def origin_of_program() -> dict[str, Any]:
    """The origin of a puzzle that a program supplied; PUZZLE is this puzzle."""
    return {"program": PUZZLE}


def origin_of_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The origin of a puzzle that options describe."""
    return {"options": dict(options)}


def origin_of_generator(name: str, seed: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """The origin of a random puzzle."""
    return {"generator": name, "seed": seed, "options": dict(options)}


# -- kinds of values --------------------------------------------------------------------------------------------------------


def _kind(fits: Callable[[Any], bool], expected: str) -> Mapping[str, Any]:
    """The metadata of a field: its valid values, besides None, and their description in errors."""
    return {"fits": fits, "expected": expected}


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike)


COUNT = _kind(lambda value: _is_whole(value) and value >= 1, "a whole number, at least 1")
SECONDS = _kind(_is_positive, "seconds, a number above 0")
NAME = _kind(lambda value: isinstance(value, str), "a name")
SWITCH = _kind(lambda value: isinstance(value, bool), "True or False")
WHOLE = _kind(_is_whole, "a whole number")
LIMITS = _kind(lambda value: isinstance(value, Limits), "cnfgen_puzzles.Limits(cpu=..., wall=..., memory=...)")
OPTIONS = _kind(lambda value: isinstance(value, Mapping), "the encoding's options, such as {'amo': 'product'}")
FUNCTION = _kind(callable, "a function")
FOLDER = _kind(_is_path, "the path of a folder")
EXECUTOR = _kind(lambda value: hasattr(value, "submit"), "an executor of cnfgen_puzzles.solving.executors.open_executor")

LIMIT_KINDS = {"cpu": SECONDS, "wall": SECONDS, "memory": COUNT, "output": COUNT, "proof": COUNT}


def check_limits(limits: Limits) -> None:
    """InputError for a limit that is not a number above 0. `output` and `proof` always have a limit."""
    for name, kind in LIMIT_KINDS.items():
        value, optional = getattr(limits, name), name not in ("output", "proof")
        if not (kind["fits"](value) or (value is None and optional)):
            or_none = ", or None for no limit" if optional else ""
            raise InputError(f"found Limits({name}={value!r}), expected {kind['expected']}{or_none}")


# -- arguments of calls -------------------------------------------------------------------------------------------------------

Folder = str | os.PathLike[str]
Solvers = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def solver_names(solver: Solvers | None) -> tuple[str, ...]:
    """The solvers that `solver=` names; empty for None."""
    named = () if solver is None else (solver,) if isinstance(solver, str | os.PathLike) else solver
    if not isinstance(named, list | tuple) or (solver is not None and not named) or not all(map(_is_path, named)):
        raise InputError(f"found solver={solver!r}, expected a solver's name or path, or a list of them")
    return tuple(map(os.fspath, named))


def proof_policy(proof: bool, certify: bool) -> ProofPolicy:
    """The policy of `proof=` and `certify=`."""
    for name, value in (("proof", proof), ("certify", certify)):
        if value is not None and not isinstance(value, bool):
            raise InputError(f"found {name}={value!r}, expected {SWITCH['expected']}")
    return ProofPolicy.REQUIRED if certify else ProofPolicy.NONE if proof is False else ProofPolicy.BOUNDED


# -- requests ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Request:
    """A puzzle and the settings of every call. `instance` is the formula if the caller encoded the puzzle; otherwise `encoding`
    and `options` define it (None: the default). `solver` is empty if the caller named none."""

    family: Family
    puzzle: Any = None
    instance: Instance | None = None
    encoding: str | None = field(default=None, metadata=NAME)
    options: Mapping[str, Any] = field(default_factory=dict, metadata=OPTIONS)
    solver: tuple[str, ...] = ()
    limits: Limits | None = field(default=None, metadata=LIMITS)

    def __post_init__(self) -> None:
        for each in fields(self):
            kind, value = each.metadata, getattr(self, each.name)
            if kind and value is not None and not kind["fits"](value):
                raise InputError(f"found {each.name}={value!r}, expected {kind['expected']}")
        if self.limits is not None:
            check_limits(self.limits)
        if self.instance is not None and (self.encoding is not None or self.options):
            raise InputError("found an encoding or options for an instance, which is already encoded")


@dataclass(frozen=True, kw_only=True)
class SolveRequest(Request):
    """A board of a puzzle, or (`unique`) its uniqueness; the last four settings are for the CEGAR loop.

    With `mus`, the answer that there is no board has minimal unsatisfiable sets of the givens.
    """

    seed: int | None = field(default=None, metadata=WHOLE)
    proof: ProofPolicy = ProofPolicy.BOUNDED
    checker: str | None = field(default=None, metadata=NAME)
    certificate: CertificateOrder | None = None
    mus: bool = field(default=True, metadata=SWITCH)
    cores: int | None = field(default=None, metadata=COUNT)
    add: int | None = field(default=None, metadata=COUNT)
    choice: str | None = field(default=None, metadata=NAME)
    state: Folder | None = field(default=None, metadata=FOLDER)
    progress: Callable[[Round], None] | None = field(default=None, metadata=FUNCTION)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.certificate is not None and self.proof is ProofPolicy.NONE:
            raise InputError("found certificate and proof=False: a certificate needs the proof")


@dataclass(frozen=True, kw_only=True)
class CountRequest(Request):
    """All boards of a puzzle (`listed`), or only their number."""

    listed: bool = True
    engine: str | None = field(default=None, metadata=NAME)
    jobs: int | None = field(default=None, metadata=COUNT)
    state: Folder | None = field(default=None, metadata=FOLDER)
    most: int | None = field(default=None, metadata=COUNT)
    raw: bool = field(default=False, metadata=SWITCH)
    up_to: str | None = field(default=None, metadata=NAME)
    progress: Callable[[Any], None] | None = field(default=None, metadata=FUNCTION)
    executor: Executor | None = field(default=None, metadata=EXECUTOR)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.solver) > 1:
            call = "solutions" if self.listed else "count"
            raise InputError(f"found several solvers for {call}, expected one: its parts already run in parallel")
        if self.up_to is not None and self.up_to not in UP_TO:
            raise InputError(unknown_name("convention", self.up_to, UP_TO))
        if self.raw and self.up_to not in (None, NOTHING):
            raise InputError(f"found raw and up to {self.up_to}, expected one of them")

    @property
    def convention(self) -> str:
        """The convention of `UP_TO`; `raw` means NOTHING."""
        return NOTHING if self.raw else self.up_to or SYMMETRY


@dataclass(frozen=True, kw_only=True)
class MusRequest(Request):
    """Minimal unsatisfiable sets of the givens of a puzzle; the solver is for their proof."""

    proof: ProofPolicy = ProofPolicy.BOUNDED
    checker: str | None = field(default=None, metadata=NAME)


R = TypeVar("R", bound=Request)


def make_request(kind: type[R], call: str, settings: dict[str, Any]) -> R:
    """The request of a public function. `settings` are its arguments by name, which are those of the fields, except that `puzzle`
    can be an Instance, `proof` and `certify` form a policy, and `certificate` can be a path."""
    puzzle = settings.pop("puzzle")
    if isinstance(puzzle, Instance):
        settings |= {"family": puzzle.family, "puzzle": puzzle.puzzle, "instance": puzzle}
    else:
        settings |= {"family": family_of(call, puzzle), "puzzle": puzzle}
    settings |= {"options": settings["options"] or {}, "solver": solver_names(settings["solver"])}
    if "proof" in settings:
        settings["proof"] = proof_policy(settings["proof"], settings.pop("certify", False))
    certificate = settings.get("certificate")
    if certificate is not None and not isinstance(certificate, CertificateOrder):
        if not _is_path(certificate):
            raise InputError(f"found certificate={certificate!r}, expected the path of a new folder")
        settings["certificate"] = CertificateOrder(Path(certificate))
    return kind(**settings)


def family_of(call: str, puzzle: Any) -> Family:
    """The family of a puzzle; InputError for any other value."""
    if not isinstance(puzzle, Puzzle):
        found = repr(os.fspath(puzzle)) if _is_path(puzzle) else f"a value of type {type(puzzle).__name__}"
        raise InputError(f"found {found}, expected a puzzle of cnfgen_puzzles.read: {call}(puzzle)")
    return puzzle.family
