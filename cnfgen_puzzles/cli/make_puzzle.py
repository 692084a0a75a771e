"""make-puzzle: make puzzles with exactly one solution from pictures (`making/making.py`), from regions (`making/cutting.py`), or
from random boards (`making/clues.py`).

One puzzle is made in this process, several in worker processes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.app import check_suffix, check_writable, say, say_lines, write_text
from cnfgen_puzzles.cli.boards import view_for
from cnfgen_puzzles.cli.convert_puzzle import format_for, format_param
from cnfgen_puzzles.cli.errors import ANSWERED, FAILED, MISTAKE, NOT_ANSWERED
from cnfgen_puzzles.cli.families import GENERATE_HELP, FamilyCommands, choice_param, takers
from cnfgen_puzzles.cli.help import DocumentedCommand, option_word
from cnfgen_puzzles.cli.params import (
    COUNT,
    JOBS,
    SECONDS,
    FileName,
    Name,
    checker_param,
    click_option,
    flag,
    param,
    pick_given,
    solver_titles,
)
from cnfgen_puzzles.cli.progress import Progress
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import Family, View
from cnfgen_puzzles.families.options import Option, checked_options
from cnfgen_puzzles.making.clues import clue_job
from cnfgen_puzzles.making.cutting import SECONDS as CUTTING_SECONDS
from cnfgen_puzzles.making.cutting import cut_job
from cnfgen_puzzles.making.made import Make, make_text, write_as
from cnfgen_puzzles.making.making import SECONDS as SEARCH
from cnfgen_puzzles.making.making import make_job, parse_difficulty
from cnfgen_puzzles.making.pictures import making_of, sides_of
from cnfgen_puzzles.solving.distribute import distribute
from cnfgen_puzzles.solving.executors import Processes

EXITS = "Exit codes: 0 each puzzle has exactly one solution, proved; 3 a puzzle could not be made; 1 internal error; 2 mistake."
PICTURE_OPTIONS = (
    Option("size", "set width x height in cells, or the longer side; for a random picture, the side of a square"),
    Option("colors", "use this many colors besides the background; 1 is black", None, int, least=1, most=51),
    Option(
        "threshold",
        "fill cells that are darker than this, in percent from black to white; by default Otsu's threshold",
        None,
        float,
        least=0,
        most=100,
    ),
    Option("invert", "fill light cells instead of dark ones", None, bool),
)
SIZE = Option("size", "set width x height in cells, or the longer side of a picture; without a file, a rectangle")
OF_PICTURES = [SIZE, *(option for option in PICTURE_OPTIONS if option.name in ("threshold", "invert"))]


Unit = tuple[str, str | None, int]
"""A puzzle to make: its name, its file (None: the options define the puzzle), and its seed."""
Job = tuple[Make, list[Unit]]

# -- the subcommands ---------------------------------------------------------------------------------------------------------


def made_command(
    family: Family,
    job: Callable[[Any, Mapping[str, Any]], Job],
    help: str,
    sections: Mapping[str, list[click.Parameter]],
    examples: Sequence[str],
    marked: str = "",
) -> click.Command:
    """The subcommand of a family, with the options that all of them have. `job(family, values)` raises InputError for conflicting
    options; `marked` is added to the help of --picture."""
    proves = "Prove with this solver that there is no other solution; by default the best installed one."
    solver = Name("solver", solver_titles, others=True)
    return DocumentedCommand(
        family.name,
        callback=lambda **values: make_all(family, job(family, values), values),
        help=help,
        short_help=family.summary,
        sections={
            **sections,
            "Evidence": [param("--solver", "-s", type=solver, metavar="SOLVER", help=proves), checker_param()],
            "Output": [
                param(
                    "--output", "-o", type=FileName(), help="Write the puzzle to this file, or several puzzles to this folder."
                ),
                format_param(family, "Write this format", "; for a folder, the format that keeps most"),
                param("--picture", type=FileName(), help=f"Draw the solution to this file{marked}: .svg, .png, or .txt."),
                flag("--json", "as_json", help="Print the results as JSON, one line for each of several puzzles."),
                param("--jobs", "-j", type=JOBS, help="Run N processes in parallel; by default one per core."),
                flag("--quiet", "-q", help="Print neither the board nor the progress."),
            ],
        },
        examples=[f"make-puzzle {family.name} {example}" for example in examples],
        common=("--generate", "--size", "--seed", "--output", "--picture", "--json"),
        closing=EXITS,
    )


def picture_params(options: Iterable[Option]) -> list[click.Parameter]:
    """The files, the options that turn pictures into cells, and the title and author of the puzzle."""
    return [
        click.Argument(["files"], metavar="[FILE]...", nargs=-1, type=FileName()),
        *map(click_option, options),
        param("--title", metavar="TEXT", help="Set the title of the puzzle."),
        param("--author", metavar="TEXT", help="Set the author of the puzzle."),
    ]


def seed_params() -> list[click.Parameter]:
    """--seed and --number of puzzles that are always random."""
    return [
        param("--seed", type=int, default=1, help="Set the seed: each one makes another puzzle.  [default: 1]"),
        param("--number", type=COUNT, help="Make N puzzles, with consecutive seeds."),
    ]


def units_of(values: Mapping[str, Any], files: Sequence[str | None], prefix: str, *, numbered: bool = False) -> list[Unit]:
    """The puzzles of these files and of the seeds of --seed and --number. The name of a puzzle is that of its file, or `prefix`
    if there is none. It has the seed if there is no file, or if the puzzles are `numbered`."""
    first = 1 if values["seed"] is None else values["seed"]
    named = [(Path(file).stem, file, numbered) if file else (prefix, None, True) for file in files]
    seeds = range(first, first + (values["number"] or 1))
    return [(f"{stem}-{seed:04}" if counted else stem, file, seed) for stem, file, counted in named for seed in seeds]


def settings_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of searches in pictures and regions."""
    about = {name: values[name] for name in ("title", "author") if values[name]}
    return {"about": about, **{name: values[name] for name in ("seconds", "solver", "checker")}}


def picture_command(family: Family) -> click.Command:
    """The subcommand of a family whose puzzles are made from pictures."""
    generators, mine = making_of(family).generators, {option.name for option in PICTURE_OPTIONS}
    difficulty = (
        "Print the difficulty, as explain-puzzle measures it. With a level, make a puzzle of it: line-logic (as "
        "--line-solvable), ahead-1 (or 2, ...), or scores such as 100-300."
    )
    searching = "Limit the CPU time of the search for each puzzle; a third of it is for the fewest changes."
    return made_command(
        family,
        picture_job,
        f"Make {family.summary} from pictures, each with exactly one solution, proved.\n\nA FILE is a picture (PNG, JPEG, "
        "..., SVG, PBM), a drawing of # and ., or a puzzle file that contains its solution.",
        {
            "Picture": picture_params(PICTURE_OPTIONS),
            "Random pictures": [
                choice_param(f"generator of {family.name}", generators, "--generate", help=GENERATE_HELP),
                param("--seed", type=int, help="Set the seed of --generate.  [default: 1]"),
                param("--number", type=COUNT, help="Make N puzzles, with consecutive seeds."),
                *(click_option(option, note) for option, note in takers(generators) if option.name not in mine),
            ],
            "Puzzle": [
                flag("--line-solvable", help="Make a puzzle that line logic solves, without looking ahead."),
                param("--difficulty", flag_value="", metavar="[LEVEL]", help=difficulty),
                param("--time", "seconds", type=SECONDS, default=SEARCH, help=f"{searching}  [default: {SEARCH:g}]"),
            ],
        },
        [
            "sample:heart.svg --size 30 -o heart.non",
            "sample:flower --size 20 --line-solvable --picture before-after.svg",
            "--generate blobs --size 15 --difficulty 100-150",
            "sample:flower --size 20 --colors 4 -o flower.xml",
            "--generate blobs --size 20 --number 100 -o puzzles",
        ],
        ", with the changed cells marked",
    )


def picture_job(family: Family, values: Mapping[str, Any]) -> Job:
    picture = pick_given(values, PICTURE_OPTIONS)
    generators = making_of(family).generators
    level = values["difficulty"]
    make = partial(
        make_job,
        explained=level is not None,
        line_solvable=values["line_solvable"],
        difficulty=parse_difficulty(level).text if level else None,
        **settings_of(values),
    )
    others = pick_given(values, (option for each in generators.values() for option in each.options))
    if not values["generate"]:
        if not values["files"]:
            raise InputError("found neither a picture nor --generate, expected one of them")
        for name in [*(others.keys() - picture.keys()), *(name for name in ("seed", "number") if values[name] is not None)]:
            raise InputError(f"found {option_word(name)} without --generate")
        if "size" in picture:
            sides_of(picture["size"])  # report a mistake before the work
        if picture.get("colors", 1) > 1 and (grey := next((name for name in ("threshold", "invert") if name in picture), None)):
            raise InputError(f"--{grey} is for black and white, but there are {picture['colors']} colors")
        return partial(make, options=picture), units_of(values, values["files"], "")
    if values["files"]:
        raise InputError("found a file and --generate, expected one of them", source=values["files"][0])
    generator = generators[values["generate"]]
    options = checked_options(generator.options, {**picture, **others}, f"the generator {generator.name}")
    return partial(make, generator=generator.name, options=options), units_of(values, (None,), generator.name)


def region_command(family: Family) -> click.Command:
    """The subcommand of a family whose puzzles are cut from regions."""
    assert family.cutting is not None
    sections: dict[str, list[click.Parameter]] = {"Region": picture_params(OF_PICTURES)}
    for option in family.cutting.options:
        sections.setdefault(option.group or "Pieces", []).append(click_option(option))
    searching = "Limit the CPU time of the search; the proof may take as long, and at least a minute."
    time = param("--time", "seconds", type=SECONDS, default=CUTTING_SECONDS, help=f"{searching}  [default: {CUTTING_SECONDS:g}]")
    return made_command(
        family,
        region_job,
        f"Make {family.summary} by cutting regions into pieces, each with exactly one solution up to symmetry, proved."
        "\n\nA FILE is a picture (PNG, JPEG, ..., SVG, PBM), a drawing of # and ., or a puzzle whose board is the region.",
        sections | {"Search": [*seed_params(), time]},
        [
            "--size 10x6 --seed 7 -o ten-by-six.yaml",
            "--board 5x6 --pieces pentominoes --picture solution.svg",
            "sample:heart.svg --size 12 --piece-size 6-9 -o heart.yaml",
            "--board 3x3x4 --number 3 -o boxes",
        ],
    )


def region_job(family: Family, values: Mapping[str, Any]) -> Job:
    assert family.cutting is not None
    picture, options = pick_given(values, OF_PICTURES), pick_given(values, family.cutting.options)
    size = sides_of(picture["size"]) if "size" in picture else None
    if not values["files"]:
        if wrong := next((name for name in picture if name != "size"), None):
            raise InputError(f"found {option_word(wrong)} without a picture, expected a file")
        if size and "board" in options:
            raise InputError("found --size and --board, expected one of them")
        if size:
            width, height = size
            options["board"] = f"{height or width}x{width}"
        picture = {}
    make = partial(cut_job, picture=picture, options=options, **settings_of(values))
    return make, units_of(values, values["files"] or (None,), "cut", numbered=values["number"] is not None)


def clue_command(family: Any) -> click.Command:
    """The subcommand of a family whose puzzles are made from random boards."""
    made = f"{family.made}x{family.made}"
    size = f"Set width x height in cells, or the side of a square.  [default: {made}]"
    return made_command(
        family,
        clues_job,
        f"Make {family.name} puzzles of a given size, each with exactly one solution, proved. A random board gets all clues "
        "that it allows; then each clue is left out if the solution stays unique.",
        {"Puzzle": [param("--size", default=made, metavar="SIZE", help=size), *seed_params()]},
        [
            f"--size {made} --seed 7 -o made.url --picture solution.svg",
            f"--size {min(family.made, 6)} --number 3 -o puzzles",
        ],
    )


def clues_job(family: Any, values: Mapping[str, Any]) -> Job:
    width, height = sides_of(values["size"])
    if expected := family.unmakeable(width, height or width):
        raise InputError(f"found the size {values['size']} for {family.name}, expected {expected}")
    make = partial(clue_job, size=(width, height or width), solver=values["solver"], checker=values["checker"])
    return make, units_of(values, (None,), family.name)


# -- making ------------------------------------------------------------------------------------------------------------------


def make_all(family: Family, job: Job, values: Mapping[str, Any]) -> int:
    """Run the command and return its exit code."""
    make, units = job
    if len(units) > 1 or values["number"] is not None:
        return make_many(family, make, units, values)
    output, aside = values["output"], values["output"] == "-"
    format, drawn = check_output(family, values)
    with doing("making the puzzle"):
        made = make(family, *units[0][1:])
        compared = made.picture if made.changes else None
        if drawn is not None and made.board is not None:
            write_text(values["picture"], drawn.draw(made.puzzle, made.board, compared))
    if output is not None and made.unique:
        _, text, lost = write_as(family, made.puzzle, format)
        if lost:
            say(f"note: {format} cannot store: {', '.join(lost)}", err=True)
        write_text(output, text)
    if values["as_json"]:
        write_text(None, json.dumps(made.to_json(), indent=2) + "\n")
        return ANSWERED if made.unique else NOT_ANSWERED
    if made.board is not None and not values["quiet"]:
        view = view_for(family, "text" if aside else None, None)
        assert view is not None
        drawing = view.draw(made.puzzle, made.board, compared)
        assert isinstance(drawing, str)
        if aside:
            say_lines(drawing, err=True)
        else:
            write_text(None, drawing + "\n")
    for line in made.lines():
        say(line, err=aside)
    if output is None and made.unique and family.reducing:
        say(write_as(family, made.puzzle, None)[1].strip())
    return ANSWERED if made.unique else NOT_ANSWERED


def check_output(family: Family, values: Mapping[str, Any]) -> tuple[str | None, View | None]:
    """The format of the puzzle file and the view of the picture, if given; InputError for bad outputs, before any work."""
    output, wanted, picture = values["output"], values["to"], values["picture"]
    if wanted is not None and output is None:
        raise InputError("found --to without -o, expected an output, such as -o -")
    check_suffix(output, "", f"--picture {output} draws the solution, and --json prints JSON")
    if output is not None and wanted is None:
        wanted = format_for(family, output)
    drawn = view_for(family, None, picture) if picture else None
    if picture and drawn is None:
        raise InputError("found the suffix .json, expected a picture: .svg, .png, or .txt", source=picture)
    if output == "-" and values["as_json"]:
        raise InputError("found --json and -o -, expected one of them: both write to standard output")
    for file in (output, picture):
        if file not in (None, "-"):
            check_writable(Path(file))
    return wanted, drawn


def make_many(family: Family, make: Make, units: Sequence[Unit], values: Mapping[str, Any]) -> int:
    """Make the puzzles in parallel, write and report each, print a summary, and return the exit code."""
    folder = check_folder(units, values)
    right = changed = refused = failed = 0
    with Processes(values["jobs"]) as executor, Progress(len(units), "puzzle", quiet=values["quiet"]) as progress:
        work = distribute(executor, units, lambda unit: (make_text, make, family.name, *unit[1:], values["to"]), "puzzles")
        with closing(work) as results:
            for done in filter(None, results):
                progress.done += 1
                progress.show(f"{progress.done} of {len(units)} puzzles made")
                name, _, seed = done.unit
                if done.error is not None:
                    say(f"{name}: {done.error}", err=True)
                    refused += isinstance(done.error, InputError)
                    failed += not isinstance(done.error, InputError)
                    continue
                entry, line, format, text = done.value
                right += entry["unique"]
                changed += bool(entry.get("changes"))
                if entry["unique"]:
                    suffix = next(iter(family.formats[format].suffixes), "")
                    write_text(str(folder / f"{name}{suffix}"), text)
                if values["as_json"]:
                    numbered = {} if family.making else {"seed": seed}
                    write_text(None, json.dumps({"name": name} | numbered | entry, separators=(",", ":")) + "\n")
                elif not values["quiet"] or not entry["unique"]:
                    say(f"{name}: {line}")
    parts = [f"{right} of {len(units)} puzzles with one solution, proved"]
    parts += [] if family.making is None else [f"{changed} of their pictures {'was' if changed == 1 else 'were'} changed"]
    parts += [f"{refused} {'input was' if refused == 1 else 'inputs were'} refused"] if refused else []
    say(f"{'; '.join(parts)}.", err=True)
    return FAILED if failed else MISTAKE if refused else ANSWERED if right == len(units) else NOT_ANSWERED


def check_folder(units: Sequence[Unit], values: Mapping[str, Any]) -> Path:
    """The folder for several puzzles, which is created; InputError if that is impossible."""
    if values["output"] is None or values["output"] == "-":
        raise InputError(f"found {len(units)} puzzles without a folder, expected -o FOLDER")
    if values["picture"]:
        raise InputError("--picture is for one puzzle, but there are several")
    folder = Path(values["output"])
    (double, count), *_ = Counter(name for name, *_ in units).most_common(1)
    if count > 1:
        raise InputError(f"found two pictures called {double}, expected different names", source=str(folder))
    if folder.exists() and not folder.is_dir():
        raise InputError(f"found a file, expected a folder for {len(units)} puzzles", source=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


COMMAND = FamilyCommands(
    "make-puzzle",
    make=lambda family: (picture_command if family.making else region_command if family.cutting else clue_command)(family),
    offered=lambda family: family.making is not None or family.cutting is not None or family.reducing,
    takes="can be made",
    metavar="FAMILY [FILE]... [OPTIONS]",
    help="""Make a puzzle with exactly one solution, proved: from a picture, with as few changed cells as possible; from a region,
    by cutting it into pieces; or from a random board, with clues of which none can be left out.""",
    examples=[
        "make-puzzle nonogram sample:heart.svg --size 30 -o heart.non",
        "make-puzzle nonogram --generate blobs --size 20 --seed 7",
        "make-puzzle tiling --size 10x6 --seed 7 -o ten-by-six.yaml",
        "make-puzzle tiling sample:heart.svg --size 12 --picture solution.svg -o heart.yaml",
        "make-puzzle slither --size 10x10 --seed 1 -o loop.url",
    ],
)
