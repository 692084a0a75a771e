"""Files that version 0.1.0 wrote (`version-0.1.0/`): read, continued, and its certificates still checked."""

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from cnfgen_puzzles.families.maze.sets import mazes_of
from studies.maze_optima.campaign import LengthCampaign, LengthSettings
from studies.maze_windows import methods
from studies.maze_windows.campaign import WindowCampaign, WindowSettings
from studies.maze_windows.questions import METHODS
from studies.mazes import campaigns
from studies.mazes.checkers import CERTIFICATE, CUBES, WINDOW, checked
from studies.mazes.commands import run_study
from studies.mazes.cubes import refute

OLD = Path(__file__).parent / "version-0.1.0"
CASES = [("blocked", "3x3", "pairs"), ("thin", "2x2", "none")]


@pytest.fixture
def old(tmp_path):
    """A copy that may be written to."""
    return Path(shutil.copytree(OLD, tmp_path / "old"))


def in_turn(campaign, prefixes):
    """Cubes decided in this process: no proof is checked twice for nothing, and no worker is started."""
    return [refute(campaign.cube(prefix)) for prefix in prefixes]


@pytest.mark.parametrize(("kind", "size", "bounds"), CASES)
def test_cubes_that_are_decided_stay_so(old, kind, size, bounds):
    folder = old / "maze_optimal" / f"{kind}-{size}-10-cubes-{bounds}"
    campaign = LengthCampaign(mazes_of(kind, size), 10, folder, LengthSettings(bounds=bounds))
    assert campaign.refuted and campaign.work()["refuted"] == len(campaign.plan.prefixes) >= 6
    assert campaign.certificate() == json.loads((OLD / "maze_optimal" / f"{folder.name}.json").read_text())


@pytest.mark.parametrize(("kind", "size", "bounds"), CASES)
def test_a_cut_journal_is_gone_on_with_and_says_the_same(old, kind, size, bounds):
    """Also the formulas: their checksums are those of then."""
    folder = old / "maze_optimal" / f"{kind}-{size}-10-cubes-{bounds}"
    journal = folder / campaigns.JOURNAL
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:-1]) + lines[-1][:30])
    campaign = LengthCampaign(mazes_of(kind, size), 10, folder, LengthSettings(bounds=bounds))
    (prefix,) = campaign.open
    (entry,) = in_turn(campaign, [prefix])
    then = json.loads(lines[-1])
    assert [entry[name] for name in ("prefix", "verdict", "formula", "mazes")] == [
        then[name] for name in ("prefix", "verdict", "formula", "mazes")
    ]


@pytest.mark.parametrize(
    ("checker", "pattern"),
    [(CERTIFICATE, "maze_optimal/blocked-3x3-10.json"), (CUBES, "maze_optimal/*cubes*.json"), (WINDOW, "maze_windows/*/cert*")],
)
def test_certificates_are_still_accepted(checker, pattern):
    paths = sorted(OLD.glob(pattern))
    check = checked(checker, *paths)
    assert check.verified and check.said.count("verified: ") == len(paths) > 0


def test_a_certificate_saves_the_search(old, capsys):
    assert run_study("maze_optima", ["--size", "3x3", "--length", "10", "--folder", str(old / "maze_optimal")]) == 0
    assert "(0.0 s, checked" in capsys.readouterr().out


def test_windows_that_are_decided_stay_so(old, capsys, monkeypatch):
    monkeypatch.setattr(methods, "answer_to", None)  # nothing is asked again
    words = [
        "NESWNENWSEN",
        "--size",
        "2x2",
        "--window",
        "9",
        "--windows",
        "1",
        "--certify",
        "--folder",
        str(old / "maze_windows"),
    ]
    for method in METHODS:
        assert run_study("maze_windows", [*words, "--method", method]) == 0
    assert capsys.readouterr().out.count("checked") == 9  # each of three tables shows three methods


def test_cubes_of_a_window_say_the_same(old):
    (folder,) = (old / "maze_windows").glob("001-9-8-cubes-*")
    plan = json.loads((folder / campaigns.PLAN).read_text())
    campaign = WindowCampaign(mazes_of("thin", "2x2"), plan["pattern"], plan["tuples"], folder, WindowSettings())
    assert campaign.refuted
    then = campaign.entries[""]
    (entry,) = in_turn(campaign, [""])
    assert (entry["verdict"], entry["formula"]) == (then["verdict"], then["formula"])


def test_a_search_goes_on(old, capsys):
    folder = old / "maze_search"
    assert run_study("maze_search", ["--size", "2x2", "--length", "13", "--until", "11", "--folder", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert "1 rounds" in printed and "shortest: 11 letters, ENWSENESWNE" in printed
    assert run_study("maze_search", ["--size", "1x3", "--length", "4", "--folder", str(folder)]) == 2
    assert "found rounds for thin 2x2" in capsys.readouterr().err
