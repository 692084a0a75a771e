"""All solutions of a formula (the assignments of its projection variables that can be extended to models), and their number.

    enumeration = Enumeration(problem, choose_engine("auto", problem))    # of `enumeration`, `problem`, `engines`
    for true in enumeration:          # a solution: the projection variables that are true
        ...
    enumeration.complete              # whether these are all solutions; otherwise, enumeration.reason says why not

The search is split into parts (`problem`, `splitting`), which are calls of an executor (`enumeration`), each in a process under
limits (`calls`). An engine searches one part (`engines`, `exactcovers`). Finished parts are kept if the caller names a folder
(`state`). Model counters give only the number (`counters`); `total` chooses between these methods; `proving`
proves that a list is complete. docs/how-to/counting.md explains the choices. This package does not depend on puzzles.
"""
