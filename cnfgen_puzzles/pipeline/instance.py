"""An instance: a puzzle, its formula, and the map between them. It is written to files, and its models become checked boards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self
from warnings import warn

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError, InputWarning, printable
from cnfgen_puzzles.common.inputlimits import shortened
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import PACKED_SUFFIXES
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.families import Board, Family, Puzzle, Symmetry, find_family
from cnfgen_puzzles.families.family import shown_board
from cnfgen_puzzles.formula import Cnf, Formula, VariableMap, write_dimacs
from cnfgen_puzzles.formula.formula import native_cardinality
from cnfgen_puzzles.formula.opb import broken_constraint, write_opb
from cnfgen_puzzles.formula.scramble import scramble
from cnfgen_puzzles.formula.varmap import identity

if TYPE_CHECKING:
    from cnfgen_puzzles.formula.blocks import Block
    from cnfgen_puzzles.solving.process import Limits
    from cnfgen_puzzles.solving.session import SessionAnswer

MAP_SUFFIX = ".map.json"
NAMED = regex(r"(?P<sign>-?)(?P<block>[^\[\]-][^\[\]]*)\[(?P<key>-?[0-9]{1,9}(?:,-?[0-9]{1,9})*)\]")
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


Soft = tuple[int, Sequence[int | str]]
"""A soft clause: its weight, and its literals as numbers or names."""


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
    def changed(self) -> bool:
        """Whether the formula is no longer the one that the map names, by its size and checksum."""
        return identity(self.cnf) != dict(self.map.formula)

    @property
    def projection(self) -> Sequence[int]:
        """The variables of `cnf` that distinguish boards; those of the map belong to the formula before scrambling."""
        if self.map.renaming is None:
            return self.map.projection
        return [abs(literal) for literal in self.map.renaming.apply(self.map.projection)]

    @property
    def _blocks(self) -> Mapping[str, Block]:
        """The blocks of the formula, with those that were added after encoding."""
        return self.cnf.blocks if isinstance(self.cnf, Formula) else self.map.blocks

    # -- named literals -------------------------------------------------------------------------------------------------

    def literal(self, name: int | str) -> int:
        """The literal of a name: `cell[3,4]` for the key (3, 4) of the block `cell`, `-cell[3,4]` for its negation. A number is a
        literal itself. InputError for other names and numbers."""
        if not isinstance(name, str):
            if not 0 < abs(index(name)) <= self.cnf.num_variables:
                raise InputError(f"found the literal {name}, expected one of the {self.cnf.num_variables} variables")
            return index(name)  # an int, also for an integer of numpy
        blocks = self._blocks
        match = NAMED.fullmatch(name.replace(" ", ""))
        if match is None or match["block"] not in blocks:
            listed = ", ".join(blocks) or "none"
            raise InputError(f"found {shortened(name)}, expected a name such as cell[3,4] with one of the blocks: {listed}")
        try:
            variable = blocks[match["block"]][tuple(map(int, match["key"].split(",")))]
        except (KeyError, IndexError):
            raise InputError(f"found {shortened(name)}, which is no key of the block {match['block']}") from None
        literal = self.map.renaming.apply([variable])[0] if self.map.renaming else variable
        return -literal if match["sign"] else literal

    def names(self) -> dict[int, str]:
        """The variables in blocks with their names; InputError for a scrambled formula, which has other polarities."""
        if self.map.renaming is not None:
            raise InputError("found a scrambled formula, whose variables have no names: name literals, or do not scramble it")
        keyed = (item for block in self._blocks.values() for item in ((block.name, *each) for each in block.items()))
        return {variable: f"{name}[{','.join(map(str, key))}]" for name, key, variable in keyed}

    def assume(self, literals: Iterable[int | str]) -> Instance:
        """The instance with these literals, by number or name, as clauses of its formula."""
        assumed = [*map(self.literal, literals)]
        flat = self.clauses_only().literals[:]
        flat.extend(number for literal in assumed for number in (literal, 0))
        return replace(self, cnf=Cnf(self.cnf.num_variables, self.cnf.num_clauses + len(assumed), flat))

    def decode(self, model: Iterable[int]) -> Board:
        """The board of a model, given by literals in any order (a variable without one is false), checked against the rules.

        InputError for a literal of no variable, BrokenBoard for a board that breaks a rule. Clauses are not checked."""
        return checked_board(self.family, self.puzzle, self.map, [*map(self.literal, model)])

    def clauses_only(self) -> Cnf:
        """The formula for a SAT solver; InputError if it has pseudo-Boolean constraints, or literals that are no variables."""
        if isinstance(self.cnf, Formula) and self.cnf.bounds:
            raise InputError("found a formula with pseudo-Boolean constraints, expected clauses only: do not use pseudo_boolean")
        n, literals = self.cnf.num_variables, self.cnf.literals
        if literals and (max(literals) > n or min(literals) < -n or literals.count(0) != self.cnf.num_clauses):
            raise InputError(f"found the literal 0, or a literal that is none of the {n} variables, in a clause of the formula")
        return self.cnf

    # -- other programs -------------------------------------------------------------------------------------------------

    def session(self, solver: str = "cadical195", limits: Limits | None = None) -> InstanceSession:
        """A solver with these clauses, for one thread: an incremental one of python-sat, or a binary, which reruns each time."""
        return InstanceSession(self, solver, limits)

    def to_pysat(self, soft: Iterable[Soft] = ()) -> tuple[Any, Any]:
        """The formula as `pysat.formula.CNF`, or with `soft` clauses as `WCNF`, and an `IDPool` with the names of the variables.

        InputError if python-sat is not installed."""
        try:
            from pysat.formula import CNF, WCNF, IDPool
        except ImportError:
            raise InputError(f"python-sat is not installed: {install_extra('counting')}") from None
        clauses, weighted = [*self.clauses_only().clauses()], self._weighted(soft)
        formula = WCNF() if weighted else CNF(from_clauses=clauses)
        if weighted:
            formula.extend(clauses)
        for weight, clause in weighted:
            formula.append(clause, weight=weight)
        formula.nv, names, pool = self.cnf.num_variables, {} if self.map.renaming else self.names(), IDPool()
        for variable in range(1, self.cnf.num_variables + 1):
            pool.id(names.get(variable))  # None reserves the number
        return formula, pool

    def write_wcnf(self, stream: BinaryIO, soft: Iterable[Soft]) -> None:
        """Write a WCNF file (the format of the MaxSAT Evaluations since 2022): the formula as hard clauses, and soft clauses with
        weights. A MaxSAT solver finds the boards that violate soft clauses of the least weight in all."""
        comments = [*map(printable, self.headline()), *self.current_map().to_comments()]
        stream.writelines(f"c {comment}\n".encode() for comment in comments)
        for head, clause in (*(("h", each) for each in self.clauses_only().clauses()), *self._weighted(soft)):
            stream.write(f"{' '.join(map(str, (head, *clause, 0)))}\n".encode())

    def _weighted(self, soft: Iterable[Soft]) -> list[tuple[int, list[int]]]:
        """The soft clauses as numbers; InputError for a weight below 1, TypeError for one that is no integer."""
        found = [(index(weight), [*map(self.literal, clause)]) for weight, clause in soft]
        if (least := min((weight for weight, _ in found), default=1)) < 1:
            raise InputError(f"found the weight {least} of a soft clause, expected at least 1")
        return found

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


class InstanceSession:
    """A solver with the clauses of an instance, for one thread. Literals are numbers or names (`Instance.literal`)."""

    def __init__(self, instance: Instance, solver: str, limits: Limits | None = None):
        from cnfgen_puzzles.solving.session import open_session  # instances alone need no solver

        self.instance = instance
        self._session = open_session(solver, limits)
        self._session.add_flat(instance.clauses_only().literals)

    def __enter__(self) -> Self:
        return self

    def close(self, *_: object) -> None:
        """End the solver and free its memory, as the end of a `with` block does."""
        self._session.close()

    __exit__ = close

    def add(self, *literals: int | str) -> None:
        """Add a clause."""
        self._session.add([[*map(self.instance.literal, literals)]])

    def solve(self, *assumptions: int | str) -> SessionAnswer:
        """Search a model in which the assumptions are true; the model is checked against every clause."""
        return self._session.solve([*map(self.instance.literal, assumptions)])

    def boards(self) -> Iterator[Board]:
        """The boards of the following models, each checked; each is excluded by a clause."""
        from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE

        while (answer := self.solve()).status == SATISFIABLE:
            yield self.instance.decode(answer.model)
            true = set(answer.model)
            self.add(*(-variable if variable in true else variable for variable in self.instance.projection))
        if answer.status != UNSATISFIABLE:
            raise CnfgenError(f"the other boards are not known: {answer.reason}")


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
    """The symmetries of the solutions as permutations of the variables of the map: those of `UP_TO`. None if there are none, if
    the family does not list them, or if the formula was changed."""
    family, puzzle, blocks = instance.family, instance.puzzle, instance.map.blocks
    if up_to == NOTHING or instance.changed:
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
