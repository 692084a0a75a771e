"""The size of the launcher."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from cnfgen_puzzles.solving import process


def test_the_launcher_stays_small():
    """It may import only the standard library and no other module of this package, or its size counts for programs."""
    code = "import sys; sys.path.append(sys.argv[1]); import supervision.launcher; print(*sys.modules)"
    listed = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(Path(process.__file__).parent)],
        capture_output=True,
        text=True,
        check=True,
    )
    packages = {name.partition(".")[0] for name in listed.stdout.split()}
    assert packages <= {*sys.stdlib_module_names, "__main__", "supervision"}
