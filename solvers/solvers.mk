# The solvers: `make solvers` installs into solvers/bin what is not there or whose recipe changed, reports what failed, and tests
# every program. The same as `cnf-solvers install --all`; included by the Makefile, which defines PYTHON and the rule for .venv/.stamp.

SOLVER_JOBS ?= 2

.PHONY: solvers
solvers: .venv/.stamp ## the solvers, built from source as far as they are not there, and tested
	@sh solvers/system.sh
	@$(PYTHON) -c 'from cnfgen_puzzles.cli.start import cnf_solvers; cnf_solvers()' install --all --jobs $(SOLVER_JOBS) || true
	@$(PYTHON) -m cnfgen_puzzles.evidence.selftest --any
