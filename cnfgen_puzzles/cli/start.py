"""Where the commands begin: each is a function here, which loads the command's module. For nobody else to import.

Ctrl-C is answered by one line and exit code 130 from the first instruction on: loading the modules takes 0.2 s, and Python would
print a traceback. So nothing is imported here that takes time.
"""

import _signal  # type: ignore[import-not-found]  # what `signal` is made of, which takes time itself
import os

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # else it is ignored, as in a shell's background job
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from cnfgen_puzzles.cli import process

process.interruptible(False)


def _start(module: str) -> None:
    from importlib import import_module

    process.mend_streams()
    if "_CNFGEN_COMPLETE" in os.environ:  # a shell asks what can follow
        import_module("cnfgen_puzzles.cli.completion").register()
    import_module(f"cnfgen_puzzles.cli.{module}").main()


def gen_cnf() -> None:
    _start("gen_cnf")


def run_cnf() -> None:
    _start("run_cnf")


def decode_cnf() -> None:
    _start("decode_cnf")


def solve_puzzle() -> None:
    _start("solve_puzzle")


def convert_puzzle() -> None:
    _start("convert_puzzle")


def explain_puzzle() -> None:
    _start("explain_puzzle")


def bench_cnf() -> None:
    _start("bench_cnf")


def cnf_solvers() -> None:
    _start("cnf_solvers")


def verify_certificate() -> None:
    _start("verify_certificate")


def cnf_completion() -> None:
    _start("completion")


def count_cnf() -> None:
    _start("count_cnf")


def make_puzzle() -> None:
    _start("make_puzzle")
