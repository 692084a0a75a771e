"""make-puzzle of pictures: a picture becomes a puzzle with exactly one solution. How: `making/making.py`."""

from __future__ import annotations

import json
from typing import Any

import click

from cnfgen_puzzles.cli.common import SectionedCommand, chosen, click_option, say, write_text
from cnfgen_puzzles.cli.families import generate_param, takers
from cnfgen_puzzles.cli.making.jobs import Job, described, difficulty, finished, made
from cnfgen_puzzles.cli.making.shared import (
    EXITS,
    about_of,
    checked_output,
    evidence_params,
    many,
    output_params,
    picture_params,
    show,
    time_param,
    write_puzzle,
)
from cnfgen_puzzles.cli.progress import watched
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.families.options import Option, checked_options
from cnfgen_puzzles.making.made import UNREACHED, Made
from cnfgen_puzzles.making.making import SECONDS as SEARCH
from cnfgen_puzzles.making.pictures import making_of, sides_of
from cnfgen_puzzles.making.wanted import wanted_of

PICTURE_OPTIONS = (
    Option("size", "width x height in cells, or the longer side; a random picture: the side of a square"),
    Option("colours", "so many colours besides the background; 1: black", None, int, least=1, most=51),
    Option(
        "threshold", "what is darker is filled, in percent from black to white; by default Otsu's", None, float, least=0, most=100
    ),
    Option("invert", "fill what is light instead of what is dark", None, bool),
)


def picture_command(family: Family) -> click.Command:
    """The subcommand of a family whose puzzles are made of pictures."""
    return SectionedCommand(
        family.name,
        callback=lambda **values: make_puzzles(family, values),
        help=f"Make {family.summary} of pictures: each with exactly one solution, proved.\n\nA FILE is a picture (PNG, JPEG, "
        "..., SVG, PBM), a drawing of # and ., or a puzzle that says its solution.",
        short_help=family.summary,
        sections={
            "Picture": picture_params(PICTURE_OPTIONS),
            "Random pictures": random_params(family),
            "Puzzle": puzzle_params(),
            "Evidence": evidence_params(),
            "Output": output_params(family, "the changed cells marked"),
        },
        examples=[
            f"make-puzzle {family.name} cat.png --size 30x40 -o cat.non",
            f"make-puzzle {family.name} photo.jpg --size 40 --line-solvable --picture before-after.svg",
            f"make-puzzle {family.name} --generate blobs --size 15 --difficulty 100-150",
            f"make-puzzle {family.name} parrot.png --size 25 --colours 4 -o parrot.xml",
            f"make-puzzle {family.name} --generate blobs --size 20 --number 1000 -o puzzles",
        ],
        closing=EXITS,
    )


def random_params(family: Family) -> list[click.Parameter]:
    """--generate, and what its generators take."""
    generators, mine = making_of(family).generators, {option.name for option in PICTURE_OPTIONS}
    return [
        generate_param(family, generators),
        click.Option(["--seed"], type=int, metavar="N", help="Seed of --generate, 1 if not given."),
        click.Option(["--number"], type=click.IntRange(min=1), metavar="N", help="So many, by seeds that follow."),
        *(click_option(option, note) for option, note in takers(generators) if option.name not in mine),
    ]


def puzzle_params() -> list[click.Parameter]:
    """How the puzzle is wanted."""
    return [
        click.Option(["--line-solvable"], is_flag=True, help="Line logic solves it, without looking ahead."),
        click.Option(
            ["--difficulty"],
            is_flag=False,
            flag_value="",
            metavar="[LEVEL]",
            help="Tell how hard it is, as explain-puzzle measures that; with a level make it so hard: line-logic (as "
            "--line-solvable), ahead-1 (or 2, ...), or a score as 100-300.",
        ),
        time_param(SEARCH, "For the search, for each puzzle: a third of it for the fewest changes."),
    ]


def jobs_of(family: Family, values: dict[str, Any]) -> list[Job]:
    """What is to be made; InputError for options that do not go together."""
    settings = {name: values[name] for name in ("line_solvable", "seconds", "solver", "checker")}
    picture = chosen(values, PICTURE_OPTIONS)
    generators = making_of(family).generators
    level = values["difficulty"]
    settings["difficulty"] = wanted_of(level).text if level else None
    common: dict[str, Any] = {"about": about_of(values), "settings": settings, "difficulty": level is not None}
    others = chosen(values, (option for each in generators.values() for option in each.options))
    if not values["generate"]:
        if not values["files"]:
            raise InputError("found neither a picture nor --generate, expected one of them")
        for name in [*(others.keys() - picture.keys()), *(name for name in ("seed", "number") if values[name] is not None)]:
            raise InputError(f"found --{name.replace('_', '-')}, which is for --generate")
        if "size" in picture:
            sides_of(picture["size"])  # a mistake is told before anything is made
        if picture.get("colours", 1) > 1 and (grey := next((name for name in ("threshold", "invert") if name in picture), None)):
            raise InputError(f"found --{grey}, which is for black and white, with {picture['colours']} colours")
        return [Job(family.name, file=file, options=picture, **common) for file in values["files"]]
    if values["files"]:
        raise InputError("found a file beside --generate, expected one of them", source=values["files"][0])
    generator = generators[values["generate"]]
    options = checked_options(generator.options, {**picture, **others}, f"the generator {generator.name}")
    first = 1 if values["seed"] is None else values["seed"]
    seeds = range(first, first + (values["number"] or 1))
    return [Job(family.name, generator=generator.name, seed=seed, options=options, **common) for seed in seeds]


def make_puzzles(family: Family, values: dict[str, Any]) -> int:
    """Do what the user asked for; the exit code."""
    jobs = jobs_of(family, values)
    if len(jobs) > 1 or values["number"] is not None:
        return many(family, jobs, finished, values)
    wanted, drawn = checked_output(family, values)
    with watched("making the puzzle"):
        result, how = made(jobs[0])
        if drawn is not None:
            write_text(values["picture"], drawn.draw(result.puzzle, result.board, compared(result)))
    if values["output"] is not None and result.unique:
        write_puzzle(result, wanted, values["output"])
    if values["as_json"]:
        write_text(None, json.dumps(described(jobs[0], result), indent=2) + "\n")
    else:
        tell(result, how, aside=values["output"] == "-", quiet=values["quiet"])
        if values["difficulty"] is not None:
            hard = difficulty(result)
            named = "Difficulty" if result.how != UNREACHED else "The nearest that was found"
            say(f"{named}: {hard['class']}, score {hard['score']}, {hard['steps']} steps.", err=values["output"] == "-")
    return 0 if result.unique else 1


def compared(result: Made) -> Any:
    """The picture with which the puzzle's is compared, if they differ."""
    return result.picture if result.changes else None


def tell(result: Made, how: str, *, aside: bool, quiet: bool) -> None:
    """The picture with what was changed, and what is known of the puzzle."""
    family = result.family
    if not quiet:
        show(family, result.puzzle, result.board, compared(result), aside=aside)
    say(f"{family.describe(result.puzzle)}{f', {how}' if how else ''}", err=aside)
    say(result.sentence(), err=aside)
    for place in result.places():
        say(f"  {place}", err=aside)
