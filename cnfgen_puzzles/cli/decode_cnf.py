"""decode-cnf: decode the answer of a solver to a board and check the board against the rules of its puzzle."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cnfgen_puzzles.cli.app import version_option, write_text
from cnfgen_puzzles.cli.boards import JSON, view_for
from cnfgen_puzzles.cli.errors import EXIT_HELP, exit_code_of
from cnfgen_puzzles.cli.families import every_family
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import CNF_FILE, EXIT_CODE, OUTPUT_HELP, FileName, Name, flag, param
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError, printable
from cnfgen_puzzles.common.inputlimits import input_limits
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.evidence.evidence import ARGUMENT, CLAIMED, MODEL, Evidence, evidence_json
from cnfgen_puzzles.evidence.evidence import COMMENT as EVIDENCE_COMMENT
from cnfgen_puzzles.formula import Cnf, VariableMap, read_dimacs
from cnfgen_puzzles.formula.opb import FORMAT, read_opb
from cnfgen_puzzles.formula.varmap import COMMENT as MAP_COMMENT
from cnfgen_puzzles.pipeline.instance import broken_in_opb, decode, puzzle_of, sidecar_of
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE, SolverAnswer, in_sat_words, read_answer


def decode_named(
    answer: str,
    map_file: str | None,
    cnf_file: str | None,
    view: str | None,
    letters: bool,
    labels: str | None,
    output: str | None,
    exit_code: bool,
) -> int:
    with doing(f"reading {answer}"):
        source = open_source(answer)
        found = read_answer(in_sat_words(source), comments=input_limits().comments)
    if found.verdict is None:
        raise InputError(
            "found no answer, expected a line `s SATISFIABLE`, `s UNSATISFIABLE`, or `s UNKNOWN`", source=source.name
        )
    vmap, map_name, cnf = _find_map(map_file, cnf_file, found, source.name)
    family, puzzle = puzzle_of(vmap, map_name)
    options = ({"letters": True} if letters else {}) | ({"labels": labels} if labels is not None else {})
    chosen = view_for(family, view, output, options)
    if found.verdict != SATISFIABLE:
        evidence = _evidence(family.impossible(puzzle), found, source.name) if found.verdict == UNSATISFIABLE else None
        words = f"no solution{evidence.words()}" if evidence else "not decided"
        entry = {"status": found.verdict, "board": None, "evidence": evidence_json(evidence)}
        text = json.dumps(entry) if chosen is None else printable(f"{words}: {family.describe(puzzle)}")
        write_text(output if chosen is None or output is None else None, text + "\n")
        return exit_code_of(found.verdict, as_solvers=exit_code)
    _check_model(found, vmap, map_name, cnf, cnf_file, source.name)
    _, _, board = decode(vmap, found.model or (), map_name)
    if chosen is None:
        entry = {"status": found.verdict, "board": family.board_to_json(puzzle, board), "evidence": Evidence(MODEL).to_json()}
        write_text(output, json.dumps(entry) + "\n")
    else:
        with doing("drawing"):
            drawing = chosen.draw(puzzle, board, None)
        write_text(output, drawing)
    return exit_code_of(found.verdict, as_solvers=exit_code)


def _evidence(argument: str | None, found: SolverAnswer, name: str) -> Evidence:
    """The evidence of 'no solution': an argument of the family, or else the claim and the evidence in the file."""
    if argument:
        return Evidence(ARGUMENT, argument)
    comments = [comment.removeprefix(EVIDENCE_COMMENT) for comment in found.comments if comment.startswith(EVIDENCE_COMMENT)]
    try:
        given = json.loads(comments[-1]) if comments else {}
        words = Evidence(str(given["kind"]), str(given["by"]), str(given["note"])).words() if given else ""
    except (ValueError, KeyError, TypeError, RecursionError):
        words = ""
    return Evidence(CLAIMED, name, f"it says: {words.strip(' ,()')}" if words else "")


def _find_map(
    map_file: str | None, cnf_file: str | None, found: SolverAnswer, answer_name: str
) -> tuple[VariableMap, str, Cnf | None]:
    """The map, its name, and the formula if it was given; InputError if they belong to different formulas."""
    carried = VariableMap.from_comments(found.comments, answer_name)
    vmap, name = carried, answer_name
    cnf = opb_sum = None
    if cnf_file:
        source = open_source(cnf_file)
        if opb := read_opb(source):
            opb_sum, comments = opb
            own = VariableMap.from_comments(comments, cnf_file)
        else:
            read = read_dimacs(source)
            cnf = read.cnf
            own = VariableMap.of_file(read, cnf_file)  # checked even if the answer contains a map
        if vmap is None:
            vmap, name = own, cnf_file
        if vmap is None and map_file is None and sidecar_of(Path(cnf_file)).exists():
            map_file = str(sidecar_of(Path(cnf_file)))
    if map_file:
        vmap, name = VariableMap.from_json(open_source(map_file).text(), map_file), map_file
        if carried is not None and carried.formula != vmap.formula:
            raise InputError(f"this map belongs to another formula than the answer in {answer_name}", source=map_file)
    if vmap is None:
        raise InputError(
            f"found no variable map (comments `c {MAP_COMMENT.strip()}`), expected it in the answer, or --map or --cnf",
            source=answer_name,
        )
    if cnf is not None and cnf_file is not None:
        vmap.check_belongs(cnf, map_name=name, cnf_name=cnf_file)
    if opb_sum not in (None, vmap.formula["sha256"]):
        raise InputError(f"this map belongs to another formula than {cnf_file}", source=name)
    return vmap, name, cnf


def _check_model(
    found: SolverAnswer, vmap: VariableMap, map_name: str, cnf: Cnf | None, cnf_file: str | None, answer_name: str
) -> None:
    """Check that the model uses only variables of the formula and, if a CNF is given or the map is of OPB, satisfies it."""
    n = vmap.formula["variables"]
    stray = next((literal for literal in found.model or () if abs(literal) > n), None)
    if stray is not None:
        raise InputError(f"found variable {abs(stray)} in the model, but the formula has {n} variables", source=answer_name)
    broken = cnf.falsified_clause(found.model or ()) if cnf is not None else None
    if broken is not None:
        raise CnfgenError(f"WRONG: the model in {answer_name} falsifies clause {broken} of {cnf_file}")
    violated = broken_in_opb(vmap, found.model or (), map_name) if vmap.formula.get("format") == FORMAT else None
    if violated is not None:
        raise CnfgenError(f"WRONG: the model in {answer_name} violates the constraint `{violated:.200}`")


def view_summaries() -> dict[str, str]:
    """The views of all families, for shell completion. The family of the answer checks the name."""
    return {name: view.summary for family in every_family() for name, view in family.views.items()} | {JSON: "for programs"}


COMMAND = DocumentedCommand(
    "decode-cnf",
    callback=decode_named,
    help="""Decode the ANSWER of a solver (default: standard input) and show the board.

    ANSWER has `s` and `v` lines, or is the result file of minisat. The variable map comes from its comments (run-cnf copies them
    from the CNF or from x.map.json), from --map, or from --cnf. The board is checked against the rules of the puzzle. With --cnf
    the model is checked against every clause as well, which run-cnf does anyway. Answers of pseudo-Boolean solvers to OPB files
    (`v x1 -x2`) are checked against every constraint.""",
    sections={
        "Answer": [
            click.Argument(["answer"], type=FileName(), default="-"),
            param(
                "--map",
                "map_file",
                type=FileName(),
                metavar="MAP",
                help="Read the variable map from this file.",
            ),
            param(
                "--cnf",
                "cnf_file",
                type=CNF_FILE,
                metavar="CNF",
                help="Check the model against this CNF or OPB file, and use its map.",
            ),
        ],
        "Output": [
            param(
                "--as",
                "view",
                type=Name("view", view_summaries, others=True),
                metavar="VIEW",
                help="Choose the view: text, plain, ansi, svg, png, json, or another one of the family; by default by the suffix "
                "of -o, else text.",
            ),
            flag("--letters", help="Draw the letters of the pieces in pictures, if the family has them."),
            param("--labels", metavar="WHICH", help="Show these labels of cells, if the puzzle has some: uncovered, all, none."),
            param("--output", "-o", type=FileName(), help=OUTPUT_HELP),
            EXIT_CODE,
        ],
    },
    common=("--as",),
    examples=[
        "gen-cnf sample:cat | run-cnf kissat - | decode-cnf",
        "gen-cnf sample:cat -o cat.cnf",
        "run-cnf kissat cat.cnf | decode-cnf",
        "run-cnf kissat cat.cnf > answer.txt",
        "decode-cnf --map cat.map.json --as svg -o cat.svg answer.txt",
        "decode-cnf --cnf cat.cnf answer.txt",
    ],
    closing=EXIT_HELP,
)
version_option(COMMAND)
