"""gen-cnf: encode a puzzle as a DIMACS CNF file, or as pseudo-Boolean constraints (OPB), with a variable map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.app import check_suffix, output_stream, say, write_text
from cnfgen_puzzles.cli.families import (
    ENCODING,
    FamilyGroup,
    choose_encoding,
    choose_puzzle,
    encoding_section,
    every_family,
    examples,
    puzzle_sections,
)
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import FileName, flag, param
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import special
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.pipeline.instance import make_instance, scramble_instance, sidecar_of

CUTS_HELP = (
    "Write the formula of the CEGAR loop (encoding lazy), with the cuts that decide whether the solution is unique. If there are "
    "several solutions, a model can break a rule. count-cnf refuses such a formula."
)


def family_command(family: Family) -> click.Command:
    def generate(**values: Any) -> None:
        to_opb = values["to"] == "opb" if values["to"] else str(values["output"]).endswith(".opb")
        if to_opb and values["scramble"] is not None:
            raise InputError("found --scramble with OPB output, expected one of the two: scramble a CNF")
        check_suffix(values["output"], ".cnf", "solve-puzzle draws boards, and convert-puzzle draws puzzles")
        puzzle = choose_puzzle(family, values).read()
        if argument := family.impossible(puzzle):
            say(f"warning: {values['file'] or family.name}: no solution: {argument}", err=True)
        options = choose_encoding(family, values)
        if values.get("cuts"):
            from cnfgen_puzzles.pipeline.cegar import cut_instance  # loads solvers

            if values["encoding"] and not family.uses_cegar(values["encoding"]):
                raise InputError(f"found --cuts and the encoding {values['encoding']}, which is complete; expected one of them")
            instance, decided = cut_instance(family, puzzle, pseudo_boolean=to_opb)
            say(f"{instance.map.partial or 'complete'}: the puzzle has {decided}", err=True)
        else:
            instance = make_instance(family, puzzle, values["encoding"], pseudo_boolean=to_opb, **options)
        if values["scramble"] is not None:
            instance = scramble_instance(instance, values["scramble"])
        output, map_file = values["output"], values["map_file"]
        if map_file is None and output not in (None, "-") and not special(Path(output)):
            map_file = str(sidecar_of(Path(output)))
        with output_stream(output) as stream:
            instance.write(stream, with_map=map_file is None)
            if map_file is not None:  # before the CNF gets its name, so that both files exist or none
                write_text(map_file, instance.map.to_json() + "\n")

    scrambling = "Rename variables, flip polarities, and shuffle literals and clauses with this seed. The map reverts it."
    to_help = "Write clauses (cnf) or pseudo-Boolean constraints (opb). The default depends on the suffix of -o, else cnf."
    output: list[click.Parameter] = [
        param("--to", type=click.Choice(["cnf", "opb"]), help=to_help),
        param("--scramble", type=int, metavar="SEED", help=scrambling),
        param(
            "--output",
            "-o",
            type=FileName(),
            metavar="CNF",
            help="Write the CNF to this file, and its map to x.map.json beside x.cnf.",
        ),
        param("--map", "map_file", type=FileName(), metavar="MAP", help="Write the variable map to this file."),
    ]
    sections = {**puzzle_sections(family), **encoding_section(family)}
    if family.refinement is not None and family.refinement.encodings:
        sections[ENCODING].append(flag("--cuts", help=CUTS_HELP))
    return DocumentedCommand(
        family.name,
        callback=generate,
        help=f"Encode {family.summary} as DIMACS CNF.\n\nWithout -o, the CNF goes to standard output, with the variable map in "
        "its comments. With -o x.cnf, the map goes to x.map.json.",
        short_help=family.summary,
        sections={**sections, "Output": output},
        common=("--generate", "--encoding", "--scramble", "--output"),
        examples=examples("gen-cnf", family, "> x.cnf", "-o x.cnf"),
    )


def list_families(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    described: set[str] = set()  # many genres share encodings and formats, which are described once
    for family in every_family():
        say(f"{family.name}: {family.summary}")
        encodings = {
            f"{name}{' (default)' * (name == family.default_encoding)}": each.summary for name, each in family.encodings.items()
        }
        generators = {name: each.summary for name, each in family.generators.items()}
        formats = {name: f"{each.title} ({', '.join(each.suffixes)})" for name, each in family.formats.items()}
        for kind, named in (("encoding", encodings), ("generator", generators), ("format", formats)):
            lines = [f"  {kind} {name}: {summary}" for name, summary in named.items()]
            if lines and described.issuperset(lines):
                say(f"  {kind}s: {', '.join(named)}")
            else:
                described.update(lines)
                for line in lines:
                    say(line)
    ctx.exit()


COMMAND = FamilyGroup(
    "gen-cnf",
    make=family_command,
    help="""Encode a puzzle as a DIMACS CNF file with a variable map.

    Without FAMILY, the family is detected from FILE. With -o x.cnf, the map goes to x.map.json, otherwise into the comments of
    the CNF.""",
    examples=[
        "gen-cnf sample:cat -o cat.cnf",
        "gen-cnf nonogram sample:cat --encoding direct | run-cnf kissat - | decode-cnf",
        "gen-cnf nonogram --generate random --size 20 --density 55 --seed 7 -o random.cnf",
        "gen-cnf tiling --board 6x10 --pieces pentominoes --scramble 1 | run-cnf kissat - | decode-cnf",
        "gen-cnf --list",
    ],
    params=[
        click.Option(
            ["--list"],
            is_flag=True,
            expose_value=False,
            callback=list_families,
            help="List the families with their encodings, generators, and formats.",
        ),
    ],
)
