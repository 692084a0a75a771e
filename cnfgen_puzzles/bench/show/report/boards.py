"""Boards of the report: each instance's solutions drawn as SVG, from the board in a record and the puzzle in its formula's map.

A board is drawn only if it obeys the rules of the puzzle that was found. Not here: how a family draws (its `svg` view).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.show.report.summary import said_by
from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.formula import VariableMap
from cnfgen_puzzles.pipeline.instance import puzzle_of, sidecar_of
from cnfgen_puzzles.solving.answers import SATISFIABLE

MOST_PICTURES = 2
"""So many different boards of one instance are drawn: two show that it has several solutions."""
MOST_CHARACTERS = 400_000
"""A larger SVG is left out: the page should open at once."""


@dataclass(frozen=True)
class Picture:
    """A board, and who found it."""

    svg: str
    caption: str


class NoPicture(Exception):
    """Why a board cannot be drawn, in words for the report."""


def pictures(records: Sequence[Record], folders: Sequence[Path]) -> tuple[list[Picture], str]:
    """The different boards among the runs of one instance; and where there is none, why."""
    if records[0]["family"] == CNF:
        return [], "The instance is a CNF file: it has no board."
    if not any(record["status"] == SATISFIABLE for record in records):
        return [], "No run found a board."
    found: dict[str, Picture] = {}
    reasons: list[str] = []
    for record in records:
        if record.get("board") is None or len(found) >= MOST_PICTURES:
            continue
        try:
            svg = drawn(record, folders)
        except NoPicture as error:
            reasons.append(str(error))
        else:
            found.setdefault(svg, Picture(svg, f"found by {said_by(record)}"))
    missing = "No run kept its board." if not reasons else f"The board is not drawn: {reasons[0]}."
    return list(found.values()), "" if found else missing


def drawn(record: Record, folders: Sequence[Path]) -> str:
    """The board of a record as SVG."""
    family, puzzle = puzzle_in(record, folders)
    if "svg" not in family.views:
        raise NoPicture(f"the family {family.name} draws no SVG")
    try:
        board = family.board_from_json(puzzle, record["board"])
        if board is None:
            raise NoPicture(f"boards of {family.name} cannot be read from results")
        faults = family.check(puzzle, board)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise NoPicture(f"the result file has a damaged board ({type(error).__name__}: {error})") from None
    if faults:
        raise NoPicture(f"the board in the result file does not solve the puzzle ({faults[0]})")
    svg = family.view("svg").draw(puzzle, board, None)
    svg = svg.decode() if isinstance(svg, bytes) else svg
    if len(svg) > MOST_CHARACTERS:
        raise NoPicture("the picture is too large for this page")
    return svg


def puzzle_in(record: Record, folders: Sequence[Path]) -> tuple[Family, Puzzle]:
    """The puzzle of a record's formula, from the map beside its CNF file."""
    name = record.get("cnf_file")
    if not name:
        raise NoPicture("the result file does not name the formula's file")
    sidecar = next((path for path in _candidates(name, folders) if path.is_file()), None)
    if sidecar is None:
        raise NoPicture(f"the formula's map {sidecar_of(Path(name))} is not there")
    try:
        family, puzzle, checksum = _read(sidecar)
    except CnfgenError as error:
        raise NoPicture(str(error)) from None
    if checksum != (record.get("cnf") or {}).get("sha256"):
        raise NoPicture(f"the map {sidecar.name} belongs to another formula")
    return family, puzzle


def _candidates(name: str, folders: Iterable[Path]) -> Iterable[Path]:
    """Where the map of a formula may lie; an absolute name stands for itself."""
    return (sidecar_of(folder / name) for folder in folders)


@lru_cache(maxsize=4)  # the encodings of one instance follow each other
def _read(sidecar: Path) -> tuple[Family, Puzzle, str | None]:
    vmap = VariableMap.from_json(open_source(sidecar).text(), str(sidecar))
    return *puzzle_of(vmap, str(sidecar)), vmap.formula.get("sha256")
