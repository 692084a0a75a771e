"""What DIMACS files say of counting, in the words of the model counting competitions: which variables count.

    c t pmc                  what is asked for: mc counts models, pmc those that differ in shown variables
    c p show 1 2 5 0         shown variables; several such lines are one set, none at all means all variables
    c ind 1 2 5 0            the same, older
    p pcnf 9 20 3            an older header, with the number of shown variables
    vp 1 2 5 0               their list

Weights (`c t wmc`, `c p weight`, `w`) are refused: what is counted here are models.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.formula.cnf import Cnf
from cnfgen_puzzles.formula.dimacs import read_dimacs
from cnfgen_puzzles.formula.varmap import VariableMap

HEADER = re.compile(rb"^p[ \t]+([a-z]+)[ \t]+(\d+)[ \t]+(\d+)([ \t]+\d+)?[ \t\r]*$", re.MULTILINE)
LISTED = re.compile(rb"^vp(?=[ \t])", re.MULTILINE)
WEIGHED_LINE = re.compile(rb"^w[ \t]", re.MULTILINE)

COUNTS, PROJECTED = "mc", "pmc"
SHOWS = re.compile(r"(?:p[ \t]+show|ind)(?:[ \t]+|$)")
WEIGHTS = "found weights ({found}), expected a formula without them: models are counted here, not weighed"


@dataclass(frozen=True)
class CountingFile:
    """A formula and the variables that tell two models apart; `declared` says whether the file names them."""

    cnf: Cnf
    projection: list[int]
    declared: bool

    @property
    def kind(self) -> str:
        """`pmc` or `mc`, as the competitions call it."""
        return PROJECTED if self.declared else COUNTS


def read_counting(source: Source) -> CountingFile:
    """The formula in `source`; InputError names what is wrong with it, or what is asked for that is no number of models."""
    if WEIGHED_LINE.search(source.data):
        raise InputError(WEIGHTS.format(found="`w` lines"), source=source.name)
    file = read_dimacs(_as_cnf(source))
    VariableMap.of_file(file, source.name)  # one of another formula would show other variables
    asked, shown, declared = None, set[int](), False
    for comment in file.comments:
        words = comment.split()
        if words[:1] == ["t"] and len(words) == 2:
            asked = words[1]
        elif words[:2] == ["p", "weight"]:
            raise InputError(WEIGHTS.format(found="`c p weight`"), source=source.name)
        elif comment.startswith("MUST MULTIPLY BY") and words[3:4] not in (["1"], ["1*1"]):
            raise InputError(
                f"found {comment!r:.60}, expected a formula whose own number of models is wanted", source=source.name
            )
        elif start := SHOWS.match(comment):
            declared = True
            shown.update(_variables(comment[start.end() :].split(), file.cnf.num_variables, comment, source))
    if asked in ("wmc", "pwmc", "amc-complex"):
        raise InputError(WEIGHTS.format(found=f"`c t {asked}`"), source=source.name)
    if asked == COUNTS and declared and len(shown) < file.cnf.num_variables:
        raise InputError("found `c t mc` and a set of shown variables, expected `c t pmc` with one", source=source.name)
    return CountingFile(file.cnf, sorted(shown) if declared else list(range(1, file.cnf.num_variables + 1)), declared)


def _as_cnf(source: Source) -> Source:
    """The same file with the header and the lists of older ones in today's words."""
    header = HEADER.search(source.data)
    if header is None or header[1] == b"cnf":
        return source
    if header[1] == b"wcnf":
        raise InputError(WEIGHTS.format(found="`p wcnf`"), source=source.name)
    if header[1] != b"pcnf":
        return source
    plain = b"p cnf " + header[2] + b" " + header[3]
    data = source.data[: header.start()] + plain + source.data[header.end() :]
    return replace(source, data=LISTED.sub(b"c p show", data))


def _variables(words: Iterable[str], most: int, comment: str, source: Source) -> Iterator[int]:
    *listed, last = words or ("",)
    numbers = [int(word) for word in listed if word.isascii() and word.isdigit() and len(word) <= 10]
    if last != "0" or len(numbers) < len(listed) or not all(1 <= number <= most for number in numbers):
        raise InputError(f"found `c {comment:.60}`, expected variables from 1 to {most}, and 0 at the end", source=source.name)
    yield from numbers
