"""Compare grid genres with pzprjs (https://github.com/robx/pzprjs), the program of puzz.link: `compare_pzprjs.py CHECKOUT`.

CHECKOUT is a folder with the sources of pzprjs, which node runs as they are (`pzprjs.js`). For random puzzles of each genre, with
walls inside rooms, and for random answers, right and wrong:

- pzprjs opens the address and the file with the answer, and has the same puzzle;
- the file and the address that pzprjs writes are read here, with the same puzzle and the same answer;
- pzprjs and the genre name the same broken rule first, or none.

With `--counts`, pzprjs judges all boards of small puzzles, and the solutions of the encoding are exactly the right ones. The exit
code is 1 if something differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice, pairwise, product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests")]

from exhaustive import gridranges  # noqa: E402  from tests/, which the lines above make known

from cnfgen_puzzles.common.errors import InputError  # noqa: E402
from cnfgen_puzzles.common.sources import Source  # noqa: E402
from cnfgen_puzzles.families import GENRES, find_family  # noqa: E402
from cnfgen_puzzles.families.grid.layer.boards import rows_and_columns  # noqa: E402
from cnfgen_puzzles.families.grid.layer.kinds import FreeNumbers, ShadedLoop  # noqa: E402
from cnfgen_puzzles.families.links import pzpr  # noqa: E402
from cnfgen_puzzles.families.links.pzpr import NONE, UNKNOWN, Size  # noqa: E402
from cnfgen_puzzles.pipeline.api import solutions, solve  # noqa: E402

Parts = dict[tuple[int, ...], int]
ABSENT = ("binairo", "kakurasu", "mosaic", "shingoki", "yajikabe")
"""Genres that pzprjs does not have."""


class Pzprjs:
    """The program under node, which answers a request in JSON by a line."""

    def __init__(self, checkout: str):
        driver = Path(__file__).with_name("pzprjs.js")
        self.process = subprocess.Popen(
            ["node", str(driver), checkout], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def open(self, text: str) -> dict[str, Any]:
        """The state of pzprjs after it opened an address or a file."""
        assert self.process.stdin and self.process.stdout
        print(json.dumps({"open": text}), file=self.process.stdin, flush=True)
        return dict(json.loads(self.process.stdout.readline()))


# -- random puzzles and answers ---------------------------------------------------------------------------------------------


def random_puzzle(genre: Any, size: Size, chance: Random) -> Any:
    """A puzzle of the parts that tests/exhaustive gives small ones, and with walls inside rooms, as an address has it; None if
    these parts are no puzzle."""
    share = chance.choice((0.1, 0.25, 0.5))
    chosen = [
        chance.choice(tuple(some)) if fields in gridranges.WHOLE or chance.random() < share else some[0]
        for fields, some in gridranges.parts(genre, size)
    ]
    puzzle: Any = gridranges.puzzle_of(genre, size, chosen)
    if puzzle is None:
        return None
    try:
        if pzpr.ROOMS in genre.url and chance.random() < 0.5:
            walls = [wall or chance.random() < 0.2 for wall in pzpr.walls_in(size, {"rooms": puzzle.rooms})]
            puzzle = replace(puzzle, **pzpr.walled_rooms(size, walls))
        return read(genre, genre.write(puzzle, "url"))
    except (InputError, ValueError):
        return None


def random_puzzles(genre: Any, chance: Random, lengths: range) -> Iterator[Any]:
    """Puzzles with sides of these lengths whose given numbers are possible."""
    while True:
        height, width = (chance.choice(lengths) for _ in range(2))
        size = Size(4, 4) if genre.name == "sudoku" else Size(height, max(width, 2))
        if (puzzle := random_puzzle(genre, size, chance)) is not None and possible(genre, puzzle):
            yield puzzle


def random_answer(genre: Any, puzzle: Any, chance: Random) -> Parts:
    """Random values of a complete board; lines and borders need not be any that boards can have."""
    parts: Parts = {}
    share = chance.choice((0.1, 0.3, 0.5, 0.7))
    if genre.kind in ("loop", "division"):
        for place in drawable(genre, puzzle):
            parts[place] = int(chance.random() < share)
    for places in bridges(puzzle) if genre.name in BRIDGES else ():
        parts |= dict.fromkeys(places, chance.choice(BRIDGES[genre.name]) if chance.random() < share else 0)
    if isinstance(genre, ShadedLoop):
        parts |= {cell: int(chance.random() < share) for cell in puzzle.cells if puzzle.number(cell) == NONE}
    elif genre.kind == "shading":
        parts |= {cell: genre.states[chance.random() < share] for cell in shadeable(genre, puzzle)}
    elif genre.kind == "numbers":
        for cell, values in values_of(genre, puzzle).items():
            if puzzle.number(cell) != UNKNOWN or genre.name == "shakashaka":  # a player of puzz.link cannot fill a question mark
                parts[cell] = puzzle.number(cell) if is_given(genre, puzzle, cell) else chance.choice(tuple(values))
        if genre.name == "fillomino":
            parts |= {place: int(chance.random() < share) for place in drawable(genre, puzzle)} if chance.random() < 0.5 else {}
        if chance.random() < 0.3:
            parts = {place: value for place, value in parts.items() if chance.random() < 0.8}
    return parts


def is_given(genre: Any, puzzle: Any, cell: Any) -> bool:
    """Whether the clue of a cell is its value."""
    is_clue = genre.name == "shakashaka" or (isinstance(genre, FreeNumbers) and genre.free(puzzle, cell))
    return puzzle.number(cell) >= 0 and not is_clue


UNSHADED = ("canal", "curving", "kurochute", "kurodoko", "kurotto", "mines", "nurimisaki", "tasquare", "usoone")
"""Genres in which a player cannot shade a cell with a clue."""


def shadeable(genre: Any, puzzle: Any) -> list[Any]:
    """The cells that a player can shade."""
    if genre.name == "tilepaint":
        return [(r, c) for r, c in puzzle.cells if not puzzle.lists[r][c]]
    return [cell for cell in puzzle.cells if genre.name not in UNSHADED or puzzle.number(cell) == NONE]


BRIDGES = {"hashikake": (1, 2), "wblink": (1,)}
"""Genres with lines between two clues only, and how many there can be."""


def drawable(genre: Any, puzzle: Any) -> list[tuple[int, ...]]:
    """The places of lines or borders that a player can draw on their own."""
    if genre.name in BRIDGES:
        return []
    black = {(r, c) for r, c in puzzle.cells if genre.name in ("doubleback", "simpleloop") and puzzle.marks[r][c]}
    return [(*a, *b) for a, b in pzpr.sides(Size(*genre.shape(puzzle))) if a not in black and b not in black]


def bridges(puzzle: Any) -> Iterator[list[tuple[int, ...]]]:
    """The places of each bridge."""
    for line in rows_and_columns(puzzle):
        islands = [k for k, cell in enumerate(line) if puzzle.number(cell) != NONE]
        for first, last in pairwise(islands):
            yield [(*a, *b) for a, b in pairwise(line[first : last + 1])]


def values_of(genre: Any, puzzle: Any) -> dict[Any, Any]:
    """The values that the cells of a board of numbers can have."""
    if genre.name == "shakashaka":
        return {cell: (0, 2, 3, 4, 5) for cell in puzzle.cells if puzzle.number(cell) == NONE}
    if genre.name == "fillomino":
        return dict.fromkeys(puzzle.cells, range(1, 5))
    return {cell: values or (1,) for cell, values in genre.values(puzzle).items()}


def possible(genre: Any, puzzle: Any) -> bool:
    """Whether each given number is one that its cell can have; pzprjs lets nobody enter others."""
    if genre.name == "nurimaze":  # pzprjs writes one start and one goal
        return all(list(chain(*puzzle.numbers)).count(sign) == 1 for sign in (1, 2))
    if UNKNOWN in chain(*puzzle.outside) and genre.name != "battleship":
        return False
    if genre.kind != "numbers" or genre.name == "shakashaka":
        return True
    values = values_of(genre, puzzle)
    return all(number in values.get(cell, (number,)) for cell, number in puzzle.clues())


def answers(genre: Any, puzzle: Any, chance: Random, solved: bool) -> Iterator[Parts]:
    """Random answers, and, if asked for, a solution and answers that are almost one."""
    for _ in range(3):
        yield random_answer(genre, puzzle, chance)
    if solved and (found := solve(puzzle, proof=False).boards):
        right = {part[:-1]: part[-1] for part in genre.solved(puzzle, found[0]).known}
        yield right
        for changes in (1, 1, 2, 3):
            other = random_answer(genre, puzzle, chance)
            places = chance.sample(sorted(set(right) & set(other)), k=min(changes, len(set(right) & set(other))))
            yield right | {place: other[place] for place in places}


# -- comparisons --------------------------------------------------------------------------------------------------------------


def read(genre: Any, text: str) -> Any:
    return genre.read(Source("compared", text.encode(), ""))


def read_address(genre: Any, found: dict[str, Any]) -> Any:
    """The puzzle in an address of pzprjs, which writes -1 in place of a point for Tilepaint, and cannot read it."""
    return read(genre, found["url"].replace("-1", ".") if genre.name == "tilepaint" else found["url"])


def verdict(genre: Any, puzzle: Any, parts: Parts) -> str | None:
    """The first rule that an answer breaks."""
    return next(iter(genre.broken(puzzle, genre.board_of(puzzle, parts), parts)), None)


def compare(genre: Any, puzzle: Any, tried: list[Parts], judge: Pzprjs) -> Iterator[tuple[str, str]]:
    """The differences, each with the puzzle or file that has it."""
    url = genre.write(puzzle, "url").strip()
    found = judge.open(f"https://puzz.link/p?{url}")
    if "error" in found or found["variant"] != bool(puzzle.variant) or read_address(genre, found) != puzzle:
        yield "address", f"{url} {found.get('error') or found['url']}"
        return
    for parts in tried:
        with_answer = replace(puzzle, known=tuple(sorted((*place, value) for place, value in parts.items())))
        text = genre.write(with_answer, "pzprv3")
        found = judge.open(text)
        lost = genre.formats.lost(with_answer, "pzprv3", text)
        if "error" in found:
            yield "file is not opened", f"{url} {found['error']}"
            continue
        if "walls inside rooms" not in lost and read_address(genre, found) != puzzle:
            yield "puzzle in our file", f"{url} {found['url']}"
        try:
            again = read(genre, found["file"])
        except (InputError, ValueError) as error:
            yield "file of pzprjs", f"{url} {error}"
            continue
        stored = read(genre, text)  # a cell whose clue tells its value has none in a file
        if again.saved != stored.saved:
            yield "answer", f"{url} {json.dumps(found['file'])}"
        if not lost and again != puzzle:
            yield "puzzle in the file of pzprjs", f"{url} {json.dumps(found['file'])}"
        if (mine := verdict(genre, puzzle, {part[:-1]: part[-1] for part in stored.saved})) != found["check"]:
            yield f"rule {mine} here, {found['check']} there", f"{url} {json.dumps(text)}"


def every_answer(genre: Any, puzzle: Any, most: int) -> Iterator[Parts] | None:
    """All answers of a small puzzle; None if there are more than `most`."""
    choices: dict[tuple[int, ...], Any] = {}
    if genre.name in BRIDGES:
        return None
    if genre.kind in ("loop", "division"):
        choices |= dict.fromkeys(drawable(genre, puzzle), (0, 1))
    if isinstance(genre, ShadedLoop):
        choices |= {cell: (0, 1) for cell in puzzle.cells if puzzle.number(cell) == NONE}
    elif genre.kind == "shading":
        choices |= dict.fromkeys(shadeable(genre, puzzle), genre.states)
    elif genre.kind == "numbers":
        given = {cell: (puzzle.number(cell),) for cell in puzzle.cells if is_given(genre, puzzle, cell)}
        choices |= values_of(genre, puzzle) | given
    if prod(map(len, choices.values())) > most:
        return None
    return (dict(zip(choices, values, strict=True)) for values in product(*choices.values()))


def compare_counts(genre: Any, puzzle: Any, judge: Pzprjs, most: int) -> Iterator[tuple[str, str]]:
    """Whether the solutions of a small puzzle are the answers that pzprjs takes."""
    every = every_answer(genre, puzzle, most)
    if every is None:
        return
    right = set()
    for parts in every:
        text = genre.write(replace(puzzle, known=tuple(sorted((*place, value) for place, value in parts.items()))), "pzprv3")
        url = genre.write(puzzle, "url").strip()
        if judge.open(text).get("check", "") is None:
            right.add(genre.board_of(puzzle, {part[:-1]: part[-1] for part in read(genre, text).saved}))
    mine = {solution.board for solution in solutions(puzzle)}
    yield "tried", ""
    if mine != right:
        yield f"{len(mine)} solutions here, {len(right)} there", url


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", help="a folder with the sources of pzprjs")
    parser.add_argument("--genres", nargs="*", default=[name for name in GENRES if name not in ABSENT])
    parser.add_argument("--puzzles", type=int, default=60, help="random puzzles of each genre (60)")
    parser.add_argument("--solved", type=int, default=10, help="how many of them are solved, for right answers (10)")
    parser.add_argument("--counts", type=int, default=0, help="small puzzles of each genre whose boards are all judged (0)")
    parser.add_argument("--boards", type=int, default=600, help="the most boards of a small puzzle (600)")
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    judge, wrong = Pzprjs(given.checkout), 0
    for name in given.genres:
        genre, chance = find_family(name), Random(f"{given.seed} {name}")
        found, first, tried, counted = Counter[str](), dict[str, str](), 0, 0
        puzzles = random_puzzles(genre, chance, range(2, 6))
        for number, puzzle in enumerate(islice(puzzles, given.puzzles)):
            chosen = list(answers(genre, puzzle, chance, number < given.solved))
            tried += len(chosen)
            for what, where in compare(genre, puzzle, chosen, judge):
                found[what] += 1
                first.setdefault(what, where)
        for puzzle in islice(random_puzzles(genre, chance, range(1, 4)), given.counts):
            for what, where in compare_counts(genre, puzzle, judge, given.boards):
                counted += what == "tried"
                if what != "tried":
                    found[what] += 1
                    first.setdefault(what, where)
        print(
            f"{name}: {given.puzzles} puzzles, {tried} answers, {counted} counts, {sum(found.values())} differences", flush=True
        )
        for what, count in found.most_common():
            print(f"  {count} times: {what}: {first[what]}")
        wrong += sum(found.values())
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
