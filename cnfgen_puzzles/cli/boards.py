"""Output of boards: text, terminal colors, JSON, and pictures; one, two, or all solutions of a puzzle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from cnfgen_puzzles.cli import process
from cnfgen_puzzles.cli.app import check_suffix, output_stream, say_lines, write_text
from cnfgen_puzzles.cli.help import option_word
from cnfgen_puzzles.cli.params import FileName, Name, click_option, param, pick_given
from cnfgen_puzzles.cli.progress import aside
from cnfgen_puzzles.common.activity import doing, update_activity
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import Board, Family, Puzzle, View
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.pipeline.answer import MusResult

if TYPE_CHECKING:
    from cnfgen_puzzles.pipeline.count import Solution, Solutions

JSON = "json"
PICTURES = (".svg", ".png")
DRAWN = (*PICTURES, ".json")
"""Suffixes of files that choose a view."""


def view_for(
    family: Family, name: str | None, output: str | None, options: Mapping[str, Any] = MappingProxyType({})
) -> View | None:
    """The view that writes boards to `output`, with the options that it takes; None for JSON.

    It is the named one, else the first one with the suffix of `output`, else text (in a terminal, with colors). InputError if the
    view does not write what the suffix says.
    """
    suffix = Path(output).suffix.lower() if output not in (None, "-") else ""
    if name is None and suffix in DRAWN:
        name = next((view.name for view in family.views.values() if view.suffix == suffix), JSON if suffix == ".json" else None)
        if name is None:
            raise InputError(
                f"{family.name} has no view that writes {suffix[1:].upper()}; views: {', '.join(family.views)}", source=output
            )
    if name is None:
        name = "ansi" if not output and "ansi" in family.views and process.colors_wanted() else "text"
    view = None if name == JSON else family.view(name, **options)
    if view is None and options:
        raise InputError(f"{option_word(next(iter(options)))} has no effect on JSON; omit it or choose another view")
    check_suffix(
        output, ".json" if view is None else view.suffix, "without --as, the suffix .svg, .png, or .json chooses the view"
    )
    return view


def view_options(family: Family) -> list[click.Parameter]:
    """--as, -o, and the options of the views."""
    views = {name: view.summary for name, view in family.views.items()} | {JSON: "all results, for programs"}
    return [
        param(
            "--as",
            "view",
            type=Name(f"{family.name} view", views),
            metavar="VIEW",
            help=f"Choose the view: {', '.join(views)}. By default the suffix of -o decides; else ansi in a color terminal, "
            "and text otherwise. NO_COLOR disables colors, and FORCE_COLOR enables them.",
        ),
        param(
            "--output",
            "-o",
            type=FileName(),
            help="Write the board to this file, such as x.svg or x.txt. A second board goes to x-2.svg.",
        ),
        *map(click_option, options_of_views(family)),
    ]


def options_of_views(family: Family) -> list[Option]:
    """The options of the views, each once."""
    return list({option.name: option for view in family.views.values() for option in view.options}.values())


class Display:
    """The output file and the view of boards; `view` is None for JSON."""

    def __init__(self, family: Family, values: Mapping[str, Any]):
        self.family = family
        self.output: str | None = values["output"]
        self.view = view_for(family, values["view"], self.output, pick_given(values, options_of_views(family)))

    @property
    def takes_stdout(self) -> bool:
        """Whether standard output is JSON or a picture, so that messages must go to stderr."""
        return self.output in (None, "-") and (self.view is None or self.view.suffix in PICTURES)

    def write_json(self, entry: dict[str, Any]) -> None:
        """Write one JSON object."""
        write_text(self.output, json.dumps(entry, indent=2) + "\n")

    def show_boards(self, puzzle: Puzzle, boards: Sequence[Board]) -> None:
        """Show the board, and a second one with the differing cells marked. Standard output gets one picture only."""
        assert self.view is not None  # JSON is written as a whole
        for number, board in enumerate(boards[:1] if self.takes_stdout else boards, start=1):
            other = boards[0] if number > 1 else None
            with doing("drawing"):
                drawing = self.view.draw(puzzle, board, other)
            if number > 1 and self.output in (None, "-"):
                say_lines("\nA second solution; the cells that differ are marked:\n")
            write_text(self._numbered(number, self.view), drawing)

    def show_contradiction(self, found: MusResult) -> None:
        """Show the given cells, with the contradicting ones marked, if the family supports that."""
        assert self.view is not None
        if len(boards := found.boards()) == 2:
            if self.output in (None, "-"):
                say_lines("\nThe given cells; those that contradict each other are marked:\n", err=self.takes_stdout)
            write_text(self.output, self.view.draw(found.puzzle, *boards))

    def _numbered(self, number: int, view: View) -> str | None:
        """The output of a board: cat.svg for the first one, cat-2.svg for the second one."""
        if self.output in (None, "-") or number == 1:
            return self.output
        path = Path(self.output)
        return str(path.with_name(f"{path.stem}-{number}{path.suffix or view.suffix}"))

    # -- all solutions -------------------------------------------------------------------------------------------------------

    def show_all(self, solutions: Solutions) -> None:
        """Show each solution as it is found, or all on one sheet. Ctrl-C ends the search; `solutions.count()` reports it."""
        view = self.view
        if view is not None and view.suffix in PICTURES and view.sheet is not None:
            boards = [solution.board for solution in until_interrupted(solutions)]
            if boards:
                update_activity("drawing")
                write_text(self.output, view.sheet(solutions.instance.puzzle, boards))
            return
        with output_stream(self.output) as stream:
            for solution in until_interrupted(solutions):
                line = self._line(solutions, solution).encode()
                with aside():
                    stream.write(line)
                    stream.flush()

    def _line(self, solutions: Solutions, solution: Solution) -> str:
        if self.view is None:
            return json.dumps(solutions.to_json(solution), separators=(",", ":")) + "\n"
        orbit = f", one of {solution.orbit} by symmetry" if solution.orbit > 1 else ""
        drawing = self.view.draw(solutions.instance.puzzle, solution.board, None)
        assert isinstance(drawing, str)  # pictures are drawn on one sheet
        return f"Solution {solution.number}{orbit}:\n\n{drawing}\n"


def until_interrupted(solutions: Solutions) -> Iterator[Solution]:
    """The solutions that are found before Ctrl-C."""
    try:
        yield from solutions
    except KeyboardInterrupt:
        solutions.interrupt()
