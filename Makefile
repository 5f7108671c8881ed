# Everything here works without root and makes its environment in .venv/.
# It needs Python 3.11 or newer, make, and a package registry that pip can reach.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.DEFAULT_GOAL := help
.PHONY: help demo demo-desktop test test-newest geometry lint lock docs security soak bench grounding scenarios corpus engine test-engine wine uia release clean

help:
	@echo "make demo   run the main job on a virtual phone and write the report"
	@echo "make demo-desktop  a task on a private desktop (needs xvfb, openbox, dbus, at-spi2-core, mousepad)"
	@echo "make test   lint, types, layers and tests"
	@echo "make lint   the first three of these only"
	@echo "make test-newest  the tests, without lint, with the newest releases that pyproject.toml allows, in .venv-newest/"
	@echo "make lock   write requirements/ anew after a change of pyproject.toml (UPGRADE=1: with the newest releases)"
	@echo "make test-engine  the tests against a real model server, which it installs (130 MB)"
	@echo "make wine   a Windows Python, for the tests that run under Wine (780 MB; needs wine64)"
	@echo "make uia    the tests that read elements over UI Automation, on a newer Wine, which it unpacks (1.7 GB; needs mmdebstrap, and root or user name spaces)"
	@echo "make security  the tests of docs/security.md, with their longer lists of hostile input"
	@echo "make soak   the long tests"
	@echo "make bench  measure, as docs/performance.md quotes it"
	@echo "make grounding  how often the offline chain finds what people name, on every set of screens in DATA=DIR and out/"
	@echo "make scenarios  68 tasks on virtual phones under fourteen disturbances, judged by the phone's own state (hours)"
	@echo "make corpus ask the corpus of docs/accuracy.md and count wrong answers (needs npm and Chromium)"
	@echo "make docs   build the documentation site in out/site"
	@echo "make release  wheels, sdists and checksums in dist/, and installs them with each of PYTHONS=\"python3.11 python3.14\""
	@echo "make clean  remove .venv and everything generated"

%/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Handeye needs Python 3.11 or newer; this is %s. Try: make PYTHON=python3.12 ..." % sys.version.split()[0])'
	@$(PYTHON) -m venv $(@D) || { rm -rf $(@D); echo "Python's venv module is missing; on Debian: apt-get install python3-venv" >&2; exit 1; }

# What is installed is locked by version and hash in requirements/, and so is what builds the package itself. The files
# are complete: pip resolves nothing, since it would take a newer release for `coverage[toml]` than for `coverage`.
LOCKED := $(PIP) install --no-deps --require-hashes
HANDEYE := $(PIP) install --no-deps --no-build-isolation -e . -e packages/handeye-phone

.venv/.demo: .venv/pyvenv.cfg requirements/demo.txt pyproject.toml
	@echo "installing Handeye into .venv (about 450 MB, once) ..."
	@$(LOCKED) -r requirements/demo.txt
	@$(HANDEYE)
	@touch $@

.venv/.dev: .venv/pyvenv.cfg requirements/test.txt pyproject.toml
	@echo "installing Handeye and its test tools into .venv (about 1 GB, once) ..."
	@$(LOCKED) -r requirements/test.txt
	@$(HANDEYE)
	@touch $@ .venv/.demo .venv/.desktop

demo: .venv/.demo
	@$(BIN)/handeye demo

.venv/.desktop: .venv/.demo requirements/demo-desktop.txt
	@echo "installing the desktop parts, and Qt for an application to try them on (200 MB, once) ..."
	@$(LOCKED) -r requirements/demo-desktop.txt
	@touch $@

demo-desktop: .venv/.desktop
	@$(BIN)/python examples/desktop_demo.py

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# Where PYTHONDONTWRITEBYTECODE is set, as in many containers, each worker would compile all tests anew (14 s of CPU time), and
# each `python -m handeye` all of Handeye (0.7 s). Two jobs: mypy keeps one core busy for as long as the other one takes.
test test-newest: export PYTHONDONTWRITEBYTECODE =
test: .venv/.dev
	@$(MAKE) --no-print-directory --output-sync=target -j 2 lint geometry
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "not soak and not uia and not wide" --ignore tests/geometry

# Whether the newest releases break a test (without lint). Names first what differs from the lock.
test-newest:
	@rm -rf .venv-newest
	@$(MAKE) --no-print-directory .venv-newest/pyvenv.cfg
	@echo "installing the newest releases into .venv-newest (about 400 MB) ..."
	@.venv-newest/bin/python -m pip --disable-pip-version-check -q install -e '.[dev]' -e packages/handeye-phone
	@sed -n 's/^\([^ #]*==[^ ]*\).*/\1/p' requirements/test.txt > .venv-newest/locked
	@echo "not as in requirements/test.txt:"
	@.venv-newest/bin/python -m pip freeze --exclude-editable | tr _ - | grep -vixFf .venv-newest/locked || echo nothing
	.venv-newest/bin/python -m pytest -n 3 --dist worksteal -m "not soak and not uia and not wide"

# One resolution for Python 3.11 to 3.14 and every system; the smaller files take their versions from the first.
COMPILE = $(BIN)/uv pip compile -q $(if $(UPGRADE),--upgrade) --universal --fork-strategy fewest --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command "make lock"
lock: .venv/.lock
	@$(COMPILE) pyproject.toml --extra dev --group build -o requirements/test.txt
	@$(COMPILE) pyproject.toml --group build -c requirements/test.txt -o requirements/demo.txt
	@$(COMPILE) pyproject.toml --extra linux --group desktop-application -c requirements/test.txt -o requirements/demo-desktop.txt
	@$(COMPILE) --group docs -c requirements/test.txt -o requirements/docs.txt
	@for name in engine wine windows-metadata lock; do $(COMPILE) --no-deps --group $$name -o requirements/$$name.txt || exit 1; done

.venv/.lock: .venv/pyvenv.cfg requirements/lock.txt
	@$(LOCKED) -r requirements/lock.txt
	@touch $@

# Broken links and anchors, and pages that docs/index.md does not list, are errors.
docs: .venv/.docs
	$(BIN)/sphinx-build -q -E -W --keep-going -d out/doctrees docs out/site

.venv/.docs: .venv/pyvenv.cfg requirements/docs.txt
	@$(LOCKED) -r requirements/docs.txt
	@touch $@

# Whole, to the last branch; and then all tests are imported once, so that the workers find them compiled.
geometry: .venv/.dev
	$(BIN)/python -m pytest tests/geometry --cov=handeye.geometry --cov-branch --cov-report= --cov-fail-under=100
	@$(BIN)/python -m pytest --collect-only >/dev/null || true # what cannot be imported is told by the run itself

# Wheels, sdists and checksums of both distributions in dist/; each Python of PYTHONS then installs the wheels into an empty
# environment and runs the demo with them.
PYTHONS ?= $(PYTHON)
release: .venv/.dev .venv/.lock
	rm -rf dist build/release
	$(BIN)/uv build -q --no-build-isolation --python $(BIN)/python --out-dir dist .
	$(BIN)/uv build -q --no-build-isolation --python $(BIN)/python --out-dir dist packages/handeye-phone
	cd dist && sha256sum *.whl *.tar.gz > SHA256SUMS && sha256sum -c --quiet SHA256SUMS
	@for python in $(PYTHONS); do \
		echo "== $$python"; \
		$$python -m venv build/release/$$python \
		&& build/release/$$python/bin/python -m pip --disable-pip-version-check -q install dist/*.whl \
		&& (cd build/release/$$python && bin/handeye version && bin/handeye demo --out demo >/dev/null && echo "demo done") || exit 1; \
	done
	@cat dist/SHA256SUMS

engine: .venv/.engine

.venv/.engine: .venv/.dev requirements/engine.txt
	@echo "installing a model server and a small model into .venv (130 MB, once) ..."
	@$(LOCKED) -r requirements/engine.txt
	@touch $@

test-engine: engine
	HANDEYE_NO_SKIP=1 $(BIN)/python -m pytest -m engine tests/models

wine: .venv/.wine

.venv/.wine: .venv/.dev requirements/wine.txt requirements/windows-metadata.txt tests/wine/windows_python.py tests/wine/start_program.py
	@echo "making a Windows Python for Wine in .venv/wine (780 MB, once) ..."
	@$(BIN)/python tests/wine/windows_python.py .venv/wine
	@$(PIP) download --no-deps --require-hashes -d .venv/wine -r requirements/windows-metadata.txt
	@touch $@

uia: .venv/.uia
	HANDEYE_NO_SKIP=1 $(BIN)/python -m pytest -m uia tests/wine

.venv/.uia: .venv/.wine tests/wine/newer_wine.py
	@echo "unpacking a newer Wine into .venv/wine (1.7 GB, once) ..."
	@$(BIN)/python tests/wine/newer_wine.py .venv/wine
	@touch $@

security: .venv/.dev
	$(BIN)/python -m pytest -n 3 --dist worksteal tests/security

soak: .venv/.dev
	$(BIN)/python -m pytest -n 3 --dist worksteal -m soak

bench: .venv/.dev
	@for file in benchmarks/bench_*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

DATA ?= ../shared/data
grounding: .venv/.dev
	$(BIN)/python benchmarks/grounding/run.py --data $(DATA) $(ARGS)

scenarios: .venv/.dev
	$(BIN)/python benchmarks/scenarios/run.py --out out/scenarios $(ARGS)

corpus: .venv/.dev
	@$(PIP) install -r benchmarks/corpus/requirements.txt
	@$(BIN)/python benchmarks/corpus/run.py --acceptance

clean:
	rm -rf .venv .venv-newest .mypy_cache .ruff_cache .pytest_cache .hypothesis runs out build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
