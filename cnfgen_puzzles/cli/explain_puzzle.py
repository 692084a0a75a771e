"""explain-puzzle: a puzzle solved as a person would, step by step, a hint for a half-filled one, and how hard it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli import process
from cnfgen_puzzles.cli.common import (
    EXIT_CODES,
    OUTPUT_HELP,
    FileName,
    Name,
    SectionedCommand,
    check_writable,
    flag,
    limit_params,
    param,
    write_text,
)
from cnfgen_puzzles.cli.families import FamilyGroup, choose_puzzle, examples, puzzle_sections
from cnfgen_puzzles.cli.progress import Ticker
from cnfgen_puzzles.common.errors import InputError, printable_lines
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.families.capabilities import DEPTH, LOOKS, Explanation
from cnfgen_puzzles.pipeline.explain import explain, explanation_lines, explanation_to_json
from cnfgen_puzzles.solving.answers import SATISFIABLE
from cnfgen_puzzles.solving.incremental import SOLVERS
from cnfgen_puzzles.solving.process import Limits

FORMS = {"text": "sentences", "json": "all that is known as one object", "jsonl": "one object a step, then one with the rest"}
IF_ANY = ("techniques", "looks ahead", "depth", "longest look", "assumptions", "lines looked at")
"""Of the difficulty, what is told to a person only where there is something to tell."""
EXITS = (
    "Exits with 10 (solved), 20 (no solution), 0 (not solved, or a hint), 1 (a fault of ours), "
    "2 (a mistake in the call or the input)."
)


def family_command(family: Family) -> click.Command:
    forms = f"{'; '.join(f'{name}: {told}' for name, told in FORMS.items())}.  [default: text]"
    return SectionedCommand(
        family.name,
        callback=lambda **values: explain_puzzle(family, values),
        help=f"Solve {family.summary} as a person would, and say each step and its reason.",
        short_help=family.summary,
        sections={
            **puzzle_sections(family),
            "Thought": [
                flag("--hint", help="Only the next step that decides a cell, the easiest that there is."),
                flag("--difficulty", help="Only how it ends and how hard it is, without the steps."),
                param(
                    "--ahead",
                    type=click.IntRange(min=0),
                    default=DEPTH,
                    help=f"Make N assumptions within each other at most; 0: look ahead nowhere.  [default: {DEPTH}]",
                ),
                param(
                    "--looks",
                    type=click.IntRange(min=0),
                    default=LOOKS,
                    help=f"Look at N lines at most while looking ahead.  [default: {LOOKS}, some seconds]",
                ),
            ],
            "A solver's conflicts": [
                param(
                    "--solver",
                    "-s",
                    type=Name("solver", dict.fromkeys(SOLVERS, "python-sat's")),
                    metavar="SOLVER",
                    help="Count the conflicts of this solver of python-sat's, too, such as cadical195.",
                ),
                *limit_params(),
            ],
            "Output": [
                param("--as", "form", type=Name("form", FORMS), default="text", metavar="FORM", help=forms),
                param("--jsonl", type=FileName(), help="Also write the steps to this file, as by --as jsonl."),
                flag("--board", help="Show the board as it is after the steps. [text]"),
                param("--output", "-o", type=FileName(), help=OUTPUT_HELP),
            ],
        },
        examples=examples("explain-puzzle", family, "", "--hint --board", "--as json -o steps.json", "--difficulty"),
        closing=EXITS,
    )


def explain_puzzle(family: Family, values: dict[str, Any]) -> int:
    """Do what the user asked for; the exit code."""
    form, output, jsonl = values["form"], values["output"], values["jsonl"]
    for wrong, why in (
        (values["hint"] and values["difficulty"], "found --hint and --difficulty, expected one of them"),
        (values["hint"] and values["solver"], "found --hint and --solver, which counts the conflicts of the whole puzzle"),
        (values["board"] and form != "text", f"found --board and --as {form}, which has the board in it"),
    ):
        if wrong:
            raise InputError(why)
    puzzle = choose_puzzle(family, values).read()
    for file in (output, jsonl):
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
            limits=Limits(cpu=values["cpu"], wall=values["wall"], memory=values["memory"]),
        )
    steps = "".join(f"{line}\n" for line in explanation_lines(family, found)) if jsonl or form == "jsonl" else ""
    if form == "text":
        text = "".join(f"{line}\n" for line in text_lines(found, hint=values["hint"], only_difficulty=values["difficulty"]))
        board = f"\n{draw(family, found, output)}\n" if values["board"] else ""
        write_text(output, (printable_lines(text) if output in (None, "-") else text) + board)
    else:
        write_text(output, steps if form == "jsonl" else json.dumps(explanation_to_json(family, found), indent=2) + "\n")
    if jsonl:
        write_text(jsonl, steps)
    hinted = values["hint"] and found.steps and found.status == SATISFIABLE
    return 0 if hinted else EXIT_CODES[found.status]


def text_lines(found: Explanation, *, hint: bool, only_difficulty: bool) -> list[str]:
    """What a person reads: the steps, how it ends, and the difficulty, a line a number."""
    if hint and found.steps:
        return [step.text for step in found.steps]
    width = len(str(len(found.steps)))
    steps = () if only_difficulty else found.steps
    lines = [*(f"{number:{width}} {step.text}" for number, step in enumerate(steps, start=1)), found.sentence]
    numbers = {} if hint else {name: value for name, value in found.difficulty.items() if name not in IF_ANY or value}
    lines += [""] if numbers else []
    for name, value in numbers.items():
        text = ", ".join(f"{each} {count}" for each, count in value.items()) if isinstance(value, dict) else value
        lines.append(f"{name:{max(map(len, numbers))}}  {text}")
    return lines


def draw(family: Family, found: Explanation, output: str | None) -> str:
    """The board as it is after the steps."""
    whole = all(cell is not None for row in found.board for cell in row)
    view = "ansi" if whole and not output and "ansi" in family.views and process.colours_wanted() else "text"
    drawn = family.view(view).draw(found.puzzle, found.board, None)
    assert isinstance(drawn, str)
    return drawn.rstrip("\n")


COMMAND = FamilyGroup(
    "explain-puzzle",
    make=family_command,
    offered=lambda family: family.explaining is not None,
    help="""Solve a puzzle as a person would: every step with its line, its cells and its reason, and how hard it is altogether.

    The family is guessed from FILE where it is not named.""",
    examples=[
        "explain-puzzle sample:cat",
        "explain-puzzle nonogram sample:cat --hint",
        "explain-puzzle sample:cat --difficulty --solver cadical195",
        "explain-puzzle sample:cat --as jsonl -o steps.jsonl",
    ],
)
