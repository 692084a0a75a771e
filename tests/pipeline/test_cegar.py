"""The CEGAR loop: optima in both directions, its state, the sufficient constraints for UNSAT, and its proof."""

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline import cegar
from cnfgen_puzzles.pipeline.cegar import CegarLoop, proving_solver
from cnfgen_puzzles.pipeline.instance import BrokenBoard, make_instance
from cnfgen_puzzles.pipeline.request import ProofPolicy
from cnfgen_puzzles.pipeline.solve import FormulaTask, pick_solver, solve
from cnfgen_puzzles.solving.answers import UNKNOWN, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits

MAZE = find_family("maze")


def puzzle(kind, size, **options):
    return MAZE.read(None, kind=kind, size=size, **options)


def boards(kind, size, length, **settings):
    loop = CegarLoop(MAZE, puzzle(kind, size, length=length), **settings)
    return list(loop.boards()), loop


@pytest.mark.sample(5)
@pytest.mark.parametrize("solver", ["cadical153", "cadical195", "lingeling", "glucose4", "minisat22", "kissat", "bin:lingeling"])
@pytest.mark.parametrize(("kind", "size", "optimum"), [("thin", "2x2", 11), ("blocked", "3x2", 5)])
def test_small_optima_in_both_directions_by_several_solvers(kind, size, optimum, solver):
    shorter, loop = boards(kind, size, optimum - 1, solver=solver)
    assert (shorter, loop.status) == ([], UNSATISFIABLE)
    whole = puzzle(kind, size, reduce="none", length=optimum)
    found = next(CegarLoop(MAZE, puzzle(kind, size, length=optimum), solver=solver).boards())
    assert not MAZE.check(whole, found)


@pytest.mark.parametrize(
    ("kind", "size", "optimum", "solutions"), [("thin", "3x1", 4, 2), ("thin", "2x2", 11, 16), ("blocked", "3x3", 11, 2)]
)
@pytest.mark.parametrize("encoding", ["pruned", "article"])
def test_all_shortest_strings_one_after_the_other(kind, size, optimum, solutions, encoding):
    """Thin 2x2: 4 strings that begin with N, by symmetry 16 in all."""
    found, loop = boards(kind, size, optimum, encoding=encoding)
    assert len(set(found)) == len(found) == solutions
    assert loop.status == UNSATISFIABLE


@pytest.mark.parametrize(("kind", "size", "length"), [("thin", "2x2", 10), ("blocked", "3x3", 10)])
def test_no_maze_is_added_twice(kind, size, length):
    found, loop = boards(kind, size, length, add=3)
    assert (found, loop.status) == ([], UNSATISFIABLE)
    assert len(set(loop.refinement.added)) == len(loop.refinement.added) <= loop.refinement.total


# -- what suffices --------------------------------------------------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.parametrize("options", [{}, {"symmetry": "representatives"}, {"symmetry": "representatives", "lemmas": 2}])
@pytest.mark.parametrize(("kind", "size", "length"), [("thin", "2x2", 10), ("blocked", "3x3", 10)])
def test_the_mazes_that_suffice_are_refuted_by_another_solver_with_a_checked_proof(kind, size, length, options):
    _, loop = boards(kind, size, length, options=options)
    assert loop.certify().proof.verified
    text = MAZE.write(loop.refinement.part(), "mazes")  # by way of the file, and without symmetries
    again = MAZE.read(Source("sufficient.mazes", text.encode()), length=length)
    outcome = solve(make_instance(MAZE, again), pick_solver("cadical"), FormulaTask(proof=ProofPolicy.REQUIRED))
    assert (outcome.status, outcome.proof.verified) == (UNSATISFIABLE, True)


def test_the_solver_that_refutes_the_final_formula():
    assert proving_solver("glucose").name == "glucose"
    assert proving_solver("bin:lingeling").name == "lingeling"
    assert proving_solver("lingeling").name == proving_solver("cadical195").name == cegar.PROVING


# -- the state ------------------------------------------------------------------------------------------------------------


def test_a_state_resumes_with_the_mazes_added_so_far(tmp_path):
    rounds = []
    loop = CegarLoop(MAZE, puzzle("blocked", "3x3", length=10), add=1, state=tmp_path / "s", progress=rounds.append)
    whole = boards("blocked", "3x3", 10, add=1)[1].rounds

    def interrupt(loop):
        if loop.rounds == 5:
            raise KeyboardInterrupt

    loop._progress = interrupt
    with pytest.raises(KeyboardInterrupt):
        list(loop.boards())
    assert len(loop.refinement.added) == 4
    second = CegarLoop(MAZE, puzzle("blocked", "3x3", length=10), add=1, state=tmp_path / "s", solver="glucose4")
    assert (list(second.boards()), second.status) == ([], UNSATISFIABLE)
    assert second.refinement.added[:4] == loop.refinement.added
    third = CegarLoop(MAZE, puzzle("blocked", "3x3", length=10), state=tmp_path / "s")
    assert (list(third.boards()), third.rounds) == ([], 1)
    assert whole > 5


@pytest.mark.parametrize(
    ("length", "added", "words"),
    [
        (9, [0], "belongs to other work: found puzzle string of 9"),
        (10, [0, 39], "found 39, expected a number from 0 to 38"),
        (10, [True], "found True, expected a number"),
        (10, "0", "found a text as 'added', expected an array"),
        (10, None, "its checksum does not match"),
    ],
)
def test_a_state_of_another_puzzle_or_a_damaged_one_is_refused(tmp_path, length, added, words):
    with cegar.open_state(tmp_path, MAZE, puzzle("blocked", "3x3", length=length)) as journal:
        journal.append({"added": [0] if added is None else added})
    if added is None:
        journal.path.write_text(journal.path.read_text().replace("[0]", "[1]"))
    with pytest.raises(InputError, match=words):
        boards("blocked", "3x3", 10, state=tmp_path)


def test_a_state_must_be_a_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        boards("blocked", "3x3", 10, state=tmp_path / "file")


# -- limits and faults ----------------------------------------------------------------------------------------------------


@pytest.mark.sample(1)
@pytest.mark.parametrize("solver", ["cadical153", "kissat"])
def test_a_limit_leaves_it_open(solver):
    found, loop = boards("blocked", "4x4", 27, solver=solver, limits=Limits(wall=2))
    assert (found, loop.status) == ([], UNKNOWN)
    assert "wall" in loop.reason
    assert loop.rounds > 1


def test_length_zero_and_patterns_without_free_steps():
    found, loop = boards("thin", "2x1", 0)
    assert (found, loop.status, len(loop.refinement.added)) == ([], UNSATISFIABLE, 2)
    loop = CegarLoop(MAZE, puzzle("thin", "2x1", pattern="EW"))
    assert (list(loop.boards()), loop.status) == (["EW"], UNSATISFIABLE)
    loop = CegarLoop(MAZE, puzzle("thin", "1x1", length=0))
    assert list(loop.boards()) == [""]


def test_an_encoding_without_a_maze_is_detected(monkeypatch):
    monkeypatch.setattr(MAZE.refinement, "add", lambda self, numbers: self.added.extend(numbers))
    with pytest.raises(BrokenBoard, match="encoding is at fault"):
        boards("blocked", "3x3", 11)


def test_a_refinement_that_overlooks_a_maze_is_detected(monkeypatch):
    monkeypatch.setattr(MAZE.refinement, "inspect", lambda self, true: (self.decode(true), []))
    with pytest.raises(BrokenBoard, match="breaks the rules"):
        boards("blocked", "3x3", 11)


def test_two_solvers_that_disagree_are_detected(monkeypatch):
    _, loop = boards("blocked", "3x3", 11)
    loop.refinement.added[:] = [0]  # as if one maze had been enough
    loop.status = UNSATISFIABLE
    with pytest.raises(Exception, match="one of them is wrong"):
        loop.certify()


def test_mistakes_in_the_call():
    with pytest.raises(InputError, match="solver"):
        boards("blocked", "2x2", 3, solver="cadicl")
    with pytest.raises(InputError, match="CEGAR loop"):
        CegarLoop(find_family("nonogram"), None)


def test_without_python_sat_a_binary_runs_again(monkeypatch):
    monkeypatch.setattr(cegar.importlib.util, "find_spec", lambda name: None)
    found, loop = boards("blocked", "3x2", 5)
    assert loop.solver.startswith("bin:") and loop.status == UNSATISFIABLE
    assert sorted(found) == ["EESEE", "ESEES", "ESESE"]
