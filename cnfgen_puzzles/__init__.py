"""Puzzles to DIMACS CNF, solver binaries under honest limits, answers back to certified boards.

The public API on one screen:

    import cnfgen_puzzles as cp

    puzzle = cp.read("nonogram", "cat.nin")               # without a file: cp.read("tiling", board="6x10", pieces="pentominoes")
    outcome = cp.solve("nonogram", puzzle)                # as solve-puzzle does: outcome.status, .board, .sentence(), .to_json()
    answer = cp.unique("nonogram", puzzle, certify=True)  # answer.verdict: one, several, none, undecided
    print(cp.draw("nonogram", puzzle, outcome.board))
    print(cp.count("nonogram", puzzle).sentence())        # how many boards
    for solution in cp.enumerate("nonogram", puzzle):     # solution.board, as they are found
        ...
    print(cp.explain("nonogram", puzzle).steps[0].text)   # solved as a person would
    print(cp.make("nonogram", "cat.png", size=30).sentence())  # a picture to a puzzle with one solution; .puzzle, .changes
    cp.unique("nonogram", puzzle, certificate="cat.cert")  # a folder that anybody can check
    print(cp.verify_certificate("cat.cert").sentence)

    instance = cp.encode("nonogram", puzzle, "order")     # a formula of your choice; instance.write(stream) is the DIMACS file
    outcome = cp.solve(instance, "kissat", limits=cp.Limits(cpu=60))  # and so unique, count, enumerate

What is wrong in a call or a file is a `cp.InputError`, what is wrong with a solver or here a `cp.CnfgenError`. The settings of
each function, and the types of what it gives: `pipeline/entrance.py`, `pipeline/settings.py`.
"""

from __future__ import annotations

from cnfgen_puzzles.common.version import __version__

TYPE_CHECKING = False  # as type checkers understand it: `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from cnfgen_puzzles.common.errors import CnfgenError, InputError
    from cnfgen_puzzles.families import Board, Family, Puzzle
    from cnfgen_puzzles.families.capabilities import Explanation
    from cnfgen_puzzles.making.made import Made
    from cnfgen_puzzles.making.making import make
    from cnfgen_puzzles.pipeline.certificates.verification import CertificateCheck, verify_certificate
    from cnfgen_puzzles.pipeline.contradiction.result import Contradiction
    from cnfgen_puzzles.pipeline.count import Solution, Solutions
    from cnfgen_puzzles.pipeline.countresult import Count
    from cnfgen_puzzles.pipeline.entrance import contradiction, count, draw, encode, enumerate, read, solve, unique
    from cnfgen_puzzles.pipeline.explain import explain
    from cnfgen_puzzles.pipeline.instance import Instance
    from cnfgen_puzzles.pipeline.refine import LoopOutcome, Round
    from cnfgen_puzzles.pipeline.solve import BrokenBoard, FormulaOutcome, Outcome
    from cnfgen_puzzles.pipeline.unique import Uniqueness
    from cnfgen_puzzles.solving.process import Limits

__all__ = [
    "Board",
    "BrokenBoard",
    "CertificateCheck",
    "CnfgenError",
    "Contradiction",
    "Count",
    "Explanation",
    "Family",
    "FormulaOutcome",
    "InputError",
    "Instance",
    "Limits",
    "LoopOutcome",
    "Made",
    "Outcome",
    "Puzzle",
    "Round",
    "Solution",
    "Solutions",
    "Uniqueness",
    "__version__",
    "contradiction",
    "count",
    "draw",
    "encode",
    "enumerate",
    "explain",
    "make",
    "read",
    "solve",
    "unique",
    "verify_certificate",
]

HOMES = {
    "families": ("Board", "Family", "Puzzle"),
    "families.capabilities": ("Explanation",),
    "common.errors": ("CnfgenError", "InputError"),
    "pipeline.contradiction.result": ("Contradiction",),
    "pipeline.count": ("Solution", "Solutions"),
    "pipeline.countresult": ("Count",),
    "pipeline.entrance": ("contradiction", "count", "draw", "encode", "enumerate", "read", "solve", "unique"),
    "pipeline.explain": ("explain",),
    "pipeline.instance": ("Instance",),
    "making.made": ("Made",),
    "making.making": ("make",),
    "pipeline.refine": ("LoopOutcome", "Round"),
    "pipeline.solve": ("BrokenBoard", "FormulaOutcome", "Outcome"),
    "pipeline.unique": ("Uniqueness",),
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
