"""The folders: recipes, what is installed, what is fetched and built on the way, and the user's own list of solvers.

A home has three of them: `bin` (programs, each with its note NAME.json), `build` (locks and logs), `sources` (archives). In a
checkout it is the checkout's `solvers/`, else `solvers/` in the user's data folder; `$CNFGEN_SOLVERS_FOLDER` replaces both.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from cnfgen_puzzles.common.errors import InputError

FOLDER = "CNFGEN_SOLVERS_FOLDER"
"""The environment variable that names the one home to use."""

PACKAGE = Path(__file__).resolve().parents[2]
PACKAGED = PACKAGE / "solving" / "recipes"
CHECKOUT = None if PACKAGED.is_dir() else PACKAGE.parent / "solvers"
RECIPES = CHECKOUT or PACKAGED


def homes() -> Iterator[Path]:
    """Where installed programs are looked for, in this order; what is not there is listed, too."""
    if named := os.environ.get(FOLDER):
        yield Path(os.path.expanduser(named)).absolute()
        return
    if CHECKOUT:
        yield CHECKOUT
    if folder := _of_user():
        yield folder


def home() -> Path:
    """Where programs are installed: the first of `homes`. InputError where there is none."""
    if found := next(homes(), None):
        return found
    raise InputError(f"found no home folder of this user to install solvers into; name a folder in ${FOLDER}")


def bins() -> Iterator[Path]:
    """The folders of installed programs."""
    return (folder / "bin" for folder in homes())


def log_of(name: str) -> Path | None:
    """What the last build of a solver printed, if it is there."""
    return next((log for each in homes() if (log := each / "build" / f"{name}.log").is_file()), None)


def user_file() -> Path:
    """The user's solver file, whether it is there or not."""
    if named := os.environ.get("CNFGEN_SOLVERS_FILE"):
        return Path(named)
    return Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")) / "cnfgen-puzzles" / "solvers.yaml"


def _of_user() -> Path | None:
    """Below the user's data folder; None for a user without a home."""
    from platformdirs import user_data_path  # seldom needed in a checkout

    try:
        folder = user_data_path("cnfgen-puzzles", appauthor=False) / "solvers"
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None  # older versions do not raise it
