"""Small puzzles for tests of encodings: with independent solutions for the families of this package, otherwise with `check`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations

from exhaustive import gridranges, mazeranges, nonogramranges, tilingranges, triddlerranges
from exhaustive.comparing import Case, Range, alone, projected_models
from smallpuzzles import small_puzzles

from cnfgen_puzzles.families import Family

OWN = {
    "nonogram": nonogramranges.RANGES,
    "tiling": tilingranges.RANGES,
    "maze": mazeranges.RANGES,
    "triddler": triddlerranges.RANGES,
    **gridranges.RANGES,
}

MOST_TRIED = 12
"""The most projection variables of a puzzle of another family for which all sets are tried."""


def ranges_of(family: Family) -> list[Range]:
    """For any other family, its small puzzles and `check`: every set of projection variables that decodes to a valid board is a
    solution. If there are too many sets, the solutions are the valid models of the default encoding; then the encodings and their
    options are only compared with each other."""
    if family.name in OWN:
        return OWN[family.name]
    return [Range(f"the small puzzles of {family.name}", lambda: _small(family), _key, single=_never)]


def _small(family: Family) -> Iterator[Case]:
    for puzzle in small_puzzles(family):
        formula = family.encode(puzzle)
        found = _tried if len(formula.projection) <= MOST_TRIED else _modelled
        yield Case(puzzle, lambda puzzle=puzzle, formula=formula, found=found: frozenset(found(family, puzzle, formula)), alone)


def _modelled(family, puzzle, formula) -> Iterator[str]:
    return (_key(family.decode(puzzle, formula.blocks, true)) for true in projected_models(formula)[0])


def _tried(family, puzzle, formula) -> Iterator[str]:
    for count in range(len(formula.projection) + 1):
        for true in combinations(formula.projection, count):
            try:
                board = family.decode(puzzle, formula.blocks, frozenset(true))
                if not family.check(puzzle, board):
                    yield _key(board)
            except (LookupError, TypeError, ValueError, AttributeError):  # no board
                continue


def _key(board) -> str:
    return json.dumps(board, sort_keys=True, default=repr)


def _never(encoding, options) -> bool:
    return False
