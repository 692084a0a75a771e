"""Benchmarks: run the instances x encodings x solvers of a suite, store the results, and score them.

    from cnfgen_puzzles.bench import charts, read_results, run_suite, score_table

    results = run_suite("instances/suites/default.yaml", "results/today")  # makes the missing runs
    score_table(results.records)                                           # solved, PAR-2, VBS; str() is for a terminal
    charts(results.records, kinds=["cactus"])[0]                           # a notebook displays tables and plots
    results = read_results([Path("results/today")])                        # the same without runs

Imports run downward: `runsuite` (the entry point) -> `show` (tables, plots, report, export) -> `analyse` (results, scores) ->
`benchexec` (exchange with BenchExec) -> `run` (formulas, jobs, workers) -> `runs` (the result file) -> `record`
(the fields of a run) -> `suite` (the definition of the runs).
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cnfgen_puzzles.bench.analyse.results import Results as Results
    from cnfgen_puzzles.bench.analyse.results import read_results as read_results
    from cnfgen_puzzles.bench.analyse.rules import Rules as Rules
    from cnfgen_puzzles.bench.runsuite import SuiteResults as SuiteResults
    from cnfgen_puzzles.bench.runsuite import run_suite as run_suite
    from cnfgen_puzzles.bench.show.drawing import charts as charts
    from cnfgen_puzzles.bench.show.plots import Plot as Plot
    from cnfgen_puzzles.bench.show.tables import ScoreTable as ScoreTable
    from cnfgen_puzzles.bench.show.tables import compare_tables as compare_tables
    from cnfgen_puzzles.bench.show.tables import score_table as score_table
else:
    HOMES = {
        "analyse.results": ("Results", "read_results"),
        "analyse.rules": ("Rules",),
        "runsuite": ("SuiteResults", "run_suite"),
        "show.drawing": ("charts",),
        "show.plots": ("Plot",),
        "show.tables": ("ScoreTable", "compare_tables", "score_table"),
    }
    """The module of each name, imported on first use, since reading results needs no solvers."""
    __all__ = [name for names in HOMES.values() for name in names]

    def __getattr__(name: str) -> object:
        for module, names in HOMES.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{module}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return __all__
