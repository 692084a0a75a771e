"""What is enumerated, and the parts into which the search for it is split (by cubes that `splitting` chooses).

A part is a cube (literals that are assumed) or the rest: what satisfies none of the cubes. Cubes that a caller claims to cover
everything are not believed to: the rest is searched too, and is quickly seen to be empty if they do. So no count depends on them.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.formula.exactcover import ExactCover

Cube = tuple[int, ...]

FILE = "problem.json"


@dataclass(frozen=True)
class Problem:
    """A formula and its projection set; a solution is the set of the projection variables that are true in some model.

    `cover` says the same as an exact cover problem. `antichain` promises that no solution is part of another: then a clause
    over the true variables alone blocks a solution, and nothing else. `cubes` is how its owner would split the search.
    """

    cnf: Cnf
    projection: Sequence[int]
    cover: ExactCover | None = None
    antichain: bool = False
    cubes: Sequence[Cube] | None = None

    def identity(self) -> str:
        """SHA-256 (hex) of the formula and the projection set: what the solutions depend on."""
        text = f"{self.cnf.checksum()} {' '.join(map(str, self.projection))}"
        return hashlib.sha256(text.encode()).hexdigest()

    def write(self, folder: Path, **more: Any) -> None:
        """The problem as a file for workers, with what else they need."""
        cover = self.cover and {
            "primary": list(self.cover.primary),
            "secondary": list(self.cover.secondary),
            "options": [list(option) for option in self.cover.options],
            "variables": list(self.cover.variables),
            "counted": [[sorted(variables), least, most] for variables, least, most in self.cover.counted],
        }
        entry = {
            "variables": self.cnf.num_variables,
            "clauses": self.cnf.num_clauses,
            "literals": self.cnf.literals.tolist(),
            "projection": list(self.projection),
            "cover": cover,
            "antichain": self.antichain,
            **more,
        }
        (folder / FILE).write_text(json.dumps(entry))


def read_problem(folder: Path) -> tuple[Problem, dict[str, Any]]:
    """The problem that `write` wrote, and all of its file."""
    entry = json.loads((folder / FILE).read_text())
    cnf = Cnf(entry["variables"], entry["clauses"], array("i", entry["literals"]))
    cover = None
    if entry["cover"]:
        fields = entry["cover"]
        counted = [(frozenset(variables), least, most) for variables, least, most in fields["counted"]]
        cover = ExactCover(fields["primary"], fields["secondary"], fields["options"], fields["variables"], counted)
    return Problem(cnf, entry["projection"], cover, entry["antichain"]), entry


@dataclass(frozen=True)
class Part:
    """The solutions that satisfy `cube` and none of the cubes `without`."""

    cube: Cube
    without: Sequence[Cube] = ()

    def clauses(self) -> list[list[int]]:
        """What a formula needs besides its own clauses to have just these solutions."""
        return [*([literal] for literal in self.cube), *([-literal for literal in cube] for cube in self.without)]


def parts_of(cubes: Sequence[Cube]) -> list[Part]:
    """A part for each cube and one for the rest; without cubes the rest is everything."""
    return [*(Part(tuple(cube)) for cube in cubes), Part((), [tuple(cube) for cube in cubes])]
