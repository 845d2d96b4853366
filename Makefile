# Needs python3 (3.11 or newer) and make; everything else is installed into .venv from requirements.lock.
PYTHON ?= python3
BIN := .venv/bin
export PIP_NO_CACHE_DIR := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: all setup validate test check fmt lint types generate golden lock bench clean

all: validate
	$(BIN)/tools history sd-medusa-batch32-degradation

setup: .venv/.ready .cache/editor/written-for

.venv/.ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit(f"Python 3.11 or newer is needed; this is {v[0]}.{v[1]}. Name another with: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

# Schemas with the ids of the ledger, for editors; `tools new` and `tools validate` keep them up to date.
.cache/editor/written-for: | .venv/.ready
	$(BIN)/tools generate --editor

validate: setup
	$(BIN)/tools validate

test: setup .cache/oldest-client/.ready .cache/interop/.ready
	$(BIN)/pytest -n 2 -q

# Programs that read what we write, apart from our own: the oldest DuckDB that has to open a warehouse, and those of the
# formats of an export. (With pandas beside it, which these bring, DuckDB takes a second longer for its first question.)
.cache/%/.ready: requirements-%.lock | .venv/.ready
	rm -rf $(@D)
	$(BIN)/pip install --quiet --no-deps --require-hashes --target $(@D) -r $<
	@touch $@

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: setup
	$(BIN)/mypy

fmt: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/tools fmt

generate: setup
	$(BIN)/tools generate

golden: setup
	$(BIN)/pytest -q --update-golden

# Everything CI asks, in its order.
check: lint types test
	$(BIN)/tools fmt --check
	$(BIN)/tools validate --strict --no-cache
	$(BIN)/tools generate --check
	$(BIN)/tools sweep run study --check
	$(BIN)/tools sweep run roofline --check
	$(BIN)/tools validate --strict --no-cache generated/sweeps/study/records generated/sweeps/roofline/records
	$(BIN)/tools sweep calibrate --check
	$(BIN)/tools sweep twin --check

bench: setup
	$(BIN)/pip install --quiet --require-hashes -r requirements-bench.lock
	$(BIN)/python -m benchmarks.validate
	$(BIN)/python -m benchmarks.sweep
	$(BIN)/python -m benchmarks.accuracy
	$(BIN)/python -m benchmarks.warehouse

LOCK := $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-header --quiet --upgrade
lock: setup
	$(LOCK) --extra dev -o requirements.lock
	$(LOCK) --extra dev --extra bench -o requirements-bench.lock
	$(LOCK) --extra interop -o requirements-interop.lock
	echo duckdb==1.1.0 | $(subst pyproject.toml,-,$(LOCK)) -o requirements-oldest-client.lock

clean:
	rm -rf .venv .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
