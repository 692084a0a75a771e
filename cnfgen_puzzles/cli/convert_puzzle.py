"""convert-puzzle: convert puzzle files to other formats, draw blank puzzles, and write random puzzles."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.app import check_suffix, say, write_text
from cnfgen_puzzles.cli.families import FamilyGroup, PuzzleChoice, choose_puzzle, examples, puzzle_sections
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import OUTPUT_HELP, FileName, Name, flag, param
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import Family


def family_command(family: Family) -> click.Command:
    def convert(**values: Any) -> None:
        output = values["output"]
        if (view := drawn_as(family, values["to"], output)) is not None:
            puzzle = read_puzzle(family, choose_puzzle(family, values), values["answer"])
            with doing("drawing"):
                drawing = (
                    json.dumps(family.puzzle_to_json(puzzle), indent=2) + "\n"
                    if view == "json"
                    else family.draw_puzzle(puzzle, view)
                )
            write_text(output, drawing)
            return
        wanted = values["to"] or format_for(family, output)
        puzzle = read_puzzle(family, choose_puzzle(family, values), values["answer"])
        with doing(f"writing {wanted}"):
            text = family.write(puzzle, wanted)
            lost = family.formats.lost(puzzle, wanted, text)
        if values.get("number"):
            say(f"note: only puzzle {values['number']} of the file is written", err=True)
        if values["answer"] and {"the answer", "known cells"} & set(lost):
            raise InputError(f"found --answer, but {wanted} holds no answer, expected another format, such as pzprv3")
        if lost:
            say(f"note: {wanted} cannot store: {', '.join(lost)}", err=True)
        write_text(output, text)

    formats = [
        format_param(family, "Write this format, or draw the blank puzzle", views=DRAWN),
        param("--output", "-o", type=FileName(), help=OUTPUT_HELP),
        flag("--answer", help="Solve the puzzle, and write a solution into the file, too, such as one of pzpr."),
    ]
    first, entry = next(iter(family.formats.items()))
    return DocumentedCommand(
        family.name,
        callback=convert,
        help=f"Convert {family.summary} to another file format, or draw the blank puzzle (-o x.svg).",
        short_help=family.summary,
        sections={**puzzle_sections(family), "Output": formats},
        common=("--generate", "--answer"),
        examples=examples("convert-puzzle", family, f"--to {first}", "-o blank.svg", f"-o new{next(iter(entry.suffixes), '')}"),
    )


def read_puzzle(family: Family, choice: PuzzleChoice, answer: bool) -> Any:
    """The puzzle, with a solution if the answer is asked for; InputError if it has none, or none was found."""
    puzzle = choice.read()
    if not answer:
        return puzzle
    from cnfgen_puzzles.pipeline.api import solve  # conversions need no solver

    found = solve(puzzle, proof=False)
    if not found.boards:
        why = "has no solution" if found.status == "UNSATISFIABLE" else f"could not be solved: {found.reason}"
        raise InputError(f"found --answer, but the puzzle {why}", source=choice.source.name if choice.source else None)
    return family.solved(puzzle, found.boards[0])


DRAWN = {"svg": ".svg", "png": ".png", "text": ".txt", "json": ".json"}
"""The views of a blank puzzle, and the suffixes that select them."""


def drawn_as(family: Family, to: str | None, output: str | None) -> str | None:
    """The view of the blank puzzle that --to or the suffix of -o selects; None for a format."""
    suffix = Path(output).suffix.lower() if output not in (None, "-") else ""
    by_suffix = next((view for view, each in DRAWN.items() if each == suffix), None)
    if to is not None:
        written = DRAWN.get(to) or (suffix if suffix in family.formats[to].suffixes else "")
        check_suffix(output, written, f"--to {to} writes another format; omit --to to draw the blank puzzle")
        return to if to in DRAWN and to not in family.formats else None
    return None if any(suffix in entry.suffixes for entry in family.formats.values()) else by_suffix


def format_param(family: Family, what: str, otherwise: str = "", views: Collection[str] = ()) -> click.Option:
    """--to, with the formats that can be written and these views; `otherwise` is added to the default in the help."""
    titles = {entry.name: entry.title for entry in family.formats.values() if entry.write is not None}
    titles |= {view: "the blank puzzle" for view in views if view not in titles}
    help = f"{what}: {', '.join(titles)}; by default, the suffix of -o decides{otherwise}."
    return param("--to", type=Name(f"{family.name} format", titles), metavar="FORMAT", help=help)


def format_for(family: Family, output: str | None) -> str:
    """The format by the suffix of the output; InputError if no format has that suffix."""
    known = ", ".join(f"{suffix} ({entry.name})" for entry in family.formats.values() for suffix in entry.suffixes)
    if output is None or output == "-":
        raise InputError(f"found no --to and no -o with a suffix, expected a format: {', '.join(family.formats)}")
    ending = Path(output).suffix.lower()
    fitting = [entry.name for entry in family.formats.values() if ending in entry.suffixes]
    if not fitting:
        found = f"the suffix {ending}" if ending else "no suffix"
        raise InputError(f"found {found} and no --to, expected .svg or .png for a picture, or {known}", source=output)
    return fitting[0]


COMMAND = FamilyGroup(
    "convert-puzzle",
    make=family_command,
    help="""Convert a puzzle file to another format, draw the blank puzzle, or write a random puzzle.

    Without FAMILY, the family is detected from FILE. Without --to, the suffix of -o determines the format.""",
    examples=[
        "convert-puzzle sample:cat -o cat.nin",
        "convert-puzzle sample:cat -o blank.svg",
        "convert-puzzle slither/5/5/cbcbcddad --answer -o solved.txt",
        "convert-puzzle nonogram cat.nin --to webpbn",
        "convert-puzzle nonogram --generate blobs --size 30 --seed 7 -o blobs.nin",
        "convert-puzzle tiling --board 6x10 --pieces pentominoes -o rectangle.xmpuzzle",
    ],
)
