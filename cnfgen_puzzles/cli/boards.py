"""How boards that were found are shown: in a terminal, as text, as JSON or as pictures; one, two, or all of a puzzle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from cnfgen_puzzles.cli import process
from cnfgen_puzzles.cli.common import FileName, Name, click_option, output_stream, param, pick_given, say_lines, write_text
from cnfgen_puzzles.cli.progress import Ticker, watch
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import Board, Family, Puzzle, View
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.pipeline.answer import MusResult

if TYPE_CHECKING:
    from cnfgen_puzzles.pipeline.count import Solution, Solutions

JSON = "json"
PICTURES = (".svg", ".png")
CONTENTS = {**dict.fromkeys(PICTURES, "a picture"), ".json": "JSON"}
"""Endings of files that promise what is in them."""
UNDRAWN = (".bmp", ".eps", ".gif", ".jpeg", ".jpg", ".pdf", ".ps", ".svgz", ".tif", ".tiff", ".webp")
"""Endings of pictures that are not drawn."""


def view_for(
    family: Family, name: str | None, output: str | None, options: Mapping[str, Any] = MappingProxyType({})
) -> View | None:
    """The view by which boards go to `output`, with the options that it takes; None for JSON.

    It is the one of this name, else the first whose files end as the output does, else text (in a terminal with colours).
    InputError where the ending promises something else than the view gives.
    """
    suffix = Path(output).suffix.lower() if output not in (None, "-") else ""
    if name is None and suffix in UNDRAWN:
        raise InputError(f"found the ending {suffix}, expected .svg or .png for pictures, or --as with a view", source=output)
    if name is None and suffix in CONTENTS:
        name = next((view.name for view in family.views.values() if view.suffix == suffix), JSON if suffix == ".json" else None)
        if name is None:
            raise InputError(f"found the ending {suffix}, but no view of {family.name} draws such pictures", source=output)
    if name is None:
        name = "ansi" if not output and "ansi" in family.views and process.colours_wanted() else "text"
    view = None if name == JSON else family.view(name, **options)
    if view is None and options:
        raise InputError(f"found --{next(iter(options))}, expected a view that shows boards: JSON says all of them")
    given = ".json" if view is None else view.suffix
    if suffix in CONTENTS and given != suffix:
        raise InputError(f"found --as {name} and an output that ends in {suffix}, expected one that says the same", source=output)
    return view


def view_options(family: Family) -> list[click.Parameter]:
    """--as, -o, and what the views take."""
    views = {name: view.summary for name, view in family.views.items()} | {JSON: "all that is known, for programs"}
    return [
        param(
            "--as",
            "view",
            type=Name(f"{family.name} view", views),
            metavar="VIEW",
            help=f"How to show the board: {', '.join(views)}; by default as the ending of -o says, ansi where there are colours "
            "(in a terminal, unless NO_COLOR is set; FORCE_COLOR: everywhere), else text.",
        ),
        param("--output", "-o", type=FileName(), help="Write the board to this file (a second one beside it)."),
        *map(click_option, options_of_views(family)),
    ]


def options_of_views(family: Family) -> list[Option]:
    """What the views take, each option once."""
    return list({option.name: option for view in family.views.values() for option in view.options}.values())


class Display:
    """Where boards of a family go, and by which view; `view` is None where they go as JSON."""

    def __init__(self, family: Family, values: Mapping[str, Any]):
        self.family = family
        self.output: str | None = values["output"]
        self.view = view_for(family, values["view"], self.output, pick_given(values, options_of_views(family)))

    @property
    def takes_stdout(self) -> bool:
        """Whether standard output is for a program, so that words must go elsewhere."""
        return self.output in (None, "-") and (self.view is None or self.view.suffix in PICTURES)

    def write_json(self, entry: dict[str, Any]) -> None:
        """One object."""
        write_text(self.output, json.dumps(entry, indent=2) + "\n")

    def show(self, puzzle: Puzzle, boards: Sequence[Board]) -> None:
        """The board, and a second one with the cells marked that differ; pictures of both only if they go to files."""
        assert self.view is not None  # else the answer as a whole is written
        for number, board in enumerate(boards[:1] if self.takes_stdout else boards, start=1):
            other = boards[0] if number > 1 else None
            with watch("drawing"):
                drawing = self.view.draw(puzzle, board, other)
            if number > 1 and not self.output:
                say_lines("\nA second board; the cells that differ are marked:\n")
            write_text(self._numbered(number, self.view), drawing)

    def show_contradiction(self, found: MusResult) -> None:
        """What the puzzle gives, the cells marked that contradict; nothing where the family does not draw that."""
        assert self.view is not None
        if len(boards := found.boards()) == 2:
            if not self.output:
                say_lines("\nWhat is given, and what of it contradicts:\n", err=self.takes_stdout)
            write_text(self.output, self.view.draw(found.puzzle, *boards))

    def _numbered(self, number: int, view: View) -> str | None:
        """cat.svg for the first board, cat-2.svg for the second."""
        if self.output in (None, "-") or number == 1:
            return self.output
        path = Path(self.output)
        return str(path.with_name(f"{path.stem}-{number}{path.suffix or view.suffix}"))

    # -- all boards -------------------------------------------------------------------------------------------------------

    def check_sheet(self) -> None:
        """InputError for pictures that cannot be put on one sheet."""
        if self.view is not None and self.view.suffix in PICTURES and self.view.sheet is None:
            raise InputError(f"the view {self.view.name} of {self.family.name} cannot show many boards on one sheet")

    def show_all(self, solutions: Solutions, ticker: Ticker) -> None:
        """Every solution as it is found, or all on one sheet; until Ctrl-C, which `solutions.count()` tells."""
        view = self.view
        if view is not None and view.suffix in PICTURES and view.sheet is not None:
            boards = [solution.board for solution in until_interrupted(solutions)]
            if boards:
                ticker.show("drawing")
                write_text(self.output, view.sheet(solutions.instance.puzzle, boards))
            return
        with output_stream(self.output) as stream:
            for solution in until_interrupted(solutions):
                line = self._line(solutions, solution).encode()
                with ticker.aside():
                    stream.write(line)
                    stream.flush()

    def _line(self, solutions: Solutions, solution: Solution) -> str:
        if self.view is None:
            return json.dumps(solutions.to_json(solution), separators=(",", ":")) + "\n"
        orbit = f", one of {solution.orbit} by symmetry" if solution.orbit > 1 else ""
        drawing = self.view.draw(solutions.instance.puzzle, solution.board, None)
        assert isinstance(drawing, str)  # pictures go on one sheet
        return f"Solution {solution.number}{orbit}:\n\n{drawing}\n"


def until_interrupted(solutions: Solutions) -> Iterator[Solution]:
    """The solutions until Ctrl-C: what has been found is shown all the same."""
    try:
        yield from solutions
    except KeyboardInterrupt:
        solutions.interrupt()
