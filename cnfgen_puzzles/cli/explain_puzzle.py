"""explain-puzzle: a puzzle solved as a person would, step by step, a hint for a half-filled one, and how hard it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli import process
from cnfgen_puzzles.cli.common import (
    EXIT_CODES,
    FileName,
    Name,
    SectionedCommand,
    check_writable,
    limit_params,
    limits_named,
    say,
    version_option,
    write_text,
)
from cnfgen_puzzles.cli.families import FamilyGroup, examples, puzzle_sections, read_named
from cnfgen_puzzles.cli.progress import Ticker
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.families.capabilities import DEPTH, LOOKS, Explanation
from cnfgen_puzzles.pipeline.explain import explain, explanation_lines, explanation_to_json
from cnfgen_puzzles.solving.answers import SATISFIABLE
from cnfgen_puzzles.solving.incremental import SOLVERS

FORMS = {"text": "sentences", "json": "all that is known as one object", "jsonl": "one object a step, then one with the rest"}
IF_ANY = ("techniques", "looks ahead", "depth", "longest look", "assumptions", "lines looked at")
"""Of the difficulty, what is told to a person only where there is something to tell."""
EXITS = (
    "Exits with 10 (solved), 20 (no solution), 0 (not solved, or a hint), 1 (a fault of ours), "
    "2 (a mistake in the call or the input)."
)


def family_command(family: Family) -> click.Command:
    return SectionedCommand(
        family.name,
        callback=lambda **values: explain_puzzle(family, values),
        help=f"Solve {family.summary} as a person would, and say each step and its reason.",
        short_help=family.summary,
        sections={
            **puzzle_sections(family),
            "Thought": [
                click.Option(["--hint"], is_flag=True, help="Only the next step that decides a cell, the easiest that there is."),
                click.Option(["--difficulty"], is_flag=True, help="Only how it ends and how hard it is, without the steps."),
                click.Option(
                    ["--ahead"],
                    type=click.IntRange(min=0),
                    metavar="N",
                    default=DEPTH,
                    help=f"Make N assumptions within each other at most; 0: look ahead nowhere.  [default: {DEPTH}]",
                ),
                click.Option(
                    ["--looks"],
                    type=click.IntRange(min=0),
                    metavar="N",
                    default=LOOKS,
                    help=f"Look at N lines at most while looking ahead.  [default: {LOOKS}, some seconds]",
                ),
            ],
            "A solver's conflicts": [
                click.Option(
                    ["--solver", "-s"],
                    type=Name("solver", dict.fromkeys(SOLVERS, "python-sat's")),
                    metavar="SOLVER",
                    help="Count the conflicts of this solver of python-sat's, too, such as cadical195.",
                ),
                *limit_params(),
            ],
            "Output": [
                click.Option(
                    ["--as", "form"],
                    type=Name("form", FORMS),
                    default="text",
                    metavar="FORM",
                    help=f"{'; '.join(f'{name}: {told}' for name, told in FORMS.items())}.  [default: text]",
                ),
                click.Option(
                    ["--jsonl"], type=FileName(), metavar="FILE", help="Also write the steps to this file, as by --as jsonl."
                ),
                click.Option(["--board"], is_flag=True, help="Show the board as it is after the steps. [text]"),
                click.Option(
                    ["--output", "-o"], type=FileName(), metavar="FILE", help="Write to this file instead of standard output."
                ),
            ],
        },
        examples=examples("explain-puzzle", family, "", "--hint --board", "--as json -o steps.json", "--difficulty"),
        closing=EXITS,
    )


def explain_puzzle(family: Family, values: dict[str, Any]) -> int:
    """Do what the user asked for; the exit code."""
    for wrong, why in (
        (values["hint"] and values["difficulty"], "found --hint and --difficulty, expected one of them"),
        (values["hint"] and values["solver"], "found --hint and --solver, which counts the conflicts of the whole puzzle"),
        (values["board"] and values["form"] != "text", f"found --board and --as {values['form']}, which has the board in it"),
    ):
        if wrong:
            raise InputError(why)
    puzzle = read_named(family, values)
    for file in (values["output"], values["jsonl"]):
        if file not in (None, "-"):
            check_writable(Path(file))  # before seconds of work
    with Ticker():
        found = explain(
            family,
            puzzle,
            depth=values["ahead"],
            looks=values["looks"],
            most=1 if values["hint"] else None,
            solver=values["solver"],
            limits=limits_named(values),
        )
    if values["form"] == "json":
        write_text(values["output"], json.dumps(explanation_to_json(family, found), indent=2) + "\n")
    elif values["form"] == "jsonl":
        write_text(values["output"], "".join(f"{line}\n" for line in explanation_lines(family, found)))
    else:
        lines = text_lines(family, found, values)
        if values["output"] in (None, "-"):
            say("\n".join(lines))
        else:
            write_text(values["output"], "".join(f"{line}\n" for line in lines))
    if values["jsonl"]:
        write_text(values["jsonl"], "".join(f"{line}\n" for line in explanation_lines(family, found)))
    hinted = values["hint"] and found.steps and found.status == SATISFIABLE
    return 0 if hinted else EXIT_CODES[found.status]


def text_lines(family: Family, found: Explanation, values: dict[str, Any]) -> list[str]:
    """What a person reads."""
    lines = []
    if values["hint"] and found.steps:
        lines += [step.text for step in found.steps]
    else:
        if not values["difficulty"]:
            width = len(str(len(found.steps)))
            lines += [f"{number:{width}} {step.text}" for number, step in enumerate(found.steps, start=1)]
        lines.append(found.sentence)
        lines += [] if values["hint"] else difficulty_lines(found)
    if values["board"]:
        whole = all(cell is not None for row in found.board for cell in row)
        view = "ansi" if whole and not values["output"] and "ansi" in family.views and process.colours_wanted() else "text"
        drawn = family.view(view).draw(found.puzzle, found.board, None)
        assert isinstance(drawn, str)
        lines += ["", drawn.rstrip("\n")]
    return lines


def difficulty_lines(found: Explanation) -> list[str]:
    """The difficulty, a line a number."""
    told = {name: value for name, value in found.difficulty.items() if name not in IF_ANY or value}
    if not told:
        return []
    text = {
        name: ", ".join(f"{each} {count}" for each, count in value.items())
        for name, value in told.items()
        if isinstance(value, dict)
    }
    width = max(map(len, told))
    return ["", *(f"{name:{width}}  {text.get(name, value)}" for name, value in told.items())]


COMMAND = FamilyGroup(
    "explain-puzzle",
    make=family_command,
    offered=lambda family: family.explaining is not None,
    help="""Solve a puzzle as a person would: every step with its line, its cells and its reason, and how hard it is altogether.

    The family is guessed from FILE where it is not named.""",
    examples=[
        "explain-puzzle cat.nin",
        "explain-puzzle nonogram cat.nin --hint",
        "explain-puzzle cat.nin --difficulty --solver cadical195",
        "explain-puzzle cat.nin --as jsonl -o steps.jsonl",
    ],
)
version_option(COMMAND)
