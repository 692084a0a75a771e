"""The article on nonograms by SAT and its 28 puzzles, samples of a survey of solvers: sizes of formulas, numbers of solutions."""
