"""Pseudo-Boolean files (OPB) of formulas that keep their cardinality constraints: see `native_cardinality`.

A clause is a constraint `>= 1`; a cardinality constraint is one constraint, or two if it has two bounds. A negative literal is
written as 1 - x, since terms of the linear format of the pseudo-Boolean competitions have plain variables.

>>> from cnfgen_puzzles.formula.formula import native_cardinality
>>> with native_cardinality():
...     formula = Formula()
>>> cell = formula.grid("cell", 3)
>>> formula.add(cell[0], -cell[1])
>>> formula.exactly_one(cell.variables)
>>> print(*opb_lines(formula), sep="\\n")
* #variable= 3 #constraint= 2
+1 x1 -1 x2 >= 0 ;
+1 x1 +1 x2 +1 x3 = 1 ;
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.formula.formula import Formula

FORMAT = "opb"
HEADER = regex(rb"\*[ \t]*#variable=[ \t]*(\d{1,10})[ \t]+#constraint=[ \t]*(\d{1,10})\b")


def write_opb(formula: Formula, stream: BinaryIO, comments: Iterable[str] = ()) -> None:
    """Write the constraints to a binary stream, with the comments after the header line."""
    lines = opb_lines(formula)
    stream.write(f"{next(lines)}\n".encode())
    stream.writelines(f"* {comment}\n".encode() for comment in comments)
    stream.writelines(f"{line}\n".encode() for line in lines)


def opb_lines(formula: Formula) -> Iterator[str]:
    """The header and one line for each constraint."""
    bounds = formula.bounds or ()
    count = formula.num_clauses + len(bounds) + sum(bound.least not in (None, bound.most) for bound in bounds)
    yield f"* #variable= {_variables(formula)} #constraint= {count}"
    for clause in formula.clauses():
        yield _constraint(clause, ">=", 1)
    for literals, least, most in bounds:
        if least == most:
            yield _constraint(literals, "=", most)
            continue
        if least is not None:
            yield _constraint(literals, ">=", least)
        yield _constraint([-literal for literal in literals], ">=", len(literals) - most)


def _constraint(literals: Sequence[int], relation: str, value: int) -> str:
    """`sum of literals >= value` (or `=`), with coefficients of variables."""
    value -= sum(literal < 0 for literal in literals)
    weights = Counter[int]()
    for literal in literals:
        weights[abs(literal)] += 1 if literal > 0 else -1
    terms = [f"{weight:+d} x{variable}" for variable, weight in weights.items() if weight]
    if not terms:  # a constant, which the format does not have
        return f"+1 x1 >= {0 if value == 0 or (value < 0 and relation == '>=') else 2} ;"
    return f"{' '.join(terms)} {relation} {value} ;"


def _variables(formula: Formula) -> int:
    return max(formula.num_variables, 1)  # constants need one


def opb_identity(formula: Formula) -> dict[str, Any]:
    """The identity of an OPB file in a variable map."""
    digest = hashlib.sha256()
    for line in opb_lines(formula):
        digest.update(f"{line}\n".encode())
    clauses = formula.num_clauses + len(formula.bounds or ())
    return {"variables": _variables(formula), "clauses": clauses, "sha256": digest.hexdigest(), "format": FORMAT}


def read_opb(source: Source) -> tuple[str, list[str]] | None:
    """Checksum (as in `opb_identity`) and comments of an OPB file that `write_opb` wrote; None for other files."""
    if not HEADER.match(source.data):
        return None
    header, *lines = source.data.splitlines()
    comments = [line[1:].strip().decode("utf-8", "replace") for line in lines if line.startswith(b"*")]
    written = [header, *(line for line in lines if not line.startswith(b"*")), b""]
    return hashlib.sha256(b"\n".join(written)).hexdigest(), comments


def broken_constraint(formula: Formula, model: Collection[int]) -> str | None:
    """A constraint that the model does not satisfy, as text; a variable without a value is false."""
    clause = formula.falsified_clause([literal for literal in model if abs(literal) <= formula.num_variables])
    if clause is not None:
        return next(line for number, line in enumerate(opb_lines(formula)) if number == clause)
    true = {literal for literal in model if literal > 0}
    for bound in formula.bounds or ():
        count = sum(abs(literal) in true if literal > 0 else -literal not in true for literal in bound.literals)
        if count > bound.most or (bound.least is not None and count < bound.least):
            return f"{bound.least or 0} to {bound.most} of the literals {' '.join(map(str, bound.literals[:20]))}"
    return None
