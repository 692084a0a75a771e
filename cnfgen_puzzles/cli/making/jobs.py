"""One puzzle of `make-puzzle`: which picture, how it is made, and what comes back; the same here and in a worker process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cnfgen_puzzles.families import Board, Family, find_family
from cnfgen_puzzles.families.capabilities import Making
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.pictures.cells import cells_of
from cnfgen_puzzles.ground.pictures.files import open_picture
from cnfgen_puzzles.ground.sources import open_source
from cnfgen_puzzles.pipeline.making.cutting import MadeByCutting
from cnfgen_puzzles.pipeline.making.made import Made
from cnfgen_puzzles.pipeline.making.making import make

MadeResult = Made | MadeByCutting


@dataclass(frozen=True)
class Job:
    """A picture to be made a puzzle: that in a file, or (without one) that of a generator by its seed.

    `options` are the generator's, or those of `cells_of`; `settings` those of `make`. `difficulty`: how hard it is is told too.
    """

    family: str
    file: str | None = None
    generator: str = ""
    seed: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    difficulty: bool = False

    @property
    def name(self) -> str:
        """What a file of the puzzle may be called, without an ending."""
        return Path(self.file).stem if self.file else f"{self.generator}-{self.seed:04}"

    def picture(self) -> tuple[Board, tuple[str, ...], dict[str, str], str]:
        """The picture in cells, the values of its colours, what is said of it, and in words how it came."""
        family = find_family(self.family)
        if self.file is None:
            generator = making_of(family).generators[self.generator]
            return self._of_puzzle(family, generator.make(self.seed, **self.options))
        source = open_source(self.file)
        if any(source.suffix in entry.suffixes for entry in family.formats.values()):
            if self.options:
                raise InputError(f"found --{next(iter(self.options))}, which is for pictures", source=source.name)
            return self._of_puzzle(family, family.read(source))
        try:
            cells = cells_of(open_picture(source), **self.options)
        except InputError as error:
            raise InputError(error.message, source=error.source or source.name, line=error.line) from None
        return cells.rows, cells.values, dict(self.about), cells.told

    def _of_puzzle(self, family: Family, puzzle: Any) -> tuple[Board, tuple[str, ...], dict[str, str], str]:
        known = making_of(family).picture(puzzle)
        if known is None:
            raise InputError(f"found a {family.name} without its picture, expected one that says its solution", source=self.file)
        return *known, {**puzzle.about, **self.about}, ""


def making_of(family: Family) -> Making:
    """How the family makes puzzles; InputError if it makes none."""
    if family.making is None:
        raise InputError(f"found the family {family.name}, expected one whose puzzles can be made of pictures")
    return family.making


def made(job: Job) -> tuple[Made, str]:
    """The puzzle, and in words how its picture came."""
    picture, values, about, told = job.picture()
    return make(find_family(job.family), picture, values=values, about=about, **job.settings), told


@dataclass(frozen=True)
class Finished:
    """What a worker hands back of a puzzle: the file's text, what is told of it, the JSON, and whether all is proved."""

    text: str
    format: str
    sentence: str
    entry: dict[str, Any]
    unique: bool


def finished(job: Job, format: str | None) -> Finished:
    """The puzzle as a file of that format (None: the first that loses nothing)."""
    result, _ = made(job)
    chosen, text, _ = written(result, format)
    entry = {"name": job.name} | described(job, result)
    where = "; ".join(result.places()[:3])
    sentence = result.sentence() + (f" Changed: {where}{' ...' if len(result.places()) > 3 else ''}." if where else "")
    if job.difficulty:
        sentence += f" Difficulty: {entry['difficulty']['class']}, score {entry['difficulty']['score']}."
    return Finished(text, chosen, sentence, entry, result.unique)


def described(job: Job, result: Made) -> dict[str, Any]:
    """All of it as JSON."""
    return result.to_json() | ({"difficulty": dict(difficulty(result))} if job.difficulty else {})


def difficulty(result: Made) -> Mapping[str, Any]:
    """How hard the puzzle is for a person, by names; InputError for a family that cannot tell."""
    if result.family.explaining is None:
        raise InputError(f"found the family {result.family.name}, expected one whose puzzles can be solved by thought")
    return result.family.explaining.explain(result.puzzle).difficulty


def written(result: MadeResult, format: str | None) -> tuple[str, str, list[str]]:
    """The format, the text, and what it has no place for; None takes the format that loses the least, of equal ones the first."""
    family = result.family
    names = [format] if format else [name for name, entry in family.formats.items() if entry.write is not None]
    best: tuple[str, str, list[str]] | None = None
    for name in names:
        try:
            text = family.write(result.puzzle, name)
        except InputError:
            if format:
                raise
            continue
        lost = family.formats.lost(result.puzzle, name, text)
        if best is None or len(lost) < len(best[2]):
            best = name, text, lost
    if best is None:
        raise InputError(f"found no format that holds this {family.name}")
    return best
