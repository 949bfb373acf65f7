# The commands of daily work. `make` lists them.
# They need Rust (see rust-toolchain.toml) and a C compiler. A target that needs more, such as PostgreSQL for the tests,
# installs it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Seconds per fuzz target: make fuzz FUZZ_SECONDS=600
FUZZ_SECONDS ?= 60
# Packages with fuzz targets: make fuzz FUZZ_IN=crates/registry/fuzz
FUZZ_IN ?= $(wildcard crates/*/fuzz)

# Cargo's target folder.
TARGET := $(or $(CARGO_TARGET_DIR),target)

# Cargo's subcommands that are installed here, if the machine has none.
TOOLS := $(TARGET)/tools
export PATH := $(PATH):$(abspath $(TOOLS))/bin

# Calls of cargo name the whole workspace where they can: one package alone selects other features of the dependencies,
# and cargo would then build tokio and everything above it a second time.

# Packages outside the workspace.
APART := bench bench/measure $(wildcard crates/*/fuzz)

# Crates whose line coverage is measured.
COVERED := domain registry app

##@ Try it
.PHONY: run
run: ## Start a demo server on 127.0.0.1:8080 with sample data, and print requests to paste
	@cargo run --bin kuraka -- demo

##@ Work on it
.PHONY: test check lint fmt tidy alerts
# Tests wait for half of their time: for timeouts, processes and disks. More at once make those of time limits fail.
test: export RUST_TEST_THREADS ?= $(shell echo $$((2 * $$(nproc))))
test: ## Run every test, with nginx and a temporary PostgreSQL
	@$(call debian,nginx)
	tests/postgres.sh cargo test --workspace

check: lint tidy ## Check format, lints, documentation, the packages and the rules of tests/tidy

lint: ## Check format, lints, documentation and the packages only
	cargo fmt --all --check
	for apart in $(APART); do \
	  cargo fmt --check --manifest-path $$apart/Cargo.toml; \
	  cargo update --quiet --workspace --locked --manifest-path $$apart/Cargo.toml; \
	done
	cargo clippy --workspace --all-targets -- --deny warnings
	cargo clippy --workspace --test browser -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --lib --no-deps --quiet
	tests/crates.sh

fmt: ## Format the code
	cargo fmt --all
	for apart in $(APART); do cargo fmt --manifest-path $$apart/Cargo.toml; done

tidy: ## Check the rules of tests/tidy only: dependencies, cycles, file sizes, names, docs
	cargo test --quiet --workspace --test tidy

alerts: ## Check and test the alarms, also with a running Prometheus and a server that is killed
	@command -v promtool >/dev/null || apt-get install --yes --quiet --no-install-recommends prometheus
	promtool check config docs/operations/prometheus.yml
	promtool test rules tests/alerts.yml
	cargo build --bin kuraka
	tests/alerts.sh $(TARGET)/debug/kuraka

##@ Look deeper
.PHONY: browser workbook bench overload schemathesis clients mcp webhooks reliability coverage fuzz deny crates
browser: ## Test the panel in a real browser, with a screenshot of each page in target/browser
	@$(foreach tool,chromium npm,$(call debian,$(tool)) &&) true
	@command -v chromedriver >/dev/null || apt-get install --yes --quiet chromium-driver
	@mkdir -p target/browser
	@test -f target/browser/axe.min.js || { cd target/browser && \
	  npm pack --silent axe-core@4 | xargs -I{} tar --extract --file {} --strip-components 1 package/axe.min.js; }
	cargo test --workspace --test browser

workbook: ## Read a workbook of `kuraka lookup` with LibreOffice
	@command -v soffice >/dev/null || { apt-get update --quiet && \
	  apt-get install --yes --quiet --no-install-recommends libreoffice-calc; }
	cargo build --bin kuraka
	tests/workbook/run.sh $(TARGET)/debug/kuraka

# Parts, such as `make bench PARTS="http peers"`: import search lookup start http lists latency accounts datasets files
# peers. A run of some parts prints its rows only; a whole run also writes the tables to docs/reference.
# Go's peer uses the driver that Debian packages. Fastify's needs Node.js 20 and may compile SQLite. A peer that cannot
# be installed is named as left out.
GO_DRIVER := /usr/share/gocode/src/github.com/mattn/go-sqlite3
bench: ## Compare with peers on 18 million rows and print the tables (about 30 minutes; PARTS="http peers" for some)
	@$(foreach tool,wrk unzip python3 npm g++ sqlite3,$(call debian,$(tool)) &&) true
	@python3 -c 'import ensurepip' 2>/dev/null || apt-get install --yes --quiet python3-venv
	@test -d $(GO_DRIVER) || apt-get install --yes --quiet golang-go golang-github-mattn-go-sqlite3-dev \
	  golang-golang-x-text-dev || echo "make $@ measures no Go peer: its packages could not be installed" >&2
	cargo build --release --bin kuraka
	cargo build --release --package kuraka-generators --bins
	cargo build --release --manifest-path bench/measure/Cargo.toml --target-dir $(TARGET)/peers
	cargo build --release --manifest-path bench/Cargo.toml --target-dir $(TARGET)/peers
	BENCH_TARGET=$(TARGET) tests/postgres.sh $(TARGET)/peers/release/kuraka-bench $(PARTS)

# The server has one core, the load and the sandbox the other.
overload: ## Draw the goodput curve at 0.5 to 10 times the capacity (about 10 minutes)
	cargo build --release --bin kuraka
	cargo build --release --manifest-path bench/Cargo.toml --target-dir $(TARGET)/peers
	BENCH_TARGET=$(TARGET) tests/postgres.sh taskset -c 1 $(TARGET)/peers/release/kuraka-bench overload

# Starts a server on loopback and stops it by its process id in any case.
schemathesis: API := 127.0.0.1:18110
# Another version generates other calls.
schemathesis: VERSION := 4.32.5
schemathesis: HOME_FOLDER := $(TARGET)/schemathesis-$(VERSION)
schemathesis: ## Test a running API against its OpenAPI document with schemathesis (EXAMPLES=200 per operation, SEED=random, BUILT=yes: build nothing)
	@$(foreach tool,python3 curl,$(call debian,$(tool)) &&) true
	@python3 -c 'import ensurepip' 2>/dev/null || apt-get install --yes --quiet python3-venv
	@test -x $(HOME_FOLDER)/bin/schemathesis || { python3 -m venv $(HOME_FOLDER) && \
	  $(HOME_FOLDER)/bin/pip install --quiet schemathesis==$(VERSION) hypothesis==6.170.15; }
	@# Builds the binary with the features that `make test` has built; others would compile half of the dependencies again.
	$(if $(BUILT),,cargo test --quiet --workspace --test it --no-run)
	@KURAKA__DATA_DIR=$(HOME_FOLDER)/data KURAKA__HTTP__BIND=$(API) KURAKA__ADMIN__BIND=127.0.0.1:18111 \
	  KURAKA__PLANS__FREE__QUERIES=1000000 KURAKA__PLANS__FREE__RATE=100000 KURAKA__PLANS__FREE__BURST=100000 \
	  $(TARGET)/debug/kuraka demo >$(HOME_FOLDER)/server.log 2>&1 & server=$$!; trap "kill $$server" EXIT; \
	  for try in $$(seq 100); do curl --silent --fail http://127.0.0.1:18111/readyz >/dev/null && break; sleep 0.1; done; \
	  SCHEMATHESIS_HOOKS=hooks PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/schemathesis $(HOME_FOLDER)/bin/schemathesis \
	  --config-file tests/schemathesis/schemathesis.toml run http://$(API)/openapi.json --no-color \
	  --header "Authorization: Bearer $$(cat $(HOME_FOLDER)/data/demo-token)" \
	  --max-examples $(or $(EXAMPLES),200) $(if $(SEED),--seed $(SEED))

webhooks: HOME_FOLDER := $(abspath $(TARGET))/webhooks
webhooks: ## Verify deliveries to webhooks with the libraries of Standard Webhooks for Python and JavaScript
	@$(foreach tool,npm python3,$(call debian,$(tool)) &&) true
	@python3 -c 'import ensurepip' 2>/dev/null || apt-get install --yes --quiet python3-venv
	@test -x $(HOME_FOLDER)/bin/python || { python3 -m venv $(HOME_FOLDER) && \
	  $(HOME_FOLDER)/bin/pip install --quiet 'standardwebhooks>=1.1,<2'; }
	@test -d $(HOME_FOLDER)/node_modules || npm install --silent --prefix $(HOME_FOLDER) standardwebhooks@1
	cargo build --bin kuraka
	tests/webhooks/run.sh $(HOME_FOLDER) $(abspath $(TARGET))/debug/kuraka

clients: ## Generate clients in six languages, pack and try our own, call a demo server with each, and print what works
	@$(foreach tool,curl npm python3,$(call debian,$(tool)) &&) true
	@python3 -c 'import ensurepip' 2>/dev/null || apt-get install --yes --quiet python3-venv
	@command -v javac mono mcs >/dev/null && php -m | grep --quiet curl && test -f /usr/share/java/jakarta-annotation-api.jar \
	  -a -d /usr/share/php/GuzzleHttp -a -d /usr/lib/cli/Newtonsoft.Json-5.0 || apt-get install --yes --quiet \
	  --no-install-recommends default-jdk-headless libjakarta-annotation-api-java php-cli php-curl php-mbstring \
	  php-guzzlehttp-guzzle mono-mcs mono-runtime libnewtonsoft-json5.0-cil libmono-system-web4.0-cil \
	  libmono-system-net-http4.0-cil libmono-system-componentmodel-dataannotations4.0-cil
	@command -v composer >/dev/null && test -d /usr/share/php/Illuminate/Container || apt-get install --yes --quiet \
	  --no-install-recommends composer unzip php-illuminate-container php-illuminate-support
	cargo build --bin kuraka
	tests/clients/run.sh $(TARGET)/debug/kuraka $(TARGET)/clients
	clients/run.sh $(TARGET)/debug/kuraka $(TARGET)/own-clients

mcp: ## Call /mcp and `kuraka mcp` with the official conformance scenarios and the SDKs of Python and TypeScript
	@$(foreach tool,curl npm python3,$(call debian,$(tool)) &&) true
	@python3 -c 'import ensurepip' 2>/dev/null || apt-get install --yes --quiet python3-venv
	cargo build --bin kuraka
	tests/mcp/run.sh $(TARGET)/debug/kuraka $(TARGET)/mcp

reliability: ## Run the fault tests for longer than `make test` does and print the table (at most 75 minutes)
	@$(call debian,nginx)
	cargo check --locked --manifest-path bench/measure/Cargo.toml --target-dir $(TARGET)/peers
	RELIABILITY_NGINX=yes tests/reliability.sh

coverage: ## Print the line coverage of domain, registry and app
	@$(call need,tarpaulin)
	@mkdir -p $(TARGET)/coverage
	cargo tarpaulin --engine llvm --skip-clean --target-dir $(TARGET)/coverage --timeout 600 \
	  $(foreach crate,$(COVERED),--packages kuraka-$(crate) --include-files 'crates/$(crate)/src/*') \
	  | tee $(TARGET)/coverage/report.txt
	@awk -F': ' '/^\|\| crates/ && $$2 ~ /^[0-9]+\/[0-9]+/ { \
	    split($$1, path, "/"); split($$2, lines, "[/ ]"); hit[path[2]] += lines[1]; all[path[2]] += lines[2] } \
	  END { for (crate in all) printf "%-10s %6.2f %% of %d lines\n", crate, 100 * hit[crate] / all[crate], all[crate] }' \
	  $(TARGET)/coverage/report.txt | sort

# What a fuzz target starts from besides its corpus.
FIXTURES := crates/adapters/fixtures
SEEDS = case "$$target" in page) echo $(FIXTURES)/sunat_portal ;; provider) echo $(FIXTURES)/provider_api ;; \
  voucher) echo $(FIXTURES)/sunat_vouchers ;; list) echo crates/tables/fuzz/seeds ;; esac
# A target that runs a server: the memory of its workers is no leak.
LEAKS = case "$$folder" in crates/server/*) echo ASAN_OPTIONS=detect_leaks=0 ;; esac

fuzz: ## Run each fuzz target for FUZZ_SECONDS (60)
	@$(call need,fuzz)
	@cargo +nightly --version >/dev/null 2>&1 || rustup toolchain install nightly --profile minimal
	@for folder in $(FUZZ_IN); do \
	  for target in $$(cargo +nightly fuzz list --fuzz-dir "$$folder"); do \
	    printf '\n==> %s/%s, %s s\n' "$$folder" "$$target" "$(FUZZ_SECONDS)"; \
	    mkdir -p "$$folder/corpus/$$target"; \
	    env $$($(LEAKS)) cargo +nightly fuzz run --fuzz-dir "$$folder" --target-dir $(TARGET)/fuzz "$$target" \
	      "$$folder/corpus/$$target" $$($(SEEDS)) -- -max_total_time=$(FUZZ_SECONDS); \
	  done; \
	done

deny: ## Check licences, bans and sources of the dependencies
	@$(call need,deny,--debug --no-default-features)
	cargo deny --workspace check --hide-inclusion-graph bans licenses sources $(if $(ADVISORIES),advisories)

crates: ## Pack the crates of the domain and the API, build them from that form, and test the domain with all features
	tests/crates.sh full

##@ Ship it
.PHONY: release package package-test clean
release: ## Build the optimised binary target/release/kuraka
	cargo build --release --bin kuraka
	@ls -lh $(TARGET)/release/kuraka | awk '{ print $$9 ", " $$5 }'

package: ## Build the .deb, .rpm, image, archive, chart, SBOM and checksums in target/package/out (Debian, root)
	packaging/build.sh

package-test: crates ## Install, run, upgrade and remove these packages in a machine of their own (Debian, root)
	packaging/test/deb.sh
	packaging/test/image.sh

clean: ## Remove the build results
	cargo clean

.PHONY: help
help: ## Show this list
	@awk 'BEGIN { FS = ":.*## "; print "usage: make TARGET" } \
	  /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# $(call need,NAME,OPTIONS): installs cargo-NAME if it is missing. With CARGO_TARGET_DIR, cargo would keep its build.
need = cargo $(1) --version >/dev/null 2>&1 || \
  env --unset=CARGO_TARGET_DIR cargo install --locked --root $(TOOLS) $(2) cargo-$(1)

# $(call debian,TOOL): installs a Debian package if its program is missing.
debian = { command -v $(1) >/dev/null || apt-get install --yes --quiet $(1) || \
  { apt-get update --quiet && apt-get install --yes --quiet $(1); } || \
  { echo "make $@ needs $(1): install it and try again" >&2; exit 1; }; }
