"""The soak test: random puzzles through the real commands under faults, every answer held against an independent oracle.

`scripts/soak.py` runs it. An event is one puzzle on one road with one fault; it is told by a seed and a number, and runs in a
process of its own (`event`), which is how nothing of it is overlooked or left: it becomes the parent of whatever loses its own.

    puzzles, oracle      what is solved, and what is true of it; the oracle imports nothing of this package
    roads                the commands that a user would give, and what they claimed in the end
    faults, liars        what goes wrong meanwhile; programs that play solvers and are none
    stage                commands run, watched and hit; who and what is left of them
    judge                which claims are right, which are not, which were only passed on
    event, tally, command   one event; all of them; the command line

The rule: an answer is right, or there is none. A false answer of a liar that the command passed on as that program's word counts
as told; one that it gave as its own is wrong.

Not here: unit tests, and any knowledge of how the package works inside, but for the tables of what can be asked for (families,
encodings, options, solvers) and how its processes are told apart, to kill one of them.
"""
