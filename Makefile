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

# The length of `make reliability`: kills of the server, seconds that a server is paused, changes to each recorded page,
# rounds of concurrent calls (1,100 calls each), seconds of a flood of sign-ins, of sources that never answer, of
# overload and of revocations, known tokens during the revocations, accounts that make calls.
KILLS ?= 300
PAUSE ?= 30
MUTATIONS ?= 10000
CROSSINGS ?= 9
FLOOD ?= 20
BLACK_HOLE ?= 120
REVOCATIONS ?= 30
OVERLOAD ?= 60
KNOWN_TOKENS ?= 10000
ACCOUNTS ?= 1000000

# Cargo's target folder.
TARGET := $(or $(CARGO_TARGET_DIR),target)

# Calls of cargo name the whole workspace where they can: one package alone selects other features of the dependencies,
# and cargo would then build tokio and everything above it a second time.

# Packages outside the workspace.
APART := bench $(wildcard crates/*/fuzz)

# Crates whose line coverage is measured.
COVERED := domain registry app

##@ Try it
.PHONY: run
run: ## Start a demo server on 127.0.0.1:8080 with sample data, and print requests to paste
	@cargo run --package kuraka-server --bin kuraka -- demo

##@ Work on it
.PHONY: test check fmt tidy
test: ## Run every test, with a temporary PostgreSQL
	tests/postgres.sh cargo test --workspace

check: ## Check format, lints, documentation and the rules of tests/tidy
	cargo fmt --all --check
	for apart in $(APART); do cargo fmt --check --manifest-path $$apart/Cargo.toml; done
	cargo clippy --workspace --all-targets -- --deny warnings
	cargo clippy --workspace --test browser -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --no-deps --quiet
	cargo check --package kuraka-domain --no-default-features
	$(MAKE) --no-print-directory tidy

fmt: ## Format the code
	cargo fmt --all
	for apart in $(APART); do cargo fmt --manifest-path $$apart/Cargo.toml; done

tidy: ## Check the rules of tests/tidy only: dependencies, cycles, file sizes, names, docs
	cargo test --quiet --workspace --test tidy

##@ Look deeper
.PHONY: browser bench overload schemathesis reliability coverage fuzz deny
browser: ## Test the panel in a real browser, with a screenshot of each page in target/browser
	@$(foreach tool,chromium npm,$(call debian,$(tool)) &&) true
	@command -v chromedriver >/dev/null || apt-get install --yes --quiet chromium-driver
	@mkdir -p target/browser
	@test -f target/browser/axe.min.js || { cd target/browser && \
	  npm pack --silent axe-core@4 | xargs -I{} tar --extract --file {} --strip-components 1 package/axe.min.js; }
	cargo test --workspace --test browser

bench: ## Compare with peers on 18 million rows and print the table (about 15 minutes)
	@$(foreach tool,wrk unzip,$(call debian,$(tool)) &&) true
	cargo build --release --package kuraka-server --bin kuraka
	cargo build --release --package kuraka-sandbox --bin padron
	cargo build --release --package kuraka-registry --example measure
	cargo build --release --package kuraka-adapters --example read_page
	cargo build --release --manifest-path bench/Cargo.toml --target-dir $(TARGET)/peers
	KURAKA_BENCH_TARGET=$(TARGET) tests/postgres.sh $(TARGET)/peers/release/kuraka-bench

# The server has one core, the load and the sandbox the other.
overload: ## Draw the goodput curve at 0.5 to 10 times the capacity (about 10 minutes)
	cargo build --release --package kuraka-server --bin kuraka
	cargo build --release --manifest-path bench/Cargo.toml --target-dir $(TARGET)/peers
	KURAKA_BENCH_TARGET=$(TARGET) tests/postgres.sh taskset -c 1 $(TARGET)/peers/release/kuraka-bench overload

# Starts a server on loopback and stops it by its process id in any case.
schemathesis: API := 127.0.0.1:18110
schemathesis: HOME_FOLDER := $(TARGET)/schemathesis
schemathesis: ## Test a running API against its OpenAPI document with schemathesis (EXAMPLES=200 per operation)
	@test -x $(HOME_FOLDER)/bin/schemathesis || { python3 -m venv $(HOME_FOLDER) && \
	  $(HOME_FOLDER)/bin/pip install --quiet 'schemathesis>=4.32,<5'; }
	cargo build --package kuraka-server --bin kuraka
	@KURAKA__DATA_DIR=$(HOME_FOLDER)/data KURAKA__HTTP__BIND=$(API) KURAKA__ADMIN__BIND=127.0.0.1:18111 \
	  KURAKA__PLANS__FREE__QUERIES=1000000 KURAKA__PLANS__FREE__RATE=100000 KURAKA__PLANS__FREE__BURST=100000 \
	  $(TARGET)/debug/kuraka demo >$(HOME_FOLDER)/server.log 2>&1 & server=$$!; trap "kill $$server" EXIT; \
	  for try in $$(seq 100); do curl --silent --fail http://127.0.0.1:18111/readyz >/dev/null && break; sleep 0.1; done; \
	  SCHEMATHESIS_HOOKS=hooks PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/schemathesis $(HOME_FOLDER)/bin/schemathesis run \
	  http://$(API)/openapi.json --header "Authorization: Bearer $$(cat $(HOME_FOLDER)/data/demo-token)" --checks all \
	  --phases examples,coverage,fuzzing --max-examples $(or $(EXAMPLES),200) --no-color

# Each step writes to the report. The table consists of the lines that begin with "figure".
reliability: REPORT := $(TARGET)/reliability/report.txt
reliability: ## Run the fault tests for longer than `make test` does and print the table (about 15 minutes)
	@mkdir -p $(dir $(REPORT)) && : >$(REPORT)
	cargo test --workspace --no-run
	KURAKA_MUTATIONS=$(MUTATIONS) cargo test --workspace --test it sunat_portal::damage | tee -a $(REPORT)
	@echo 'figure | U10, U22 | every cut and $(MUTATIONS) changes of each recorded page | 0 wrong answers |' >>$(REPORT)
	RELIABILITY_KILLS=$(KILLS) RELIABILITY_PAUSE=$(PAUSE) tests/postgres.sh cargo test --workspace --test it -- \
	  --nocapture --test-threads 1 killed:: paused:: rolling_restart:: stores::a_migration | tee -a $(REPORT)
	RELIABILITY_ACCOUNTS=$(ACCOUNTS) cargo test --workspace --test it -- --nocapture eviction:: overload:: | tee -a $(REPORT)
	RELIABILITY_FLOOD=$(FLOOD) RELIABILITY_PROVIDERS=all RELIABILITY_CROSSINGS=$(CROSSINGS) RELIABILITY_BLACK_HOLE=$(BLACK_HOLE) \
	  RELIABILITY_OVERLOAD=$(OVERLOAD) RELIABILITY_REVOCATIONS=$(REVOCATIONS) RELIABILITY_KNOWN_TOKENS=$(KNOWN_TOKENS) \
	  tests/postgres.sh cargo test --workspace --test http -- --nocapture --test-threads 1 \
	  ruc_official:: fault_matrix:: cpe:: cpe_fault_matrix:: unreachable:: crowds:: login_flood:: black_hole:: overload:: \
	  replicas:: partitions:: cancelled_calls:: revocations:: | tee -a $(REPORT)
	@printf '\n| row | tried | measured |\n|---|---|---|\n' && grep --only-matching 'figure |.*' $(REPORT) | sed 's/^figure //'

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

fuzz: ## Run each fuzz target for FUZZ_SECONDS (60)
	@$(call need,fuzz)
	@cargo +nightly --version >/dev/null 2>&1 || rustup toolchain install nightly --profile minimal
	@for folder in $(FUZZ_IN); do \
	  for target in $$(cargo +nightly fuzz list --fuzz-dir "$$folder"); do \
	    printf '\n==> %s/%s, %s s\n' "$$folder" "$$target" "$(FUZZ_SECONDS)"; \
	    cargo +nightly fuzz run --fuzz-dir "$$folder" "$$target" -- -max_total_time=$(FUZZ_SECONDS); \
	  done; \
	done

deny: ## Check licences, bans and sources of the dependencies
	@$(call need,deny)
	cargo deny --workspace check --hide-inclusion-graph bans licenses sources $(if $(ADVISORIES),advisories)

##@ Ship it
.PHONY: release clean
release: ## Build the optimised binary target/release/kuraka
	cargo build --release --package kuraka-server --bin kuraka
	@ls -lh $(TARGET)/release/kuraka | awk '{ print $$9 ", " $$5 }'

clean: ## Remove the build results
	cargo clean

.PHONY: help
help: ## Show this list
	@awk 'BEGIN { FS = ":.*## "; print "usage: make TARGET" } \
	  /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# $(call need,NAME): installs cargo-NAME if it is missing.
need = cargo $(1) --version >/dev/null 2>&1 || cargo install --locked cargo-$(1)

# $(call debian,TOOL): installs a Debian package if its program is missing.
debian = { command -v $(1) >/dev/null || apt-get install --yes --quiet $(1) || \
  { echo "make $@ needs $(1): install it and try again" >&2; exit 1; }; }
