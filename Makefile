# Everything a checkout needs, on Debian with a Swift toolchain. `make help` lists the targets.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=

# Debian packages: what the build links, and what validates the scenarios from outside.
PACKAGES := git libc6-dev libsqlite3-dev libssl-dev pkg-config zlib1g-dev
TEST_PACKAGES := prometheus python3 python3-venv
CHECK_JSONSCHEMA_VERSION := 0.39.0

# The programs that `make install` installs.
PROGRAMS := simctl
RELEASE := .build/release

.PHONY: help
help: ## Lists the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

.PHONY: deps
deps: ## Installs the Debian packages that are missing (nothing when all are there).
	@scripts/install-packages $(PACKAGES)

.PHONY: run
run: deps release ## Builds for release and runs the outage scenario.
	$(RELEASE)/simctl run scenarios/outage.json

.PHONY: release
release: ## Builds the programs for release.
	for program in $(PROGRAMS); do $(SWIFT) build -c release --product "$$program"; done

# The formatter comes first because it fails within seconds; everything after it shares one debug build.
.PHONY: test
test: deps test-deps format-lint ## Runs every check: format, build without warnings, tests, scenarios.
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --disable-xctest
	$(MAKE) check-scenarios

.PHONY: lint
lint: format-lint ## Checks the format and the house rules (TidyTests).
	$(SWIFT) test --disable-xctest --filter '^TidyTests\.'

.PHONY: format-lint
format-lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

.PHONY: format
format: ## Formats the sources in place.
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

.PHONY: check-alerts
check-alerts: test-deps release ## Proves the shipped alerts over simulated runs.
	promtool check rules deploy/prometheus/alerts.yml
	python3 scripts/check-alerts --simctl $(RELEASE)/simctl

.PHONY: docs
docs: ## Writes the documents that are made from tables in the code.
	WRITE_DOCS=1 $(SWIFT) test --disable-xctest --filter 'MetricsDocumentTests'

.PHONY: check-scenarios
check-scenarios: test-deps release ## Validates every scenario and every broken fixture, with simctl and with JSON Schema.
	python3 scripts/check-scenarios --simctl $(RELEASE)/simctl --check-jsonschema .venv/bin/check-jsonschema

.PHONY: test-deps
test-deps: .venv/check-jsonschema-$(CHECK_JSONSCHEMA_VERSION)

# A validator that shares no code with this package, in a virtual environment that `make clean` throws away. The stamp
# names the version, so that a new one replaces the old.
.venv/check-jsonschema-$(CHECK_JSONSCHEMA_VERSION):
	@scripts/install-packages $(TEST_PACKAGES)
	rm -rf .venv
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check 'check-jsonschema==$(CHECK_JSONSCHEMA_VERSION)'
	touch $@

.PHONY: bench
bench: release ## Measures the figures the workbench is built for.
	$(RELEASE)/simctl bench

.PHONY: install
install: release ## Installs the programs under PREFIX (default /usr/local); DESTDIR is put before it.
	install -d '$(DESTDIR)$(PREFIX)/bin'
	for program in $(PROGRAMS); do install -m 755 "$(RELEASE)/$$program" '$(DESTDIR)$(PREFIX)/bin/'; done

.PHONY: clean
clean: ## Removes everything that was built or fetched; reports stay.
	rm -rf .build .venv
