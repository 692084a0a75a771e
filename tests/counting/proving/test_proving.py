"""Counts with a proof: of tilings and of any CNF; wrong lists, damaged states, damaged certificates."""

import itertools
import random
import shutil
from dataclasses import replace

import pytest
from certificates import BUILT, certificate_of, forge, refused_by_both, reseal, run_script
from conftest import make_script
from counting.enumerating import cnf_of, projected

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.evidence import allmodels
from cnfgen_puzzles.evidence.certificate import Damaged, ListNumbers
from cnfgen_puzzles.evidence.checkers import BUILT_IN, LRAT, VERIFIED
from cnfgen_puzzles.evidence.proofs import ready_checker
from cnfgen_puzzles.evidence.verifying import verify
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.certificates.verification import verify_certificate
from cnfgen_puzzles.pipeline.request import CertificateOrder, CountRequest
from cnfgen_puzzles.solving.table import find_solver

pytest.importorskip("numba")
pytestmark = pytest.mark.skipif(not BUILT, reason="needs drat-trim and lrat-check")

from cnfgen_puzzles.counting.proving import cubes  # noqa: E402
from cnfgen_puzzles.counting.proving.cubes import ListProof, certify_list, check_list, refute_anew  # noqa: E402
from cnfgen_puzzles.counting.proving.refuting import NotRefuted  # noqa: E402
from cnfgen_puzzles.pipeline.certificates import countcertificate  # noqa: E402
from cnfgen_puzzles.pipeline.certificates.countcertificate import certify_count  # noqa: E402

CHOSEN = ready_checker(None, "lrat")


def random_formula(seed):
    rng = random.Random(seed)
    variables = rng.randint(3, 9)
    clauses = [
        [v * rng.choice((1, -1)) for v in rng.sample(range(1, variables + 1), rng.randint(1, 3))]
        for _ in range(rng.randint(2, 3 * variables))
    ]
    return variables, clauses, sorted(rng.sample(range(1, variables + 1), rng.randint(1, variables)))


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.release) for seed in range(5, 12))])
def test_lists_of_any_formula(tmp_path, seed):
    """The list by brute force is proved; with one solution removed or added, it is not."""
    variables, clauses, projection = random_formula(seed)
    problem = Problem(cnf_of(variables, clauses), projection)
    models = projected(problem)
    certify_list(problem, sorted(models, key=sorted), tmp_path / "c", keep=True, jobs=1)
    assert verify(tmp_path / "c").says.startswith("solutions.txt has all models")
    assert not (tmp_path / "c.state").exists()
    if seed < 3:
        code, output = run_script(tmp_path / "c")
        assert code == 0, output
    if models:
        with pytest.raises(NotRefuted, match="not in the list"):
            certify_list(problem, sorted(models, key=sorted)[1:], tmp_path / "less", jobs=1)
        with pytest.raises(NotRefuted, match="twice"):
            certify_list(problem, [*models, next(iter(models))], tmp_path / "twice", jobs=1)
    others = (frozenset(some) for n in range(len(projection) + 1) for some in itertools.combinations(projection, n))
    if (wrong := next((other for other in others if other not in models), None)) is not None:
        with pytest.raises(NotRefuted, match="is not a solution"):
            certify_list(problem, [*models, wrong], tmp_path / "more", jobs=1)
    assert not (tmp_path / "less").exists()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A rectangle of four pentominoes: 2 solutions, 8 in all; with the proofs."""
    folder = tmp_path_factory.mktemp("count") / "4x5"
    family = find_family("tiling")
    found = certify_count(CountRequest(family=family, puzzle=rectangle(), jobs=1), CertificateOrder(folder), keep=True)
    assert (found.solutions, found.raw, found.cubes) == (2, 8, 6)
    assert found.sentence().startswith("2 solutions up to the 4 symmetries of board and pieces; 8 in all. No others (proof")
    return folder


def rectangle():
    return cp.read(family="tiling", board="4x5", pieces="F pentomino, L pentomino, U pentomino, V pentomino")


@pytest.mark.release
def test_a_certificate_of_a_count(certificate, tmp_path):
    check = verify_certificate(certificate)
    assert check.claim == "count" and "exactly 2 solutions up to the 4 symmetries" in check.heading
    code, output = run_script(certificate)
    assert code == 0 and "VERIFIED: solutions.txt has all models" in output, output


@pytest.mark.release
def test_without_the_proofs(certificate, tmp_path):
    """Without the proofs, the cubes are proved again, by a solver or the tree search; otherwise, the proofs are missing."""
    folder = shutil.copytree(certificate, tmp_path / "c")
    shutil.rmtree(folder / "proofs")
    forge(folder)
    assert "6 of the cubes were proved again" in " ".join(verify_certificate(folder).sentences)
    code, output = run_script(folder)
    assert code == 3 and "6 of the 6 cubes" in output


@pytest.mark.release
def test_kept_proofs_by_published_tools(certificate, tmp_path):
    """The published lrat-check fails the test of checkers: cake_lpr or drat-trim alone suffice, and refuse wrong proofs."""
    published = make_script(tmp_path / "lrat-check", "echo 'c VERIFIED'")
    forged = shutil.copytree(certificate, tmp_path / "c")
    wrong_proof(forged)
    reseal(forged)
    cake = [find_solver("cake_lpr").locate()] if VERIFIED.available("lrat") else []
    for program in (None, *cake):
        code, output = run_script(certificate, LRAT_CHECK=published, CAKE_LPR=program)
        assert code == 0 and "not used: this lrat-check" in output and "VERIFIED: solutions.txt" in output, output
        code, output = run_script(forged, LRAT_CHECK=published, CAKE_LPR=program)
        assert code == 1 and "the proof of this cube is refused" in output, output


def lines_of(folder, name):
    return (folder / name).read_text().splitlines(keepends=True)


def wrong_proof(folder):
    """Only the empty clause is left, which unit propagation does not show: without lemmas, no checker may accept it."""
    proof = max((folder / "proofs").iterdir(), key=lambda path: path.stat().st_size)
    lines = proof.read_text().splitlines(keepends=True)
    proof.write_text("".join(line for line in lines if line.split()[1] == "0"))


def test_a_symmetry_keeps_the_projection_set(tmp_path, monkeypatch):
    """The 2 solutions of `1 2 0 -1 -2 0` over variable 1 are no orbit, although an exchange preserves the clauses."""
    problem = Problem(cnf_of(2, [[1, 2], [-1, -2]]), [1])
    listed = [frozenset(), frozenset([1])]
    assert not check_list(problem, listed, [(2, 1)]).symmetries
    monkeypatch.setattr(allmodels, "is_symmetry", lambda *_: True)
    certify_list(problem, listed, tmp_path / "c", symmetries=[(2, 1)], keep=True, jobs=1)
    assert "does not map projection.txt onto itself" in refused_by_both(tmp_path / "c")[1]


def test_the_group_is_stated_as_transformations_of_the_board(certificate, tmp_path):
    folder, generators = shutil.copytree(certificate, tmp_path / "c"), ["(r, c) -> (3-r, 4-c)", "(r, c) -> (r, 4-c)"]
    assert certificate_of(folder).details["symmetries"] == {"order": 4, "generators": generators}
    readme = " ".join((folder / "README.md").read_text().split())
    assert "the whole symmetry group of board and pieces, which has 4 elements" in readme and f"line 1: {generators[0]}" in readme
    forge(folder, lambda old: replace(old, details={**old.details, "symmetries": {"order": 8, "generators": generators}}))
    with pytest.raises(Damaged, match="not that of the puzzle"):
        verify_certificate(folder)


def dominoes_on(board):
    """A problem and its solutions by exact cover."""
    from cnfgen_puzzles.pipeline.count import problem_of

    instance = cp.encode(cp.read(family="tiling", board=board, pieces="domino: any"), "pairwise")
    return problem_of(instance), [found.true for found in cp.solutions(instance, raw=True)]


@pytest.fixture(scope="module")
def dominoes():
    return dominoes_on("3x4")


@pytest.mark.release
def test_dominoes_on_4x4(tmp_path):
    problem, solutions = dominoes_on("4x4")
    assert len(solutions) == 36  # Kasteleyn (1961)
    certify_list(problem, solutions, tmp_path / "c", jobs=1)
    assert verify(tmp_path / "c", refute=refute_anew)
    code, output = run_script(tmp_path / "c", DRAT_TRIM=None, LRAT_CHECK=None)
    assert (code, "ok: so in every model" in output) == (3, False), output
    if find_solver("cadical").available():
        cadical = find_solver("cadical").locate()
        for programs in ({"SOLVER": f"{cadical} --no-binary"}, {"SOLVER": f"{cadical} --lrat --no-binary", "PROOFS": "lrat"}):
            code, output = run_script(tmp_path / "c", **programs)
            assert code == 0, output
    with pytest.raises(NotRefuted, match="not in the list"):
        certify_list(problem, solutions[:-1], tmp_path / "less", jobs=1)


def test_stopped_and_continued(dominoes, tmp_path, monkeypatch):
    """Finished work is not repeated."""
    problem, solutions = dominoes
    listed = check_list(problem, solutions)

    def stop(text):
        if proving.refuted:
            raise KeyboardInterrupt

    with (
        monkeypatch.context() as patch,
        ListProof(listed, tmp_path / "s", CHOSEN, 1) as proving,
        pytest.raises(KeyboardInterrupt),
    ):
        patch.setattr(cubes, "update_activity", stop)
        proving.run()
    done = (tmp_path / "s/cubes.jsonl").read_bytes()
    assert 1 < done.count(b"\n") < 1 + len(ListProof.roots(proving))
    (tmp_path / "s/cubes.jsonl").write_bytes(done + b'{"cube": [1')  # killed while it wrote
    with ListProof(listed, tmp_path / "s", CHOSEN, 1) as proving:
        before = dict(proving.refuted)
        assert before
        proving.run()
        assert set(proving.refuted) == set(proving.leaves())
    assert (tmp_path / "s/cubes.jsonl").read_bytes().startswith(done)


def test_damaged_states(dominoes, tmp_path):
    problem, solutions = dominoes
    listed = check_list(problem, solutions)
    with ListProof(listed, tmp_path / "s", CHOSEN, 1) as proving:
        proving.run()
        done = dict(proving.refuted)
    path = tmp_path / "s/cubes.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) > 2
    path.write_bytes(b"".join([lines[0], *lines[:1:-1]]))  # a lost line is proved again; the order does not matter
    with ListProof(listed, tmp_path / "s", CHOSEN, 1) as proving:
        assert len(proving.refuted) == len(done) - 1
        proving.run()
        assert proving.refuted.keys() == done.keys()
    path.write_bytes(b"".join([lines[0], lines[1].replace(b'"cube":[', b'"cube":[-')]))
    with pytest.raises(InputError, match="damaged state"):
        ListProof(listed, tmp_path / "s", CHOSEN, 1)
    path.write_bytes(b"".join(lines))
    with pytest.raises(InputError, match="belongs to other work"):
        ListProof(check_list(Problem(problem.cnf, problem.projection, cover=problem.cover), solutions), tmp_path / "s", CHOSEN, 1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("checker", [checker for checker in (VERIFIED, LRAT, BUILT_IN) if checker.available("lrat")])
def test_the_chosen_checker_checks_everything(tmp_path, checker):
    """It checks each cube and the cover, also when cubes are proved again; the sentence and the certificate name it."""
    folder = tmp_path / "c"
    found = certify_count(
        CountRequest(family=find_family("tiling"), puzzle=rectangle(), jobs=1), CertificateOrder(folder), checker=checker.name
    )
    assert f"checked by {checker.title}, 6 cubes" in found.sentence() and found.evidence.by.startswith(checker.title)
    (step,) = checker.formats["lrat"]
    assert [each.name for each in certificate_of(folder).programs] == [step.program().name, "drat-trim"]
    assert "6 of the cubes were proved again" in " ".join(verify_certificate(folder, checker=checker.name).sentences)


def test_a_checker_that_refuses_or_is_not_installed(dominoes, certificate, tmp_path, monkeypatch):
    """It is not replaced by another checker: there is no count, and no certificate is verified."""
    problem, solutions = dominoes
    with pytest.raises(InputError, match="drat-trim does not read lrat proofs"):
        verify_certificate(certificate, checker="drat-trim")
    for name, chosen in (("CAKE_LPR", "verified"), ("LRAT_CHECK", "lrat")):
        monkeypatch.setenv(f"CNFGEN_SOLVER_{name}", "/nowhere")
        with pytest.raises(InputError, match="nowhere"):
            certify_list(problem, solutions, tmp_path / "c", jobs=1, checker=chosen)
        with pytest.raises(InputError, match="nowhere"):
            verify_certificate(certificate, checker=chosen)
    yes = make_script(tmp_path / "yes", "echo 'c VERIFIED'")
    monkeypatch.setenv("CNFGEN_SOLVER_LRAT_CHECK", str(yes))
    with pytest.raises(InputError, match="accepts"):
        certify_list(problem, solutions, tmp_path / "c", jobs=1, checker="lrat")
    assert not (tmp_path / "c").exists()


def test_cubes_of_another_checker_are_proved_again(dominoes, tmp_path):
    listed, states = check_list(*dominoes), []
    for checker in (LRAT, BUILT_IN, BUILT_IN):
        with ListProof(listed, tmp_path / "s", checker, 1) as proving:
            proving.run()
            assert {proof.checker for proof in proving.refuted.values()} == {checker.title}
        states.append((tmp_path / "s/cubes.jsonl").read_bytes())
    assert len(states[0]) < len(states[1]) == len(states[2])


@pytest.mark.long
def test_a_cube_that_is_too_long_is_divided(dominoes, tmp_path, monkeypatch):
    monkeypatch.setattr("cnfgen_puzzles.counting.proving.coverproof.BLOCK", 100)
    monkeypatch.setattr("cnfgen_puzzles.counting.proving.refuting.MOST_BYTES", 100)
    problem, solutions = dominoes
    with ListProof(check_list(problem, solutions), tmp_path / "s", CHOSEN, 1) as proving:
        proving.run()
        assert proving.divided
    certify_list(problem, solutions, tmp_path / "c", jobs=1, keep=True)
    assert verify(tmp_path / "c")
    code, output = run_script(tmp_path / "c")
    assert code == 0, output


def test_short_clauses_exclude_by_projected_variables_only(tmp_path):
    """Two projected models, {1} and {1, 2}. A forger lists {1} with the auxiliary variable 3, which excludes 2: the blocking
    clause over the true projected variables, not 1, blocks both."""
    problem = Problem(cnf_of(3, [[1], [-3, -2], [2, 3]]), [1, 2])
    assert len(projected(problem)) == 2
    folder = tmp_path / "c"
    certify_list(problem, sorted(projected(problem), key=sorted), folder, keep=True, jobs=1)
    (folder / "solutions.txt").write_text("1 3\n")
    (folder / "proofs" / "00001.lrat").write_text("5 0 4 1 0\n")
    forge(folder, lambda found: replace(found, claim=found.claim | {"solutions": 1, "orbits": 1}), count=ListNumbers(1, 1, True))
    output, message = refused_by_both(folder)
    assert "is not the only model with these true variables: 1 3" in output and "is not the only model" in message


def test_a_formula_that_leaves_out_solutions_counts_nothing(tmp_path, monkeypatch):
    """A forger certifies that a puzzle with 4 solutions has 2: those of the formula with one of each orbit."""
    make, write = countcertificate.make_instance, countcertificate._write
    instances = []

    def silent(*given, **options):
        instances.append(make(*given, **options))
        return replace(instances[0], map=replace(instances[0].map, up_to=""))

    monkeypatch.setattr(countcertificate, "make_instance", silent)
    monkeypatch.setattr(countcertificate, "_write", lambda paper, instance, *rest: write(paper, instances[0], *rest))
    family, options = find_family("tiling"), {"board": "2x3", "pieces": "X,XX,XXX"}
    request = CountRequest(
        family=family, puzzle=family.read(None, **options), encoding="pairwise", options={"symmetry": "representatives"},
        engine="clasp", raw=True, jobs=1,
    )  # fmt: skip
    certify_count(request, CertificateOrder(tmp_path / "c", {"options": options}), keep=True)
    assert verify(tmp_path / "c").says.startswith("solutions.txt has all models of formula.cnf")
    with pytest.raises(Damaged, match="leaves out solutions"):
        verify_certificate(tmp_path / "c")
