"""explain-puzzle: solve a puzzle with human techniques, print each step or a hint, and measure the difficulty."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli import process
from cnfgen_puzzles.cli.app import check_suffix, check_writable, write_text
from cnfgen_puzzles.cli.errors import ANSWERED, EXIT_HELP, exit_code_of
from cnfgen_puzzles.cli.families import FamilyGroup, choose_puzzle, examples, puzzle_sections
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import EXIT_CODE, LIMITS, OUTPUT_HELP, FileName, Name, flag, param
from cnfgen_puzzles.common.errors import InputError, printable_lines
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.families.capabilities import DEPTH, LOOKS, Explanation
from cnfgen_puzzles.pipeline.explain import explain, explanation_lines, explanation_to_json
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from cnfgen_puzzles.solving.incremental import SOLVERS
from cnfgen_puzzles.solving.process import Limits

FORMS = {"text": "sentences", "json": "one JSON object", "jsonl": "one JSON object per step, then one with the summary"}
IF_ANY = ("techniques", "looks ahead", "depth", "longest look", "assumptions", "lines looked at")
"""Parts of the difficulty that the text omits if they are 0 or empty."""


def family_command(family: Family) -> click.Command:
    titles = "; ".join(f"{name}: {title}" for name, title in FORMS.items())
    forms = f"Choose the format; by default by the suffix of -o, else text. {titles}."
    return DocumentedCommand(
        family.name,
        callback=lambda **values: explain_puzzle(family, values),
        help=f"Solve {family.summary} with human techniques and explain each step.",
        short_help=family.summary,
        sections={
            **puzzle_sections(family),
            "Explanation": [
                flag("--hint", help="Print only the easiest next step that decides a cell."),
                flag("--difficulty", help="Print only the result and the difficulty, without the steps."),
                param(
                    "--ahead",
                    type=click.IntRange(min=0),
                    default=DEPTH,
                    help=f"Nest at most N assumptions; 0 disables looking ahead.  [default: {DEPTH}]",
                ),
                param(
                    "--looks",
                    type=click.IntRange(min=0),
                    default=LOOKS,
                    help=f"Examine at most N lines while looking ahead.  [default: {LOOKS}]",
                ),
            ],
            "Conflicts of a solver": [
                param(
                    "--solver",
                    "-s",
                    type=Name("solver", dict.fromkeys(SOLVERS, "in python-sat")),
                    metavar="SOLVER",
                    help="Also count the conflicts of this solver of python-sat, such as cadical195.",
                ),
                *LIMITS,
            ],
            "Output": [
                param("--as", "form", type=Name("form", FORMS), metavar="FORM", help=forms),
                flag("--board", help="Show the board after the steps. [text]"),
                param("--output", "-o", type=FileName(), help=OUTPUT_HELP),
                EXIT_CODE,
            ],
        },
        examples=examples("explain-puzzle", family, "", "--hint --board", "--as json -o steps.json", "--difficulty"),
        common=("--generate", "--output"),
        closing=EXIT_HELP,
    )


def explain_puzzle(family: Family, values: dict[str, Any]) -> int:
    """Run the command and return its exit code."""
    output = values["output"]
    form = values["form"] or next((name for name in ("json", "jsonl") if output and output.endswith(f".{name}")), "text")
    check_suffix(
        output,
        {"text": ".txt", "json": ".json", "jsonl": ".jsonl"}[form],
        "--as json or jsonl writes JSON, and solve-puzzle -o x.svg draws the board",
    )
    for wrong, why in (
        (values["hint"] and values["difficulty"], "found --hint and --difficulty, expected one of them"),
        (
            values["hint"] and values["solver"],
            "found --hint and --solver, expected one of them: --solver counts the conflicts of the whole puzzle",
        ),
        (values["board"] and form != "text", f"found --board and --as {form}, expected one of them: {form} contains the board"),
    ):
        if wrong:
            raise InputError(why)
    puzzle = choose_puzzle(family, values).read()
    if output not in (None, "-"):
        check_writable(Path(output))  # before seconds of work
    found = explain(
        puzzle,
        depth=values["ahead"],
        looks=values["looks"],
        most=1 if values["hint"] else None,
        solver=values["solver"],
        limits=Limits(cpu=values["cpu"], wall=values["wall"], memory=values["memory"]),
    )
    if form == "text":
        text = "".join(f"{line}\n" for line in text_lines(found, hint=values["hint"], only_difficulty=values["difficulty"]))
        board = f"\n{draw(family, found, output)}\n" if values["board"] else ""
        write_text(output, (printable_lines(text) if output in (None, "-") else text) + board)
    elif form == "jsonl":
        write_text(output, "".join(f"{line}\n" for line in explanation_lines(family, found)))
    else:
        write_text(output, json.dumps(explanation_to_json(family, found), indent=2) + "\n")
    hinted = values["hint"] and found.steps and found.status != UNSATISFIABLE
    return ANSWERED if hinted else exit_code_of(found.status, as_solvers=values["exit_code"])


def text_lines(found: Explanation, *, hint: bool, only_difficulty: bool) -> list[str]:
    """The text: the steps, the result, and the difficulty."""
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
    """The board after the steps, as text."""
    whole = all(cell is not None for row in found.board for cell in row)
    view = "ansi" if whole and not output and "ansi" in family.views and process.colors_wanted() else "text"
    drawn = family.view(view).draw(found.puzzle, found.board, None)
    assert isinstance(drawn, str)
    return drawn.rstrip("\n")


COMMAND = FamilyGroup(
    "explain-puzzle",
    make=family_command,
    offered=lambda family: family.explaining is not None,
    help="""Solve a puzzle with human techniques. Print each step with its line, cells, and reason, and the difficulty.

    Without FAMILY, the family is detected from FILE.""",
    examples=[
        "explain-puzzle sample:cat",
        "explain-puzzle nonogram sample:cat --hint",
        "explain-puzzle sample:cat --difficulty --solver cadical195",
        "explain-puzzle sample:cat --as jsonl -o steps.jsonl",
    ],
)
