"""Exit codes of the commands, and errors of the operating system as sentences."""

from __future__ import annotations

import os

from cnfgen_puzzles.cli import process

ANSWERED, FAILED, MISTAKE, NOT_ANSWERED = 0, 1, 2, 3
"""Exit codes of the commands that answer a question (docs/reference/commands.md)."""
SOLVER_CODES = {"SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": 0, "TIMEOUT": 0, "MEMOUT": 0, "WRONG": FAILED, "ERROR": FAILED}
"""Exit codes of SAT solvers, by the status of a run: those of `run-cnf`, and of other commands with `--exit-code`."""
EXIT_HELP = (
    "Exit codes: 0 answered, whatever the answer is; 3 not answered (a limit was reached, or no solver decided it); "
    "1 wrong answer, solver failure, or internal error; 2 mistake in the call or the input; 130 interrupted."
)
SOLVER_EXIT_HELP = (
    "Exit codes: 10 satisfiable, 20 unsatisfiable, 0 not decided, 1 wrong answer, solver failure, or internal error, "
    "2 mistake in the call or the input."
)


def exit_code_of(status: str, *, as_solvers: bool = False) -> int:
    """The exit code for the status of an answer: 0 if the question was answered, or with `as_solvers` 10 or 20."""
    code = SOLVER_CODES[status]
    return code if as_solvers or code == FAILED else ANSWERED if code else NOT_ANSWERED


INTERRUPTED = process.INTERRUPTED


def describe_error(error: OSError) -> str:
    """An error of the operating system as a sentence, with its file if that is known."""
    why = error.strerror or str(error)
    if error.filename is not None and not isinstance(error.filename, int):
        return f"{os.fsdecode(error.filename)}: {why}"
    try:
        os.getcwd()
    except OSError as gone:
        return f"the working folder no longer exists: {gone.strerror}"
    return f"<stdout>: {why}" if error.errno in process.CANNOT_BE_WRITTEN else why
