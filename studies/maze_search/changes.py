"""Small changes of a string for local search, and random numbers: the same with and without numba.

A string is a sequence of directions 0..3, a Python list or a numpy array. The functions are plain Python; `compiled.py` also has
them compiled, with the same changes for the same seed: the generator is a linear congruential one with 48 bits, whose products
may overflow without harm.
"""

from __future__ import annotations

from math import floor, log
from typing import Any

Vector = Any
"""Integers that are changed in place: a list, or a numpy array for compiled code."""

FACTOR, MASK = 25214903917, (1 << 48) - 1

LONGEST = 8
"""The longest segment that is reversed, moved, or turned."""

# The kinds of changes, by thresholds of a number below 32.
REPLACED, TWO_REPLACED, INSERTED, SWAPPED, MOVED, REVERSED, SHIFTED = 9, 12, 22, 24, 27, 28, 30  # above: turned


def below(state: Vector, bound: int) -> int:
    """A random number from 0 to `bound` - 1; `state[0]`, 48 bits, is updated."""
    state[0] = (state[0] * FACTOR + 11) & MASK
    number: int = ((state[0] >> 17) * bound) >> 31
    return number


def allowance(state: Vector, temperature: float) -> int:
    """The allowed increase of the cost, such that an increase by d is accepted with probability exp(-d / temperature)."""
    return floor(-temperature * log((below(state, 1 << 30) + 1) / (1 << 30)))


def change(old: Vector, new: Vector, state: Vector) -> int:
    """Makes `new` a changed copy of `old`; returns the first position where they differ, or their length."""
    length = len(old)
    for place in range(length):
        new[place] = old[place]
    kind, place, other = below(state, 32), below(state, length), below(state, length)
    if kind < REPLACED:
        new[place] = (old[place] + 1 + below(state, 3)) % 4
    elif kind < TWO_REPLACED:
        new[place] = below(state, 4)
        new[(place + 1) % length] = below(state, 4)
    elif kind < INSERTED:  # one letter removed, another inserted elsewhere
        carry(new, place, other)
        new[other] = below(state, 4)
    elif kind < SWAPPED:
        other = (place + 1) % length
        new[place], new[other] = old[other], old[place]
    elif kind < MOVED:
        carry(new, place, other)
    else:
        change_segment(new, kind, place, min(length - place, 2 + below(state, LONGEST - 1)), state)
    return first_difference(old, new)


def carry(letters: Vector, place: int, other: int) -> None:
    """Moves the letter at `place` to `other`; the letters between them shift."""
    letter = letters[place]
    step = 1 if place < other else -1
    while place != other:
        letters[place] = letters[place + step]
        place += step
    letters[other] = letter


def change_segment(letters: Vector, kind: int, place: int, size: int, state: Vector) -> None:
    """Reverses `size` letters from `place` on, shifts them by a few positions, or turns or mirrors their directions."""
    if kind < REVERSED:
        for i in range(size // 2):
            a, b = place + i, place + size - 1 - i
            letters[a], letters[b] = letters[b], letters[a]
    elif kind < SHIFTED:
        other = below(state, len(letters) - size + 1)
        for i in range(size):
            if other < place:
                carry(letters, place + i, other + i)
            else:
                carry(letters, place, other + size - 1)
    else:
        turn, sign = below(state, 4), 1 - 2 * below(state, 2)
        for i in range(place, place + size):
            letters[i] = (turn + sign * letters[i]) % 4


def first_difference(old: Vector, new: Vector) -> int:
    """The first position where two strings of one length differ, or the length."""
    for place in range(len(old)):
        if old[place] != new[place]:
            return place
    return len(old)
