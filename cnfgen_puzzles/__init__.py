"""Puzzles to DIMACS CNF, solver binaries under enforced limits, answers back to verified boards.

The public API on one screen:

    import cnfgen_puzzles as cp

    puzzle = cp.read("cat.nin")                      # or cp.read(family="tiling", board="6x10", pieces="pentominoes")
    outcome = cp.solve(puzzle)                       # as solve-puzzle does: outcome.status, .board, .sentence(), .to_json()
    answer = cp.unique(puzzle, certify=True)         # answer.verdict: one, several, none, undecided
    print(cp.draw(puzzle, outcome.board))
    print(cp.count(puzzle).sentence())               # how many boards
    for solution in cp.solutions(puzzle):            # solution.board, as they are found
        ...
    print(cp.explain(puzzle).steps[0].text)          # solved as a person would
    print(cp.make("nonogram", "cat.png", size=30).sentence())  # a picture to a puzzle with one solution; .puzzle, .changes
    cp.unique(puzzle, certificate="cat.cert")        # a folder that anybody can check
    print(cp.verify_certificate("cat.cert").sentence)

    instance = cp.encode(puzzle, "order")            # a formula of your choice; instance.write(stream) is the DIMACS file
    outcome = cp.solve(instance, solver="kissat", limits=cp.Limits(cpu=60))  # and so unique, count, solutions

A wrong call or file raises `cp.InputError`, a faulty solver or an internal error `cp.CnfgenError`. `pipeline/api.py` says what
the keywords mean.
"""

from __future__ import annotations

from cnfgen_puzzles.common.version import __version__

TYPE_CHECKING = False  # as type checkers understand it: `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from cnfgen_puzzles.common.errors import CnfgenError, InputError
    from cnfgen_puzzles.families import Board, Family, Puzzle
    from cnfgen_puzzles.families.capabilities import Explanation
    from cnfgen_puzzles.making.making import Made, make
    from cnfgen_puzzles.pipeline.answer import Answer, BoardCount, FormulaOutcome, MusResult, Outcome, Status, Uniqueness
    from cnfgen_puzzles.pipeline.api import count, draw, encode, explain, mus, read, solutions, solve, unique
    from cnfgen_puzzles.pipeline.cegar import CegarOutcome
    from cnfgen_puzzles.pipeline.certificates.verification import CertificateCheck, verify_certificate
    from cnfgen_puzzles.pipeline.count import Count, Solution, Solutions
    from cnfgen_puzzles.pipeline.instance import BrokenBoard, Instance
    from cnfgen_puzzles.pipeline.request import Round
    from cnfgen_puzzles.solving.process import Limits

__all__ = [
    "Answer",
    "Board",
    "BoardCount",
    "BrokenBoard",
    "CegarOutcome",
    "CertificateCheck",
    "CnfgenError",
    "Count",
    "Explanation",
    "Family",
    "FormulaOutcome",
    "InputError",
    "Instance",
    "Limits",
    "Made",
    "MusResult",
    "Outcome",
    "Puzzle",
    "Round",
    "Solution",
    "Solutions",
    "Status",
    "Uniqueness",
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
    "pipeline.answer": ("Answer", "BoardCount", "FormulaOutcome", "MusResult", "Outcome", "Status", "Uniqueness"),
    "pipeline.count": ("Count", "Solution", "Solutions"),
    "pipeline.api": ("count", "draw", "encode", "explain", "mus", "read", "solutions", "solve", "unique"),
    "pipeline.instance": ("BrokenBoard", "Instance"),
    "making.making": ("Made", "make"),
    "pipeline.cegar": ("CegarOutcome",),
    "pipeline.request": ("Round",),
    "pipeline.certificates.verification": ("CertificateCheck", "verify_certificate"),
    "solving.process": ("Limits",),
}
"""Where each name lives: loaded when it is asked for, since every command and every worker imports this package."""

if not TYPE_CHECKING:  # else no name would be unknown to a type checker

    def __getattr__(name: str) -> object:
        from importlib import import_module

        for module, names in HOMES.items():
            if name in names:
                globals()[name] = value = getattr(import_module(f"{__name__}.{module}"), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return __all__
