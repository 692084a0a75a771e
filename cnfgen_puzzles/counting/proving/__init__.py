"""Counts with a proof that a list has all solutions of a CNF, by cubes with a checked proof each. Independent of puzzles.

    listed = check_list(problem, solutions, symmetries)        # NotRefuted if a solution is invalid or occurs twice
    with ListProof(listed, state, jobs=2) as proof:            # `state` is a folder, from which the proof resumes
        proof.run()                                            # NotRefuted if a proof is refused or a solution is missing
        proof.write(draft)                                     # the files of a certificate (`evidence.certificate`)

`cubes.certify_list(problem, solutions, folder)` combines these steps for any CNF: it writes a certificate whose statement is
"solutions.txt has all models of formula.cnf, as far as the variables of projection.txt go".

The result does not depend on the engine that found the solutions, or on the prover (`coverproof` for exact covers, otherwise
a SAT solver): lrat-check verifies each proof (`refuting`), and another proof shows that the cubes cover
everything. `evidence.allmodels` explains what is shown and why it suffices; `evidence/verify.sh` checks the files.
"""
