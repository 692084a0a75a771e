"""Formulas without a puzzle, changed formulas, and the exchange with PySAT, against brute force and PySAT's own solvers."""

from __future__ import annotations

import io
from itertools import product

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF, CNFPlus, IDPool
from pysat.solvers import Solver
from repository import INSTANCES

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.formula import Cnf, Formula, read_dimacs
from cnfgen_puzzles.pipeline.interchange import from_pysat

VARIABLES = 5
clauses = st.lists(
    st.lists(st.integers(1, VARIABLES).flatmap(lambda v: st.sampled_from((v, -v))), min_size=1, max_size=4), max_size=9
)
CAT = INSTANCES / "nonogram" / "cat.nin"
DOMINOES = {"family": "tiling", "board": "4x4", "pieces": "8*domino"}


def models(given_clauses, number=VARIABLES):
    """All models, as tuples of literals, by trying all assignments."""
    every = (
        tuple(v if true else -v for v, true in enumerate(values, start=1)) for values in product((True, False), repeat=number)
    )
    return {model for model in every if all(set(clause) & set(model) for clause in given_clauses)}


@given(clauses)
def test_a_formula_of_pysat_is_counted_and_enumerated(listed):
    cnf = CNF(from_clauses=listed)
    cnf.nv = VARIABLES
    expected = models(listed)
    assert {tuple(solution.board) for solution in cp.solutions(cnf, engine="blocking")} == expected


@pytest.mark.parametrize("listed", [[[1, 2], [-1, 3], [-2, -3]], [[1], [-1]], [[1], [2, 3], [-2, -3]], [[1], [2], [3]]])
def test_the_questions_about_a_formula(listed, tmp_path):
    expected = models(listed, 3)
    formula = from_pysat(CNF(from_clauses=listed))
    formula.num_variables = 3
    verdict = {0: "none", 1: "one"}.get(len(expected), "several")
    (tmp_path / "x.cnf").write_text(f"p cnf 3 {len(listed)}\n" + "".join(" ".join(map(str, (*c, 0))) + "\n" for c in listed))
    for each in (formula, Cnf(3, formula.num_clauses, formula.literals), tmp_path / "x.cnf"):
        assert cp.count(each).solutions == len(expected)
        assert cp.unique(each).verdict == verdict
        answer = cp.solve(each)
        assert answer.status == ("SATISFIABLE" if expected else "UNSATISFIABLE")
        assert answer.evidence.certain and (not expected or tuple(answer.board) in expected)


def test_a_file_declares_a_projection_set(tmp_path):
    (tmp_path / "x.cnf").write_text("c p show 1 2 0\np cnf 3 1\n1 2 3 0\n")
    assert cp.count(tmp_path / "x.cnf").solutions == 4
    assert {solution.board for solution in cp.solutions(str(tmp_path / "x.cnf"))} == {(1, 2), (1, -2), (-1, 2), (-1, -2)}


@pytest.mark.parametrize("sidecar", [False, True])
def test_a_file_with_a_map_is_its_puzzle(tmp_path, sidecar):
    instance, path = cp.encode(cp.read(CAT)), tmp_path / "cat.cnf"
    with path.open("wb") as stream:
        instance.write(stream, with_map=not sidecar)
    if sidecar:
        (tmp_path / "cat.map.json").write_text(instance.map.to_json())
    answer = cp.unique(path)
    assert answer.verdict == "one" and answer.family.name == "nonogram" and answer.board == cp.solve(instance).board


@given(
    clauses, st.lists(st.tuples(st.lists(st.sampled_from([1, -1, 2, -2, 3, 4, -5]), min_size=1), st.integers(0, 4)), max_size=2)
)
def test_cardinality_constraints_of_pysat_are_kept(listed, bounds):
    cnf = CNFPlus()
    for clause in listed:
        cnf.append(clause)
    for literals, most in bounds:
        cnf.append([literals, most], is_atmost=True)
    cnf.nv = VARIABLES
    expected = {m for m in models(listed) if all(sum(each in m for each in literals) <= most for literals, most in bounds)}
    assert {tuple(solution.board) for solution in cp.solutions(cnf, engine="blocking")} == expected


def test_clauses_in_the_list_of_pysat_count_with_their_variables():
    cnf = CNF(from_clauses=[[1]])
    cnf.clauses.append([5, -2])  # `nv` remains 1, and PySAT's solvers take the clause
    assert {cp.count(cnf, engine=engine).solutions for engine in ("blocking", "clasp", "ganak")} == {len(models(cnf.clauses))}


def test_comments_of_a_pysat_formula_declare_a_projection_set(tmp_path):
    (tmp_path / "x.cnf").write_text("c p show 1 2 0\nc cnf by hand\np cnf 4 2\n1 2 0\n-3 4 0\n")
    expected = {model[:2] for model in models([[1, 2], [-3, 4]], 4)}
    for each in (tmp_path / "x.cnf", CNF(from_file=str(tmp_path / "x.cnf"))):
        assert {solution.board for solution in cp.solutions(each)} == expected


def test_an_empty_projection_set_has_one_solution(tmp_path):
    """As for `count-cnf`: all models are equal."""
    (tmp_path / "x.cnf").write_text("c p show 0\np cnf 2 1\n1 2 0\n")
    assert cp.count(tmp_path / "x.cnf").solutions == 1


def test_a_formula_that_grows_is_counted_as_it_is():
    formula = Formula()
    x = formula.grid("x", 2)
    formula.add(x[0], x[1])
    before = cp.solutions(formula, engine="blocking")
    assert cp.count(formula).solutions == len(models([[1, 2]], 2))
    formula.grid("y", 2)
    formula.add(-1)
    assert cp.count(formula).solutions == len(models([[1, 2], [-1]], 4))
    assert {solution.board for solution in before} == models([[1, 2]], 2)


def test_names_are_those_of_blocks_and_survive_pysat():
    instance = cp.encode(cp.read(CAT))
    names = instance.names()
    assert names[1] == "cell[0,0]" and all(instance.literal(name) == variable for variable, name in names.items())
    assert instance.literal("- cell[0, 4]") == -5 == -instance.literal("cell[0,4]")
    cnf, pool = instance.to_pysat()
    assert [*cnf.clauses] == [*instance.cnf.clauses()] and pool.id("cell[0,4]") == 5 and pool.obj(5) == "cell[0,4]"
    back = from_pysat(cnf, pool)
    assert back.literals == instance.cnf.literals and back.num_variables == instance.cnf.num_variables
    for name, block in instance.map.blocks.items():
        assert [*back.blocks[name].items()] == [*block.items()]


def test_odd_names_of_a_pool_are_no_blocks():
    pool = IDPool()
    ids = [pool.id(name) for name in ("a[0]", "b[--1]", "c[²]", "d", ("e", 0), "-f[0]")]
    assert {*from_pysat(CNF(from_clauses=[ids]), pool).blocks} == {"a"}


def test_pysat_solves_and_this_package_decodes():
    puzzle = cp.read(CAT)
    instance = cp.encode(puzzle)
    cnf, _ = instance.to_pysat()
    with Solver("glucose4", bootstrap_with=cnf.clauses) as solver:
        assert solver.solve()
        board = instance.decode(solver.get_model())
        assert board == instance.decode(numpy.array(solver.get_model()))
    assert board == cp.solve(puzzle).board and instance.decode(reversed(solver_literals(board, instance))) == board


def solver_literals(board, instance):
    """The literals of the cells alone, which decide the board."""
    cells = [(name, cell) for name, cell in zip(instance.names().values(), sum(board, ()), strict=False)]
    return [instance.literal(name if filled else f"-{name}") for name, filled in cells]


def test_a_changed_formula_is_not_the_puzzle():
    """The hints of the family, its symmetries, and the board of line logic do not hold for a formula with more clauses."""
    instance = cp.encode(cp.read(**DOMINOES))
    a, b = instance.map.projection[0], instance.map.projection[5]
    parts = [cp.count(instance, assumptions=[i * a, j * b]).solutions for i in (1, -1) for j in (1, -1)]
    assert sum(parts) == 36 and cp.count(instance, raw=True).raw == 36
    changed = cp.encode(cp.read(**DOMINOES))
    changed.cnf.add(a)
    changed.cnf.add(b)
    assert cp.count(changed).solutions == parts[0]
    cat = cp.encode(cp.read(CAT))
    wrong = "-cell[5,5]" if cp.solve(cat).board[5][5] else "cell[5,5]"
    assert cp.unique(cat, assumptions=[wrong]).verdict == "none"
    assert cp.solve(cp.read(CAT), assumptions=[wrong]).status == "UNSATISFIABLE"


def test_a_session_takes_names_and_names_its_core():
    instance = cp.encode(cp.read(**DOMINOES))
    with instance.session() as session:
        boards = [*session.boards()]
    assert len({*map(str, boards)}) == len(boards) == 36
    first = instance.names()[instance.map.projection[0]]
    with instance.session("glucose4") as session:
        assert session.solve(first).status == "SATISFIABLE"
        session.add(f"-{first}")
        answer = session.solve(first)
        assert answer.status == "UNSATISFIABLE" and answer.core == (instance.literal(first),)


@pytest.mark.parametrize("solver", ["cadical195", "glucose4", "minisat"])
def test_a_closed_session_says_so(solver):
    session = cp.encode(cp.read(**DOMINOES)).session(solver)
    assert session.solve(numpy.int32(-1)).status == "SATISFIABLE"
    session.close()
    session.close()
    with pytest.raises(cp.InputError, match="the session is closed"):
        session.solve()


def test_the_fewest_changes_are_those_of_brute_force():
    instance = cp.encode(cp.read(**DOMINOES))
    soft = [(weight, [f"-{name}"]) for weight, name in enumerate([*instance.names().values()][:6], start=1)]
    hard, _ = instance.to_pysat(soft)
    assert isinstance(hard, WCNF)
    with RC2(hard) as solver:
        instance.decode(solver.compute())
        found = solver.cost
    variables = [instance.literal(name) for _, (name,) in soft]
    every = ({*solution.true} for solution in cp.solutions(instance, raw=True))
    assert found == min(sum(weight for weight, _ in soft if -variables[weight - 1] in true) for true in every)
    stream = io.BytesIO()
    instance.write_wcnf(stream, soft)
    assert [*WCNF(from_string=stream.getvalue().decode()).soft] == [[instance.literal(name)] for _, (name,) in soft]


def test_pseudo_boolean_instances_are_public():
    stream = io.BytesIO()
    cp.encode(cp.read(**DOMINOES), pseudo_boolean=True).write(stream)
    assert stream.getvalue().startswith(b"* #variable=")


@pytest.mark.parametrize(
    "call",
    [
        cp.solve,
        cp.unique,
        cp.count,
        lambda instance: instance.to_pysat(),
        lambda instance: instance.session(),
        lambda instance: instance.assume([1]),
        lambda instance: instance.write_wcnf(io.BytesIO(), [(1, [1])]),
    ],
)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (None, "pseudo-Boolean"),
        (lambda cnf: cnf.add(0), "found the literal 0"),
        (lambda cnf: cnf.add(cnf.num_variables + 1), "none of the 24 variables"),
        (lambda cnf: cnf.add(-cnf.num_variables - 1), "none of the 24 variables"),
    ],
)
def test_what_is_no_clause_is_not_left_out(call, change, message):
    instance = cp.encode(cp.read(**DOMINOES), pseudo_boolean=change is None)
    if change:
        change(instance.cnf)
    with pytest.raises(cp.InputError, match=message):
        call(instance)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda instance: instance.literal("cell[9,9,9]"), "expected a name such as cell"),
        (lambda instance: instance.literal("place[99,0,0,0]"), "no key of the block place"),
        (lambda instance: instance.decode([10**6]), "found the literal 1000000"),
        (lambda instance: cp.solve(instance, assumptions=[0]), "found the literal 0"),
        (lambda instance: cp.solve(instance, assumptions=5), "expected a list of literals"),
        (lambda instance: instance.write_wcnf(io.BytesIO(), [(0, [1])]), "found the weight 0"),
        (lambda instance: cp.solve(CNF(from_clauses=[[1]]), certificate="c"), "count-cnf --certificate"),
        (lambda instance: cp.solve("missing.cnf"), "no such file"),
        (lambda instance: cp.solve(3), "expected a puzzle"),
        (lambda instance: cp.solve(WCNF()), "or its path"),
        (lambda instance: cp.solve(CNF(from_clauses=[[1], [2**40]])), "found 1099511627776 variables"),
        (lambda instance: cp.solve(CNF(from_clauses=[[1, 0]])), "found the literal 0"),
        (lambda instance: cp.solve(CNFPlus(from_string="p cnf+ 2 1\nw 2*1 1*2 <= 2\n")), "a constraint with weights"),
    ],
)
def test_mistakes_are_explained(call, message):
    with pytest.raises(cp.InputError, match=message):
        call(cp.encode(cp.read(**DOMINOES)))


@pytest.mark.parametrize("weight", [1.5, float("inf"), "1"])
def test_weights_are_integers(weight):
    """The WCNF format has no other weights, so another program would refuse the file."""
    with pytest.raises(TypeError, match="as an integer"):
        cp.encode(cp.read(**DOMINOES)).write_wcnf(io.BytesIO(), [(weight, [1])])


def test_reading_a_written_wcnf_as_a_cnf_names_the_format():
    stream = io.BytesIO()
    cp.encode(cp.read(**DOMINOES)).write_wcnf(stream, [(1, [1])])
    with pytest.raises(cp.InputError, match="WCNF"):
        read_dimacs(Source("x", stream.getvalue()))
