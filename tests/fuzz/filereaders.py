"""The readers of all that is no puzzle, as targets: formulas, maps, answers, suites, recipes, results, states, verdicts."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import lzma
import os
import re
from collections.abc import Iterable
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import click
import yaml
from fuzz.puzzlereaders import MAZE, NONOGRAM, TILING, shipped, solved
from fuzz.target import NAME, Target, folder, written
from repository import INSTANCES, REPOSITORY

from cnfgen_puzzles.bench.analyse.results import merge, read_results
from cnfgen_puzzles.bench.analyse.scores import disagreements, scores
from cnfgen_puzzles.bench.show.export import write_csv, write_json
from cnfgen_puzzles.bench.show.tables import render, score_tables
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.cli.decode_cnf import command as decode_cnf
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.problemfile import read_problem, write_problem
from cnfgen_puzzles.counting.state import State
from cnfgen_puzzles.evidence import proofs
from cnfgen_puzzles.formula import Cnf, VariableMap, read_dimacs, write_dimacs
from cnfgen_puzzles.formula.dimacs import DimacsFile
from cnfgen_puzzles.formula.varmap import COMMENT
from cnfgen_puzzles.ground.bytesizes import parse_size
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.ground.sources import Source, open_source
from cnfgen_puzzles.pipeline.instance import puzzle_of, scrambled
from cnfgen_puzzles.pipeline.loopstate import State as LoopState
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE, Answer, answer_lines, read_answer
from cnfgen_puzzles.solving.process import EXIT, Measurement
from cnfgen_puzzles.solving.solveroutput import excerpt, statistics_in
from cnfgen_puzzles.solving.table import Solver, find_solver, load_solvers

FAMILIES = (NONOGRAM, TILING, MAZE)

# -- formulas ---------------------------------------------------------------------------------------------------------------


def formulas() -> Iterable[bytes]:
    yield b"c a comment\np cnf 3 2\n1 -3 0\n2 3 -1 0\n"
    yield b"c\np cnf 0 0\n"
    yield b"p cnf 4 3\n1 2\n-3 0 4 0\nc within\n-1 0\n%\n0\n"
    for family in FAMILIES:
        instance, _ = solved(family)
        stream = io.BytesIO()
        instance.write(stream)
        yield stream.getvalue()


def formula(data: bytes) -> tuple[DimacsFile, VariableMap | None]:
    """A CNF and the map among its comments."""
    file = read_dimacs(Source(NAME, data))
    return file, VariableMap.from_comments(file.comments, NAME)


MANY = 1_000_000
"""Variables of a formula that is not written again: the table of their names would be most of the work."""


def formula_again(found: tuple[DimacsFile, VariableMap | None]) -> None:
    file, _ = found
    if file.cnf.num_variables > MANY:
        return
    stream = io.BytesIO()
    write_dimacs(file.cnf, stream)
    again = read_dimacs(Source("again", stream.getvalue()))
    assert again.strict and again.cnf.checksum() == file.cnf.checksum()
    file.cnf.falsified_clause(())


def packed() -> Iterable[bytes]:
    for data in formulas():
        yield gzip.compress(data, mtime=0)
        yield lzma.compress(data)


def unpacked(data: bytes) -> DimacsFile:
    return read_dimacs(open_source(written("packed", "x.cnf", data)))


# -- maps and answers -------------------------------------------------------------------------------------------------------


def maps() -> Iterable[bytes]:
    for family in FAMILIES:
        instance, _ = solved(family)
        yield instance.map.to_json().encode()
        yield scrambled(instance, 1).map.to_json().encode()


def variable_map(data: bytes) -> VariableMap:
    return VariableMap.from_json(Source(NAME, data).text(), NAME)


def map_again(vmap: VariableMap) -> None:
    assert VariableMap.from_json(vmap.to_json(), "again").to_json() == vmap.to_json()


def puzzle_in_map(data: bytes) -> Any:
    vmap = variable_map(data)
    return (*puzzle_of(vmap, NAME), vmap)


def puzzle_again(found: Any) -> None:
    family, puzzle, _ = found
    assert family.puzzle_from_json(json.loads(json.dumps(family.puzzle_to_json(puzzle)))) == puzzle


def answers() -> Iterable[bytes]:
    yield "\n".join(["c banner", *answer_lines(SATISFIABLE, range(1, 60))]).encode()
    yield b"s UNSATISFIABLE\n"
    yield b"SAT\n1 -2 3 0\n"
    yield b"UNSAT\n"
    yield b"=====\nc v\nSATISFIABLE\nv 1 2 -3\nv 0\n"
    yield b"INDET\n"


def answer_again(answer: Answer) -> None:
    if answer.verdict is not None:
        lines = "\n".join(answer_lines(answer.verdict, answer.model)).encode()
        again = read_answer(Source("again", lines))
        assert (again.verdict, again.model) == (answer.verdict, answer.model)
    assert answer.model is None or answer.verdict == SATISFIABLE


def answers_with_maps() -> Iterable[bytes]:
    for family in FAMILIES:
        instance, model = solved(family)
        comments = [f"c {comment}" for comment in instance.map.to_comments()]
        for verdict, literals in ((SATISFIABLE, model), (UNSATISFIABLE, None), (UNKNOWN, None)):
            yield "\n".join([*comments, *answer_lines(verdict, literals)]).encode()


def decoded(data: bytes) -> Any:
    """The command decode-cnf; what it says of a wrong model or map is a message too."""
    path = written("decode", "answer.txt", data)
    said = io.TextIOWrapper(io.BytesIO())
    try:
        with redirect_stdout(said):
            decode_cnf.main(args=[str(path), "--as", "json"], standalone_mode=False)
    except click.ClickException as error:
        raise InputError(error.message) from None
    except CnfgenError as error:
        raise InputError(error.args[0]) from None
    said.flush()
    return said.buffer.getvalue()


def map_and_model() -> Iterable[bytes]:
    """A map and a model side by side, so that a map can be damaged as JSON."""
    for family in FAMILIES:
        instance, model = solved(family)
        yield json.dumps([json.loads(instance.map.to_json()), model]).encode()
        other = scrambled(instance, 1).map
        assert other.renaming
        yield json.dumps([json.loads(other.to_json()), list(other.renaming.apply(model))]).encode()


def decoded_by_map(data: bytes) -> Any:
    try:
        vmap, model = json.loads(data)
        words = [int(literal) for literal in model]
    except (ValueError, TypeError, RecursionError, OverflowError):
        return None
    lines = [f"c {COMMENT}{json.dumps(vmap)}", *answer_lines(SATISFIABLE, words)]
    return decoded("\n".join(lines).encode("utf-8", "surrogatepass"))


def statistics() -> Iterable[bytes]:
    yield b"c conflicts:   12  1.2 per second\nc decisions: 3\nrestarts : 4\nconflicts             : 77             (1 /sec)\n"


@cache
def patterns() -> tuple[tuple[str, str], ...]:
    return tuple(pattern for solver in load_solvers().values() for pattern in solver.statistics)


def counted(data: bytes) -> Any:
    return statistics_in(data, patterns()), excerpt(data)


def verdicts() -> Iterable[bytes]:
    yield b"c parsing\n\rs VERIFIED\nc verification time: 0.0 seconds\n"
    yield b"\rc ERROR: no conflict\ns NOT VERIFIED\n"
    yield b"c finished parsing\ns DERIVATION\nc 1 2 0\n"


def verdict(data: bytes) -> Any:
    return data, proofs._verdict(data, Measurement(EXIT, 0, None, 0.0, 0.0, 0, "", 0, ""))


def verdict_earned(found: Any) -> None:
    """A proof is verified if one line says a verdict, and that it is."""
    data, check = found
    said = re.findall(rb"^\r?(s .*)$", data, re.MULTILINE)
    assert check.verified == ([line.rstrip() for line in said] == [b"s VERIFIED"])
    assert check.verified or 0 < len(check.reason) <= 400


# -- suites, recipes, sizes -------------------------------------------------------------------------------------------------


def suites() -> Iterable[bytes]:
    for path in sorted((INSTANCES / "suites").glob("*.yaml")):
        yield path.read_bytes()
    yield b"""name: all
instances:
  - {family: nonogram, puzzles: [heart.nin], encodings: [{name: direct, amo: [pairwise, ladder]}], expected: sat}
  - {cnf: [x.cnf], expected: UNSATISFIABLE}
  - {family: maze, name: thin, options: {kind: thin, size: 2x2, length: [3, 4]}}
  - {family: nonogram, generate: blobs, options: {size: 15}, seeds: 1-2}
solvers: [{name: minisat, options: [-no-pre], label: plain, version: "1"}, {name: kissat, threads: 1}, ./solver]
limits: {cpu: 1.5, wall: 20, memory: 512MiB}
seeds: [1-2, 7]
repetitions: 2
scramble: {seeds: 1, original: false}
proofs: true
jobs: 2
include: [{solver: "mini*"}, {family: [nonogram, maze]}]
exclude: [{seed: 1}]
"""


def suite(data: bytes) -> Any:
    place = folder("suites") / "suites"
    if not place.exists():
        place.mkdir()
        for name in ("nonogram", "tiling"):
            (place.parent / name).symlink_to(INSTANCES / name)
        (place / "heart.nin").write_bytes((INSTANCES / "nonogram" / "heart.nin").read_bytes())
        (place / "x.cnf").write_bytes(b"p cnf 1 1\n1 0\n")
        (place / "solver").write_text("#!/bin/sh\necho s UNKNOWN\n")
        (place / "solver").chmod(0o755)
    path = place / "suite.yaml"
    path.write_bytes(data)
    return read_suite(path)


def recipes() -> Iterable[bytes]:
    """The user's file: a recipe as a solver of a name of its own."""
    for path in sorted((REPOSITORY / "solvers").glob("*.yaml")):
        recipe = yaml.safe_load(path.read_text())
        entry = {key: value for key, value in recipe.items() if key not in ("name", "build")}
        yield yaml.safe_dump({"solvers": {"mine": entry}}, sort_keys=False).encode()
    yield b"solvers:\n  minisat: {executable: /bin/true}\n  mine: {executable: ./x}\n"


def recipe(data: bytes) -> Solver:
    os.environ["CNFGEN_SOLVERS_FILE"] = str(written("recipes", "solvers.yaml", data))
    find_solver("minisat")  # what the file says of others counts as well
    return find_solver("mine")


def called(solver: Solver) -> None:
    """A command can be made of each recipe that is accepted, and what it looks for can be looked for."""
    program, cnf = Path("/bin/true"), Path("x.cnf")
    solver.command(program, cnf, model=Path("model"))
    solver.command(program, cnf, model=Path("model"), statistics=True, options=["-x"], threads=1)
    statistics_in(b"c conflicts: 12\n", solver.statistics)


def size(data: bytes) -> int:
    return parse_size(data.decode("utf-8", "replace"))


# -- results and states -----------------------------------------------------------------------------------------------------

OLD = REPOSITORY / "tests" / "bench" / "version-0.1.0"


def results() -> Iterable[bytes]:
    for name in ("record-1", "written"):
        lines = (OLD / name / "runs.jsonl").read_bytes().splitlines(keepends=True)
        yield b"".join(lines[:4])
        yield from lines


def result_file(data: bytes) -> Any:
    """The records, and the scores and tables that can be made of them."""
    path = written("results", "runs.jsonl", data)
    read = read_results([path])
    for score in scores(read.records):
        assert score.instances >= 1
    for table in score_tables(read.records, ["family"]):
        render(table)
    disagreements(read.records, read.revoked)
    return path, read


def shown(found: Any) -> None:
    """What was read can be merged and exported."""
    path, read = found
    again = path.with_name("merged.jsonl")
    merge([path], again)
    assert len(read_results([again]).records) == len(read.records)
    for write in (write_json, write_csv):
        write(read.records, io.BytesIO())


@cache
def problem() -> Problem:
    cnf = Cnf(4)
    for clause in ((1, 2, 0), (-3, 4, 0)):
        cnf.literals.extend(clause)
        cnf.num_clauses += 1
    return Problem(cnf, [1, 2, 3])


CUBES = [(1, 2), (1, -2), (-1,)]


def counting_states() -> Iterable[bytes]:
    with_state(b"", None)
    path = folder("counting") / "state.json"
    yield path.read_bytes()
    entry = json.loads(path.read_bytes())
    yield json.dumps(entry | {"divisions": [[3, [1, -2]]]}).encode()
    yield json.dumps({key: entry[key] for key in ("schema", "problem", "cubes")} | {"version": 1}).encode()


def counting_parts() -> Iterable[bytes]:
    with_state(b"", None)
    yield next(folder("counting").glob("part-*")).read_bytes()


def with_state(data: bytes, name: str | None) -> Any:
    """The parts of a state of which the file `name` has been replaced; a new one, with one part done, for None."""
    place = folder("counting")
    if name is None or not (place / "state.json").exists():
        for path in place.iterdir():
            path.unlink()
        state = State(place, problem(), CUBES)
        state.keep(0, ["1 2", "1 2 3"])
        state.close()
    files = {path: path.read_bytes() for path in place.iterdir()}
    if name is not None:
        next(path for path in sorted(files) if path.name.startswith(name)).write_bytes(resealed(data))
    try:
        state = State(place, problem(), CUBES)
        try:
            return state.parts.numbers(), [state.finished(part) for part in state.parts.numbers()]
        finally:
            state.close()
    finally:
        for path, content in files.items():
            path.write_bytes(content)


def resealed(data: bytes) -> bytes:
    """With the checksum that its content has: else a damaged file is only refused for that. One without is left as it is."""
    first, line_end, body = data.partition(b"\n")
    try:
        entry = json.loads(first)
        del entry["sha256"]
        text = json.dumps(entry, sort_keys=True)
    except (ValueError, RecursionError, KeyError, TypeError, IndexError):
        return data
    seal = hashlib.sha256(f"{text}\n".encode() + body).hexdigest()
    return json.dumps(entry | {"sha256": seal}).encode() + line_end + body


def loop_states() -> Iterable[bytes]:
    state = LoopState(folder("loop"), MAZE, solved(MAZE)[0].puzzle)
    for added in ([], [0], [0, 2, 1]):
        state.write(added)
        yield (folder("loop") / "state.json").read_bytes()


def loop_state(data: bytes) -> Any:
    state = LoopState(folder("loop"), MAZE, solved(MAZE)[0].puzzle)
    (folder("loop") / "state.json").write_bytes(data)
    return state, state.read(3)


def loop_again(found: Any) -> None:
    state, numbers = found
    state.write(numbers)
    assert state.read(3) == numbers


def problems() -> Iterable[bytes]:
    path = folder("problems") / "problem"
    write_problem(problem(), path)
    yield path.read_bytes()


def problem_file(data: bytes) -> Problem:
    return read_problem(written("problems", "problem", data))


# -- the table --------------------------------------------------------------------------------------------------------------

DIMACS = ("c ", "p cnf ", "%", "0", "-1", "cnfgen-map ", "p show 1 0", "2147483647", "2147483648", "-0", "\r\n")
ANSWER = (
    "s ",
    "v ",
    "c ",
    "SATISFIABLE",
    "UNSATISFIABLE",
    "UNKNOWN",
    "SAT",
    "UNSAT",
    "INDET",
    "OPTIMUM FOUND",
    "0",
    "-0",
    "--5",
    "s VERIFIED",
)
MAP = (
    "schema",
    "version",
    "blocks",
    "grid",
    "ragged",
    "keys",
    "first",
    "count",
    "projection",
    "formula",
    "renaming",
    "puzzle",
    "family",
    "auxiliary",
)
SUITE = ("family", "puzzles", "options", "generate", "seeds", "encodings", "cnf", "expected", "include", "exclude", "1-20", "0", "none", "*", "512MiB",
         "nonogram", "tiling", "maze", "heart.nin", "..", ".", "~", "[", "minisat", "kissat", "drat-trim", "./solver", "threads", "jobs", "wall")  # fmt: skip
RECIPE = ("call", "arguments", "{cnf}", "{seed}", "{model}", "{options}", "statistics", "(", "(\\d+)", "(a+)+$", "exit_codes", "module", "seed", "least",
          "proof", "format", "answer", "executable", "~", "/bin/true", "quirks", "kind", "checker")  # fmt: skip
RECORD = (
    "key",
    "status",
    "SATISFIABLE",
    "UNSATISFIABLE",
    "TIMEOUT",
    "limits",
    "cpu",
    "cnf",
    "machine",
    "proof",
    "verified",
    "record",
    "seed",
    "suite",
)
STATE = (
    "schema",
    "version",
    "problem",
    "cubes",
    "divisions",
    "added",
    "sha256",
    "family",
    "end 2",
    "arrays",
    "literals",
    "byteorder",
)

TARGETS: list[Target] = [
    Target("dimacs", formula, formulas, formula_again, words=DIMACS),
    Target("dimacs-packed", unpacked, packed, shape="bytes"),
    Target("map", variable_map, maps, map_again, "json", MAP),
    Target("map-puzzle", puzzle_in_map, maps, puzzle_again, "json", MAP),
    Target("map-model", decoded_by_map, map_and_model, shape="json", words=MAP),
    Target("answer", lambda data: read_answer(Source(NAME, data)), answers, answer_again, words=ANSWER),
    Target("answer-with-map", decoded, answers_with_maps, words=(*ANSWER, *MAP)),
    Target("statistics", counted, statistics, words=("c ", "conflicts", "decisions", "propagations", "restarts", ":", "12", "(1 /sec)")),
    Target("proof-verdict", verdict, verdicts, verdict_earned, words=("s VERIFIED", "s NOT VERIFIED", "\r", "c ERROR", "s DERIVATION", "c ")),
    Target("suite", suite, suites, shape="yaml", words=SUITE),
    Target("recipe", recipe, recipes, called, "yaml", RECIPE),
    Target("size", size, lambda: [b"512MiB", b"1.5 G", b"2GB"], words=("K", "M", "G", "T", "iB", "B", ".")),
    Target("results", result_file, results, shown, "jsonlines", RECORD),
    Target("counting-state", lambda data: with_state(data, "state.json"), counting_states, shape="json", words=STATE),
    Target("counting-part", lambda data: with_state(data, "part-"), counting_parts, words=STATE),
    Target("loop-state", loop_state, loop_states, loop_again, "json", STATE),
    Target("problem", problem_file, problems, words=STATE),
]  # fmt: skip
