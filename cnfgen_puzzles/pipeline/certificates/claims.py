"""What certificates claim of puzzles: a row of `CLAIMS` each, and the words in which README says it.

All words are made of `Facts`, which can be read from the folder itself: so who verifies makes them anew and compares. What shows
a claim of the formula is a statement of `evidence.certificate`. Not here: writing (`certify`), verifying (`verification`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from cnfgen_puzzles.common.printable import printable
from cnfgen_puzzles.evidence.certificate import BLOCKED, BOARD, FORMULA, LRAT, MODEL, RULES, SECOND, Opened
from cnfgen_puzzles.formula import Block, VariableMap
from cnfgen_puzzles.pipeline.certificates.countclaim import check_count, count_heading, count_meaning
from cnfgen_puzzles.pipeline.certificates.facts import Facts
from cnfgen_puzzles.pipeline.request import PUZZLE

MAP, DRAWN, DRAWN_SECOND = "map.json", "board.txt", "board-2.txt"
JSON_BOARD, JSON_SECOND = "board.json", "board-2.json"
SAMPLES = 3


@dataclass(frozen=True)
class PuzzleClaim:
    """`statement` is what is stated of the formula; `heading` and `meaning` are words; `boards` how many boards it shows.

    `check` says in sentences what was checked besides, of a folder that was opened; Damaged if it does not hold.
    """

    name: str
    statement: str
    heading: Callable[[Facts], str]
    meaning: Callable[[Facts], str]
    boards: int = 0
    check: Callable[[Opened, Facts], Iterator[str]] | None = None


def _only(facts: Facts) -> str:
    return f"exactly one solution {facts.up_to}" if facts.up_to else "exactly one solution"


def _one_meaning(facts: Facts) -> str:
    return (
        f"The solution is drawn in `{DRAWN}`; `{MODEL}` is the same as values of the variables of `{FORMULA}`.{_of_part(facts)}"
    )


def _two_meaning(facts: Facts) -> str:
    return f"""Two that differ are drawn in `{DRAWN}` and `{DRAWN_SECOND}`; `{MODEL}` and `{SECOND}` are the same as values of \
the variables of `{FORMULA}`.{_of_part(facts)}"""


def _only_meaning(facts: Facts) -> str:
    meaning = f"""{_one_meaning(facts)} `{BLOCKED}` is that formula with one more clause, which forbids this solution, and the \
proof shows that nothing satisfies it: any other solution would."""
    if facts.up_to:
        meaning += f"""

The formula leaves out solutions that are symmetric to others. So the claim is {facts.up_to}; how many there are without that \
it does not say."""
    return meaning


def _none_meaning(facts: Facts) -> str:
    left = f" (it leaves out solutions: {facts.up_to}, one of each class is enough)" if facts.up_to else ""
    return f"Any solution would satisfy `{FORMULA}`{left}, and the proof shows that nothing does.{_of_part(facts)}"


def _argument_meaning(facts: Facts) -> str:
    return f"""No search is needed to see it: {printable(str(facts.details["argument"]))}.

{_working(facts)}"""


def _working(facts: Facts) -> str:
    """The numbers of an argument, to be added up by hand."""
    lines = facts.family.working(facts.puzzle)
    return "\n".join(f"- {printable(line)}" for line in lines) or f"The numbers are those of `{PUZZLE}`; add them up."


def _of_part(facts: Facts) -> str:
    if not facts.part:
        return ""
    return f" The formula speaks of {facts.part} only (`{MAP}` has them): a solution of the puzzle is a solution of these, too."


def _has(what: str) -> Callable[[Facts], str]:
    return lambda facts: f"This puzzle has {what}: {facts.described}"


CLAIMS: Mapping[str, PuzzleClaim] = {
    each.name: each
    for each in (
        PuzzleClaim("solution", "model", _has("a solution"), _one_meaning, boards=1),
        PuzzleClaim("several", "two models", _has("more than one solution"), _two_meaning, boards=2),
        PuzzleClaim(
            "unique", "only model", lambda facts: f"This puzzle has {_only(facts)}: {facts.described}", _only_meaning, boards=1
        ),
        PuzzleClaim(
            "board", "obeys", _has("a solution"), lambda _: f"The solution is drawn in `{DRAWN}`, and is a text in `{BOARD}`.", 1
        ),
        PuzzleClaim("count", "all models", count_heading, count_meaning, check=check_count),
        PuzzleClaim("none", "no model", _has("no solution"), _none_meaning),
        PuzzleClaim("argument", "argument", _has("no solution"), _argument_meaning),
    )
}
"""By the name that `details` has."""


def heading(facts: Facts) -> str:
    """The claim, in one line."""
    return CLAIMS[facts.details["claim"]].heading(facts)


def sections(facts: Facts) -> tuple[tuple[str, str], ...]:
    """README's headings and texts that speak of the puzzle."""
    given = [("What is claimed", CLAIMS[facts.details["claim"]].meaning(facts)), ("The puzzle", _puzzle(facts))]
    given.append(("What must be trusted", "\n".join(f"- {text}" for text in _trusted(facts))))
    if facts.vmap is not None:
        given.append(("How the variables read", _variables(facts.vmap)))
    return tuple(given)


def _puzzle(facts: Facts) -> str:
    origin = facts.details["origin"]
    how = ", ".join(f"{name} {value}" for name, value in origin.get("options", {}).items())
    if "file" in origin:
        told = f"`{origin['file']}` is the puzzle as it was given{f' (read with {how})' if how else ''}"
    elif "generator" in origin:
        told = f"It was made by the generator {origin['generator']} from the seed {origin['seed']}{f' ({how})' if how else ''}"
    elif how:
        told = f"It was given by options: {how}"
    else:
        told = "It was given by a program"
    return f"{printable(told)}. `{PUZZLE}` is what was read: a {facts.family.name}, as canonical JSON."


def _trusted(facts: Facts) -> Iterator[str]:
    claim = CLAIMS[facts.details["claim"]]
    if "file" in facts.details["origin"]:
        yield f"That `{facts.details['origin']['file']}` was read rightly: `{PUZZLE}` shows what was read."
    if claim.boards and RULES in facts.files:
        yield f"""For the board to be a solution: the rules in `{RULES}`. That short program has the numbers of the puzzle in it \
and looks at `{BOARD}` itself; neither formula nor model is needed for that."""
    elif claim.boards:
        yield """For a board to be a solution: the rules. Look at it, or let `verify-certificate` check it, by code \
that has nothing in common with the encoding."""
    if claim.statement in ("only model", "no model", "all models"):
        yield f"""That every solution of the puzzle satisfies the formula. The documentation has each encoding as mathematics; \
{_compared(facts)}the formula can be read by hand in samples (below), and `verify-certificate --encoding` makes it once more \
from the puzzle."""
        checker = "drat-trim or lrat-check" if LRAT in facts.files or claim.statement == "all models" else "drat-trim"
        yield f"""The checker of the proof: {checker}, which those who made this certificate have not written. Solvers need not \
be trusted, nor what finds, decodes or draws."""
    if claim.statement == "argument":
        yield "Nothing but your own adding up."
    yield "awk, cmp and sha256sum of your machine."


def _compared(facts: Facts) -> str:
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
    for block in vmap.blocks.values():
        if not block.count:
            continue
        kind = (
            "help the encoding"
            if block.auxiliary
            else "tell solutions apart"
            if shown & {*block.variables}
            else "follow from others"
        )
        samples = ", ".join(f"{_named(block, variable)} is {_literal(vmap, variable)}" for variable in _sampled(block))
        lines.append(f"- `{block.name}`: {block.count} variables, {kind}. {samples}")
    encoding = f"Encoding `{vmap.encoding}`" + "".join(f", {name} {value}" for name, value in vmap.options.items())
    scrambled = f" Scrambled by seed {vmap.renaming.seed}: literals as given here." if vmap.renaming else ""
    return (
        f"{encoding}.{scrambled} `{MAP}` says which variable stands for what. In brackets is what tells the variables of a block"
        " apart, counted from 0; what the names mean is said in the documentation of the encodings.\n\n" + "\n".join(lines)
    )


def _sampled(block: Block) -> list[int]:
    """The first variables of a block, and its last."""
    first = list(islice(block.variables, SAMPLES - 1))
    return first if block.count <= len(first) else [*first, block.variables[-1]]


def _named(block: Block, variable: int) -> str:
    return f"{block.name}[{','.join(map(str, block.key(variable)))}]"


def _literal(vmap: VariableMap, variable: int) -> int:
    return vmap.renaming.apply([variable])[0] if vmap.renaming else variable
