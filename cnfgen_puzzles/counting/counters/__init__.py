"""Model counters: how many assignments of the projection variables can be extended to models, without listing them.

    from cnfgen_puzzles.counting.counters.calls import count_models

    count = count_models(cnf, projection, "ganak", Limits(cpu=60))
    if count.number is not None:       # else count.status and count.reason
        ...

Two programs of PyPI (`table`), each in a process of its own under limits (`worker`, `calls`); and what it means that both of
them say the same (`agreement`). They write no proofs: a number is the word of who counted. No puzzle is known here.
"""
