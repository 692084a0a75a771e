"""Building the wheel and the sdist, and an environment for commands outside of this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def clean_environment() -> dict[str, str]:
    """The environment variables without those that lead to this checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CNFGEN_", "PIP_"))}


def build(source: Path, target: Path, *kinds: str) -> None:
    """Build the wheel or the sdist with the build backend of pyproject.toml, without network access."""
    command = [sys.executable, "-m", "hatchling", "build", *(word for kind in kinds for word in ("-t", kind)), "-d", str(target)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False, timeout=200, env=clean_environment())
    assert done.returncode == 0, done.stderr
