"""Results of making puzzles from pictures (`making.py`), regions (`cutting.py`), and random boards (`clues.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.evidence.evidence import Evidence
from cnfgen_puzzles.families import Family, Puzzle, find_family
from cnfgen_puzzles.families.capabilities import Rows
from cnfgen_puzzles.families.family import html_of_board
from cnfgen_puzzles.making.hitting import UNREACHED, differences
from cnfgen_puzzles.pipeline.answer import Answer, Result
from cnfgen_puzzles.pipeline.portfolio import pick_portfolio
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from cnfgen_puzzles.solving.incremental import is_installed

SHOWN = 40
"""The most changed cells that are listed."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Made(Result):
    """A puzzle whose only solution is `board`, as its `answer` proves; without an answer, `text` says why there is none.

    `text` is the sentence, and `entry` is the JSON; `remark` describes the puzzle further. For a puzzle from a picture, `picture`
    is that picture in cells, and `how` (one of `making.HOW`) states how close `board` is to it; after a search without result,
    `board` is its last picture. `difficulty`, if it was requested, is that of the puzzle.
    """

    family: Family
    text: str
    entry: Mapping[str, Any]
    puzzle: Puzzle | None = None
    board: Any = None
    answer: Answer | None = None
    remark: str = ""
    picture: Rows | None = None
    how: str = ""
    difficulty: Mapping[str, Any] = field(default_factory=dict)

    @property
    def evidence(self) -> Evidence | None:  # type: ignore[override]
        return self.answer.evidence if self.answer else None

    @property
    def unique(self) -> bool:
        """True if it is proved that the puzzle has one solution, up to its symmetries."""
        return proves_unique(self.answer)

    @property
    def changes(self) -> dict[tuple[int, int], int]:
        """The new values of the changed cells of the picture, by row and column from 0."""
        return {} if self.picture is None else differences(self.picture, self.board)

    def sentence(self) -> str:
        return self.text

    def line(self) -> str:
        """The sentence with the first changes and the difficulty."""
        places = self.places()
        changed = f" Changed: {'; '.join(places[:3])}{' ...' if places[3:] else ''}." if places else ""
        return self.text + changed + (f" Difficulty: {self._score()}." if self.difficulty else "")

    def lines(self) -> Iterator[str]:
        """The puzzle, the sentence, the changed cells, and the difficulty."""
        if self.puzzle is not None:
            yield self.family.describe(self.puzzle) + self.remark
        yield self.text
        yield from (f"  {place}" for place in self.places())
        if self.difficulty:
            label = "Difficulty" if self.how != UNREACHED else "Nearest puzzle found"
            yield f"{label}: {self._score()}, {self.difficulty['steps']} steps."

    def _score(self) -> str:
        return f"{self.difficulty['class']}, score {self.difficulty['score']}"

    def places(self) -> list[str]:
        """The changed cells, one line for each row; rows and columns count from 1."""
        rows: dict[int, list[str]] = {}
        for row, column in list(self.changes)[:SHOWN]:
            rows.setdefault(row, []).append(str(column + 1))
        listed = [f"row {row + 1}, column{'s' * (len(found) > 1)} {', '.join(found)}" for row, found in rows.items()]
        return [*listed, *([f"and {len(self.changes) - SHOWN} more"] if len(self.changes) > SHOWN else [])]

    def to_json(self) -> dict[str, Any]:
        """The puzzle, its solution, the evidence, and the changes (rows and columns from 1) as JSON."""
        return {**self.entry, **({"difficulty": dict(self.difficulty)} if self.difficulty else {})}

    def facts(self) -> Sequence[str]:
        return [self.family.describe(self.puzzle) if self.puzzle else "", self.text]

    def _repr_html_(self) -> str:
        words = showing.words("\n".join(self.lines()))
        if self.board is None:
            return words
        return words + html_of_board(self.family, self.puzzle, self.board, self.picture if self.changes else None)


def proves_unique(answer: Answer | None) -> bool:
    """Whether it is proved that there is no second solution, up to the symmetries."""
    second = answer.second if answer else None
    return second is not None and second.status == UNSATISFIABLE and bool(second.evidence and second.evidence.certain)


def check_solvers(solver: str | None = None) -> None:
    """InputError, before the search, if python-sat is not installed, with which all searches look for other solutions, or if the
    solver of the proof cannot be used."""
    if not is_installed():
        raise InputError(f"making puzzles needs python-sat, which is not installed: {install_extra('counting')}")
    pick_portfolio(solver, proof=True)


Make = Callable[[Family, str | None, int], Made]
"""Makes a puzzle of a family from a file (None: the options define the puzzle) and a seed; worker processes receive it."""


def make_text(make: Make, family: str, file: str | None, seed: int, format: str | None) -> tuple[dict[str, Any], str, str, str]:
    """Make a puzzle in a worker process: its JSON, its line, and, if it has one solution, the format and the text of its file."""
    made = make(find_family(family), file, seed)
    name, text, _ = write_as(made.family, made.puzzle, format) if made.unique else ("", "", [])
    return made.to_json(), made.line(), name, text


def write_as(family: Family, puzzle: Any, format: str | None) -> tuple[str, str, list[str]]:
    """The format, the text, and the properties that it cannot store; without a `format`, the first one that loses least."""
    names = [format] if format else [name for name, entry in family.formats.items() if entry.write is not None]
    best: tuple[str, str, list[str]] | None = None
    for name in names:
        try:
            text = family.write(puzzle, name)
        except InputError:
            if format:
                raise
            continue
        lost = family.formats.lost(puzzle, name, text)
        if best is None or len(lost) < len(best[2]):
            best = name, text, lost
    if best is None:
        raise InputError(f"found no format that can store this {family.name}")
    return best
