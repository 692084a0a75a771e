"""bench-cnf plot: draw plots of results, and write their data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench.analyse.results import result_files
from cnfgen_puzzles.bench.show.plots import FORMATS, KINDS, csv_of, render, scene
from cnfgen_puzzles.cli.app import output_stream, say, version_option
from cnfgen_puzzles.cli.bench.outputs import PAR, PATHS, TIME, describe_filters, filter_mark, read_selected, selection
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.common.errors import InputError, unknown_name

FOLDER = "plots"


@click.command(
    "plot",
    cls=DocumentedCommand,
    help=f"""Draw plots of the results in FOLDERs or files, and print their captions.

    Kinds: {", ".join(KINDS)}. The names and captions of filtered plots contain the filter: cactus.family=nonogram.png.""",
    common=("--output", "--filter"),
    examples=[
        "bench-cnf sample:bench",
        "bench-cnf plot results/sample",
        "bench-cnf plot results/sample --kind cactus,scatter --format pdf,svg",
        "bench-cnf plot results/sample --kind scatter --compare kissat glucose",
        "bench-cnf plot results/sample --kind scaling --filter family=nonogram --size clauses --data",
    ],
    closing="Exit codes: 0 drawn, 1 an answer is wrong or two disagree, 2 mistake.",
)
@PATHS
@click.option("--kind", "kinds", metavar="KINDS",
              help=f"Draw these kinds, separated by commas: {', '.join(KINDS)}; by default all possible ones.")  # fmt: skip
@click.option("--compare", nargs=2, metavar="A B", help="Compare two solvers, or two encodings, in the scatter plot.")
@click.option("--by", type=click.Choice(["solver", "encoding"]),
              help="Distinguish only solvers or only encodings; by default both.")  # fmt: skip
@selection
@TIME
@PAR
@click.option("--size", metavar="NAME",
              help="Set the size measure of scaling plots, such as clauses; by default that of the family.")  # fmt: skip
@click.option("--format", "formats", metavar="FORMATS", default="png", show_default=True,
              help=f"Write these formats, separated by commas: {', '.join(FORMATS)}.")  # fmt: skip
@click.option("--data", is_flag=True, help="Also write the data of each plot as CSV.")
@click.option("--output", "-o", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Write to this folder; by default plots/ in the first result folder.")  # fmt: skip
@click.option("--width", type=click.IntRange(60, 5000), help="Set the width of the drawing area, without axes and legend.")
@click.option("--height", type=click.IntRange(60, 5000), help="Set the height of the drawing area.")
@click.option("--title", help="Draw this title in the plots; by default none.")
@click.option("--per-run", is_flag=True,
              help="Show each run in cactus, survival, and box plots; by default, runs of an instance that differ only in seed, "
              "repetition, or scrambling are one point, their median.")  # fmt: skip
@version_option
def command(
    paths: tuple[Path, ...],
    kinds: str | None,
    size: str | None,
    formats: str,
    data: bool,
    folder: Path | None,
    title: str | None,
    by: str | None,
    compare: tuple[str, str] | None,
    filters: tuple[str, ...],
    features: tuple[str, ...],
    all_runs: bool,
    k: float,
    **options: Any,
) -> int:
    forms = words(formats, "format", FORMATS)
    wanted = words(kinds, "kind of plot", KINDS) if kinds else list(KINDS)
    if folder and folder.suffix[1:].lower() in FORMATS:
        raise InputError(
            f"found the name of a picture for -o, expected a folder; use --format {folder.suffix[1:].lower()}",
            source=str(folder),
        )
    folder = folder or result_files(paths)[0].parent / FOLDER
    results = read_selected(paths, filters=filters, features=features, all_runs=all_runs)
    records = results.records
    if size and not any(size in {**(r.get("size") or {}), **(r.get("cnf") or {})} for r in records):
        raise InputError(unknown_name("size", size, {name for r in records for name in r["size"]} | {"clauses", "variables"}))
    from cnfgen_puzzles.bench.show.drawing import plots_of  # takes a second

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be created: {error.strerror or error}", source=str(folder)) from None

    drawn = 0
    whole = scene(records, par=k, **options)
    for kind in wanted:
        plots = plots_of(kind, whole, size=size, by=by, compare=compare)
        if not plots and kinds:
            raise InputError(f"the results allow no {kind} plot, which needs {KINDS[kind]}", source=str(paths[0]))
        for plot in plots:
            plot = replace(
                plot, name=plot.name + filter_mark(filters), caption=f"{plot.caption} {describe_filters(filters)}".rstrip()
            )
            files = {form: render(plot, form, title=title) for form in forms}
            for suffix, content in (files | ({"csv": csv_of(plot)} if data else {})).items():
                path = folder / f"{plot.name}.{suffix}"
                with output_stream(str(path)) as stream:
                    stream.write(content)
                say(str(path))
            say(f"  {plot.caption}")
        drawn += len(plots)
    if not drawn:
        raise InputError("the results allow no plot", source=str(paths[0]))
    return 1 if results.alarms else 0


def words(text: str, what: str, known: Iterable[str]) -> list[str]:
    """The words of a list with commas, each once; InputError for an unknown word."""
    found = list(dict.fromkeys(word.strip().lower() for word in text.split(",") if word.strip()))
    for word in found:
        if word not in known:
            raise InputError(unknown_name(what, word, known))
    if not found:
        raise InputError(f"found no {what}, expected some of: {', '.join(known)}")
    return found
