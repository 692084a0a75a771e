"""A search for short strings: its results in a folder, and the choice of the next move.

    search = StringSearch("thin", "3x3", 80, folder, METHODS, descent=5.0)
    search.learn(make(search.next(seed=1, deadline=...)))

FOLDER/rounds.jsonl has a line for each move, and FOLDER/found.jsonl for each string; another search resumes there. `moves.py`
makes moves; `command.py` runs them in parallel.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from random import Random

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.journal import Journal
from cnfgen_puzzles.families.maze.puzzle import FREE
from cnfgen_puzzles.solving.answers import UNKNOWN
from studies.maze_search.moves import (
    DESCENT,
    NO_TIME,
    OTHERS,
    REPAIR,
    SHORTEN,
    WANDER,
    WINDOW,
    Made,
    Move,
    canonical,
    mazes_to_solve,
    opened,
)
from studies.mazes.cases import verified
from studies.mazes.cubes import Entry

FIRST_DESCENT, GROWTH, LONGEST_DESCENT = 5.0, 1.5, 900.0
"""The default seconds of the first descent to a length, the factor for the next one, and the most seconds."""

WANDERING = 15.0
"""The seconds of wandering."""

FIRST_WINDOW, LARGEST_WINDOW, WINDOW_SECONDS = 10, 30, 60.0
"""The first and the largest number of freed letters; it grows if the answer took less than a third of these seconds."""

NEARLY = 12
"""The most failed mazes of a string that is worth repairing."""

MOST_KEPT = 1000
"""The most strings of one length that are kept."""


class StringSearch:
    """The results so far, and the next moves."""

    def __init__(self, kind: str, size: str, length: int, folder: Path, methods: tuple[str, ...], descent: float):
        self.kind, self.size, self.length, self.folder = kind, size, length, folder
        self.methods, self.descent = methods, descent
        self.found: dict[int, dict[str, str]] = {}  # by length: the canonical form, and the string itself
        self.reached: list[Entry] = []  # the first string of each length that was the shortest then
        self.near: dict[int, list[tuple[int, str]]] = {}
        self.done: dict[tuple[str, int], int] = {}  # moves by method and length
        self.window = dict.fromkeys((WINDOW, OTHERS, REPAIR), FIRST_WINDOW)
        self.rounds, self.seconds, self.tried = 0, 0.0, 0
        folder.mkdir(parents=True, exist_ok=True)
        self._made, self._kept = (Journal(folder / f"{name}.jsonl") for name in ("rounds", "found"))
        for entry in self._made.entries():
            self._count(Made(**entry))
        for entry in self._kept.entries():
            self._enter(entry)

    @property
    def shortest(self) -> int | None:
        return min(self.found, default=None)

    @property
    def wanted(self) -> int:
        """The length to reach."""
        return self.length if self.shortest is None else min(self.length, self.shortest - 1)

    def begin_with(self, strings: Iterable[str]) -> None:
        """Adds strings from the user."""
        for string in strings:
            failed = len(mazes_to_solve(self.kind, self.size).unsolved(string))
            if failed:
                print(f"{len(string)} letters that fail in {failed} mazes: {string}")
                self.near.setdefault(len(string), []).append((failed, string))
            else:
                self.keep(verified(self.kind, self.size, string), "given")

    def next(self, seed: int, deadline: float, extra: int = 0) -> Move:
        """The next move; `extra` moves are in progress."""
        number = self.rounds + extra
        random = Random(f"{seed} {number}")
        method = self._method(number)
        wanted, seconds, pattern = self.wanted, WINDOW_SECONDS, ""
        start: str | None = None
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
        return Move(method, self.kind, self.size, pattern, random.getrandbits(32), seconds, deadline, start)

    def _method(self, number: int) -> str:
        """The possible methods in turn."""
        possible = {DESCENT}
        if self.shortest is not None and self.wanted == self.shortest - 1:
            possible |= {SHORTEN, WANDER, WINDOW, OTHERS}
        if self._near():
            possible.add(REPAIR)
        chosen = [method for method in self.methods if method in possible] or [DESCENT]
        return chosen[number % len(chosen)]

    def _one(self, random: Random) -> str:
        return random.choice(list(self.found[min(self.found)].values()))

    def _near(self) -> list[tuple[int, str]]:
        return [pair for pair in self.near.get(self.wanted, []) if pair[0] <= NEARLY]

    # -- results ----------------------------------------------------------------------------------------------------------

    def learn(self, made: Made) -> None:
        """Records the result of a move."""
        solved, made.solved = made.solved, []
        self._count(made)
        for string in solved:  # before the round, so that a killed run loses no string
            self.keep(string, made.method, made.seed)
        self._made.append(asdict(made))

    def _count(self, made: Made) -> None:
        if (made.kind, made.size) != (self.kind, self.size):
            raise InputError(f"found rounds for {made.kind} {made.size}", source=str(self.folder / "rounds.jsonl"))
        self.rounds += 1
        self.seconds += made.seconds
        self.tried += made.tried if made.method not in self.window else 0
        key = made.method, made.length
        self.done[key] = self.done.get(key, 0) + 1
        if made.cost and made.best:
            self.near.setdefault(made.length, []).append((made.cost, made.best))
        if made.method in self.window and made.verdict != NO_TIME:
            step = 1 if made.verdict != UNKNOWN and made.seconds < WINDOW_SECONDS / 3 else -1
            if step < 0 or made.window >= self.window[made.method] - 1:  # not the answer to an earlier, smaller one
                self.window[made.method] = min(LARGEST_WINDOW, max(2, self.window[made.method] + step))

    def keep(self, string: str, method: str, seed: int | None = None) -> None:
        """Records a string that solves all mazes, unless it or an image of it is known."""
        entry = {
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
        if self._enter(entry):
            self._kept.append(entry)

    def _enter(self, entry: Entry) -> bool:
        """True if the string is new."""
        string = entry["string"]
        same = self.found.get(len(string), {})
        form = canonical(mazes_to_solve(self.kind, self.size), string)
        if form in same or len(same) >= MOST_KEPT:
            return False
        if self.shortest is None or len(string) < self.shortest:
            self.reached.append(entry)
        self.found.setdefault(len(string), {})[form] = string
        return True
