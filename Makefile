# cnfgen-puzzles: `make bench` builds everything and runs the benchmark, `make test` passes the tests.

VENV := .venv
PYTHON := $(VENV)/bin/python
STAMP := $(VENV)/.stamp
LOCK := requirements-dev.txt
PIP = $(PYTHON) -m pip --quiet --disable-pip-version-check
SUITE := instances/suites/default.yaml
# Tests wait for a sixth of their time (for a limit, a signal, another process): hence one process more than cores.
TEST_JOBS ?= $(shell echo $$(( $$(nproc) + 1 )))
# Each process takes a run of neighbors, which share fixtures, and then takes over what others have left.
PARALLEL = --numprocesses $(TEST_JOBS) --maxprocesses 8 --dist worksteal

# Tests start some thousand commands of ours, which shall not be compiled anew each time.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup bench browser test test-quick test-release fuzz lint format reproduce measure site pictures dist sbom lock clean distclean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(STAMP) ## a virtual environment with this package in it

# First the pinned requirements, file by file as their hashes say. Where they cannot be had (another index, a newer Python), what
# pyproject.toml allows.
$(STAMP): pyproject.toml $(LOCK)
	@sh solvers/system.sh
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed, python3 is $$(python3 -V)"; exit 1; }
	@test -x $(PYTHON) || python3 -m venv $(VENV)
	@$(PIP) install --require-hashes -r $(LOCK) || { \
		echo "the requirements of $(LOCK) cannot be had here; taking what pyproject.toml allows" >&2; $(PIP) install -e '.[test]'; }
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

include solvers/solvers.mk

bench: setup solvers ## every solver on puzzles of all families in two encodings each: tables, a report, who won where
	@$(VENV)/bin/bench-cnf $(SUITE) --fresh --report

browser: # without Chromium the test of the HTML report is left out, and says so
	@sh solvers/system.sh browser

# The example families of docs/adding-a-family.md as packages of their own, for the tests.
$(VENV)/.examples: $(STAMP) $(wildcard tests/*/pyproject.toml)
	@$(PIP) install --no-deps $(patsubst %/pyproject.toml,-e %,$(wildcard tests/*/pyproject.toml))
	@touch $@

test: lint solvers $(VENV)/.examples ## lint, then all tests but the slow ones
	@$(PYTHON) -m pytest $(PARALLEL)

test-quick: setup solvers $(VENV)/.examples ## some tests of every package, under a minute: those in tests/quick.txt
	@$(PYTHON) -m pytest $(PARALLEL) @tests/quick.txt

test-release: setup solvers browser $(VENV)/.examples ## the slow tests: before a release, and before an issue is closed
	@$(PYTHON) -m pytest $(PARALLEL) -m release

fuzz: setup ## coverage-guided fuzzing of every reader, so many seconds each (SECONDS=60 TARGETS='dimacs map')
	@$(PIP) install -e '.[fuzz]'
	@PYTHONPATH=.:tests nice $(PYTHON) -m fuzz --seconds $(or $(SECONDS),60) $(TARGETS)

lint: setup ## linter, formatter, type checker, line budget of the package, prose of the documentation
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(PYTHON) scripts/measure_size.py --budget
	@$(PYTHON) scripts/check_prose.py

format: setup ## format the code
	@$(VENV)/bin/ruff format .

reproduce: setup solvers ## the published numbers, claimed beside measured (FULL=1 ONLY=KEY JOBS=N PUZZLES=FOLDER AGAIN=1)
	@$(PYTHON) scripts/reproduce.py $(if $(FULL),--full) $(if $(ONLY),--only '$(ONLY)') $(if $(JOBS),--jobs $(JOBS)) \
		$(if $(PUZZLES),--puzzles '$(PUZZLES)') $(if $(AGAIN),--again)

measure: setup solvers ## size of the code, generation, start-up, the runner
	@$(PYTHON) scripts/measure_size.py
	@$(PYTHON) scripts/measure_generation.py
	@$(PYTHON) scripts/measure_runner.py

site: setup ## the documentation as a site, in site/; a dead link is an error
	@NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build --strict --quiet
	@echo "site/index.html"

pictures: setup solvers ## the pictures of the README anew (the cactus plot: of the last `make bench`)
	@$(PYTHON) scripts/make_pictures.py

dist: setup ## wheel and sdist, in dist/
	@rm -rf dist
	@$(PYTHON) -m build --no-isolation --outdir dist . >/dev/null
	@ls dist

sbom: setup ## dist/sbom.json: what this is built of (CycloneDX): Python packages and solvers, versions, checksums, licences
	@$(PYTHON) scripts/sbom.py -o dist/sbom.json

lock: setup ## requirements-dev.txt anew: the newest versions that pyproject.toml allows, with the hashes of their files
	@$(PIP) install uv
	@$(VENV)/bin/uv pip compile --quiet --upgrade pyproject.toml --extra test --universal --python-version 3.11 \
		--generate-hashes --no-annotate --custom-compile-command 'make lock' --output-file $(LOCK)

clean: ## remove results and caches
	rm -rf results .pytest_cache .ruff_cache .mypy_cache .hypothesis dist site
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean ## also the virtual environment, the solvers and their sources
	rm -rf $(VENV) solvers/bin solvers/build solvers/sources
