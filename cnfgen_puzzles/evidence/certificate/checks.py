"""The checks that a certificate is made of: each shows one thing, in verify.sh by public programs, and here in Python.

`script()` is its step of the script, which calls the functions named in `functions` (`functions.py`); `verify()` does the same
and says in a sentence what was checked. Damaged names the file, and the line where there is one.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.evidence.certificate.manifest import first_difference
from cnfgen_puzzles.evidence.certificate.opened import Damaged, Opened
from cnfgen_puzzles.evidence.certificate.proving import unplain_line
from cnfgen_puzzles.evidence.checkers import BUILT_IN, CHECKERS, pick_checker
from cnfgen_puzzles.evidence.proofs import check_proof
from cnfgen_puzzles.formula import Cnf, read_dimacs, write_dimacs
from cnfgen_puzzles.solving.answers import SATISFIABLE, answer_lines, read_answer
from cnfgen_puzzles.solving.process import Limits

Refute = Callable[[Cnf, Sequence[tuple[int, ...]]], None]


@dataclass(frozen=True)
class How:
    """How to verify: by which `checker` of proofs (None: all that are there), under which limits. `refute` proves anew that a
    formula has no model in which one of these cubes holds, where the proofs were not kept, or raises; None: it cannot be done."""

    checker: str | None = None
    limits: Limits = field(default_factory=Limits)
    refute: Refute | None = None


class Check(Protocol):
    """One thing that is shown of some of the files."""

    functions: ClassVar[Sequence[str]]

    @property
    def files(self) -> Sequence[str]:
        """The files that it looks at."""

    def script(self) -> str:
        """Its step of verify.sh."""

    def verify(self, opened: Opened, how: How) -> str:
        """What was checked, in a sentence without its full stop (or nothing); Damaged if it does not hold."""


@dataclass(frozen=True)
class Plain:
    """A formula is written as it should be, so that no reader can take it for another."""

    formula: str
    functions: ClassVar[Sequence[str]] = ("formula_is_plain",)

    @property
    def files(self) -> Sequence[str]:
        return (self.formula,)

    def script(self) -> str:
        return f"formula_is_plain {self.formula}\n"

    def verify(self, opened: Opened, how: How) -> str:
        cnf = cnf_in(opened, self.formula)
        return f"{self.formula} has {cnf.num_variables} variables and {cnf.num_clauses} clauses"


@dataclass(frozen=True)
class Satisfies:
    """A model satisfies a formula."""

    model: str
    formula: str
    functions: ClassVar[Sequence[str]] = ("model_satisfies",)

    @property
    def files(self) -> Sequence[str]:
        return (self.model, self.formula)

    def script(self) -> str:
        return f"model_satisfies {self.model} {self.formula}\n"

    def verify(self, opened: Opened, how: How) -> str:
        cnf = cnf_in(opened, self.formula)
        broken = cnf.falsified_clause(model_in(opened, self.model, cnf.num_variables))
        if broken is not None:
            told = f"does not satisfy clause {broken} of {self.formula} (line {broken + 1} there)"
            raise Damaged(told, source=str(opened.folder / self.model))
        return f"{self.model} satisfies every clause of {self.formula}"


@dataclass(frozen=True)
class Differ:
    """Two models differ on the projection set."""

    model: str
    other: str
    formula: str
    projection: str
    functions: ClassVar[Sequence[str]] = ("models_differ",)

    @property
    def files(self) -> Sequence[str]:
        return (self.model, self.other, self.formula, self.projection)

    def script(self) -> str:
        return f"models_differ {self.model} {self.other} {self.projection}\n"

    def verify(self, opened: Opened, how: How) -> str:
        variables = cnf_in(opened, self.formula).num_variables
        true, others = (set(model_in(opened, name, variables)) for name in (self.model, self.other))
        if not any((variable in true) != (variable in others) for variable in projection_in(opened, self.projection, variables)):
            told = f"does not differ from {self.model} in any variable of {self.projection}"
            raise Damaged(told, source=str(opened.folder / self.other))
        return f"{self.model} and {self.other} differ in a variable of {self.projection}"


@dataclass(frozen=True)
class Forbids:
    """A formula is another one with one more clause, which forbids a model as far as the projection set shows it."""

    model: str
    projection: str
    formula: str
    blocked: str
    functions: ClassVar[Sequence[str]] = ("clause_forbids",)

    @property
    def files(self) -> Sequence[str]:
        return (self.model, self.projection, self.formula, self.blocked)

    def script(self) -> str:
        return f"clause_forbids {self.model} {self.projection} {self.formula} {self.blocked}\n"

    def verify(self, opened: Opened, how: How) -> str:
        cnf = cnf_in(opened, self.formula)
        true = set(model_in(opened, self.model, cnf.num_variables))
        clause = [-v if v in true else v for v in projection_in(opened, self.projection, cnf.num_variables)]
        blocked = Cnf(cnf.num_variables, cnf.num_clauses + 1, cnf.literals + array("i", [*clause, 0]))
        same_bytes(opened, self.blocked, cnf_text(blocked), f"{self.formula} with the clause that forbids {self.model}")
        return f"{self.blocked} is {self.formula} with one more clause, which forbids {self.model}"


MOST_BUILT_IN = 20 << 20
"""Bytes of a second proof that our own checker is asked to check, where none of others is there."""

READS = {"text": "proof", "lrat": "hinted"}
"""By format, which file of `Refuted` holds it."""


@dataclass(frozen=True)
class Refuted:
    """A proof that a formula has no model, in DRAT, and in LRAT as well where `hinted` is named."""

    formula: str
    proof: str
    hinted: str = ""
    functions: ClassVar[Sequence[str]] = ("refuted",)

    @property
    def files(self) -> Sequence[str]:
        return (self.formula, self.proof, *([self.hinted] if self.hinted else []))

    def script(self) -> str:
        return f"refuted {self.formula} {self.proof} {self.hinted}".rstrip() + "\n"

    def verify(self, opened: Opened, how: How) -> str:
        cnf = cnf_in(opened, self.formula)
        given = {format: name for format, attribute in READS.items() if (name := getattr(self, attribute))}
        if how.checker is not None:
            pick_checker(how.checker, next((format for format in given if format in CHECKERS[how.checker].formats), "text"))
            given = {format: name for format, name in given.items() if format in CHECKERS[how.checker].formats}
        told: list[str] = []
        for format, name in given.items():
            if (line := unplain_line(opened.path(name), format)) is not None:
                raise Damaged("found no step of a proof", source=str(opened.folder / name), line=line)
            if (
                told
                and how.checker is None
                and pick_checker(None, format) is BUILT_IN
                and opened.path(name).stat().st_size > MOST_BUILT_IN
            ):
                continue  # verified as DRAT; ours would take hours
            check = check_proof(
                opened.folder / self.formula, opened.path(name), how.limits, cnf=cnf, proof_format=format, checker=how.checker
            )
            if check.refused:
                raise Damaged(f"is no proof that {self.formula} has no model: {check.reason}", source=str(opened.folder / name))
            if check.verified:
                told.append(f"{check.by} verified {name}")
        if not told:
            raise Unfinished(f"was not checked to its end: {check.reason}", source=str(opened.folder / name))
        return f"{' and '.join(told)}: {self.formula} has no model"


class Unfinished(InputError):
    """A check that was given up by a limit: nothing is known to be wrong."""

    exit_code = 3


@dataclass(frozen=True)
class Accepts:
    """An awk program that knows the rules, and the numbers of this puzzle, accepts the solution. Python takes awk for it, too."""

    rules: str
    board: str
    functions: ClassVar[Sequence[str]] = ("rules_accept",)

    @property
    def files(self) -> Sequence[str]:
        return (self.rules, self.board)

    def script(self) -> str:
        return f"rules_accept {self.rules} {self.board}\n"

    def verify(self, opened: Opened, how: How) -> str:
        return ""  # who knows the rules compares the program and looks at the board


@dataclass(frozen=True)
class ByHand:
    """What no program checks: an argument in README."""

    functions: ClassVar[Sequence[str]] = ()

    @property
    def files(self) -> Sequence[str]:
        return ()

    def script(self) -> str:
        return 'unable "the argument in README.md, which is for you to follow"\n'

    def verify(self, opened: Opened, how: How) -> str:
        return ""


# -- files ----------------------------------------------------------------------------------------------------------------


def cnf_text(cnf: Cnf) -> bytes:
    """A formula as it stands in a certificate: without comments."""
    stream = io.BytesIO()
    write_dimacs(cnf, stream)
    return stream.getvalue()


def model_text(model: Sequence[int], variables: int) -> bytes:
    """A model with a value for each variable, those that it does not mention false, as a solver prints it."""
    true = set(model)
    whole = [variable if variable in true else -variable for variable in range(1, variables + 1)]
    return ("\n".join(answer_lines(SATISFIABLE, whole)) + "\n").encode()


def projection_text(projection: Sequence[int]) -> bytes:
    """A projection set, a variable a line."""
    return "".join(f"{variable}\n" for variable in projection).encode()


def same_text(opened: Opened, name: str, expected: str) -> None:
    """Damaged, with the line, unless a file that is made of the manifest says just this."""
    found = opened.frame[name]
    if found != expected.encode():
        line = first_difference(expected.encode(), found)
        raise Damaged("is not what the manifest makes it", source=str(opened.folder / name), line=line)


def same_bytes(opened: Opened, name: str, expected: bytes, what: str) -> None:
    """Damaged, with the line, unless a file has just this content."""
    found = opened.data(name)
    if found != expected:
        raise Damaged(f"is not {what}", source=str(opened.folder / name), line=first_difference(expected, found))


def same_words(opened: Opened, name: str, expected: bytes, what: str) -> None:
    """The same for a file whose form may be another in another version, and whose meaning is checked besides."""
    if not opened.other_words:
        same_bytes(opened, name, expected, what)


def cnf_in(opened: Opened, name: str) -> Cnf:
    """The formula in a file, which is written as `cnf_text` writes it."""
    source = Source(str(opened.folder / name), opened.data(name))
    try:
        cnf = read_dimacs(source).cnf
    except InputError as error:
        raise Damaged(error.message, source=error.source, line=error.line) from None
    same_bytes(opened, name, cnf_text(cnf), "a formula without comments, a clause a line")
    return cnf


def model_in(opened: Opened, name: str, variables: int) -> tuple[int, ...]:
    """The model in a file, which is written as `model_text` writes it."""
    source = Source(str(opened.folder / name), opened.data(name))
    try:
        answer = read_answer(source, variables=variables)
    except InputError as error:
        raise Damaged(error.message, source=error.source, line=error.line) from None
    model = answer.model or ()
    same_bytes(opened, name, model_text(model, variables), f"a model with a value for each of {variables} variables")
    return model


def projection_in(opened: Opened, name: str, variables: int) -> Sequence[int]:
    """The projection set in a file: different variables of the formula, ascending."""
    found: list[int] = []
    for line, word in enumerate(opened.data(name).splitlines(), start=1):
        if not word.isdigit() or len(word) > 10 or word.startswith(b"0") or not 0 < int(word) <= variables:
            raise Damaged("found no variable of the formula", source=str(opened.folder / name), line=line)
        found.append(int(word))
    if len(set(found)) < len(found):
        raise Damaged("found a variable twice", source=str(opened.folder / name))
    same_bytes(opened, name, projection_text(found), "a variable a line")
    return found


def present(files: Mapping[str, object], name: str) -> str:
    """The name, if there is such a file."""
    return name if name in files else ""
