"""How a worker process of an enumeration is started, and what its end means."""

from __future__ import annotations

import sys
from pathlib import Path

from cnfgen_puzzles.solving import process
from cnfgen_puzzles.solving.process import Measurement

WORKER = "cnfgen_puzzles.counting.worker"

BY_LIMIT = {
    process.CPU_LIMIT: "CPU time limit",
    process.WALL_LIMIT: "wall time limit",
    process.MEMORY_LIMIT: "memory limit",
    process.OUTPUT_LIMIT: "more output than the limit",
}
"""Ends that make an enumeration partial; others that are not regular are errors."""


def worker_command(folder: Path, name: str) -> list[str]:
    return [sys.executable, "-m", WORKER, str(folder), name]


def is_regular(measurement: Measurement) -> bool:
    """Whether the worker ended by itself, with nothing to complain of."""
    return (measurement.ended, measurement.exit_code) == (process.EXIT, 0)


def failure(measurement: Measurement, stderr: Path) -> str:
    """What went wrong with a worker; empty if nothing did."""
    if measurement.ended == process.LAUNCH_FAILED:
        return f"could not be started: {measurement.detail}"
    if measurement.ended in BY_LIMIT or measurement.ended == process.INTERRUPTED or is_regular(measurement):
        return ""
    how = f"signal {measurement.signal}" if measurement.signal else f"exit code {measurement.exit_code}"
    lines = stderr.read_bytes()[-2000:].decode("utf-8", "replace").strip().splitlines()
    return f"failed with {how}{f': {lines[-1]}' if lines else ''}"
