"""Pseudo-Boolean files: their constraints have the projected models of the CNF, and answers of pseudo-Boolean solvers decode.

The files are read here by a reader of a few lines, and minicard, whose constraints are cardinalities, enumerates their models.
"""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import islice

import pytest
from inprocess import call
from pysat.solvers import Solver
from smallpuzzles import small_puzzles

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.formula.cardinality import AT_MOST_ONE
from cnfgen_puzzles.formula.formula import native_cardinality
from cnfgen_puzzles.formula.opb import broken_constraint, opb_lines
from cnfgen_puzzles.pipeline.instance import make_instance
from cnfgen_puzzles.solving.answers import in_sat_words, read_answer

CONSTRAINT = re.compile(r"((?:[+-][0-9]+ x[0-9]+ )+)(>=|=) (-?[0-9]+) ;")
MOST = 400


def constraints_of(lines):
    """Pairs of weights by variable, relation, and value; the header must announce them."""
    variables, count = map(int, re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", lines[0]).groups())
    found = []
    for line in lines[1:]:
        terms, relation, value = CONSTRAINT.fullmatch(line).groups()
        weights = [(int(weight), int(name[1:])) for weight, name in zip(*[iter(terms.split())] * 2, strict=True)]
        assert all(1 <= variable <= variables for _, variable in weights)
        found.append((weights, relation, int(value)))
    assert len(found) == count
    return found


def models_of(lines, projection):
    """The projected models of a file, at most MOST."""
    with Solver("minicard") as solver:
        for weights, relation, value in constraints_of(lines):
            literals = [variable if weight > 0 else -variable for weight, variable in weights for _ in range(abs(weight))]
            least = value + sum(literal < 0 for literal in literals)
            solver.add_atmost([-literal for literal in literals], len(literals) - least)
            if relation == "=":
                solver.add_atmost(literals, least)
        return enumerate_models(solver, projection)


def enumerate_models(solver, projection):
    found = set()
    solver.add_clause([1, -1])
    while len(found) < MOST and solver.solve():
        true = {literal for literal in solver.get_model() if literal > 0}
        found.add(frozenset(true.intersection(projection)))
        solver.add_clause([-variable if variable in true else variable for variable in projection] or [1])
        if not projection:
            break
    return found


def encodings():
    for name in ("nonogram", "triddler", "tiling", "maze", "sudokux", "langford"):
        for encoding in find_family(name).encodings.values():
            yield name, encoding.name, {}
            if any(option.name == "amo" for option in encoding.options):
                yield name, encoding.name, {"amo": "ladder"}


@pytest.mark.parametrize(("name", "encoding", "options"), list(encodings()))
def test_opb_and_cnf_have_the_same_boards(name, encoding, options):
    family = find_family(name)
    for puzzle in islice(small_puzzles(family), 8):
        cnf = make_instance(family, puzzle, encoding, **options)
        opb = make_instance(family, puzzle, encoding, pseudo_boolean=True, **options)
        with Solver("minisat22", bootstrap_with=list(cnf.cnf.clauses())) as solver:
            expected = enumerate_models(solver, cnf.projection)
        found = models_of(list(opb_lines(opb.cnf)), opb.projection)
        assert len(found) == len(expected)
        if len(expected) < MOST:
            assert boards(opb, found) == boards(cnf, expected)


def boards(instance, models):
    keys = {variable: (block.name, key) for block in instance.map.blocks.values() for key, variable in block.items()}
    return {frozenset(map(keys.__getitem__, model)) for model in models}


BOUNDS = [("at_most_one", ()), ("exactly_one", ()), *((kind, (k,)) for kind in ("at_most_k", "at_least_k", "exactly_k")
                                                     for k in range(-1, 5))]  # fmt: skip


@pytest.mark.parametrize("literals", [(), (1,), (1, 2, 3), (-1, 2, -3), (1, 1, 2), (1, -1, 2, 2, -3)])
@pytest.mark.parametrize(("kind", "more"), BOUNDS)
def test_every_bound_over_repeated_and_negative_literals(literals, kind, more):
    with native_cardinality():
        formula = Formula()
    assert Formula().bounds is None
    block = formula.grid("x", 3)
    getattr(formula, kind)(iter(literals), *more)
    cnf = Formula()
    cnf.grid("x", 3)
    getattr(cnf, kind)(literals, *more)
    with Solver("minisat22", bootstrap_with=list(cnf.clauses())) as solver:
        expected = enumerate_models(solver, block.variables)
    assert models_of(list(opb_lines(formula)), block.variables) == expected
    for number in range(8):
        model = [variable if number >> variable - 1 & 1 else -variable for variable in block.variables]
        true = frozenset(literal for literal in model if literal > 0)
        assert (broken_constraint(formula, model) is None) == (true in expected)


def test_the_empty_clause_and_a_tautology():
    with native_cardinality():
        formula = Formula()
    formula.add()
    assert list(opb_lines(formula)) == ["* #variable= 1 #constraint= 1", "+1 x1 >= 2 ;"]
    assert broken_constraint(formula, [1]) is not None


@pytest.mark.parametrize(
    ("text", "model"),
    [
        (b"s SATISFIABLE\nv x1 -x2 x3\n", (1, -2, 3)),
        (b"c x1\no -3\ns OPTIMUM FOUND\nv x1\nv -x2 x3\n", (1, -2, 3)),
        (b"v -x1 x2 \r\nv x3\ns SATISFIABLE", (-1, 2, 3)),
        (b"s UNSATISFIABLE\n", None),
        (b"s SATISFIABLE\nv 1 -2 0\n", (1, -2)),
    ],
)
def test_answers_of_pseudo_boolean_solvers(text, model):
    assert read_answer(in_sat_words(Source("answer", text))).model == model


@pytest.mark.parametrize("text", [b"s SATISFIABLE\nv x1 -x1\n", b"s SATISFIABLE\nv x1 y2\n", b"s SATISFIABLE\nv x1 x0\n"])
def test_wrong_answers_of_pseudo_boolean_solvers(text):
    with pytest.raises(InputError):
        read_answer(in_sat_words(Source("answer", text)))


def test_opb_answers_decode(tmp_path):
    (tmp_path / "p.nin").write_text("3 2\n2\n1\n1\n1\n1\n")
    done = call("gen-cnf", ["nonogram", "p.nin", "--encoding", "direct", "--to", "opb", "-o", "x.opb"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "x.opb").read_text().splitlines()
    assert lines[0].startswith("* #variable= ")
    lines = [lines[0], *(line for line in lines[1:] if not line.startswith("*"))]
    [model, _] = models_of(lines, range(1, int(lines[0].split()[2]) + 1))
    model = [variable if variable in model else -variable for variable in range(1, int(lines[0].split()[2]) + 1)]
    said = "c exact\ns SATISFIABLE\nv " + " ".join(f"x{v}" if v > 0 else f"-x{-v}" for v in model) + "\n"
    for given in (["--map", "x.map.json"], ["--cnf", "x.opb"]):
        done = call("decode-cnf", [*given, "--as", "plain"], said.encode(), cwd=tmp_path)
        assert (done.returncode, done.stdout.decode().split()) in ((0, ["##.", "..#"]), (0, [".##", "#.."])), done.stderr
    wrong = said.replace(" -x", " x")
    done = call("decode-cnf", ["--map", "x.map.json"], wrong.encode(), cwd=tmp_path)
    assert done.returncode == 1 and b"violates the constraint" in done.stderr
    call("gen-cnf", ["nonogram", "p.nin", "--to", "opb", "-o", "y.opb"], cwd=tmp_path)
    done = call("decode-cnf", ["--map", "x.map.json", "--cnf", "y.opb"], said.encode(), cwd=tmp_path)
    assert done.returncode == 2 and b"belongs to another formula" in done.stderr
    done = call("gen-cnf", ["nonogram", "p.nin", "--to", "opb", "--scramble", "1"], cwd=tmp_path)
    assert done.returncode == 2 and b"--scramble" in done.stderr


def test_cardinality_encodings_do_not_matter_in_opb():
    family = find_family("tiling")
    puzzle = next(iter(small_puzzles(family)))
    texts = {tuple(opb_lines(make_instance(family, puzzle, name, pseudo_boolean=True).cnf)) for name in AT_MOST_ONE}
    assert len(texts) == 2  # pairwise excludes pairs of placements


def test_clasp_reads_the_file_and_its_answer_decodes(tmp_path):
    pytest.importorskip("clingo")
    words = ["tiling", "--board", "4x4", "--pieces", "8*domino", "--encoding", "sequential", "-o", "x.opb"]
    assert call("gen-cnf", words, cwd=tmp_path).returncode == 0
    clasp = [sys.executable, "-m", "clingo", "--mode=clasp", "x.opb"]
    counted = subprocess.run([*clasp, "-n0", "-q"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert re.search(r"Models +: 36\b", counted.stdout)
    said = subprocess.run(clasp, cwd=tmp_path, capture_output=True, timeout=60).stdout
    done = call("decode-cnf", ["--map", "x.map.json", "--as", "plain", "--exit-code"], said, cwd=tmp_path)
    assert done.returncode == 10, done.stderr
