"""For tests of the awk programs of certificates: runs one on a puzzle as `verify.sh` does, with any installed awk."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cnfgen_puzzles import families

PROGRAMS = Path(families.__file__).parent / "awk"
CALLS = ("mawk", "gawk --posix", "busybox awk", "original-awk")
AWKS = [call.split() for call in CALLS if shutil.which(call.split()[0])] or [["awk"]]
"""The installed programs."""


def run(
    awk: Sequence[str], program: str, puzzle: bytes, second: str | bytes | None = None, **variables: object
) -> subprocess.CompletedProcess[bytes]:
    """Run a program of `families/awk` on the JSON of a puzzle and, optionally, a second file."""
    given = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        files = {"puzzle.json": puzzle}
        if second is not None:
            files["second.txt"] = second if isinstance(second, bytes) else second.encode()
        for name, content in files.items():
            Path(folder, name).write_bytes(content)
        texts = ["-f", PROGRAMS / "json.awk", "-f", PROGRAMS / f"{program}.awk"]
        return subprocess.run([*awk, *given, *texts, *files], cwd=folder, capture_output=True, timeout=60, check=False)
