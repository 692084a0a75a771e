"""The checkers of certificates and strings, called as a sceptic would call them: programs of their own in `scripts/`.

None of them uses the package, so nothing is imported from them. Not here: what certificates say (`docs/maze-optimality.md`).
"""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError, InputError

SCRIPTS = Path(__file__).parents[2] / "scripts"

STRING, CERTIFICATE, CUBES, WINDOW, WINDOW_CUBES = (
    "check_maze_string.py",
    "check_maze_certificate.py",
    "check_maze_cubes.py",
    "check_maze_window.py",
    "check_maze_window_cubes.py",
)


@dataclass(frozen=True)
class Checked:
    """Whether a checker agrees, all that it printed, and its seconds of processor time."""

    verified: bool
    said: str
    seconds: float

    @property
    def claim(self) -> str:
        """What was verified, without the name of the file."""
        return self.said.partition(": verified: ")[2]

    def certain(self) -> Checked:
        """This; CnfgenError if the checker does not agree."""
        if not self.verified:
            raise CnfgenError(f"a check failed: {self.said}")
        return self


def checked(script: str, *words: object) -> Checked:
    """What a checker says. InputError if it is not there: an installed package has no scripts."""
    program = SCRIPTS / script
    if not program.is_file():
        raise InputError("found no such program, expected a checkout with the checkers", source=str(program))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([sys.executable, program, *map(str, words)], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Checked(run.returncode == 0, (run.stdout + run.stderr).strip(), seconds)
