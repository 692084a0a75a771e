"""The soak test: random puzzles through the real commands under faults, with every answer compared with all solutions.

`scripts/check/soak.py` runs it. An event is one puzzle on one road (a sequence of commands) with one fault. A seed and a number
determine it. Each event runs in a separate process (`event`), which adopts orphaned processes, so that none is overlooked or left
behind.

    puzzles              the puzzles and all their solutions, which tests/exhaustive finds
    roads                the commands that a user would call, and their claims
    faults, liars        faults during the commands; programs that imitate solvers and give wrong answers
    stage                runs and watches commands, applies faults, and finds remaining processes and files
    judge                decides which claims are right, wrong, or only passed on
    event, tally, command   one event; all events; the command line

The rule: an answer is right, or there is none. A false answer of a liar is acceptable if the command reports it as the claim of
that program; otherwise it is wrong.

The soak test does not use internals of the package, except for the tables of options (families, encodings, options, solvers) and
the way to distinguish its processes, which is needed to kill one of them.
"""
