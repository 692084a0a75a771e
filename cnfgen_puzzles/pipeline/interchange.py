"""Formulas without a puzzle as instances (`instance_of`), also those of PySAT.

A formula is a puzzle of the family `formula`, whose board is the list of the true literals of its projection set. So every
function of the library takes formulas: `solve("x.cnf")`, `count(formula)`, `unique(pysat_cnf)`.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import Encoding, Family, Puzzle, View, by_name
from cnfgen_puzzles.families.fileformats import FormatTable
from cnfgen_puzzles.formula import Block, Cnf, Formula, VariableMap
from cnfgen_puzzles.formula.shown import SHOWS, read_counting
from cnfgen_puzzles.formula.varmap import identity
from cnfgen_puzzles.pipeline.instance import NAMED, Instance, puzzle_of, sidecar_of


@dataclass(frozen=True, repr=False)
class FormulaPuzzle(Puzzle):
    """A formula and its projection set; `title` names its file."""

    formula: Formula
    title: str = ""


class FormulaFamily(Family[FormulaPuzzle, tuple[int, ...]]):
    """Formulas: the board is the tuple of the literals of the projection set that are true in a model."""

    name = "formula"
    summary = "formulas in CNF"
    puzzle = FormulaPuzzle
    formats = FormatTable("formula", "a formula", [])
    encodings = by_name(Encoding("cnf", "the clauses as they are", lambda puzzle: puzzle.formula))
    capabilities: ClassVar = {"views": by_name(View("text", "a line of literals", lambda _, board, other: _line(board), ".txt"))}

    def decode(self, puzzle: FormulaPuzzle, blocks: Mapping[str, Block], true: Collection[int]) -> tuple[int, ...]:
        return tuple(variable if variable in true else -variable for variable in puzzle.formula.projection)

    def check(self, puzzle: FormulaPuzzle, board: Sequence[int]) -> list[str]:
        formula = puzzle.formula
        if [*map(abs, board)] != [*formula.projection]:
            return ["the board does not list the variables of the projection set"]
        complete = len(board) == formula.num_variables
        broken = formula.falsified_clause(board) if complete else None
        return [] if broken is None else [f"clause {broken} is false"]

    def differences(self, puzzle: FormulaPuzzle, board: Sequence[int], other: Sequence[int]) -> list[str]:
        return [f"variable {abs(a)}" for a, b in zip(board, other, strict=True) if a != b]

    def puzzle_to_json(self, puzzle: FormulaPuzzle) -> dict[str, Any]:
        return identity(puzzle.formula)

    def size(self, puzzle: FormulaPuzzle) -> dict[str, int]:
        return {"variables": puzzle.formula.num_variables}

    def describe(self, puzzle: FormulaPuzzle) -> str:
        return f"formula {puzzle.title}: {puzzle.formula.num_variables} variables".replace(" :", ":")


def _line(board: Iterable[int]) -> str:
    return " ".join(["v", *map(str, board), "0"]) + "\n"


FORMULA = FormulaFamily()


def instance_of(given: Any) -> Instance | None:
    """The instance of the path of a CNF file (with the puzzle of its variable map, if it has one), of a formula of this package,
    or of a `pysat.formula.CNF`; None for any other value."""
    if isinstance(given, Instance):
        return given
    if isinstance(given, str | os.PathLike):
        return _of_file(os.fspath(given))
    if isinstance(given, Cnf):
        formula = given if isinstance(given, Formula) else Formula(given.num_variables, given.num_clauses, given.literals)
        return _plain(formula)
    if hasattr(given, "clauses") and hasattr(given, "nv"):  # PySAT need not be installed
        return _plain(from_pysat(given))
    return None


def _of_file(path: str) -> Instance:
    source = open_source(path)
    file = read_counting(source)
    vmap, name = file.map, source.name
    if vmap is None and path != "-" and (sidecar := sidecar_of(Path(path))).is_file():
        vmap, name = VariableMap.from_json(open_source(sidecar).text(), str(sidecar)), str(sidecar)
        vmap.check_belongs(file.cnf, map_name=name, cnf_name=source.name)
    if vmap is not None:
        family, puzzle = puzzle_of(vmap, name)
        return Instance(family, puzzle, file.cnf, vmap)
    cnf = file.cnf
    return _plain(Formula(cnf.num_variables, cnf.num_clauses, cnf.literals, projection=file.projection), Path(path).name)


def _plain(formula: Formula, title: str = "") -> Instance:
    """The instance of a formula as it is now; if its projection set is `()`, as it is by default, all variables are in it."""
    shown = range(1, formula.num_variables + 1) if formula.projection == () else formula.projection
    formula = replace(formula, literals=formula.literals[:], projection=shown)
    puzzle = FormulaPuzzle(formula, title)
    vmap = VariableMap.of(formula, family=FORMULA.name, encoding="cnf", options={}, puzzle=identity(formula))
    return Instance(FORMULA, puzzle, formula, vmap)


def from_pysat(cnf: Any, pool: Any = None) -> Formula:
    """The formula of a `pysat.formula.CNF` or `CNFPlus` (cardinality constraints become clauses); comments `c p show 1 2 0` name
    its projection set. The variables that an `IDPool` names `cell[3,4]` become blocks, if those of a block are consecutive."""
    bounds = getattr(cnf, "atmosts", ())
    top = checked_amount("variables", max(map(abs, chain([cnf.nv], *cnf.clauses, *(bound[0] for bound in bounds)))))
    literals = array("i")
    for clause in cnf.clauses:
        literals.extend(clause)
        literals.append(0)
    formula = Formula(0, len(cnf.clauses), literals)
    blocks: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
    for variable, name in sorted(pool.id2obj.items()) if pool is not None else ():
        if (named := NAMED.fullmatch(str(name))) and not named["sign"]:
            blocks.setdefault(named["block"], []).append((variable, tuple(map(int, named["key"].split(",")))))
    for name, listed in sorted(blocks.items(), key=lambda item: item[1][0]):
        first = listed[0][0]
        if [variable for variable, _ in listed] == [*range(first, first + len(listed))]:
            formula.num_variables = first - 1
            formula.keyed(name, [key for _, key in listed])
    formula.num_variables = max(top, *(block.variables[-1] for block in formula.blocks.values()), 0)
    shown = [f"p cnf {formula.num_variables} 0", *(line for line in cnf.comments if SHOWS.match(line[1:].lstrip()))]
    formula.projection = read_counting(Source("the comments of the CNF", "\n".join(shown).encode())).projection
    for counted, most, *weights in bounds:
        if weights:
            raise InputError("found a constraint with weights in a CNFPlus, expected clauses and cardinality constraints")
        formula.at_most_k(counted, most)
    return formula
