"""Counts with a proof: that a list of solutions has all of them, by cubes, a checked proof each. No puzzle is known here.

    told = listed(problem, solutions, symmetries)              # NotRefuted if one of them is none, or is there twice
    with Proving(told, state, jobs=2) as proving:              # `state` is a folder, by which it can be continued
        proving.run()                                          # NotRefuted where a proof is refused or a solution is missing
        proving.write(draft)                                   # the files of a certificate (`evidence.certificate`)

Or all of it in a call, for any CNF: `certify_list(problem, solutions, folder)` writes a certificate whose statement is
"solutions.txt has all models of formula.cnf, as far as the variables of projection.txt go".

Whoever found the solutions need not be trusted, nor whoever proves (`treesearch`, for formulas such as exact covers; else a SAT
solver): lrat-check verifies each proof (`refuting`), and another shows that the cubes cover everything. What is shown and why it
suffices is said in `evidence.allmodels`, the files and their checks are in `evidence.certificate.complete`.
"""

from cnfgen_puzzles.counting.proving.campaign import Listed, Proving, listed
from cnfgen_puzzles.counting.proving.certificate import certify_list, check_words, refute_anew
from cnfgen_puzzles.counting.proving.refuting import NotRefuted

__all__ = ["Listed", "NotRefuted", "Proving", "certify_list", "check_words", "listed", "refute_anew"]
