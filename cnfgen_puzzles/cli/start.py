"""Where the commands begin: `start.gen_cnf` is a function that loads `cli/gen_cnf.py` and runs its COMMAND. For nobody else to
import.

Ctrl-C is answered by one line and exit code 130 from the first instruction on: loading the modules takes 0.2 s, and Python would
print a traceback. So nothing is imported here that takes time.
"""

import _signal  # type: ignore[import-not-found]  # what `signal` is made of, which takes time itself
import os

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # else it is ignored, as in a shell's background job
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from cnfgen_puzzles.cli import process

process.interruptible(False)


def __getattr__(command: str):  # type: ignore[no-untyped-def]  # a function; the module that says so takes time to load
    """The function of a command, for the programs that installing makes."""
    if not os.path.isfile(os.path.join(os.path.dirname(__file__), f"{command}.py")):
        raise AttributeError(command)
    return lambda: _start(command)


def _start(command: str) -> None:
    try:
        from importlib import import_module

        process.mend_streams()
        if "_CNFGEN_COMPLETE" in os.environ:  # a shell asks what can follow
            import_module("cnfgen_puzzles.cli.cnf_completion").register()
        module = import_module(f"cnfgen_puzzles.cli.{command}")
        import_module("cnfgen_puzzles.cli.common").run(module.COMMAND)
    except Exception as error:
        if not process.has_memory_limit():
            raise
        what = " ".join(f"{type(error).__name__}: {error}"[:200].split())
        process.leave(text=f"not enough memory, it seems ({what}); raise the limit on address space (ulimit -v)", code=1)
