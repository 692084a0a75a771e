"""Common code of the commands of the studies of mazes: starting a study from a script, and reporting errors.

    sys.exit(run_study("maze_windows"))

A study has a module `command` with `main(words)`, which returns an exit code; its docstring is the text of `--help`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any

from cnfgen_puzzles.common.errors import CnfgenError, InputError


def run_study(study: str, words: Sequence[str] | None = None, name: str | None = None) -> int:
    """The exit code of the command of a study. An error is one line on stderr, after the `name`."""
    try:
        return int(importlib.import_module(f"studies.{study}.command").main(words))
    except CnfgenError as error:
        print(f"{name or study}: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted; repeat the command to resume", file=sys.stderr)
        return 130


def check_positive(arguments: Any, *names: str) -> None:
    """InputError for an option that was given and is not a number above 0."""
    for name in names:
        value = getattr(arguments, name)
        if value is not None and not 0 < value < float("inf"):
            raise InputError(f"found {value}, expected more than 0", source=f"--{name}")
