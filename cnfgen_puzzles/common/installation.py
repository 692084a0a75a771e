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
    receipt = Path(sys.prefix) / "uv-receipt.toml"
    return f"uv tool install {_with_installed(receipt, *requirements)}" if receipt.is_file() else f"pip install {packages}"


def install_extra(extra: str) -> str:
    """The command that installs an extra of this package."""
    return install_packages(f"{PACKAGE}[{extra}]")


def _with_installed(receipt: Path, *requirements: str) -> str:
    """The arguments of uv for these and the installed requirements, since uv removes those that are not named."""
    import tomllib  # takes time to load

    extras: set[str] = set()
    others: dict[str, None] = {}
    try:
        known = tomllib.loads(receipt.read_text(encoding="utf-8"))["tool"]["requirements"]
    except (OSError, ValueError, LookupError, TypeError):
        known = []
    for entry in known:
        if entry.get("name") == PACKAGE:
            extras |= {*entry.get("extras", ())}
        else:
            others[entry["name"]] = None
    for each in requirements:
        name, _, inner = each.rstrip("]").partition("[")
        if name == PACKAGE:
            extras |= {inner}
        else:
            others[each] = None
    package = f"'{PACKAGE}[{','.join(sorted(extras))}]'" if extras else PACKAGE
    return " ".join([package, *(f"--with {shlex.quote(each)}" for each in others)])


def packages_of(extra: str) -> list[str]:
    """The requirements of an extra; none if the package is not installed."""
    import importlib.metadata  # takes time to load

    try:
        lines = importlib.metadata.requires(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    marked = (line.partition(";") for line in lines)
    return [line.strip() for line, _, marker in marked if f"extra == '{extra}'" in marker or f'extra == "{extra}"' in marker]
