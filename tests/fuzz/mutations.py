"""Damaged inputs made from good ones: bytes, lines, and nodes of JSON, JSON lines, and YAML. Independent of the readers.

A seed gives the same damage on every machine, so a test can repeat a finding. `damaged` is also the mutator of the
coverage-guided runs (`one.py`), in addition to that of libFuzzer, because a changed byte in a long JSON text rarely gives valid
JSON.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DIGITS = ("0", "1", "-1", "2", "3", "99999999999", "9" * 400, "9" * 5000)
NUMBERS = (*DIGITS, "1.5", "1e400", "nan", "-inf", "007", "+2", "1_0", "٣", "²")
WORDS = (*NUMBERS, "", " ", "\n", "\t", "\r", "\0", "\x1b[2J", "\x85", "\u2028", "\ufeff", "é", "#", "c ", "%", "-", "--", "../x")
ATOMS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 0.5, -0.0, float("nan"), float("inf"), 2**31 - 1, 2**31, 2**63, -(2**64), 10**400),
    *("", "0", "x", "a b", "é", "\x00", "\x1b[2J", "\ud800", "any", "x" * 300),
    *([], {}, [[]], {"": None}, [0, 0], [1, 2], [1, 2, 3]),
)
DEEP = 100
"""The depth of inserted nested lists; sometimes they are much deeper."""


def damaged(data: bytes, shape: str, words: Sequence[str], seed: int) -> bytes:
    """The input with one to four changes; bytes are changed if the input does not have the expected shape."""
    random = Random(seed)
    for _ in range(random.choice((1, 1, 1, 2, 3, 4))):
        data = _once(random, data, shape, words)
    return data


def _once(random: Random, data: bytes, shape: str, words: Sequence[str]) -> bytes:
    if random.random() < 0.15:
        return of_bytes(random, data, words)
    try:
        return SHAPES[shape](random, data, words)
    except (ValueError, RecursionError, yaml.YAMLError):
        return of_lines(random, data, words)


# -- bytes and lines ----------------------------------------------------------------------------------------------------


def of_bytes(random: Random, data: bytes, words: Sequence[str]) -> bytes:
    """A range of bytes is removed, repeated, or replaced by a word, by other bytes, or by another range."""
    start = random.randint(0, len(data))
    stop = min(len(data), start + random.choice((0, 0, 1, 1, 2, 8, 64)))
    elsewhere = random.randint(0, len(data))
    new = random.choice(
        (
            b"",
            data[start:stop] * random.choice((2, 3, 100)),
            _word(random, words),
            random.randbytes(random.randint(1, 4)),
            data[elsewhere : elsewhere + random.choice((1, 4, 30))],
        )
    )
    return data[:start] + new + data[stop:]


def of_lines(random: Random, data: bytes, words: Sequence[str]) -> bytes:
    """A line, or a word of a line, is removed, repeated, moved, or replaced by another."""
    lines = data.split(b"\n")
    place = random.randrange(len(lines))
    if random.random() < 0.3:
        other = lines[random.randrange(len(lines))]
        lines[place : place + 1] = random.choice(([], [lines[place]] * 2, [other], [other, lines[place]]))
        return b"\n".join(lines)
    parts = re.split(rb"([\s,:;=/|\"'<>{}\[\]()]+)", lines[place])
    spot = random.randrange(len(parts))
    parts[spot] = random.choice(
        (b"", parts[spot] * 2, parts[random.randrange(len(parts))], _word(random, words), _word(random, words))
    )
    lines[place] = b"".join(parts)
    return b"\n".join(lines)


def _word(random: Random, words: Sequence[str]) -> bytes:
    return random.choice((*words, *WORDS) if random.random() < 0.6 or not words else words).encode("utf-8", "surrogatepass")


# -- trees ----------------------------------------------------------------------------------------------------------------


def of_json(random: Random, data: bytes, words: Sequence[str]) -> bytes:
    return json.dumps(_of_tree(random, json.loads(data), words)).encode("utf-8", "surrogatepass")


def of_jsonlines(random: Random, data: bytes, words: Sequence[str]) -> bytes:
    lines = data.split(b"\n")
    place = random.randrange(len(lines))
    lines[place] = of_json(random, lines[place], words)
    return b"\n".join(lines)


def of_yaml(random: Random, data: bytes, words: Sequence[str]) -> bytes:
    """The tree as YAML, half of the time in the form of JSON, which is YAML, too."""
    tree = _of_tree(random, yaml.load(data, LOADER), words)
    if random.random() < 0.5:
        return json.dumps(tree, default=str).encode("utf-8", "surrogatepass")
    return yaml.safe_dump(tree, sort_keys=False, allow_unicode=True).encode("utf-8", "surrogatepass")


def _of_tree(random: Random, tree: Any, words: Sequence[str]) -> Any:
    """The tree with one node removed, replaced, repeated, wrapped, or renamed."""
    tree = copy.deepcopy(tree)
    places = list(_places(tree))
    if not places:
        return _atom(random, words)
    holder, key = random.choice(places)
    change = random.randrange(8)
    if change == 0:
        del holder[key]
    elif change == 1:
        other, name = random.choice(places)
        holder[key] = copy.deepcopy(other[name])
    elif change == 2 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    elif change == 2:
        holder[_key(random, words)] = holder.pop(key)
    elif change == 3:
        holder[key] = [holder[key]] if random.random() < 0.8 else _nested(random.choice((DEEP, 20_000)))
    elif change == 4 and isinstance(holder[key], (int, float)):
        holder[key] += random.choice((1, -1, 2**31, -(2**31)))
    elif change == 5 and isinstance(holder[key], str):
        holder[key] = of_bytes(random, holder[key].encode("utf-8", "surrogatepass"), words).decode("utf-8", "replace")
    else:
        holder[key] = _atom(random, words)
    return tree


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Each node below the root, as its container and its key there."""
    found: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        found += [(node, key) for key in keys]
        waiting += [node[key] for key in keys]
    return found


def _key(random: Random, words: Sequence[str]) -> str:
    return random.choice((*words, "x", ""))


def _atom(random: Random, words: Sequence[str]) -> Any:
    return random.choice(words) if words and random.random() < 0.3 else random.choice(ATOMS)


def _nested(depth: int) -> Any:
    """JSON that is too deep for Python's writer, written directly; an incomplete tree would only test that it is incomplete."""
    node: Any = 0
    for _ in range(min(depth, 900)):
        node = [node]
    return node if depth < 900 else "[" * depth


SHAPES: dict[str, Callable[[Random, bytes, Sequence[str]], bytes]] = {
    "bytes": of_bytes,
    "lines": of_lines,
    "json": of_json,
    "jsonlines": of_jsonlines,
    "yaml": of_yaml,
}
