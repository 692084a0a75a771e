"""Solvers that are like known ones, from the user's file: another program, options, and environment; the rest is inherited."""

import pytest
from conftest import make_script

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import find_solver, how_to_get, load_solvers

SAT = "p cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n"


@pytest.fixture
def declare(tmp_path, monkeypatch):
    """`declare(text)` writes the user's solver file."""
    path = tmp_path / "solvers.yaml"
    monkeypatch.setenv("CNFGEN_SOLVERS_FILE", str(path))

    def write(text):
        path.write_text("solvers:\n" + text)
        return path

    return write


def test_another_build_is_called_as_the_first_one(declare, tmp_path):
    declare("  other: {like: kissat}\n")
    wrapper = make_script(tmp_path / "wrapper", f'echo "c $MODE $*"\nexec {find_solver("kissat").locate()} "$@"')
    declare(
        f"  dev:\n    like: kissat\n    executable: ./wrapper\n    options: [--sat]\n    environment: {{MODE: 7}}\n"
        f"    reads: [{find_solver('kissat').locate()}]\n"
    )
    dev, cnf = find_solver("dev"), tmp_path / "x.cnf"
    cnf.write_text(SAT)
    run = run_solver(dev, cnf, seed=5, options=["--target=1"], proof=tmp_path / "proof")
    assert run.status == "SATISFIABLE"
    assert run.command[0] == str(wrapper)
    assert list(run.command[1:5]) == ["-q", "--seed=5", "--sat", "--target=1"]
    assert "c 7 -q" in run.excerpt
    assert (dev.proof_format, dev.seed_most) == (find_solver("kissat").proof_format, find_solver("kissat").seed_most)
    assert dev.build is None


def test_without_a_program_it_is_the_same_program_and_chains_add_up(declare, monkeypatch, tmp_path):
    declare(
        "  a: {like: kissat, options: [--one], environment: {X: 1}}\n"
        "  b: {like: a, options: [--two], environment: {X: 2, Y: 3}}\n"
    )
    b = find_solver("b")
    assert b.locate() == find_solver("kissat").locate()
    assert (b.options, dict(b.environment)) == (("--one", "--two"), {"X": "2", "Y": "3"})
    monkeypatch.setenv("CNFGEN_SOLVER_B", "/bin/true")  # its own variable comes first, kissat's is not its own
    assert str(find_solver("b").locate()) == "/bin/true"


def test_entries_may_have_build_steps(declare):
    """Then they have their own program, with or without `like`."""
    build = "build: {archive: a.zip, sha256: '0', origins: [], commands: [make], binary: a}"
    declare(
        f"  mine:\n    call: {{arguments: ['{{options}}', '{{cnf}}', -x]}}\n    {build}\n  other:\n    like: clasp\n    {build}\n"
        f"  third:\n    like: mine\n    version: '3'\n    {build}\n"
    )
    for name in ("mine", "other", "third"):
        solver = find_solver(name)
        assert solver.build["binary"] == "a" and solver.program == name and not solver.available()
        assert how_to_get(solver) == f"install it with `cnf-solvers install {name}`"
    assert find_solver("third").arguments == ("{options}", "{cnf}", "-x") and find_solver("third").version == "3"
    assert find_solver("other").unsat_codes == find_solver("clasp").unsat_codes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("  dev: {like: kissatt}\n", "did you mean kissat?"),
        ("  dev: {like: dev}\n", "unknown solver 'dev'"),
        ("  dev: {like: other}\n  other: {like: kissat}\n", "unknown solver 'other'.*comes before those that are like it"),
        ("  dev: {like: kissat, call: {seed: {arguments: ['{seed}']}}}\n", "found the key 'call' beside 'like'"),
        ("  dev: {executable: /bin/true, options: [--x]}\n", "'options' without 'like'"),
        ("  kissat: {like: cadical}\n", "for the known solver"),
        ("  dev: {like: kissat, build: {archive: x}}\n", "the key 'origins' is missing"),
    ],
)
def test_mistakes_name_the_line_and_cost_one_solver(declare, text, message):
    path = declare(text + "  fine: {like: minisat}\n")
    name = text.split(":")[0].strip()
    with pytest.raises(InputError, match=message) as caught:
        find_solver(name)
    assert str(path) in str(caught.value)
    assert load_solvers()["fine"].locate() == find_solver("minisat").locate()


def test_a_program_by_its_path_says_how_to_have_seeds_and_proofs(tmp_path):
    solver = find_solver("./my-kissat-4")
    with pytest.raises(InputError, match="use `like: kissat`"):
        solver.command(tmp_path, tmp_path, seed=1)
    with pytest.raises(InputError, match="use `like: NAME`"):
        find_solver("./mine").command(tmp_path, tmp_path, proof=tmp_path)
