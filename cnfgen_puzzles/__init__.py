"""Encodes puzzles as DIMACS CNF, runs solvers under enforced limits, and decodes answers to verified boards.

The public API on one screen:

    import cnfgen_puzzles as cp

    puzzle = cp.read("cat.nin")                      # or cp.read(family="tiling", board="6x10", pieces="pentominoes")
    outcome = cp.solve(puzzle)                       # like solve-puzzle: outcome.status, .board, .sentence(), .to_json()
    answer = cp.unique(puzzle, certify=True)         # answer.verdict: one, several, none, undecided
    print(cp.draw(puzzle, outcome.board))
    print(cp.count(puzzle).sentence())               # the number of boards
    for solution in cp.solutions(puzzle):            # each solution.board when it is found
        ...
    print(cp.explain(puzzle).steps[0].text)          # steps as a person takes them
    print(cp.make("nonogram", "cat.png", size=30).sentence())  # a picture to a puzzle with one solution; .puzzle, .changes
    cp.unique(puzzle, certificate="cat.cert")        # a folder with checkable evidence
    print(cp.verify_certificate("cat.cert").sentence)

    instance = cp.encode(puzzle, "order")            # choose an encoding; instance.write(stream) writes the DIMACS file
    outcome = cp.solve(instance, solver="kissat", limits=cp.Limits(cpu=60))  # also unique, count, solutions

A mistake in a call or a file raises `cp.InputError`; a solver failure or an internal error raises `cp.CnfgenError`.
`help(cp.solve)` lists the settings of a call.
"""

from __future__ import annotations

from cnfgen_puzzles.common.version import __version__

TYPE_CHECKING = False  # recognized by type checkers; importing `typing` takes longer than this module
if TYPE_CHECKING:
    from cnfgen_puzzles.common.errors import CnfgenError, InputError
    from cnfgen_puzzles.families import Board, Family, Puzzle
    from cnfgen_puzzles.families.capabilities import Explanation
    from cnfgen_puzzles.making.made import Made
    from cnfgen_puzzles.making.making import make
    from cnfgen_puzzles.pipeline.answer import Answer, BoardCount, FormulaAnswer, MusResult, Result, Status
    from cnfgen_puzzles.pipeline.api import count, draw, encode, mus, read, solutions, solve, unique
    from cnfgen_puzzles.pipeline.cegar import CegarAnswer
    from cnfgen_puzzles.pipeline.certificates.verification import CertificateCheck, verify_certificate
    from cnfgen_puzzles.pipeline.count import Count, Solution, Solutions
    from cnfgen_puzzles.pipeline.explain import explain
    from cnfgen_puzzles.pipeline.instance import BrokenBoard, Instance
    from cnfgen_puzzles.solving.process import Limits

__all__ = [
    "Answer",
    "Board",
    "BoardCount",
    "BrokenBoard",
    "CegarAnswer",
    "CertificateCheck",
    "CnfgenError",
    "Count",
    "Explanation",
    "Family",
    "FormulaAnswer",
    "InputError",
    "Instance",
    "Limits",
    "Made",
    "MusResult",
    "Puzzle",
    "Result",
    "Solution",
    "Solutions",
    "Status",
    "__version__",
    "count",
    "draw",
    "encode",
    "explain",
    "make",
    "mus",
    "read",
    "solutions",
    "solve",
    "unique",
    "verify_certificate",
]

HOMES = {
    "families": ("Board", "Family", "Puzzle"),
    "families.capabilities": ("Explanation",),
    "common.errors": ("CnfgenError", "InputError"),
    "pipeline.answer": ("Answer", "BoardCount", "FormulaAnswer", "MusResult", "Result", "Status"),
    "pipeline.count": ("Count", "Solution", "Solutions"),
    "pipeline.api": ("count", "draw", "encode", "mus", "read", "solutions", "solve", "unique"),
    "pipeline.explain": ("explain",),
    "pipeline.instance": ("BrokenBoard", "Instance"),
    "making.made": ("Made",),
    "making.making": ("make",),
    "pipeline.cegar": ("CegarAnswer",),
    "pipeline.certificates.verification": ("CertificateCheck", "verify_certificate"),
    "solving.process": ("Limits",),
}
"""The module of each name. Modules are loaded on first use, because every command and every worker imports this package."""

if not TYPE_CHECKING:  # hidden from type checkers, which would otherwise accept every name

    def __getattr__(name: str) -> object:
        from importlib import import_module

        for module, names in HOMES.items():
            if name in names:
                globals()[name] = value = getattr(import_module(f"{__name__}.{module}"), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return __all__
