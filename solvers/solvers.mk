# `make solvers` installs missing solvers, and those with a changed recipe, into solvers/bin, reports failures, and tests every program,
# as `cnf-solvers install --all` does. The Makefile includes this file and defines PYTHON and the rule for .venv/.stamp.

SOLVER_JOBS ?= 2

.PHONY: solvers
solvers: .venv/.stamp ## build missing solvers from source, and test all solvers
	@sh solvers/system.sh
	@$(PYTHON) -c 'from cnfgen_puzzles.cli.start import cnf_solvers; cnf_solvers()' install --all --jobs $(SOLVER_JOBS) || true
	@$(PYTHON) -c 'from cnfgen_puzzles.cli.start import cnf_solvers; cnf_solvers()' check --any
