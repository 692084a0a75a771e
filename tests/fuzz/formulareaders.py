"""The readers around a formula, as targets: CNF files, maps, answers, counts, verdicts on proofs."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
from collections.abc import Iterable
from contextlib import redirect_stdout
from functools import cache
from typing import Any

import click
from fuzz.puzzlereaders import MAZE, NONOGRAM, TILING, TRIDDLER, solved
from fuzz.target import NAME, Target, written

from cnfgen_puzzles.cli.decode_cnf import COMMAND as decode_cnf
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.evidence import proofs
from cnfgen_puzzles.evidence.builtin import NoProof, check
from cnfgen_puzzles.evidence.checkers import BUILT_IN, TRIM
from cnfgen_puzzles.formula import VariableMap, read_dimacs, write_dimacs
from cnfgen_puzzles.formula.dimacs import DimacsFile
from cnfgen_puzzles.formula.varmap import COMMENT
from cnfgen_puzzles.pipeline.instance import puzzle_of, scramble_instance
from cnfgen_puzzles.solving.answers import (
    SATISFIABLE,
    UNKNOWN,
    UNSATISFIABLE,
    SolverAnswer,
    answer_lines,
    excerpt,
    read_answer,
    statistics_in,
)
from cnfgen_puzzles.solving.process import Measurement
from cnfgen_puzzles.solving.supervision import EXIT
from cnfgen_puzzles.solving.table import load_solvers

FAMILIES = (NONOGRAM, TILING, MAZE, TRIDDLER)

# -- formulas ---------------------------------------------------------------------------------------------------------------


def formulas() -> Iterable[bytes]:
    yield b"c a comment\np cnf 3 2\n1 -3 0\n2 3 -1 0\n"
    yield b"c\np cnf 0 0\n"
    yield b"p cnf 4 3\n1 2\n-3 0 4 0\nc within\n-1 0\n%\n0\n"
    for family in FAMILIES:
        instance, _ = solved(family)
        stream = io.BytesIO()
        instance.write(stream)
        yield stream.getvalue()


def formula(data: bytes) -> tuple[DimacsFile, VariableMap | None]:
    """A CNF and the map among its comments."""
    file = read_dimacs(Source(NAME, data))
    return file, VariableMap.from_comments(file.comments, NAME)


MANY = 1_000_000
"""The most variables of a formula that is written again: the table of names would take most of the time."""


def formula_again(found: tuple[DimacsFile, VariableMap | None]) -> None:
    file, _ = found
    if file.cnf.num_variables > MANY:
        return
    stream = io.BytesIO()
    write_dimacs(file.cnf, stream)
    again = read_dimacs(Source("again", stream.getvalue()))
    assert again.strict and again.cnf.checksum() == file.cnf.checksum()
    file.cnf.falsified_clause(())


def packed() -> Iterable[bytes]:
    for data in formulas():
        yield gzip.compress(data, mtime=0)
        yield lzma.compress(data)
        yield bz2.compress(data)


def unpacked(data: bytes) -> DimacsFile:
    return read_dimacs(open_source(written("packed", "x.cnf", data)))


# -- maps and answers -------------------------------------------------------------------------------------------------------


def maps() -> Iterable[bytes]:
    for family in FAMILIES:
        instance, _ = solved(family)
        yield instance.map.to_json().encode()
        yield scramble_instance(instance, 1).map.to_json().encode()


def variable_map(data: bytes) -> VariableMap:
    return VariableMap.from_json(Source(NAME, data).text(), NAME)


def map_again(vmap: VariableMap) -> None:
    assert VariableMap.from_json(vmap.to_json(), "again").to_json() == vmap.to_json()


def puzzle_in_map(data: bytes) -> Any:
    vmap = variable_map(data)
    return (*puzzle_of(vmap, NAME), vmap)


def puzzle_again(found: Any) -> None:
    family, puzzle, _ = found
    assert family.puzzle_from_json(json.loads(json.dumps(family.puzzle_to_json(puzzle)))) == puzzle


def answers() -> Iterable[bytes]:
    yield "\n".join(["c banner", *answer_lines(SATISFIABLE, range(1, 60))]).encode()
    yield b"s UNSATISFIABLE\n"
    yield b"SAT\n1 -2 3 0\n"
    yield b"UNSAT\n"
    yield b"=====\nc v\nSATISFIABLE\nv 1 2 -3\nv 0\n"
    yield b"INDET\n"


def answer_again(answer: SolverAnswer) -> None:
    if answer.verdict is not None:
        lines = "\n".join(answer_lines(answer.verdict, answer.model)).encode()
        again = read_answer(Source("again", lines))
        assert (again.verdict, again.model) == (answer.verdict, answer.model)
    assert answer.model is None or answer.verdict == SATISFIABLE


def answers_with_maps() -> Iterable[bytes]:
    for family in FAMILIES:
        instance, model = solved(family)
        comments = [f"c {comment}" for comment in instance.map.to_comments()]
        for verdict, literals in ((SATISFIABLE, model), (UNSATISFIABLE, None), (UNKNOWN, None)):
            yield "\n".join([*comments, *answer_lines(verdict, literals)]).encode()


def decoded(data: bytes) -> Any:
    """The command decode-cnf; its report of a wrong model or map is a message as well."""
    path = written("decode", "answer.txt", data)
    said = io.TextIOWrapper(io.BytesIO())
    try:
        with redirect_stdout(said):
            decode_cnf.main(args=[str(path), "--as", "json"], standalone_mode=False)
    except click.ClickException as error:
        raise InputError(error.message) from None
    except CnfgenError as error:
        raise InputError(error.args[0]) from None
    said.flush()
    return said.buffer.getvalue()


def map_and_model() -> Iterable[bytes]:
    """A map and a model as one input, so that the map can be damaged as JSON."""
    for family in FAMILIES:
        instance, model = solved(family)
        yield json.dumps([json.loads(instance.map.to_json()), model]).encode()
        other = scramble_instance(instance, 1).map
        assert other.renaming
        yield json.dumps([json.loads(other.to_json()), list(other.renaming.apply(model))]).encode()


def decoded_by_map(data: bytes) -> Any:
    try:
        vmap, model = json.loads(data)
        words = [int(literal) for literal in model]
    except (ValueError, TypeError, RecursionError, OverflowError):
        return None
    lines = [f"c {COMMENT}{json.dumps(vmap)}", *answer_lines(SATISFIABLE, words)]
    return decoded("\n".join(lines).encode("utf-8", "surrogatepass"))


def statistics() -> Iterable[bytes]:
    yield b"c conflicts:   12  1.2 per second\nc decisions: 3\nrestarts : 4\nconflicts             : 77             (1 /sec)\n"


@cache
def patterns() -> tuple[tuple[str, str], ...]:
    return tuple(pattern for solver in load_solvers().values() for pattern in solver.statistics)


def counted(data: bytes) -> Any:
    return statistics_in(data, patterns()), excerpt(data)


def verdicts() -> Iterable[bytes]:
    yield b"c parsing\n\rs VERIFIED\nc verification time: 0.0 seconds\n"
    yield b"\rc ERROR: no conflict\ns NOT VERIFIED\n"
    yield b"c finished parsing\ns DERIVATION\nc 1 2 0\n"


def verdict(data: bytes) -> Any:
    return data, proofs.verdict_of(TRIM, data, b"", Measurement(EXIT, 0, None, 0.0, 0.0, 0, "", 0, ""))


def verdict_earned(found: Any) -> None:
    """A proof is verified only if exactly one line is a verdict, and it is positive."""
    data, check = found
    said = [line.rstrip() for line in re.findall(rb"^\r?(s [^\n]*\S)", data, re.MULTILINE)]
    assert check.verified == (said == [b"s VERIFIED"])
    assert check.verified or 0 < len(check.reason) <= 400


HAS_A_MODEL = b"p cnf 3 4\n1 2 0\n-1 2 0\n1 -2 3 0\n-1 -2 3 0\n"


def own_proofs() -> Iterable[bytes]:
    yield b"c words\n2 0\nd 1 2 0\n4 -1 0\n-4 1 0\n3 0\n0\n"
    yield b"a\x04\x00d\x02\x04\x00a\x08\x03\x00a\x00"
    yield b"5 2 0 1 2 0\n6 4 -1 0 0\n7 d 1 2 0\n8 0 5 3 4 0\n"
    yield b"a\x0a\x04\x00\x02\x04\x00d\x02\x00a\x0c\x00\x0a\x06\x08\x00"


def refusals(data: bytes) -> list[str]:
    """The messages of the built-in checker on these bytes as a proof, in every format; the formula is satisfiable."""
    formula, told = read_dimacs(Source(NAME, HAS_A_MODEL)).cnf, []
    for proof_format in BUILT_IN.formats:
        try:
            check(formula, data, proof_format)
        except NoProof as error:
            told.append(str(error))
    return told


def all_refused(told: list[str]) -> None:
    assert len(told) == len(BUILT_IN.formats), "a proof was verified that a formula with a model has none"
    assert all(0 < len(reason) <= 300 and "\n" not in reason for reason in told), told


# -- the table --------------------------------------------------------------------------------------------------------------

TARGETS: list[Target] = [
    Target("dimacs", formula, formulas, formula_again),
    Target("dimacs-packed", unpacked, packed, shape="bytes"),
    Target("map", variable_map, maps, map_again, "json"),
    Target("map-puzzle", puzzle_in_map, maps, puzzle_again, "json"),
    Target("map-model", decoded_by_map, map_and_model, shape="json"),
    Target("answer", lambda data: read_answer(Source(NAME, data)), answers, answer_again),
    Target("answer-with-map", decoded, answers_with_maps),
    Target("statistics", counted, statistics),
    Target("proof-verdict", verdict, verdicts, verdict_earned),
    Target("own-proof", refusals, own_proofs, all_refused),
]
