"""Our own checker of proofs, for machines without another: DRAT and LRAT in plain Python, for proofs that take seconds.

Run as a program by `evidence.proofs`, under limits and confined like any other: `python -m cnfgen_puzzles.evidence.own`. It
trusts nothing but its input's bytes; docs/proofs.md says what it does and what it is good for.
"""
