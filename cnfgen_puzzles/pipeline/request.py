"""The requests of callers as frozen dataclasses: `MusRequest`, `SolveRequest`, `CountRequest`.

A request has the puzzle (and its formula, if the caller encoded it) and every setting of the call. A setting is a field with its
kind of values and its help, from which `api.py` and the commands are derived; an invalid value, or one that contradicts another
setting, is an InputError when the request is created. `Settings` and its subclasses repeat the names for type checkers.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from enum import StrEnum
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeVar

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.pipeline.instance import NOTHING, SYMMETRY, UP_TO, Instance, make_instance
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


# -- a certificate --------------------------------------------------------------------------------------------------------

SAFE = regex(r"\.[a-z0-9]{1,10}")
"""The suffixes that files of a certificate can have."""
PUZZLE = "puzzle.json"
"""The puzzle as it was read, in a certificate."""

Origin = Mapping[str, Any]
OF_PROGRAM: Origin = {"program": PUZZLE}
"""The origin of a puzzle that a program supplied; PUZZLE is this puzzle."""


@dataclass
class CertificateOrder:
    """A requested certificate: its folder, and the origin of the puzzle (`origin_of`), from which it can be read again.

    `source` is the file of the puzzle. With `replaces`, an existing certificate is overwritten. Afterwards, `sums` is the SHA-256
    of SHA256SUMS, or `reason` says why there is no certificate.
    """

    folder: Path
    origin: Origin = field(default_factory=lambda: {**OF_PROGRAM})
    source: Source | None = None
    replaces: bool = False
    sums: str = ""
    reason: str = ""


def origin_of(options: Mapping[str, Any], *, source: Source | None = None, generator: str | None = None, seed: int = 0) -> Origin:
    """The origin of a puzzle that was read from a file, that a generator made from a seed, or that options alone describe."""
    if generator is not None:
        return {"generator": generator, "seed": seed, "options": dict(options)}
    if source is None:
        return {"options": dict(options)}
    suffix = source.suffix if SAFE.fullmatch(source.suffix) else ""
    return {"file": given_name(suffix), "suffix": suffix, "options": dict(options)}


def given_name(suffix: str) -> str:
    """The name of the original file of the puzzle in a certificate."""
    return "given.json" if suffix == ".json" else f"puzzle{suffix or '.txt'}"


# -- kinds of values --------------------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of values, besides None: its name, its check, and its description in errors."""

    name: str
    fits: Callable[[Any], bool]
    expected: str


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike)


COUNT = Kind("count", lambda value: _is_whole(value) and value >= 1, "a whole number, at least 1")
SECONDS = Kind("seconds", _is_positive, "seconds, a number above 0")
NAME = Kind("name", lambda value: isinstance(value, str), "a name")
SWITCH = Kind("switch", lambda value: isinstance(value, bool), "True or False")
WHOLE = Kind("whole", _is_whole, "a whole number")
LIMITS = Kind("limits", lambda value: isinstance(value, Limits), "cnfgen_puzzles.Limits(cpu=..., wall=..., memory=...)")
OPTIONS = Kind("options", lambda value: isinstance(value, Mapping), "the encoding's options, such as {'amo': 'product'}")
FUNCTION = Kind("function", callable, "a function")
FOLDER = Kind("folder", _is_path, "the path of a folder")
EXECUTOR = Kind(
    "executor", lambda value: hasattr(value, "submit"), "an executor of cnfgen_puzzles.solving.executors.open_executor"
)
SOLVERS = Kind("solvers", lambda value: isinstance(value, tuple), "a solver's name or path, or a list of them")
LITERALS = Kind(
    "literals",
    lambda value: isinstance(value, list | tuple) and all(_is_whole(each) or isinstance(each, str) for each in value),
    "a list of literals, such as [-7, 'cell[3,4]', '-cell[0,0]']",
)
CERTIFICATE = Kind("certificate", lambda value: isinstance(value, CertificateOrder), "the path of a new folder")

LIMIT_KINDS = {"cpu": SECONDS, "wall": SECONDS, "memory": COUNT, "output": COUNT, "proof": COUNT}


def check_limits(limits: Limits) -> None:
    """InputError for a limit that is not a number above 0. `output` and `proof` always have a limit."""
    for name, kind in LIMIT_KINDS.items():
        value, optional = getattr(limits, name), name not in ("output", "proof")
        if not (kind.fits(value) or (value is None and optional)):
            or_none = ", or None for no limit" if optional else ""
            raise InputError(f"found Limits({name}={value!r}), expected {kind.expected}{or_none}")


# -- requests ---------------------------------------------------------------------------------------------------------------

Folder = str | os.PathLike[str]
Solvers = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def setting(kind: Kind, help: str, default: Any = None) -> Any:
    """A field that a caller can set; `default` is its value, or the type that makes it."""
    name = "default_factory" if isinstance(default, type) else "default"
    return field(**{name: default}, metadata={"kind": kind, "help": help})


@dataclass(frozen=True, eq=False, kw_only=True)
class Request:
    """A puzzle and the settings of every call. `instance` is the formula if the caller encoded the puzzle; otherwise `encoding`
    and `options` define it. `solver` is empty if the caller named none."""

    family: Family
    puzzle: Any = None
    instance: Instance | None = None
    encoding: str | None = setting(NAME, "Use this encoding; by default that of the family.")
    options: Mapping[str, Any] = setting(OPTIONS, "Set options of the encoding.", dict)
    solver: tuple[str, ...] = setting(SOLVERS, "Use this solver: a name, or a path, with options as in 'kissat --sat'.", ())
    limits: Limits | None = setting(LIMITS, "Limit the time and the memory of each run of a solver, or of a whole count.")
    assumptions: Sequence[int | str] = setting(
        LITERALS, "Assume these literals of the formula: numbers, or names such as 'cell[3,4]' and '-cell[3,4]'.", ()
    )

    def __post_init__(self) -> None:
        for name, each in settings_of(type(self)).items():
            value = getattr(self, name)
            if value is not None and not each.metadata["kind"].fits(value):
                raise InputError(f"found {name}={value!r}, expected {each.metadata['kind'].expected}")
        if self.limits is not None:
            check_limits(self.limits)
        if self.instance is not None and (self.encoding is not None or self.options):
            raise InputError("found an encoding or options for an instance, which is already encoded")


@dataclass(frozen=True, eq=False, kw_only=True)
class MusRequest(Request):
    """Minimal unsatisfiable sets of the givens of a puzzle; the solver is for their proof."""

    proof: bool = setting(
        SWITCH, "Prove the answer, and check the proof within ten seconds or five times the solving time.", True
    )
    checker: str | None = setting(NAME, "Check proofs with this checker; by default the first installed one.")

    @property
    def policy(self) -> ProofPolicy:
        """The required evidence."""
        return ProofPolicy.BOUNDED if self.proof else ProofPolicy.NONE


NEED_PROOF = ("certificate", "certify", "checker")
"""The settings that contradict `proof=False`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SolveRequest(MusRequest):
    """A board of a puzzle, or (`unique`) its uniqueness; `add`, `state`, and `progress` are for the CEGAR loop.

    With `mus`, the answer that there is no board has minimal unsatisfiable sets of the givens.
    """

    seed: int | None = setting(WHOLE, "Set the seed of the solver.")
    certify: bool = setting(SWITCH, "Require a checked proof for 'no solution' and 'unique', without a time limit.", False)
    certificate: CertificateOrder | None = setting(
        CERTIFICATE, "Write a certificate, which `verify-certificate` and public programs can check. Implies certify."
    )
    unique: bool = False
    mus: bool = True
    cores: int | None = setting(
        COUNT, "Use this number of cores for the default portfolio; by default all. One: a single solver."
    )
    add: int | None = setting(COUNT, f"Add this number of constraints in each round; by default {ADDED_AT_ONCE}.")
    state: Folder | None = setting(FOLDER, "Save progress in this folder, so that the same command or call resumes.")
    progress: Callable[[Any], None] | None = setting(FUNCTION, "Call this function with the CegarLoop after each of its rounds.")

    def __post_init__(self) -> None:
        super().__post_init__()
        wrong = next((name for name in NEED_PROOF if getattr(self, name)), None)
        if wrong and not self.proof:
            raise InputError(f"found {wrong}, which needs the proof, and proof=False")

    @property
    def policy(self) -> ProofPolicy:
        return ProofPolicy.REQUIRED if self.certify else super().policy


@dataclass(frozen=True, eq=False, kw_only=True)
class CountRequest(Request):
    """All boards of a puzzle (`listed`), or only their number."""

    listed: bool = True
    engine: str | None = setting(NAME, "Enumerate or count with this engine; by default the fastest installed one.")
    jobs: int | None = setting(COUNT, "Run N processes in parallel; by default one per core.")
    state: Folder | None = setting(FOLDER, "Save progress in this folder, so that the same command or call resumes.")
    most: int | None = setting(COUNT, "Stop after N solutions.")
    raw: bool = setting(SWITCH, "Count symmetric solutions separately, as the convention `nothing` does.", False)
    up_to: str | None = setting(NAME, f"Count solutions modulo {', '.join(UP_TO)}; modulo rotations, mirror images count twice.")
    progress: Callable[[Any], None] | None = setting(FUNCTION, "Call this function repeatedly with the current Count.")
    executor: Executor | None = setting(EXECUTOR, "Run the search elsewhere (docs/how-to/counting.md).")

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


if TYPE_CHECKING:

    class Settings(TypedDict, total=False):
        """The settings of every call; the fields of `Request` describe them."""

        encoding: str | None
        options: Mapping[str, Any] | None
        solver: Solvers | None
        limits: Limits | None
        assumptions: Sequence[int | str] | None

    class MusSettings(Settings, total=False):
        """The settings of `mus`; the fields of `MusRequest` describe them."""

        proof: bool
        checker: str | None

    class SolveSettings(MusSettings, total=False):
        """The settings of `solve` and `unique`; the fields of `SolveRequest` describe them."""

        seed: int | None
        certify: bool
        certificate: Folder | CertificateOrder | None
        cores: int | None
        add: int | None
        state: Folder | None
        progress: Callable[[Any], None] | None

    class CountSettings(Settings, total=False):
        """The settings of `solutions` and `count`; the fields of `CountRequest` describe them."""

        engine: str | None
        jobs: int | None
        state: Folder | None
        most: int | None
        raw: bool
        up_to: str | None
        progress: Callable[[Any], None] | None
        executor: Executor | None


# -- from settings to requests ------------------------------------------------------------------------------------------------

R = TypeVar("R", bound=Request)
F = TypeVar("F", bound=Callable[..., Any])


def settings_of(kind: type[Request]) -> dict[str, Field[Any]]:
    """The settings of a request, by name."""
    return {each.name: each for each in fields(kind) if each.metadata}


def list_settings(kind: type[Request]) -> Callable[[F], F]:
    """Add the settings of a request to the docstring of the function that takes them."""

    def extended(function: F) -> F:
        lines = [f"    {name}: {each.metadata['help']}" for name, each in settings_of(kind).items()]
        function.__doc__ = "\n".join([cleandoc(function.__doc__ or ""), "", "Settings:", *lines])
        return function

    return extended


def make_request(kind: type[R], call: str, puzzle: Any, settings: Mapping[str, Any], **more: Any) -> R:
    """The request of a public function. None means the default of a setting; `puzzle` can be an Instance or a formula
    (`interchange.instance_of`), `solver` a name or several, and `certificate` a path."""
    given = {name: value for name, value in settings.items() if value is not None} | more
    instance = puzzle if isinstance(puzzle, Instance) else None
    if not isinstance(puzzle, Puzzle | Instance):
        from cnfgen_puzzles.pipeline.interchange import FORMULA, instance_of  # loads sessions

        instance = instance_of(puzzle)
        if instance is not None and instance.family is FORMULA and "certificate" in given:
            raise InputError("found certificate for a formula without a puzzle; `count-cnf --certificate` writes one")
    if instance is not None:
        instance.clauses_only()
        given |= {"family": instance.family, "puzzle": instance.puzzle, "instance": instance}
    else:
        given |= {"family": family_of(call, puzzle, ", an instance, a formula (Cnf, pysat CNF), or its path"), "puzzle": puzzle}
    solver = given.get("solver", ())
    named = (solver,) if _is_path(solver) else solver
    if not isinstance(named, list | tuple) or not all(map(_is_path, named)) or ("solver" in given and not named):
        raise InputError(f"found solver={solver!r}, expected {SOLVERS.expected}")
    given["solver"] = tuple(map(os.fspath, named))
    if _is_path(given.get("certificate")):
        given["certificate"] = CertificateOrder(Path(given["certificate"]))
    request = kind(**given)
    if not request.assumptions:
        return request
    instance = request.instance or make_instance(request.family, request.puzzle, request.encoding, **request.options)
    return replace(request, instance=instance.assume(request.assumptions), encoding=None, options={}, assumptions=())


def family_of(call: str, puzzle: Any, other: str = "") -> Family:
    """The family of a puzzle; InputError for any other value, which says that `other` values are expected, too."""
    if not isinstance(puzzle, Puzzle):
        found = repr(os.fspath(puzzle)) if _is_path(puzzle) else f"a value of type {type(puzzle).__name__}"
        raise InputError(f"found {found}, expected a puzzle of cnfgen_puzzles.read{other}: {call}(puzzle)")
    return puzzle.family
