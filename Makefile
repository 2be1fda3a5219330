# Two commands on a fresh machine with Python 3.11+ and make:
#   make run     sets up and opens the demo
#   make test    sets up and passes all checks

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: run bisect-table soak fuzz demo test quick quick-unit test-peers check lint types imports unit format bench sessions pages pictures sheets clean help

help:           ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

# A new pip at once, where the interpreter has one that can: ensurepip's takes 3 s and
# knows no dependency groups.
QUIET := --quiet --disable-pip-version-check
PIP_THERE := $(BIN)/python -c 'import pip, sys; sys.exit(tuple(map(int, pip.__version__.split(".")[:2])) < (25, 1))' 2>/dev/null

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "sigscope needs Python 3.11 or newer; found $$($(PYTHON) --version)." \
	       "Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv --without-pip $(VENV)
	@echo "Setting up $(VENV) ..."
	@$(PIP_THERE) || $(PYTHON) -m pip --python $(BIN)/python install $(QUIET) 'pip>=25.1' 2>/dev/null || $(BIN)/python -m ensurepip >/dev/null
	@$(PIP_THERE) || $(BIN)/python -m pip install $(QUIET) --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install $(QUIET) --no-compile --editable '.[all]' --group dev
	@$(BIN)/python -m compileall -qq -j 0 app $(VENV)/lib || true # pip has one core do it
	@touch $@

run: $(STAMP)   ## open the demo (without a terminal: walk through it headless)
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/sigscope; \
	else echo "No terminal here: running the headless demo instead of the screens." >&2; \
	     $(BIN)/sigscope demo; fi

demo: $(STAMP)  ## walk the Copilot story headless
	@$(BIN)/sigscope demo

# At once: what checks the text fills the pauses of what runs.
test: $(STAMP)  ## all checks
	@$(MAKE) --no-print-directory -j 4 lint types imports unit

lint: $(STAMP)
	@$(BIN)/ruff format --check --quiet . || { echo "Run: make format"; exit 1; }
	@$(BIN)/ruff check --quiet .

types: $(STAMP)
	@$(BIN)/mypy

imports: $(STAMP)
	@PYTHONPATH=app $(BIN)/lint-imports >$(VENV)/imports.log 2>&1 || { cat $(VENV)/imports.log; exit 1; }

# Tests of programs wait as much as they work: a worker more than there are cores, but
# where there are no programs. One that is done takes over what another has not begun.
CORES := $(shell $(PYTHON) -c 'import os; print(os.cpu_count() or 1)')
SPREAD = -n $(WORKERS) --dist worksteal

# What tests are compiled to is kept, whatever the environment says: a worker that
# compiles all test files takes half a minute for it, and there are some.
unexport PYTHONDONTWRITEBYTECODE

unit: WORKERS := $(shell expr $(CORES) + 1)
unit: $(STAMP)
	@$(BIN)/pytest $(SPREAD)

quick: $(STAMP) ## what can be told in a minute: no screens, no processes, few examples
	@$(MAKE) --no-print-directory -j 4 lint types imports quick-unit

quick-unit: WORKERS := $(CORES)
quick-unit: $(STAMP)
	@SIGSCOPE_PROPERTIES=quick $(BIN)/pytest tests/unit -m 'not peers and not slow' $(SPREAD)

# Each peer has an environment of its own: some of them cannot share ours. One that
# cannot be installed here is left out, and its tests say so.
PEERS := $(basename $(notdir $(wildcard tests/peers/requirements/*)))
BOUNDED := $(PYTHON) tests/peers/bounded.py 300
PEER_STAMPS := $(PEERS:%=.venv-peers/%/.installed)

test-peers: $(STAMP) $(PEER_STAMPS) ## tests with real SDKs, agents, LiteLLM, mitmproxy, VCR.py
	@$(BIN)/pytest tests/peers -m peers -rs --durations=5

.venv-peers/%/.installed: tests/peers/requirements/%.txt
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@echo "Setting up $(@D) ..."
	@if $(BOUNDED) $(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<; then touch $@; \
	else echo "$* cannot be installed here; its tests are skipped" >&2; rm -rf $(@D); fi

.venv-peers/%/.installed: tests/peers/requirements/%.json
	@mkdir -p $(@D) && cp $< $(@D)/package.json
	@echo "Setting up $(@D) ..."
	@if $(BOUNDED) npm install --prefix $(@D) --silent --no-fund --no-audit; then touch $@; \
	else echo "$* cannot be installed here; its tests are skipped" >&2; rm -rf $(@D); fi

format: $(STAMP) ## rewrite the code in the house style
	@$(BIN)/ruff format --quiet . && $(BIN)/ruff check --quiet --fix .

bench: $(STAMP) .venv-bench/.installed .venv-peers/mitmproxy/.installed ## measure against references, in one run
	@$(BIN)/python bench/run.py --json docs/bench.json

.venv-bench/.installed: # another Textual application, to compare start-up with
	@$(PYTHON) -m venv .venv-bench
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check posting
	@touch $@

bisect-table: $(STAMP) .venv-bench/picire ## what a bisect costs beside plain delta debugging: docs/bisect.md
	@PYTHONPATH=app:.venv-bench/picire $(BIN)/python bench/bisect_cost.py

.venv-bench/picire: # another delta debugger, to compare with
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --target $@ picire==21.8

soak: $(STAMP)  ## record 20 clients, kill the recorder 36 times: docs/kills.md has the counts
	@PYTHONPATH=app:. $(BIN)/python -m tests.soak --report docs/kills.md

fuzz: $(STAMP) .venv-fuzz/.installed ## a million broken inputs, steered by coverage where atheris installs: docs/fuzz.md has the counts
	@PYTHONPATH=app:.:.venv-fuzz nice $(BIN)/python -m tests.fuzz.campaign --keep .fuzz --report docs/fuzz.md

.venv-fuzz/.installed: # beside our dependencies, not among them
	@mkdir -p $(@D)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --target $(@D) atheris \
	  || echo "atheris cannot be installed here: outcomes steer alone" >&2
	@touch $@

sessions: $(STAMP) ## remake the bundled sessions
	@$(BIN)/python -m sigscope.engine.sessions.bundle sessions

pages: $(STAMP) ## remake docs/rules and docs/policies.md
	@$(BIN)/python -m sigscope.engine.export.manual docs

pictures: $(STAMP) ## remake the pictures of the README
	@PYTHONPATH=app $(BIN)/python -m tests.tui.pictures docs

LOOKS ?= /tmp/sigscope-looks
sheets: $(STAMP) ## draw every state in all sizes and looks, into LOOKS=FOLDER, for looking at
	@PYTHONPATH=app nice -n 10 $(BIN)/python -m tests.tui.sheets $(LOOKS)

clean:          ## remove what make made
	rm -rf $(VENV) .venv-bench .venv-fuzz .fuzz .venv-peers .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
