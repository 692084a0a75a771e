"""Break encodings and checkers on purpose, one place at a time, and report the mutants that no test detects.

    python scripts/check/mutate.py                     # everything: 20 minutes on two cores
    python scripts/check/mutate.py --only judge        # one target of --list
    python scripts/check/mutate.py --only judge --most 10     # some random mutants of it
    python scripts/check/mutate.py --json FILE         # also write the mutants, one JSON object per line

A mutant lacks one statement that adds clauses to an encoding; in checkers and in `_judge`, one condition is false or one
comparison is inverted. Each mutant is a copy of this checkout, in which the tests of its target run until the first failure. A
mutant that no test detects survives, and the exit code is 1. Equivalent mutants (for example, a clause that others imply) are
listed below with the reason. docs/explanation/reliability.md has the results.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from random import Random

from tabulate import tabulate

REPOSITORY = Path(__file__).resolve().parents[2]
PATIENCE = 300
"""The CPU seconds after which a mutant counts as noticed, because a test does not terminate; ten times as much wall time."""

ADDS_CLAUSES = {
    "add", "add_clause", "add_clauses", "add_folded", "add_maze", "add_mazes", "implies_each",
    "at_most_one", "exactly_one", "at_most_k", "at_least_k", "exactly_k", "at_most", "at_least", "accepts",
}  # fmt: skip
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
CLAUSES, CHECKS = "clauses", "checks"


@dataclass(frozen=True)
class Target:
    """The target of mutations: their kind, the functions of the file (empty: all), and the tests that must notice them."""

    name: str
    kind: str
    file: str
    tests: tuple[str, ...]
    functions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mutant:
    """A change: `text` replaces the characters from `start` to `end` of the file."""

    target: str
    file: str
    line: int
    start: int
    end: int
    was: str
    text: str


FORMULA, FAMILIES = "cnfgen_puzzles/formula", "cnfgen_puzzles/families"
CARDINALITY = ("tests/formula/test_cardinality.py", "tests/formula/test_cardinality_sizes.py")
TILING = ("tests/exhaustive", "tests/families/tiling", "tests/testing")
MAZE = ("tests/exhaustive", "tests/families/maze/test_encodings.py", "tests/pipeline/test_cegar.py", "tests/testing")
STRINGS = ("tests/studies/test_maze_search.py", "tests/studies/test_maze_reductions.py")
NONOGRAM = ("tests/exhaustive", "tests/families/nonogram/test_encodings.py", "tests/families/nonogram/test_colors.py")
MUS = ("tests/pipeline/test_mus.py",)
UNIQUE = ("tests/pipeline/test_both_questions.py",)
PHASE = ("cnfgen_puzzles/pipeline/phase.py", "tests/pipeline/test_phase.py")
KNOWN = ("tests/families/nonogram/test_known.py",)
LOGIC = (
    "tests/families/nonogram/test_explaining.py",
    "tests/families/nonogram/test_lines.py",
    "tests/families/nonogram/test_techniques.py",
)
MAKING = ("tests/families/nonogram/test_making.py",)
CUTTING = ("tests/making/test_cutting.py", "tests/families/tiling/test_cutting.py")
COLLECTION = ("tests/pipeline/test_collection.py", "tests/cli/test_collections.py")
TRIDDLER = ("tests/families/triddler", "tests/families/test_contract.py::test_built_in_families_satisfy_the_contract[triddler]")
BUILT_IN = ("tests/evidence/test_builtin.py",)
TARGETS = (
    Target("cardinality", CLAUSES, f"{FORMULA}/cardinality.py", CARDINALITY),
    Target("regular", CLAUSES, f"{FORMULA}/regular.py", ("tests/formula/test_regular.py", *NONOGRAM)),
    Target("formula", CLAUSES, f"{FORMULA}/formula.py", (*CARDINALITY, *NONOGRAM, *TILING)),
    Target("nonogram", CLAUSES, f"{FAMILIES}/clued/encodings.py", NONOGRAM),
    Target("tiling", CLAUSES, f"{FAMILIES}/tiling/encodings.py", TILING),
    Target("maze", CLAUSES, f"{FAMILIES}/maze/encodings.py", MAZE),
    Target("blocked-boards", CLAUSES, "cnfgen_puzzles/pipeline/instance.py", ("tests/pipeline/test_solve.py",),
           ("with_blocked",)),
    Target("judge", CHECKS, "cnfgen_puzzles/solving/run.py",
           ("tests/solving/test_run.py", "tests/solving/test_confinement.py::test_a_supervisor_that_is_killed"),
           ("_judge",)),
    Target("answers", CHECKS, "cnfgen_puzzles/solving/answers.py",
           ("tests/solving/test_answers.py", "tests/solving/test_run.py"),
           ("read_answer", "_read_model")),
    Target("falsified-clause", CHECKS, f"{FORMULA}/cnf.py", ("tests/formula", "tests/solving/test_run.py"),
           ("falsified_clause",)),
    Target("model-check", CHECKS, "cnfgen_puzzles/evidence/allmodels.py", ("tests/counting", "tests/evidence"),
           ("holds",)),
    Target("proof-check", CHECKS, "cnfgen_puzzles/evidence/proofs.py", ("tests/evidence", "tests/pipeline/test_evidence.py")),
    Target("built-in-checker", CHECKS, "cnfgen_puzzles/evidence/builtin.py", BUILT_IN),
    Target("checkers", CHECKS, "cnfgen_puzzles/evidence/checkers.py", ("tests/evidence", "tests/pipeline/test_evidence.py")),
    Target("nonogram-rules", CHECKS, f"{FAMILIES}/clued/family.py", ("tests/families/nonogram",), ("check",)),
    Target("triddler-rules", CHECKS, f"{FAMILIES}/triddler/__init__.py", TRIDDLER, ("misshapen",)),
    Target("triddler-lines", CHECKS, f"{FAMILIES}/triddler/puzzle.py", TRIDDLER, ("seen",)),
    Target("tiling-rules", CHECKS, f"{FAMILIES}/tiling/puzzle.py",
           ("tests/families/tiling/test_puzzle.py", "tests/families/test_rules_in_awk.py", "tests/families/test_contract.py"),
           ("check_board", "_cell_faults", "_count_faults", "_shape_faults", "_has_shape")),
    Target("maze-rules", CHECKS, f"{FAMILIES}/maze/puzzle.py", ("tests/families/maze", "tests/testing"),
           ("check_string", "unsolved", "open_bits")),
    Target("nonogram-arguments", CHECKS, f"{FAMILIES}/nonogram/puzzle.py",
           ("tests/families/nonogram", "tests/families/triddler", "tests/testing"),
           ("contradictions",)),
    Target("clued-arguments", CHECKS, f"{FAMILIES}/clued/puzzle.py",
           ("tests/families/nonogram", "tests/families/triddler", "tests/testing"),
           ("contradictions", "sums", "shortest_line", "gap")),
    Target("tiling-arguments", CHECKS, f"{FAMILIES}/tiling/puzzle.py", ("tests/families/tiling", "tests/testing"),
           ("contradictions",)),
    Target("mus", CHECKS, "cnfgen_puzzles/pipeline/mus.py", MUS),
    Target("unique", CHECKS, "cnfgen_puzzles/pipeline/unique.py", UNIQUE),
    Target("phase", CHECKS, "cnfgen_puzzles/pipeline/phase.py", PHASE),
    Target("portfolio", CHECKS, "cnfgen_puzzles/pipeline/portfolio.py",
           ("tests/pipeline/test_first_checked.py", "tests/pipeline/test_portfolio.py", "tests/cli/test_run_cnf_several.py")),
    Target("known-cells", CHECKS, f"{FAMILIES}/nonogram/knowncells.py", KNOWN),
    Target("palette", CHECKS, f"{FAMILIES}/clued/palette.py",
           ("tests/families/nonogram/test_color_formats.py", *KNOWN)),
    Target("line-logic", CHECKS, f"{FAMILIES}/nonogram/lines.py", (*LOGIC, *UNIQUE)),
    Target("line-techniques", CHECKS, f"{FAMILIES}/nonogram/techniques.py", LOGIC),
    Target("making", CHECKS, f"{FAMILIES}/nonogram/making.py", MAKING),
    Target("making-changes", CHECKS, "cnfgen_puzzles/making/hitting.py", MAKING),
    Target("cutting", CHECKS, f"{FAMILIES}/tiling/cutting.py", CUTTING),
    Target("cutting-pieces", CHECKS, "cnfgen_puzzles/making/cutting.py", CUTTING),
    Target("guessing", CHECKS, f"{FAMILIES}/nonogram/guessing.py", ("tests/families/nonogram/test_guessing.py",)),
    Target("collection", CHECKS, "cnfgen_puzzles/pipeline/collection.py", COLLECTION),
    Target("coloring", CHECKS, f"{FAMILIES}/tiling/puzzle.py", ("tests/families/tiling/test_puzzle.py",),
           ("uneven", "color", "open_groups", "_is_settled", "_can_be_colored", "_reachable")),
    Target("check-maze-string", CHECKS, "scripts/check/check_maze_string.py", STRINGS),
    Target("check-maze-certificate", CHECKS, "scripts/check/check_maze_certificate.py", ("tests/studies/test_maze_optimal.py",)),
    Target("check-maze-cubes", CHECKS, "scripts/check/check_maze_cubes.py", ("tests/studies/test_maze_cubes.py",)),
    Target("check-maze-window", CHECKS, "scripts/check/check_maze_window.py", ("tests/studies/test_maze_windows.py",)),
    Target("check-counts", CHECKS, "scripts/check/check_counts.py", ("tests/studies/test_check_counts.py",)),
)  # fmt: skip

UNCHANGED: dict[tuple[str, str], str] = {
    (f"{FORMULA}/cnf.py", "isinstance(model, Collection)"): "a copy of the model answers just so",
    (f"{FAMILIES}/tiling/puzzle.py", "cell[0] % 3 == 1"): "exchanges the two colors",
    (f"{FAMILIES}/tiling/puzzle.py", "len(level) + len(reached) > MOST_STATES or work > MOST_WORK"): "only takes longer",
    (
        f"{FAMILIES}/maze/encodings.py",
        "trial.add_mazes(puzzle.mazes.chosen(place * (count - 1) // (SAMPLE - 1) for place in range(SAMPLE)))",
    ): "of an estimate, which is then too small",
    (f"{FAMILIES}/nonogram/lines.py", "after == before"): "without a difference nothing is touched below, either",
    (f"{FAMILIES}/triddler/puzzle.py", "hexagon.points_up(r, place)"): "the same strips in the same order, a third of a row up",
    (
        "cnfgen_puzzles/making/cutting.py",
        "sum(flaw <= new for flaw in self.met) > len(flaws)",
    ): "only takes longer: cuts are looked at that have flaws which were met",
    ("cnfgen_puzzles/making/cutting.py", "flaw <= new"): "the same",
    ("cnfgen_puzzles/evidence/proofs.py", "check.verified"): "a verified proof has no reason, and keeps none if there is space",
    ("cnfgen_puzzles/evidence/allmodels.py", "len(clause) == 2"): "a clause of two literals is then filed as a longer one",
}
"""Equivalent mutants by file and source text, with the reason: the same program, or a difference that no contract excludes."""


# -- mutants --------------------------------------------------------------------------------------------------------------


def mutants_of(target: Target) -> Iterator[Mutant]:
    """All changes of the target's kind, in the order of the file."""
    text = (REPOSITORY / target.file).read_text(encoding="utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    code = text.encode()
    for node, new in _changes(target, _regions(ast.parse(text), target.functions)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        yield Mutant(target.name, target.file, node.lineno, start, end, code[start:end].decode(), new)


def sample(mutants: Iterator[Mutant], most: int | None, chance: Random) -> list[Mutant]:
    """At most this number of them, in their order; all for None."""
    every = list(mutants)
    return every if most is None or most >= len(every) else sorted(chance.sample(every, most), key=lambda mutant: mutant.start)


def _regions(tree: ast.Module, functions: Sequence[str]) -> list[ast.AST]:
    """The functions with these names at any level; the whole file without names."""
    if not functions:
        return [tree]
    found: list[ast.AST] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in functions]
    if len(found) < len(functions):
        raise SystemExit(f"mutate: found {len(found)} of the functions {', '.join(functions)}")
    return found


def _changes(target: Target, regions: Sequence[ast.AST]) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    for node in (node for region in regions for node in ast.walk(region)):
        if target.kind == CLAUSES:
            if isinstance(node, ast.Expr) and _adds_clauses(node.value):
                yield node, "pass"
            continue
        if isinstance(node, (ast.If, ast.IfExp)):
            yield node.test, "False"
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            opposite = ast.Compare(node.left, [OPPOSITE[type(node.ops[0])]()], node.comparators)
            yield node, f"({ast.unparse(opposite)})"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("any", "all"):
            yield node, "True" if node.func.id == "all" else "False"


def _adds_clauses(call: ast.expr) -> bool:
    """Whether a statement of this expression adds clauses to a formula."""
    if not isinstance(call, ast.Call):
        return False
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in ADDS_CLAUSES or (call.func.attr in ("extend", "append") and "literals" in ast.unparse(call.func))
    return isinstance(call.func, ast.Name) and call.func.id in ADDS_CLAUSES


# -- running --------------------------------------------------------------------------------------------------------------


def copy_checkout(folder: Path) -> Path:
    """Copy the files that git tracks or would add, and the programs that were built."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=REPOSITORY, capture_output=True, check=True
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        source, copy = REPOSITORY / name, folder / name
        if source.is_file() and not source.is_symlink():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    for built in ("bin", "build"):
        if (REPOSITORY / "solvers" / built).exists():
            (folder / "solvers" / built).symlink_to((REPOSITORY / "solvers" / built).resolve())
    return folder


def is_noticed(checkout: Path, tests: Sequence[str], unbroken: bool = False) -> bool:
    """Whether a test fails in this copy. Only the unbroken copy keeps compiled code: that of a mutant could be used for the next
    one, whose source has the same time stamp and length."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not release", *tests]
    env = os.environ | {"PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "" if unbroken else "1"}
    env["HYPOTHESIS_PROFILE"] = "unshrunk"  # of tests/conftest.py
    with tempfile.TemporaryFile() as output:
        running = subprocess.Popen(command, cwd=checkout, env=env, stdout=output, stderr=output, start_new_session=True)
        resource.prlimit(running.pid, resource.RLIMIT_CPU, (PATIENCE, PATIENCE))  # applies even if this script is killed
        try:
            return running.wait(10 * PATIENCE) != 0
        except subprocess.TimeoutExpired:
            return True
        finally:
            if running.poll() is None:
                os.killpg(running.pid, 9)
                running.wait()


def try_mutant(mutant: Mutant, tests: Sequence[str], checkouts: SimpleQueue[Path]) -> str:
    """Test a mutant: noticed, unchanged or SURVIVED."""
    if (mutant.file, mutant.was) in UNCHANGED:
        return "unchanged"
    checkout = checkouts.get()
    try:
        path = checkout / mutant.file
        whole = path.read_bytes()
        path.write_bytes(whole[: mutant.start] + mutant.text.encode() + whole[mutant.end :])
        try:
            return "noticed" if is_noticed(checkout, tests) else "SURVIVED"
        finally:
            path.write_bytes(whole)
    finally:
        checkouts.put(checkout)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only", action="append", choices=[target.name for target in TARGETS], help="this target; may be repeated"
    )
    parser.add_argument("--jobs", type=int, default=2, help="copies of the checkout that are tested in parallel")
    parser.add_argument("--json", type=Path, help="write each mutant and its result to this file")
    parser.add_argument("--most", type=int, metavar="N", help="at most N random mutants of each target")
    parser.add_argument("--seed", type=int, default=1, help="seed of their choice (1)")
    parser.add_argument("--list", action="store_true", help="list the targets with their numbers of mutants")
    arguments = parser.parse_args()
    targets = [target for target in TARGETS if not arguments.only or target.name in arguments.only]
    chance = Random(arguments.seed)
    planned = [(mutant, target.tests) for target in targets for mutant in sample(mutants_of(target), arguments.most, chance)]
    counts = Counter(mutant.target for mutant, _ in planned)
    if arguments.list:
        print(tabulate([(target.name, target.kind, target.file, counts[target.name]) for target in targets]))
        return 0
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder, ThreadPoolExecutor(arguments.jobs) as pool:
        checkouts: SimpleQueue[Path] = SimpleQueue()
        first = copy_checkout(Path(folder) / "0")
        for tests in dict.fromkeys(tests for _, tests in planned):
            if is_noticed(first, tests, unbroken=True):
                raise SystemExit(f"mutate: {' '.join(tests)} fails before anything is broken")
        checkouts.put(first)
        for number in range(1, arguments.jobs):
            checkouts.put(Path(shutil.copytree(first, Path(folder) / str(number), symlinks=True)))
        results = pool.map(lambda each: try_mutant(*each, checkouts), planned)
        told = [(mutant, _told(mutant, came, arguments.json)) for (mutant, _), came in zip(planned, results, strict=True)]
    table = Counter((mutant.target, came) for mutant, came in told)
    rows = [[t.name, counts[t.name], *(table[t.name, came] for came in ("noticed", "unchanged", "SURVIVED"))] for t in targets]
    rows.append(["all", *(sum(row[column] for row in rows) for column in range(1, 5))])
    print(tabulate(rows, headers=["target", "mutants", "noticed", "unchanged", "survived"]))
    return 1 if rows[-1][-1] else 0


def _told(mutant: Mutant, came: str, path: Path | None) -> str:
    """Print the result of a mutant, and add it to the file."""
    was = " ".join(mutant.was.split())
    print(f"{came:9} {mutant.file}:{mutant.line}: {was[:90]} -> {mutant.text[:60]}", flush=True)
    if path:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(asdict(mutant) | {"came": came}) + "\n")
    return came


if __name__ == "__main__":
    sys.exit(main())
