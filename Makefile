# `make lab` opens the first lesson in JupyterLab; `make test` runs every check there is.
# Both need Python 3.11, Node 20 and make, set up the rest themselves, and do it once.

PYTHON ?= python3
LAB_FLAGS ?= $(if $(filter 0,$(shell id -u)),--allow-root)
PYTEST_FLAGS ?=
# Every process starts a server and a browser of its own, so more than four of them help nobody.
PARALLEL := --numprocesses=auto --maxprocesses=4 --dist=loadfile --no-loadscope-reorder

LESSON := examples/01-your-first-gradient.ipynb
BIN := .venv/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check
BUNDLE := src/glassgrad/static/index.js
FRONT_END := $(shell find js -type f ! -name '*.test.ts') package.json scripts/build.mjs

EXTRAS_lab := static,lab
EXTRAS_test := static,lab,fast,dev
EXTRAS_bench := bench

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help lab test lint format wheel bench fuzz clean chromium

help:
	@echo "make lab      open JupyterLab on the first lesson"
	@echo "make test     run every check: lint, types, unit tests, browser tests, lessons"
	@echo "make lint     ruff, mypy, Biome and tsc only"
	@echo "make format   let ruff and Biome rewrite what they can"
	@echo "make wheel    build the wheel and the sdist into dist/"
	@echo "make bench    measure the engine beside its peers"
	@echo "make fuzz     compare 100,000 random programs with PyTorch (PROGRAMS=1000 for fewer)"
	@echo "make clean    remove everything that make has made"

lab: .venv/lab.stamp $(BUNDLE)
	$(BIN)/jupyter lab $(LAB_FLAGS) $(LESSON)

test: chromium lint
	npm test --silent
	$(BIN)/python -m pytest -q $(PARALLEL) $(PYTEST_FLAGS)

lint: .venv/test.stamp node_modules/.package-lock.json
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	npm run --silent lint
	npm run --silent typecheck

format: .venv/test.stamp node_modules/.package-lock.json
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	npm run --silent format

wheel: .venv/test.stamp $(BUNDLE)
	$(BIN)/python -m build --no-isolation --outdir dist

bench: .venv/bench.stamp
	$(BIN)/python benchmarks/run.py

fuzz: .venv/test.stamp
	$(BIN)/python tests/engine/fuzz.py $(PROGRAMS)

chromium:
	@scripts/chromium

clean:
	rm -rf .venv node_modules dist src/glassgrad/static tests/browser/screenshots
	rm -rf .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find src tests benchmarks examples -name __pycache__ -o -name .ipynb_checkpoints | xargs rm -rf

# ── what is set up once ──────────────────────────────────────────────────────────────────────

.venv/pyvenv.cfg:
	@command -v $(PYTHON) >/dev/null && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "glassgrad needs Python 3.11 or newer, and $(PYTHON) is not: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv

# One installation per purpose: `lab` for learners, `test` with the tools of the developers.
.venv/%.stamp: pyproject.toml hatch_build.py Makefile .venv/pyvenv.cfg | $(BUNDLE)
	$(PIP) install --editable '.[$(EXTRAS_$*)]'
	@touch $@

node_modules/.package-lock.json: package-lock.json
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null \
	  || { echo "glassgrad's front end needs Node 20 or newer with npm on the PATH."; exit 1; }
	npm ci --loglevel=error --ignore-scripts
	@touch $@

$(BUNDLE): $(FRONT_END) node_modules/.package-lock.json
	npm run --silent build
	@touch $@
