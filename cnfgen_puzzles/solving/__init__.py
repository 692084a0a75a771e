"""What runs: the solver table, processes under limits, answers, certificates. Knows formulas, knows no puzzle."""
