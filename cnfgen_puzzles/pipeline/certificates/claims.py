"""What certificates claim of puzzles: a row of `CLAIMS` each, and the words in which README says it.

certificate.json has a claim as a code with numbers. All words are made of it and of what else is in the folder (`PuzzleFacts`):
so whoever verifies makes them anew and compares. The statement that shows a claim is one of `evidence/verify.sh`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from cnfgen_puzzles.common.errors import printable
from cnfgen_puzzles.evidence.allmodels import Permutation
from cnfgen_puzzles.evidence.certificate import (
    ALL_BOARDS,
    BLOCKED,
    BOARD,
    ENCODER,
    FORMULA,
    MODEL,
    PROJECTION,
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
from cnfgen_puzzles.formula import Block, VariableMap
from cnfgen_puzzles.pipeline.instance import Instance, check_rules, symmetry_of
from cnfgen_puzzles.pipeline.request import PUZZLE

MAP, DRAWN, DRAWN_SECOND = "map.json", "board.txt", "board-2.txt"
JSON_BOARD, JSON_SECOND, BOARDS = "board.json", "board-2.json", "boards.jsonl"
SAMPLES = 3
MOST_SYMMETRIES = 1000


@dataclass(frozen=True)
class PuzzleFacts:
    """What a certificate knows of its puzzle: `vmap` is that of its formula, None where it has none; `files` are its names.

    `claim` is that of certificate.json: `code`, and for a count `solutions`, `orbits`, and `convention`. `details` are its
    details: `family`, `origin` (how the puzzle came, `settings.origin_of_...`), `pieces` (numbers of those that the formula has,
    None: all), `compared` (`comparison`), `symmetries` (`stated_group`).
    """

    family: Family
    puzzle: Puzzle
    vmap: VariableMap | None
    claim: Mapping[str, Any]
    details: Mapping[str, Any]
    files: Collection[str]

    @property
    def up_to(self) -> str:
        """Which solutions the formula leaves out, if it does."""
        return self.vmap.up_to if self.vmap else ""

    @property
    def described(self) -> str:
        return printable(self.family.describe(self.puzzle))

    @property
    def part(self) -> str:
        """Of which pieces the formula speaks, in words; empty if of all."""
        numbers = self.details["pieces"]
        if numbers is None or self.family.refinement is None:
            return ""
        return f"{len(numbers)} {self.family.refinement.noun} of the puzzle"


@dataclass(frozen=True)
class PuzzleClaim:
    """`statement` is what is stated of the formula, `boards` how many boards it shows."""

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
"""By the code of the claim."""


def heading(facts: PuzzleFacts) -> str:
    """The claim, in one line."""
    what = {"several": "more than one solution", "none": "no solution", "argument": "no solution"}
    has = what.get(facts.claim["code"], "a solution")
    if facts.claim["code"] == "unique":
        has = f"exactly one solution {facts.up_to}".rstrip()
    elif facts.claim["code"] == "count":
        convention, solutions = facts.claim["convention"], facts.claim["solutions"]
        number = facts.claim["orbits"] if convention else solutions
        has = f"exactly {number} solution{'s' * (number != 1)}" if number else "no solution"
        has += f" {convention}, {solutions} in all" if convention else ""
    return f"This puzzle has {has}: {facts.described}"


def _meaning(facts: PuzzleFacts) -> str:
    """The claim at length: what the files show, and why that shows it."""
    code, up_to = facts.claim["code"], facts.up_to
    of_part = ""
    if facts.part:
        of_part = (
            f" The formula speaks of {facts.part} only (`{MAP}` has them): a solution of the puzzle is a solution of these, too."
        )
    one = f"The solution is drawn in `{DRAWN}`; `{MODEL}` is the same as values of the variables of `{FORMULA}`.{of_part}"
    match code:
        case "solution":
            return one
        case "several":
            return f"""Two that differ are drawn in `{DRAWN}` and `{DRAWN_SECOND}`; `{MODEL}` and `{SECOND}` are the same as \
values of the variables of `{FORMULA}`.{of_part}"""
        case "unique":
            symmetric = f"""

The formula leaves out solutions that are symmetric to others. So the claim is {up_to}; how many there are without that it does \
not say."""
            return f"""{one} `{BLOCKED}` is that formula with one more clause, which forbids this solution, and the proof shows \
that nothing satisfies it: any other solution would.{symmetric if up_to else ""}"""
        case "board":
            return f"The solution is drawn in `{DRAWN}`, and is a text in `{BOARD}`."
        case "count":
            return f"""`{SOLUTIONS}` has {facts.claim["solutions"]} solutions, a line each: the variables of `{FORMULA}` that \
are true. `{BOARDS}` has them as boards{", one of each orbit, with its size" if facts.claim["convention"] else ""}.

{composition(facts.files, facts.claim["orbits"])}{_group(facts)}"""
        case "none":
            left = f" (it leaves out solutions: {up_to}, one of each class is enough)" if up_to else ""
            return f"Any solution would satisfy `{FORMULA}`{left}, and the proof shows that nothing does.{of_part}"
    working = "\n".join(f"- {printable(line)}" for line in facts.family.working(facts.puzzle))
    return f"""No search is needed to see it: {printable(str(facts.family.impossible(facts.puzzle)))}.

{working or f"The numbers are those of `{PUZZLE}`; add them up."}"""


def _group(facts: PuzzleFacts) -> str:
    """The symmetries in words: all that there are, and what each line of their file does to the board."""
    group = facts.details["symmetries"]
    if group is None:
        return ""
    told = "".join(f"\n- line {n}: {text}" for n, text in enumerate(group["generators"], start=1) if text)
    if told:
        told = f" As transformations of the board, whose cells are counted from 0:{told}"
    return f"""

The lines of `{SYMMETRIES}` generate the whole symmetry group of board and pieces, which has {group["order"]} elements; \
`verify-certificate` computes the group from the puzzle and compares.{told}"""


def readme(facts: PuzzleFacts) -> Readme:
    """README's heading, and the sections that speak of the puzzle."""
    sections = [("What is claimed", _meaning(facts)), ("The puzzle", _puzzle(facts))]
    sections.append(("What must be trusted", trust_list([*_trusted(facts)], CLAIMS[facts.claim["code"]].statement)))
    if facts.vmap is not None:
        sections.append(("How the variables read", _variables(facts.vmap)))
    return Readme(heading(facts), tuple(sections))


def _puzzle(facts: PuzzleFacts) -> str:
    origin = facts.details["origin"]
    how = ", ".join(f"{name} {value}" for name, value in origin.get("options", {}).items())
    if "file" in origin:
        told = f"`{origin['file']}` is the puzzle as it was given{f' (read with {how})' if how else ''}"
    elif "generator" in origin:
        told = f"It was made by the generator {origin['generator']} from the seed {origin['seed']}{f' ({how})' if how else ''}"
    elif how:
        told = f"It was given by options: {how}"
    elif "options" in origin:
        told = "It was given by the name of its family"
    else:
        told = "It was given by a program"
    return f"{printable(told)}. `{PUZZLE}` is what was read: a {facts.family.name}, as canonical JSON."


def _trusted(facts: PuzzleFacts) -> Iterator[str]:
    claim = CLAIMS[facts.claim["code"]]
    if "file" in facts.details["origin"]:
        yield f"That `{facts.details['origin']['file']}` was read rightly: `{PUZZLE}` shows what was read."
    if claim.boards and RULES in facts.files:
        yield f"""For the board to be a solution: the rules in `{RULES}`. That short program has the numbers of the puzzle in it \
and looks at `{BOARD}` itself; neither formula nor model is needed for that."""
    elif claim.boards:
        yield """For a board to be a solution: the rules. Look at it, or let `verify-certificate` check it, by code \
that has nothing in common with the encoding."""
    elif RULES in facts.files:
        yield f"""For the boards to be solutions: the rules in `{RULES}`. That short program has the numbers of the puzzle in it \
and looks at the boards in `{ALL_BOARDS}`, as many different ones as there are solutions; `verify.sh` runs it."""
    if claim.statement in ("only-model", "no-model", "all-models"):
        if ENCODER in facts.files:
            yield f"""For the formula to say what the puzzle says: `{ENCODER}`, and your eyes, which compare `{PUZZLE}` with the \
puzzle. `verify.sh` shows that this program writes `{FORMULA}` and `{PROJECTION}` from `{PUZZLE}`. It is short, has its encoding \
as mathematics in its comments and no number of a puzzle in it, and is the same in all certificates of such puzzles: read it \
once, and compare its checksum from then on."""
        yield f"""{"Or else that" if ENCODER in facts.files else "That"} every solution of the puzzle satisfies the formula. \
The documentation has each encoding as mathematics; {_compared(facts)}the formula can be read by hand in samples (below), and \
`verify-certificate` makes it once more from the puzzle."""
    if claim.statement == "argument":
        yield "Your own adding up."


def _compared(facts: PuzzleFacts) -> str:
    """How the encoding was held against the rules, if that is known."""
    told = facts.details["compared"]
    if told is None:
        return ""
    what = "were one of each orbit of" if told["left_out"] else "were exactly"
    return f"""of {told["puzzles"]:,} small puzzles, all that there are of some sizes, the models of this encoding, projected, \
{what} their {told["solutions"]:,} solutions, which other code found (version {told["version"]} of the encoding); """


def _variables(vmap: VariableMap) -> str:
    """What variables stand for, in samples; `map.json` has all of it."""
    shown = set(vmap.projection)
    lines = []
    for block in filter(lambda block: block.count, vmap.blocks.values()):
        tells = "tell solutions apart" if shown & {*block.variables} else "follow from others"
        kind = "help the encoding" if block.auxiliary else tells
        samples = []
        for variable in dict.fromkeys([*islice(block.variables, SAMPLES - 1), block.variables[-1]]):
            literal = vmap.renaming.apply([variable])[0] if vmap.renaming else variable
            samples.append(f"{block.name}[{','.join(map(str, block.key(variable)))}] is {literal}")
        lines.append(f"- `{block.name}`: {block.count} variables, {kind}. {', '.join(samples)}")
    encoding = f"Encoding `{vmap.encoding}`" + "".join(f", {name} {value}" for name, value in vmap.options.items())
    scrambled = f" Scrambled by seed {vmap.renaming.seed}: literals as given here." if vmap.renaming else ""
    return (
        f"{encoding}.{scrambled} `{MAP}` says which variable stands for what. In brackets is what tells the variables of a block"
        " apart, counted from 0; what the names mean is said in the documentation of the encodings.\n\n" + "\n".join(lines)
    )


# -- data of a claim ----------------------------------------------------------------------------------------------------------


def claim_of(code: str, count: ListNumbers | None = None, convention: str = "") -> dict[str, Any]:
    """A claim as certificate.json has it."""
    numbers = {"solutions": count.solutions, "orbits": count.orbits, "convention": convention} if count else {}
    return {"code": code, **numbers}


def board_line(family: Family, puzzle: Puzzle, blocks: Mapping[str, Block], true: Collection[int], orbit: int) -> str:
    """A line of BOARDS; CnfgenError unless the board obeys the rules."""
    board = check_rules(family, puzzle, family.decode(puzzle, blocks, true))
    return json.dumps({"orbit": orbit, "board": family.board_to_json(puzzle, board)}) + "\n"


def permutations_of(instance: Instance) -> list[Permutation]:
    """The symmetries of the puzzle as permutations of all variables; none where there are variables that they do not tell, and
    for a group too large to list: then every solution counts for itself."""
    symmetry, variables = symmetry_of(instance), range(1, instance.cnf.num_variables + 1)
    if symmetry is None or symmetry.order > MOST_SYMMETRIES or len(instance.projection) < len(variables):
        return []
    return [tuple(element[v] for v in variables) for element in symmetry.permutations() or ()]


def stated_group(instance: Instance, generators: Sequence[Permutation]) -> dict[str, Any] | None:
    """The symmetry group as a certificate's details say it: its order, and generators as transformations of the board."""
    symmetry = symmetry_of(instance)
    if symmetry is None or not generators:
        return None
    moves = [dict(enumerate(generator, start=1)) for generator in generators]
    return {"order": symmetry.order, "generators": [symmetry.transformation(move) for move in moves]}


def comparison(family: Family, vmap: VariableMap | None) -> dict[str, Any] | None:
    """How the encoding of a map was held against the rules, as a certificate's details say it; None where nothing is known."""
    found = compared(family, vmap.encoding, vmap.options) if vmap else None
    if found is None:
        return None
    return {"puzzles": found.puzzles, "solutions": found.solutions, "left_out": found.left_out, "version": found.version}
