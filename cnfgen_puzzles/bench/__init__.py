"""What compares: instances x encodings x solvers from a suite, run, stored and scored.

Imports run downward: `runsuite` (the entrance) -> `show` (tables, plots, report, export) -> `analyse` (results, scores) -> `run`
(formulas, jobs, where they run, the result file) -> `record` (the fields of a run record) -> `suite` (what is to be run).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cnfgen_puzzles.bench.runsuite import SuiteResults, run_suite

__all__ = ["SuiteResults", "run_suite"]


def __getattr__(name: str) -> Any:
    """The entrance is loaded when it is asked for: who reads results needs no solvers."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cnfgen_puzzles.bench import runsuite

    return getattr(runsuite, name)
