# `make solvers` installs missing solvers, and those with a changed recipe, into solvers/bin, reports failures, and tests every program.
# CryptoMiniSat is left out: its build takes minutes and needs cmake (make solvers SOLVERS=cryptominisat).
# The Makefile includes this file and defines PYTHON and the rule for .venv/.stamp.

SOLVER_JOBS ?= 2
SOLVERS ?= $(filter-out cryptominisat,$(patsubst solvers/%.yaml,%,$(shell grep -l '^build:' solvers/*.yaml)))

.PHONY: solvers
solvers: .venv/.stamp ## build missing solvers from source, and test all solvers
	@sh solvers/system.sh
	@$(PYTHON) -c 'from cnfgen_puzzles.cli.start import cnf_solvers; cnf_solvers()' install $(SOLVERS) --jobs $(SOLVER_JOBS) || true
	-@$(PYTHON) -c 'from cnfgen_puzzles.cli.start import cnf_solvers; cnf_solvers()' check
