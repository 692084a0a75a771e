"""The command that adds packages to this installation: of pip, pipx, or uv."""

from __future__ import annotations

import importlib.metadata
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
        return f"uv tool install {PACKAGE} {' '.join(f'--with {shlex.quote(each)}' for each in requirements)}"
    return f"pip install {packages}"


def install_extra(extra: str) -> str:
    """The command that installs an extra of this package.

    pipx installs the packages of the extra, since it does not add extras to an existing installation.
    """
    if (Path(sys.prefix) / "uv-receipt.toml").is_file():
        return f"uv tool install '{PACKAGE}[{extra}]'"
    if (Path(sys.prefix) / "pipx_metadata.json").is_file() and (packages := packages_of(extra)):
        return install_packages(*packages)
    return f"pip install '{PACKAGE}[{extra}]'"


def packages_of(extra: str) -> list[str]:
    """The requirements of an extra; none if the package is not installed."""
    try:
        lines = importlib.metadata.requires(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    marked = (line.partition(";") for line in lines)
    return [line.strip() for line, _, marker in marked if f"extra == '{extra}'" in marker or f'extra == "{extra}"' in marker]
