"""Measure the claims of all studies and write the table of claimed and measured numbers.

    python scripts/check/reproduce.py [--full] [--only KEY,...] [--jobs N] [--puzzles FOLDER] [--again]

By default, only quick claims are measured. Each finding is saved at once, so an interrupted run loses at most the claims in
progress. With `--full`, long claims that this version has decided in this folder are not measured again. States and certificates
of long claims are kept and resumed. `--show` measures nothing and writes the page; with `--folder` it also merges the findings of
another checkout.

Exit codes: 0 all claims were measured, with any result; 1 a measurement failed; 2 mistake in the call; 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
import traceback
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path

from tqdm import tqdm

from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import CnfgenError, InputError, unknown_name
from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.solving.distribute import Work, distribute
from cnfgen_puzzles.solving.executors import open_executor
from studies.claims import Claim, Measured, Place, Study
from studies.findings import Finding, Findings, append_finding, finding, merged, read_findings, write_findings
from studies.resultspage import DETAILS, details_page, page, terminal_table

STUDIES = (
    "nonogram_survey",
    "nonogram_census",
    "pentominoes",
    "grid_counts",
    "queens",
    "four_holes",
    "maze_reductions",
    "maze_optima",
    "maze_windows",
    "maze_search",
)
"""Their folders, in the order of the page."""
REPOSITORY = Path(__file__).resolve().parents[1]
FOLDER = REPOSITORY / "results" / "reproduce"
PAGE = REPOSITORY / "docs/results/results.md"
SAMPLES = REPOSITORY.parent / "shared" / "data" / "nonogram"
"""Puzzles that cannot be redistributed, if present."""
INTERRUPTED = 130


# -- the claims ---------------------------------------------------------------------------------------------------------


def all_studies() -> list[Study]:
    """The studies with their claims."""
    if not (REPOSITORY / "instances").is_dir():
        raise InputError("found no folder 'instances', expected a checkout of the project with its puzzles")
    return [import_module(f"studies.{name}.claims").STUDY for name in STUDIES]


def chosen(claims: Sequence[Claim], only: str | None, full: bool) -> list[Claim]:
    """The claims whose keys match a pattern of `only` (separated by commas); otherwise the quick claims, or all."""
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
    """Yields the measurement of each claim when it is finished, and whether it failed.

    `jobs` processes run in parallel: first the quick claims, one for each process; then the long claims, which share them.
    """
    with open_executor(jobs=jobs) as executor:
        for batch in ([claim for claim in claims if not claim.full], [claim for claim in claims if claim.full]):
            share = max(1, jobs // len(batch)) if batch and batch[0].full else 1
            yield from _findings(executor, sorted(batch, key=lambda claim: -claim.seconds), folder, puzzles, share)


def _findings(
    executor: Executor, claims: Sequence[Claim], folder: Path, puzzles: Path | None, share: int
) -> Generator[tuple[Finding, bool], None, None]:
    def call(claim: Claim) -> Work:
        return measure, claim.measure, Place(folder / claim.key, puzzles, share)

    with contextlib.closing(distribute(executor, claims, call, "claims")) as events:
        for event in filter(None, events):
            try:
                measured, seconds, fault = event.result()
            except CnfgenError as error:
                measured, seconds, fault = Measured(None, "", str(error)), 0.0, str(error)
            if fault:
                tqdm.write(f"{event.unit.key}: {fault}", file=sys.stderr)
            yield finding(event.unit.key, measured, seconds), bool(fault)


def measure(function: Callable[[Place], Measured], place: Place) -> tuple[Measured, float, str]:
    """Runs in a separate process: the measurement, its seconds, and an error, if any."""
    started = time.monotonic()
    try:
        return function(place), time.monotonic() - started, ""
    except CnfgenError as error:
        told = fault = str(error)
    except Exception as error:  # internal error: the other claims continue
        told, fault = f"{type(error).__name__}: {error}", traceback.format_exc()
    return Measured(None, "", told), time.monotonic() - started, fault


# -- the command --------------------------------------------------------------------------------------------------------


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="also measure long claims")
    parser.add_argument("--only", metavar="KEY,...", help="measure only these claims; `*` matches any text")
    parser.add_argument("--jobs", type=int, help="number of parallel processes (default: number of cores)")
    parser.add_argument(
        "--puzzles", type=Path, default=SAMPLES if SAMPLES.is_dir() else None, help="folder with your copies of the nonograms"
    )
    parser.add_argument("--again", action="store_true", help="also measure claims that this version has decided")
    parser.add_argument("--show", action="store_true", help="measure nothing; merge the findings of the folder, write the page")
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help="folder for findings, states, and certificates (results/reproduce)"
    )
    parser.add_argument(
        "--page",
        type=Path,
        default=PAGE,
        help="write the table to this page; details and findings next to it (docs/results/results.md)",
    )
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
    """True if it is a long claim that this version has decided on this machine."""
    finding = here.get(claim.key)
    return claim.full and finding is not None and finding.decided and finding.version == __version__


def reproduce(options: argparse.Namespace) -> int:
    """Measures, saves, writes, and prints; returns the exit code."""
    studies = all_studies()
    claims = [claim for study in studies for claim in study.claims]
    wanted = chosen(claims, options.only, options.full)
    kept_here, kept = options.folder / "findings.jsonl", options.page.with_suffix(".jsonl")
    before = merged(read_findings(kept), here := read_findings(kept_here))
    todo = [] if options.show else [claim for claim in wanted if options.again or not is_done(claim, here)]
    if todo and len(todo) < len(wanted):
        print(
            f"{len(wanted) - len(todo)} long claims are already decided by this version (--again measures them)", file=sys.stderr
        )
    new: Findings = {}
    failures: list[str] = []
    interrupted = False
    places = (options.folder.resolve(), options.puzzles and options.puzzles.resolve())
    try:
        with (
            tqdm(total=len(todo), unit="claim", disable=not todo) as bar,
            contextlib.closing(findings_of(todo, *places, options.jobs or len(usable_cores()))) as measured,
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
    with atomic_file(options.page) as stream:
        stream.write(page(studies, now).encode())
    with atomic_file(options.page.with_name(DETAILS)) as stream:
        stream.write(details_page(studies, now).encode())
    print(terminal_table(wanted, now))
    for found in new.values():
        if not found.decided:
            print(f"{found.key} {'failed' if found.key in failures else 'is not decided'}: {found.why}")
    print(f"To measure one row: make reproduce ONLY=KEY. All rows with their sources: {options.page}")
    return INTERRUPTED if interrupted else int(bool(failures))
