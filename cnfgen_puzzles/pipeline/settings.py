"""The settings of solve, unique, count and enumerate: their names and types, for a type checker and for who runs the call.

`checked` finds wrong names and values; what a setting does is said in `entrance`. Encodings' options are the families' affair.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.solving.process import Limits

if TYPE_CHECKING:  # rooms that only some calls need
    from cnfgen_puzzles.pipeline.countresult import Count
    from cnfgen_puzzles.pipeline.refine import Round
    from cnfgen_puzzles.solving.cluster import ClusterExecutor
    from cnfgen_puzzles.solving.pool import LocalExecutor

# -- a certificate --------------------------------------------------------------------------------------------------------

SAFE = re.compile(r"\.[a-z0-9]{1,10}")
"""An ending of a file that a certificate's may have."""
PUZZLE = "puzzle.json"
"""The puzzle as it was read, in a certificate."""


@dataclass
class Wanted:
    """A certificate that is wanted: its folder, and how the puzzle came (`origin_of_...`), for README and for --encoding.

    `source` is the puzzle's file. With `replaces` a certificate that is there already gives way. `sums` is the SHA-256 of
    SHA256SUMS once the certificate is there, `reason` why there is none.
    """

    folder: Path
    origin: Mapping[str, Any] = field(default_factory=dict)
    source: Source | None = None
    replaces: bool = False
    sums: str = ""
    reason: str = ""


def origin_of_file(source: Source, options: Mapping[str, Any]) -> dict[str, Any]:
    """How a puzzle came that was read from a file."""
    suffix = source.suffix if SAFE.fullmatch(source.suffix) else ".txt"
    name = f"puzzle{suffix}" if f"puzzle{suffix}" != PUZZLE else f"given{suffix}"
    return {"file": name, "suffix": source.suffix, "options": dict(options)}


def origin_of_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The same of one given by options alone."""
    return {"options": dict(options)}


def origin_of_generator(name: str, seed: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """The same of one made at random."""
    return {"generator": name, "seed": seed, "options": dict(options)}


# -- the settings of a call -----------------------------------------------------------------------------------------------


class FormulaSettings(TypedDict, total=False):
    """Of solve and unique, with an instance."""

    solver: str | os.PathLike[str] | Sequence[str] | None
    limits: Limits | None
    seed: int | None
    proof: bool
    certify: bool
    checker: str | None
    certificate: str | os.PathLike[str] | Wanted | None
    cores: int | None


class PuzzleSettings(FormulaSettings, total=False):
    """Of unique, with a family and a puzzle; the last four are for puzzles that are solved piece by piece."""

    options: Mapping[str, Any] | None
    add: int | None
    choice: str | None
    state: str | os.PathLike[str] | None
    progress: Callable[[Round], None] | None


class SolveSettings(PuzzleSettings, total=False):
    """Of solve, with a family and a puzzle."""

    search: float | None


BY_PIECES = ("add", "choice", "state", "progress", "search")


class ContradictionSettings(TypedDict, total=False):
    """Of contradiction."""

    solver: str | None
    limits: Limits | None
    proof: bool
    checker: str | None
    options: Mapping[str, Any] | None


class CountSettings(TypedDict, total=False):
    """Of count and enumerate, with an instance."""

    engine: str | None
    solver: str | None
    jobs: int | None
    state: str | os.PathLike[str] | None
    limits: Limits | None
    most: int | None
    raw: bool
    up_to: str | None
    progress: Callable[[Count], None] | None
    executor: LocalExecutor | ClusterExecutor | None


class PuzzleCountSettings(CountSettings, total=False):
    """Of count and enumerate, with a family and a puzzle."""

    options: Mapping[str, Any] | None


def whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def above_zero(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def paths(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) > 0 and all(isinstance(each, str | os.PathLike) for each in value)


AT_LEAST_ONE = (lambda value: whole(value) and value >= 1, "a whole number, at least 1")
SECONDS = (above_zero, "seconds, a number above 0")
NAME = (lambda value: isinstance(value, str), "a name")
SWITCH = (lambda value: isinstance(value, bool), "True or False")

CHECKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "add": AT_LEAST_ONE,
    "certificate": (lambda value: isinstance(value, str | os.PathLike | Wanted), "the path of a new folder"),
    "certify": SWITCH,
    "checker": NAME,
    "choice": NAME,
    "cores": AT_LEAST_ONE,
    "engine": NAME,
    "executor": (lambda value: hasattr(value, "submit"), "an executor of cnfgen_puzzles.solving.cluster.open_executor"),
    "jobs": AT_LEAST_ONE,
    "limits": (lambda value: isinstance(value, Limits), "cnfgen_puzzles.Limits(cpu=..., wall=..., memory=...)"),
    "most": AT_LEAST_ONE,
    "options": (lambda value: isinstance(value, Mapping), "the encoding's options, such as {'amo': 'product'}"),
    "progress": (callable, "a function"),
    "proof": SWITCH,
    "raw": SWITCH,
    "search": SECONDS,
    "seed": (whole, "a whole number"),
    "solver": (lambda value: isinstance(value, str | os.PathLike) or paths(value), "a solver's name or path, or a list of them"),
    "state": (lambda value: isinstance(value, str | os.PathLike), "the path of a folder"),
    "up_to": NAME,
}
"""What a value must be, None apart, and how that is said."""

LIMITS = {"cpu": SECONDS, "wall": SECONDS, "memory": AT_LEAST_ONE, "output": AT_LEAST_ONE, "proof": AT_LEAST_ONE}
ALWAYS = ("output", "proof")
"""The limits that there are in every run."""


def checked(call: str, known: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that were given and are not None; InputError for one that is wrong or not of the class `known`."""
    names = known.__annotations__
    for name, value in given.items():
        if name not in names:
            raise InputError(unknown_name(f"setting of {call}", name, names))
        fits, expected = CHECKS[name]
        if value is not None and not fits(value):
            raise InputError(f"found {name}={value!r}, expected {expected}")
    settings = {name: value for name, value in given.items() if value is not None}
    if "limits" in settings:
        check_limits(settings["limits"])
    if "state" in settings:
        settings["state"] = Path(settings["state"])
    if "solver" in settings:
        named = settings["solver"]
        several = [*map(os.fspath, named if paths(named) else [named])]
        settings["solver"] = several if len(several) > 1 else several[0]
    return settings


def check_limits(limits: Limits) -> None:
    """InputError for a limit that is no number, or not above 0."""
    for name, (fits, expected) in LIMITS.items():
        value = getattr(limits, name)
        if not (value is None and name not in ALWAYS) and not fits(value):
            raise InputError(
                f"found Limits({name}={value!r}), expected {expected}{'' if name in ALWAYS else ', or None for no limit'}"
            )
