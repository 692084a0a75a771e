"""explain-puzzle as a user types it: steps, hints, JSON that another program replays, exit codes, mistakes."""

import json
import sys

import pytest
from nonogramnaive import Replay

import cnfgen_puzzles as cp
from cnfgen_puzzles.cli.app import run
from cnfgen_puzzles.cli.explain_puzzle import COMMAND

EDGE = "webpbn/webpbn-00023.nin"


@pytest.fixture
def explain(monkeypatch, capfd, instances, tmp_path):
    """The exit code, the output, and the error output."""
    monkeypatch.chdir(tmp_path)

    def call(*words):
        named = [str(instances / "nonogram" / word) if (instances / "nonogram" / word).is_file() else word for word in words]
        monkeypatch.setattr(sys, "argv", ["explain-puzzle", *named])
        with pytest.raises(SystemExit) as ended:
            run(COMMAND)
        printed, said = capfd.readouterr()
        return ended.value.code, printed, said

    return call


def test_steps_and_their_result(explain, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    code, printed, said = explain("heart.nin", "--board")
    lines = printed.splitlines()
    assert (code, said) == (0, "")
    assert lines[0] == " 1 row 5: cells 1-13 filled (count: the clue needs 13 filled cells, and no more can be filled)"
    assert "every cell follows in 44 steps by line logic alone: the only solution" in lines
    assert any(line.split() == ["class", "line", "logic"] for line in lines)
    assert printed.endswith("  1  .  .  .  .  .  .  #  .  .  .  .  .  .\n"), "the board, with its clues"
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in explain("heart.nin", "--board")[1], "colors where they are wanted"


def test_a_hint_for_a_half_filled_grid_and_its_board(explain):
    code, printed, _ = explain("nonogram", EDGE, "--hint", "--board")
    first, _, board = printed.partition("\n")
    assert code == 0 and first.startswith("row ") and "if it were" in first
    assert "score" not in printed and len(board.strip().splitlines()) == 11 + 2


def test_json_is_replayed(explain, instances, tmp_path):
    code, printed, _ = explain(EDGE, "--as", "json")
    whole = json.loads(printed)
    explain(EDGE, "-o", "steps.jsonl")
    *steps, rest = map(json.loads, (tmp_path / "steps.jsonl").read_text().splitlines())
    assert code == 0 and steps == whole.pop("steps") and rest == whole
    puzzle = cp.read(instances / "nonogram" / EDGE, family="nonogram")
    replay = Replay(puzzle)
    replay.all(steps)
    assert [[{cell} for cell in row] for row in whole["board"]] == replay.may
    assert whole["difficulty"]["steps"] == len(steps) and whole["family"] == "nonogram"
    assert explain(EDGE, "--as", "jsonl")[1].splitlines() == (tmp_path / "steps.jsonl").read_text().splitlines()


def test_outputs(explain, tmp_path):
    code, printed, _ = explain("heart.nin", "-o", "steps.txt", "--difficulty", "--board")
    text = (tmp_path / "steps.txt").read_text()
    assert (code, printed) == (0, "") and text.startswith("every cell follows in 44 steps") and "row 5: cells" not in text
    code, told, said = explain("heart.nin", "-o", "nowhere/steps.txt")
    assert code == 2 and "nowhere" in said and "Traceback" not in said
    assert not told  # it is known before the work


def test_the_reason_why_steps_end(explain, tmp_path):
    (tmp_path / "two.nin").write_text("2 2\n1\n1\n1\n1\n")
    code, printed, _ = explain("two.nin")
    told = "nothing else follows: 4 cells are open, in which solutions differ"
    assert code == 3 and printed.startswith(told) and "class            several solutions" in printed
    assert explain("two.nin", "--hint") == (3, told + "\n", "")
    hard = ("nonogram", "--generate", "ndom", "--size", "4")
    assert "looking ahead to depth 1 end here: " in explain("nonogram", "--generate", "ndom", "--size", "6", "--ahead", "1")[1]
    assert "line logic ends here: 81 cells are open\n" in explain(*hard, "--ahead", "0")[1]
    assert "gave up after 10 lines: 81 cells are open\n" in explain(*hard, "--looks", "10")[1]


def test_a_hint_where_a_cell_is_wrong(explain, tmp_path):
    (tmp_path / "cross.nin").write_text("3 3\n1\n3\n1\n1\n3\n1\n")
    code, printed, _ = explain("cross.nin", "--known", "|#??|???|???|", "--hint")
    assert code == 0 and printed.startswith(
        "no solution\nThe clues alone have a solution.\nThis known cell contradicts the clues"
    )
    assert "  row 1, column 1 is black\n" in printed
    assert explain("cross.nin", "--known", "|.#.|###|.#.|", "--hint")[:2] == (0, "every cell is known: a solution\n")


def test_no_solution(explain, tmp_path):
    (tmp_path / "none.nin").write_text("3 3\n1 1\n1\n1\n1\n1 1\n1\n")
    code, printed, _ = explain("none.nin")
    assert code == 0 and "no solution" in printed
    (tmp_path / "sums.nin").write_text("2 2\n2\n1\n1\n1\n")
    assert "rows and columns need 3 and 2 black cells" in explain("sums.nin", "--hint")[1]
