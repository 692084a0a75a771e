"""--engine, for the commands that count: the names that it takes and what is told of each."""

from __future__ import annotations

from cnfgen_puzzles.counting.enginenames import BOTH, COUNTERS, ENGINES


def engine_summaries(*without: str) -> dict[str, str]:
    """The engines that enumerate, then those that give numbers alone; `without` some."""
    counters = {name: f"model counter, {how}" for name, how in COUNTERS.items()}
    every = {**ENGINES, **counters, BOTH: f"{' and '.join(COUNTERS)}, which must agree"}
    return {name: summary for name, summary in every.items() if name not in without}


def engine_help(*without: str) -> str:
    """All of it in a sentence."""
    listed = "; ".join(f"{name}: {summary}" for name, summary in engine_summaries(*without).items())
    return f"How to find or count them, by default the best that is there, for numbers with a model counter beside it. {listed}."
