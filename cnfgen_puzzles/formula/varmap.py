"""The variable map: a JSON object with which a model of a CNF is decoded to a board.

It is a sidecar of the CNF (`x.map.json`), or comment lines in it (`c cnfgen-map {...`), which also pass through pipes. It
contains the checksum of its formula: the map of another formula is refused.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import InputError, printable
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.readers.strictjson import member, parse_object, whole
from cnfgen_puzzles.formula.blocks import LARGEST, Block, block_from_json
from cnfgen_puzzles.formula.cnf import Cnf
from cnfgen_puzzles.formula.dimacs import DimacsFile
from cnfgen_puzzles.formula.formula import Formula
from cnfgen_puzzles.formula.opb import opb_identity
from cnfgen_puzzles.formula.scramble import Renaming

SCHEMA = "cnfgen-puzzles/map"
VERSION = 1
RENAMED_VERSION = 2
"""The version of the map of a scrambled formula: a reader that does not support renamings must refuse it."""
COMMENT = "cnfgen-map "
COMMENT_WIDTH = 1000
"""Characters of JSON in one comment line: some parsers have line buffers of fixed size."""
SHA256 = re.compile("[0-9a-f]{64}")
PARTIAL = "partial formula: "
"""Begins the comment line that says that models can break rules; such a formula is not for counting."""
PROJECTION_WIDTH = 150
"""Variables in one `c p show` line."""


@dataclass(frozen=True)
class VariableMap:
    """The puzzle of a formula, and the meaning of its variables.

    `puzzle` and `options` are JSON of the family. `formula` has `variables`, `clauses`, and `sha256` of the CNF, and a `format`
    if it is an OPB file. For a scrambled formula, `blocks` and `projection` belong to the original formula, and `renaming` leads
    back to it. `up_to` is that of the formula: if it is not empty, the formula omits solutions that are symmetric to others.
    `partial` is that of the formula as well: if it is not empty, some models can break rules.
    """

    family: str
    encoding: str
    options: Mapping[str, Any]
    puzzle: Mapping[str, Any]
    blocks: Mapping[str, Block]
    projection: Sequence[int]
    formula: Mapping[str, Any] = field(default_factory=dict)
    renaming: Renaming | None = None
    up_to: str = ""
    partial: str = ""

    def __repr__(self) -> str:
        scrambled = f"scrambled by seed {self.renaming.seed}" if self.renaming else ""
        blocks = f"blocks {', '.join(self.blocks)}"
        return showing.in_brackets(type(self).__name__, f"{self.family}, encoding {self.encoding}", scrambled, blocks)

    @classmethod
    def of(
        cls, formula: Formula, *, family: str, encoding: str, options: Mapping[str, Any], puzzle: Mapping[str, Any]
    ) -> VariableMap:
        """The map of `formula`, which must be complete, since the map contains its checksum."""
        blocks = dict(formula.blocks)
        named = identity(formula) if formula.bounds is None else opb_identity(formula)
        return cls(
            family, encoding, options, puzzle, blocks, formula.projection, named, up_to=formula.up_to, partial=formula.partial
        )

    def check_belongs(self, cnf: Cnf, *, map_name: str, cnf_name: str) -> None:
        """InputError unless this map was made for `cnf`."""
        found = identity(cnf)
        if found != dict(self.formula):
            raise InputError(
                f"this map belongs to another formula: it is for {_describe(self.formula)}, {cnf_name} has {_describe(found)}",
                source=map_name,
            )

    def original(self, model: Collection[int]) -> Collection[int]:
        """The model of the original formula, to which `blocks` and `projection` belong."""
        return self.renaming.undo(model) if self.renaming else model

    # -- JSON ---------------------------------------------------------------------------------------------------------

    def to_json(self) -> str:
        """One line of JSON."""
        entry = {
            "schema": SCHEMA,
            "version": RENAMED_VERSION if self.renaming else VERSION,
            "family": self.family,
            "encoding": self.encoding,
            "options": dict(self.options),
            "formula": dict(self.formula),
            "blocks": [block.to_json() for block in self.blocks.values()],
            "projection": runs_of(self.projection),
            "puzzle": dict(self.puzzle),
        }
        if self.up_to:
            entry["up_to"] = self.up_to
        if self.partial:
            entry["partial"] = self.partial
        if self.renaming:
            entry["renaming"] = self.renaming.to_json()
        return json.dumps(entry, separators=(",", ":"), ensure_ascii=True)

    @classmethod
    def from_json(cls, text: str, name: str) -> VariableMap:
        """The map that `to_json` wrote; `name` is for errors. InputError for any other text."""
        entry = parse_object(text, "a variable map", source=name)
        if entry.get("schema") != SCHEMA:
            raise InputError(f'not a variable map: expected a JSON object with "schema": "{SCHEMA}"', source=name)
        version = entry.get("version")
        if type(version) is not int or version not in (VERSION, RENAMED_VERSION):
            known = f"{VERSION} or {RENAMED_VERSION}"
            raise InputError(f"found a variable map of version {version!r:.40}, expected {known}", source=name)
        try:
            return cls._of_json(entry)
        except InputError as error:
            raise InputError(error.message, source=name) from None
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InputError(f"damaged variable map: {type(error).__name__}: {error}", source=name) from None

    @classmethod
    def _of_json(cls, entry: Mapping[str, Any]) -> VariableMap:
        """Check each field: all variables are of the formula, and each is in at most one block."""
        formula = member(entry, "formula", dict)
        variables = checked_amount("variables", whole(formula["variables"], 0, LARGEST))
        whole(formula["clauses"], 0, LARGEST)
        if not SHA256.fullmatch(member(formula, "sha256", str)):
            raise ValueError("found an invalid checksum, expected 64 hexadecimal digits as 'sha256'")
        blocks = [block_from_json(block, variables) for block in member(entry, "blocks", list)]
        if len({block.name for block in blocks}) < len(blocks):
            raise ValueError("found two blocks with the same name")
        _disjoint("blocks", (block.variables for block in blocks))
        renaming = None
        if entry["version"] == RENAMED_VERSION:
            renaming = Renaming.from_json(member(entry, "renaming", dict), variables)
        elif "renaming" in entry:
            raise ValueError(f"found a renaming in a map of version {VERSION}, expected version {RENAMED_VERSION}")
        return cls(
            member(entry, "family", str), member(entry, "encoding", str), member(entry, "options", dict),
            member(entry, "puzzle", dict), {block.name: block for block in blocks},
            _projection(member(entry, "projection", list), variables), formula, renaming,
            member(entry, "up_to", str) if "up_to" in entry else "",
            member(entry, "partial", str) if "partial" in entry else "",
        )  # fmt: skip

    # -- comments -----------------------------------------------------------------------------------------------------

    def to_comments(self) -> Iterator[str]:
        """Comment lines (without `c `) for a CNF or an answer: the projection set for model counters, and the map."""
        yield from self.projection_comments()
        text = self.to_json()
        for start in range(0, len(text), COMMENT_WIDTH):
            yield COMMENT + text[start : start + COMMENT_WIDTH]

    def projection_comments(self) -> Iterator[str]:
        """`p show 1 2 ... 0`: the projection set for model counters (several lines add up); `partial`, if the formula is."""
        if self.partial:
            yield f"{PARTIAL}{printable(self.partial)}; a model can break a rule of the puzzle, so models must not be counted"
        shown = self.projection
        if self.renaming:
            shown = sorted(abs(image) for image in self.renaming.apply(shown))
        for start in range(0, len(shown), PROJECTION_WIDTH):
            yield f"p show {' '.join(map(str, shown[start : start + PROJECTION_WIDTH]))} 0"

    @classmethod
    def from_comments(cls, comments: Iterable[str], name: str) -> VariableMap | None:
        """The map among the comments of an answer, or None; that of a CNF: `of_file`."""
        text = "".join(comment[len(COMMENT) :] for comment in comments if comment.startswith(COMMENT))
        return cls.from_json(text, name) if text else None

    @classmethod
    def of_file(cls, file: DimacsFile, name: str) -> VariableMap | None:
        """The map among the comments of a CNF, None if there is none; InputError unless it was made for this formula."""
        vmap = cls.from_comments(file.comments, name)
        if vmap is not None and identity(file.cnf) != dict(vmap.formula):
            raise InputError(
                f"the map in its comments belongs to another formula: it is for {_describe(vmap.formula)}, the file has "
                f"{_describe(identity(file.cnf))}; write the file again with gen-cnf, or remove its lines `c {COMMENT.strip()}`",
                source=name,
            )
        return vmap


def identity(cnf: Cnf) -> dict[str, Any]:
    """The size and the checksum of a formula."""
    return {"variables": cnf.num_variables, "clauses": cnf.num_clauses, "sha256": cnf.checksum()}


def _projection(listed: Iterable[Any], variables: int) -> Sequence[int]:
    """The variables of `[first, count]` runs, after a check of their number."""
    runs = []
    for run in listed:
        if not isinstance(run, list) or len(run) != 2:
            raise ValueError("found an invalid run of the projection, expected [first, count]")
        first = whole(run[0], 1, variables)
        runs.append(range(first, first + whole(run[1], 1, variables - first + 1)))
    _disjoint("runs of the projection", runs)
    checked_amount("projection", sum(map(len, runs)))
    return runs[0] if len(runs) == 1 else array("i", chain.from_iterable(runs))


def _disjoint(what: str, ranges: Iterable[range]) -> None:
    filled = sorted((part.start, part.stop) for part in ranges if part)
    for (_, stop), (start, _) in pairwise(filled):
        if start < stop:
            raise ValueError(f"found variable {start} in two {what}")


def runs_of(variables: Iterable[int]) -> list[list[int]]:
    """Ascending variables as `[first, count]` runs."""
    runs: list[list[int]] = []
    for variable in variables:
        if runs and variable == sum(runs[-1]):
            runs[-1][1] += 1
        else:
            runs.append([variable, 1])
    return runs


def _describe(formula: Mapping[str, Any]) -> str:
    checksum = str(formula.get("sha256", "?"))[:12]
    return f"{formula.get('variables')} variables, {formula.get('clauses')} clauses, sha256 {checksum}..."
