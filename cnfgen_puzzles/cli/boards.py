"""How boards that were found are shown: one or two, in a terminal, as text or as pictures in files."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.common import write_text
from cnfgen_puzzles.families import Board, Family, Puzzle, View

SHOWN_DIFFERENCES = 10


def is_picture(values: dict[str, Any]) -> bool:
    """Whether standard output is taken by a picture, so that words must go elsewhere."""
    return values["view"] in ("svg", "png") and values["output"] in (None, "-")


def show_boards(family: Family, puzzle: Puzzle, boards: Sequence[Board], values: dict[str, Any]) -> None:
    """The board, and a second one with the cells marked that differ; pictures of both only if they go to files."""
    to_terminal = sys.stdout.isatty() and not values["output"]
    view = family.view(values["view"] or ("ansi" if to_terminal and "ansi" in family.views else "text"))
    for number, board in enumerate(boards[:1] if is_picture(values) else boards, start=1):
        other = boards[0] if number > 1 else None
        drawing = view.draw(puzzle, board, other)
        if number > 1 and not values["output"]:
            click.echo("\nA second board; the cells that differ are marked:\n")
        write_text(_numbered(values["output"], number, view), drawing)


def difference_lines(family: Family, puzzle: Puzzle, board: Board, other: Board) -> Iterator[str]:
    """The places in which two boards differ, a line each; not too many."""
    places = family.differences(puzzle, board, other)
    yield from (f"  {place}" for place in places[:SHOWN_DIFFERENCES])
    if len(places) > SHOWN_DIFFERENCES:
        yield f"  and {len(places) - SHOWN_DIFFERENCES} more lines"


def _numbered(output: str | None, number: int, view: View) -> str | None:
    """cat.svg for the first board, cat-2.svg for the second."""
    if output in (None, "-") or number == 1:
        return output
    path = Path(output)
    return str(path.with_name(f"{path.stem}-{number}{path.suffix or view.suffix}"))
