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
    ALL_BOARDS,
    BLOCKED,
    BOARD,
    CUTS,
    ENCODER,
    FORMULA,
    MODEL,
    PROJECTION,
    READER,
    RULES,
    SECOND,
    SOLUTIONS,
    SYMMETRIES,
    ListNumbers,
    Readme,
    composition,
    trust_list,
)
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.families.compared import compared
from cnfgen_puzzles.formula import VariableMap
from cnfgen_puzzles.pipeline.instance import Instance, symmetry_of
from cnfgen_puzzles.pipeline.request import PUZZLE

MAP, DRAWN, DRAWN_SECOND = "map.json", "board.txt", "board-2.txt"
BOARDS = "boards.jsonl"
BOARD_FILES = ((MODEL, DRAWN, "board.json"), (SECOND, DRAWN_SECOND, "board-2.json"))
"""A model, and its board as text and as JSON, for the boards of an answer."""
SAMPLES = 3
MOST_SYMMETRIES = 1000


@dataclass(frozen=True)
class PuzzleFacts:
    """The content of a certificate of a puzzle. `vmap` is the map of its formula, if any; `files` are the names of its files.

    `claim` is that of certificate.json: `code`, and for a count `solutions`, `orbits`, and `convention`. `details` are
    `family`, `origin` (of the puzzle, `request.origin_of`), `pieces` (the numbers of the encoded constraints; None: all),
    `compared` (`comparison`), and `symmetries` (`stated_group`).
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


@dataclass(frozen=True)
class PuzzleClaim:
    """`statement` is the statement about the formula, `boards` the number of boards in the folder."""

    statement: str
    boards: int = 0


CLAIMS: Mapping[str, PuzzleClaim] = {
    "solution": PuzzleClaim("model", boards=1),
    "several": PuzzleClaim("two-models", boards=2),
    "unique": PuzzleClaim("only-model", boards=1),
    "board": PuzzleClaim("obeys", boards=1),
    "count": PuzzleClaim("all-models"),
    "none": PuzzleClaim("no-model"),
    "argument": PuzzleClaim("argument"),
}
"""The claims by code."""


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


def _meaning(facts: PuzzleFacts) -> str:
    """The claim in detail: what the files show, and why."""
    code, up_to = facts.claim["code"], facts.up_to
    of_part = ""
    if facts.vmap is not None and facts.vmap.partial:
        cuts = f", except for {facts.vmap.partial} (`{CUTS}`), which all solutions obey" if CUTS in facts.files else ""
        of_part = f" The formula leaves out the rule that sets of cells are connected{cuts}."
    elif facts.part:
        of_part = f" The formula encodes only {facts.part} (see `{MAP}`). Every solution of the puzzle also satisfies these."
    one = f"`{DRAWN}` shows the solution. `{MODEL}` has the values of the variables of `{FORMULA}` for it.{of_part}"
    match code:
        case "solution":
            return one
        case "several":
            return f"""`{DRAWN}` and `{DRAWN_SECOND}` show two different solutions. `{MODEL}` and `{SECOND}` have the values \
of the variables of `{FORMULA}` for them.{of_part}"""
        case "unique":
            symmetric = f"""

The formula leaves out solutions that are symmetric to others. Therefore the claim holds {up_to}. It does not state the number \
of all solutions."""
            return f"""{one} `{BLOCKED}` is that formula with one more clause, which excludes this solution. Any other solution \
would satisfy it, but the proof shows that nothing does.{symmetric if up_to else ""}"""
        case "board":
            return f"`{DRAWN}` shows the solution. `{BOARD}` has it in the format of `{RULES}`."
        case "count":
            up_to = facts.claim["convention"]
            each = f": {facts.claim['orbits']} {up_to}, each with the size of its orbit" if up_to else ""
            return f"""`{SOLUTIONS}` lists {facts.claim["solutions"]} solutions, one per line: the variables of `{FORMULA}` \
that are true. `{BOARDS}` has them as boards{each}.

{composition(facts.files, facts.claim["orbits"])}{_group(facts)}"""
        case "none":
            left = f" (which has one solution of each class {up_to}; this is enough)" if up_to else ""
            return f"Any solution would satisfy `{FORMULA}`{left}, but the proof shows that nothing does.{of_part}"
    working = "\n".join(f"- {printable(line)}" for line in facts.family.working(facts.puzzle))
    return f"""An argument shows it without a search: {printable(str(facts.family.impossible(facts.puzzle)))}.

{working or f"The numbers are those of `{PUZZLE}`. Add them up."}"""


def _group(facts: PuzzleFacts) -> str:
    """A description of the symmetry group and of the transformation of each line of its file."""
    group = facts.details["symmetries"]
    if group is None:
        return ""
    moves = "".join(f"\n- line {n}: {text}" for n, text in enumerate(group["generators"], start=1) if text)
    if moves:
        moves = f" These are the transformations of the board, with cells counted from 0:{moves}"
    return f"""

The lines of `{SYMMETRIES}` generate the whole symmetry group of board and pieces, which has {group["order"]} elements. \
`verify-certificate` computes the group from the puzzle and compares it.{moves}"""


def readme(facts: PuzzleFacts) -> Readme:
    """README's heading, and the sections about the puzzle."""
    sections = [("Claim", _meaning(facts)), ("Puzzle", _puzzle(facts))]
    sections.append(("What you rely on", trust_list([*_trusted(facts)], CLAIMS[facts.claim["code"]].statement)))
    if facts.vmap is not None:
        sections.append(("Meaning of the variables", _variables(facts.vmap)))
    return Readme(heading(facts, "up to symmetry"), tuple(sections))


def _puzzle(facts: PuzzleFacts) -> str:
    origin = facts.details["origin"]
    how = ", ".join(_code(f"{name} {value}") for name, value in origin.get("options", {}).items())
    if "file" in origin:
        message = f"`{origin['file']}` is the original file{f' (read with {how})' if how else ''}"
    elif "generator" in origin:
        message = (
            f"The generator {origin['generator']} made the puzzle from the seed {origin['seed']}{f' ({how})' if how else ''}"
        )
    elif how:
        message = f"Options describe the puzzle: {how}"
    elif "options" in origin:
        message = "The name of the family describes the puzzle"
    else:
        message = "A program supplied the puzzle"
    return f"{printable(message)}. `{PUZZLE}` is the puzzle as it was read: a {facts.family.name}, as canonical JSON." + (
        f"\n\n{facts.family.in_words}" if facts.family.in_words else ""
    )


def _code(text: str) -> str:
    """A text from a file or an option as code: Markdown interprets nothing in it."""
    return f"`{printable(text).replace('`', chr(92) + 'x60')}`"


def _trusted(facts: PuzzleFacts) -> Iterator[str]:
    claim = CLAIMS[facts.claim["code"]]
    same = f"""The program is the same in all certificates of such puzzles and reads the puzzle with `{READER}`: read both once. \
`verify.sh` runs only programs whose checksums are in its list, which the documentation states, too."""
    if "file" in facts.details["origin"]:
        yield f"`{facts.details['origin']['file']}` was read correctly: `{PUZZLE}` shows the result."
    if claim.boards and RULES in facts.files:
        yield f"""The board is a solution: this relies on the rules in `{RULES}` and on your comparison of `{PUZZLE}` with the \
puzzle. This program checks `{BOARD}` directly, without formula or model. {same}"""
    elif claim.boards:
        yield """A board is a solution: compare it with the rules yourself, or use `verify-certificate`, whose code for the \
rules has nothing in common with the encoding."""
    elif RULES in facts.files:
        yield f"""The boards are solutions: this relies on the rules in `{RULES}` and on your comparison of `{PUZZLE}` with the \
puzzle. This program checks the boards in `{ALL_BOARDS}`, and `verify.sh` checks that there are as many distinct boards as \
solutions. {same}"""
    if claim.statement in ("only-model", "no-model", "all-models"):
        if ENCODER in facts.files:
            yield f"""The formula encodes the puzzle: this relies on `{ENCODER}` and on your comparison of `{PUZZLE}` with the \
puzzle. `verify.sh` shows that this program writes `{FORMULA}` and `{PROJECTION}` from `{PUZZLE}`. The comments of the program \
describe the encoding mathematically. {same}"""
        if CUTS in facts.files:
            yield f"""The sets in `{CUTS}` are those of the rules: compare them. It names the cells of each set by row and \
column, with the literal of `{FORMULA}` that puts the cell into the set. The rules connect the set (`connected`), or each of its \
cells with the outside of the grid (`outside`). The last clauses of `{FORMULA}` are cuts: if two cells are in the set, then so \
is one of those that separate them. `verify.sh` checks by flood fill that these do."""
        yield f"""{"Alternatively: every" if ENCODER in facts.files else "Every"} solution of the puzzle satisfies the formula. \
The documentation describes each encoding mathematically. {_compared(facts)}You can read samples of the formula (below), and \
`verify-certificate` encodes the puzzle again."""
    if claim.statement == "argument":
        yield "Your check of the sums."


def _compared(facts: PuzzleFacts) -> str:
    """The comparison of the encoding with the rules, if one is recorded."""
    recorded = facts.details["compared"]
    if recorded is None:
        return ""
    what = "one solution of each orbit of" if recorded["left_out"] else "exactly"
    cut = ", with all cuts that they need," if facts.vmap and facts.vmap.partial else ""
    puzzles, version = recorded["puzzles"], recorded["version"]
    return f"""On small puzzles ({puzzles:,}), the projected models of version {version} of this encoding{cut} \
were compared with the solutions that other code found: they are {what} the {recorded["solutions"]:,} solutions. """


def _variables(vmap: VariableMap) -> str:
    """Samples of the meaning of variables; `map.json` has all of them."""
    shown = set(vmap.projection)
    lines = []
    for block in filter(lambda block: block.count, vmap.blocks.values()):
        tells = "distinguish solutions" if shown & {*block.variables} else "depend on others"
        kind = "auxiliary" if block.auxiliary else tells
        keys, samples = list(block.items()), []
        for key, variable in dict.fromkeys([*keys[: SAMPLES - 1], keys[-1]]):
            literal = vmap.renaming.apply([variable])[0] if vmap.renaming else variable
            samples.append(f"{block.name}[{','.join(map(str, key))}] is {literal}")
        lines.append(f"- `{block.name}`: {block.count} variables, {kind}. {', '.join(samples)}")
    encoding = f"Encoding `{vmap.encoding}`" + "".join(f", {name} {value}" for name, value in vmap.options.items())
    scrambled = (
        f" Scrambled with seed {vmap.renaming.seed}; the literals below are those of the scrambled formula."
        if vmap.renaming
        else ""
    )
    return (
        f"{encoding}.{scrambled} `{MAP}` has the meaning of each variable. The numbers in brackets are the indexes of a"
        " variable in its block, counted from 0. The documentation of the encodings explains the names.\n\n" + "\n".join(lines)
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


def comparison(family: Family, vmap: VariableMap | None) -> dict[str, Any] | None:
    """The comparison of an encoding with the rules in the details of a certificate; None if none is recorded."""
    return compared(family, vmap.encoding, vmap.options) if vmap else None
