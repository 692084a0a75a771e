"""The checkers of certificates and strings: separate programs in `scripts/` that do not use the package, and that nothing is
imported from."""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError, InputError

SCRIPTS = Path(__file__).parents[2] / "scripts" / "check"

STRING, CERTIFICATE, CUBES, WINDOW, WINDOW_CUBES = (
    "check_maze_string.py",
    "check_maze_certificate.py",
    "check_maze_cubes.py",
    "check_maze_window.py",
    "check_maze_window_cubes.py",
)


@dataclass(frozen=True)
class Checked:
    """True if a checker agrees, all that it printed, and its seconds of processor time."""

    verified: bool
    said: str
    seconds: float

    @property
    def claim(self) -> str:
        """The verified statement, without the name of the file."""
        return self.said.partition(": verified: ")[2]

    def certain(self) -> Checked:
        """The check; CnfgenError if the checker refuses."""
        if not self.verified:
            raise CnfgenError(f"a check failed: {self.said}")
        return self


def checked(script: str, *words: object) -> Checked:
    """The result of a checker. InputError if it does not exist, because an installed package has no scripts."""
    program = SCRIPTS / script
    if not program.is_file():
        raise InputError("found no such program, expected a checkout of the project with the checkers", source=str(program))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([sys.executable, program, *map(str, words)], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Checked(run.returncode == 0, (run.stdout + run.stderr).strip(), seconds)
