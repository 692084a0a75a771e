"""Lower bounds for maze strings by cubes: small optima in both directions, truncated journals, wrong certificates."""

import gzip
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from mazeforgeries import REFUSED, accepted_forgeries, verdict

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.journal import Journal
from cnfgen_puzzles.families.maze import sets
from studies.maze_optima.campaign import LengthCampaign, LengthSettings
from studies.mazes.campaigns import JOURNAL
from studies.mazes.commands import run_study
from studies.mazes.cubes import REFUTED, SPLIT

SCRIPTS = Path(__file__).parents[2] / "scripts" / "check"


def mazes_of(kind, height, width):
    return sets.mazes_of(kind, f"{width}x{height}")


def decided(folder, kind, height, width, length, **settings):
    """The run of a case, with its cubes decided one after another."""
    run = LengthCampaign(mazes_of(kind, height, width), length, folder, LengthSettings(effort=1.0, **settings))
    run.decide(ThreadPoolExecutor(1), ahead=1)
    return run


@pytest.fixture(scope="module")
def checker(load_script):
    return load_script("check_maze_cubes")


# -- both directions ----------------------------------------------------------------------------------------------------


@pytest.mark.sample(1)
@pytest.mark.parametrize("bounds", ["none", "pairs", "triples"])
@pytest.mark.parametrize(
    "kind, height, width, optimum", [("thin", 2, 2, 11), ("blocked", 3, 3, 11), ("thin", 1, 3, 4), ("blocked", 2, 3, 5)]
)
def test_known_optima(checker, strings, tmp_path, kind, height, width, optimum, bounds):
    run = decided(tmp_path / "below", kind, height, width, optimum - 1, bounds=bounds, keep_proofs=True)
    assert run.refuted and len(run.of_verdict(REFUTED)) >= 1 and run.work()["bytes"] > 0  # by SAT, whatever the tuples cut
    said = verdict(checker.check, tmp_path, run.certificate(), proofs=tmp_path / "below", again=9)
    assert said.startswith(f"no string of {optimum - 1} letters solves all {kind} {width}x{height} mazes")
    assert "their proofs checked" in said and "refuted again" in said
    found = decided(tmp_path / "optimum", kind, height, width, optimum, bounds=bounds)
    assert not found.refuted and len(found.string) == optimum
    assert all(strings.solves(found.string, *maze) for maze in strings.mazes(kind, height, width))


# -- the journal --------------------------------------------------------------------------------------------------------


@pytest.mark.release
def test_a_truncated_journal_is_resumed(checker, tmp_path):
    whole = decided(tmp_path, "blocked", 3, 3, 10, bounds="none", count=8)
    journal = tmp_path / JOURNAL
    lines = journal.read_text().splitlines(keepends=True)
    assert len(lines) == len(whole.prefixes) >= 8
    journal.write_text("".join(lines[:3]) + lines[3][:40])
    run = LengthCampaign(mazes_of("blocked", 3, 3), 10, tmp_path, LengthSettings(bounds="none"))
    assert run.prefixes == whole.prefixes and len(run.open) == len(lines) - 3 and not run.refuted
    run.decide(ThreadPoolExecutor(1), ahead=1)
    assert run.refuted and len(journal.read_text().splitlines()) == len(lines)
    assert "cover all strings" in verdict(checker.check, tmp_path, run.certificate())


def test_hard_cubes_are_split(checker, tmp_path):
    """Like a solver that reaches its limit: the children replace the cube, also in a resumed run."""
    run = LengthCampaign(mazes_of("blocked", 3, 3), 10, tmp_path, LengthSettings(bounds="pairs", effort=1.0))
    first = run.prefixes[0]
    record = {"prefix": first, "verdict": SPLIT, "reason": "CPU time limit", "mazes": [], "cpu": 1.0, "clauses": 0}
    with Journal(tmp_path / JOURNAL) as journal:
        journal.append(record)
    run = LengthCampaign(run.mazes, 10, tmp_path, LengthSettings(bounds="pairs"))
    assert first not in run.open and set(run.tree.children(first)) <= set(run.open)
    run.decide(ThreadPoolExecutor(1), ahead=2)
    assert run.refuted and len(run.of_verdict(SPLIT)) == 1 and len(run.of_verdict(REFUTED)) == len(run.entries) - 1
    assert "cover all strings" in verdict(checker.check, tmp_path, run.certificate())


def test_a_folder_of_another_case(tmp_path):
    LengthCampaign(mazes_of("blocked", 2, 2), 2, tmp_path, LengthSettings(bounds="none"))
    for mazes, length, bounds in (
        (("blocked", 2, 2), 1, "none"),
        (("blocked", 2, 3), 2, "none"),
        (("blocked", 2, 2), 2, "pairs"),
    ):
        with pytest.raises(InputError, match="another case"):
            LengthCampaign(mazes_of(*mazes), length, tmp_path, LengthSettings(bounds=bounds))


def test_a_failed_cube_does_not_stop_the_others(tmp_path):
    def unlucky(function, cube):
        if cube.prefix == "N":
            raise CnfgenError("a disk is full")
        return function(cube)

    class Unlucky(ThreadPoolExecutor):
        def submit(self, make_call, owner, function, cube):
            return super().submit(make_call, owner, unlucky, function, cube)

    run = LengthCampaign(mazes_of("blocked", 3, 3), 10, tmp_path, LengthSettings(bounds="none"))
    with pytest.raises(CnfgenError, match=r"1 cubes failed .* a disk is full"):
        run.decide(Unlucky(1), ahead=2)
    assert list(run.open) == ["N"]


# -- certificates -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[("blocked", 3, 3, 10, "pairs"), ("thin", 2, 2, 10, "none")], ids=["blocked", "thin"])
def entry(request, tmp_path_factory):
    kind, height, width, length, bounds = request.param
    folder = tmp_path_factory.mktemp("cubes")
    return decided(folder, kind, height, width, length, bounds=bounds, count=6, keep_proofs=True).certificate(), folder


@pytest.mark.sample(1)
def test_what_does_not_hold_is_refused(checker, tmp_path, entry):
    entry, folder = entry
    cubes = entry["cubes"]
    assert not verdict(checker.check, tmp_path, entry, proofs=folder, again=2).startswith(REFUSED)
    case = checker.Case(entry)
    states = [
        (len(cube["prefix"]), case.after(cube["prefix"])[0, :-1].tobytes()) for cube in cubes
    ]  # of two that agree one is enough
    needed = [place for place, state in enumerate(states) if states.count(state) == 1]
    assert len(needed) > 1
    for place in needed:
        fewer = {**entry, "cubes": cubes[:place] + cubes[place + 1 :]}
        assert verdict(checker.check, tmp_path, fewer).startswith(REFUSED)
    assert accepted_forgeries(checker.check, tmp_path, entry) == []


def test_a_wrong_or_missing_proof_is_refused(checker, tmp_path):
    entry = decided(tmp_path, "blocked", 3, 3, 10, bounds="none", keep_proofs=True).certificate()
    assert "their proofs checked" in verdict(checker.check, tmp_path, entry, proofs=tmp_path)
    name = f"cube-{entry['cubes'][0]['prefix']}.drat.gz"
    (tmp_path / name).write_bytes(gzip.compress(b"1 0\n"))
    assert "does not hold" in verdict(checker.check, tmp_path, entry, proofs=tmp_path)
    (tmp_path / name).unlink()
    assert verdict(checker.check, tmp_path, entry, proofs=tmp_path).startswith("REFUSED: ")


def test_a_search_without_formulas_finds_a_wrong_cube(checker, tmp_path, entry):
    """Too few mazes to refute a cube: the error is detected without looking at a formula."""
    entry, _ = entry
    cube = {**entry["cubes"][0], "mazes": entry["cubes"][0]["mazes"][:1]}
    with pytest.raises(ValueError, match="are in no cube"):
        checker.recheck({**entry, "tuples": []}, cube)


def test_the_checker_does_not_import_the_package():
    assert "cnfgen_puzzles" not in (SCRIPTS / "check_maze_cubes.py").read_text()


# -- the command --------------------------------------------------------------------------------------------------------


@pytest.mark.release
def test_the_command(tmp_path, capsys):
    words = ["--size", "3x2", "--method", "cubes", "--folder", str(tmp_path), "--jobs", "1", "--effort", "1", "--recheck", "1"]
    assert run_study("maze_optima", [*words, "--keep-proofs"]) == 0
    printed = capsys.readouterr().out
    assert "no string of 4 letters" in printed and "5 letters" in printed
    assert run_study("maze_optima", [*words, "--length", "4"]) == 0  # resumes a finished run
    assert "no string of 4 letters solves all mazes" in capsys.readouterr().out
    assert run_study("maze_optima", [*words, "--list", "--length", "5"]) == 2
    assert run_study("maze_optima", [*words, "--jobs", "0"]) == 2
    assert capsys.readouterr().err.count("expected") == 2


def test_the_table_by_cubes(tmp_path, capsys):
    words = ["--table", "--size", "blocked:2x2", "--method", "cubes", "--bounds", "none"]
    assert run_study("maze_optima", [*words, "--folder", str(tmp_path), "--jobs", "1"]) == 0
    assert "blocked 2x2" in capsys.readouterr().out
