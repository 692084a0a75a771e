"""Find the length of the shortest universal maze string: refute lengths with certificates, find strings, compare with known
optima.

    python scripts/studies/maze_optimal.py --kind blocked --size 4x4 [--length 28] [--list] [--folder FOLDER]
    python scripts/studies/maze_optimal.py --kind blocked --size 4x4 --length 28 --method cubes [--jobs 2] [--keep-proofs]
    python scripts/studies/maze_optimal.py --kind thin --size 3x3 --length 33 --states 9
    python scripts/studies/maze_optimal.py --kind thin --size 3x3 --length 36 \
        --start studies/maze_optima/certificates/thin-3x3-36.json
    python scripts/studies/maze_optimal.py --table [--method cubes]

`--length` decides this length: the result is a string, or a certificate that none exists; `--list` finds all strings. Without it,
lengths are tried in ascending order until a string is found. `--table` decides both directions for all cases with a known
optimum.

The method `exhaustive` searches through joint states. With `cubes`, a SAT solver refutes one prefix after the other in parallel
(`--jobs`, `--scheduler`), with proofs that drat-trim checks. Certificates are files in FOLDER
(`docs/results/maze-optimality.md`). check_maze_certificate.py or check_maze_cubes.py checks each certificate, and
check_maze_string.py simulates each string on all mazes; these programs do not use the package. To resume an interrupted run,
repeat the command: existing certificates are only checked again, and only cubes in progress are lost.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tabulate import tabulate
from tqdm import tqdm

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.maze.model import BLOCKED, KINDS
from cnfgen_puzzles.families.maze.sets import mazes_of
from cnfgen_puzzles.families.options import SIZE_HELP
from cnfgen_puzzles.solving.executors import open_executor
from studies.maze_optima.campaign import LengthSettings
from studies.maze_optima.decisions import ByCubes, Decision, Exhaustive, Log, Method, optimum
from studies.maze_optima.known import TABLE
from studies.maze_optima.plan import BOUNDS
from studies.maze_optima.tables import CUBES, EXHAUSTIVE, TABLES
from studies.mazes.campaigns import CubeCampaign
from studies.mazes.commands import check_positive
from studies.mazes.cubes import Entry

SHOWN = 40
"""The most strings that are printed."""


def main(words: Sequence[str] | None = None) -> int:
    """The exit code. Raises CnfgenError for what cannot be."""
    arguments = _parser().parse_args(words)
    check_positive(arguments, "jobs", "count", "time", "memory", "states")
    log = _log if arguments.verbose else None
    with _method(arguments, log) as method:
        if arguments.table:
            return 0 if _table(arguments.method, method, arguments.size) else 1
        if arguments.size is None:
            raise InputError("found neither --size nor --table, expected one of them")
        mazes = mazes_of(arguments.kind, arguments.size)
        if arguments.length is None:
            found = optimum(mazes, method, arguments.list, _tell_refuted)
        else:
            found = method.decide(mazes, arguments.length, arguments.list)
    print(told(found, arguments.list))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS, default=BLOCKED)
    parser.add_argument("--size", help=SIZE_HELP)
    parser.add_argument("--length", type=int, help="decide this length; by default, find the optimum")
    parser.add_argument("--list", action="store_true", help="find all strings of the length")
    parser.add_argument(
        "--table", action="store_true", help="decide all cases with a known optimum (with --size: those of this size)"
    )
    parser.add_argument("--method", choices=TABLES, default=EXHAUSTIVE)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument(
        "--states",
        type=int,
        metavar="N",
        help="refute a length by mazes whose automata have at most N states",
    )
    chosen.add_argument(
        "--start",
        type=Path,
        metavar="CERTIFICATE",
        help="refute a length by the mazes of a certificate of this grid, starting with its tuples",
    )
    parser.add_argument("--folder", type=Path, default=Path("results/maze_optimal"))
    options = parser.add_argument_group("with --method cubes")
    options.add_argument("--solver", default="glucose", help="solver binary that writes proofs (glucose)")
    options.add_argument(
        "--bounds", choices=BOUNDS, help="tuples of mazes for lemmas (default for blocked: triples, for thin: none)"
    )
    options.add_argument("--effort", type=float, default=60.0, metavar="SECONDS", help="time to search for tuples (60)")
    options.add_argument("--count", type=int, help="start with at least N cubes (default: estimated)")
    options.add_argument(
        "--time", type=float, default=60.0, metavar="SECONDS", help="time limit for a cube; a harder cube is split (60)"
    )
    options.add_argument("--memory", type=int, default=4096, metavar="MIB", help="memory limit of a solver or drat-trim (4096)")
    options.add_argument("--jobs", type=int, default=2, help="number of parallel cubes (2)")
    options.add_argument("--scheduler", metavar="ADDRESS", help="address of a Dask cluster for the work")
    options.add_argument("--keep-proofs", action="store_true", help="keep the proofs, and check them with the checker of cubes")
    options.add_argument("--recheck", type=int, default=0, metavar="N", help="check N cubes again by their joint states")
    parser.add_argument("--verbose", action="store_true", help="print the progress of the search")
    return parser


@contextmanager
def _method(arguments: argparse.Namespace, log: Log | None) -> Iterator[Method]:
    """The requested method with its options."""
    if arguments.method != CUBES:
        yield Exhaustive(arguments.folder, log, arguments.states, arguments.start)
        return
    for option in ("states", "start"):
        if getattr(arguments, option) is not None:
            raise InputError("the method cubes takes all mazes, expected the method exhaustive", source=f"--{option}")
    settings = LengthSettings(
        solver=arguments.solver,
        cpu=arguments.time,
        memory=arguments.memory << 20,
        keep_proofs=arguments.keep_proofs,
        bounds=arguments.bounds,
        effort=arguments.effort,
        count=arguments.count,
    )
    with open_executor(arguments.scheduler, arguments.jobs) as executor:
        method = ByCubes(arguments.folder, settings, executor, arguments.jobs + 1, arguments.recheck, log)
        yield replace(method, watch=_CubeBar(always=log is not None))


class _CubeBar:
    """A progress bar on stderr for each run of cubes, if it is a terminal (or `always`)."""

    def __init__(self, always: bool):
        self._disable = False if always else None
        self._bar: Any = None

    def __call__(self, campaign: CubeCampaign, entry: Entry | None) -> None:
        if entry is None:
            decided = len(campaign.entries)
            self._bar = tqdm(total=decided, initial=decided, unit="cube", mininterval=1, disable=self._disable)
        self._bar.total = len(campaign.entries) + len(campaign.open)
        if entry is not None:
            self._bar.set_postfix_str(f"{len(campaign.open):,} left, {entry['prefix']} {entry['verdict']}", refresh=False)
            self._bar.update()
        if not campaign.open or campaign.string is not None:
            self._bar.close()


def _log(line: str) -> None:
    print(f"  {line}", file=sys.stderr, flush=True)


def _tell_refuted(decision: Decision) -> None:
    times = f"{decision.seconds:.1f} s, checked {decision.checked:.1f} s"
    print(f"no string of {decision.length} letters ({times})", flush=True)


def told(decision: Decision, every: bool) -> str:
    """A decision as text."""
    times = f"{decision.seconds:.1f} s, checked in {decision.checked:.1f} s"
    if decision.work:
        times += ": " + _worked(decision.work)
    if not decision.strings:
        return f"no string of {decision.length} letters solves all mazes ({times}): {decision.file}"
    count = len(decision.strings)
    shown = "\n".join(decision.strings[:SHOWN]) + (f"\nand {count - SHOWN:,} more" if count > SHOWN else "")
    what = f"all {count:,} strings of {decision.length} letters that solve all mazes" if every else f"{decision.length} letters"
    return f"{shown}\n{what} ({times})"


def _worked(work: dict[str, Any]) -> str:
    """The work of a run of cubes as text."""
    return (
        f"{work['refuted']} cubes refuted, {work['split']} split, {work['prefixes']} initial prefixes; "
        f"tuples {work['planning']:.1f} s, solver {work['solving']:.1f} s, drat-trim {work['checking']:.1f} s, "
        f"wall time {work['wall']:.1f} s"
    )


def _table(name: str, method: Method, only: str | None) -> bool:
    """All known cases, or those of one size or kind and size; True if everything agrees."""
    table, rows, good = TABLES[name], [], True
    for known in TABLE:
        if only in (None, known.size, f"{known.kind}:{known.size}"):
            compared = table.compare(known, method)
            good &= compared.agrees
            rows.append(table.row(compared))
            print(f"{known.case}: {'as claimed' if compared.agrees else 'NOT AS CLAIMED'}", file=sys.stderr, flush=True)
    print(tabulate(rows, headers=table.headers, intfmt=",", floatfmt=".1f", maxheadercolwidths=9))
    return good
