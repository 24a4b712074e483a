# Every task of the house, from a fresh Debian 12 on. `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help setup build python demo test bench bench-peers bench-sampling calibrate check fuzz format install docs-images clean

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
PRESET ?= release

help: ## list the tasks
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1|/' | column -t -s '|'

setup: ## install missing Debian and npm packages (quick when nothing is missing)
	@scripts/setup

build: setup ## build the program and nothing else: build/interpole
	@cmake --preset program >/dev/null
	@cmake --build --preset program --parallel $(JOBS)

python: ## build the Python package, build/python/interpole, and its wheel
	@scripts/setup test
	@cmake --preset python >/dev/null
	@cmake --build --preset python --parallel $(JOBS)
	@/usr/bin/python3 python/tools/wheel.py build

# Program and tests, or program and benchmarks, in the same folder: what is compiled already is not compiled again.
with-%:
	@scripts/setup test
	@cmake --preset $* >/dev/null
	@cmake --build --preset $* --parallel $(JOBS)

demo: build ## simulate, fit, evaluate and write build/demo/report.html
	@scripts/demo

test: with-$(PRESET) ## build and run every test
	@ctest --preset $(PRESET) --parallel $(JOBS)

bench: with-bench ## run our benchmarks and print ratios
	@scripts/bench

bench-peers: with-bench ## the same fit in Stan and in PyTorch, timed in one run (installs both)
	@bench/peers/run

bench-sampling: with-bench ## the same posterior in Stan, draws compared and timed in one run (installs it)
	@bench/peers/run-sampling

calibrate: with-bench ## how far to trust findings: calibration, coverage, flags, groups on simulated sets (about ten minutes of processor time)
	@build/calibrate
	@build/interval_coverage --sets 10 --policy auto
	@build/interval_coverage --sets 10 --policy belief
	@build/belated_flags --sets 10
	@build/calibrate_groups --sets 10
	@build/calibrate_measured --sets 40 --controls 0 --dynamics shared --patients 25 --longest 6 --draws 200 normal
	@build/calibrate_measured --sets 40 --controls 0 --draws 0 mixed

check: ## formatting, layer order, lint, sanitizers over all tests
	@scripts/setup check
	@scripts/check

fuzz: ## every fuzz target for FUZZ_SECONDS (60) under sanitizers
	@scripts/setup check
	@scripts/fuzz

format: ## rewrite sources in the house format
	@scripts/setup test
	@scripts/sources | xargs clang-format -i

install: build ## install program, library, headers, CMake package, manual pages, completion and (after make python) Python package under PREFIX
	@if [ -d build/python/interpole ]; then cmake --preset python >/dev/null && cmake --build --preset python --parallel $(JOBS); fi
	@cmake --install build --prefix $(PREFIX)

docs-images: ## make the pictures of the documentation (after make demo; needs chromium)
	@scripts/docs-images

clean: ## remove everything that was built
	@rm -rf build
