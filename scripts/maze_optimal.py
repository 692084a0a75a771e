"""How short can a universal maze string be? Refutes lengths with certificates, finds strings, compares with known optima.

    python scripts/maze_optimal.py --kind blocked --size 4x4 [--length 28] [--list] [--folder FOLDER]
    python scripts/maze_optimal.py --kind blocked --size 4x4 --length 28 --method cubes [--jobs 2] [--keep-proofs]
    python scripts/maze_optimal.py --table [--method cubes]

With `--length` that length is decided: a string, or a certificate that there is none; `--list` asks for all strings. Without it
lengths are tried one after the other until there is a string. `--table` does both directions for all cases of known optimum.

The method `exhaustive` searches through joint states; `cubes` has a SAT solver refute one prefix after the other, with proofs
that drat-trim checks, side by side (`--jobs`, `--scheduler`). Certificates are files in FOLDER (`docs/maze-optimality.md`). Each
is checked by check_maze_certificate.py or check_maze_cubes.py, each string on all mazes by check_maze_string.py; none of them
uses the package. A run that was ended goes on with the same command: what has a certificate is only checked again, and of
cubes only those in flight are lost.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from tabulate import tabulate
from tqdm import tqdm

try:
    import numpy  # noqa: F401
except ImportError:
    raise SystemExit("maze_optimal: found no numpy, expected it for the exhaustive search: pip install numpy") from None

from cnfgen_puzzles.distribution.executors import open_executor
from cnfgen_puzzles.families.maze.model import KINDS, Grid
from cnfgen_puzzles.families.maze.model.puzzle import Mazes
from cnfgen_puzzles.families.maze.sets import check_size, chosen_steps, effects, reduced
from cnfgen_puzzles.ground.atomicfiles import write_whole
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.studies.maze_optima.cuberun import CaseSettings, CubeRun
from cnfgen_puzzles.studies.maze_optima.prefixtree import BOUNDS
from cnfgen_puzzles.studies.mazes.exhaustive import Search, certificate
from cnfgen_puzzles.studies.mazes.jointstates import Bound

HERE = Path(__file__).parent
SHOWN = 40

BOUNDS_OF = {"blocked": "triples", "thin": "none"}
"""Which tuples pay, if none are asked for: with visited cells, tables of joint distances take longer than they save."""


@dataclass(frozen=True)
class Known:
    """What is known of a case: instances, optimum, and the number of strings of that length that begin with one of `first`."""

    kind: str
    size: str
    instances: int
    optimum: int
    strings: int | None = None
    first: str = "NESW"


TABLE = (
    Known("thin", "1x2", 2, 2),
    Known("thin", "1x3", 10, 4),
    Known("thin", "2x2", 100, 11, 4, "N"),
    Known("thin", "2x3", 1842, 25, 2, "NE"),
    Known("blocked", "2x2", 3, 3),
    Known("blocked", "2x3", 8, 5),
    Known("blocked", "3x3", 51, 11, 2),
    Known("blocked", "3x4", 295, 17, 3),
    Known("blocked", "4x4", 3828, 29, 34),
)


@dataclass(frozen=True)
class Decision:
    """One length decided: strings, or the file of a checked refutation; seconds of processor time of search and checker."""

    length: int
    strings: tuple[str, ...]
    file: Path | None
    seconds: float
    checked: float
    bounds: tuple[Bound, ...] = ()
    work: dict[str, float] = field(default_factory=dict)


# -- one length ---------------------------------------------------------------------------------------------------------


def read_size(text: str) -> Grid:
    """Rows x columns."""
    height, _, width = text.lower().partition("x")
    if not (height.isdecimal() and width.isdecimal() and 0 < int(height) < 100 and 0 < int(width) < 100):
        raise InputError(f"found {text!r}, expected rows x columns such as 4x4", source="--size")
    return Grid(int(height), int(width))


def mazes_of(kind: str, grid: Grid) -> Mazes:
    """The mazes of the case that are needed: a string that solves them solves all."""
    check_size(kind, grid)
    return reduced(kind, grid, chosen_steps(kind))


def exhaustive(mazes: Mazes, length: int, every: bool, folder: Path, bounds: Iterable[Bound] = (), log=None) -> Decision:
    """By breadth-first search over joint states; strings and refutation are checked."""
    path = folder / f"{_name(mazes)}-{length}.json"
    if path.exists() and not every:
        wrong, seconds = checked("check_maze_certificate.py", path)
        if wrong is None and not claims(path, mazes, length):
            wrong = f"{path}: this is a certificate of another case"
        if wrong is None:
            return Decision(length, (), path, 0.0, seconds)
        print(f"{wrong}\nit is made anew", file=sys.stderr)
    begun = time.process_time()
    outcome = Search(mazes, length, bounds, progress=log).run(every)
    taken = time.process_time() - begun
    if outcome.strings:
        size = f"{mazes.grid.height}x{mazes.grid.width}"
        wrong, seconds = checked("check_maze_string.py", mazes.kind, size, *outcome.strings)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        write_certificate(path, certificate(mazes, length, outcome.sweep))
        wrong, seconds = checked("check_maze_certificate.py", path)
    if wrong is not None:
        raise CnfgenError(f"a check failed: {wrong}")
    return Decision(length, outcome.strings, None if outcome.strings else path, taken, seconds, outcome.bounds)


def cubes(
    mazes: Mazes,
    length: int,
    every: bool,
    folder: Path,
    bounds: Iterable[Bound] = (),
    log=None,
    *,
    settings: CaseSettings,
    executor: Executor,
    ahead: int,
    recheck: int = 0,
) -> Decision:
    """By prefixes, each refuted by a SAT solver whose proof is checked, or completed to a string; what was found is checked."""
    if every:
        raise InputError("the method cubes lists no strings, expected the method exhaustive", source="--list")
    begun, before = time.monotonic(), time.process_time()
    settings = replace(settings, bounds=settings.bounds or BOUNDS_OF[mazes.kind])
    name = f"{_name(mazes)}-{length}-cubes-{settings.bounds}"
    run = CubeRun(mazes, length, folder / name, settings, log)
    planning = time.process_time() - before
    with tqdm(unit="cube", mininterval=1, desc=f"{_name(mazes)} {length}", disable=None if log is None else False) as bar:
        bar.total = bar.initial = len(run.records)

        def progress(run: CubeRun, record: dict) -> None:
            bar.total = len(run.records) + len(run.open)
            bar.set_postfix_str(f"{len(run.open):,} left, {record['prefix']} {record['verdict']}", refresh=False)
            bar.update()

        run.decide(executor, ahead, progress)
    wall = time.monotonic() - begun
    path = None
    if run.string is not None:
        wrong, seconds = checked("check_maze_string.py", mazes.kind, f"{mazes.grid.height}x{mazes.grid.width}", run.string)
    else:
        path = folder / f"{name}.json"
        write_certificate(path, run.certificate())
        words = [*(("--proofs", folder / name) if settings.keep_proofs else ()), "--recheck", recheck]
        wrong, seconds = checked("check_maze_cubes.py", path, *words)
    if wrong is not None:
        raise CnfgenError(f"a check failed: {wrong}")
    work = run.work() | {"prefixes": len(run.plan.prefixes), "planning": planning, "wall": wall}
    total = planning + work["solving"] + work["checking"]
    return Decision(length, () if path else (run.string,), path, total, seconds, (), work)


METHODS: dict[str, Callable[..., Decision]] = {"exhaustive": exhaustive, "cubes": cubes}
"""How a length is decided."""


@contextmanager
def method_of(arguments: argparse.Namespace) -> Iterator[Callable[..., Decision]]:
    """The method that was asked for, with its options."""
    if arguments.method != "cubes":
        yield METHODS[arguments.method]
        return
    settings = CaseSettings(
        solver=arguments.solver,
        cpu=arguments.time,
        memory=arguments.memory << 20,
        keep_proofs=arguments.keep_proofs,
        bounds=arguments.bounds,
        effort=arguments.effort,
        count=arguments.count,
    )
    with open_executor(arguments.scheduler, arguments.jobs) as executor:
        yield partial(cubes, settings=settings, executor=executor, ahead=arguments.jobs + 1, recheck=arguments.recheck)


def _name(mazes: Mazes) -> str:
    return f"{mazes.kind}-{mazes.grid.height}x{mazes.grid.width}"


def claims(path: Path, mazes: Mazes, length: int) -> bool:
    """Whether a certificate, which is a checked one, is about just this case."""
    entry = json.loads(path.read_text(encoding="utf-8"))
    size = f"{mazes.grid.height}x{mazes.grid.width}"
    return (entry["kind"], entry["size"], entry["length"]) == (mazes.kind, size, length)


def write_certificate(path: Path, entry: dict) -> None:
    """A line a field; the file is there whole or not at all."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in entry.items())
    write_whole(path, f"{{{lines}}}\n")


def checked(script: str, *words: object) -> tuple[str | None, float]:
    """None, or what the checker has to say against it; and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [str(word) for word in words]
    run = subprocess.run([sys.executable, HERE / script, *words], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return None if run.returncode == 0 else (run.stdout + run.stderr).strip(), seconds


def optimum(
    mazes: Mazes, decide: Callable[..., Decision], every: bool, folder: Path, log=None
) -> tuple[Decision, Decision | None]:
    """The shortest strings, and the refutation of one letter less. What refutes a length helps with the next."""
    length, refuted, bounds = (mazes.hardest()[1] or 0) if len(mazes) else 0, None, ()
    length = max(length - 1, 0)
    while True:
        decision = decide(mazes, length, False, folder, bounds, log)
        if decision.strings:
            break
        print(f"no string of {length} letters ({decision.seconds:.1f} s, checked {decision.checked:.1f} s)", flush=True)
        refuted, bounds, length = decision, decision.bounds, length + 1
    return (decide(mazes, length, True, folder, bounds, log) if every else decision), refuted


# -- reports ------------------------------------------------------------------------------------------------------------


def told(decision: Decision, every: bool) -> str:
    """A decision in words."""
    times = f"{decision.seconds:.1f} s, checked in {decision.checked:.1f} s"
    if decision.work:
        times += ": " + worked(decision.work)
    if not decision.strings:
        return f"no string of {decision.length} letters solves all mazes ({times}): {decision.file}"
    count = len(decision.strings)
    shown = "\n".join(decision.strings[:SHOWN]) + (f"\nand {count - SHOWN:,} more" if count > SHOWN else "")
    what = f"all {count:,} strings of {decision.length} letters that solve all mazes" if every else f"{decision.length} letters"
    return f"{shown}\n{what} ({times})"


def worked(work: dict[str, float]) -> str:
    """Where the time of a run by cubes went."""
    return (
        f"{work['refuted']} cubes refuted, {work['split']} split, {work['prefixes']} prefixes to begin with; "
        f"tuples {work['planning']:.1f} s, solver {work['solving']:.1f} s, drat-trim {work['checking']:.1f} s, "
        f"wall time {work['wall']:.1f} s"
    )


def cubes_row(known: Known, decide: Callable[..., Decision], folder: Path, log=None) -> tuple[list, bool]:
    """Both directions by SAT: claimed beside measured; and whether they agree."""
    mazes = mazes_of(known.kind, read_size(known.size))
    refuted = decide(mazes, known.optimum - 1, False, folder, (), log)
    found = decide(mazes, known.optimum, False, folder, (), log)
    agree = bool(found.strings) and not refuted.strings
    row = [f"{known.kind} {known.size}", known.optimum, found.length if agree else "?", *found.strings[:1]]
    work = refuted.work
    row += [work["tuples"], work["prefixes"], work["refuted"], work["split"], work["mazes"], work["clauses"], work["bytes"]]
    row += [work["planning"], work["solving"], work["checking"], work["wall"], refuted.checked]
    return [*row, found.work["solving"], found.work["wall"]], agree


CUBE_HEADERS = ["case", "optimum claimed", "found", "string", "tuples", "first cubes", "cubes refuted", "split", "mazes"]
CUBE_HEADERS += ["most clauses", "proof bytes", "tuples s", "solver s", "drat-trim s", "wall s", "coverage s"]
CUBE_HEADERS += ["string: solver s", "wall s"]


def table_row(known: Known, decide: Callable[..., Decision], folder: Path, log=None) -> tuple[list, bool]:
    """Claimed beside measured; and whether they agree."""
    grid = read_size(known.size)
    mazes = mazes_of(known.kind, grid)
    instances = effects(known.kind, grid, ())[known.kind == "blocked"].left
    refuted = decide(mazes, known.optimum - 1, False, folder, (), log)
    found = decide(mazes, known.optimum, known.strings is not None, folder, refuted.bounds, log)
    count = sum(string[0] in known.first for string in found.strings) if known.strings is not None else None
    agree = instances == known.instances and not refuted.strings and bool(found.strings) and count == known.strings
    entry = json.loads(refuted.file.read_text(encoding="utf-8")) if refuted.file else {"mazes": (), "tuples": (), "levels": (0,)}
    row = [f"{known.kind} {known.size}", known.instances, instances, known.optimum, found.length if agree else "?"]
    row += [_counted(known.strings, known.first), _counted(count, known.first), len(entry["mazes"]), len(entry["tuples"])]
    row += [max(entry["levels"]), sum(entry["levels"]), refuted.file.stat().st_size if refuted.file else None]
    return [*row, refuted.seconds, refuted.checked, found.seconds, found.checked], agree


def _counted(count: int | None, first: str) -> str:
    return "" if count is None else str(count) + (f" (first {' or '.join(first)})" if first != "NESW" else "")


HEADERS = ["case", "instances claimed", "found", "optimum claimed", "found", "strings claimed", "found", "mazes", "tuples"]
HEADERS += ["largest level", "states", "bytes", "refuted s", "checked s", "strings s", "checked s"]

ROWS = {"exhaustive": (table_row, HEADERS), "cubes": (cubes_row, CUBE_HEADERS)}
"""What the table shows, by method."""


def table(method: str, decide: Callable[..., Decision], folder: Path, only: str | None, log=None) -> bool:
    """All known cases, or those of one size or kind and size; True if everything agrees."""
    rows, good = [], True
    row_of, headers = ROWS[method]
    for known in TABLE:
        if only in (None, known.size, f"{known.kind}:{known.size}"):
            row, agree = row_of(known, decide, folder, log)
            good &= agree
            rows.append(row)
            print(f"{known.kind} {known.size}: {'as claimed' if agree else 'NOT AS CLAIMED'}", file=sys.stderr, flush=True)
    print(tabulate(rows, headers=headers, intfmt=",", floatfmt=".1f", maxheadercolwidths=9))
    return good


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS, default="blocked")
    parser.add_argument("--size", help="rows x columns")
    parser.add_argument("--length", type=int, help="decide this length; without it the optimum is sought")
    parser.add_argument("--list", action="store_true", help="all strings of the length")
    parser.add_argument("--table", action="store_true", help="all cases whose optimum is known (with --size: those of that size)")
    parser.add_argument("--method", choices=METHODS, default="exhaustive")
    parser.add_argument("--folder", type=Path, default=Path("results/maze_optimal"))
    options = parser.add_argument_group("with --method cubes")
    options.add_argument("--solver", default="glucose", help="a binary that writes proofs (glucose)")
    options.add_argument("--bounds", choices=BOUNDS, help="tuples of mazes for lemmas (blocked: triples, thin: none)")
    options.add_argument("--effort", type=float, default=60.0, metavar="SECONDS", help="to look for tuples (60)")
    options.add_argument("--count", type=int, help="at least so many cubes to begin with (as many as seem right)")
    options.add_argument("--time", type=float, default=60.0, metavar="SECONDS", help="of a solver; a harder cube is split (60)")
    options.add_argument("--memory", type=int, default=4096, metavar="MIB", help="of a solver or drat-trim (4096)")
    options.add_argument("--jobs", type=int, default=2, help="cubes side by side (2)")
    options.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster that does the work")
    options.add_argument(
        "--keep-proofs", action="store_true", help="keep the proofs, and have the checker of the cubes check them"
    )
    options.add_argument("--recheck", type=int, default=0, metavar="N", help="refute N cubes again by their joint states")
    parser.add_argument("--verbose", action="store_true", help="say how the search goes")
    arguments = parser.parse_args(words)
    log = (lambda line: print(f"  {line}", file=sys.stderr, flush=True)) if arguments.verbose else None
    try:
        for name in ("jobs", "count", "time", "memory"):
            if (value := getattr(arguments, name)) is not None and value <= 0:
                raise InputError(f"found {value}, expected more than 0", source=f"--{name}")
        with method_of(arguments) as decide:
            if arguments.table:
                return 0 if table(arguments.method, decide, arguments.folder, arguments.size, log) else 1
            if arguments.size is None:
                raise InputError("found neither --size nor --table, expected one of them")
            return _one_case(arguments, decide, log)
    except CnfgenError as error:
        print(f"maze_optimal: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted; the same command goes on where this one was", file=sys.stderr)
        return 130


def _one_case(arguments: argparse.Namespace, decide: Callable[..., Decision], log) -> int:
    mazes = mazes_of(arguments.kind, read_size(arguments.size))
    if arguments.length is None:
        found, _ = optimum(mazes, decide, arguments.list, arguments.folder, log)
    else:
        found = decide(mazes, arguments.length, arguments.list, arguments.folder, (), log)
    print(told(found, arguments.list))
    return 0


if __name__ == "__main__":
    sys.exit(main())
