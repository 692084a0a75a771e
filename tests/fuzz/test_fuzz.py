"""Regression tests of fuzzing: past findings, hostile inputs for every reader, and some thousand damaged files, without atheris.

The targets are those of the coverage-guided runs (`make fuzz`); `findings/TARGET/` has one file for each finding, named by its
error.
"""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from fuzz.mutations import SHAPES, damaged
from fuzz.target import MEMORY, Target, TooSlow, bounded, run_target
from fuzz.targets import TARGETS

from cnfgen_puzzles.common.errors import InputError

pytestmark = pytest.mark.filterwarnings("ignore")  # readers warn about ambiguous input

BY_NAME = {target.name: target for target in TARGETS}
FINDINGS = sorted(path for path in (Path(__file__).parent / "findings").glob("*/*") if path.is_file())
DAMAGED = 100
"""The number of damaged inputs for each target."""

HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "a blank": b" ",
    "a NUL byte": b"\0",
    "UTF-16": "\ufeffpuzzle".encode("utf-16"),
    "not UTF-8": b"title \xff\xfe\n",
    "brackets": b"[" * 50_000,
    "braces": b"{" * 50_000,
    "objects": b'{"a":' * 20_000,
    "items": b"- " * 50_000,
    "keys": b"a:\n" + b"".join(b" " * depth + b"a:\n" for depth in range(1, 300)),
    "tags": b"<a>" * 50_000,
    "aliases": b"a0: &a0 [x,x]\n" + b"".join(b"a%d: &a%d [*a%d,*a%d]\n" % (n, n, n - 1, n - 1) for n in range(1, 40)),
    "a line": b"x" * 1_000_000,
    "digits": b"9" * 5_000,
    "negative digits": b"-" + b"9" * 5_000,
    "infinity": b"Infinity",
    "not a number": b"NaN",
    "lines": b"\n" * 200_000,
    "carriage returns": b"1\r" * 100_000,
    "comments": b"c x\n" * 200_000,
    "escapes": b"\x1b]0;owned\x07\x1b[2J\n" * 3,
    "a gzip bomb": gzip.compress(gzip.compress(b"\0" * (64 << 20))),
    "xz cut short": lzma.compress(b"p cnf 1 1\n1 0\n")[:-9],
    "a large header": b"p cnf 99999999 1\n1 0\n",
    "a large board": b"lattice: square\nboard: {size: 99999x99999}\npieces: [{set: pentominoes}]\n",
    "a large grid": b"mazes thin 99999x99999\n",
}


def promised(target: Target, data: bytes) -> str | None:
    """The result of `run_target` within the bounds; a failure names the input."""
    with bounded():
        try:
            return run_target(target, data)
        except (Exception, TooSlow) as error:
            error.add_note(f"{target.name}: {data[:2000]!r}")
            raise


@pytest.mark.sample(13)
@pytest.mark.parametrize("name", BY_NAME)
def test_good_inputs_are_read(name):
    """Otherwise, the runs would only test refusals."""
    told = [promised(BY_NAME[name], data) for data in BY_NAME[name].seeds()]
    assert told.count(None) > len(told) / 2, told


@pytest.mark.parametrize("path", FINDINGS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_findings(path):
    promised(BY_NAME[path.parent.name], path.read_bytes())


@pytest.mark.sample(13)
@pytest.mark.parametrize("name", BY_NAME)
def test_hostile_inputs(name):
    for data in HOSTILE.values():
        promised(BY_NAME[name], data)


@pytest.mark.sample(13)
@pytest.mark.parametrize("name", BY_NAME)
def test_damaged_inputs(name):
    target = BY_NAME[name]
    seeds = list(target.seeds())
    for number in range(DAMAGED):
        promised(target, damaged(seeds[number % len(seeds)], target.shape, target.words, number))


# -- that the promise can be broken ---------------------------------------------------------------------------------------


def reader(read: Callable[[bytes], object], then: Callable[[object], None] = lambda value: None) -> Target:
    return Target("a reader", read, lambda: [b""], then)


def refuse(message: str, line: int | None = None) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        raise InputError(message, source="fuzz", line=line)

    return read


def for_ever(data: bytes) -> object:
    while True:
        pass


def test_the_promise_can_be_broken(monkeypatch):
    assert run_target(reader(len), b"") is None
    assert run_target(reader(refuse("found nothing", 1)), b"") == "fuzz:1: found nothing"
    with pytest.raises(ZeroDivisionError):
        promised(reader(lambda data: 1 // len(data)), b"")
    with pytest.raises(AssertionError):
        promised(reader(refuse("", 2)), b"one line")
    with pytest.raises(InputError):
        promised(reader(len, lambda value: refuse("a value is no mistake")(b"")), b"")
    with pytest.raises(MemoryError):
        promised(reader(lambda data: bytearray(2 * MEMORY)), b"")
    monkeypatch.setattr("fuzz.target.SECONDS", 0.1)
    with pytest.raises(TooSlow):
        promised(reader(for_ever), b"")


@pytest.mark.parametrize("shape", SHAPES)
def test_damage_is_damage_and_the_same_for_a_seed(shape):
    good = b'{"a": [1, 2, {"b": "text"}], "c": null}\n'
    found = [damaged(good, shape, ("word",), seed) for seed in range(50)]
    assert found == [damaged(good, shape, ("word",), seed) for seed in range(50)]
    assert len(set(found) - {good}) > 20
