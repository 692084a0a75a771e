"""How short can a universal maze string be? Refutes lengths with certificates, finds strings, compares with known optima.

    python scripts/maze_optimal.py --kind blocked --size 4x4 [--length 28] [--list] [--method exhaustive] [--folder FOLDER]
    python scripts/maze_optimal.py --table

With `--length` that length is decided: a string, or a certificate that there is none; `--list` asks for all strings. Without it
lengths are tried one after the other until there is a string. `--table` does both directions for all cases of known optimum.

Certificates are files in FOLDER (`docs/maze-optimality.md`). Each is checked by check_maze_certificate.py, each string on all
mazes by check_maze_string.py; neither uses the package. A run that was ended goes on with the same command: what has a
certificate is only checked again.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tabulate import tabulate

try:
    import numpy  # noqa: F401
except ImportError:
    raise SystemExit("maze_optimal: found no numpy, expected it for the exhaustive search: pip install numpy") from None

from cnfgen_puzzles.errors import CnfgenError, InputError
from cnfgen_puzzles.families.maze.enumeration import check_size
from cnfgen_puzzles.families.maze.exhaustive import Search, certificate
from cnfgen_puzzles.families.maze.grid import Grid
from cnfgen_puzzles.families.maze.jointstates import Bound
from cnfgen_puzzles.families.maze.mazes import Mazes
from cnfgen_puzzles.families.maze.puzzle import KINDS
from cnfgen_puzzles.families.maze.reductions import chosen_steps, effects, reduced

HERE = Path(__file__).parent
SHOWN = 40


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


METHODS: dict[str, Callable[..., Decision]] = {"exhaustive": exhaustive}
"""How a length is decided. Prefixes as cubes, each refuted by a SAT solver with a proof, belong here too."""


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
    draft = path.with_suffix(".part")
    draft.write_text(f"{{{lines}}}\n", encoding="utf-8")
    draft.replace(path)


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
    if not decision.strings:
        return f"no string of {decision.length} letters solves all mazes ({times}): {decision.file}"
    count = len(decision.strings)
    shown = "\n".join(decision.strings[:SHOWN]) + (f"\nand {count - SHOWN:,} more" if count > SHOWN else "")
    what = f"all {count:,} strings of {decision.length} letters that solve all mazes" if every else f"{decision.length} letters"
    return f"{shown}\n{what} ({times})"


def table_row(known: Known, method: str, folder: Path, log=None) -> tuple[list, bool]:
    """Claimed beside measured; and whether they agree."""
    grid, decide = read_size(known.size), METHODS[method]
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
    return [*row, refuted.seconds, refuted.checked, found.seconds, found.checked, method], agree


def _counted(count: int | None, first: str) -> str:
    return "" if count is None else str(count) + (f" (first {' or '.join(first)})" if first != "NESW" else "")


HEADERS = ["case", "instances claimed", "found", "optimum claimed", "found", "strings claimed", "found", "mazes", "tuples"]
HEADERS += ["largest level", "states", "bytes", "refuted s", "checked s", "strings s", "checked s", "method"]


def table(method: str, folder: Path, only: str | None, log=None) -> bool:
    """All known cases; True if everything agrees."""
    rows, good = [], True
    for known in TABLE:
        if only is None or only == known.size:
            row, agree = table_row(known, method, folder, log)
            good &= agree
            rows.append(row)
            print(f"{known.kind} {known.size}: {'as claimed' if agree else 'NOT AS CLAIMED'}", file=sys.stderr, flush=True)
    print(tabulate(rows, headers=HEADERS, intfmt=",", floatfmt=".1f", maxheadercolwidths=9))
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
    parser.add_argument("--verbose", action="store_true", help="say how the search goes")
    arguments = parser.parse_args(words)
    log = (lambda line: print(f"  {line}", file=sys.stderr, flush=True)) if arguments.verbose else None
    try:
        if arguments.table:
            return 0 if table(arguments.method, arguments.folder, arguments.size, log) else 1
        if arguments.size is None:
            raise InputError("found neither --size nor --table, expected one of them")
        return _one_case(arguments, log)
    except CnfgenError as error:
        print(f"maze_optimal: {error}", file=sys.stderr)
        return error.exit_code


def _one_case(arguments: argparse.Namespace, log) -> int:
    mazes, decide = mazes_of(arguments.kind, read_size(arguments.size)), METHODS[arguments.method]
    if arguments.length is None:
        found, _ = optimum(mazes, decide, arguments.list, arguments.folder, log)
    else:
        found = decide(mazes, arguments.length, arguments.list, arguments.folder, (), log)
    print(told(found, arguments.list))
    return 0


if __name__ == "__main__":
    sys.exit(main())
