"""make-puzzle: puzzles with exactly one solution, of pictures (`making/making.py`) or cut out of regions (`making/cutting.py`).

A job is one puzzle to make, in this process or, where there are many, in worker processes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.boards import PICTURES, view_for
from cnfgen_puzzles.cli.common import (
    SECONDS,
    WIDTH,
    FileName,
    Name,
    SectionedCommand,
    check_writable,
    checker_param,
    chosen,
    click_option,
    say,
    solver_titles,
    version_option,
    write_examples,
    write_text,
)
from cnfgen_puzzles.cli.convert_puzzle import format_for, format_param
from cnfgen_puzzles.cli.families import every_family, generate_param, takers
from cnfgen_puzzles.cli.progress import Progress, watched
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import Family, View, find_family
from cnfgen_puzzles.families.capabilities import Cutting
from cnfgen_puzzles.families.options import Option, checked_options
from cnfgen_puzzles.making.cutting import SECONDS as CUTTING_SECONDS
from cnfgen_puzzles.making.cutting import MadeByCutting, cut_out
from cnfgen_puzzles.making.hitting import UNREACHED
from cnfgen_puzzles.making.making import SECONDS as SEARCH
from cnfgen_puzzles.making.making import Made, MakeRequest, make_puzzle, parse_difficulty
from cnfgen_puzzles.making.pictures import PictureCells, cells_of, making_of, open_picture, picture_in, picture_of, sides_of
from cnfgen_puzzles.solving.cluster import open_executor
from cnfgen_puzzles.solving.pool import Distributor
from cnfgen_puzzles.solving.process import Limits

ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".pbm", ".txt")
EXITS = (
    "Exits with 0 (each puzzle has one solution, proved), 1 (one has not, or a fault of ours), "
    "2 (a mistake in the call or the input)."
)
PICTURE_OPTIONS = (
    Option("size", "width x height in cells, or the longer side; a random picture: the side of a square"),
    Option("colours", "so many colours besides the background; 1: black", None, int, least=1, most=51),
    Option(
        "threshold", "what is darker is filled, in percent from black to white; by default Otsu's", None, float, least=0, most=100
    ),
    Option("invert", "fill what is light instead of what is dark", None, bool),
)
SIZE = Option("size", "width x height in cells, or a picture's longer side; without a file a rectangle")
OF_PICTURES = [SIZE, *(option for option in PICTURE_OPTIONS if option.name in ("threshold", "invert"))]


@dataclass(frozen=True)
class Finished:
    """What a worker hands back of a puzzle: the file's text, what is told of it, the JSON, and whether all is proved."""

    text: str
    format: str
    sentence: str
    entry: dict[str, Any]
    unique: bool


# -- options --------------------------------------------------------------------------------------------------------------


def picture_params(options: Iterable[Option]) -> list[click.Parameter]:
    """The files of pictures, these options of how they become cells, and what the puzzle's file says of it."""
    return [
        click.Argument(["files"], metavar="[FILE]...", nargs=-1, type=FileName(lambda: ENDINGS)),
        *(click_option(option) for option in options),
        click.Option(["--title"], metavar="TEXT", help="What the puzzle is called."),
        click.Option(["--author"], metavar="TEXT", help="Who made it."),
    ]


def about_of(values: dict[str, Any]) -> dict[str, str]:
    """What the user says of the puzzle."""
    return {name: values[name] for name in ("title", "author") if values[name]}


def time_param(seconds: float, help: str) -> click.Option:
    """--time for the search."""
    return click.Option(
        ["--time", "seconds"], type=SECONDS, default=seconds, metavar="SECONDS", help=f"{help}  [default: {seconds:g}]"
    )


def evidence_params() -> list[click.Parameter]:
    """Who proves and who checks."""
    return [
        click.Option(
            ["--solver", "-s"],
            type=Name("solver", solver_titles, others=True),
            metavar="SOLVER",
            help="Which proves that there is no other solution; by default the best that is there.",
        ),
        checker_param(),
    ]


def output_params(family: Family, marked: str) -> list[click.Parameter]:
    """Where the puzzle goes, and how it is shown; `marked` is what its picture has besides."""
    return [
        click.Option(
            ["--output", "-o"], type=FileName(), metavar="FILE", help="Write the puzzle here; of several, in this folder."
        ),
        format_param(family, "Its format", ", in a folder what loses least"),
        click.Option(
            ["--picture"],
            type=FileName(),
            metavar="FILE",
            help=f"Draw the solution here{f', {marked}' if marked else ''}: .svg, .png or .txt.",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Tell all as JSON; of several puzzles a line each."),
        click.Option(
            ["--jobs", "-j"], type=click.IntRange(min=1), metavar="N", help="Processes side by side; by default one a core."
        ),
        click.Option(["--quiet", "-q"], is_flag=True, help="Draw nothing, and show no progress."),
    ]


# -- pictures ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PictureJob:
    """A picture to become a puzzle: that in a file, or (without one) that of a generator by its seed.

    `options` are the generator's, or those of `cells_of`; `request` lacks the picture. `difficulty` asks how hard the puzzle is.
    """

    family: str
    request: Callable[[Family, PictureCells], MakeRequest]
    file: str | None = None
    generator: str = ""
    seed: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    difficulty: bool = False

    @property
    def name(self) -> str:
        """What a file of the puzzle may be called, without an ending."""
        return Path(self.file).stem if self.file else f"{self.generator}-{self.seed:04}"

    def make(self) -> tuple[Made, str]:
        """The puzzle, and in words how its picture came about."""
        family = find_family(self.family)
        if self.file is not None:
            found = picture_in(family, self.file, **self.options)
        else:
            found = picture_of(family, making_of(family).generators[self.generator].make(self.seed, **self.options))
        return make_puzzle(self.request(family, replace(found, about={**found.about, **self.about}))), found.how

    def finish(self, format: str | None) -> Finished:
        """The puzzle as a file of that format (None: the first that loses nothing)."""
        result, _ = self.make()
        chosen, text, _ = write_as(result, format)
        entry = {"name": self.name} | self.to_json(result)
        where = "; ".join(result.places()[:3])
        sentence = result.sentence() + (f" Changed: {where}{' ...' if len(result.places()) > 3 else ''}." if where else "")
        if self.difficulty:
            sentence += f" Difficulty: {entry['difficulty']['class']}, score {entry['difficulty']['score']}."
        return Finished(text, chosen, sentence, entry, result.unique)

    def to_json(self, result: Made) -> dict[str, Any]:
        """All of it as JSON."""
        return result.to_json() | ({"difficulty": dict(difficulty(result))} if self.difficulty else {})


def difficulty(result: Made) -> Mapping[str, Any]:
    """How hard the puzzle is for a person, by names; InputError for a family that cannot tell."""
    if result.family.explaining is None:
        raise InputError(f"found the family {result.family.name}, expected one whose puzzles can be solved by thought")
    return result.family.explaining.explain(result.puzzle).difficulty


def picture_command(family: Family) -> click.Command:
    """The subcommand of a family whose puzzles are made of pictures."""
    return SectionedCommand(
        family.name,
        callback=lambda **values: make_of_pictures(family, values),
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


def picture_jobs(family: Family, values: dict[str, Any]) -> list[PictureJob]:
    """What is to be made; InputError for options that do not go together."""
    picture = chosen(values, PICTURE_OPTIONS)
    generators = making_of(family).generators
    level = values["difficulty"]
    request = partial(
        MakeRequest,
        line_solvable=values["line_solvable"],
        difficulty=parse_difficulty(level).text if level else None,
        seconds=values["seconds"],
        solver=values["solver"],
        checker=values["checker"],
    )
    job = PictureJob(family.name, request, about=about_of(values), difficulty=level is not None)
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
        return [replace(job, file=file, options=picture) for file in values["files"]]
    if values["files"]:
        raise InputError("found a file beside --generate, expected one of them", source=values["files"][0])
    generator = generators[values["generate"]]
    options = checked_options(generator.options, {**picture, **others}, f"the generator {generator.name}")
    first = 1 if values["seed"] is None else values["seed"]
    seeds = range(first, first + (values["number"] or 1))
    return [replace(job, generator=generator.name, seed=seed, options=options) for seed in seeds]


def make_of_pictures(family: Family, values: dict[str, Any]) -> int:
    """Do what the user asked for; the exit code."""
    jobs = picture_jobs(family, values)
    if len(jobs) > 1 or values["number"] is not None:
        return make_many(family, jobs, values)
    wanted, drawn = checked_output(family, values)
    with watched("making the puzzle"):
        result, how = jobs[0].make()
        if drawn is not None:
            write_text(values["picture"], drawn.draw(result.puzzle, result.board, compared(result)))
    if values["output"] is not None and result.unique:
        write_puzzle(result, wanted, values["output"])
    if values["as_json"]:
        write_text(None, json.dumps(jobs[0].to_json(result), indent=2) + "\n")
    else:
        show_made(result, how, aside=values["output"] == "-", quiet=values["quiet"])
        if values["difficulty"] is not None:
            hard = difficulty(result)
            named = "Difficulty" if result.how != UNREACHED else "The nearest that was found"
            say(f"{named}: {hard['class']}, score {hard['score']}, {hard['steps']} steps.", err=values["output"] == "-")
    return 0 if result.unique else 1


def compared(result: Made) -> Any:
    """The picture with which the puzzle's is compared, if they differ."""
    return result.picture if result.changes else None


def show_made(result: Made, how: str, *, aside: bool, quiet: bool) -> None:
    """The picture with what was changed, and what is known of the puzzle."""
    family = result.family
    if not quiet:
        show(family, result.puzzle, result.board, compared(result), aside=aside)
    say(f"{family.describe(result.puzzle)}{f', {how}' if how else ''}", err=aside)
    say(result.sentence(), err=aside)
    for place in result.places():
        say(f"  {place}", err=aside)


# -- regions -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RegionJob:
    """A puzzle to be cut out of the region in a file, or of that of the `options`, by its seed.

    `picture` are the options of `cells_of`, the others the arguments of `cut_out`.
    """

    family: str
    file: str | None
    seed: int
    several: bool = False
    picture: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    seconds: float = CUTTING_SECONDS
    solver: str | None = None
    checker: str | None = None

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

    def make(self) -> MadeByCutting:
        """The puzzle."""
        try:
            return cut_out(
                find_family(self.family),
                self.region(),
                options=self.options,
                seed=self.seed,
                about=self.about,
                seconds=self.seconds,
                solver=self.solver,
                checker=self.checker,
                limits=Limits(wall=max(self.seconds, CUTTING_SECONDS)),
            )
        except InputError as error:
            raise InputError(error.message, source=error.source or self.file, line=error.line) from None

    def finish(self, format: str | None) -> Finished:
        """The puzzle as a file of that format (None: the first that loses nothing), if it has one solution."""
        result = self.make()
        chosen, text = ("", "") if result.puzzle is None else write_as(result, format)[:2]
        return Finished(text, chosen, result.sentence(), {"name": self.name, "seed": self.seed} | result.to_json(), result.unique)


def cutting_of(family: Family) -> Cutting:
    """How the family cuts regions; InputError if it does not."""
    if family.cutting is None:
        raise InputError(f"found the family {family.name}, expected one whose puzzles are cut out of regions")
    return family.cutting


def region_command(family: Family) -> click.Command:
    """The subcommand of a family whose puzzles are cut out of regions."""
    sections: dict[str, list[click.Parameter]] = {"Region": picture_params(OF_PICTURES)}
    for option in cutting_of(family).options:
        sections.setdefault(option.group or "Pieces", []).append(click_option(option))
    return SectionedCommand(
        family.name,
        callback=lambda **values: make_of_regions(family, values),
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
        time_param(CUTTING_SECONDS, "For the search, for each puzzle; its proof may take as long, a minute at least."),
    ]


def region_jobs(family: Family, values: dict[str, Any]) -> list[RegionJob]:
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
    seeds = range(values["seed"], values["seed"] + (values["number"] or 1))
    job = RegionJob(
        family.name,
        None,
        1,
        several=values["number"] is not None,
        picture=picture,
        options=options,
        about=about_of(values),
        seconds=values["seconds"],
        solver=values["solver"],
        checker=values["checker"],
    )
    return [replace(job, file=file, seed=seed) for file in files for seed in seeds]


def make_of_regions(family: Family, values: dict[str, Any]) -> int:
    """Do what the user asked for; the exit code."""
    jobs = region_jobs(family, values)
    if len(jobs) > 1 or values["number"] is not None:
        return make_many(family, jobs, values)
    wanted, drawn = checked_output(family, values)
    aside = values["output"] == "-"
    with watched("making the puzzle"):
        result = jobs[0].make()
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


Job = PictureJob | RegionJob


# -- one puzzle ------------------------------------------------------------------------------------------------------------------


def checked_output(family: Family, values: dict[str, Any]) -> tuple[str | None, View | None]:
    """The format of the puzzle's file and the view of its picture, if these are asked for; InputError before a minute of work."""
    output, wanted, picture = values["output"], values["to"], values["picture"]
    if wanted is not None and output is None:
        raise InputError("found --to and no -o, expected where the puzzle is to be written, as with -o -")
    if output is not None and wanted is None:
        wanted = format_for(family, output)
    drawn = view_for(family, None, picture) if picture else None
    if picture and drawn is None:
        raise InputError("found the ending .json, expected a picture: .svg, .png or .txt", source=picture)
    if output == "-" and values["as_json"]:
        raise InputError("found --json and -o -: both would be written to standard output")
    for file in (output, picture):
        if file not in (None, "-"):
            check_writable(Path(file))
    return wanted, drawn


def write_puzzle(result: Made | MadeByCutting, wanted: str | None, output: str) -> None:
    """The puzzle as a file."""
    _, text, lost = write_as(result, wanted)
    if lost:
        say(f"note: {wanted} has no place for: {', '.join(lost)}", err=True)
    write_text(output, text)


def show(family: Family, puzzle: Any, board: Any, other: Any = None, *, aside: bool) -> None:
    """The board in the terminal; `aside`: where words go that are not the output."""
    drawn = view_for(family, "text" if aside else None, None)
    assert drawn is not None and drawn.suffix not in PICTURES
    click.echo(drawn.draw(puzzle, board, other), err=aside)


# -- many puzzles ------------------------------------------------------------------------------------------------------------


def make_many(family: Family, jobs: Sequence[Job], values: dict[str, Any]) -> int:
    """Make them, one process a core, write and tell each, and how many came to what; the exit code."""
    folder = checked_folder(jobs, values)
    right = changed = refused = 0
    for job, result in results(jobs, values):
        if isinstance(result, CnfgenError):
            say(f"{job.name}: {result}", err=True)
            refused += isinstance(result, InputError)
            continue
        right += result.unique
        changed += bool(result.entry.get("changes"))
        if result.unique:
            suffix = next(iter(family.formats[result.format].suffixes), "")
            write_text(str(folder / f"{job.name}{suffix}"), result.text)
        if values["as_json"]:
            write_text(None, json.dumps(result.entry, separators=(",", ":")) + "\n")
        elif not values["quiet"] or not result.unique:
            say(f"{job.name}: {result.sentence}")
    told = [f"{right} of {len(jobs)} puzzles with one solution, proved"]
    told += [] if family.making is None else [f"{changed} of their pictures {'was' if changed == 1 else 'were'} changed"]
    told += [f"{refused} {'input was' if refused == 1 else 'inputs were'} refused"] if refused else []
    say(f"{'; '.join(told)}.", err=True)
    return 2 if refused else int(right < len(jobs))


def checked_folder(jobs: Sequence[Job], values: dict[str, Any]) -> Path:
    """The folder into which so many puzzles go; it is made."""
    if values["output"] is None or values["output"] == "-":
        raise InputError(f"found {len(jobs)} puzzles to make and no folder, expected -o FOLDER")
    if values["picture"]:
        raise InputError("found --picture, which is for one puzzle")
    folder = Path(values["output"])
    names = [job.name for job in jobs]
    if double := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"found two pictures called {double}, expected names that differ", source=str(folder))
    if folder.exists() and not folder.is_dir():
        raise InputError(f"found a file, expected a folder for {len(jobs)} puzzles", source=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def finish_job(job: Job, format: str | None) -> Finished:
    """A job in a worker process."""
    return job.finish(format)


def results(jobs: Sequence[Job], values: dict[str, Any]) -> Iterator[tuple[Job, Finished | CnfgenError]]:
    """Each job with what came of it, as it comes."""
    waiting = iter(jobs)
    with (
        open_executor(None, values["jobs"]) as executor,
        Progress(quiet=values["quiet"], total=len(jobs), unit="puzzle") as progress,
    ):
        work = Distributor[Job](executor, lambda job: (finish_job, job, values["to"]), "puzzles")
        for done, event in enumerate(work.results(lambda: next(waiting, None)), start=1):
            progress.show(f"{done} of {len(jobs)} puzzles made", done=done)
            yield event.unit, event.error or event.value


def write_as(result: Made | MadeByCutting, format: str | None) -> tuple[str, str, list[str]]:
    """The format, the text, and what it has no place for; None takes the format that loses the least, of equal ones the first."""
    family = result.family
    names = [format] if format else [name for name, entry in family.formats.items() if entry.write is not None]
    best: tuple[str, str, list[str]] | None = None
    for name in names:
        try:
            text = family.write(result.puzzle, name)
        except InputError:
            if format:
                raise
            continue
        lost = family.formats.lost(result.puzzle, name, text)
        if best is None or len(lost) < len(best[2]):
            best = name, text, lost
    if best is None:
        raise InputError(f"found no format that holds this {family.name}")
    return best


# -- the command -------------------------------------------------------------------------------------------------------


def offered() -> list[Family]:
    """The families whose puzzles can be made."""
    return [family for family in every_family() if family.making is not None or family.cutting is not None]


class MakingGroup(click.Group):
    """These families. A picture is of none of them, so one is always named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [family.name for family in offered()]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        family = find_family(name)
        if family.making is None and family.cutting is None:
            known = ", ".join(self.list_commands(ctx))
            raise InputError(f"found the family {name}, expected one whose puzzles can be made: {known}")
        return region_command(family) if family.making is None else picture_command(family)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Families"):
            formatter.write_dl([(family.name, family.summary) for family in offered()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(formatter, EXAMPLES)


EXAMPLES = [
    "make-puzzle nonogram cat.png --size 30x40 -o cat.non",
    "make-puzzle nonogram --generate blobs --size 20 --seed 7",
    "make-puzzle tiling --size 10x6 --seed 7 -o ten-by-six.yaml",
    "make-puzzle tiling heart.svg --size 12 --picture solution.svg -o heart.yaml",
]
COMMAND = MakingGroup(
    "make-puzzle",
    subcommand_metavar="FAMILY FILE... [OPTIONS]",
    no_args_is_help=True,
    context_settings={"max_content_width": WIDTH},
    help="""Make a puzzle with exactly one solution, which is proved: of a picture, by changing as few cells as can be, or of a
    region, by cutting it into pieces.""",
)
version_option(COMMAND)
