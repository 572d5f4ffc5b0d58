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
PACKAGES := git libc6-dev libcurl4-openssl-dev libmicrohttpd-dev libnghttp2-dev libsqlite3-dev libssl-dev \
	pkg-config tzdata zlib1g-dev
TEST_PACKAGES := curl jq openssl prometheus python3 python3-venv
# A real browser for the pages of reports; as Debian has it, newer by the week.
BROWSER_PACKAGES := chromium chromium-driver python3-selenium
CHECK_JSONSCHEMA_VERSION := 0.39.0
OPENAPI_SPEC_VALIDATOR_VERSION := 0.7.2

# What tests the REST API against its description.
SCHEMATHESIS_VERSION := 4.32.5

# Clients that were written for the real services.
PYTHON_GITLAB_VERSION := 8.6.0
AIOAPNS_VERSION := 4.0
HTTPX_VERSION := 0.28.1
H2_VERSION := 4.4.1

# The programs that `make install` installs.
PROGRAMS := simctl notifierd gitlab-notify
# One build for programs and tests: the simulations in tests are worth it, and a checkout is compiled once.
BUILD := $(SWIFT) build -c release -Xswiftc -enable-testing
TEST := $(SWIFT) test -c release -Xswiftc -enable-testing --skip-build --disable-xctest
# What simctl preloads into notifierd where it runs it faster than the clock; it lies beside simctl, or in ../lib.
CLOCK := FastClock
RELEASE := .build/release

.PHONY: help
help: ## Lists the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

.PHONY: deps
deps: ## Installs the Debian packages that are missing (nothing when all are there).
	@scripts/install-packages $(PACKAGES)

.PHONY: run
run: deps ## Builds the workbench for release and runs the outage scenario.
	$(BUILD) --product simctl
	$(RELEASE)/simctl run scenarios/outage.json

.PHONY: release
release: ## Builds the programs for release.
	for product in $(PROGRAMS) $(CLOCK); do $(BUILD) --product "$$product"; done

# Whole simulations, for minutes, and what keeps real time, which would starve beside them.
SIMULATING := ^(WorkbenchTests|HarnessTests|ScenariosTests)\.
REAL_TIME := ^(LiveTests\.|WorkbenchTests\.(Serve|ConnectionFaults|NGINXCompression|PostedEntries))

# The formatter comes first because it fails within seconds; everything after it shares one build.
.PHONY: test
test: deps test-deps format-lint ## Runs every check: format, build without warnings, tests, scenarios.
	$(BUILD) --build-tests
	$(TEST) --skip '$(SIMULATING)' --skip '$(REAL_TIME)'
	$(TEST) --filter '$(SIMULATING)' --skip '$(REAL_TIME)'
	$(TEST) --filter '$(REAL_TIME)'
	$(MAKE) $(BESIDE) check-mutations check-page-brief check-pipelines check-scenarios check-reports mutate-selftest check-openapi check-duties
	$(MAKE) fuzz-worlds-brief crash-sweep-brief

.PHONY: test-debug
test-debug: deps ## All tests in a debug build, where overlapping access ends a program (twenty minutes).
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --disable-xctest --skip '$(REAL_TIME)'
	$(SWIFT) test --skip-build --disable-xctest --filter '$(REAL_TIME)'

# Two checks at a time: few of them keep more than one processor busy.
BESIDE := --jobs=2 --output-sync=target

.PHONY: test-more
test-more: ## What CI runs besides: alerts, and the programs over real sockets, by clients and clocks of others.
	$(MAKE) check-alerts
	$(MAKE) $(BESIDE) check-live check-api check-hostile-brief test-clients

.PHONY: lint
lint: format-lint ## Checks the format and the house rules (TidyTests).
	$(SWIFT) test --disable-xctest --filter '^TidyTests\.'

.PHONY: format-lint
format-lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests scripts

.PHONY: format
format: ## Formats the sources in place.
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests scripts

.PHONY: check-duties
check-duties: ## Computes the published vectors of duties by a second implementation.
	python3 scripts/check-duties

.PHONY: check-alerts
check-alerts: test-deps release ## Proves the shipped alerts over simulated runs.
	promtool check rules deploy/prometheus/alerts.yml
	python3 scripts/check-alerts --simctl $(RELEASE)/simctl

.PHONY: check-mutations
check-mutations: ## Checks that the planted mistakes still fit the sources; scripts/detect-mutations plants them.
	for patch in Tests/Mutations/*.patch; do git apply --check "$$patch" || { echo "does not apply: $$patch"; exit 1; }; done

# Which of the mistakes that are made by rule `make mutate` tries: all of them, or such as --sample 300 --seed 1.
MUTATE ?=

.PHONY: mutate
mutate: deps ## Makes mistakes by rule in a copy and finds those that nothing sees (hours; resumable; MUTATE takes flags).
	python3 scripts/mutate $(MUTATE)

# What else `make coverage` runs, and from which share of the regions on it is content: such as --worlds 300 --at-least 90.
COVERAGE ?=

.PHONY: coverage
coverage: deps ## Tells which regions of the notifier the scenarios run, and which nothing does (COVERAGE takes flags).
	python3 scripts/coverage $(COVERAGE)

.PHONY: mutate-selftest
mutate-selftest: deps ## Tests the tool that makes them: over a toy, and its classes.
	python3 scripts/mutate --selftest
	python3 scripts/coverage --selftest

.PHONY: docs
docs: ## Writes the documents that are made from tables in the code.
	WRITE_DOCS=1 $(SWIFT) test --disable-xctest --filter '(Metrics|Settings)DocumentTests|NotifierTests.SchemaTests|DutyVectorsTests'
	$(MAKE) picture

.PHONY: picture
picture: deps ## Draws the picture of the README from a run of scenarios/outage.json.
	$(BUILD) --product simctl
	$(RELEASE)/simctl run scenarios/outage.json --quiet --out .build/outage
	$(RELEASE)/simctl report .build/outage --svg docs/outage.svg

.PHONY: check-scenarios
check-scenarios: test-deps release ## Validates every scenario and every broken fixture, with simctl and with JSON Schema.
	python3 scripts/check-scenarios --simctl $(RELEASE)/simctl --check-jsonschema .venv/bin/check-jsonschema

.PHONY: check-reports
check-reports: test-deps release ## Holds reports against their published schemas, and promtool against their metrics.
	python3 scripts/check-reports --simctl $(RELEASE)/simctl --check-jsonschema .venv/bin/check-jsonschema

.PHONY: check-page
check-page: deps release ## Opens pages of reports and comparisons in Chromium, and uses them as people do.
	@scripts/install-packages $(BROWSER_PACKAGES)
	/usr/bin/python3 scripts/check-page --simctl $(RELEASE)/simctl

.PHONY: check-page-brief
check-page-brief: deps release ## The same but for the largest page and for those that are broken on purpose, as CI does.
	@scripts/install-packages $(BROWSER_PACKAGES)
	/usr/bin/python3 scripts/check-page --brief --simctl $(RELEASE)/simctl

.PHONY: check-pipelines
check-pipelines: test-deps release ## Plays the pipelines of deploy/ci step by step, over verdicts of every kind.
	.venv/bin/check-jsonschema --builtin-schema vendor.gitlab-ci deploy/ci/gitlab-ci.yml
	.venv/bin/check-jsonschema --builtin-schema vendor.github-workflows deploy/ci/github-workflow.yml
	.venv/bin/check-jsonschema --builtin-schema custom.github-workflows-require-timeout deploy/ci/github-workflow.yml
	.venv/bin/python scripts/check-pipelines --simctl $(RELEASE)/simctl

# Shells that completion is for, and readers of manual pages.
MANUAL_PACKAGES := fish groff man-db mandoc zsh

.PHONY: check-manuals
check-manuals: deps release ## Lets bash, zsh and fish complete the programs, and man and mandoc read their pages.
	@scripts/install-packages $(MANUAL_PACKAGES)
	scripts/check-manuals $(PROGRAMS:%=$(RELEASE)/%)

.PHONY: check-openapi
check-openapi: test-deps release ## Validates the description of the REST API as OpenAPI 3.1.
	$(RELEASE)/simctl openapi > .build/openapi.json
	.venv/bin/openapi-spec-validator --schema 3.1 .build/openapi.json

# Clients in a virtual environment of their own, by the same rule as the validators below.
CLIENTS := .venv-clients/$(PYTHON_GITLAB_VERSION)-$(AIOAPNS_VERSION)-$(HTTPX_VERSION)-$(H2_VERSION)

.PHONY: test-clients
test-clients: test-deps $(CLIENTS) release ## Lets python-gitlab, aioapns, httpx and curl use the fakes, and gitlab-notify the notifier.
	.venv-clients/bin/python scripts/test-clients --simctl $(RELEASE)/simctl --notifierd $(RELEASE)/notifierd \
		--gitlab-notify $(RELEASE)/gitlab-notify

# Requests for each operation and phase; a thousand take an hour. API_SEED tries others.
API_EXAMPLES ?= 15
API_SEED ?= 14
API_TESTER := .venv-api/$(SCHEMATHESIS_VERSION)

.PHONY: check-api
check-api: test-deps $(API_TESTER) release ## Tests the REST API against its description; API_EXAMPLES and API_SEED go further.
	.venv-api/bin/python scripts/check-api --simctl $(RELEASE)/simctl --notifierd $(RELEASE)/notifierd \
		--schemathesis .venv-api/bin/st --examples '$(API_EXAMPLES)' --seed '$(API_SEED)'

$(API_TESTER):
	@scripts/install-packages $(TEST_PACKAGES)
	rm -rf .venv-api
	python3 -m venv .venv-api
	.venv-api/bin/pip install --quiet --disable-pip-version-check 'schemathesis==$(SCHEMATHESIS_VERSION)'
	touch $@

# Hours of a story, in minutes: restarts with SIGKILL, broken connections, a big review.
LIVE_CI := restart flaky-network review-burst
.PHONY: check-live
check-live: deps release ## Runs three scenarios against notifierd itself and compares with the simulated runs.
	scripts/check-live --simctl $(RELEASE)/simctl --speed 120 $(LIVE_CI:%=scenarios/%.json)

.PHONY: check-hostile
check-hostile: deps release ## Sets hostile surroundings on notifierd: GitLabs that mean harm, strangers, clocks, disks (ten minutes).
	python3 scripts/check-hostile --simctl $(RELEASE)/simctl --notifierd $(RELEASE)/notifierd

.PHONY: check-hostile-brief
check-hostile-brief: deps release ## The parts of it that take a minute together, as CI does.
	python3 scripts/check-hostile --simctl $(RELEASE)/simctl --notifierd $(RELEASE)/notifierd damage strangers

.PHONY: check-kills
check-kills: deps release ## Kills notifierd two hundred times under load (ten minutes): nothing may be lost or shown twice.
	$(RELEASE)/simctl run --live --speed 60 scenarios/live/killed.json

# What of the library goes to a report of a fault and back: an outage and a token that is lost, ten hours of the story each at most.
IMPORT_CI := outage token-expires

.PHONY: check-import
check-import: deps release ## Takes two scenarios through notifierd to a report of a fault and back (six minutes).
	scripts/check-import --simctl $(RELEASE)/simctl --speed 120 $(IMPORT_CI:%=scenarios/%.json)

.PHONY: check-live-library
check-live-library: deps release ## The same over the whole library, mostly at 60 times the clock's speed (an hour and a half).
	scripts/check-live --simctl $(RELEASE)/simctl --jobs 12 scenarios/*.json

$(CLIENTS):
	@scripts/install-packages $(TEST_PACKAGES)
	rm -rf .venv-clients
	python3 -m venv .venv-clients
	.venv-clients/bin/pip install --quiet --disable-pip-version-check 'python-gitlab==$(PYTHON_GITLAB_VERSION)' \
		'aioapns==$(AIOAPNS_VERSION)' 'httpx==$(HTTPX_VERSION)' 'h2==$(H2_VERSION)'
	touch $@

# What the virtual environment holds, in a name that changes with it.
VENV := .venv/checkers-$(CHECK_JSONSCHEMA_VERSION)-$(OPENAPI_SPEC_VALIDATOR_VERSION)

.PHONY: test-deps
test-deps: $(VENV)

# Validators that share no code with this package, in a virtual environment that `make clean` throws away. The stamp
# names their versions, so that a new one replaces the old.
$(VENV):
	@scripts/install-packages $(TEST_PACKAGES)
	rm -rf .venv
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check 'check-jsonschema==$(CHECK_JSONSCHEMA_VERSION)' \
		'openapi-spec-validator==$(OPENAPI_SPEC_VALIDATOR_VERSION)'
	touch $@

# Seconds for each target of `make fuzz`.
FUZZ_SECONDS ?= 60

.PHONY: fuzz
fuzz: deps ## Feeds mutated bytes to every decoder of outside bytes, FUZZ_SECONDS for each (60).
	scripts/fuzz --seconds '$(FUZZ_SECONDS)'

.PHONY: fuzz-brief
fuzz-brief: deps ## The same for a fixed number of inputs from a fixed seed (ten minutes, most of them a build of its own).
	scripts/fuzz --brief

# How long `make fuzz-worlds` goes on, from which seed.
FUZZ_WORLDS_FOR ?= 10m
FUZZ_WORLDS_FROM ?= 1

.PHONY: fuzz-worlds
fuzz-worlds: deps release ## Draws worlds that nobody wrote down for FUZZ_WORLDS_FOR (10m), from seed FUZZ_WORLDS_FROM on.
	$(RELEASE)/simctl fuzz --for '$(FUZZ_WORLDS_FOR)' --seeds "$(FUZZ_WORLDS_FROM)..$$(($(FUZZ_WORLDS_FROM) + 99999))" \
		--out .build/fuzz-worlds

.PHONY: fuzz-relations
fuzz-relations: deps release ## The same, each world with its twins: what must not matter is changed, and what was told compared.
	$(RELEASE)/simctl fuzz --relations --for '$(FUZZ_WORLDS_FOR)' \
		--seeds "$(FUZZ_WORLDS_FROM)..$$(($(FUZZ_WORLDS_FROM) + 99999))" --out .build/fuzz-worlds

.PHONY: fuzz-power
fuzz-power: deps release ## The same, each world with a twin that loses its power in the middle of commits.
	$(RELEASE)/simctl fuzz --power-losses --for '$(FUZZ_WORLDS_FOR)' \
		--seeds "$(FUZZ_WORLDS_FROM)..$$(($(FUZZ_WORLDS_FROM) + 99999))" --out .build/fuzz-worlds

.PHONY: fuzz-worlds-brief
fuzz-worlds-brief: deps release ## The worlds of the first three hundred seeds, as CI does.
	$(RELEASE)/simctl fuzz --seeds 1..300 --out .build/fuzz-worlds

# Short ones, since a run is repeated for each of its steps.
CRASH_SWEEPS = approved-then-denied damaged-disk-and-consent more-comments-than-room refusal-unheard restarted-without-lists \
	todo-undone

.PHONY: crash-sweep
crash-sweep: deps release ## Crashes the notifier at every durable step of CRASH_SWEEPS, one after the other.
	for name in $(CRASH_SWEEPS); do \
		$(RELEASE)/simctl crash-sweep "scenarios/regressions/$$name.json" --out .build/crash-sweep || exit 1; done

.PHONY: power-sweep
power-sweep: deps release ## Takes the power away before every write and sync of CRASH_SWEEPS, for each thing a disk may keep.
	for name in $(CRASH_SWEEPS); do for keeps in nothing some torn garbage; do \
		$(RELEASE)/simctl crash-sweep "scenarios/regressions/$$name.json" --keeps $$keeps --out .build/power-sweep || exit 1; done; done

.PHONY: crash-pairs
crash-pairs: deps release ## Crashes the notifier again while it recovers from a crash: every 25th step of CRASH_SWEEPS, each with each.
	for name in $(CRASH_SWEEPS); do \
		$(RELEASE)/simctl crash-sweep "scenarios/regressions/$$name.json" --every 25 --then 2 --out .build/crash-pairs || exit 1; done

.PHONY: crash-sweep-brief
crash-sweep-brief: deps release ## Every eleventh step of one scenario, with some pairs and losses of power, as CI does; what it leaves out: docs/crash-sweep.md.
	$(RELEASE)/simctl crash-sweep scenarios/regressions/todo-undone.json --every 11 --out .build/crash-sweep
	$(RELEASE)/simctl crash-sweep scenarios/regressions/todo-undone.json --every 100 --then 1 --out .build/crash-pairs
	$(RELEASE)/simctl crash-sweep scenarios/regressions/todo-undone.json --every 10 --keeps torn --out .build/power-sweep

SANITIZERS ?= address thread

.PHONY: sanitize
sanitize: deps ## Runs the live suite under the address and the thread sanitizer, each in a build of its own.
	for sanitizer in $(SANITIZERS); do scripts/sanitize "$$sanitizer"; done

.PHONY: bench
bench: release ## Measures the figures the workbench is built for.
	$(RELEASE)/simctl bench

.PHONY: bench-team
bench-team: release ## Lets three hundred people work for a day in one run, told and judged, and again for its memory (six minutes).
	$(RELEASE)/simctl run scenarios/bench/big-team.json --time-limit 10m
	$(RELEASE)/simctl bench --team

.PHONY: gitlab-load
gitlab-load: release ## Prints what a team's watching costs its GitLab (half an hour).
	python3 scripts/gitlab-load --simctl $(RELEASE)/simctl

# Programs that press on the fakes; nothing else here needs them.
BENCH_PACKAGES := nghttp2-client wrk
.PHONY: bench-live
bench-live: test-deps $(CLIENTS) release ## Measures notifierd and the served fakes over real sockets (half an hour).
	@scripts/install-packages $(BENCH_PACKAGES)
	python3 scripts/bench-live --simctl $(RELEASE)/simctl --notifierd $(RELEASE)/notifierd \
		--python .venv-clients/bin/python --json .build/bench-live.json

# The binary brings Swift's runtime along; its objects stay apart from those of the other builds.
STATIC := .build/static
.PHONY: deb
deb: deps ## Builds the Debian packages of notifierd and simctl, into .build/deb.
	for product in notifierd simctl $(CLOCK); do \
		$(SWIFT) build -c release --static-swift-stdlib --scratch-path $(STATIC) --product "$$product"; \
	done
	scripts/make-deb $(STATIC)/release/notifierd .build/deb
	scripts/make-deb $(STATIC)/release/simctl .build/deb

.PHONY: check-deb
check-deb: deb release ## Installs the packages into a fresh Debian tree and lets them work there (as root, with debootstrap).
	@scripts/install-packages debootstrap curl python3
	scripts/check-deb .build/deb/notifierd_*.deb .build/deb/simctl_*.deb $(RELEASE)/simctl

.PHONY: check-deploy
check-deploy: test-deps ## Checks the systemd unit and the configurations under deploy.
	scripts/check-deploy
	.venv/bin/check-jsonschema --builtin-schema vendor.compose-spec deploy/docker/compose.yml
	.venv/bin/python scripts/check-recipes

.PHONY: check-docker
check-docker: test-deps release ## Plays the Dockerfiles and their containers without Docker (as root, with debootstrap; twenty minutes).
	@scripts/install-packages debootstrap
	.venv/bin/python scripts/check-docker --simctl $(RELEASE)/simctl

# Debian's Caddy, unpacked: installed, it would serve on this machine.
CADDY := .build/caddy/usr/bin/caddy
$(CADDY):
	rm -rf .build/caddy
	mkdir -p .build/caddy
	cd .build/caddy && apt-get download --quiet=2 caddy && dpkg --extract caddy_*.deb .

.PHONY: check-caddy
check-caddy: test-deps $(CADDY) release ## Puts Caddy, with the shipped Caddyfile, before notifierd.
	python3 scripts/check-caddy --caddy $(CADDY) --simctl $(RELEASE)/simctl --notifierd $(RELEASE)/notifierd

.PHONY: install
install: release ## Installs programs, manuals and completions under PREFIX (default /usr/local); DESTDIR is put before it.
	install -d '$(DESTDIR)$(PREFIX)/bin'
	for program in $(PROGRAMS); do install -m 755 "$(RELEASE)/$$program" '$(DESTDIR)$(PREFIX)/bin/'; done
	install -d '$(DESTDIR)$(PREFIX)/lib'
	install -m 644 '$(RELEASE)/lib$(CLOCK).so' '$(DESTDIR)$(PREFIX)/lib/'
	scripts/install-manuals '$(RELEASE)/simctl' 1 '$(DESTDIR)$(PREFIX)/share'
	scripts/install-manuals '$(RELEASE)/notifierd' 8 '$(DESTDIR)$(PREFIX)/share'
	scripts/install-manuals '$(RELEASE)/gitlab-notify' 1 '$(DESTDIR)$(PREFIX)/share'

.PHONY: clean
clean: ## Removes everything that was built or fetched; reports stay.
	rm -rf .build .venv .venv-clients .venv-api
