"""One puzzle of `make-puzzle`: which picture, how it is made, and what comes back; the same here and in a worker process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.making.cutting import MadeByCutting
from cnfgen_puzzles.making.made import Made
from cnfgen_puzzles.making.making import make
from cnfgen_puzzles.making.pictures import Picture, making_of, picture_in, picture_of

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

    def picture(self) -> Picture:
        """The picture in cells, with what is said of it."""
        family = find_family(self.family)
        if self.file is not None:
            found = picture_in(family, self.file, **self.options)
        else:
            found = picture_of(family, making_of(family).generators[self.generator].make(self.seed, **self.options))
        return replace(found, about={**found.about, **self.about})


def made(job: Job) -> tuple[Made, str]:
    """The puzzle, and in words how its picture came."""
    picture = job.picture()
    return make(job.family, picture.rows, values=picture.values, about=picture.about, **job.settings), picture.told


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
