"""Explanations: every step is replayed by code that only refutes the opposite, and no step loses a solution."""

import json
from dataclasses import replace
from itertools import product

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from nonogramnaive import PALETTE, Replay, blocks_in, fillings, puzzle_of
from repository import INSTANCES

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.lines import PuzzleLines, propagate
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.families.nonogram.techniques import LineView, Words, out_of_reach
from cnfgen_puzzles.pipeline.explain import explanation_to_json

TRUTH = yaml.safe_load((INSTANCES / "nonogram/truth.yaml").read_text(encoding="utf-8"))
QUICK = (
    "letter-a.non",
    "heart.nin",
    "key.mk",
    "owl.nin",
    "umbrella.non",
    "snail.nin",
    "random-10-50.nin",
    "webpbn/webpbn-00023.nin",
)
QUICK += ("webpbn/webpbn-00021.nin", "webpbn/webpbn-00027.nin", "sums-differ-5.nin", "too-long-10.cwd", "switches-20.nin")
SMALL = [name for name in TRUTH if (INSTANCES / "nonogram" / name).stat().st_size < 1500 and not name.endswith(".txt")]


@st.composite
def puzzles(draw):
    """Pictures of up to 4x4 in black or in two colors with some known cells, sometimes one of them wrong."""
    inks = draw(st.sampled_from([1, 1, 2]))
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4 if inks == 1 else 3))
    board = [[draw(st.integers(0, inks)) for _ in range(width)] for _ in range(height)]
    known = ()
    if draw(st.booleans()):
        rows = [[cell if draw(st.integers(0, 3)) == 0 else None for cell in row] for row in board]
        if draw(st.integers(0, 2)) == 0:
            rows[0][0] = draw(st.integers(0, inks))
        known = tuple(map(tuple, rows))
    return puzzle_of(board, known, inks)


def boards(puzzle):
    """All solutions, by trying every row that fits its clue."""
    known = puzzle.known or ((None,) * puzzle.width,) * puzzle.height
    replay = Replay(puzzle)
    rows = [fillings(puzzle.width, puzzle.inks + 1).get(replay.blocks["row", r + 1], []) for r in range(puzzle.height)]
    for board in product(*rows):
        agrees = all(k in (None, c) for row, cells in zip(known, board, strict=True) for k, c in zip(row, cells, strict=True))
        drawn = map(blocks_in, zip(*board, strict=True))
        if agrees and all(clue == replay.blocks["column", c] for c, clue in enumerate(drawn, start=1)):
            yield board


def replayed(puzzle, explanation):
    """The possible colors of each cell after all steps, each of which is checked."""
    replay = Replay(puzzle)
    replay.all(json.loads(json.dumps([dict(step.fields) for step in explanation.steps])))
    return replay.may


@given(puzzles())
def test_steps_follow_and_keep_every_solution(puzzle):
    found = FAMILY.explaining(puzzle, depth=3)
    may = replayed(puzzle, found)
    solutions = list(boards(puzzle))
    for board in solutions:
        assert all(cell in may[r][c] for r, row in enumerate(board) for c, cell in enumerate(row))
    assert (found.status == "SATISFIABLE") == (len(solutions) == 1), "three assumptions decide anything so small"
    assert (found.status == "UNSATISFIABLE") == (not solutions)
    assert found.board == tuple(tuple(min(m) if len(m) == 1 else None for m in row) for row in may) or not solutions


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.release) for name in SMALL if name not in QUICK)]
)
def test_shipped_puzzles(name):
    """Replayed to the end; the verdicts are compared with independent counts."""
    puzzle = cp.read(INSTANCES / "nonogram" / name, family="nonogram")
    found = cp.explain(puzzle, depth=1, looks=20_000)
    may = replayed(puzzle, found)
    if found.steps:
        assert sum(len(m) > 1 for row in may for m in row) == sum(cell is None for row in found.board for cell in row)
    if found.status != "UNKNOWN":
        assert TRUTH[name]["solutions"] == {"SATISFIABLE": "one", "UNSATISFIABLE": "none"}[found.status]


def test_line_logic_is_complete_before_lookahead():
    """For any order of techniques, the result is that of narrowing all lines."""
    for seed in range(12):
        puzzle = FAMILY.generate("blobs", seed, size="12")
        found = cp.explain(puzzle, depth=0)
        assert [[None if cell is None else int(cell) for cell in row] for row in found.board] == list(
            map(list, propagate(puzzle).known)
        )
        assert all(step.fields["kind"] == "line" for step in found.steps)


def nested(steps):
    return [step for step in steps if step.fields["kind"] == "ahead" and step.fields["depth"] > 1]


def test_nested_assumptions():
    """A puzzle with one solution in which single assumptions leave cells open."""
    puzzle = FAMILY.generate("random", 852, size="12", density=42)
    alone = cp.explain(puzzle, depth=1)
    assert alone.status == "UNKNOWN" and not nested(alone.steps)
    found = cp.explain(puzzle, most=len(alone.steps) + 1)
    replayed(puzzle, found)
    assert [len(found.steps)] == [step.fields["step"] for step in nested(found.steps)]
    assert any(link["kind"] == "ahead" for link in found.steps[-1].fields["steps"])


@pytest.mark.release
def test_nested_assumptions_to_the_end():
    """The same puzzle, and the 5-Dom, which is hard for its size: two nested assumptions solve both."""
    dom = Nonogram(((3,), (1,), *((3, 1), (1,)) * 4, (1,)), ((1,), (1,), *((1, 3), (1,)) * 4, (3,)))
    for puzzle in (FAMILY.generate("random", 852, size="12", density=42), dom):
        found = cp.explain(puzzle, depth=2, looks=2_000_000)
        assert found.status == "SATISFIABLE" and found.difficulty["class"] == "looking ahead, depth 2"
        replayed(puzzle, found)
        assert cp.unique(puzzle, proof=False).verdict == "one"


def test_reasons_for_the_end():
    """Several solutions: no guess, and the open cells."""
    puzzle, explain = Nonogram(rows=((1,),) * 2, columns=((1,),) * 2), FAMILY.explaining
    found = explain(puzzle, depth=3)
    assert (found.status, found.sentence) == ("UNKNOWN", "line logic and looking ahead to depth 3 end here: 4 cells are open")
    assert found.difficulty["class"] == "not solved"
    assert explain(puzzle, depth=0).sentence == "line logic ends here: 4 cells are open"
    cut = explain(puzzle, looks=5)
    assert cut.sentence == "line logic ends here, and looking ahead gave up after 5 lines: 4 cells are open"
    assert explanation_to_json(FAMILY, found)["board"] == [[None, None], [None, None]]


@pytest.mark.parametrize("depth", [0, 2])
def test_open_cells_in_which_solutions_differ(depth):
    """The open cells that differ between boards, of which a solver finds enough."""
    two = Nonogram(rows=((1,),) * 2, columns=((1,),) * 2)
    found = cp.explain(two, depth=depth)
    assert found.sentence == "nothing else follows: 4 cells are open, in which solutions differ"
    assert (found.status, found.difficulty["class"]) == ("UNKNOWN", "several solutions")
    for seed in range(4):
        puzzle = FAMILY.generate("random", seed, size="5x4", density=40)
        found, every = cp.explain(puzzle, depth=depth), list(boards(puzzle))
        differing = sum(len({board[r][c] for board in every}) > 1 for r in range(4) for c in range(5))
        assert (found.status == "UNKNOWN" and found.difficulty["class"] == "several solutions") == (differing > 0)
        left = sum(cell is None for row in found.board for cell in row)
        if differing:
            told = f"{left} cells are open, in {f'{differing} of ' if left > differing else ''}which solutions differ"
            assert found.sentence.endswith(told)


@given(puzzles())
def test_boards_save_work_and_change_no_step(puzzle):
    """Values that are true in some solution are not assumed; all refutations are the same."""
    alone = FAMILY.explaining(puzzle, depth=2)
    told = FAMILY.explaining(puzzle, depth=2, boards=lambda: list(boards(puzzle)))
    assert [step.fields for step in told.steps] == [step.fields for step in alone.steps]
    assert told.difficulty["lines looked at"] <= alone.difficulty["lines looked at"]


WRONG = Nonogram(((3,), (1,), (3,)), ((1, 1), (3,), (1, 1)), known=((None,) * 3, (1, None, None), (None, 1, None)))


def test_without_any_solver(monkeypatch):
    """The deductions are the same as with a solver; the missing result of the solver is reported."""

    def none():
        raise InputError("no solver is there")

    monkeypatch.setattr("cnfgen_puzzles.pipeline.explain.is_installed", lambda: False)
    monkeypatch.setattr("cnfgen_puzzles.pipeline.mus.default_solver", none)
    found = cp.explain(WRONG)
    assert found.status == "UNSATISFIABLE" and found.sentence.endswith(
        "\nWhat of it contradicts is not known: no solver is there"
    )
    open_cells = cp.explain(Nonogram(rows=((1,),) * 2, columns=((1,),) * 2), most=1)
    assert open_cells.sentence == "line logic and looking ahead to depth 2 end here: 4 cells are open"


@given(puzzles())
def test_hints_lead_as_far_as_all_steps_do(puzzle):
    """Each hint decides a cell and contains only the steps that it needs; a grid filled in by hints ends as the explanation."""
    whole = FAMILY.explaining(puzzle, depth=1)
    while True:
        hint = FAMILY.explaining(puzzle, depth=1, most=1)
        replayed(puzzle, hint)
        told = [cell for step in hint.steps for cell in step.fields["cells"] if "value" in cell]
        if not told:
            break
        assert all("value" not in cell for step in hint.steps[:-1] for cell in step.fields["cells"])
        puzzle = replace(puzzle, known=hint.board)
    assert hint.status == whole.status
    assert hint.board == whole.board or whole.status == "UNSATISFIABLE"


def test_a_hint_in_colors_contains_only_needed_steps():
    """The other lines have no blue either; this fact is found before a cell is decided, and is not reported."""
    puzzle = puzzle_of(((0, 0, 1), (0, 0, 1), (1, 1, 0)), inks=2)
    assert [step.text for step in FAMILY.explaining(puzzle, most=1).steps] == [
        "row 3: cells 1-3 not blue (count: the clue has no blue cells)",
        "row 3: cell 2 red (overlap: the red 2 begins at cell 1 at the earliest and 2 at the latest, "
        "which covers cell 2 in any case)",
    ]
    before = FAMILY.explaining(puzzle).steps[:3]
    assert all("value" not in cell for step in before for cell in step.fields["cells"])


def test_out_of_reach_names_the_blocks():
    """A cell that red blocks cannot reach can be in a blue block."""
    clue, colors = (1, 1), (1, 2)
    known = ((None, 1, None, None, None, None),)
    puzzle = Nonogram((clue,), ((1,),) * 6, colors=PALETTE, row_colors=(colors,), column_colors=((1,),) * 6, known=known)
    lines = PuzzleLines(puzzle)
    can = (0b111101, 0b000010, 0b111101)
    claims = out_of_reach(LineView(6, lines.blocks[0], can, Words(puzzle)))
    assert [reason for claim, reason in claims if claim != can] == ["no blue block can be pushed to cell 1"]
