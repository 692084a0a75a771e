# The solvers: `make solvers` builds those whose recipe changed, reports what failed, and tests every binary.
# Included by the Makefile, which defines PYTHON and the rule for .venv/.stamp.

SOLVER_JOBS ?= 2
BUILT_SOLVERS := $(patsubst solvers/%.yaml,%,$(shell grep -l '^build:' solvers/*.yaml))
# CaDiCaL takes longest: first in, so that the others build beside it
BUILT_SOLVERS := $(filter cadical,$(BUILT_SOLVERS)) $(filter-out cadical,$(BUILT_SOLVERS))
SOLVER_BINARIES := $(addprefix solvers/bin/,$(BUILT_SOLVERS))

.PHONY: solvers solver-binaries
solvers: .venv/.stamp ## the solvers, built from source as far as they are not there, and tested
	@sh solvers/system.sh
	@$(MAKE) --no-print-directory --keep-going $(if $(filter -j%,$(MAKEFLAGS)),,-j$(SOLVER_JOBS)) solver-binaries || true
	@$(PYTHON) -m cnfgen_puzzles.evidence.selftest --any

solver-binaries: $(SOLVER_BINARIES)
	@:

# A failed build says so itself. The plus hands make's job slots down to the build.
$(SOLVER_BINARIES): solvers/bin/%: solvers/%.yaml | .venv/.stamp
	+@$(PYTHON) solvers/build.py $*
