PYTHON ?= python3
PORT ?= 8501
# More for pytest, such as ARGS='-k fold -x --no-cov'.
ARGS ?=

PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help run test lint format bench lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .venv/run.stamp ## start the app (PORT=8501)
	$(PY) -m streamlit run app.py --server.port $(PORT)

test: .venv/dev.stamp ## run all tests in a real browser too, with coverage
	$(PY) scripts/ensure_browser.py
	$(PY) scripts/ensure_postgres.py
	$(PY) -m pytest --cov=evalcore $(ARGS)

lint: .venv/dev.stamp ## check style, types and import direction
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	.venv/bin/lint-imports

format: .venv/dev.stamp ## rewrite the sources in the project's style
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

bench: .venv/dev.stamp ## measure speed and memory, in a browser too
	$(PY) scripts/ensure_browser.py
	$(PY) scripts/ensure_postgres.py
	$(PY) benchmarks/run.py

lock: .venv/dev.stamp ## compile the pinned requirements anew from pyproject.toml
	$(PIP) install --quiet uv
	$(LOCK) --output-file requirements.txt
	$(LOCK) --constraint requirements.txt --extra test --extra lint --output-file requirements-dev.txt

clean: ## remove .venv and everything else that was made here
	rm -rf .venv .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache \
	  .ruff_cache test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

LOCK := $(PY) -m uv pip compile pyproject.toml --universal --python-version 3.11 \
  --upgrade --quiet --custom-compile-command 'make lock'

# The stamps let a second start do without the network.
.venv/pip.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed; '$(PYTHON)' is: $$($(PYTHON) --version 2>&1)." >&2; \
	  echo "Name another: make PYTHON=python3.12 run" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/run.stamp: .venv/pip.stamp requirements.txt pyproject.toml
	$(PIP) install --quiet --requirement requirements.txt
	$(PIP) install --quiet --no-deps --editable .
	@$(PY) -m compileall -q app.py evalcore pages # for environments that keep Python from caching
	@touch $@

.venv/dev.stamp: .venv/run.stamp requirements-dev.txt
	$(PIP) install --quiet --requirement requirements-dev.txt
	@touch $@
