"""An instance: a puzzle, its formula, and the map between them. It is written to files, and its models become checked boards."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO
from warnings import warn

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError, InputWarning, printable
from cnfgen_puzzles.common.sources import PACKED_SUFFIXES
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.families import Board, Family, Puzzle, Symmetry, find_family
from cnfgen_puzzles.families.family import shown_board
from cnfgen_puzzles.formula import Cnf, Formula, VariableMap, write_dimacs
from cnfgen_puzzles.formula.formula import native_cardinality
from cnfgen_puzzles.formula.opb import broken_constraint, write_opb
from cnfgen_puzzles.formula.scramble import scramble
from cnfgen_puzzles.formula.varmap import identity

MAP_SUFFIX = ".map.json"
BROKEN_BOARD = "the board of this model breaks the rules of the puzzle"
"""Begins the reason of a wrong model that satisfies its formula: an encoding or a decoder is at fault, not the solver."""

DAMAGE = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""The exceptions that a family can raise for invalid JSON or blocks that another program wrote."""


SYMMETRY, ROTATIONS, NOTHING = "symmetry", "rotations", "nothing"
UP_TO = {
    SYMMETRY: "all symmetries of the puzzle",
    ROTATIONS: "rotations only: mirror images count separately",
    NOTHING: "none",
}
"""The conventions for counting symmetric solutions once."""

SHOWN_FAULTS, FAULT_WIDTH = 3, 200
"""The most broken rules in an error, and the most characters of each."""


class BrokenBoard(CnfgenError):
    """A model that satisfies the formula stands for a board that breaks the rules: the map or an encoding is at fault,
    or the formula is `partial`."""


@dataclass(frozen=True, eq=False)
class Instance:
    """A puzzle as a formula. `map` holds the puzzle, so it is all that decoding needs.

    `map` has the checksum of the formula when it was encoded; after a change of `cnf`, `current_map` is its map.
    """

    family: Family
    puzzle: Puzzle
    cnf: Cnf
    map: VariableMap

    def __repr__(self) -> str:
        facts = (self.family.describe(self.puzzle), f"encoding {self.map.encoding}", *Cnf.facts(self.cnf))
        return showing.in_brackets("Instance", *facts)

    def _repr_html_(self) -> str:
        sizes = ", ".join(Cnf.facts(self.cnf))
        rows = [
            (block.name, "auxiliary" if block.auxiliary else "", f"{block.first}", f"{block.count}")
            for block in self.map.blocks.values()
        ]
        head = showing.words(f"{next(self.headline())}\n{sizes}")
        return head + showing.table(("block", "", "first variable", "variables"), rows, words=2)

    @property
    def projection(self) -> Sequence[int]:
        """The variables of `cnf` that distinguish boards; those of the map belong to the formula before scrambling."""
        if self.map.renaming is None:
            return self.map.projection
        return [abs(literal) for literal in self.map.renaming.apply(self.map.projection)]

    def write(self, stream: BinaryIO, *, with_map: bool = True) -> None:
        """Write the DIMACS or OPB file of the formula as it is now, with its map in comments unless it is in a sidecar file."""
        vmap = self.current_map()
        comments = [*map(printable, self.headline()), *(vmap.to_comments() if with_map else vmap.projection_comments())]
        if isinstance(self.cnf, Formula) and self.cnf.bounds is not None:
            write_opb(self.cnf, stream, comments)
        else:
            write_dimacs(self.cnf, stream, comments)

    def current_map(self) -> VariableMap:
        """The map of the formula as it is now: with its checksum and, unless it is scrambled, its blocks.

        InputError if a scrambled formula has new variables, since the seed of the map renames as many as before.
        """
        if self.map.renaming is not None and self.map.renaming.count != self.cnf.num_variables:
            message = f"found {self.cnf.num_variables} variables in a scrambled formula, expected {self.map.renaming.count}"
            raise InputError(f"{message}: add variables before scrambling")
        if self.map.renaming is not None or not isinstance(self.cnf, Formula):
            return replace(self.map, formula=identity(self.cnf))
        known = self.map
        return VariableMap.of(self.cnf, family=known.family, encoding=known.encoding, options=known.options, puzzle=known.puzzle)

    def headline(self) -> Iterator[str]:
        """The first comments of the file: a description for human readers."""
        chosen = "".join(f", {name} {value}" for name, value in self.map.options.items())
        chosen += f", scrambled by seed {self.map.renaming.seed}" if self.map.renaming else ""
        yield f"{self.family.describe(self.puzzle)}, encoding {self.map.encoding}{chosen}; cnfgen-puzzles {__version__}"
        if self.map.renaming:  # the variables of a block are not consecutive
            return
        for block in self.map.blocks.values():
            kind = "auxiliary variables" if block.auxiliary else "variables"
            last = block.first + block.count - 1
            if block.count:
                yield f"{kind} {block.first}..{last}: {block.name}"


def make_instance(
    family: Family, puzzle: Puzzle, encoding: str | None = None, *, pseudo_boolean: bool = False, **options: Any
) -> Instance:
    """Encode `puzzle`; `encoding` None is the family's default. With `pseudo_boolean`, the formula is for OPB instead of CNF."""
    chosen = family.encoding(encoding)
    given = family.encoding_options(chosen.name, options)
    with doing(f"encoding by {chosen.name}"), native_cardinality() if pseudo_boolean else nullcontext():
        formula = chosen.build(puzzle, **given)
        entry = family.puzzle_to_json(puzzle)
        vmap = VariableMap.of(formula, family=family.name, encoding=chosen.name, options=given, puzzle=entry)
    return Instance(family, puzzle, formula, vmap)


def scramble_instance(instance: Instance, seed: int) -> Instance:
    """The puzzle with a scrambled formula; its map undoes the renaming."""
    cnf, renaming = scramble(instance.cnf, seed)
    vmap = replace(instance.map, formula=identity(cnf), renaming=renaming)
    return Instance(instance.family, instance.puzzle, cnf, vmap)


def sidecar_of(cnf_file: Path) -> Path:
    """The path of the map of a CNF or OPB file: `x.map.json` next to `x.cnf`, `x.cnf.gz`, and `x.opb`."""
    name = cnf_file.name
    for suffix in (*PACKED_SUFFIXES, ".cnf", ".dimacs", ".opb"):
        name = name.removesuffix(suffix)
    return cnf_file.parent / (name + MAP_SUFFIX)


def puzzle_of(vmap: VariableMap, name: str) -> tuple[Family, Puzzle]:
    """The family and the puzzle in a map; `name` names the map in errors."""
    family = find_family(vmap.family)
    try:
        return family, family.puzzle_from_json(vmap.puzzle)
    except InputError as error:
        raise InputError(f"damaged puzzle in the variable map: {error.message:.400}", source=name) from None
    except DAMAGE as error:
        raise InputError(f"damaged puzzle in the variable map: {type(error).__name__}: {error!s:.200}", source=name) from None


def broken_in_opb(vmap: VariableMap, model: Collection[int], name: str) -> str | None:
    """A pseudo-Boolean constraint that the model violates, from the puzzle in the map; None if there is none.

    InputWarning if this version of the package writes other constraints for the puzzle than the map names.
    """
    family, puzzle = puzzle_of(vmap, name)
    try:
        instance = make_instance(family, puzzle, vmap.encoding, pseudo_boolean=True, **vmap.options)
    except DAMAGE as error:
        raise InputError(f"damaged puzzle in the variable map: {type(error).__name__}: {error!s:.200}", source=name) from None
    if instance.map.formula != vmap.formula or not isinstance(instance.cnf, Formula):
        unlike = InputWarning("the map names other constraints than this version writes: they are not checked", source=name)
        warn(unlike, stacklevel=2)
        return None
    return broken_constraint(instance.cnf, model)


# -- boards and models ------------------------------------------------------------------------------------------------------


def decode(vmap: VariableMap, model: Collection[int], name: str = "the variable map") -> tuple[Family, Puzzle, Board]:
    """The board of a model, checked against the rules of its puzzle; BrokenBoard names the broken rules."""
    family, puzzle = puzzle_of(vmap, name)
    try:
        return family, puzzle, checked_board(family, puzzle, vmap, model)
    except DAMAGE as error:
        message = f"the variables in this map do not fit its puzzle: {type(error).__name__}: {error!s:.200}"
        raise InputError(message, source=name) from None


def checked_board(family: Family, puzzle: Puzzle, vmap: VariableMap, model: Collection[int]) -> Board:
    """Like `decode`, for a known puzzle."""
    board = family.decode(puzzle, vmap.blocks, {literal for literal in vmap.original(model) if literal > 0})
    try:
        return check_rules(family, puzzle, board)
    except BrokenBoard as error:
        if not vmap.partial:
            raise
        raise BrokenBoard(
            f"{error}. The formula has only {vmap.partial}: solve-puzzle adds more until no rule is broken"
        ) from None


def check_rules(family: Family, puzzle: Puzzle, board: Board) -> Board:
    """The board, if it obeys the rules of the puzzle and can be drawn; otherwise BrokenBoard."""
    faults = family.check(puzzle, board)
    if faults:
        listed = "; ".join(f"{fault:.{FAULT_WIDTH}}" for fault in faults[:SHOWN_FAULTS]) + (
            f"; and {len(faults) - SHOWN_FAULTS} more" if faults[SHOWN_FAULTS:] else ""
        )
        raise BrokenBoard(f"{BROKEN_BOARD}: {listed}")
    shown: Board = shown_board(family, puzzle, board)
    return shown


def with_blocked(cnf: Cnf, projection: Collection[int], model: Collection[int]) -> Cnf:
    """`cnf` with a clause that excludes every model that agrees with `model` on the projection set."""
    true = {literal for literal in model if literal > 0}
    blocked = Cnf(cnf.num_variables, cnf.num_clauses + 1, cnf.literals[:])
    blocked.literals.extend(-variable if variable in true else variable for variable in projection)
    blocked.literals.append(0)
    return blocked


# -- symmetries --------------------------------------------------------------------------------------------------------------


def symmetry_of(instance: Instance, up_to: str = SYMMETRY) -> Symmetry | None:
    """The symmetries of the solutions as permutations of the variables of the map: those of `UP_TO`. None if there are none, or
    if the family does not list them."""
    family, puzzle, blocks = instance.family, instance.puzzle, instance.map.blocks
    if up_to == NOTHING:
        return None
    if up_to == SYMMETRY:
        return family.counting.symmetry(puzzle, blocks)
    rotations = family.counting.rotations(puzzle, blocks)
    if rotations is None:
        raise InputError(f"the family {family.name} does not distinguish rotations from other symmetries")
    return rotations


def project_model(instance: Instance, model: Collection[int]) -> frozenset[int]:
    """The true projection variables of a model of the instance's formula, in the numbering of the map."""
    return frozenset(instance.map.original(model)).intersection(instance.map.projection)
