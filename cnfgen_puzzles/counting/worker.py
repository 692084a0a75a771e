"""The worker process of engines and model counters: `python -P -m cnfgen_puzzles.counting.worker FOLDER` does the work in FOLDER.

Work is a picklable object with a method `run(folder, answers)`, which prints lines into `answers`: `engines.SearchWork` and
`counters.CounterWork` say which. All that anything else prints goes to stderr. A failure is a line on stderr and exit code 1.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import Protocol, TextIO

from cnfgen_puzzles.common.errors import CnfgenError

WORK = "work"


class WorkerTask(Protocol):
    """What a worker process does; `folder` is also for files of its own."""

    def run(self, folder: Path, answers: TextIO) -> None:
        """Do it; any exception is a failure."""


def write_task(folder: Path, task: WorkerTask) -> list[str]:
    """Write the file by which a worker process gets its task; the command that starts the process."""
    (folder / WORK).write_bytes(pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
    # -P: modules come from where they come from here, and never from the scratch folder
    return [sys.executable, "-P", "-m", "cnfgen_puzzles.counting.worker", str(folder)]


def main(folder: Path) -> int:
    """Do the work of a folder; the exit code."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        pickle.loads((folder / WORK).read_bytes()).run(folder, answers)
    except Exception as error:
        print(error if isinstance(error, CnfgenError) else f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
