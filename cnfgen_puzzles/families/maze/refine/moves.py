"""Small changes of a string for local search, and the random numbers they need: the same with and without numba.

A string is a sequence of directions 0..3, a Python list or a numpy array. These functions are plain Python; where numba is
installed, compiled code (`kernel.py`) may call them as well, and with the same seed it makes the same changes: the generator is
a linear congruential one of 48 bits, whose products may wrap around without harm. Not here: what a change is worth.
"""

from __future__ import annotations

from math import floor, log
from random import Random

try:
    from numba.extending import register_jitable as compilable
except ImportError:  # plain Python does

    def compilable(function):
        return function


FACTOR, MASK = 25214903917, (1 << 48) - 1

LONGEST = 8
"""The longest segment that is reversed, moved or turned."""

# Which change is made, by a number below 32.
REPLACED, TWO_REPLACED, INSERTED, SWAPPED, MOVED, REVERSED, SHIFTED = 9, 12, 22, 24, 27, 28, 30  # from there on: turned


def seeded(random: Random) -> int:
    """A state of the generator."""
    return random.getrandbits(48)


@compilable
def below(state, bound):
    """A random number from 0 to `bound` - 1; `state[0]` goes on."""
    state[0] = (state[0] * FACTOR + 11) & MASK
    return ((state[0] >> 17) * bound) >> 31


@compilable
def allowance(state, temperature):
    """By how much the cost may grow, so that growth by d is accepted with probability exp(-d / temperature)."""
    return floor(-temperature * log((below(state, 1 << 30) + 1) / (1 << 30)))


@compilable
def change(old, new, state):
    """Make `new` a changed copy of `old`; the result is the first place where they differ, or their length."""
    length = len(old)
    for place in range(length):
        new[place] = old[place]
    kind, place, other = below(state, 32), below(state, length), below(state, length)
    if kind < REPLACED:
        new[place] = (old[place] + 1 + below(state, 3)) % 4
    elif kind < TWO_REPLACED:
        new[place] = below(state, 4)
        new[(place + 1) % length] = below(state, 4)
    elif kind < INSERTED:  # a letter taken out, another put in elsewhere
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


@compilable
def carry(letters, place, other):
    """Take the letter at `place` to `other`; those between move up."""
    letter = letters[place]
    step = 1 if place < other else -1
    while place != other:
        letters[place] = letters[place + step]
        place += step
    letters[other] = letter


@compilable
def change_segment(letters, kind, place, size, state):
    """Reverse `size` letters from `place` on, shift them by a few places, or turn or mirror their directions."""
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


@compilable
def first_difference(old, new):
    """The first place where two strings of one length differ, or the length."""
    for place in range(len(old)):
        if old[place] != new[place]:
            return place
    return len(old)
