"""The command that adds packages to this installation: of pip, pipx, or uv."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

PACKAGE = "cnfgen-puzzles"


def install_packages(*requirements: str) -> str:
    """The command that installs these requirements beside this package."""
    packages = shlex.join(requirements)
    if (Path(sys.prefix) / "pipx_metadata.json").is_file():
        return f"pipx inject {PACKAGE} {packages}"
    if (Path(sys.prefix) / "uv-receipt.toml").is_file():
        return f"uv pip install --python {shlex.quote(sys.executable)} {packages}"
    return f"pip install {packages}"


def install_extra(extra: str) -> str:
    """The command that installs an extra of this package."""
    return install_packages(f"{PACKAGE}[{extra}]")


def packages_of(extra: str) -> list[str]:
    """The requirements of an extra; none if the package is not installed."""
    import importlib.metadata  # takes time to load

    try:
        lines = importlib.metadata.requires(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    marked = (line.partition(";") for line in lines)
    return [line.strip() for line, _, marker in marked if f"extra == '{extra}'" in marker or f'extra == "{extra}"' in marker]
