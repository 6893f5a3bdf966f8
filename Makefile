# make run    install what the app needs into .venv and start it in the browser
# make test   install what the tests need as well and run them all
# make lint   ruff (rules and format) over everything, mypy over the core
# make bench  print timings of the app and of retrieval
#
# PYTHON=python3.12 make run   another interpreter (3.11 or newer)
# make run PORT=8600           another port

PYTHON ?= python3
VENV ?= .venv
PORT ?= 8501
BIN := $(VENV)/bin
# Without a screen there is no browser to open; the address is printed either way.
HEADLESS := $(if $(or $(DISPLAY),$(WAYLAND_DISPLAY),$(filter Darwin,$(shell uname))),false,true)
PINS := pyproject.toml constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run test lint bench clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

run: $(VENV)/.installed-app
	$(BIN)/python -m streamlit run app.py --server.address 127.0.0.1 --server.port $(PORT) --server.headless $(HEADLESS)

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.installed-dev
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

bench: $(VENV)/.installed-dev
	$(BIN)/python tests/bench/bench_app.py
	$(BIN)/python tests/bench/bench_retrieval.py

# A stamp is newer than the pins it was made from, so a second run installs nothing. A venv that was cut short has no pip: make it anew.
$(VENV)/.installed-app: $(PINS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed. Say which: PYTHON=/path/to/python3 make run")'
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV)
	@echo "Installing what the app needs into $(VENV): a few minutes the first time."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[app]'
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed-app
	@echo "Installing what the tests need into $(VENV)."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[app,dev]'
	touch $@

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
