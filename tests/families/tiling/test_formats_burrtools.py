"""BurrTools files like those of the program, read and written; unsupported features are errors with a line."""

from __future__ import annotations

import contextlib
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilingbrute import count
from tilingcases import puzzles, source

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.lattice import CUBIC, SQUARE
from cnfgen_puzzles.families.tiling import burrtools
from cnfgen_puzzles.families.tiling.formats import FORMATS, read_puzzle, write_puzzle
from cnfgen_puzzles.families.tiling.options import puzzle_from_options
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import COVERED, EMPTY, OPTIONAL, Tiling, box

FILE = """<?xml version="1.0"?>
<puzzle version="2">
 <gridType type="0"/>
 <colors>
  <color red="255" green="0" blue="0"/>
  <color red="0" green="255" blue="0"/>
 </colors>
 <shapes>
  <voxel x="2" y="1" z="1" hx="0" hy="0" hz="0" type="0">##</voxel>
  <voxel x="3" y="2" z="1" name="bent &amp; long" weight="2" type="0">###__#</voxel>
  <voxel x="3" y="2" z="1" name="goal" type="0">#+####</voxel>
  <voxel x="2" y="1" z="1" type="0">#1#1</voxel>
  <voxel x="2" y="2" z="1" type="0">#2##1+</voxel>
  <voxel x="2" y="1" z="1" type="0">#1#2</voxel>
 </shapes>
 <problems>
  <problem name="dominoes" state="2" assemblies="2" solutions="2" time="1">
   <shapes><shape id="0" min="2" max="3" group="1"/></shapes>
   <result id="2"/>
   <bitmap/>
   <solutions><solution asmNum="0"><assembly version="2">0 0 0 0</assembly></solution></solutions>
  </problem>
  <problem state="0">
   <shapes>
    <shape id="1" count="1"><group group="1" count="1"/></shape>
    <shape id="0"/>
   </shapes>
   <result id="2"/>
   <bitmap/>
  </problem>
  <problem name="colored" maxHoles="1">
   <shapes><shape id="3" count="1"/></shapes>
   <result id="4"/>
   <bitmap><pair piece="0" result="0"/></bitmap>
  </problem>
 </problems>
 <comment popup="1">some words
 more words</comment>
</puzzle>
"""

FILE_OF_TWO = """<puzzle version="2"><gridType type="0"/>
<colors><color red="1" green="0" blue="0"/><color red="0" green="1" blue="0"/></colors>
<shapes>
<voxel x="2" y="2" z="1" type="0">{}</voxel><voxel x="2" y="1" z="1" type="0">{}</voxel>
<voxel x="3" y="3" z="1" type="0">{}</voxel>
</shapes>
<problems><problem maxHoles="9"><shapes><shape id="0" count="1"/><shape id="1" min="1" max="3"/></shapes><result id="2"/>
<bitmap>{}</bitmap></problem></problems></puzzle>"""


def read(text: str, number: int | None = None) -> Tiling:
    return read_puzzle(source(text), number=number)


def test_problems_of_one_file():
    first, second, third = (read() for read in burrtools.read_set(FILE, "p"))
    assert first.lattice is CUBIC
    goal = {(0, 0, 0): COVERED, (0, 0, 1): OPTIONAL, (0, 0, 2): COVERED} | {(0, 1, c): COVERED for c in range(3)}
    assert first.board == goal
    assert (first.reflections, first.rotations) == (False, True)
    assert first.pieces == (Piece("S1", ((0, 0, 0), (0, 0, 1)), 2, 3),)
    assert first.about == {"title": "dominoes", "description": "some words more words"}
    bent, domino = second.pieces
    assert (bent.name, bent.least, bent.most) == ("bent & long", 1, 1)
    assert bent.shape == ((0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 2))
    assert (domino.least, domino.most) == (1, 1)
    assert third.colors == {(0, 0, 0): "2", (0, 1, 0): "1"}
    assert third.pieces[0].colors == frozenset({"1"})
    assert read(FILE, 2) == second
    with pytest.raises(InputError, match=r"p: found 3 puzzles, .* --number \(1 'dominoes', 2 'untitled', 3 'colored'\)"):
        read(FILE)
    with pytest.raises(InputError, match="found 3 puzzles, expected at least 4"):
        read(FILE, 4)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('<shape id="1" count="1">', '<shape id="2" count="1">', "variable voxel"),  # the goal as a piece
        ('<shape id="1" count="1">', '<shape id="77" count="1">', "found the shape 77"),
        ('<shape id="1" count="1">', '<shape id="1" count="x">', "found 'x' for 'count'"),
        ('<problem state="0">', '<problem state="0" maxHoles="-">', "for 'maxHoles'"),
        ('<problem state="0">', '<problem state="0"><result id="2"/>', "<result>"),
    ],
)
def test_an_unreadable_problem_does_not_affect_the_others(old, new, said):
    assert old in FILE
    text = FILE.replace(old, new)
    assert [read(text, 1), read(text, 3)] == [read(FILE, 1), read(FILE, 3)]
    with pytest.raises(InputError, match=said):
        read(text, 2)
    with pytest.raises(InputError, match=r"3 puzzles, .* \(1 'dominoes', 2 \(invalid\), 3 'colored'\)"):
        read(text)


def one(voxel: str, goal: str = "####", problem: str = "", shape: str = 'id="0" count="1"', bitmap: str = "") -> str:
    """A file of one problem."""
    return (
        '<puzzle version="2">\n<gridType type="0"/>\n<colors/>\n<shapes>\n'
        f'{voxel}\n<voxel x="{sum(map(goal.count, "#_+"))}" y="1" z="1" type="0">{goal}</voxel>\n</shapes>\n'
        f'<problems>\n<problem {problem}>\n<shapes>\n<shape {shape}/>\n</shapes>\n<result id="1"/>\n<bitmap>{bitmap}</bitmap>\n'
        "</problem>\n</problems>\n</puzzle>\n"
    )


DOMINO = '<voxel x="2" y="1" z="1" type="0">##</voxel>'


@settings(max_examples=30, deadline=None)
@given(puzzles())
def test_written_puzzles_are_equivalent(puzzle):
    try:
        text = write_puzzle(puzzle, "burrtools")
    except InputError:
        return
    assert [entry.name for entry in FORMATS.values() if entry.recognise(text)] == ["burrtools"]
    again = read(text)
    shown = {cell: kind for cell, kind in puzzle.board.items() if kind != EMPTY}  # what stays empty is not written
    room = {piece: len(shown) // piece.size if piece.most is None else piece.most for piece in puzzle.pieces}
    used = [piece for piece in puzzle.pieces if room[piece] or piece.least]
    assert len(again.pieces) == len(used)
    if puzzle.lattice is CUBIC:
        low = [min(axis) for axis in zip(*shown, strict=True)]
        moved = {tuple(a - b for a, b in zip(cell, low, strict=True)): kind for cell, kind in shown.items()}
        assert again.board == moved
    if len(puzzle.board) <= 8:
        assert count(again) == count(puzzle)


def test_documentation_example(request):
    page = (request.config.rootpath / "docs/reference/formats-tiling.md").read_text(encoding="utf-8")
    text = page[page.index("<?xml") : page.index("</puzzle>")] + "</puzzle>\n"
    puzzle = puzzle_from_options(board="2x3", pieces="L tromino: 2")
    assert write_puzzle(Tiling(**{**fields(puzzle), "about": {"title": "two L trominoes"}}), "burrtools") == text
    assert count(read(text)) == 2


def fields(puzzle: Tiling) -> dict:
    return {name: getattr(puzzle, name) for name in ("lattice", "board", "pieces", "reflections", "rotations", "colors", "wrap")}


# -- mistakes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("<foo/>", 1, "found the root element <foo>, expected <puzzle>"),
        ("<puzzle>", 1, "not well-formed"),
        ("<puzzle/>", 1, "found version none of the format, expected version 2"),
        ('<puzzle version="3"/>', 1, "found version 3"),
        ('<!DOCTYPE p [\n<!ENTITY a "b">\n]>\n<puzzle version="2">&a;</puzzle>', 2, "found a declaration of the entity 'a'"),
        (one(DOMINO).replace('gridType type="0"', 'gridType type="2"'), 2, "found the grid of type 2 (spheres), expected type 0"),
        (one(DOMINO).replace('gridType type="0"', "gridType"), 2, "found none for 'type' of <gridType>"),
        (one(DOMINO).replace("problem", "poblem"), 1, "found no <problems> in <puzzle>, expected one"),
        (one('<voxel x="2" y="1" z="1">###</voxel>'), 5, "found 3 voxels, expected 2 x 1 x 1 = 2"),
        (one('<voxel x="2" y="1" z="1">#*</voxel>'), 5, "found an invalid voxel"),
        (one('<voxel x="2" y="1" z="1">__</voxel>'), 5, "found an empty shape"),
        (one('<voxel x="0" y="1" z="1"></voxel>'), 5, "found '0' for 'x' of <voxel>"),
        (one('<voxel x="99999" y="99999" z="99999">#</voxel>'), 5, "found 1 voxels, expected"),
        (one('<voxel x="2" y="1" z="1">#+</voxel>'), 5, "found a variable voxel (+) in a piece"),
        (one(DOMINO, shape='id="7"'), 11, "found the shape 7, expected one of the 2 shapes"),
        (one(DOMINO, shape=""), 11, "found none for 'id' of <shape>"),
        (one(DOMINO, shape='id="0" count="-1"'), 11, "found '-1' for 'count'"),
        (one(DOMINO, shape='id="0" min="3" max="2"'), 11, "found at least 3 and at most 2 pieces"),
        (one(DOMINO).replace('<result id="1"/>', '<result id="9"/>'), 13, "found the shape 9"),
        (one(DOMINO).replace('<result id="1"/>', ""), 9, "found no <result> in <problem>"),
        (one(DOMINO, "+++#", 'maxHoles="1"'), 9, "found at most 1 holes where the pieces can leave 2"),
        (one('<voxel x="2" y="1" z="1">#1#2</voxel>', "#1#1", bitmap='<pair piece="0" result="0"/>'), 11, "in several colors"),
    ],
)  # fmt: skip
def test_mistakes_name_the_line(text, line, message):
    with pytest.raises(InputError) as caught:
        read_puzzle(source(text), "burrtools")
    assert message in caught.value.message
    assert (caught.value.source, caught.value.line) == ("p", line)


@given(st.lists(st.sampled_from("012"), min_size=13, max_size=13), st.sets(st.tuples(st.integers(0, 1), st.integers(0, 1))))
@settings(max_examples=60, deadline=None)
def test_pieces_in_several_colors_cover_what_the_rules_allow(colors, pairs):
    """A trial of all places of a colored bent tromino and domino on 3 x 3 x 1 cells, of which the last may stay empty."""
    painted = ["#" + color.replace("0", "") for color in colors]
    board, bent, domino = painted[:8], painted[8:11], painted[11:13]
    rules = "".join(f'<pair piece="{piece}" result="{result}"/>' for piece, result in pairs)
    text = FILE_OF_TWO.format("".join([*bent, "_"]), "".join(domino), "".join([*board, "+"]), rules)
    shapes = [
        dict(zip([(0, 0), (0, 1), (1, 0)], colors[8:11], strict=True)),
        dict(zip([(0, 0), (0, 1)], colors[11:], strict=True)),
    ]
    goal = dict(zip(product(range(3), range(3)), [*colors[:8], "0"], strict=True))
    expected = []
    for shape in shapes:
        sets = set()
        for turn, (down, right) in product(range(8), product(range(3), repeat=2)):
            laid = {}
            for (r, c), its in shape.items():
                if turn & 4:  # turned over in space, so the mirror image in the plane
                    r, c = c, r
                for _ in range(turn & 3):
                    r, c = c, -r
                laid[r + down, c + right] = its
            free = all(
                cell in goal and ("0" in (its, goal[cell]) or (int(its) - 1, int(goal[cell]) - 1) in pairs)
                for cell, its in laid.items()
            )
            if free:
                sets.add(frozenset((0, r, c) for r, c in laid))
        expected.append(sets)
    if not all(expected):
        with contextlib.suppress(InputError):
            assert not count(read(text))
        return
    puzzle = read(text)
    assert [{p.cells for p in puzzle.placements if p.piece == number} for number in range(2)] == expected
    assert len(puzzle.cells) == 9


def test_pieces_in_several_colors_that_may_lie_alike():
    voxel = '<voxel x="2" y="1" z="1">#1#2</voxel>'
    pairs = '<pair piece="0" result="0"/><pair piece="1" result="0"/>'
    assert read(one(voxel, "#1###", "", 'id="0"', pairs)).pieces[0].colors is None
    assert read(one(voxel, "####")).pieces[0].colors is None, "the goal has no colors"
    assert read(one(voxel, "#1###")).pieces[0].colors == frozenset()


@pytest.mark.parametrize(
    ("puzzle", "message"),
    [
        (puzzle_from_options(board="3x4", pieces="hexiamonds"), "found the triangular lattice"),
        (puzzle_from_options(board="3x4", pieces="domino: any", torus=True), "closes to a ring"),
        (puzzle_from_options(board="3x4", pieces="tetrominoes", groups="3 of all"), "found bounds on a group of pieces"),
        (puzzle_from_options(board="3x4", pieces="L tetromino: any", reflections=False), "not rotated and turned over"),
        (puzzle_from_options(board="3x4", pieces="domino: any", rotations=False), "not rotated and turned over"),
        (puzzle_from_options(board="2x2x4", pieces="free tetracubes"), "not rotated and not mirrored"),
        (Tiling(SQUARE, box(1, 2), (Piece("d", ((0, 0), (0, 1)), pinned=(frozenset(box(1, 2)),)),)), "found the pinned piece d"),
    ],
)
def test_what_cannot_be_written(puzzle, message):
    with pytest.raises(InputError, match=message):
        write_puzzle(puzzle, "burrtools")


def test_axes():
    """x runs fastest, then y, then z: z is the layer, y the row, x the column."""
    text = one('<voxel x="3" y="2" z="2" type="0">###___#_____</voxel>', "###")
    (piece,) = read(text).pieces
    assert piece.shape == ((0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0, 0))


def test_a_limit_on_holes_that_the_volumes_determine():
    assert len(read(one(DOMINO, "+++#", 'maxHoles="2"')).board) == 4


def test_characters_that_xml_does_not_have():
    puzzle = Tiling(CUBIC, {(0, 0, 0): COVERED}, (Piece("a\x08<&", ((0, 0, 0),)),), False, about={"title": 'x\x00"é\n'})
    again = read(write_puzzle(puzzle, "burrtools"))
    assert again.pieces[0].name == "a<&"
    assert again.about["title"].startswith('x"é')
