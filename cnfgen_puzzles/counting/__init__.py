"""All solutions of a formula (the assignments of its projection variables that can be extended to models), and their number.

    enumeration = Enumeration(problem, choose_engine("auto", problem))    # of `enumeration`, `problem`, `engines`
    for true in enumeration:          # a solution: the projection variables that are true
        ...
    enumeration.complete              # whether those were all, else enumeration.reason

The search is split into parts (`problem`, `splitting`), which are calls of an executor (`enumeration`, `calls`), each a process
under limits (`calls`). An engine searches one part (`engines`, `dancingcells`). A folder keeps finished parts if the caller
names one (`state`). Model counters give the number alone (`counters`, `modelcounts`); `total` counts by whatever suits; `proving`
proves that a list is complete. docs/counting.md explains the choices. No puzzle is known here.
"""
