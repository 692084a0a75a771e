"""Remove any four cells from the 8x8 board: can the twelve pentominoes cover the rest? Decides all 635,376 ways.

    python scripts/four_holes.py [--folder FOLDER] [--jobs N] [--first N] [--verify]

The article on pentominoes and PySAT claims 'always, except in two cases'. Up to the symmetries of the board there are 79,920
hole sets; each is decided with a certificate that is kept, one JSON object a line, in FOLDER/classes.jsonl:

* covered: a board in 64 letters, found by exact cover and checked against the rules;
* region: the holes cut off a part whose size is no multiple of five (its size is kept);
* refuted: the formula of the rest is UNSAT, by a solver whose DRAT proof drat-trim has checked.

A run that was ended goes on with the same command. `--verify` reads the file again and checks every line of it anew, without the
code that found it: boards and regions by this script alone, refutations by another solver and another proof.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from itertools import combinations
from pathlib import Path

from tabulate import tabulate
from tqdm import tqdm

from cnfgen_puzzles.counting.dancingcells import exact_covers
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.drawing import Drawing, Rect, Text
from cnfgen_puzzles.families.tiling.model.board import Board, make_board
from cnfgen_puzzles.families.tiling.model.puzzle import Placement, Tiling
from cnfgen_puzzles.pipeline.instance import make_instance
from cnfgen_puzzles.pipeline.solve import solve
from cnfgen_puzzles.solving.table import find_solver

SIDE = 8
CELLS = SIDE * SIDE
CHUNK = 40  # classes in one task: a second or so
PER_ROW = 10  # boards side by side in the report
SOLVER, SECOND_SOLVER = "cadical", "kissat"  # for refutations, and for `--verify`

Holes = tuple[int, ...]
"""Four cells, each 8 * row + column, in ascending order."""


# -- classes ------------------------------------------------------------------------------------------------------------


@cache
def board_symmetries() -> tuple[tuple[int, ...], ...]:
    """Where each of the eight symmetries of the board takes each cell."""
    turns = []
    for flip_rows, flip_columns, transpose in ((a, b, t) for a in (0, 1) for b in (0, 1) for t in (0, 1)):
        images = []
        for row, column in (divmod(cell, SIDE) for cell in range(CELLS)):
            row, column = (SIDE - 1 - row if flip_rows else row), (SIDE - 1 - column if flip_columns else column)
            images.append(SIDE * column + row if transpose else SIDE * row + column)
        turns.append(tuple(images))
    return tuple(turns)


def orbit(holes: Holes) -> set[Holes]:
    """The hole sets that a symmetry of the board maps `holes` to."""
    return {tuple(sorted([turn[cell] for cell in holes])) for turn in board_symmetries()}


def classes() -> list[Holes]:
    """One hole set of each orbit: its least."""
    return [holes for holes in combinations(range(CELLS), 4) if min(orbit(holes)) == holes]


# -- deciding one class ---------------------------------------------------------------------------------------------------


def decide(holes: Holes) -> dict:
    """The record of one class, with its certificate."""
    parts = region_sizes(holes)
    if any(size % 5 for size in parts):
        return {"holes": holes, "verdict": "region", "sizes": parts}
    letters = cover(holes)
    return {"holes": holes, "verdict": "covered", "board": letters} if letters else refute(holes, SOLVER)


def region_sizes(holes: Holes) -> list[int]:
    """The sizes of the connected parts of the board without the holes, in ascending order."""
    left = set(range(CELLS)) - set(holes)
    sizes = []
    while left:
        frontier = [left.pop()]
        size = 1
        while frontier:
            row, column = divmod(frontier.pop(), SIDE)
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if 0 <= r < SIDE and 0 <= c < SIDE and SIDE * r + c in left:
                    left.remove(SIDE * r + c)
                    frontier.append(SIDE * r + c)
                    size += 1
        sizes.append(size)
    return sorted(sizes)


@cache
def all_boards() -> Tiling:
    """The puzzle of which every answer is a board: the whole square by the twelve pentominoes and single cells, the holes."""
    return find_family("tiling").read(None, board=f"{SIDE}x{SIDE}", pieces="pentominoes, monomino: any")


@cache
def shuffled_placements() -> list[tuple[Placement, tuple[str, ...]]]:
    """The placements of the pentominoes and the items that they cover, mixed: no piece is tried everywhere first."""
    placements = [placement for placement in all_boards().placements if len(placement.cells) == 5]
    random.Random(1).shuffle(placements)
    return [(each, (f"piece {each.piece}", *map(str, sorted(each.cells)))) for each in placements]


def cover(holes: Holes) -> str | None:
    """A board that leaves just the holes empty, checked against the rules; None if the search finds none."""
    puzzle, empty = all_boards(), {divmod(hole, SIDE) for hole in holes}
    fitting = [(placement, items) for placement, items in shuffled_placements() if not placement.cells & empty]
    needed = [f"piece {number}" for number in range(12)] + [str(cell) for cell in puzzle.cells if cell not in empty]
    chosen = next(exact_covers(needed, [], [items for _, items in fitting]), None)
    if chosen is None:
        return None
    single = len(puzzle.pieces) - 1
    laid = [(fitting[number][0].piece, fitting[number][0].cells) for number in chosen]
    board = make_board([*laid, *((single, [cell]) for cell in empty)])
    broken = find_family("tiling").check(puzzle, board)
    assert not broken, f"holes {holes}: {broken}"
    return in_letters(puzzle, board)


def in_letters(puzzle: Tiling, board: Board) -> str:
    """The board row by row, a letter a cell, `.` for a hole."""
    letters = ["."] * CELLS
    for laid in board:
        for row, column in laid.cells if len(laid.cells) == 5 else ():
            letters[SIDE * row + column] = puzzle.pieces[laid.piece].name
    return "".join(letters)


def refute(holes: Holes, solver: str) -> dict:
    """UNSAT by a SAT solver with a checked proof; anything else is an error that ends the run."""
    family = find_family("tiling")
    words = " ".join(f"{hole // SIDE},{hole % SIDE}" for hole in holes)
    puzzle = family.read(None, board=f"{SIDE}x{SIDE}", pieces="pentominoes", holes=words)
    instance = make_instance(family, puzzle)
    outcome = solve(instance, find_solver(solver), certify=True)
    if outcome.status != "UNSATISFIABLE" or not outcome.proof.verified:
        raise RuntimeError(f"holes {holes}: {solver} says {outcome.status} {outcome.run.reason}, proof {outcome.proof}")
    formula = instance.map.formula
    return {"holes": holes, "verdict": "refuted", "solver": solver, "proof": "checked by drat-trim", "formula": formula}


def decide_all(chunk: list[Holes]) -> list[dict]:
    return [decide(holes) for holes in chunk]


# -- the file of certificates -------------------------------------------------------------------------------------------


def read_records(path: Path) -> dict[Holes, dict]:
    """The classes that are decided; what was cut off in the middle of a line counts as not there."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else ():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            if line.endswith("\n"):
                raise SystemExit(f"{path}: found the line {line[:60]!r}, expected a JSON object") from None
            continue
        found[tuple(record["holes"])] = record
    return found


def run(path: Path, wanted: list[Holes], jobs: int | None) -> dict[Holes, dict]:
    """Decide what is not decided yet; each task's records are written as soon as they are there."""
    records = read_records(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records.values()), encoding="utf-8")  # no half line
    left = [holes for holes in wanted if holes not in records]
    bar = tqdm(total=len(wanted), initial=len(wanted) - len(left), unit="class", mininterval=1 if sys.stderr.isatty() else 30)
    with path.open("a", encoding="utf-8") as stream, ProcessPoolExecutor(jobs) as pool, bar:
        tasks = [pool.submit(decide_all, left[start : start + CHUNK]) for start in range(0, len(left), CHUNK)]
        try:
            for task in as_completed(tasks):
                for record in task.result():
                    records[tuple(record["holes"])] = record
                    stream.write(json.dumps(record) + "\n")
                    bar.update()
                stream.flush()
        finally:
            pool.shutdown(cancel_futures=True)
    return records


# -- verifying ----------------------------------------------------------------------------------------------------------


def verify(records: dict[Holes, dict], wanted: list[Holes]) -> Iterator[str]:
    """What is wrong with the certificates, checked by the few lines below and by a second solver."""
    if set(records) != set(wanted):
        yield f"{len(set(wanted) - set(records))} classes are missing, {len(set(records) - set(wanted))} do not belong here"
    for holes, record in tqdm(records.items(), unit="class", mininterval=1 if sys.stderr.isatty() else 30):
        if record["verdict"] == "covered":
            good = is_covering(record["board"], holes)
        elif record["verdict"] == "region":
            good = any(size % 5 for size in region_sizes(holes))
        else:
            good = refute(holes, SECOND_SOLVER)["verdict"] == "refuted"
        if not good:
            yield f"holes {holes}: the certificate {record} does not hold"


def is_covering(letters: str, holes: Holes) -> bool:
    """Whether the letters are the twelve pentominoes, each once, and dots at the holes: no shape is taken from the package."""
    cells: dict[str, list[complex]] = {}
    for number, letter in enumerate(letters):
        cells.setdefault(letter, []).append(complex(*divmod(number, SIDE)))
    dots = [8 * int(cell.real) + int(cell.imag) for cell in cells.pop(".", [])]
    shapes = {least_form(shape) for shape in cells.values()}
    connected = all(sum(abs(a - b) == 1 for b in shape) for shape in cells.values() for a in shape)
    whole = all(len(shape) == 5 and _is_connected(shape) for shape in cells.values())
    # twelve different connected shapes of five cells are the twelve pentominoes: there are no more
    return len(letters) == CELLS and dots == list(holes) and len(cells) == len(shapes) == 12 and connected and whole


def least_form(shape: Iterable[complex]) -> tuple[tuple[float, float], ...]:
    """The same for two shapes exactly if one is the other turned, turned over and moved."""
    shape = list(shape)
    images = []
    for turn in (1, 1j, -1, -1j):
        for image in ([turn * cell for cell in shape], [turn * cell.conjugate() for cell in shape]):
            corner = complex(min(cell.real for cell in image), min(cell.imag for cell in image))
            images.append(tuple(sorted(((cell - corner).real, (cell - corner).imag) for cell in image)))
    return min(images)


def _is_connected(shape: list[complex]) -> bool:
    reached = {shape[0]}
    for _ in shape:
        reached |= {cell for cell in shape if any(abs(cell - other) == 1 for other in reached)}
    return len(reached) == len(shape)


# -- the report ---------------------------------------------------------------------------------------------------------


def report(records: dict[Holes, dict], folder: Path) -> None:
    """What is true of the claim, in numbers; and every class that no region explains, drawn."""
    number, raw = Counter(), Counter()
    for holes, record in records.items():
        number[record["verdict"]] += 1
        raw[record["verdict"]] += len(orbit(holes))
    rows = [
        ("covered by the twelve pentominoes", "covered"),
        ("not: a region whose size is no multiple of five", "region"),
        ("not: refuted, proof checked", "refuted"),
    ]
    table = [(words, number[key], raw[key]) for words, key in rows]
    table += [("decided", number.total(), raw.total()), ("all there are", 79920, 635376)]
    print(tabulate(table, headers=["four holes in the 8x8 board", "up to symmetry", "all"], intfmt=","))
    remaining = sorted(holes for holes, record in records.items() if record["verdict"] == "refuted")
    never = number["region"] + number["refuted"]
    print(f"\nClaimed: always, except in 2 cases. Measured: {never:,} classes cannot be covered, {number['region']:,} of them")
    print(f"for a region whose size is no multiple of five, and {len(remaining):,} others (# is a hole):\n")
    for start in range(0, len(remaining), PER_ROW):
        boards = [drawn(holes) for holes in remaining[start : start + PER_ROW]]
        print("\n".join("  ".join(rows) for rows in zip(*boards, strict=True)), end="\n\n")
    picture = folder / "remaining.svg"
    picture.write_text(sheet(remaining).svg(), encoding="utf-8")
    print(f"Pictures of these: {picture}; certificates: {folder / 'classes.jsonl'}")


def drawn(holes: Holes) -> list[str]:
    return ["".join("#" if SIDE * row + column in holes else "." for column in range(SIDE)) for row in range(SIDE)]


def sheet(boards: list[Holes]) -> Drawing:
    """All the boards on one page, holes dark, each with its holes as row,column."""
    cell, gap, per_row = 12, 30, 8
    step = SIDE * cell + gap
    rows = -(-len(boards) // per_row)
    page = Drawing(per_row * step + gap, rows * step + gap, "#ffffff", title="Four holes that leave no pentomino covering")
    for number, holes in enumerate(boards):
        left, top = gap + number % per_row * step, gap + number // per_row * step
        page.add([Rect(left - 1, top - 1, SIDE * cell + 1, SIDE * cell + 1, "#888888")])
        for place in range(CELLS):
            row, column = divmod(place, SIDE)
            colour = "#222222" if place in holes else "#f4f1e6"
            page.add([Rect(left + column * cell, top + row * cell, cell - 1, cell - 1, colour)])
        words = " ".join(f"{hole // SIDE},{hole % SIDE}" for hole in holes)
        page.add([Text(left + SIDE * cell / 2, top + SIDE * cell + gap / 3, words, 9, "#222222")])
    return page


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("results/four_holes"))
    parser.add_argument("--jobs", type=int, help="processes; by default one a core")
    parser.add_argument("--first", type=int, help="only so many classes")
    parser.add_argument("--verify", action="store_true", help="check every certificate of the file anew")
    arguments = parser.parse_args()
    begun = time.monotonic()
    wanted = classes()[: arguments.first]
    path = arguments.folder / "classes.jsonl"
    if arguments.verify:
        wrong = list(verify(read_records(path), wanted))
        print("\n".join(wrong) if wrong else f"{len(wanted):,} certificates checked, all hold")
        return 1 if wrong else 0
    records = run(path, wanted, arguments.jobs)
    report({holes: records[holes] for holes in wanted}, arguments.folder)
    print(f"{time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
