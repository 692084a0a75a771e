"""Named pieces and sets against known facts: their numbers, symmetries, and letters."""

from __future__ import annotations

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.lattice import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR
from cnfgen_puzzles.families.tiling import pieces as piecesets

SMALL_KINDS = [kind for kind, (_, size) in piecesets.KINDS.items() if size < 6]


@pytest.mark.parametrize("kind", SMALL_KINDS)
def test_sets_have_every_polyform_once(kind):
    """test_lattice.py compares the numbers with OEIS."""
    lattice, size = piecesets.KINDS[kind]
    groups = {"free": lattice.symmetries, "one-sided": lattice.rotations, "fixed": lattice.rotations[:1]}
    shapes = {"free": piecesets.free, "one-sided": piecesets.one_sided, "fixed": piecesets.fixed}
    for modifier, matrices in groups.items():
        found = piecesets.find(f"{modifier} {piecesets.plural(kind)}").pieces
        assert len({piece.name for piece in found}) == len(found)
        every = {min(lattice.orientations(shape, matrices)) for shape in shapes[modifier](lattice, size)}
        assert sorted(min(lattice.orientations(piece.shape, matrices)) for piece in found) == sorted(every)


def test_default_sets_are_free_in_the_plane_and_one_sided_in_space():
    assert len(piecesets.find("pentominoes").pieces) == 12
    assert all(piece.reflect is None for piece in piecesets.find("pentominoes").pieces)
    assert len(piecesets.find("pentacubes").pieces) == 29
    assert all(piece.reflect is False for piece in piecesets.find("pentacubes").pieces)
    assert all(piece.reflect is True for piece in piecesets.find("free pentacubes").pieces)


def chiral(name):
    found = piecesets.find(name)
    turns = found.lattice.rotations, found.lattice.symmetries
    return {p.name for p in found.pieces if len({len(found.lattice.orientations(p.shape, turn)) for turn in turns}) > 1}


def orientations(name):
    found = piecesets.find(name)
    return {p.name: len(found.lattice.orientations(p.shape, found.lattice.symmetries)) for p in found.pieces}


def test_letters_by_symmetry():
    assert chiral("tetrominoes") == {"L", "S"}
    assert chiral("pentominoes") == set("FLNPYZ")
    ways = {"F": 8, "I": 2, "L": 8, "N": 8, "P": 8, "T": 4, "U": 4, "V": 4, "W": 4, "X": 1, "Y": 8, "Z": 4}
    assert orientations("pentominoes") == ways
    assert chiral("hexiamonds") == {"Bar", "Crook", "Hook", "Signpost", "Snake", "Sphinx", "Yacht"}
    ways = {"Bar": 6, "Butterfly": 3, "Chevron": 6, "Crown": 6, "Hexagon": 1, "Lobster": 6, "Snake": 6}
    assert orientations("hexiamonds") == ways | dict.fromkeys(["Crook", "Hook", "Signpost", "Sphinx", "Yacht"], 12)
    assert chiral("tetrahexes") == {"Pistol", "Wave", "Worm"}
    assert orientations("tetrahexes") == {"Arch": 6, "Bar": 3, "Bee": 3, "Pistol": 12, "Propeller": 2, "Wave": 6, "Worm": 12}
    assert chiral("free tetracubes") == {"A"}


def test_mirror_images_have_names():
    assert {p.name for p in piecesets.find("one-sided tetrominoes").pieces} == set("IJLOSTZ")
    assert {p.name for p in piecesets.find("one-sided pentominoes").pieces} == {*"FILNPTUVWXYZ", *(f"{c}'" for c in "FLNPYZ")}
    assert {p.name for p in piecesets.find("tetracubes").pieces} == set("ABILOPTZ")
    found = piecesets.find("F' pentomino")
    lattice, (mirrored,) = found.lattice, found.pieces
    (plain,) = piecesets.find("F pentomino").pieces
    assert mirrored.shape not in lattice.orientations(plain.shape, lattice.rotations)
    assert mirrored.shape in lattice.orientations(plain.shape, lattice.symmetries)


def test_bedlam():
    found = piecesets.find("Bedlam")
    assert sorted(piece.size for piece in found.pieces) == [4] + [5] * 12
    free = {min(CUBIC.orientations(piece.shape, CUBIC.rotations)) for piece in found.pieces}
    assert len(free) == 13
    assert sum(len({x for x, _, _ in piece.shape}) == 1 for piece in found.pieces) == 3, "F, W and X are flat"


@pytest.mark.parametrize(
    ("name", "lattice", "letter", "size"),
    [
        ("F pentomino", SQUARE, "F", 5),
        ("pentomino F", SQUARE, "F", 5),
        ("F-pentomino", SQUARE, "F", 5),
        ("f  Pentomino", SQUARE, "F", 5),
        ("square tetromino", SQUARE, "O", 4),
        ("J tetromino", SQUARE, "J", 4),
        ("domino", SQUARE, "domino", 2),
        ("L tromino", SQUARE, "L", 3),
        ("monomino", SQUARE, "monomino", 1),
        ("sphinx hexiamond", TRIANGULAR, "Sphinx", 6),
        ("hexiamond club", TRIANGULAR, "Crook", 6),
        ("wave tetrahex", HEXAGONAL, "Wave", 4),
        ("Soma A", CUBIC, "A", 4),
        ("Bedlam Z", CUBIC, "Z", 4),
        ("hexomino 12", SQUARE, "12", 6),
        ("2x3", SQUARE, "2x3", 6),
        ("1x2x4", CUBIC, "1x2x4", 8),
    ],
)
def test_single_pieces(name, lattice, letter, size):
    known = piecesets.find(name)
    found, (piece,) = known.lattice, known.pieces
    assert (found, piece.name, piece.size) == (lattice, letter, size)
    assert piece.shape == lattice.normal(piece.shape)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pentomins", "did you mean pentominoes"),
        ("free squares", "unknown piece or set of pieces 'free squares'"),
        ("solid hexiamonds", "unknown piece or set of pieces"),
        ("", "unknown piece or set of pieces ''"),
        ("Q pentomino", "unknown pentomino 'Q'; known: F, F', I"),
        ("squre tetromno", "did you mean square tetromino"),
        ("dominoe", "did you mean domino"),
        ("999x999", "the limit 'cells' is 100000"),
    ],
)
def test_unknown_names(name, message):
    with pytest.raises(InputError, match=message):
        piecesets.find(name)
