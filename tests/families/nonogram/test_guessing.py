"""Guesses for nonograms: the probabilities of a line are compared with all its fillings, and no guess becomes an answer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonogramnaive import clue_of_line, fillings

import cnfgen_puzzles as cp
from cnfgen_puzzles.families.clued.encodings import ENCODINGS, lines_of
from cnfgen_puzzles.families.nonogram import FAMILY
from cnfgen_puzzles.families.nonogram.generators import texture
from cnfgen_puzzles.families.nonogram.guessing import Arrangements, guess, guesses
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of
from cnfgen_puzzles.formula import write_dimacs
from cnfgen_puzzles.pipeline.guided_program import main

ROW = st.lists(st.tuples(st.booleans(), st.floats(-3, 3)), min_size=7, max_size=7)


@given(st.lists(ROW, min_size=1, max_size=3))
@settings(max_examples=40, deadline=None)
def test_line_messages_agree_with_all_arrangements(rows):
    clues = tuple(clue_of_line(tuple(filled for filled, _ in row)) for row in rows)
    odds = np.array([[value for _, value in row] for row in rows])
    side = Arrangements(lines_of(Nonogram(clues, ((),) * 7), 1)[: len(rows)])
    shares, messages = side.filled(odds), side.message(odds)
    for n, clue in enumerate(clues):
        lines = map(np.array, fillings(7, 2)[tuple((block, 1) for block in clue)])
        every = [(cells, float(np.dot(cells, odds[n]))) for cells in lines]
        weights = np.exp([weight for _, weight in every])
        expected = sum(cells * weight for (cells, _), weight in zip(every, weights, strict=True)) / weights.sum()
        assert shares[n] == pytest.approx(expected, abs=1e-9)
        for q in range(7):  # the message is the share where the cell itself leans to neither side
            without = np.where(np.arange(7) == q, 0, odds[n])
            flat = [(cells, np.exp(np.dot(cells, without))) for cells, _ in every]
            share = sum(weight for cells, weight in flat if cells[q]) / sum(weight for _, weight in flat)
            if 0 < share < 1:
                assert messages[n, q] == pytest.approx(np.log(share / (1 - share)), abs=1e-6)
            else:
                assert messages[n, q] * (share - 0.5) > 10


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=4, max_size=4), st.integers(0, 23))
@settings(max_examples=40, deadline=None)
def test_wrong_lines_are_counted(board, flipped):
    side = Arrangements(lines_of(clues_of(tuple(map(tuple, board))), 1)[:4])
    assert side.wrong(np.array(board)) == 0
    other = np.array(board)
    other[flipped // 6, flipped % 6] ^= True
    expected = sum(clue_of_line(tuple(a)) != clue_of_line(tuple(b)) for a, b in zip(board, other.tolist(), strict=True))
    assert side.wrong(other) == expected


@pytest.mark.parametrize("solved", [True, False])
def test_a_guess_comes_from_the_round_with_the_fewest_wrong_lines(monkeypatch, solved):
    """Later rounds are not used if no line is wrong; lines are counted independently. Reversed columns have no solution."""
    puzzle, seen = texture(1, "20"), []
    puzzle = puzzle if solved else Nonogram(puzzle.rows, puzzle.columns[::-1])
    lines, wrong = lines_of(puzzle, 1), Arrangements.wrong
    sides = Arrangements(lines[:20]), Arrangements(lines[20:])

    def told(side, board):
        if side is sides[0]:
            seen.append(board.tolist())
        return wrong(side, board)

    monkeypatch.setattr(Arrangements, "wrong", told)
    found = guess(sides, np.zeros((20, 20)), 0.02 if solved else 0.1, 0)
    clues = (*puzzle.rows, *puzzle.columns)
    faults = [
        sum(clue_of_line(tuple(line)) != its for line, its in zip((*b, *zip(*b, strict=True)), clues, strict=True)) for b in seen
    ]
    assert (found > 0).tolist() == seen[faults.index(min(faults))]
    assert faults.index(0) == len(faults) - 1 if solved else len(faults) == 25 and min(faults) > 0


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_guess_assigns_variables_of_the_formula(encoding):
    puzzle = texture(1, "20")
    formula = cp.encode(puzzle, encoding).cnf
    literals = next(guesses(puzzle, formula.blocks))
    assert [*map(abs, literals)] == list(formula.blocks["cell"].variables)
    board = FAMILY.decode(puzzle, formula.blocks, {literal for literal in literals if literal > 0})
    assert FAMILY.check(puzzle, board) == []  # of this picture the first guess is a solution


def test_guesses_respect_known_cells_and_exclude_colors():
    puzzle = Nonogram(((1,),) * 3, ((1,),) * 3, known=((None, 1, None), (None, None, None), (None, None, 1)))
    formula = cp.encode(puzzle).cnf
    true = {literal for literal in next(guesses(puzzle, formula.blocks)) if literal > 0}
    assert FAMILY.check(puzzle, FAMILY.decode(puzzle, formula.blocks, true)) == []
    wrong = Nonogram(((1,),) * 3, ((1,),) * 3, known=((0, 0, 0),) * 3)
    assert next(guesses(wrong, cp.encode(wrong).cnf.blocks))  # a guess still, of what has no solution
    colored = FAMILY.generate("blobs", 1, size="6", colors="3")
    assert FAMILY.guesses(colored) is None and FAMILY.guesses(puzzle) is not None
    assert list(guesses(colored, cp.encode(colored).cnf.blocks)) == []
    too_long = Nonogram(((4,),), ((1,),) * 3)
    assert list(guesses(too_long, cp.encode(too_long).cnf.blocks)) == []


@pytest.fixture
def asked(tmp_path, capsys):
    """The exit code and the output of the program for a formula with these comments."""

    def ask(cnf, comments=()):
        with (tmp_path / "x.cnf").open("wb") as stream:
            write_dimacs(cnf, stream, comments)
        return main([str(tmp_path / "x.cnf")]), capsys.readouterr().out

    return ask


def test_guided_uses_the_map_and_solves_without_it(asked):
    instance = cp.encode(texture(2, "15"))
    comments = list(instance.map.to_comments())
    code, told = asked(instance.cnf, comments)
    model = {int(word) for line in told.splitlines() if line.startswith("v") for word in line[1:].split()}
    assert code == 10 and "c guesses: 1\n" in told and instance.cnf.falsified_clause(model) is None
    code, told = asked(instance.cnf)
    assert code == 10 and "guesses" not in told
    code, told = asked(instance.cnf, [comment.replace('"rows"', '"raws"') for comment in comments])
    assert code == 10 and "c no guesses: damaged puzzle" in told
    another = cp.encode(texture(3, "12"))  # the map of another formula
    assert asked(another.cnf, comments)[0] == 10


def test_a_guess_is_never_an_answer(asked):
    """For puzzles without a solution, the solver reports UNSAT after the last guess, or during one."""
    none = Nonogram(((1,), (1,)), ((2,), (1,)))
    instance = cp.encode(none)
    code, told = asked(instance.cnf, instance.map.to_comments())
    assert code == 20 and "s UNSATISFIABLE" in told


def test_guided_finds_a_board_and_another_one():
    puzzle = texture(1, "30")
    found = cp.solve(puzzle, solver="guided")
    assert found.status == "SATISFIABLE" and found.run.statistics["guesses"] >= 1
    both = cp.unique(puzzle, solver="guided")
    assert both.verdict == "several" and len(set(both.boards)) == 2
