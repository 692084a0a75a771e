#!/usr/bin/env python3
"""Published counts of tilings beside measured ones.

    python scripts/check_counts.py FILE... [--engine ENGINE] [--jobs N] [--limit SECONDS]

Each FILE is a tiling in YAML that claims how many solutions it has (docs/formats-tiling.md), or a folder of such. Solutions are
found one by one, each is checked against the rules of the puzzle, and the number is shown beside the claim: up to symmetry, up
to rotations, in all, or only whether there is any. Several engines, apart by commas, are asked one after the other. Where a
search does not end within the limit, and the colours or the number of the cells show that there is no solution, that decides.

Exits with 0 if every claim is right, 1 if one is wrong, 3 if none is wrong but some were not decided within the limit, 2 for a
mistake in the call or a file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tabulate import tabulate
from tqdm import tqdm

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.tiling.encode.counting import variables_of
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling
from cnfgen_puzzles.families.tiling.model.symmetry import symmetries
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.ground.sources import open_source
from cnfgen_puzzles.pipeline.count import Solution, Solutions, counting_instance
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.studies.pentominoes.claims import SATISFIABLE, UNSATISFIABLE, UP_TO_ROTATIONS, Claims, claims_of

RIGHT, WRONG, OPEN, UNCLAIMED = "right", "WRONG", "not decided", "no claim"
EXIT_CODES = {WRONG: 1, OPEN: 3}
HEADINGS = ("puzzle", "claimed", "measured", "", "engine", "seconds")


@dataclass
class Measured:
    """What was found: all of it only if `complete`."""

    solutions: int
    up_to_rotations: int
    raw: int
    complete: bool
    engine: str
    seconds: float


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--engine", default="auto", help="how to count; several apart by commas (default: what suits the puzzle)")
    parser.add_argument("--jobs", type=int, help="processes at a time (default: one a core)")
    parser.add_argument("--limit", type=float, help="elapsed seconds for each count (default: none)")
    options = parser.parse_args(arguments)
    try:
        return check_files(list(_puzzle_files(options.files)), options.engine.split(","), options.jobs, options.limit)
    except CnfgenError as error:
        print(f"check_counts: {error}", file=sys.stderr)
        return error.exit_code


def _puzzle_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files, and those in folders."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.glob("*.yaml"))
        if not found:
            raise InputError("found no .yaml file in the folder, expected at least one", source=str(path))
        yield from found


def check_files(paths: list[Path], engines: list[str], jobs: int | None, limit: float | None) -> int:
    """Counts, prints the table and gives the exit code."""
    tiling = find_family("tiling")
    puzzles = [(path, tiling.read(open_source(path))) for path in paths]  # mistakes in files come before any counting
    rows, verdicts = [], set()
    for path, puzzle in tqdm(puzzles, unit="puzzle", disable=not sys.stderr.isatty()):
        claims = claims_of(puzzle.about)
        for engine in engines if claims else ():
            found = measure(puzzle, claims, engine, jobs, limit)
            verdict = judge(claims, found)
            verdicts.add(verdict)
            rows.append((path.stem, claimed(claims), measured(claims, found), verdict, found.engine, f"{found.seconds:.1f}"))
        if not claims:
            rows.append((path.stem, "", "", UNCLAIMED, "", ""))
    print(tabulate(rows, HEADINGS, disable_numparse=True))
    return next((code for verdict, code in EXIT_CODES.items() if verdict in verdicts), 0)


def measure(puzzle: Tiling, claims: Claims, engine: str, jobs: int | None, limit: float | None) -> Measured:
    """All solutions, or one where the claim is only that there is any."""
    instance = counting_instance(find_family("tiling"), puzzle, engine=engine)
    most = 1 if claims.solutions is claims.raw is None and claims.verdict == SATISFIABLE else None
    search = Solutions(instance, engine, jobs=jobs, limits=Limits(wall=limit), most=most)
    rotations = Rotations(puzzle, variables_of(puzzle, instance.map.blocks["place"])) if _rotations_asked(claims) else None
    up_to_rotations = sum(rotations.orbits(solution) if rotations else 0 for solution in search)
    count = search.count()
    if not count.complete and not count.raw and find_family("tiling").warnings(puzzle):
        return Measured(0, 0, 0, True, "counting cells", count.seconds)  # an argument of two lines where no search ends
    return Measured(count.solutions, up_to_rotations, count.raw, count.complete, count.engine, count.seconds)


def _rotations_asked(claims: Claims) -> bool:
    return claims.solutions is not None and claims.convention == UP_TO_ROTATIONS


class Rotations:
    """Counts by rotations: the orbit of a solution under all symmetries falls into equal orbits under the rotations."""

    def __init__(self, puzzle: Tiling, variables: dict[int, int]):
        self.group = symmetries(puzzle, reflections=False)
        self.placement = {variable: number for number, variable in variables.items()}

    def orbits(self, solution: Solution) -> int:
        placements = [self.placement[variable] for variable in solution.true]
        return solution.orbit // len({rotation.move(placements) for rotation in self.group})


# -- words --------------------------------------------------------------------------------------------------------------


def judge(claims: Claims, found: Measured) -> str:
    """Whether what was found is what is claimed; more than is claimed is wrong even where there may be still more."""
    number = found.up_to_rotations if _rotations_asked(claims) else found.solutions
    counts = [(said, seen) for said, seen in ((claims.raw, found.raw), (claims.solutions, number)) if said is not None]
    if any(seen > said for said, seen in counts) or (claims.verdict == UNSATISFIABLE and found.raw):
        return WRONG
    if claims.verdict == SATISFIABLE and found.raw and not counts:
        return RIGHT
    if not found.complete:
        return OPEN
    fits = all(said == seen for said, seen in counts) and not (claims.verdict == SATISFIABLE and not found.raw)
    return RIGHT if fits else WRONG


def claimed(claims: Claims) -> str:
    return _shown(claims.solutions, claims.convention, claims.raw) or (claims.verdict or "")


def measured(claims: Claims, found: Measured) -> str:
    """In the words of the claim."""
    if claims.solutions is None and claims.raw is None:
        return SATISFIABLE if found.raw else UNSATISFIABLE if found.complete else ""
    number = found.up_to_rotations if _rotations_asked(claims) else found.solutions
    text = _shown(
        number if claims.solutions is not None else None, claims.convention, found.raw if claims.raw is not None else None
    )
    return text if found.complete else f"at least {text}"


def _shown(solutions: int | None, convention: str, raw: int | None) -> str:
    parts = [f"{solutions} {convention}" if solutions is not None else "", f"{raw} in all" if raw is not None else ""]
    return ", ".join(filter(None, parts))


if __name__ == "__main__":
    sys.exit(main())
