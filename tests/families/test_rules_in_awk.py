"""The rules as awk programs for certificates: they accept exactly the boards that the families' checks accept."""

from dataclasses import replace
from itertools import islice, product

import pytest
from families.tiling.smallpuzzles import PUZZLES, truth
from hypothesis import given, settings
from hypothesis import strategies as st
from inawk import AWKS, run
from smallpuzzles import small_puzzles
from tilingcases import puzzles

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.clued.palette import INKS, WHITE
from cnfgen_puzzles.families.lattice import SQUARE, TRIANGULAR
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup
from cnfgen_puzzles.families.tiling.puzzle import COVERED, EMPTY, OPTIONAL, Tiling, box, make_board
from cnfgen_puzzles.pipeline.certificates.certify import canonical


def accepts(family, puzzle, board):
    """Whether the rules of a puzzle accept a board."""
    return accepts_text(family, puzzle, family.rules_in_awk(puzzle, board)[1])


def accepts_text(family, puzzle, text):
    """Whether the rules accept any text, by all installed awks."""
    program = {"tiling": "tiling-rules", "maze": "maze-rules"}.get(family.name, "clued-rules")
    found = set()
    for awk in AWKS:
        done = run(awk, program, canonical(family.puzzle_to_json(puzzle)), text)
        assert done.returncode in (0, 1) and not done.stderr, (awk, done.stderr)
        assert done.stdout if done.returncode else True
        found.add(done.returncode)
    assert len(found) == 1, (text, found)
    return found == {0}


RED_AND_BLUE = clues_of(((1, 2), (2, 1)), (WHITE, *INKS[:2]))


@pytest.mark.parametrize("puzzle", [Nonogram(((1,), (2,)), ((1,), (2,))), Nonogram(((1, 1), ()), ((1,), (), (1,))), RED_AND_BLUE])
def test_nonograms(puzzle):
    family = find_family("nonogram")
    rows = list(product(range(puzzle.inks + 1), repeat=puzzle.width))
    found = {board: accepts(family, puzzle, board) for board in product(rows, repeat=puzzle.height)}
    assert found == {board: not family.check(puzzle, board) for board in found}
    assert any(found.values())


def test_nonograms_of_another_shape():
    family, puzzle = find_family("nonogram"), Nonogram(((1,),), ((1,), ()))
    assert accepts_text(family, puzzle, "#.\n")
    for board in ("", "#\n", "#..\n", "#.\n..\n", ".#\n", "#.\n\n\n", "#.\n\n.#\n", "x.\n"):
        assert not accepts_text(family, puzzle, board)


TRIDDLERS = small_puzzles(find_family("triddler"))


@pytest.mark.sample(1)
@pytest.mark.parametrize("puzzle", [TRIDDLERS[place] for place in (3, 11, -1)])
def test_triddlers(puzzle):
    """All boards of some cells; for the colored puzzle, the solution and the boards that differ from it in one cell."""
    family, lengths = find_family("triddler"), puzzle.hexagon.row_lengths
    if puzzle.inks == 1:
        rows = [product((False, True), repeat=length) for length in lengths]
        boards = list(islice(product(*map(list, rows)), 0, None, 3))
    else:
        boards = [puzzle.goal]
        for r, length in enumerate(lengths):
            for place, color in product(range(length), range(3)):
                row = (*puzzle.goal[r][:place], color, *puzzle.goal[r][place + 1 :])
                boards.append((*puzzle.goal[:r], row, *puzzle.goal[r + 1 :]))
    found = {board: accepts(family, puzzle, board) for board in (puzzle.goal, *boards)}
    assert found == {board: not family.check(puzzle, board) for board in found}
    assert any(found.values()) and not all(found.values())
    drawn = family.rules_in_awk(puzzle, puzzle.goal)[1]
    for wrong in ("", drawn[:-3] + "\n", drawn + ".\n", drawn.replace("\n", ".\n", 1), "x" + drawn[1:]):
        assert not accepts_text(family, puzzle, wrong)


@pytest.mark.parametrize(
    ("options", "solves"),
    [
        ({"kind": "blocked", "size": "2x2", "pattern": "***"}, None),
        ({"kind": "thin", "size": "2x1", "pattern": "**"}, None),
        ({"kind": "thin", "size": "2x2", "length": 11}, "NESWNENWSEN"),
        ({"kind": "thin", "size": "2x2", "pattern": "N**********"}, "NESWNENWSEN"),
    ],
)
def test_mazes(options, solves):
    family = find_family("maze")
    puzzle = family.read(None, **options)
    short = len(puzzle.pattern) <= 3
    strings = ["".join(s) for s in product("NESW", repeat=len(puzzle.pattern))] if short else [solves, solves[::-1], "N" * 11]
    found = {string: accepts(family, puzzle, string) for string in strings}
    assert found == {string: not family.check(puzzle, string) for string in strings}
    assert any(found.values())


def test_mazes_of_a_file(tmp_path):
    """The program walks through the mazes of puzzle.json, although the string does not solve all mazes of the grid."""
    family = find_family("maze")
    puzzle = family.puzzle_from_json({"kind": "blocked", "size": [2, 2], "pattern": "**", "mazes": ["../..", ".#/.."]})
    found = {string: accepts(family, puzzle, string) for string in ("SE", "ES", "NN", "SS")}
    assert found == {"SE": True, "ES": False, "NN": False, "SS": False}
    walls = family.puzzle_from_json(
        {"kind": "thin", "size": [1, 3], "pattern": "**", "mazes": ["2a8 0,0", "28. 1,0"[:3] + " 0,1"]}
    )
    found = {string: accepts(family, walls, string) for string in ("EE", "EW", "WE", "WW")}
    assert found == {string: not family.check(walls, string) for string in found}


def laid(puzzle, chosen):
    return make_board((puzzle.placements[n].piece, puzzle.placements[n].cells) for n in chosen)


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", PUZZLES)
def test_tilings(name):
    """Solutions and damaged ones: a missing piece, a piece with another number, a moved cell."""
    family, puzzle = find_family("tiling"), PUZZLES[name]
    boards = [laid(puzzle, chosen) for chosen in islice(truth(name), 2)] or [laid(puzzle, range(min(3, len(puzzle.placements))))]
    for board in list(boards):
        boards.append(board[1:])
        number, cells = board[-1]
        boards.append(make_board([*board[:-1], ((number + 1) % len(puzzle.pieces), cells)]))
        boards.append(make_board([*board[:-1], (number, [*cells[:-1], tuple(x + 1 for x in cells[-1])])]))
    found = [accepts(family, puzzle, board) for board in boards]
    assert found == [not family.check(puzzle, board) for board in boards]


DOMINO, OPEN = ((0, 0), (0, 1)), dict.fromkeys(box(3, 3), OPTIONAL)
TRIANGLES = {(3 * a + k, 3 * b + k): OPTIONAL for a in range(2) for b in range(2) for k in (1, 2)}


@pytest.mark.parametrize(
    ("lattice", "board", "piece", "told", "right", "wrong"),
    [
        (SQUARE, OPEN, Piece("d", DOMINO), {"wrap": (None, 3)}, [(0, 0), (0, 2)], [(0, 0), (2, 0)]),
        (SQUARE, OPEN, Piece("d", DOMINO, rotate=False), {}, [(0, 0), (0, 1)], [(0, 0), (1, 0)]),
        (SQUARE, OPEN, Piece("d", DOMINO), {"rotations": False}, [(0, 0), (0, 1)], [(0, 0), (1, 0)]),
        (SQUARE, OPEN, Piece("L", ((0, 0), (0, 1), (0, 2), (1, 0))), {"reflections": False},
         [(0, 0), (0, 1), (1, 1), (2, 1)], [(0, 0), (0, 1), (1, 0), (2, 0)]),
        (SQUARE, OPEN, Piece("d", DOMINO, pinned=(frozenset({(0, 0), (0, 1)}),)), {}, [(0, 0), (0, 1)], [(1, 0), (1, 1)]),
        (SQUARE, OPEN, Piece("d", DOMINO, colors=frozenset("a")), {"colors": {(0, 0): "a", (0, 1): "b"}},
         [(0, 0), (1, 0)], [(0, 1), (1, 1)]),
        (SQUARE, {**OPEN, (0, 1): EMPTY}, Piece("d", DOMINO), {}, [(0, 0), (1, 0)], [(0, 0), (0, 1)]),
        (SQUARE, {**OPEN, (0, 1): COVERED}, Piece("d", DOMINO), {}, [(0, 0), (0, 1)], [(0, 0), (1, 0)]),
        (TRIANGULAR, TRIANGLES, Piece("t", ((1, 1),), rotate=False), {}, [(4, 4)], [(2, 2)]),
    ],
)  # fmt: skip
def test_each_rule_of_tilings(lattice, board, piece, told, right, wrong):
    family, puzzle = find_family("tiling"), Tiling(lattice, board, (piece,), **told)
    for cells, holds in ((right, True), (wrong, False)):
        laid = make_board([(0, cells)])
        assert (accepts(family, puzzle, laid), not family.check(puzzle, laid)) == (holds, holds), cells


@pytest.mark.parametrize(("most", "together"), [(2, (0, 1)), (1, (0, 2)), (3, (3, 3))])
def test_bounds_of_tilings(most, together):
    family, board = find_family("tiling"), make_board([(0, [(0, 0), (0, 1)]), (0, [(1, 0), (1, 1)])])
    puzzle = Tiling(
        SQUARE, OPEN, (Piece("d", DOMINO, 0, most), Piece("m", DOMINO[:1], 0)), groups=(PieceGroup((0, 1), *together),)
    )
    assert family.check(puzzle, board)
    assert not accepts(family, puzzle, board)
    allowed = replace(puzzle, groups=(PieceGroup((0, 1), 2, 2),), pieces=(Piece("d", DOMINO, 1, 2), *puzzle.pieces[1:]))
    assert accepts(family, allowed, board)


@settings(max_examples=30, deadline=None)
@given(puzzles(grouped=True), st.data())
def test_random_tilings(puzzle, data):
    """All lattices, rings, colors, pins, groups, optional cells; a few pieces, which are almost allowed."""
    family = find_family("tiling")
    free = replace(puzzle, reflections=True, rotations=True, colors={}, pieces=tuple(
        replace(piece, pinned=(), reflect=None, rotate=None, colors=None) for piece in puzzle.pieces
    ))  # fmt: skip
    which = free if data.draw(st.booleans()) else puzzle
    chosen = data.draw(st.sets(st.integers(0, len(which.placements) - 1), max_size=3)) if which.placements else ()
    board = laid(which, chosen)
    assert accepts(family, puzzle, board) == (not family.check(puzzle, board))


def test_invalid_boards_of_tilings():
    family = find_family("tiling")
    puzzle = family.read(None, board="1x2", pieces="domino")
    board = family.rules_in_awk(puzzle, make_board([(0, [(0, 0), (0, 1)])]))[1]
    assert accepts_text(family, puzzle, board)
    for other in (
        "",
        "1\n",
        "2 0,0 0,1\n",
        "01 0,0 0,1\n",
        "1 0,0 0,1 0,1\n",
        "1 0,0 0,0\n",
        "1 0,0 0,01\n",
        board * 2,
        "x\n" + board,
    ):
        assert not accepts_text(family, puzzle, other), other


@pytest.mark.parametrize(
    ("place", "valid"), [("[0, 0], [0, 1]", True), ("[0, 0], [0, 0]", False), ("[0, 0], [0, 1], [1, 0]", False)]
)
def test_a_place_of_a_pinned_piece_has_each_cell_once(place, valid):
    """A forged puzzle could otherwise hide where the piece must lie."""
    family = find_family("tiling")
    puzzle = Tiling(SQUARE, OPEN, (Piece("d", DOMINO, pinned=(frozenset({(0, 0), (0, 1)}),)),))
    text, board = canonical(family.puzzle_to_json(puzzle)).decode(), "1 0,0 0,1\n"
    changed = text.replace('"pinned": [[[0, 0], [0, 1]]]', f'"pinned": [[{place}]]')
    assert (changed == text) == valid
    for awk in AWKS:
        assert (run(awk, "tiling-rules", changed.encode(), board).returncode == 0) == valid, awk
