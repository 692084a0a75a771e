"""Short strings that solve all mazes of a grid, by rounds of annealing and of SAT windows; it shows nothing impossible.

    python scripts/maze_search.py --kind thin --size 3x3 --length 80 --time 600
    python scripts/maze_search.py --kind thin --size 3x3 --from STRING --time 3600 --folder results/maze_search

Wanted is a string of `--length` letters, and after it always one with a letter less than the shortest so far. A round is one of:

* descent: simulated annealing from a random string of the wanted length; each is longer than the last one before it;
* shorten: annealing, less hot, from a shortest string without one of its letters;
* wander: annealing among the shortest strings, from one to others as short;
* window: some letters of a shortest string, or of both its ends, are freed, and the SAT loop asks for one letter less;
* others: the same with as many letters, for other strings as short;
* repair: the same for a string of the wanted length that fails in few mazes.

A string counts when it solves every maze of the grid, by simulation, without any reduction. FOLDER/rounds.jsonl has a line a
round, FOLDER/found.jsonl a line a string; the same command goes on there, times and counts included. Seconds are of processor
time. Not here: proofs that a window has no shorter filling (`maze_windows.py`).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict
from pathlib import Path
from random import Random

from tabulate import tabulate

from cnfgen_puzzles.families.maze.model import KINDS, THIN
from cnfgen_puzzles.families.maze.model.puzzle import FREE, MAX_LENGTH, read_string
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.ground.jsonlines import end_last_line, read_jsonlines
from cnfgen_puzzles.studies.maze_search.rounds import (
    DESCENT,
    METHODS,
    OTHERS,
    REPAIR,
    SHORTEN,
    WANDER,
    WINDOW,
    Result,
    Task,
    canonical,
    mazes_of,
    opened,
    perform,
    verified,
)

FIRST_DESCENT, GROWTH, LONGEST_DESCENT = 5.0, 1.5, 900.0
"""Seconds of the first descent to a length unless the user says, by how much the next one is longer, and the most."""

WANDERING = 15.0
"""Seconds for which strings wander."""

FIRST_WINDOW, LARGEST_WINDOW, WINDOW_SECONDS = 10, 30, 60.0
"""Letters freed at first, and at most; more of them the next time when the answer came in a third of these seconds."""

NEARLY = 12
"""A string that fails in so many mazes or fewer is worth repairing."""

MOST_KEPT = 1000
"""How many strings of one length are kept."""


# -- which round comes next -----------------------------------------------------------------------------------------------


class Search:
    """All that is known so far, and what to try next."""

    def __init__(self, kind: str, size: str, length: int, folder: Path, methods: tuple[str, ...], descent: float):
        self.kind, self.size, self.length, self.folder = kind, size, length, folder
        self.methods, self.descent = methods, descent
        self.found: dict[int, dict[str, str]] = {}  # by length: the canonical form, and the string itself
        self.reached: list[dict] = []  # the first string of each length that was the shortest then
        self.near: dict[int, list[tuple[int, str]]] = {}
        self.done: dict[tuple[str, int], int] = {}  # rounds by method and length
        self.window = dict.fromkeys((WINDOW, OTHERS, REPAIR), FIRST_WINDOW)
        self.rounds, self.seconds, self.tried = 0, 0.0, 0
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("rounds", "found"):
            end_last_line(folder / f"{name}.jsonl")
        for record in read_jsonlines(folder / "rounds.jsonl"):
            self._learn(Result(**record))
        for record in read_jsonlines(folder / "found.jsonl"):
            self._keep(record)

    @property
    def shortest(self) -> int | None:
        return min(self.found, default=None)

    @property
    def wanted(self) -> int:
        """The length to reach."""
        return self.length if self.shortest is None else min(self.length, self.shortest - 1)

    def begin_with(self, strings: Iterable[str]) -> None:
        """Strings that the user gives."""
        for string in strings:
            failed = len(mazes_of(self.kind, self.size).unsolved(string))
            if failed:
                print(f"{len(string)} letters that fail in {failed} mazes: {string}")
                self.near.setdefault(len(string), []).append((failed, string))
            elif verified(self.kind, self.size, string):
                self.keep(string, "given")

    def next(self, seed: int, deadline: float, extra: int = 0) -> Task:
        """The next round; `extra` are those that are under way."""
        number = self.rounds + extra
        random = Random(f"{seed} {number}")
        method = self._method(number)
        wanted, seconds, start, pattern = self.wanted, WINDOW_SECONDS, None, ""
        if method in (DESCENT, SHORTEN):
            pattern = FREE * wanted
            times = self.done.get((method, wanted), 0)
            seconds = min(max(LONGEST_DESCENT, self.descent), self.descent * GROWTH**times)
        if method == SHORTEN:
            string = self._one(random)
            place = random.randrange(len(string))
            start = string[:place] + string[place + 1 :]
        elif method == WANDER:
            start, seconds = self._one(random), WANDERING
            pattern = FREE * len(start)
        elif method in self.window:
            start = random.choice(self._near())[1] if method == REPAIR else self._one(random)
            window = min(self.window[method], len(start))
            pattern = opened(start, random.randrange(len(start)), window, window - (method == WINDOW), random)
        return Task(method, self.kind, self.size, pattern, random.getrandbits(32), seconds, deadline, start)

    def _method(self, number: int) -> str:
        """Those that are possible in turn."""
        possible = {DESCENT}
        if self.found and self.wanted == self.shortest - 1:
            possible |= {SHORTEN, WANDER, WINDOW, OTHERS}
        if self._near():
            possible.add(REPAIR)
        chosen = [method for method in self.methods if method in possible] or [DESCENT]
        return chosen[number % len(chosen)]

    def _one(self, random: Random) -> str:
        return random.choice(list(self.found[self.shortest].values()))

    def _near(self) -> list[tuple[int, str]]:
        return [pair for pair in self.near.get(self.wanted, []) if pair[0] <= NEARLY]

    # -- what is kept -----------------------------------------------------------------------------------------------------

    def learn(self, result: Result) -> None:
        """A round is over."""
        solved, result.solved = result.solved, []
        self._learn(result)
        for string in solved:  # before the round: a run that is killed here loses no string
            self.keep(string, result.method, result.seed)
        self._write("rounds", asdict(result))

    def _learn(self, result: Result) -> None:
        if (result.kind, result.size) != (self.kind, self.size):
            raise InputError(f"found rounds for {result.kind} {result.size}", source=str(self.folder / "rounds.jsonl"))
        self.rounds += 1
        self.seconds += result.seconds
        self.tried += result.tried if result.method not in self.window else 0
        key = result.method, result.length
        self.done[key] = self.done.get(key, 0) + 1
        if result.cost and result.best:
            self.near.setdefault(result.length, []).append((result.cost, result.best))
        if result.method in self.window and result.verdict != "no time":
            step = 1 if result.verdict != "UNKNOWN" and result.seconds < WINDOW_SECONDS / 3 else -1
            if step < 0 or result.window >= self.window[result.method] - 1:  # not the answer to an earlier, smaller one
                self.window[result.method] = min(LARGEST_WINDOW, max(2, self.window[result.method] + step))

    def keep(self, string: str, method: str, seed: int | None = None) -> None:
        """A string that solves all mazes: on file, unless it or its image is there."""
        record = {
            "kind": self.kind,
            "size": self.size,
            "length": len(string),
            "string": string,
            "method": method,
            "seed": seed,
            "round": self.rounds,
            "seconds": round(self.seconds, 2),
            "tried": self.tried,
        }
        if self._keep(record):
            self._write("found", record)

    def _keep(self, record: dict) -> bool:
        string = record["string"]
        same = self.found.get(len(string), {})
        form = canonical(mazes_of(self.kind, self.size), string)
        if form in same or len(same) >= MOST_KEPT:
            return False
        if self.shortest is None or len(string) < self.shortest:
            self.reached.append(record)
        self.found.setdefault(len(string), {})[form] = string
        return True

    def _write(self, name: str, record: dict) -> None:
        with (self.folder / f"{name}.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record) + "\n")


# -- the command ----------------------------------------------------------------------------------------------------------


def run(search: Search, seed: int, seconds: float, jobs: int, until: int) -> None:
    """Rounds until the time is over or a string of `until` letters is there."""
    deadline = time.monotonic() + seconds
    for result in results(search, seed, deadline, jobs, until):
        before = search.shortest
        solved = result.solved
        search.learn(result)
        cost = "" if result.cost is None else f"fails {result.cost}"
        window = f"{result.window} free" if result.method in search.window else ""
        told = f"{search.seconds:8.0f} s  {result.method:8} {result.length:3} letters {window:8} {cost:10} {result.verdict}"
        print(f"{told:64} shortest: {search.shortest or '-'} ({len(search.found.get(search.shortest, ()))})", flush=True)
        if search.shortest != before:
            print(f"{search.shortest} letters: {min(solved, key=len)}", flush=True)


def results(search: Search, seed: int, deadline: float, jobs: int, until: int) -> Iterator[Result]:
    """Rounds as they end, `jobs` at a time."""

    def more() -> bool:
        return time.monotonic() < deadline and (search.shortest is None or search.shortest > until)

    if jobs == 1:
        while more():
            yield perform(search.next(seed, deadline))
        return
    running: set[Future[Result]] = set()
    with ProcessPoolExecutor(jobs) as pool:
        while more() or running:
            while more() and len(running) < jobs:
                running.add(pool.submit(perform, search.next(seed, deadline, len(running))))
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                yield future.result()


def report(search: Search) -> None:
    rows = [
        (r["length"], r["seconds"], r["tried"], r["round"], r["method"], len(search.found[r["length"]])) for r in search.reached
    ]
    print(tabulate(rows, headers=["length", "seconds", "strings tried", "rounds", "by", "kept"]))
    print(f"{search.rounds} rounds, {search.seconds:.0f} s of processor time, {search.tried} strings tried")
    if search.shortest is not None:
        print(f"shortest: {search.shortest} letters, {next(iter(search.found[search.shortest].values()))}")


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS, default=THIN)
    parser.add_argument("--size", default="3x3")
    parser.add_argument("--length", type=int, help="the length to reach first (one less than the shortest of --from)")
    parser.add_argument("--from", dest="given", nargs="+", default=[], metavar="STRING", help="strings to begin with")
    parser.add_argument("--until", type=int, default=0, metavar="LENGTH", help="stop with a string so short")
    parser.add_argument("--time", type=float, default=600, metavar="SECONDS", help="limit of this run, wall time (600)")
    parser.add_argument(
        "--descent", type=float, default=FIRST_DESCENT, metavar="SECONDS", help=f"of the first descent ({FIRST_DESCENT:g})"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="rounds side by side (1)")
    parser.add_argument("--methods", default=",".join(METHODS), help="only these kinds of rounds, apart by commas")
    parser.add_argument("--folder", type=Path, default=Path("results/maze_search"))
    try:
        arguments = parser.parse_args(words)
        search = search_of(arguments)
        run(search, arguments.seed, arguments.time, arguments.jobs, arguments.until)
        report(search)
    except CnfgenError as error:
        print(f"maze_search: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted; the same command goes on where this one was", file=sys.stderr)
        return 130
    return 0


def search_of(arguments: argparse.Namespace) -> Search:
    """The search that the user asked for; a clear error for what cannot be."""
    for name in ("time", "jobs", "descent"):
        value = getattr(arguments, name)
        if not math.isfinite(value) or value <= 0:
            raise InputError(f"found {value}, expected more than 0", source=f"--{name}")
    given = [read_string(text, "--from") for text in arguments.given]
    if arguments.length is None and not given:
        raise InputError("found neither, expected --length or --from: how long is the string to be?", source="--length")
    length = MAX_LENGTH if arguments.length is None else arguments.length
    if not 1 <= length <= MAX_LENGTH:
        raise InputError(f"found {length}, expected 1 to {MAX_LENGTH}", source="--length")
    methods = tuple(word.strip() for word in arguments.methods.split(","))
    for method in methods:
        if method not in METHODS:
            raise InputError(f"found {method!r}, expected some of {', '.join(METHODS)}", source="--methods")
    mazes_of(arguments.kind, arguments.size)  # a wrong size shows now
    search = Search(arguments.kind, arguments.size, length, arguments.folder, methods, arguments.descent)
    search.begin_with(given)
    if search.wanted == MAX_LENGTH:
        raise InputError("found no string that solves all mazes, expected one, or --length", source="--from")
    return search


if __name__ == "__main__":
    sys.exit(main())
