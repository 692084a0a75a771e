"""bench-cnf plot: draw plots of results, and write their data."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench.analyse.results import result_files
from cnfgen_puzzles.bench.show.plots import FORMATS, KINDS, csv_of, render
from cnfgen_puzzles.cli.app import output_stream, say, version_option
from cnfgen_puzzles.cli.bench.outputs import FOLDER, PATHS, SCORING, SELECTION, describe_filters, filter_mark, read_selected
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import flag, param
from cnfgen_puzzles.common.errors import InputError, unknown_name


@click.command(
    "plot",
    cls=DocumentedCommand,
    help=f"""Draw plots of the results in FOLDERs or files, and print their captions.

    Kinds: {", ".join(KINDS)}. The names and captions of filtered plots contain the filter: cactus.family=nonogram.png.""",
    params=[
        PATHS,
        param("--kind", "kinds", metavar="KINDS",
              help=f"Draw these kinds, separated by commas: {', '.join(KINDS)}; by default all possible ones."),
        click.Option(["--compare"], nargs=2, metavar="A B",
                     help="Compare two solvers, or two encodings, in the scatter plot."),
        param("--by", type=click.Choice(["solver", "encoding"]),
              help="Distinguish only solvers or only encodings; by default both."),
        *SELECTION,
        *SCORING,
        param("--size", metavar="NAME",
              help="Set the size measure of scaling plots, such as clauses; by default that of the family."),
        param("--format", "formats", metavar="FORMATS", default="png",
              help=f"Write these formats, separated by commas: {', '.join(FORMATS)}.  [default: png]"),
        flag("--data", help="Also write the data of each plot as CSV."),
        param("--output", "-o", "folder", type=FOLDER, metavar="FOLDER",
              help="Write to this folder; by default plots/ in the first result folder."),
        param("--width", type=click.IntRange(60, 5000), help="Set the width of the drawing area, without axes and legend."),
        param("--height", type=click.IntRange(60, 5000), help="Set the height of the drawing area."),
        param("--title", help="Draw this title in the plots; by default none."),
        flag("--per-run",
             help="Show each run in cactus, survival, and box plots; by default, runs of an instance that differ only in seed, "
             "repetition, or scrambling are one point, their median."),
    ],
    common=("--output", "--filter"),
    examples=[
        "bench-cnf sample:bench",
        "bench-cnf plot results/sample",
        "bench-cnf plot results/sample --kind cactus,scatter --format pdf,svg",
        "bench-cnf plot results/sample --kind scatter --compare kissat glucose",
        "bench-cnf plot results/sample --kind scaling --filter family=nonogram --size clauses --data",
    ],
    closing="Exit codes: 0 drawn, 1 an answer is wrong or two disagree, 2 mistake.",
)  # fmt: skip
@version_option
def command(
    paths: tuple[Path, ...],
    kinds: str | None,
    formats: str,
    data: bool,
    folder: Path | None,
    title: str | None,
    filters: tuple[str, ...],
    features: tuple[str, ...],
    all_runs: bool,
    par: float,
    time: str,
    chosen: tuple[str, ...],
    **options: Any,
) -> int:
    forms = words(formats, "format", FORMATS)
    wanted = words(kinds or ",".join(KINDS), "kind of plot", KINDS)
    if folder and (suffix := folder.suffix[1:].lower()) in FORMATS:
        message = f"found the name of a picture for -o, expected a folder; use --format {suffix}"
        raise InputError(message, source=str(folder))
    folder = folder or result_files(paths)[0].parent / "plots"
    scoring: dict[str, Any] = {"par": par, "time": time, "chosen": chosen}
    results = read_selected(paths, whole=False, filters=filters, features=features, all_runs=all_runs, **scoring)
    from cnfgen_puzzles.bench.show.drawing import charts  # takes a second

    plots = charts(results.records, kinds=wanted, rules=results.rules, **options)
    for kind in set(wanted) - {plot.kind for plot in plots} if kinds else ():
        raise InputError(f"the results allow no {kind} plot, which needs {KINDS[kind]}", source=str(paths[0]))
    folder.mkdir(parents=True, exist_ok=True)
    for plot in plots:
        files = {form: render(plot, form, title=title) for form in forms} | ({"csv": csv_of(plot)} if data else {})
        for suffix, content in files.items():
            path = folder / f"{plot.name}{filter_mark(filters)}.{suffix}"
            with output_stream(str(path)) as stream:
                stream.write(content)
            say(str(path))
        say(f"  {plot.caption} {describe_filters(filters)}".rstrip())
    return 1 if results.alarms else 0


def words(text: str, what: str, known: Collection[str]) -> list[str]:
    """The words of a list with commas, each once; InputError for an unknown word."""
    found = list(dict.fromkeys(word.strip().lower() for word in text.split(",") if word.strip()))
    for word in found:
        if word not in known:
            raise InputError(unknown_name(what, word, known))
    if not found:
        raise InputError(f"found no {what}, expected some of: {', '.join(known)}")
    return found
