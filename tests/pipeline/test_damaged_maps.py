"""Damaged maps of all families: each gives a board that obeys the puzzle in the map, or a one-line error.

Each value of each map is mutated in each way: removed, of another type, out of range, nested, repeated. A fault that is not a
CnfgenError, or a board that the map cannot have, fails.
"""

import copy
import json
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smallpuzzles import small_puzzles

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.formula import VariableMap
from cnfgen_puzzles.pipeline.instance import decode, puzzle_of, scramble_instance
from cnfgen_puzzles.testing import models

NONOGRAM = Source("x.nin", b"3 2\n1\n2\n1\n1\n1\n", ".nin")
CASES = {
    "nonogram": lambda: cp.encode(find_family("nonogram").read(NONOGRAM)),
    "nonogram-direct": lambda: cp.encode(find_family("nonogram").read(NONOGRAM), "direct"),
    "tiling": lambda: cp.encode(cp.read(family="tiling", board="2x3", pieces="2*domino, 2*monominoes")),
    "triddler": lambda: cp.encode(small_puzzles(find_family("triddler"))[-1]),
    "maze": lambda: cp.encode(cp.read(family="maze", kind="thin", size="2x1", length=2)),
}
MOST_SHOWN = 1000


def wrong_values(value) -> Iterator[object]:
    """All replacements for a value."""
    yield from (None, True, False, 0, -1, 1, 2**31, 2**31 - 1, 2**63, 10**999, 0.5, 1e300)
    yield from ("", "x", "\0", "\x1b[2J", "9" * 5000, [], {}, [[]])
    yield from ([value], {"x": value}, [value, value], [0] * 1000)
    deep = value
    for _ in range(60):
        deep = [deep]
    yield deep
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value, value * 1000, float(value), str(value))
    elif isinstance(value, str):
        yield from (value + "x", value[:-1], value.upper(), value * 100)
    elif isinstance(value, list):
        yield from (value[1:], value[:-1], value[::-1], value * 2, [*value, None])
    elif isinstance(value, dict):
        yield {**value, "unknown": 1}


def places(value, path=()) -> Iterator[tuple]:
    """The paths of all parts of a value."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def part_at(value, path):
    for key in path:
        value = value[key]
    return value


def mutations(entry) -> Iterator[tuple[str, str]]:
    """The description of each mutation, and the text of the mutated map."""
    for path in places(entry):
        if not path:
            continue
        mutant = copy.deepcopy(entry)
        del part_at(mutant, path[:-1])[path[-1]]
        yield f"without {path}", json.dumps(mutant)
        if isinstance(path[-1], str):
            mutant = copy.deepcopy(entry)
            holder = part_at(mutant, path[:-1])
            holder[path[-1] + "x"] = holder.pop(path[-1])
            yield f"{path} renamed", json.dumps(mutant)
        for wrong in wrong_values(part_at(entry, path)):
            mutant = copy.deepcopy(entry)
            part_at(mutant, path[:-1])[path[-1]] = wrong
            yield f"{path}: {wrong!r:.60}", json.dumps(mutant)


@pytest.fixture(scope="module", params=CASES)
def instance(request):
    return CASES[request.param]()


def check(text, model, told):
    """The map decodes to a board that obeys its puzzle, or is refused in a line."""
    try:
        vmap = VariableMap.from_json(text, "x.map.json")
        family, puzzle = puzzle_of(vmap, "x.map.json")
        assert "\n" not in family.describe(puzzle)  # the sentence for a puzzle without a solution
        family, puzzle, board = decode(vmap, model, "x.map.json")
        assert not family.check(puzzle, board)
        json.dumps(family.board_to_json(puzzle, board))
        family.view("text").draw(puzzle, board, None)
    except CnfgenError as error:
        assert "\n" not in str(error), told
        assert len(str(error)) < MOST_SHOWN, told
        return False
    except Exception as error:
        raise AssertionError(f"{told}: {type(error).__name__}: {error}") from error
    return True


@pytest.mark.sample(1)
@pytest.mark.parametrize("how", ["as it is", "scrambled"])
def test_every_mutation_decodes_rightly_or_is_refused(instance, how):
    given = scramble_instance(instance, 1) if how == "scrambled" else instance
    model = min(models(given.cnf), key=sorted)
    text = given.map.to_json()
    assert check(text, model, "the map itself")
    mutants = islice(mutations(json.loads(text)), 0, None, 3 if how == "scrambled" else 1)
    done = [check(mutant, model, told) for told, mutant in mutants]
    assert len(done) > (300 if how == "scrambled" else 1000)
    assert done.count(False) > len(done) / 2


@pytest.mark.sample(2)
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_texts_with_bytes_changed_are_refused_or_decode_rightly(instance, data):
    text = instance.map.to_json()
    model = min(models(instance.cnf), key=sorted)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 20)))
        text = text[:start] + data.draw(st.text('{}[]",:0123456789-.eENtfx\\u', max_size=5)) + text[end:]
    check(text, model, text)


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_text_is_a_map_or_refused(text):
    check(text, (), text)
