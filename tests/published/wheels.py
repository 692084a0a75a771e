"""How wheel and sdist are made, and what a command is told that shall know nothing of this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def clean_environment() -> dict[str, str]:
    """Without what leads back to this checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CNFGEN_", "PIP_"))}


def build(source: Path, target: Path, *kinds: str) -> None:
    """Wheel or sdist by the build backend that pyproject.toml names, without network."""
    command = [sys.executable, "-m", "hatchling", "build", *(word for kind in kinds for word in ("-t", kind)), "-d", str(target)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False, timeout=200, env=clean_environment())
    assert done.returncode == 0, done.stderr
