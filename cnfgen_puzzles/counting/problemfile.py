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
import os
import sys
from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import input_limits
from cnfgen_puzzles.common.readers.strictjson import member, parse_object, whole
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.formula.blocks import LARGEST
from cnfgen_puzzles.formula.exactcover import ExactCover

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
    """The problem of a file. InputError if it is none, is cut off, has more than it says, or is of another version."""
    try:
        with path.open("rb") as stream:
            header = _header(stream, path)
            arrays = _arrays(stream, header)
            variables = whole(header["variables"], 0, LARGEST)
            literals, projection = arrays["literals"], arrays["projection"]
            if max(literals, default=0) > variables or min(literals, default=0) < -variables:
                raise ValueError(f"found a literal beyond the {variables} variables")
            if projection and not 1 <= min(projection) <= max(projection) <= variables:
                raise ValueError(f"found a projection beyond the {variables} variables")
            cover = None if header["items"] is None else _cover(header, arrays)
            cnf = Cnf(variables, literals.count(0), literals)
            return Problem(cnf, projection, cover, member(header, "antichain", bool))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=str(path)) from None
    except (EOFError, KeyError, TypeError, ValueError, IndexError) as error:
        raise InputError(f"damaged problem: {type(error).__name__}: {error!s:.200}", source=str(path)) from None


def _header(stream: BinaryIO, path: Path) -> dict[str, Any]:
    most = input_limits().size
    header = parse_object(stream.readline(most), "the header of a problem", source=str(path))
    found = header.get("schema"), header.get("version")
    if found != (SCHEMA, VERSION):
        raise InputError(
            f"found {found[0]!r:.60} version {found[1]!r:.20}, expected {SCHEMA} version {VERSION}", source=str(path)
        )
    return header


def _arrays(stream: BinaryIO, header: Mapping[str, Any]) -> dict[str, array[int]]:
    """The arrays, no longer than the file."""
    if header["byteorder"] not in ("little", "big"):
        raise ValueError("found a byte order that is neither little nor big")
    left = os.fstat(stream.fileno()).st_size - stream.tell()
    arrays = {}
    for name, length in member(header, "arrays", list):
        numbers: array[int] = array("i")
        numbers.fromfile(stream, whole(length, 0, left // numbers.itemsize))
        left -= length * numbers.itemsize
        if header["byteorder"] != sys.byteorder:
            numbers.byteswap()
        arrays[name] = numbers
    if left:
        raise ValueError(f"found {left} bytes after the last array")
    return arrays


def _cover(header: Mapping[str, Any], arrays: Mapping[str, array[int]]) -> ExactCover:
    items = ["", *member(header, "items", list)]  # numbered from 1

    def names(numbers: Iterable[int]) -> list[str]:
        return [items[whole(number, 1, len(items) - 1)] for number in numbers]

    options = [names(option) for option in Cnf(literals=arrays["options"]).clauses()]
    bounds = [
        (frozenset(variables), whole(least, 0, LARGEST), None if most is None else whole(most, 0, LARGEST))
        for variables, least, most in member(header, "counted", list)
    ]
    variables = arrays["option_variables"].tolist()
    return ExactCover(names(arrays["primary"]), names(arrays["secondary"]), options, variables, bounds)
