"""The constraint that a word is accepted by an automaton, unrolled over the word (Pesant 2004; clauses as in Bacchus 2007).

The automaton is deterministic, over two letters, and each of its states is entered by one letter: `entered[s]` says by which.
Not here: which states a word can visit at all, and the variables for them; the caller knows them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cnfgen_puzzles.formula.formula import Formula


def accepts(
    formula: Formula,
    word: Sequence[int],
    state: Mapping[tuple[int, int], int],
    step: Callable[[int, bool], int | None],
    entered: Sequence[bool],
) -> None:
    """Add that the automaton accepts the word, whose letters are variables.

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
        for letter, literal in ((True, word[q]), (False, -word[q])):
            following = step(s, letter)
            if following is None or (pair := (q + 1, following)) not in state:
                formula.add(-here, -literal)
            else:
                formula.add(-here, -literal, state[pair])
                predecessors[pair].append(here)
    for (q, s), here in state.items():
        if q:
            formula.add(-here, word[q - 1] if entered[s] else -word[q - 1])
            formula.add(-here, *predecessors[q, s])
    for q, variable in enumerate(word, start=1):
        for letter, literal in ((True, variable), (False, -variable)):
            formula.add(-literal, *(state[q, s] for s, kind in enumerate(entered) if kind == letter and (q, s) in state))
