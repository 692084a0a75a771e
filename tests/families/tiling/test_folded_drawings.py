"""A drawing of several rows without `|` is told: YAML folds its rows into one, which would be another puzzle."""

from __future__ import annotations

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import find_family

PIECES = "pieces:\n  - piece: domino\n    count: any\n"


def read(text):
    return find_family("tiling").read(Source("f.yaml", text.encode()))


@pytest.mark.parametrize(
    "text, line, key",
    [
        ("board:\n  XX\n  XX\n" + PIECES, 2, "board"),
        ("board: XX\n  XX\n" + PIECES, 1, "board"),
        ("board: >\n  XX\n  XX\n" + PIECES, 2, "board"),
        ('board: "XX\n  XX"\n' + PIECES, 1, "board"),
        ("board: 'XX\n\n  XX\n  XX'\n" + PIECES, 1, "board"),
        ("title: cubes\nboard:\n  XX\n  XX\n\n  XX\n  XX\n" + PIECES, 3, "board"),
        ("size: 2x3\npieces:\n  - name: L\n    art:\n      X.\n      XX\n", 5, "art"),
        ("size: 2x3\npieces:\n  - name: L\n    art: >-\n      X.\n      XX\n", 5, "art"),
        ("size: 2x3\npieces:\n  - name: L\n    pinned:\n      X..\n      XX.\n", 5, "pinned"),
        ("size: 2x3\npieces:\n  - name: L\n    pinned:\n      0,0 1,0 1,1 or\n      X..\n      XX.\n", 5, "pinned"),
    ],
)
def test_folded_rows_are_told(text, line, key):
    with pytest.raises(InputError, match=f"which YAML folds into fewer; expected '{key}: \\|' and the rows below it") as caught:
        read(text)
    assert (caught.value.source, caught.value.line) == ("f.yaml", line)


@pytest.mark.parametrize(
    "text, cells",
    [
        ("board: XXX.X\n" + PIECES, 4),
        ("board:\n  XXXX\n" + PIECES, 4),
        ("board: >\n  XXXX\n" + PIECES, 4),
        ("board: |\n  XX\n  XX\n" + PIECES, 4),
        ("board: |-\n  XX\n  XX\n\n" + PIECES, 4),
        ('board: "XX\\nXX"\n' + PIECES, 4),
        ('board: "XX\\n\\\n  XX"\n' + PIECES, 4),
        ("size: 2x3\npieces:\n  - name: I\n    art: XX\n    count: any\n", 6),
        ("size: 2x3\npieces:\n  - name: L\n    pinned: 0,0 1,0\n      1,1 or 0,1\n      1,1 1,2\n", 6),
    ],
)
def test_what_is_really_so_is_read(text, cells):
    assert len(read(text).board) == cells
