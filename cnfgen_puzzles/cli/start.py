"""The entry points of the commands: `start.gen_cnf` is a function that loads `cli/gen_cnf.py` and runs its COMMAND.

Ctrl-C prints one line and exits with 130 from the first instruction on: loading the modules takes 0.2 s, and Python would print
a traceback meanwhile. So this module imports nothing that takes time.
"""

import _signal  # type: ignore[import-not-found]  # `signal` itself takes time to load
import gc
import os
import sys

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # otherwise it is ignored, as in a background job
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from cnfgen_puzzles.cli import process

process.interruptible(False)
gc.set_threshold(50_000)  # the default runs the collector while modules are loading, which finds no garbage


def __getattr__(command: str):  # type: ignore[no-untyped-def]  # typing takes time to load
    """The entry point of a command."""
    if not os.path.isfile(os.path.join(os.path.dirname(__file__), f"{command}.py")):
        raise AttributeError(command)
    return lambda: _start(command)


def _start(command: str) -> None:
    try:
        from importlib import import_module

        process.mend_streams()
        module = import_module(f"cnfgen_puzzles.cli.{command}")
        run = import_module("cnfgen_puzzles.cli.app").run
    except (ImportError, MemoryError, OSError) as error:  # limited address space makes loading fail in many ways
        process.leave(text=f"cannot start: {type(error).__name__}: {error}; is there a limit on memory (ulimit -v)?", code=1)
    try:
        run(module.COMMAND)
    except SystemExit as ended:
        if sys._getframe(2).f_back is None:  # the process is for this command alone: no test, profiler, or program calls it
            process.end(ended.code)
        raise
