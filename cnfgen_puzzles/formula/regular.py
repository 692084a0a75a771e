"""The constraint that a word is accepted by an automaton, unrolled over the word (Pesant 2004; clauses as in Bacchus 2007).

The automaton is deterministic, and each of its states is entered by one letter: `entered[s]` says by which. Letters are numbers
from 0. A place of the word has a variable for each letter but 0, at most one of them true (which the caller sees to); letter 0
is that none is. Over two letters a place is one variable.
Not here: which states a word can visit at all, and the variables for them; the caller knows them.
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
    """Add that the automaton accepts the word, given by the variables of its places.

    state[q, s] is the variable 'in state s after q letters', for the pairs that an accepted word can visit: (0, 0) for the first
    state, after the last letter accepting states alone. `step(s, letter)` is the state that follows, None where there is none.
    Clauses: one state follows each state and letter; a state tells the letter that led to it, and has a predecessor; a letter
    has one of the states that it leads to. Then the states are functions of the word.
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
    """The letters that can stand at a place, 0 last, each with the literals one of which is true where it does not."""
    return [*((letter, [-variable]) for letter, variable in enumerate(place, start=1)), (0, list(place))]
