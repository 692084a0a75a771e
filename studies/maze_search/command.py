"""Search for short strings that solve all mazes of a grid, by rounds of annealing and of SAT windows. It proves no lower bounds.

    python scripts/studies/maze_search.py --kind thin --size 3x3 --length 80 --time 600
    python scripts/studies/maze_search.py --kind thin --size 3x3 --from STRING --time 3600 --folder results/maze_search

The search first looks for a string of `--length` letters, then for one letter less than the shortest string so far. A round is
one of:

* descent: simulated annealing from a random string of the wanted length; each descent is longer than the previous one;
* shorten: annealing at a lower temperature, from a shortest string without one of its letters;
* wander: annealing from one shortest string to others of the same length;
* window: some letters of a shortest string, or of both its ends, are freed, and the CEGAR loop searches for one letter less;
* others: as window, but with as many letters, to find other strings of the same length;
* repair: as others, for a string of the wanted length that fails in few mazes.

A string counts if simulation shows that it solves every maze of the grid, without any reduction. FOLDER/rounds.jsonl has a line
for each round, and FOLDER/found.jsonl for each string; the same command resumes the search with its times and counts. Times are
processor time. Proofs that a window has no shorter filling: `scripts/studies/maze_windows.py`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from tabulate import tabulate

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families.maze.model import KINDS, THIN
from cnfgen_puzzles.families.maze.puzzle import MAX_LENGTH, read_pattern
from cnfgen_puzzles.families.options import SIZE_HELP
from cnfgen_puzzles.solving.distribute import distribute
from cnfgen_puzzles.solving.executors import open_executor
from studies.maze_search.moves import METHODS, Made, Move, make, mazes_to_solve
from studies.maze_search.searching import FIRST_DESCENT, StringSearch
from studies.mazes.commands import check_positive


def main(words: Sequence[str] | None = None) -> int:
    """The exit code. Raises CnfgenError for what cannot be."""
    arguments = _parser().parse_args(words)
    search = _search(arguments)
    _run(search, arguments.seed, arguments.time, arguments.jobs, arguments.until)
    _report(search)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS, default=THIN)
    parser.add_argument("--size", default="3x3", help=SIZE_HELP)
    parser.add_argument("--length", type=int, help="first length (default: one less than the shortest of --from)")
    parser.add_argument("--from", dest="given", nargs="+", default=[], metavar="STRING", help="start with these strings")
    parser.add_argument("--until", type=int, default=0, metavar="LENGTH", help="stop at a string of this length")
    parser.add_argument(
        "--time", type=float, default=600, metavar="SECONDS", help="limit of this run, in seconds of wall time (600)"
    )
    parser.add_argument(
        "--descent", type=float, default=FIRST_DESCENT, metavar="SECONDS", help=f"length of the first descent ({FIRST_DESCENT:g})"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel rounds (1)")
    parser.add_argument("--methods", default=",".join(METHODS), help="use only these kinds of rounds, separated by commas")
    parser.add_argument("--folder", type=Path, default=Path("results/maze_search"))
    return parser


def _search(arguments: argparse.Namespace) -> StringSearch:
    """The requested search; InputError for invalid options."""
    check_positive(arguments, "time", "jobs", "descent")
    given = [read_pattern(text, "--from", free=False) for text in arguments.given]
    if arguments.length is None and not given:
        raise InputError("found neither --length nor --from, expected at least one of them", source="--length")
    length = MAX_LENGTH if arguments.length is None else arguments.length
    if not 1 <= length <= MAX_LENGTH:
        raise InputError(f"found {length}, expected 1 to {MAX_LENGTH}", source="--length")
    methods = tuple(word.strip() for word in arguments.methods.split(","))
    for method in methods:
        if method not in METHODS:
            raise InputError(f"found {method!r}, expected some of {', '.join(METHODS)}", source="--methods")
    mazes_to_solve(arguments.kind, arguments.size)  # check the size early
    search = StringSearch(arguments.kind, arguments.size, length, arguments.folder, methods, arguments.descent)
    search.begin_with(given)
    if search.wanted == MAX_LENGTH:
        raise InputError("found no string that solves all mazes, expected one, or --length", source="--from")
    return search


def _run(search: StringSearch, seed: int, seconds: float, jobs: int, until: int) -> None:
    """Runs rounds until the time limit or a string of `until` letters."""
    deadline = time.monotonic() + seconds
    for made in _moves(search, seed, deadline, jobs, until):
        before = search.shortest
        solved = made.solved
        search.learn(made)
        cost = "" if made.cost is None else f"fails {made.cost}"
        window = f"{made.window} free" if made.method in search.window else ""
        told = f"{search.seconds:8.0f} s  {made.method:8} {made.length:3} letters {window:8} {cost:10} {made.verdict}"
        kept = 0 if search.shortest is None else len(search.found[search.shortest])
        print(f"{told:64} shortest: {search.shortest or '-'} ({kept})", flush=True)
        if search.shortest != before:
            print(f"{search.shortest} letters: {min(solved, key=len)}", flush=True)


def _moves(search: StringSearch, seed: int, deadline: float, jobs: int, until: int) -> Iterator[Made]:
    """The results of moves when they end, `jobs` in parallel."""

    def more() -> bool:
        return time.monotonic() < deadline and (search.shortest is None or search.shortest > until)

    if jobs == 1:
        while more():
            yield make(search.next(seed, deadline))
        return
    running = 0

    def moves() -> Iterator[Move]:
        nonlocal running
        while more():
            running += 1
            yield search.next(seed, deadline, running - 1)

    with open_executor(jobs=jobs) as executor, closing(distribute(executor, moves(), lambda move: (make, move), "moves")) as made:
        for result in filter(None, made):
            running -= 1
            yield result.result()


def _report(search: StringSearch) -> None:
    rows = [
        (r["length"], r["seconds"], r["tried"], r["round"], r["method"], len(search.found[r["length"]])) for r in search.reached
    ]
    print(tabulate(rows, headers=["length", "seconds", "strings tried", "rounds", "by", "kept"]))
    print(f"{search.rounds} rounds, {search.seconds:.0f} s of processor time, {search.tried} strings tried")
    if search.shortest is not None:
        print(f"shortest: {search.shortest} letters, {next(iter(search.found[search.shortest].values()))}")
