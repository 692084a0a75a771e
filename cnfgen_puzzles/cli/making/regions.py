"""make-puzzle of regions: they are cut into pieces, which are a puzzle with one solution. How: `making/cutting.py`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.common import SectionedCommand, chosen, click_option, say, write_text
from cnfgen_puzzles.cli.making.jobs import Finished, written
from cnfgen_puzzles.cli.making.pictures import PICTURE_OPTIONS
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
from cnfgen_puzzles.common.pictures.cells import cells_of
from cnfgen_puzzles.common.pictures.files import open_picture
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import Family, find_family
from cnfgen_puzzles.families.capabilities import Cutting
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.making.cutting import SECONDS, MadeByCutting, cut_out
from cnfgen_puzzles.making.pictures import sides_of
from cnfgen_puzzles.solving.process import Limits

SIZE = Option("size", "width x height in cells, or a picture's longer side; without a file a rectangle")
OF_PICTURES = [SIZE, *(option for option in PICTURE_OPTIONS if option.name in ("threshold", "invert"))]


@dataclass(frozen=True)
class RegionJob:
    """A puzzle to be cut out of the region in a file, or of that of the `options`, by its seed.

    `picture` are the options of `cells_of`, `settings` those of `cut_out`.
    """

    family: str
    file: str | None
    seed: int
    several: bool = False
    picture: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What a file of the puzzle may be called, without an ending."""
        stem = Path(self.file).stem if self.file else "cut"
        return f"{stem}-{self.seed:04}" if self.several or not self.file else stem

    def region(self) -> Any:
        """The region in the file, as a puzzle without pieces or with others; None: the options say it."""
        if self.file is None:
            return None
        family, source = find_family(self.family), open_source(self.file)
        if any(source.suffix in entry.suffixes for entry in family.formats.values()):
            if self.picture:
                raise InputError(f"found --{next(iter(self.picture))}, which is for pictures", source=source.name)
            return family.read(source)
        try:
            return cutting_of(family).region(cells_of(open_picture(source), **self.picture).rows)
        except InputError as error:
            raise InputError(error.message, source=error.source or source.name, line=error.line) from None

    def made(self) -> MadeByCutting:
        """The puzzle."""
        try:
            return cut_out(find_family(self.family), self.region(), seed=self.seed, options=self.options, **self.settings)
        except InputError as error:
            raise InputError(error.message, source=error.source or self.file, line=error.line) from None


def cutting_of(family: Family) -> Cutting:
    """How the family cuts regions; InputError if it does not."""
    if family.cutting is None:
        raise InputError(f"found the family {family.name}, expected one whose puzzles are cut out of regions")
    return family.cutting


def finished(job: RegionJob, format: str | None) -> Finished:
    """The puzzle as a file of that format (None: the first that loses nothing), if it has one solution."""
    result = job.made()
    chosen, text = ("", "") if result.puzzle is None else written(result, format)[:2]
    return Finished(text, chosen, result.sentence(), {"name": job.name, "seed": job.seed} | result.to_json(), result.unique)


def region_command(family: Family) -> click.Command:
    """The subcommand of a family whose puzzles are cut out of regions."""
    sections: dict[str, list[click.Parameter]] = {"Region": picture_params(OF_PICTURES)}
    for option in cutting_of(family).options:
        sections.setdefault(option.group or "Pieces", []).append(click_option(option))
    return SectionedCommand(
        family.name,
        callback=lambda **values: make_puzzles(family, values),
        help=f"Make {family.summary} by cutting regions into pieces: each with one solution up to its symmetries, proved."
        "\n\nA FILE is a picture (PNG, JPEG, ..., SVG, PBM), a drawing of # and ., or a puzzle whose board is the region.",
        short_help=family.summary,
        sections={**sections, "Search": search_params(), "Evidence": evidence_params(), "Output": output_params(family, "")},
        examples=[
            f"make-puzzle {family.name} --size 10x6 --seed 7 -o ten-by-six.yaml",
            f"make-puzzle {family.name} --board 5x6 --pieces pentominoes --picture solution.svg",
            f"make-puzzle {family.name} heart.svg --size 12 --piece-size 6-9 -o heart.yaml",
            f"make-puzzle {family.name} --board 3x3x4 --number 20 -o boxes",
        ],
        closing=EXITS,
    )


def search_params() -> list[click.Parameter]:
    """Which of all the puzzles."""
    return [
        click.Option(["--seed"], type=int, metavar="N", default=1, help="Another seed makes another puzzle.  [default: 1]"),
        click.Option(["--number"], type=click.IntRange(min=1), metavar="N", help="So many, by seeds that follow."),
        time_param(SECONDS, "For the search, for each puzzle; its proof may take as long, a minute at least."),
    ]


def jobs_of(family: Family, values: dict[str, Any]) -> list[RegionJob]:
    """What is to be made; InputError for options that do not go together."""
    files: list[str | None] = [*values["files"]] or [None]
    picture, options = chosen(values, OF_PICTURES), chosen(values, cutting_of(family).options)
    size = sides_of(picture["size"]) if "size" in picture else None
    if values["files"]:
        picture |= {"size": size} if size else {}
    else:
        if wrong := next((name for name in picture if name != "size"), None):
            raise InputError(f"found --{wrong} and no picture, expected a file")
        if size and "board" in options:
            raise InputError("found --size beside --board, expected one of them")
        if size:
            width, height = size
            options["board"] = f"{height or width}x{width}"
        picture = {}
    settings = {
        "about": about_of(values),
        "limits": Limits(wall=max(values["seconds"], SECONDS)),
        **{name: values[name] for name in ("seconds", "solver", "checker")},
    }
    seeds = range(values["seed"], values["seed"] + (values["number"] or 1))
    several = values["number"] is not None
    return [RegionJob(family.name, file, seed, several, picture, options, settings) for file in files for seed in seeds]


def make_puzzles(family: Family, values: dict[str, Any]) -> int:
    """Do what the user asked for; the exit code."""
    jobs = jobs_of(family, values)
    if len(jobs) > 1 or values["number"] is not None:
        return many(family, jobs, finished, values)
    wanted, drawn = checked_output(family, values)
    aside = values["output"] == "-"
    with watched("making the puzzle"):
        result = jobs[0].made()
        if drawn is not None and result.unique:
            write_text(values["picture"], drawn.draw(result.puzzle, result.board, None))
    if values["output"] is not None and result.unique:
        write_puzzle(result, wanted, values["output"])
    if values["as_json"]:
        write_text(None, json.dumps(result.to_json(), indent=2) + "\n")
        return 0 if result.unique else 1
    if result.unique:
        if not values["quiet"]:
            show(family, result.puzzle, result.board, aside=aside)
        say(family.describe(result.puzzle), err=aside)
    say(result.sentence(), err=aside)
    return 0 if result.unique else 1
