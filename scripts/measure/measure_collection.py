"""Measure the CPU seconds of a uniqueness check per puzzle: run the command on a folder of blobs several times.

    python scripts/measure/measure_collection.py 100 --times 3

Before the measurement, the script generates blobs of 20x20 to 30x30 with seeds from 0. Wall times mean little on a busy machine.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from cnfgen_puzzles.families import find_family

COMMAND = "from cnfgen_puzzles.cli.start import solve_puzzle; solve_puzzle()"


def used() -> float:
    """CPU seconds of the ended child processes and their descendants."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("puzzles", type=int)
    parser.add_argument("--times", type=int, default=1)
    given = parser.parse_args()
    family = find_family("nonogram")
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.puzzles):
            puzzle = family.generate("blobs", seed, size=20 + seed % 11)
            Path(folder, f"{seed:04}.non").write_text(family.write(puzzle, "non"), encoding="utf-8")
        for _ in range(given.times):
            before = used()
            subprocess.run(
                [sys.executable, "-c", COMMAND, "nonogram", folder, "--unique", "--jsonl", "-"],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            print(f"{(used() - before) / given.puzzles:.3f} s of CPU a puzzle")


if __name__ == "__main__":
    main()
