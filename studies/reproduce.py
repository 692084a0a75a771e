"""Measures the claims of all studies and writes the table of claimed and measured numbers.

    python scripts/reproduce.py [--full] [--only KEY,...] [--jobs N] [--puzzles FOLDER] [--again]

Without options the quick claims. Each finding is kept as soon as it is there, so a run that is ended loses at most the claims in
flight; with `--full` those of the long claims that this version has decided in this folder are not measured again. States and
certificates of long claims are kept beside the findings and continued. `--show` measures nothing and writes the page.

Exits with 0 if all was measured, whatever it says of the claims; 1 if a measurement failed; 2 for a mistake in the call; 130 when
it was interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Callable, Generator, Sequence
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path

from tqdm import tqdm

from cnfgen_puzzles.common.errors import CnfgenError, InputError, unknown_name
from cnfgen_puzzles.common.files import write_whole
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.cluster import open_executor
from cnfgen_puzzles.solving.pool import Distributor, Work, WorkExecutor
from studies.claims import Claim, Measured, Place
from studies.findings import Finding, Findings, append_finding, finding, merged, read_findings, write_findings
from studies.resultspage import page, terminal_table

STUDIES = {
    "nonogram_survey": "Nonograms",
    "nonogram_census": "All small nonograms",
    "pentominoes": "Tilings",
    "four_holes": "Four holes in the chessboard",
    "maze_reductions": "Mazes that need not be tried",
    "maze_optima": "Shortest strings of small mazes",
    "maze_windows": "Windows of the 79 letters",
    "maze_search": "Strings for all mazes",
}
"""Titles by folder."""
REPOSITORY = Path(__file__).resolve().parents[1]
FOLDER = REPOSITORY / "results" / "reproduce"
PAGE = REPOSITORY / "docs" / "results.md"
SAMPLES = REPOSITORY.parent / "shared" / "data" / "nonogram"
"""Puzzles that may not be passed on, for those who have them here."""
INTERRUPTED = 130


# -- the claims ---------------------------------------------------------------------------------------------------------


def all_studies() -> dict[str, tuple[Claim, ...]]:
    """The claims of each study, by its title."""
    if not (REPOSITORY / "instances").is_dir():
        raise InputError("found no folder 'instances', expected a checkout of the project: claims are about puzzles there")
    return {title: _claims_of(name) for name, title in STUDIES.items()}


def _claims_of(study: str) -> tuple[Claim, ...]:
    claims: tuple[Claim, ...] = import_module(f"studies.{study}.claims").CLAIMS
    return claims


def chosen(claims: Sequence[Claim], only: str | None, full: bool) -> list[Claim]:
    """Those whose key fits one of the patterns of `only` (apart by commas); else the quick ones, or all."""
    if only is None:
        return [claim for claim in claims if full or not claim.full]
    patterns = only.split(",")
    for pattern in patterns:
        if not any(fnmatchcase(claim.key, pattern) for claim in claims):
            group = pattern.partition("/")[0] + "/"
            near = [claim.key for claim in claims if claim.key.startswith(group)]
            raise InputError(unknown_name("claim", pattern, near or {claim.key.partition("/")[0] + "/*" for claim in claims}))
    return [claim for claim in claims if any(fnmatchcase(claim.key, pattern) for pattern in patterns)]


# -- measuring ----------------------------------------------------------------------------------------------------------


def findings_of(
    claims: Sequence[Claim], folder: Path, puzzles: Path | None, jobs: int
) -> Generator[tuple[Finding, bool], None, None]:
    """What is measured of each claim, as it is there, and whether the measurement failed.

    `jobs` processes work side by side: first the quick claims, one each; then the long ones, which share them.
    """
    with open_executor(jobs=jobs) as executor:
        for batch in ([claim for claim in claims if not claim.full], [claim for claim in claims if claim.full]):
            share = max(1, jobs // len(batch)) if batch and batch[0].full else 1
            yield from _findings(executor, sorted(batch, key=lambda claim: -claim.seconds), folder, puzzles, share)


def _findings(
    executor: WorkExecutor, claims: Sequence[Claim], folder: Path, puzzles: Path | None, share: int
) -> Generator[tuple[Finding, bool], None, None]:
    def call(claim: Claim) -> Work:
        return measure, claim.measure, Place(folder / claim.key, puzzles, share)

    left = iter(claims)
    with contextlib.closing(Distributor[Claim](executor, call, "claims").results(lambda: next(left, None))) as events:
        for event in events:
            try:
                measured, seconds, fault = event.result()
            except CnfgenError as error:
                measured, seconds, fault = Measured(None, "", str(error)), 0.0, str(error)
            if fault:
                tqdm.write(f"{event.unit.key}: {fault}", file=sys.stderr)
            yield finding(event.unit.key, measured, seconds), bool(fault)


def measure(function: Callable[[Place], Measured], place: Place) -> tuple[Measured, float, str]:
    """In a process of its own: what it says, in how many seconds; and what went wrong, if something did."""
    multiprocessing.current_process().daemon = False  # it may have processes of its own, which die with it
    started = time.monotonic()
    try:
        return function(place), time.monotonic() - started, ""
    except CnfgenError as error:
        told = fault = str(error)
    except Exception as error:  # a fault of ours: the other claims go on
        told, fault = f"{type(error).__name__}: {error}", traceback.format_exc()
    return Measured(None, "", told), time.monotonic() - started, fault


# -- the command --------------------------------------------------------------------------------------------------------


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="also the claims that take long")
    parser.add_argument("--only", metavar="KEY,...", help="just these, quick or not; `*` stands for anything")
    parser.add_argument("--jobs", type=int, help="processes side by side (default: one a core)")
    parser.add_argument("--puzzles", type=Path, default=SAMPLES if SAMPLES.is_dir() else None, help="nonograms of your own")
    parser.add_argument("--again", action="store_true", help="measure also what this version has decided")
    parser.add_argument("--show", action="store_true", help="measure nothing, write and print what has been decided")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="findings, states and certificates (results/reproduce)")
    parser.add_argument("--page", type=Path, default=PAGE, help="where the table goes, findings beside it (docs/results.md)")
    options = parser.parse_args(words)
    try:
        if options.jobs is not None and options.jobs < 1:
            raise InputError(f"found {options.jobs} jobs, expected at least 1", source="--jobs")
        if options.puzzles is not None and not options.puzzles.is_dir():
            raise InputError("found no such folder", source=str(options.puzzles))
        return reproduce(options)
    except CnfgenError as error:
        print(f"reproduce: {error}", file=sys.stderr)
        return error.exit_code


def is_done(claim: Claim, here: Findings) -> bool:
    """Whether it is a long one that this version has decided on this machine."""
    finding = here.get(claim.key)
    return claim.full and finding is not None and finding.decided and finding.version == __version__


def reproduce(options: argparse.Namespace) -> int:
    """Measures, keeps, writes, prints; gives the exit code."""
    studies = all_studies()
    claims = [claim for each in studies.values() for claim in each]
    wanted = chosen(claims, options.only, options.full)
    kept_here, kept = options.folder / "findings.jsonl", options.page.with_suffix(".jsonl")
    before = merged(read_findings(kept), here := read_findings(kept_here))
    todo = [] if options.show else [claim for claim in wanted if options.again or not is_done(claim, here)]
    if todo and len(todo) < len(wanted):
        print(f"{len(wanted) - len(todo)} long claims are decided here by this version (--again measures them)", file=sys.stderr)
    new: Findings = {}
    failures: list[str] = []
    interrupted = False
    places = (options.folder.resolve(), options.puzzles and options.puzzles.resolve())
    try:
        with (
            tqdm(total=len(todo), unit="claim", disable=not todo) as bar,
            contextlib.closing(findings_of(todo, *places, options.jobs or len(os.sched_getaffinity(0)))) as measured,
        ):
            for found, failed in measured:
                append_finding(kept_here, found)
                new[found.key] = found
                failures += [found.key] if failed else []
                bar.set_postfix_str(found.key, refresh=False)
                bar.update()
    except KeyboardInterrupt:
        interrupted = True
    now = merged(before, new)
    write_findings(kept, now, (claim.key for claim in claims))
    write_whole(options.page, page(studies, now))
    print(terminal_table(wanted, now))
    for found in new.values():
        if not found.decided:
            print(f"{found.key} {'failed' if found.key in failures else 'is not decided'}: {found.why}")
    print(f"Just one row: make reproduce ONLY=KEY. All rows with their sources: {options.page}")
    return INTERRUPTED if interrupted else int(bool(failures))
