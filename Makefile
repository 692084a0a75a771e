# cnfgen-puzzles: `make bench` builds everything and runs the benchmark; `make test` runs lint and the tests.

VENV := .venv
PYTHON := $(VENV)/bin/python
STAMP := $(VENV)/.stamp
LOCK := requirements-dev.txt
PIP = $(PYTHON) -m pip --quiet --disable-pip-version-check
SUITE := instances/suites/default.yaml
# One process more than cores, because tests spend a sixth of their time waiting for limits, signals, and other processes.
TEST_JOBS ?= $(shell echo $$(( $$(nproc) + 1 )))
# Each process runs neighboring tests, which share fixtures, and then takes over tests from slower processes.
PARALLEL = --numprocesses $(TEST_JOBS) --maxprocesses 8 --dist worksteal

# Tests start thousands of commands; without this line, Python would compile the modules again for each.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup bench browser test test-quick test-release fuzz lint format reproduce measure pack site page pictures dist sbom lock address clean distclean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(STAMP) ## create a virtual environment with this package

# Install the pinned requirements and check their hashes. If that fails (another package index, a newer Python), install the versions
# that pyproject.toml allows.
$(STAMP): pyproject.toml $(LOCK)
	@sh solvers/system.sh
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "found $$(python3 -V) as python3, expected Python 3.11 or later"; exit 1; }
	@test -x $(PYTHON) || python3 -m venv $(VENV)
	@$(PIP) install --require-hashes -r $(LOCK) || { \
		echo "cannot install the pinned requirements of $(LOCK); installing the versions that pyproject.toml allows" >&2; $(PIP) install -e '.[test]'; }
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

include solvers/solvers.mk

bench: setup solvers ## build the solvers, run all of them on puzzles of all families, write tables and a report
	@$(VENV)/bin/bench-cnf $(SUITE) --fresh --report

browser: # without Chromium, the test of the HTML report is skipped with a message
	@sh solvers/system.sh browser page

# Install the example families of docs/how-to/adding-a-family.md as third-party packages, in a folder that only tests see (tests/conftest.py).
EXAMPLES := $(patsubst %/pyproject.toml,%,$(wildcard tests/*/pyproject.toml))
$(VENV)/examples: $(STAMP) $(wildcard $(EXAMPLES:=/pyproject.toml) $(EXAMPLES:=/*.py))
	@rm -rf $@
	@$(PIP) install --no-deps --target $@ $(addprefix ./,$(EXAMPLES))

test: lint solvers $(VENV)/examples ## run lint and all tests except the slow ones
	@$(PYTHON) -m pytest $(PARALLEL)

test-quick: setup solvers $(VENV)/examples ## run some tests of every package, in less than a minute (tests/quick.txt)
	@$(PYTHON) -m pytest $(PARALLEL) @tests/quick.txt

test-release: setup solvers browser $(VENV)/examples ## run the slow tests, for example before a release
	@$(PYTHON) -m pytest $(PARALLEL) -m release

fuzz: setup ## fuzz every reader with coverage guidance, for SECONDS each (SECONDS=60 TARGETS='dimacs map')
	@$(PIP) install -e '.[fuzz]'
	@PYTHONPATH=.:tests nice $(PYTHON) -m fuzz --seconds $(or $(SECONDS),60) $(TARGETS)

lint: setup ## check style, format, types, the budget, and the prose of documentation and docstrings
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/mypy --platform darwin --cache-dir .mypy_cache/darwin cnfgen_puzzles
	@$(PYTHON) scripts/measure/measure_size.py --budget
	@$(PYTHON) scripts/check/check_prose.py

format: setup ## format the code
	@$(VENV)/bin/ruff format .

reproduce: setup solvers ## recompute the published numbers and compare them with the claims (FULL=1 ONLY=KEY JOBS=N PUZZLES=FOLDER AGAIN=1)
	@$(PYTHON) scripts/check/reproduce.py $(if $(FULL),--full) $(if $(ONLY),--only '$(ONLY)') $(if $(JOBS),--jobs $(JOBS)) \
		$(if $(PUZZLES),--puzzles '$(PUZZLES)') $(if $(AGAIN),--again)

measure: setup solvers ## measure the size of the code, generation, start-up, and the runner
	@$(PYTHON) scripts/measure/measure_size.py
	@$(PYTHON) scripts/measure/measure_generation.py
	@$(PYTHON) scripts/measure/measure_runner.py

pack: setup solvers ## write the benchmark pack: 200 formulas with known results (FOLDER=results/pack)
	@$(PYTHON) scripts/make/make_pack.py $(or $(FOLDER),results/pack)

site: setup ## build the documentation in site/; a dead link is an error
	@NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build --strict --quiet
	@$(MAKE) --no-print-directory page
	@echo "site/index.html"

page: setup ## build the page that solves puzzles in a browser, in site/play/
	@sh solvers/system.sh page
	@$(PYTHON) scripts/make/make_page.py
	@echo "site/play/index.html; to open it: solve-puzzle sample:cat --open"

pictures: setup solvers ## draw the pictures of the README (the cactus plot shows the last `make bench`)
	@$(PYTHON) scripts/make/make_pictures.py

dist: setup ## build the wheel and the sdist in dist/
	@rm -rf dist
	@$(PYTHON) -m build --no-isolation --outdir dist . >/dev/null
	@ls dist

sbom: setup ## write dist/sbom.json (CycloneDX): packages and solvers with versions, checksums, and licenses
	@$(PYTHON) scripts/make/sbom.py -o dist/sbom.json

lock: setup ## update requirements-dev.txt to the newest versions that pyproject.toml allows, with hashes
	@$(PIP) install uv
	@$(VENV)/bin/uv pip compile --quiet --upgrade pyproject.toml --extra test --universal --python-version 3.11 \
		--generate-hashes --no-annotate --custom-compile-command 'make lock' --output-file $(LOCK)

address: # set the address of the repository in pyproject.toml, README.md, and CITATION.cff (URL=https://HOST/OWNER/NAME)
	@python3 scripts/make/package_metadata.py '$(URL)'

clean: ## remove results and caches
	rm -rf results .pytest_cache .ruff_cache .mypy_cache .hypothesis dist site
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean ## also remove the virtual environment, the solvers, and their sources
	rm -rf $(VENV) solvers/bin solvers/build solvers/sources
