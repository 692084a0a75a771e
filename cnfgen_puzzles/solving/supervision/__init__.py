"""The small process from which solvers are started, and the one that watches each of them.

A program's peak memory starts at the size of the process that forked it, and what a dead parent leaves behind needs a
living ancestor to clean up. So solvers are not forked by the Python program that wants them run, whose size is unknown,
nor watched by a thread of it, which would die with it:

    caller (any size) ── launcher (small, one a caller) ── supervisor (one a run) ── solver ── its children

`launcher` forks a supervisor for each run and cleans up after one that is killed; `supervisor` measures, limits and cleans
up one run, with `usage` (the accounts), `sandbox` (confinement) and `tree` (the processes below one). The caller's
side is `cnfgen_puzzles.solving.process`.

The launcher imports this package under its bare name, without the packages around it: the imports here are relative, and
of the standard library (and psutil, where Linux's `/proc` is missing).
"""

from __future__ import annotations

# Why a run ended.
EXIT = "exit"
SIGNAL = "signal"
CPU_LIMIT = "cpu-limit"
WALL_LIMIT = "wall-limit"
MEMORY_LIMIT = "memory-limit"
OUTPUT_LIMIT = "output-limit"
INTERRUPTED = "interrupted"
LAUNCH_FAILED = "launch-failed"
SUPERVISOR_LOST = "supervisor-lost"

# What confined a run, where something did.
LANDLOCK = "landlock"
