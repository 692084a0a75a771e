"""The lines of DIMACS files that define the projection set of a model counter, as in the model counting competitions.

    c t pmc                  the kind of count: mc for models, pmc for projected models
    c p show 1 2 5 0         the projection set; several lines add up, without any it is all variables
    c ind 1 2 5 0            the older form
    cr 1 2 5                 a still older form, with or without 0 at the end
    p pcnf 9 20 3            an older header, with the size of the projection set
    vp 1 2 5 0               the set in files with that header

Lines that ask for another number are refused: weights (`c t wmc`, `c p weight`, `c weights`, `w`), other kinds of counts, and
sets over which a number is maximized (`c max`). All other comments are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.formula.cnf import Cnf
from cnfgen_puzzles.formula.dimacs import read_dimacs
from cnfgen_puzzles.formula.varmap import PARTIAL, VariableMap

HEADER = regex(rb"^p[ \t]+([a-z]+)[ \t]+(\d+)[ \t]+(\d+)([ \t]+\d+)?[ \t\r]*$", re.MULTILINE)
LISTED = regex(rb"^vp(?=[ \t])", re.MULTILINE)
OLD_SHOW = regex(rb"^[ \t]*cr(?=[ \t\r\n]|\Z)([^\n]*)", re.MULTILINE)
WEIGHED_LINE = regex(rb"^w[ \t]", re.MULTILINE)

COUNTS, PROJECTED = "mc", "pmc"
SHOWS = regex(r"(?:p[ \t]+show|ind)(?:[ \t]+|$)")
WEIGHTS = "found weights ({found}), expected a formula without weights: weighted model counting is not supported"


@dataclass(frozen=True)
class CountingFile:
    """A formula and its projection set; `declared` is True if the file defines the set."""

    cnf: Cnf
    projection: list[int]
    declared: bool
    wrong_header: str = ""
    map: VariableMap | None = None
    """The variable map among its comments."""

    @property
    def kind(self) -> str:
        """`pmc` or `mc`, the terms of the competitions."""
        return PROJECTED if self.declared else COUNTS


def read_counting(source: Source, *, relaxed: bool = False) -> CountingFile:
    """The formula in `source`, `relaxed` as in `read_dimacs`; InputError for a file that asks for a weighted count."""
    if WEIGHED_LINE.search(source.data):
        raise InputError(WEIGHTS.format(found="`w` lines"), source=source.name)
    file = read_dimacs(_as_cnf(source), relaxed=relaxed)
    vmap = VariableMap.of_file(file, source.name)  # the map of another formula would have another projection set
    if (vmap is not None and vmap.partial) or any(comment.startswith(PARTIAL) for comment in file.comments):
        message = "found a formula with only some cuts (gen-cnf --cuts), which can have more models than the puzzle has solutions"
        raise InputError(f"{message}, expected a complete one: use gen-cnf without --cuts", source=source.name)
    asked, shown, declared = None, set[int](), False
    for comment in file.comments:
        words = comment.split()
        if words[:1] == ["t"] and len(words) == 2:
            asked = words[1]
        elif words[:2] == ["p", "weight"] or words[:1] == ["weights"]:
            raise InputError(WEIGHTS.format(found=f"`c {' '.join(words[: 1 + (words[0] == 'p')])}`"), source=source.name)
        elif words[:1] == ["max"] and words[-1] == "0":
            raise InputError(
                f"found `c {comment:.60}`, expected one count: maximum model counting is not supported", source=source.name
            )
        elif comment.startswith("MUST MULTIPLY BY") and words[3:4] not in (["1"], ["1*1"]):
            raise InputError(
                f"found {comment!r:.60}, expected a formula whose number of models is not multiplied", source=source.name
            )
        elif start := SHOWS.match(comment):
            declared = True
            shown.update(_variables(comment[start.end() :].split(), file.cnf.num_variables, f"c {comment}", source))
    for line in OLD_SHOW.finditer(source.data):
        declared, text = True, line[1].decode("utf-8", "replace")
        listed = text.split()
        ended = [*listed, "0"] if listed and listed[-1] != "0" else listed
        shown.update(_variables(ended, file.cnf.num_variables, f"cr{text.rstrip()}", source))
    if asked in ("wmc", "pwmc"):
        raise InputError(WEIGHTS.format(found=f"`c t {asked}`"), source=source.name)
    if asked not in (None, COUNTS, PROJECTED) and (asked.endswith("mc") or asked.startswith("amc")):
        raise InputError(f"found `c t {asked:.60}`, expected `c t {COUNTS}` or `c t {PROJECTED}`", source=source.name)
    if asked == COUNTS and declared and len(shown) < file.cnf.num_variables:
        raise InputError("found `c t mc` and a set of shown variables, expected `c t pmc` with one", source=source.name)
    projection = sorted(shown) if declared else list(range(1, file.cnf.num_variables + 1))
    return CountingFile(file.cnf, projection, declared, file.wrong_header, vmap)


def _as_cnf(source: Source) -> Source:
    """The same file with the header and the lists of older files in the current form."""
    header = HEADER.search(source.data)
    if header is None or header[1] != b"pcnf":
        return source
    plain = b"p cnf " + header[2] + b" " + header[3]
    data = source.data[: header.start()] + plain + source.data[header.end() :]
    return source._replace(data=LISTED.sub(b"c p show", data))


def _variables(words: Iterable[str], most: int, line: str, source: Source) -> Iterator[int]:
    *listed, last = words or ("",)
    numbers = [int(word) for word in listed if word.isascii() and word.isdigit() and len(word) <= 10]
    if last != "0" or len(numbers) < len(listed) or not all(1 <= number <= most for number in numbers):
        raise InputError(f"found `{line:.60}`, expected variables from 1 to {most}, and 0 at the end", source=source.name)
    yield from numbers
