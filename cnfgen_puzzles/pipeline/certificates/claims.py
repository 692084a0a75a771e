"""The claims of certificates about puzzles: one row of `CLAIMS` each, and the text of README.

certificate.json has the claim as a code with numbers. README is generated from it and from the other files (`PuzzleFacts`), so a
verification can generate and compare it. Each claim is shown by a statement of `evidence/verify.sh`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.common.errors import printable
from cnfgen_puzzles.evidence.allmodels import Permutation
from cnfgen_puzzles.evidence.certificate import (
    CUTS,
    MODEL,
    SECOND,
    SYMMETRIES,
    ListNumbers,
    Readme,
)
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.formula import VariableMap
from cnfgen_puzzles.pipeline.instance import Instance, symmetry_of
from cnfgen_puzzles.pipeline.request import PUZZLE

MAP, DRAWN, DRAWN_SECOND = "map.json", "board.txt", "board-2.txt"
BOARDS = "boards.jsonl"
BOARD_FILES = ((MODEL, DRAWN, "board.json"), (SECOND, DRAWN_SECOND, "board-2.json"))
"""A model, and its board as text and as JSON, for the boards of an answer."""
MOST_SYMMETRIES = 1000


@dataclass(frozen=True)
class PuzzleFacts:
    """The content of a certificate of a puzzle. `vmap` is the map of its formula, if any; `files` are the names of its files.

    `claim` is that of certificate.json: `code`, and for a count `solutions`, `orbits`, and `convention`. `details` are
    `family`, `origin` (of the puzzle, `request.origin_of`), `pieces` (the numbers of the encoded constraints; None: all),
    and `symmetries` (`stated_group`).
    """

    family: Family
    puzzle: Puzzle
    vmap: VariableMap | None
    claim: Mapping[str, Any]
    details: Mapping[str, Any]
    files: Collection[str]

    @property
    def up_to(self) -> str:
        """The convention by which the formula leaves out solutions; empty if it has all."""
        return self.vmap.up_to if self.vmap else ""

    @property
    def part(self) -> str:
        """The constraints that the formula encodes, in words; empty for all."""
        numbers = self.details["pieces"]
        if numbers is None or self.family.refinement is None:
            return ""
        return f"{len(numbers)} {self.family.refinement.noun} of the puzzle"


CLAIMS: Mapping[str, str] = {
    "solution": "model",
    "several": "two-models",
    "unique": "only-model",
    "board": "obeys",
    "count": "all-models",
    "none": "no-model",
    "argument": "argument",
}
"""The claims by code, each with its statement about the formula."""


def heading(facts: PuzzleFacts, convention: str = "") -> str:
    """The claim in one line, without words of the puzzle such as its title. `convention` replaces that of the claim: `verify.sh`
    knows only one."""
    what = {"several": "more than one solution", "none": "no solution", "argument": "no solution"}
    has = what.get(facts.claim["code"], "a solution")
    if facts.claim["code"] == "unique":
        has = f"exactly one solution {facts.up_to and (convention or facts.up_to)}".rstrip()
    elif facts.claim["code"] == "count":
        up_to, solutions = facts.claim["convention"], facts.claim["solutions"]
        number = facts.claim["orbits"] if up_to else solutions
        has = f"exactly {number} solution{'s' * (number != 1)}" if number else "no solution"
        has += f" {convention or up_to}, {solutions} in all" if up_to and number else ""
    return f"This puzzle has {has}"


def readme(facts: PuzzleFacts) -> Readme:
    """README's heading, and the paragraphs about the claim, the puzzle, and its encoding."""
    parts = [*_claim(facts), _puzzle(facts), facts.family.in_words, _encoding(facts.vmap) if facts.vmap else ""]
    return Readme(heading(facts, "up to symmetry"), list(filter(None, parts)))


def _claim(facts: PuzzleFacts) -> Iterator[str]:
    """Details of the claim for this puzzle, besides the guide for all certificates."""
    code, group = facts.claim["code"], facts.details["symmetries"]
    if code == "argument":
        yield f"An argument shows it without a search: {printable(str(facts.family.impossible(facts.puzzle)))}."
        working = "\n".join(f"- {printable(line)}" for line in facts.family.working(facts.puzzle))
        yield working or f"The numbers are those of `{PUZZLE}`. Add them up."
    if facts.vmap is not None and facts.vmap.partial and CUTS not in facts.files:
        yield "The formula leaves out the rule that sets of cells are connected."
    elif facts.part and CUTS not in facts.files:
        yield f"The formula encodes only {facts.part} (see `{MAP}`). Every solution of the puzzle also satisfies these."
    if facts.up_to:
        yield f"The formula leaves out solutions that are symmetric to others, so the claim holds {facts.up_to}."
    if code == "count" and facts.claim["convention"]:
        yield f"`{BOARDS}` has {facts.claim['orbits']} boards {facts.claim['convention']}, each with the size of its orbit."
    if group is not None:
        moves = [f"- line {n}: {text}" for n, text in enumerate(group["generators"], start=1) if text]
        yield "\n".join(
            [
                f"The lines of `{SYMMETRIES}` generate the whole symmetry group of board and pieces, which has {group['order']} "
                "elements. These are the transformations of the board, with cells counted from 0:",
                *moves,
            ]
        )


def _puzzle(facts: PuzzleFacts) -> str:
    """The origin of the puzzle."""
    origin = facts.details["origin"]
    how = ", ".join(_code(f"{name} {value}") for name, value in origin.get("options", {}).items())
    if "file" in origin:
        message = f"`{origin['file']}` is the original file{f' (read with {how})' if how else ''}"
    elif "generator" in origin:
        message = (
            f"The generator {origin['generator']} made the puzzle from the seed {origin['seed']}{f' ({how})' if how else ''}"
        )
    elif "options" in origin:
        message = f"Options describe the puzzle: {how or 'none'}"
    else:
        message = "A program supplied the puzzle"
    return f"{printable(message)}. `{PUZZLE}` is the puzzle as it was read: a {facts.family.name}, as canonical JSON."


def _code(text: str) -> str:
    """A text from a file or an option as code: Markdown interprets nothing in it."""
    return f"`{printable(text).replace('`', chr(92) + 'x60')}`"


def _encoding(vmap: VariableMap) -> str:
    """The encoding, and the file with the meaning of its variables."""
    encoding = f"Encoding `{vmap.encoding}`" + "".join(f", {name} {value}" for name, value in vmap.options.items())
    scrambled = f", scrambled with seed {vmap.renaming.seed}" if vmap.renaming else ""
    return (
        f"{encoding}{scrambled}. `{MAP}` has the meaning of each variable; the documentation of the encodings explains the names."
    )


# -- data of a claim ----------------------------------------------------------------------------------------------------------


def claim_of(code: str, count: ListNumbers | None = None, convention: str = "") -> dict[str, Any]:
    """The claim in certificate.json."""
    numbers = {"solutions": count.solutions, "orbits": count.orbits, "convention": convention} if count else {}
    return {"code": code, **numbers}


def permutations_of(instance: Instance) -> list[Permutation]:
    """The symmetries of the puzzle as permutations of all variables. Empty if they do not permute all variables, or for a group
    that is too large; then every solution counts separately."""
    symmetry, variables = symmetry_of(instance), range(1, instance.cnf.num_variables + 1)
    if symmetry is None or symmetry.order > MOST_SYMMETRIES or len(instance.projection) < len(variables):
        return []
    return [tuple(element[v] for v in variables) for element in symmetry.permutations() or ()]


def stated_group(instance: Instance, generators: Sequence[Permutation]) -> dict[str, Any] | None:
    """The symmetry group in the details of a certificate: its order, and its generators as transformations of the board."""
    symmetry = symmetry_of(instance)
    if symmetry is None or not generators:
        return None
    moves = [dict(enumerate(generator, start=1)) for generator in generators]
    return {"order": symmetry.order, "generators": [symmetry.transformation(move) for move in moves]}
