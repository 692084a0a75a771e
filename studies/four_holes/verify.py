"""Checks certificates again, without the code that found them: boards and regions by separate code, refutations by another solver
and another proof."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping

from tqdm import tqdm

from studies.four_holes.decide import COVERED, REFUTED, REGION, Certificate, refute

SIDE = 8
SECOND_SOLVER = "kissat"

Cells = Collection[complex]
"""Row and column as one number, so that a step is +-1 or +-1j and a quarter turn is a product by 1j."""


def verify(certificates: Mapping[tuple[int, ...], Certificate], wanted: Collection[tuple[int, ...]]) -> Iterator[str]:
    """Errors in the certificates of the `wanted` hole sets."""
    missing, others = set(wanted) - set(certificates), set(certificates) - set(wanted)
    if missing or others:
        yield f"{len(missing)} classes are missing, {len(others)} are unexpected"
    for holes, certificate in tqdm(certificates.items(), unit="class", mininterval=1 if sys.stderr.isatty() else 30):
        if not holds(holes, certificate):
            yield f"holes {holes}: the certificate {certificate} is invalid"


def holds(holes: tuple[int, ...], certificate: Certificate) -> bool:
    verdict = certificate["verdict"]
    if verdict == COVERED:
        return is_covering(certificate["board"], holes)
    if verdict == REGION:
        return any(len(part) % 5 for part in parts([_cell(number) for number in range(SIDE * SIDE) if number not in holes]))
    return bool(verdict == REFUTED and refute(holes, SECOND_SOLVER)["verdict"] == REFUTED)


def is_covering(letters: str, holes: tuple[int, ...]) -> bool:
    """True if the letters are the twelve pentominoes, each once, and dots at the holes; the shapes do not come from the
    package."""
    cells: dict[str, list[complex]] = {}
    for number, letter in enumerate(letters):
        cells.setdefault(letter, []).append(_cell(number))
    dots = [SIDE * int(cell.real) + int(cell.imag) for cell in cells.pop(".", [])]
    shapes = {least_form(shape) for shape in cells.values()}
    whole = all(len(shape) == 5 and len(parts(shape)) == 1 for shape in cells.values())
    # there are exactly twelve connected shapes of five cells
    return len(letters) == SIDE * SIDE and dots == list(holes) and len(cells) == len(shapes) == 12 and whole


def least_form(shape: Cells) -> tuple[tuple[float, float], ...]:
    """The canonical form of a shape under rotations, reflections, and translations."""
    images = []
    for turn in (1, 1j, -1, -1j):
        for image in ([turn * cell for cell in shape], [turn * cell.conjugate() for cell in shape]):
            corner = complex(min(cell.real for cell in image), min(cell.imag for cell in image))
            images.append(tuple(sorted(((cell - corner).real, (cell - corner).imag) for cell in image)))
    return min(images)


def parts(cells: Iterable[complex]) -> list[set[complex]]:
    """The connected parts."""
    left, found = set(cells), []
    while left:
        part: set[complex] = set()
        edge = {left.pop()}
        while edge:
            part |= edge
            edge = {cell + step for cell in edge for step in (1, -1, 1j, -1j)} & left
            left -= edge
        found.append(part)
    return found


def _cell(number: int) -> complex:
    return complex(*divmod(number, SIDE))
