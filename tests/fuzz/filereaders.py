"""The readers of files about many runs, as targets: suites, recipes of solvers, results, states."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from fuzz.puzzlereaders import MAZE, solved
from fuzz.target import Target, folder, written
from repository import INSTANCES, REPOSITORY

from cnfgen_puzzles.bench.analyse.results import merge, read_results
from cnfgen_puzzles.bench.analyse.scores import group_scores
from cnfgen_puzzles.bench.show.export import write_csv, write_json
from cnfgen_puzzles.bench.show.tables import render, score_tables
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.digests import digest, digest_of_json
from cnfgen_puzzles.common.journal import SEAL
from cnfgen_puzzles.common.numbers import parse_size
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.state import NAME, SCHEMA, VERSION, EnumerationState
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.pipeline.cegar import STATE_FILE, CegarLoop, open_state
from cnfgen_puzzles.solving.answers import statistics_in
from cnfgen_puzzles.solving.table import Solver, find_solver

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
    """The user's file: a recipe as a solver with a new name."""
    for path in sorted((REPOSITORY / "solvers").glob("*.yaml")):
        recipe = yaml.safe_load(path.read_text())
        entry = {key: value for key, value in recipe.items() if key not in ("name", "build")}
        yield yaml.safe_dump({"solvers": {"mine": entry}}, sort_keys=False).encode()
    yield b"solvers:\n  minisat: {executable: /bin/true}\n  mine: {executable: ./x}\n"


def recipe(data: bytes) -> Solver:
    before = os.environ.get("CNFGEN_SOLVERS_FILE")
    os.environ["CNFGEN_SOLVERS_FILE"] = str(written("recipes", "solvers.yaml", data))
    try:
        find_solver("minisat")  # the declarations of other solvers in the file count as well
        return find_solver("mine")
    finally:
        if before is None:
            del os.environ["CNFGEN_SOLVERS_FILE"]
        else:
            os.environ["CNFGEN_SOLVERS_FILE"] = before


def called(solver: Solver) -> None:
    """Each accepted recipe gives a command line, and its program can be searched."""
    program, cnf = Path("/bin/true"), Path("x.cnf")
    solver.command(program, cnf, model=Path("model"))
    solver.command(program, cnf, model=Path("model"), statistics=True, options=["-x"], threads=1)
    statistics_in(b"c conflicts: 12\n", solver.statistics)


def size(data: bytes) -> int:
    return parse_size(data.decode("utf-8", "replace"))


# -- results and states -----------------------------------------------------------------------------------------------------

RECORDED = REPOSITORY / "tests" / "golden" / "runs" / "runs.jsonl"


def results() -> Iterable[bytes]:
    lines = RECORDED.read_bytes().splitlines(keepends=True)
    yield b"".join(lines[:4])
    yield from lines[::8]


def result_file(data: bytes) -> Any:
    """The records of a file, with the scores and tables for them."""
    path = written("results", "runs.jsonl", data)
    read = read_results([path])
    for score in (score for group in group_scores(read.records) for score in group.scores):
        assert score.instances >= 1
    for table in score_tables(read.records, ["family"]):
        render(table)
    return path, read


def shown(found: Any) -> None:
    """Results that were read can be merged and exported."""
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


def counting_states() -> Iterable[bytes]:
    counting_state(b"")
    state = EnumerationState(folder("counting"), problem())
    state.parts.divide(0, [1, -2])
    state.parts.divide(3, [3])
    state.keep(1, ["1 2", "1 2 3"])
    state.close()
    yield (folder("counting") / NAME).read_bytes()


def counting_state(data: bytes) -> Any:
    """The parts of a state whose journal has these lines, with their solutions."""
    (folder("counting") / NAME).write_bytes(resealed(data))
    state = EnumerationState(folder("counting"), problem())
    try:
        return state.parts.numbers(), [state.finished(part) for part in state.parts.numbers()]
    finally:
        state.close()


def resealed(data: bytes) -> bytes:
    """The lines with correct seals, since a wrong seal would hide other damage. A line without a seal is unchanged."""
    head = digest_of_json({"schema": SCHEMA, "version": VERSION, "problem": problem().identity()})
    lines = data.split(b"\n")
    for number, line in enumerate(lines):
        text, mark, _ = line.rpartition(SEAL)
        if mark:
            lines[number] = text + SEAL + digest((head if number else "").encode() + text).encode() + b'"}'
    return b"\n".join(lines)


def loop_states() -> Iterable[bytes]:
    for added in ([], [0], [0, 2, 1]):
        (folder("loop") / STATE_FILE).unlink(missing_ok=True)
        with open_state(folder("loop"), MAZE, solved(MAZE)[0].puzzle) as journal:
            journal.append({"added": added})
        yield (folder("loop") / STATE_FILE).read_bytes()


def read_loop(more: Any = None) -> Any:
    """The constraints in the state, after one more line if it is given."""
    loop = CegarLoop(MAZE, solved(MAZE)[0].puzzle)
    with open_state(folder("loop"), MAZE, loop.puzzle) as journal:
        if more is not None:
            journal.append({"added": more})
        journal.resume(loop.add_line, "remove it")
    return loop.refinement.added


def loop_state(data: bytes) -> Any:
    (folder("loop") / STATE_FILE).write_bytes(data)
    return read_loop()


def loop_again(found: Any) -> None:
    assert read_loop(found) == found


# -- the table --------------------------------------------------------------------------------------------------------------

TARGETS: list[Target] = [
    Target("suite", suite, suites, shape="yaml"),
    Target("recipe", recipe, recipes, called, "yaml"),
    Target("size", size, lambda: [b"512MiB", b"1.5 G", b"2GB"]),
    Target("results", result_file, results, shown, "jsonlines"),
    Target("counting-state", counting_state, counting_states, shape="jsonlines"),
    Target("loop-state", loop_state, loop_states, loop_again, "jsonlines"),
]
