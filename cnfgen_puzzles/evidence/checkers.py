"""The proof checkers: their formats, programs, and verdicts. Each line of `CHECKERS` is a checker.

A checker is a chain of programs; each reads the output of the previous one. The last program decides. The others only convert the
proof, so their errors cannot make a wrong proof verified. `pick_checker` chooses the checker, and `proofs` runs its programs
under limits and uses the verdict.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.solving.table import Solver, find_solver


class VerdictLines(NamedTuple):
    """The verdict lines of a program. A proof is verified by exactly one line `verified` and no other verdict line."""

    verified: bytes
    verdicts: tuple[bytes, ...] = (b"s ",)
    complaints: tuple[bytes, ...] = ()
    """Starts of lines that describe an error of a proof."""
    gave_up: tuple[bytes, ...] = ()
    """Starts of lines that report an unfinished check."""


class CheckStep(NamedTuple):
    """A program of a checker. It reads the formula and the file `reads`, and either decides or writes the file `writes`."""

    title: str
    """The name in sentences and records."""
    program: Callable[[], Solver]
    reads: str
    verdict_lines: VerdictLines
    writes: str = ""
    options: tuple[str, ...] = ()
    """Command-line arguments; `{written}` is the path of the output file."""
    environment: tuple[tuple[str, str], ...] = ()
    """Environment variables; `{megabytes}` is the size of the heap (`proofs.megabytes_for`)."""


class ProofChecker(NamedTuple):
    """A checker: its steps for each proof format that it reads (those of `Solver.proof_format`).

    `memory` is the default memory limit of a step, in bytes. `strict`: no clause of the formula may have a literal twice or with
    its negation. `patience` multiplies the default time limit of a check.
    """

    name: str
    title: str
    """The name in sentences and records."""
    summary: str
    formats: Mapping[str, tuple[CheckStep, ...]]
    memory: int | None = None
    strict: bool = False
    patience: int = 1

    def programs(self, proof_format: str | None = None) -> Iterator[Solver]:
        """The programs of its steps, each one once: for one proof format, or for all."""
        chains = self.formats.values() if proof_format is None else (self.formats[proof_format],)
        yield from {(solver := step.program()).name: solver for chain in chains for step in chain}.values()

    def available(self, proof_format: str | None = None) -> bool:
        """Whether its programs are installed; InputError if an environment variable names a program that does not exist."""
        return all(program.available() for program in self.programs(proof_format))

    def locate(self, proof_format: str | None = None) -> None:
        """Raises InputError with the installation command if one of its programs is not installed."""
        for program in self.programs(proof_format):
            program.locate()

    def note(self, proof_format: str) -> str:
        """The purpose of the steps before the last one, in words; empty if there is one step."""
        *others, _ = self.formats[proof_format]
        return f"only translated by {' and '.join(step.title for step in others)}" if others else ""


# -- the programs -----------------------------------------------------------------------------------------------------------

PROOF, HINTED = "proof", "hinted"
"""Files between the steps: the solver's proof, and an LRAT proof as text."""
IN_OUR_WORDS = VerdictLines(
    b"s VERIFIED", complaints=(b"c ERROR", b"c conflict claimed", b"c illegal"), gave_up=(b"s TIMEOUT", b"c MEMOUT")
)

TRIM = CheckStep("drat-trim", functools.partial(find_solver, "drat-trim"), PROOF, IN_OUR_WORDS)
# drat-trim's `-I` for text does not terminate if it reads a character that is not part of a number
TRIM_BYTES = TRIM._replace(options=("-i",))
# drat-trim's `-C` for binary output writes text if two unit clauses of the formula contradict each other
TRANSLATE = TRIM._replace(writes=HINTED, options=("-L", "{written}"))
TRANSLATE_BYTES = TRANSLATE._replace(options=("-i", *TRANSLATE.options))
CHECK = CheckStep(
    "lrat-check",
    functools.partial(find_solver, "lrat-check"),
    HINTED,
    VerdictLines(
        b"c VERIFIED",
        verdicts=(b"c VERIFIED", b"c NOT VERIFIED"),
        complaints=(b"c ERROR", b"c failed", b"c FAILED"),
        gave_up=(b"c Memory allocation failure",),
    ),
)
VERIFY = CheckStep(
    "cake_lpr",
    functools.partial(find_solver, "cake_lpr"),
    HINTED,
    VerdictLines(
        b"s VERIFIED UNSAT",
        complaints=(b"c Checking failed", b"c empty clause not derived", b"c DIMACS parse failed"),
        gave_up=(b"CakeML", b"failed to allocate", b"malloc"),
    ),
    environment=(
        ("CML_HEAP_SIZE", "{megabytes}"),
        ("CML_STACK_SIZE", "256"),  # a large stack takes as long to clear as a large heap
        ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"),  # large pages: most time of a short check was spent on page faults
    ),
)


def _built_in(proof_format: str) -> CheckStep:
    # -P: never import modules from the scratch folder
    program = functools.partial(
        Solver,
        name="built-in",
        title="the built-in checker of proofs",
        kind="checker",
        arguments=("{options}", "{cnf}", "{proof}"),
        proof_arguments=("{proof}",),
        proof_format="text",
        module="cnfgen_puzzles.evidence.builtin",
        executable=sys.executable,
        source="this package",
    )
    return CheckStep("the built-in checker", program, PROOF, IN_OUR_WORDS, options=(proof_format,))


# -- the checkers -----------------------------------------------------------------------------------------------------------

DRAT_TRIM = ProofChecker(
    name="drat-trim",
    title="drat-trim",
    summary="DRAT proofs of any length",
    formats={"text": (TRIM,), "binary": (TRIM_BYTES,)},
)

LRAT = ProofChecker(
    name="lrat",
    title="lrat-check",
    summary="LRAT by lrat-check, a simple program; DRAT through drat-trim",
    formats={"text": (TRANSLATE, CHECK), "binary": (TRANSLATE_BYTES, CHECK), "lrat": (CHECK,)},
    strict=True,
    patience=2,
)

BUILT_IN = ProofChecker(
    name="built-in",
    title="the built-in checker",
    summary="DRAT and LRAT proofs of up to some ten thousand steps, without another program",
    formats={name: (_built_in(name),) for name in ("text", "binary", "lrat", "binary-lrat")},
    memory=4 << 30,
)

VERIFIED = ProofChecker(
    name="verified",
    title="cake_lpr",
    summary="LRAT by cake_lpr, which is verified down to its machine code; DRAT through drat-trim",
    formats={
        "text": (TRANSLATE, VERIFY),
        "binary": (TRANSLATE_BYTES, VERIFY),
        "lrat": (VERIFY,),
        "binary-lrat": (VERIFY,),
    },
    strict=True,
    patience=2,
)

CHECKERS: Mapping[str, ProofChecker] = {checker.name: checker for checker in (VERIFIED, DRAT_TRIM, LRAT, BUILT_IN)}
"""The checkers by name; the first available one is the default."""


def proving(solver: Solver, checker: str | None = None) -> Solver:
    """The solver with its options for this checker: it writes LRAT if both can, by default if any checker reads that."""
    if not solver.lrat_arguments:
        return solver
    reads_hints = (checker is None and LRAT.available()) or "lrat" in pick_checker(checker, solver.proof_format).formats
    return solver.with_hints() if reads_hints else solver


def pick_checker(name: str | None = None, proof_format: str = "text") -> ProofChecker:
    """The checker with that name, or the first installed one that reads the format; InputError if there is none."""
    if name is not None and name not in CHECKERS:
        raise InputError(unknown_name("checker", name, CHECKERS))
    able = [checker for checker in CHECKERS.values() if proof_format in checker.formats]
    if name is not None:
        if CHECKERS[name] not in able:
            raise InputError(
                f"{name} does not read {proof_format} proofs; these do: {', '.join(each.name for each in able) or 'none'}"
            )
        return CHECKERS[name]
    for checker in able:
        if checker.available(proof_format):
            return checker
    raise InputError(f"no checker that reads {proof_format} proofs is installed")
