"""What the commands of the studies of mazes share: the way from a script to a study, and how failures are told.

    sys.exit(run_study("maze_windows"))

A study has a module `command` with `main(words)`, whose docstring is what `--help` says, and which gives an exit code.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any

from cnfgen_puzzles.common.errors import CnfgenError, InputError


def run_study(study: str, words: Sequence[str] | None = None, name: str | None = None) -> int:
    """The exit code of the study's command; what went wrong, and what is not there, is one line on stderr, after the `name`."""
    try:
        return int(importlib.import_module(f"studies.{study}.command").main(words))
    except CnfgenError as error:
        print(f"{name or study}: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted; the same command goes on where this one was", file=sys.stderr)
        return 130


def check_positive(arguments: Any, *names: str) -> None:
    """InputError for one of these options that was given and is not above 0 (also if it is no number)."""
    for name in names:
        value = getattr(arguments, name)
        if value is not None and not 0 < value < float("inf"):
            raise InputError(f"found {value}, expected more than 0", source=f"--{name}")
