"""The report of the certificates: numbers, and pictures of the classes that no region explains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tabulate import tabulate

from cnfgen_puzzles.families.drawing import Drawing, Rect, Text
from studies.four_holes.certificates import NAME
from studies.four_holes.classes import CELLS, SIDE, Holes, in_words, orbit
from studies.four_holes.decide import COVERED, REFUTED, REGION, Certificate

CLASSES, HOLE_SETS = 79_920, 635_376
ROWS = {
    COVERED: "covered by the twelve pentominoes",
    REGION: "not covered: the size of a region is not a multiple of five",
    REFUTED: "not covered: refuted by a SAT solver, proof checked",
}
PER_ROW = 10  # boards next to each other


def report(certificates: Mapping[Holes, Certificate], folder: Path) -> None:
    """Prints the result; every class that no region explains is drawn, also into `folder`."""
    number: Counter[str] = Counter()
    raw: Counter[str] = Counter()
    for holes, certificate in certificates.items():
        number[certificate["verdict"]] += 1
        raw[certificate["verdict"]] += len(orbit(holes))
    table = [(words, number[verdict], raw[verdict]) for verdict, words in ROWS.items()]
    table += [("decided", number.total(), raw.total()), ("all there are", CLASSES, HOLE_SETS)]
    print(tabulate(table, headers=["four holes in the 8x8 board", "up to symmetry", "all"], intfmt=","))
    remaining = sorted(holes for holes, certificate in certificates.items() if certificate["verdict"] == REFUTED)
    never = number[REGION] + number[REFUTED]
    print(f"\nClaimed: always, except in 2 cases. Measured: {never:,} classes cannot be covered, {number[REGION]:,} of them")
    print(f"because the size of a region is not a multiple of five, and {len(remaining):,} others (# is a hole):\n")
    for start in range(0, len(remaining), PER_ROW):
        boards = [drawn(holes) for holes in remaining[start : start + PER_ROW]]
        print("\n".join("  ".join(rows) for rows in zip(*boards, strict=True)), end="\n\n")
    picture = folder / "remaining.svg"
    picture.write_text(sheet(remaining).svg(), encoding="utf-8")
    print(f"Pictures of these: {picture}; certificates: {folder / NAME}")


def drawn(holes: Holes) -> list[str]:
    return ["".join("#" if SIDE * row + column in holes else "." for column in range(SIDE)) for row in range(SIDE)]


def sheet(boards: Sequence[Holes]) -> Drawing:
    """All boards on one page, with dark holes, each with its holes as row,column."""
    cell, gap, per_row = 12, 30, 8
    step = SIDE * cell + gap
    rows = -(-len(boards) // per_row)
    page = Drawing(per_row * step + gap, rows * step + gap, "#ffffff", title="Four holes that leave no pentomino covering")
    for number, holes in enumerate(boards):
        left, top = gap + number % per_row * step, gap + number // per_row * step
        page.add([Rect(left - 1, top - 1, SIDE * cell + 1, SIDE * cell + 1, "#888888")])
        for place in range(CELLS):
            row, column = divmod(place, SIDE)
            color = "#222222" if place in holes else "#f4f1e6"
            page.add([Rect(left + column * cell, top + row * cell, cell - 1, cell - 1, color)])
        page.add([Text(left + SIDE * cell / 2, top + SIDE * cell + gap / 3, in_words(holes), 9, "#222222")])
    return page
