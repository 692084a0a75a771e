"""Compare published counts of tilings with measured ones.

    python scripts/check/check_counts.py FILE... [--engine ENGINE] [--jobs N] [--limit SECONDS]

Each FILE is a YAML tiling with claims about its number of solutions (docs/reference/formats-tiling.md), or a folder of such
files. Solutions are enumerated and checked against the rules of the puzzle; the number is compared with the claim: up to
symmetry, up to rotations, in total, or only whether a solution exists. Several engines, separated by commas, run one after the
other. If a search does not end within the limit but colors or the number of cells exclude a solution, that decides.

Exit codes: 0 every claim is right; 1 a claim is wrong; 3 no claim is wrong but some were not decided within the limit; 2 mistake
in the call or a file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tabulate import tabulate
from tqdm import tqdm

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import find_family
from studies.pentominoes.counts import OPEN, WRONG, claimed, claims_of, count_puzzle, judge, measured

UNCLAIMED = "no claim"
EXIT_CODES = {WRONG: 1, OPEN: 3}
HEADINGS = ("puzzle", "claimed", "measured", "", "engine", "seconds")


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--engine", default="auto", help="engines, separated by commas (default: depends on the puzzle)")
    parser.add_argument("--jobs", type=int, help="number of parallel processes (default: number of cores)")
    parser.add_argument("--limit", type=float, help="limit of each count in elapsed seconds (default: none)")
    options = parser.parse_args(words)
    try:
        return check_files(list(_puzzle_files(options.files)), options.engine.split(","), options.jobs, options.limit)
    except CnfgenError as error:
        print(f"check_counts: {error}", file=sys.stderr)
        return error.exit_code


def _puzzle_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files, including those in folders."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.glob("*.yaml"))
        if not found:
            raise InputError("found no .yaml file in the folder, expected at least one", source=str(path))
        yield from found


def check_files(paths: Sequence[Path], engines: Sequence[str], jobs: int | None, limit: float | None) -> int:
    """Counts, prints the table, and returns the exit code."""
    tiling = find_family("tiling")
    puzzles = [(path, tiling.read(open_source(path))) for path in paths]  # report mistakes in files before counting
    rows, verdicts = [], set()
    for path, puzzle in tqdm(puzzles, unit="puzzle", disable=not sys.stderr.isatty()):
        claims = claims_of(puzzle.about)
        if not claims:
            rows.append((path.stem, "", "", UNCLAIMED, "", ""))
            continue
        for engine in engines:
            found = count_puzzle(puzzle, claims, engine, jobs, limit)
            verdict = judge(claims, found)
            verdicts.add(verdict)
            rows.append((path.stem, claimed(claims), measured(claims, found), verdict, found.engine, f"{found.seconds:.1f}"))
    print(tabulate(rows, HEADINGS, disable_numparse=True))
    return next((code for verdict, code in EXIT_CODES.items() if verdict in verdicts), 0)
