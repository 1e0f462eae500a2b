# Tasks of fairsim. A fresh machine needs python3 (3.11 or newer) and make, nothing else:
#     make demo        make test
# Everything is installed into .venv beside this file. Another Python: make demo PYTHON=python3.12

PYTHON ?= python3
PY := .venv/bin/python
PIP := $(PY) -m pip --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test check lint types imports bench docs setup wheel clean oracle vectors fuzz-oracle FORCE

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' Makefile | awk -F'|' '{printf "%-16s %s\n", $$1, $$2}'

demo: .venv/.ready ## install fairsim, then print the shares of a sample file
	.venv/bin/fairsim shares sample-configs/busy.xml --cluster 800g,200c

test: .venv/.ready-test ## install fairsim and what its tests need, then run them; ARGS="-k word" passes options on
	@if $(PY) -m pytest -n auto $(ARGS); then echo "make test: passed"; else echo "make test: FAILED"; exit 1; fi

check: lint types imports test ## everything that must hold before a change goes in

lint: .venv/.ready-dev ## ruff
	$(PY) -m ruff check .

types: .venv/.ready-dev ## mypy, strict
	$(PY) -m mypy

imports: .venv/.ready-dev ## who may import whom
	$(PY) .venv/bin/lint-imports --no-logo

bench: .venv/.ready ## the benchmarks of tests/bench, with their ratios
	@for bench in tests/bench/*.py; do echo "$(PY) $$bench"; $(PY) "$$bench" $(ARGS) || exit 1; done

oracle: ## build what asks Hadoop's own classes; HADOOP=3.4.1 chooses the version
	@$(NEEDS_JAVA)
	tests/oracle/run $(or $(HADOOP),3.4.1) --build-only

vectors: .venv/.ready ## ask Hadoop for the vectors of tests/vectors anew; HADOOP="3.4.1 2.10.2" CASES=2000 MODE=load
	@$(NEEDS_JAVA)
	$(PY) -m tests.oracle.vectors $(HADOOP) --cases $(or $(CASES),2000) $(addprefix --mode ,$(MODE))

fuzz-oracle: .venv/.ready ## compare with Hadoop on random files; N=1000 SEED=1 MODE=shares HADOOP=3.4.1
	@$(NEEDS_JAVA)
	$(PY) -m tests.oracle.fuzz --hadoop $(or $(HADOOP),3.4.1) --mode $(or $(MODE),shares) \
	  --cases $(or $(N),1000) --seed $(or $(SEED),1) $(ARGS)

docs: .venv/.ready-test ## run the examples in README.md and docs/, and write their output into the pages
	$(PY) -m tests.docs.examples --write

setup: .venv/.ready-dev ## install fairsim and all tools, run nothing

wheel: .venv/.ready ## build dist/fairsim-*.whl
	$(PIP) wheel --no-deps --wheel-dir dist .

clean: ## remove .venv, builds and caches
	rm -rf .venv build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache fairsim.egg-info
	find fairsim tests sample-configs -name __pycache__ -prune -exec rm -rf {} +

define NEEDS_JAVA
for tool in java javac mvn; do \
  command -v $$tool >/dev/null 2>&1 || { printf '%s\n' "Asking Hadoop needs $$tool: a JDK 17 (java and javac) and Maven 3.8." \
    "On Debian and Ubuntu: apt-get install openjdk-17-jdk-headless maven" >&2; exit 1; }; \
done
endef

# --- installing -------------------------------------------------------------------------------------------------------
# .venv/.python holds the folder that .venv was made for: a tree that was moved or copied is installed anew.
ifneq ($(shell test "$$(cat .venv/.python 2>/dev/null)" = "$$(pwd -P)" && $(PY) -c "" 2>/dev/null && echo sound),sound)
.venv/.python: FORCE
endif

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))

.venv/.python:
	@say() { printf '%s\n' "$$@" >&2; }; \
	if $(PY) -c '$(NEW_ENOUGH)' 2>/dev/null && $(PY) -m pip --version >/dev/null 2>&1; then \
	  pwd -P >$@; exit 0; \
	fi; \
	others=''; \
	for other in python3.14 python3.13 python3.12 python3.11; do \
	  if "$$other" -c '$(NEW_ENOUGH)' >/dev/null 2>&1; then others="$$others $$other"; fi; \
	done; \
	if ! command -v "$(PYTHON)" >/dev/null 2>&1; then \
	  say "fairsim needs Python 3.11 or newer: there is no $(PYTHON) here." \
	      "On Debian and Ubuntu: apt-get install python3 python3-venv"; \
	elif ! "$(PYTHON)" -c 'pass' >/dev/null 2>&1; then \
	  say "fairsim needs Python 3.11 or newer: $(PYTHON) is here, but does not run:"; "$(PYTHON)" -c 'pass'; \
	elif ! "$(PYTHON)" -c '$(NEW_ENOUGH)'; then \
	  say "fairsim needs Python 3.11 or newer: $(PYTHON) is $$("$(PYTHON)" -V 2>&1)."; \
	elif ! "$(PYTHON)" -c 'import ensurepip, venv' >/dev/null 2>&1; then \
	  say "fairsim is installed into a virtual environment, and $(PYTHON) lacks venv or ensurepip." \
	      "On Debian and Ubuntu: apt-get install python3-venv"; \
	else \
	  echo "Creating the virtual environment .venv with $$("$(PYTHON)" -V)"; \
	  if "$(PYTHON)" -m venv --clear .venv; then pwd -P >$@; exit 0; fi; \
	  say "$(PYTHON) could not create .venv: see above."; \
	fi; \
	for other in $$others; do say "$$other would do: make $(or $(MAKECMDGOALS),demo) PYTHON=$$other"; done; \
	exit 1

# A stamp each for what a user, the tests and the checks need; the larger sets hold the smaller ones. All are made anew
# when pyproject.toml changes.
EXTRAS-test := [test]
EXTRAS-dev := [dev]
HELD-test := .venv/.ready
HELD-dev := .venv/.ready .venv/.ready-test

.venv/.ready .venv/.ready-test .venv/.ready-dev: .venv/.ready%: .venv/.python pyproject.toml
	@echo "Installing fairsim$(EXTRAS$*) into .venv (once; the first time takes a minute)"
	@$(PIP) install --editable '.$(EXTRAS$*)' || { printf '%s\n' \
	  "pip could not install what fairsim needs: see above. It needs a package index that it can reach." \
	  "Behind a proxy set HTTPS_PROXY, for a mirror set PIP_INDEX_URL, without a network PIP_FIND_LINKS and PIP_NO_INDEX=1." >&2; \
	  exit 1; }
	@touch $@ $(HELD$*)
