"""Problems as binary files, by which they travel to workers: a line of JSON, then arrays of 32-bit integers.

The line is an object:

    schema, version   "cnfgen-puzzles/problem", 1
    byteorder         "little" or "big": that of the integers
    arrays            [name, length] of each array, in the order in which they follow, with nothing between them
    variables         the number of variables of the formula
    antichain         as in `Problem`
    items             of an exact cover: the names of its items, or null if there is none
    counted           of an exact cover: its bounds as [variables, least, most]

The arrays: `literals` (clauses, each ended by 0), `projection`, and of an exact cover `primary`, `secondary` (numbers of items
from 1), `options` (items, each option ended by 0), `option_variables`. How its owner would split a problem is not told: that is
not the workers' affair. Nothing keeps these files; they are for processes of one version of this package.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.formula.exactcover import ExactCover
from cnfgen_puzzles.ground.errors import InputError

SCHEMA = "cnfgen-puzzles/problem"
VERSION = 1


def write_problem(problem: Problem, path: Path) -> None:
    """The file of a problem."""
    cover = problem.cover
    items = None if cover is None else [*cover.primary, *cover.secondary]
    arrays = {"literals": problem.cnf.literals, "projection": array("i", problem.projection)}
    if cover is not None:
        arrays |= _of_cover(cover)
    header = {
        "schema": SCHEMA,
        "version": VERSION,
        "byteorder": sys.byteorder,
        "arrays": [[name, len(numbers)] for name, numbers in arrays.items()],
        "variables": problem.cnf.num_variables,
        "antichain": problem.antichain,
        "items": items,
        "counted": [[sorted(variables), least, most] for variables, least, most in (cover.counted if cover else ())],
    }
    with path.open("wb") as stream:
        stream.write(json.dumps(header).encode() + b"\n")
        for numbers in arrays.values():
            numbers.tofile(stream)


def _of_cover(cover: ExactCover) -> dict[str, array[int]]:
    number = {item: place for place, item in enumerate((*cover.primary, *cover.secondary), start=1)}
    options: array[int] = array("i")
    for option in cover.options:
        options.extend(number[item] for item in option)
        options.append(0)
    return {
        "primary": array("i", (number[item] for item in cover.primary)),
        "secondary": array("i", (number[item] for item in cover.secondary)),
        "options": options,
        "option_variables": array("i", cover.variables),
    }


def read_problem(path: Path) -> Problem:
    """The problem of a file. InputError if it is none, is cut off, or is of another version."""
    with path.open("rb") as stream:
        header = _header(stream, path)
        try:
            arrays = _arrays(stream, header["arrays"], header["byteorder"])
            literals = arrays["literals"]
            cnf = Cnf(header["variables"], literals.count(0), literals)
            cover = None if header["items"] is None else _cover(header["items"], header["counted"], arrays)
            return Problem(cnf, arrays["projection"], cover, header["antichain"])
        except (EOFError, KeyError, TypeError, ValueError, IndexError) as error:
            raise InputError(f"damaged problem: {type(error).__name__}: {error}", source=str(path)) from None


def _header(stream: BinaryIO, path: Path) -> dict[str, Any]:
    try:
        header = json.loads(stream.readline())
        found = header["schema"], header["version"]
    except (ValueError, KeyError, TypeError):
        raise InputError("found no header of a problem", source=str(path)) from None
    if found != (SCHEMA, VERSION):
        raise InputError(f"found {found[0]} version {found[1]}, expected {SCHEMA} version {VERSION}", source=str(path))
    return dict(header)


def _arrays(stream: BinaryIO, listed: Iterable[tuple[str, int]], byteorder: str) -> dict[str, array[int]]:
    arrays = {}
    for name, length in listed:
        numbers: array[int] = array("i")
        numbers.fromfile(stream, length)
        if byteorder != sys.byteorder:
            numbers.byteswap()
        arrays[name] = numbers
    return arrays


def _cover(items: Sequence[str], counted: Iterable[Sequence[Any]], arrays: Mapping[str, array[int]]) -> ExactCover:
    def names(numbers: Iterable[int]) -> list[str]:
        return [items[number - 1] for number in numbers]

    options = [names(option) for option in Cnf(literals=arrays["options"]).clauses()]
    bounds = [(frozenset(variables), least, most) for variables, least, most in counted]
    variables = arrays["option_variables"].tolist()
    return ExactCover(names(arrays["primary"]), names(arrays["secondary"]), options, variables, bounds)
