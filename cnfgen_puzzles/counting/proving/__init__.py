"""Counts with a proof: that a list has all solutions of a CNF, by cubes with a checked proof each. No puzzle is known here.

    listed = check_list(problem, solutions, symmetries)        # NotRefuted if one of them is none, or comes twice
    with ListProof(listed, state, jobs=2) as proof:            # `state` is a folder, from which it resumes
        proof.run()                                            # NotRefuted if a proof is refused or a solution is missing
        proof.write(draft)                                     # the files of a certificate (`evidence.certificate`)

`cubes.certify_list(problem, solutions, folder)` does all of it for any CNF: it writes a certificate whose statement is
"solutions.txt has all models of formula.cnf, as far as the variables of projection.txt go".

Neither the engine that found the solutions nor the prover (`treesearch`, for formulas such as exact covers; else a SAT solver) is
trusted: lrat-check verifies each proof (`refuting`), and another proof shows that the cubes cover everything.
`evidence.allmodels` says what is shown and why that suffices; `evidence/verify.sh` checks the files.
"""
