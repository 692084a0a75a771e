"""The constraint that a word is accepted by an automaton, unrolled over the word (Pesant 2004; clauses as in Bacchus 2007).

The automaton is deterministic, and all transitions into a state `s` have the same letter, `entered[s]`. Letters are numbers from
0. A position of the word has a variable for each letter except 0. The caller ensures that at most one of them is true; letter 0
means that none is. With two letters, a position has one variable.
The caller also determines the states that a word can visit and makes their variables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cnfgen_puzzles.formula.formula import Formula


def accepts(
    formula: Formula,
    word: Sequence[Sequence[int]],
    state: Mapping[tuple[int, int], int],
    step: Callable[[int, int], int | None],
    entered: Sequence[int],
) -> None:
    """Add the constraint that the automaton accepts the word, given by the variables of its positions.

    state[q, s] is the variable 'in state s after q letters', for the pairs that an accepted word can visit: (0, 0) for the first
    state, and only accepting states after the last letter. `step(s, letter)` is the next state, None without a transition.
    Clauses: a state and a letter imply the next state; a state implies its letter and one of its predecessors; a letter implies
    one of its next states. Then the states are functions of the word.
    """
    formula.add(state[0, 0])
    predecessors: dict[tuple[int, int], list[int]] = {pair: [] for pair in state}
    for (q, s), here in state.items():
        if q == len(word):
            continue
        for letter, unless in _letters(word[q]):
            following = step(s, letter)
            if following is None or (pair := (q + 1, following)) not in state:
                formula.add(-here, *unless)
            else:
                formula.add(-here, *unless, state[pair])
                predecessors[pair].append(here)
    for (q, s), here in state.items():
        if q:
            place, letter = word[q - 1], entered[s]
            for literal in [place[letter - 1]] if letter else [-variable for variable in place]:
                formula.add(-here, literal)
            formula.add(-here, *predecessors[q, s])
    for q, place in enumerate(word, start=1):
        for letter, unless in _letters(place):
            formula.add(*unless, *(state[q, s] for s, kind in enumerate(entered) if kind == letter and (q, s) in state))


def _letters(place: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The letters of a position, 0 last, each with a clause that is true exactly if the letter is another one."""
    return [*((letter, [-variable]) for letter, variable in enumerate(place, start=1)), (0, list(place))]
