"""The public functions of the library, which the commands call as well: read, encode, draw, solve, unique, mus, solutions, count
(`explain` is in explain.py).

Each of the last five takes a puzzle, which it encodes in a suitable way, or an `Instance`, whose formula it uses. Puzzles of a
family with a `refinement` are solved by the CEGAR loop, unless the caller encoded them. The settings become a request, whose
fields describe them (`request.py`); `solve_request` and `solutions_of` answer requests.

An invalid call is an InputError. Counting, certificates, the CEGAR loop, and MUS extraction are imported by the calls that need
them.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import Board, Family, Puzzle, find_family
from cnfgen_puzzles.families.detection import detect_family
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.pipeline.answer import Answer, MusResult, Status
from cnfgen_puzzles.pipeline.instance import Instance, make_instance
from cnfgen_puzzles.pipeline.portfolio import AUTO, pick_portfolio, solve_by, toward_false
from cnfgen_puzzles.pipeline.request import (
    CountRequest,
    MusRequest,
    ProofPolicy,
    SolveRequest,
    family_of,
    list_settings,
    make_request,
)
from cnfgen_puzzles.pipeline.solve import FormulaTask, decide_by_argument
from cnfgen_puzzles.pipeline.unique import decide_unique
from cnfgen_puzzles.solving.incremental import SOLVERS as INCREMENTAL

if TYPE_CHECKING:
    from typing import Unpack

    from cnfgen_puzzles.pipeline.count import Count, Solutions
    from cnfgen_puzzles.pipeline.request import CountSettings, MusSettings, SolveSettings

Formulas = Cnf | os.PathLike[str] | str | Any
"""Formulas without a puzzle: the path of a CNF file, a formula of this package, or a `CNF` or `CNFPlus` of PySAT."""

# -- puzzles, formulas, pictures ------------------------------------------------------------------------------------------


def read(path: str | Path | None = None, *, family: str | Family | None = None, **options: Any) -> Puzzle:
    """Read the puzzle in a file (`-`: standard input), or, for a `family` without files, the puzzle that the options describe.

    Without `family`, the family is detected from the file. `options` are those of the family's reader, such as `format`. Errors
    are InputErrors that name the file and the line, or the option.
    """
    if path is None and family is None:
        raise InputError("found neither a path nor family=, expected one of them")
    chosen = find_family(family) if isinstance(family, str) else family
    if path is None and chosen is not None and chosen.reads_file:
        raise InputError(f"found no file, expected the path of a {chosen.name} puzzle")
    source = None if path is None else open_source(path)
    if chosen is None:
        assert source is not None  # or there is a family
        chosen = detect_family(source, options.get("format"))
    files = {option.name: option for option in chosen.options if option.file is not None}
    options |= {name: files[name].read(value) for name, value in options.items() if name in files and value is not None}
    puzzle: Puzzle = chosen.read(source, **options)
    return puzzle


def encode(puzzle: Puzzle, encoding: str | None = None, *, pseudo_boolean: bool = False, **options: Any) -> Instance:
    """Encode the puzzle as a formula with its variable map; `instance.write(stream)` writes the DIMACS file (bytes).

    `encoding`: one of the family's `encodings`, None for its default; `options`: that encoding's. With `pseudo_boolean`, the
    formula keeps its cardinality constraints, and `write` writes an OPB file. InputError for wrong options, and for a formula
    beyond the limits on inputs.
    """
    return make_instance(family_of("encode", puzzle), puzzle, encoding, pseudo_boolean=pseudo_boolean, **options)


def draw(puzzle: Puzzle, board: Board | tuple[Any, ...] | str, view: str = "text", **options: Any) -> str | bytes:
    """Draw the board as text, ANSI colors, or SVG (str), or as PNG (bytes): `view` is one of the family's `views`.

    `options` are those of the view, such as `letters=True`. InputError for an unknown view, or if a required package is not
    installed. Notebooks show boards without this function.
    """
    return family_of("draw", puzzle).view(view, **options).draw(puzzle, board, None)


# -- one board, and its uniqueness -------------------------------------------------------------------------------------------


@list_settings(SolveRequest)
def solve(puzzle: Puzzle | Instance | Formulas, **settings: Unpack[SolveSettings]) -> Answer:
    """Find one checked board of a puzzle (or of an encoded formula), or decide that it has none.

    Several solvers (`solver=["kissat", "minisat-core"]`) form a portfolio, of which the first checked answer counts
    (docs/explanation/portfolio.md). The default, `"auto"`, uses the best installed solvers. The CEGAR loop also accepts those of
    python-sat. With `certify`, an answer without a checked proof is an ERROR.
    """
    return solve_request(make_request(SolveRequest, "solve", puzzle, settings))


@list_settings(SolveRequest)
def unique(puzzle: Puzzle | Instance | Formulas, **settings: Unpack[SolveSettings]) -> Answer:
    """Decide whether the puzzle has one board, several, or none. The settings are those of `solve`.

    By default, small and easy puzzles go to cadical and lrat-check, if these are installed.
    """
    return solve_request(make_request(SolveRequest, "unique", puzzle, settings, unique=True))


@list_settings(MusRequest)
def mus(puzzle: Puzzle, **settings: Unpack[MusSettings]) -> MusResult | None:
    """Extract minimal unsatisfiable sets (MUS) of the givens of a puzzle, such as known cells: each contradicts the other clues.

    The result is None if the puzzle has no givens. If there is no board, `solve` and `unique` extract the sets within ten seconds
    or five times the solving time; this function uses `limits`. `solver`, `proof`, and `checker` apply to the proof that the sets
    are unsatisfiable.
    """
    request = make_request(MusRequest, "mus", puzzle, settings)
    from cnfgen_puzzles.pipeline.mus import extract_mus

    return extract_mus(request)


# -- all boards --------------------------------------------------------------------------------------------------------------


@list_settings(CountRequest)
def solutions(puzzle: Puzzle | Instance | Formulas, **settings: Unpack[CountSettings]) -> Solutions:
    """Enumerate all boards of a puzzle: each `Solution` has a `board`, a `number`, and the size of its `orbit`.

    `engine`: `exact-cover`, `clasp`, `blocking`, or `auto`, the best for the puzzle. `solver`: a solver of python-sat, for the
    engine `blocking`.
    """
    return solutions_of(make_request(CountRequest, "solutions", puzzle, settings))


@list_settings(CountRequest)
def count(puzzle: Puzzle | Instance | Formulas, **settings: Unpack[CountSettings]) -> Count:
    """Count the boards of a puzzle. The settings are those of `solutions`. Ctrl-C gives the partial count.

    `engine` can also be a model counter: `ganak` (probabilistic), `tididi`, or `counters`, which runs both and requires that they
    agree. By default, a model counter runs in parallel with the enumeration if that becomes large.
    """
    request = make_request(CountRequest, "count", puzzle, settings, listed=False)
    from cnfgen_puzzles.pipeline.count import count as count_all

    return count_all(solutions_of(request))


# -- answers to requests ------------------------------------------------------------------------------------------------------


def solutions_of(request: CountRequest) -> Solutions:
    """The answer of `solutions`; `count` counts its elements."""
    from cnfgen_puzzles.pipeline.count import NoSolutions, Solutions

    if request.instance is None:
        if request.engine is None and request.solver and request.solver[0] not in INCREMENTAL:
            pick_portfolio(request.solver[0])
        request.family.encoding_options(request.encoding, request.options)
        if answer := decide_by_argument(request.family, request.puzzle, request.encoding):
            return NoSolutions(answer)
    return Solutions(request)


def solve_request(request: SolveRequest) -> Answer:
    """A board, or (`unique`) the uniqueness of a board; includes the certificate, if one is requested."""
    begun = time.monotonic()
    if request.certificate is None:
        found = _decide(request, None)
    else:
        from cnfgen_puzzles.pipeline.certificates.certify import certify_answer

        strict = replace(request, certify=True)
        found = certify_answer(request.certificate, lambda proof_to: _decide(strict, proof_to))
    searches = request.mus and request.instance is None and request.family.givens is not None
    if not searches or found.status is not Status.UNSATISFIABLE:
        return found
    from cnfgen_puzzles.pipeline.mus import with_mus

    return with_mus(found, request, time.monotonic() - begun)


def _decide(request: SolveRequest, proof_to: Path | None) -> Answer:
    """Decide by an argument of the family, the CEGAR loop, or a portfolio; the proof goes to `proof_to`."""
    family, puzzle = request.family, request.puzzle
    by_cegar = request.instance is None and family.uses_cegar(request.encoding)
    if request.instance is None:
        if request.solver and not by_cegar:
            pick_portfolio(request.solver)  # report wrong names before deciding anything
        family.encoding_options(request.encoding, request.options)
        if answer := decide_by_argument(family, puzzle, request.encoding):
            return answer.with_second() if request.unique else answer
    if by_cegar:
        from cnfgen_puzzles.pipeline.cegar import answer_by_cegar

        return answer_by_cegar(request, proof_to)
    for name in ("add", "state", "progress"):
        if (value := getattr(request, name)) is not None:
            raise InputError(f"found {name}={value!r}, which only the CEGAR loop uses; it does not solve {family.name} puzzles")
    instance = request.instance or make_instance(family, puzzle, request.encoding, **request.options)
    required, guessed = request.policy is ProofPolicy.REQUIRED, family.guesses(puzzle) is not None
    portfolio = pick_portfolio(request.solver, proof=required, cores=request.cores, guessed=guessed)
    task = FormulaTask(
        limits=request.limits, seed=request.seed, proof=request.policy, checker=request.checker, proof_to=proof_to
    )  # fmt: skip
    if not request.unique:
        return solve_by(instance, portfolio, task)
    free = request.solver in ((), (AUTO,)) and request.seed is None
    return decide_unique(instance, toward_false(portfolio) if free else portfolio, task, free=free)
