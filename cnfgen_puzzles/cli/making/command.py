"""make-puzzle: a picture becomes a puzzle with exactly one solution. How: `pipeline/making/`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.boards import PICTURES, view_for
from cnfgen_puzzles.cli.common import SECONDS, check_writable, chosen, click_option, run, say, version_option, write_text
from cnfgen_puzzles.cli.convert_puzzle import format_for
from cnfgen_puzzles.cli.families import summaries, takers, told
from cnfgen_puzzles.cli.guessing import every_family
from cnfgen_puzzles.cli.making.jobs import Finished, Job, described, difficulty, finished, made, written
from cnfgen_puzzles.cli.progress import Progress, watched
from cnfgen_puzzles.cli.shell.sections import WIDTH, SectionedCommand, write_examples
from cnfgen_puzzles.cli.shell.values import FileName, Name, checker_param, solver_titles
from cnfgen_puzzles.distribution.distributor import Distributor
from cnfgen_puzzles.distribution.executors import open_executor
from cnfgen_puzzles.families import Family, find_family
from cnfgen_puzzles.families.options import Option, checked_options
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.pipeline.making.made import UNREACHED, Made
from cnfgen_puzzles.pipeline.making.making import SECONDS as SEARCH
from cnfgen_puzzles.pipeline.making.pictures import making_of, sides_of
from cnfgen_puzzles.pipeline.making.wanted import wanted_of

PICTURE_OPTIONS = (
    Option("size", "width x height in cells, or the longer side; a random picture: the side of a square"),
    Option("colours", "so many colours besides the background; 1: black", None, int, least=1, most=51),
    Option(
        "threshold", "what is darker is filled, in percent from black to white; by default Otsu's", None, float, least=0, most=100
    ),
    Option("invert", "fill what is light instead of what is dark", None, bool),
)
ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".pbm", ".txt")


def family_command(family: Family) -> click.Command:
    making = making_of(family)
    generators, mine = making.generators, {option.name for option in PICTURE_OPTIONS}
    others = [click_option(option, note) for option, note in takers(generators) if option.name not in mine]
    formats = {entry.name: entry.title for entry in family.formats.values() if entry.write is not None}
    return SectionedCommand(
        family.name,
        callback=lambda **values: make_puzzles(family, values),
        help=f"Make {family.summary} of pictures: each with exactly one solution, proved.\n\nA FILE is a picture (PNG, JPEG, "
        "..., SVG, PBM), a drawing of # and ., or a puzzle that says its solution.",
        short_help=family.summary,
        sections={
            "Picture": [
                click.Argument(["files"], metavar="[FILE]...", nargs=-1, type=FileName(lambda: ENDINGS)),
                *(click_option(option) for option in PICTURE_OPTIONS),
                click.Option(["--title"], metavar="TEXT", help="What the puzzle is called."),
                click.Option(["--author"], metavar="TEXT", help="Who made it."),
            ],
            "Random pictures": [
                click.Option(
                    ["--generate"],
                    type=Name(f"generator of {family.name}", summaries(generators)),
                    metavar="NAME",
                    help=f"Instead of a file: {told(generators)}.",
                ),
                click.Option(["--seed"], type=int, metavar="N", help="Seed of --generate, 1 if not given."),
                click.Option(["--number"], type=click.IntRange(min=1), metavar="N", help="So many, by seeds that follow."),
                *others,
            ],
            "Puzzle": [
                click.Option(["--line-solvable"], is_flag=True, help="Line logic solves it, without looking ahead."),
                click.Option(
                    ["--difficulty"], is_flag=False, flag_value="", metavar="[LEVEL]",
                    help="Tell how hard it is, as explain-puzzle measures that; with a level make it so hard: line-logic (as "
                    "--line-solvable), ahead-1 (or 2, ...), or a score as 100-300.",
                ),
                click.Option(
                    ["--time", "seconds"],
                    type=SECONDS,
                    default=SEARCH,
                    metavar="SECONDS",
                    help=f"For the search, for each puzzle: a third of it for the fewest changes.  [default: {SEARCH:g}]",
                ),
            ],
            "Evidence": [
                click.Option(
                    ["--solver", "-s"], type=Name("solver", solver_titles, others=True), metavar="SOLVER",
                    help="Which proves that there is no other solution; by default the best that is there.",
                ),
                checker_param(),
            ],
            "Output": [
                click.Option(
                    ["--output", "-o"], type=FileName(), metavar="FILE", help="Write the puzzle here; of several, in this folder."
                ),
                click.Option(
                    ["--to"], type=Name(f"{family.name} format", formats), metavar="FORMAT",
                    help=f"Its format: {', '.join(formats)}; by default as the ending of -o says, in a folder what loses least.",
                ),
                click.Option(
                    ["--picture"], type=FileName(), metavar="FILE",
                    help="Draw the solution here, the changed cells marked: .svg, .png or .txt.",
                ),
                click.Option(["--json", "as_json"], is_flag=True, help="Tell all as JSON; of several puzzles a line each."),
                click.Option(
                    ["--jobs", "-j"], type=click.IntRange(min=1), metavar="N",
                    help="Processes side by side; by default one a core.",
                ),
                click.Option(["--quiet", "-q"], is_flag=True, help="Draw nothing, and show no progress."),
            ],
        },
        examples=[
            f"make-puzzle {family.name} cat.png --size 30x40 -o cat.non",
            f"make-puzzle {family.name} photo.jpg --size 40 --line-solvable --picture before-after.svg",
            f"make-puzzle {family.name} --generate blobs --size 15 --difficulty 100-150",
            f"make-puzzle {family.name} parrot.png --size 25 --colours 4 -o parrot.xml",
            f"make-puzzle {family.name} --generate blobs --size 20 --number 1000 -o puzzles",
        ],
        closing="Exits with 0 (each puzzle has one solution, proved), 1 (one has not, or a fault of ours), "
        "2 (a mistake in the call or the input).",
    )  # fmt: skip


def jobs_of(family: Family, values: dict[str, Any]) -> list[Job]:
    """What is to be made; InputError for options that do not go together."""
    about = {name: values[name] for name in ("title", "author") if values[name]}
    settings = {name: values[name] for name in ("line_solvable", "seconds", "solver", "checker")}
    picture = chosen(values, PICTURE_OPTIONS)
    generators = making_of(family).generators
    level = values["difficulty"]
    settings["difficulty"] = wanted_of(level).text if level else None
    common: dict[str, Any] = {"about": about, "settings": settings, "difficulty": level is not None}
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
        return make_many(family, jobs, values)
    output, wanted = values["output"], values["to"]
    if wanted is not None and output is None:
        raise InputError("found --to and no -o, expected where the puzzle is to be written, as with -o -")
    if output is not None and wanted is None:
        wanted = format_for(family, output)
    drawn = view_for(family, None, values["picture"]) if values["picture"] else None
    if values["picture"] and drawn is None:
        raise InputError("found the ending .json, expected a picture: .svg, .png or .txt", source=values["picture"])
    aside = output == "-"
    if aside and values["as_json"]:
        raise InputError("found --json and -o -: both would be written to standard output")
    for file in (output, values["picture"]):
        if file not in (None, "-"):
            check_writable(Path(file))  # before a minute of work
    with watched("making the puzzle"):
        result, how = made(jobs[0])
        if drawn is not None:
            write_text(values["picture"], drawn.draw(result.puzzle, result.board, compared(result)))
    if output is not None and result.unique:
        _, text, lost = written(result, wanted)
        if lost:
            say(f"note: {wanted} has no place for: {', '.join(lost)}", err=True)
        write_text(output, text)
    if values["as_json"]:
        write_text(None, json.dumps(described(jobs[0], result), indent=2) + "\n")
    else:
        tell(result, how, aside=aside, quiet=values["quiet"])
        if values["difficulty"] is not None:
            hard = difficulty(result)
            told = "Difficulty" if result.how != UNREACHED else "The nearest that was found"
            say(f"{told}: {hard['class']}, score {hard['score']}, {hard['steps']} steps.", err=aside)
    return 0 if result.unique else 1


def compared(result: Made) -> Any:
    """The picture with which the puzzle's is compared, if they differ."""
    return result.picture if result.changes else None


def tell(result: Made, how: str, *, aside: bool, quiet: bool) -> None:
    """The picture with what was changed, and what is known of the puzzle."""
    family = result.family
    if not quiet:
        drawn = view_for(family, "text" if aside else None, None)
        assert drawn is not None and drawn.suffix not in PICTURES
        text = drawn.draw(result.puzzle, result.board, compared(result))
        click.echo(text, err=aside)
    say(f"{family.describe(result.puzzle)}{f', {how}' if how else ''}", err=aside)
    say(result.sentence(), err=aside)
    for place in result.places():
        say(f"  {place}", err=aside)


# -- many -----------------------------------------------------------------------------------------------------------------


def make_many(family: Family, jobs: list[Job], values: dict[str, Any]) -> int:
    """All of them, one process a core; the exit code."""
    if values["output"] is None or values["output"] == "-":
        raise InputError(f"found {len(jobs)} puzzles to make and no folder, expected -o FOLDER")
    if values["picture"]:
        raise InputError("found --picture, which is for one puzzle")
    folder = Path(values["output"])
    names = [job.name for job in jobs]
    if double := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"found two pictures called {double}, expected names that differ", source=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    right = changed = 0
    for job, result in results(jobs, values):
        right += isinstance(result, Finished) and result.unique
        if isinstance(result, CnfgenError):
            say(f"{job.name}: {result}", err=True)
            continue
        changed += bool(result.entry["changes"])
        if result.unique:
            suffix = next(iter(family.formats[result.format].suffixes), "")
            write_text(str(folder / f"{job.name}{suffix}"), result.text)
        if values["as_json"]:
            write_text(None, json.dumps(result.entry, separators=(",", ":")) + "\n")
        elif not values["quiet"] or not result.unique:
            say(f"{job.name}: {result.sentence}")
    say(f"{right} of {len(jobs)} puzzles with one solution, proved; {changed} of their pictures were changed.", err=True)
    return 0 if right == len(jobs) else 1


def results(jobs: list[Job], values: dict[str, Any]) -> Iterator[tuple[Job, Finished | CnfgenError]]:
    """Each job with what came of it, as it comes."""
    waiting = iter(jobs)
    processes = values["jobs"]
    with open_executor(None, processes) as executor, Progress(quiet=values["quiet"], total=len(jobs), unit="puzzle") as progress:
        work = Distributor[Job](executor, lambda job: (finished, job, values["to"]), "puzzles")
        for done, event in enumerate(work.results(lambda: next(waiting, None)), start=1):
            progress.show(f"{done} of {len(jobs)} puzzles made", done=done)
            yield event.unit, event.error or event.value


class MakingGroup(click.Group):
    """The families whose puzzles can be made of pictures."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [family.name for family in every_family() if family.making is not None]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return family_command(find_family(name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Families"):
            formatter.write_dl([(name, find_family(name).summary) for name in self.list_commands(ctx)])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(formatter, EXAMPLES)


EXAMPLES = [
    "make-puzzle nonogram cat.png --size 30x40 -o cat.non",
    "make-puzzle nonogram --generate blobs --size 20 --seed 7",
]
COMMAND = MakingGroup(
    "make-puzzle",
    subcommand_metavar="FAMILY FILE... [OPTIONS]",
    no_args_is_help=True,
    context_settings={"max_content_width": WIDTH},
    help="""Make a puzzle of a picture: with exactly one solution, which is proved, by changing as few cells as can be.""",
)
version_option(COMMAND)


def main() -> None:
    run(COMMAND)
