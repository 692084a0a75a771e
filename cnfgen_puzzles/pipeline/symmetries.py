"""What makes two solutions one: the conventions, and the symmetries that a family tells of an instance's solutions.

Nothing is counted here, so that whoever only asks for one board loads nothing that counts.
"""

from __future__ import annotations

from collections.abc import Collection

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.families import Symmetry
from cnfgen_puzzles.pipeline.instance import Instance

SYMMETRY, ROTATIONS, NOTHING = "symmetry", "rotations", "nothing"
UP_TO = {
    SYMMETRY: "all symmetries of the puzzle",
    ROTATIONS: "its rotations alone: mirror images are two",
    NOTHING: "none",
}
"""What makes two solutions one."""


def one_convention(raw: bool, up_to: str | None) -> str:
    """Which of `UP_TO` is meant; `raw` is another word for nothing."""
    if up_to is not None and up_to not in UP_TO:
        raise InputError(unknown_name("convention", up_to, UP_TO))
    if raw and up_to not in (None, NOTHING):
        raise InputError(f"found raw and up to {up_to}, expected one of them")
    return NOTHING if raw else up_to or SYMMETRY


def symmetry_of(instance: Instance, up_to: str = SYMMETRY) -> Symmetry | None:
    """The symmetries of its solutions, told by the variables of the map: those of `UP_TO`."""
    family, puzzle, blocks = instance.family, instance.puzzle, instance.map.blocks
    if up_to == NOTHING:
        return None
    if up_to == SYMMETRY:
        return family.counting.symmetry(puzzle, blocks)
    rotations = family.counting.rotations(puzzle, blocks)
    if rotations is None:
        raise InputError(f"the family {family.name} does not tell rotations from other symmetries")
    return rotations


def orbit_of(instance: Instance, model: Collection[int]) -> int | None:
    """How many solutions the puzzle's symmetries make of this one; None where the family does not tell its symmetries."""
    symmetry = symmetry_of(instance)
    return None if symmetry is None else symmetry.canonical(projected(instance, model))[1]


def projected(instance: Instance, model: Collection[int]) -> frozenset[int]:
    """The true projection variables of a model of the instance's formula, by the numbers of the map."""
    return frozenset(instance.map.original(model)).intersection(instance.map.projection)
