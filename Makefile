# The development loop. Works on a fresh Debian or macOS with Python 3.11, git and make.
#   make              everything that must be green: format, lint, types, docs, tests
#   make test T=tests/core      a part of the tests

VENV ?= .venv
PYTHON ?= $(shell for each in python3.11 python3 python3.12 python3.13; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; \
	done)
T ?= tests
N ?= 2
BIN = $(VENV)/bin
READY = $(VENV)/.ready

.PHONY: check lint types test coverage clients docs docs-check fmt laws accept fuzz broken mutants wheel clean \
	torture torture-scenes torture-team torture-races torture-versions torture-memory \
	bench bench-commands bench-hooks bench-durable bench-package bench-team bench-history bench-resume \
	bench-web

check: lint types docs-check test

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "leftoff needs Python 3.11 or newer (or PYTHON=/path/to/it)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { \
		echo "Debian and Ubuntu keep venv apart: apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

test: $(READY)
	PYTHONWARNDEFAULTENCODING=1 $(BIN)/python -m pytest -n $(N) --dist loadgroup $(T)

# The same tests once more, measured: which statements and branches they reach, in the processes of the
# tests themselves. It fails below the limits of bench/covered.py; RELIABILITY= only prints. A test that
# fails is no reason to tell nothing.
coverage: $(READY)
	$(BIN)/coverage erase
	PYTHONWARNDEFAULTENCODING=1 $(BIN)/coverage run -m pytest -n $(N) --dist loadgroup $(T); failed=$$?; \
	$(BIN)/python bench/covered.py --tests "$(T)" $(INTO) && exit $$failed

# The six clients that the tests run for real, from npm, outside the clone (LEFTOFF_CLIENTS says
# where). Without them those tests are skipped.
clients: $(READY)
	$(BIN)/python tests/clients/install.py

fmt: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The laws with fresh random examples, many more of them.
laws: $(READY)
	LEFTOFF_LAWS=long $(BIN)/python -m pytest -n $(N) tests/laws tests/world/test_server_sessions_law.py

# Take the outputs that differed from the gold files as the new gold files; read the diff after.
accept:
	@test -d tests/gold/actual || { echo "nothing to accept: no test left an output behind"; exit 1; }
	cp -R tests/gold/actual/. tests/gold/
	rm -r tests/gold/actual
	git diff --stat -- tests/gold

docs: $(READY)
	$(BIN)/python docs/_generate.py
	$(BIN)/python docs/_pictures.py
	$(BIN)/python docs/_architecture.py
	$(BIN)/python plugins/_generate.py

docs-check: $(READY)
	$(BIN)/python docs/_generate.py --check
	$(BIN)/python docs/_pictures.py --check
	$(BIN)/python docs/_architecture.py --check
	$(BIN)/python plugins/_generate.py --check

# Everything that docs/benchmarks.md tells, written there; PAGE= only prints. It takes long and wants
# a quiet machine. More rounds: make bench BENCH="--rounds 50"; a part: make bench-hooks
PAGE ?= docs/benchmarks.md
TEAM ?= --sessions 100000 --texts 2000
TO = $(if $(PAGE),--markdown $(PAGE))
bench: bench-commands bench-hooks bench-durable bench-package bench-team bench-history bench-resume bench-web

bench-commands: $(READY)
	$(BIN)/python bench/run.py $(TO) $(BENCH)

bench-hooks: $(READY)
	$(BIN)/python bench/hooks.py --peers $(TO) $(HOOKS)

bench-durable: $(READY)
	$(BIN)/python bench/durable.py $(TO) $(DURABLE)

bench-package: $(READY)
	$(BIN)/python bench/package.py $(TO) $(PACKAGE)

bench-team: $(READY)
	$(BIN)/python bench/scale.py $(TO) $(TEAM)

bench-history: $(READY)
	$(BIN)/python bench/history.py $(TO) $(HISTORY)

bench-resume: $(READY)
	$(BIN)/python bench/resume.py $(TO) $(RESUME)

bench-web: $(READY)
	$(BIN)/python bench/web.py $(TO) $(WEB)

# The readers, guided by coverage, a minute each; the interpreter of FUZZ has atheris (CONTRIBUTING).
# All of them go into docs/reliability.md; some of them (ONLY="format.md json") are only printed. A run
# that was stopped goes on with NOTES="--results FILE".
FUZZ ?= /tmp/leftoff-fuzz/bin/python
fuzz:
	@$(FUZZ) -c 'import atheris' 2>/dev/null || { \
		echo "no atheris in $(FUZZ); CONTRIBUTING says how to install it"; exit 1; }
	$(FUZZ) fuzz/readers.py $(ONLY) --seconds $(or $(SECONDS),60) $(if $(ONLY),,$(INTO)) $(NOTES)

# Every system call that writes, killed and refused; team push, races, large inputs. All of it takes
# some two hours and needs strace and PostgreSQL. A part of it, only printed:
# make torture-scenes RELIABILITY= TORTURE="--scene update --hooks 0"
RELIABILITY ?= docs/reliability.md
INTO = $(if $(RELIABILITY),--markdown $(RELIABILITY))
torture: torture-scenes torture-team torture-races torture-versions torture-memory

torture-scenes: $(READY)
	$(BIN)/python torture/run.py --jobs $(N) $(INTO) $(TORTURE)

torture-team: $(READY)
	$(BIN)/python torture/team.py $(INTO) $(TORTURE)

torture-races: $(READY)
	$(BIN)/python torture/races.py $(INTO) $(RACES)

torture-versions: $(READY)
	$(BIN)/python torture/versions.py $(INTO) $(VERSIONS)

torture-memory: $(READY)
	$(BIN)/python torture/memory.py $(INTO) $(MEMORY)

# Each requirement of a sample broken on purpose: the tests that carry its id must fail.
broken: $(READY)
	$(BIN)/python tests/requirements/broken.py $(if $(ONLY),,$(INTO)) $(ONLY)

# Core and the hook made wrong in one place at a time: does a test fail? What is known stays in
# .mutants. A part of it: make mutants ONLY=core/merge
mutants: $(READY)
	$(BIN)/python mutants/run.py --markdown docs/reliability.md --only $(ONLY) --jobs $(N)

# Build wheel and sdist, install each into an empty environment by README's own commands, and use it.
wheel: $(READY)
	$(BIN)/python tests/smoke.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage* .mutants
