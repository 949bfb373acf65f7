#!/usr/bin/env bash
# Runs the fault tests for longer than `make test` does, and prints one table. `make reliability` calls it.
#
# Every length is a variable: make reliability KILLS=50 BLACK_HOLE=600. PARTS="kills floods" runs only these parts.
set -euo pipefail
cd "$(dirname "$0")/.."

REPORT=${CARGO_TARGET_DIR:-target}/reliability/report.txt
mkdir -p "$(dirname "$REPORT")"
: >"$REPORT"

# length NAME DEFAULT: the tests read it as RELIABILITY_NAME.
length() { export "RELIABILITY_$1=${!1:-$2}"; }

length KILLS 300             # kills of a server, for each of two plans
length MIGRATION_KILLS 25    # kills of a migration
length RESTARTS 3            # servers replaced, of three
length PAUSE 30              # seconds that a server is paused
length ACCOUNTS 1000000      # accounts that a server sees
length HOSTILE 3000          # rounds of eight hostile bodies
length PROVIDERS all         # providers that suffer every fault
length CROSSINGS 9           # rounds of concurrent calls, 1,100 calls each
length FLOOD 20              # seconds of a flood of log-ins
length BLACK_HOLE 120        # seconds for which no source answers
length REVOCATIONS 30        # seconds of revocations, and as many without
length KNOWN_TOKENS 10000    # tokens that make calls meanwhile
length LOST_ANSWERS 8        # rounds of leases whose answers are lost
length UNSTABLE_QUERIES 2000 # queries used up over an unstable network
export KURAKA_MUTATIONS=${MUTATIONS:-10000} # changes to each recorded page

FAILED=()

# part NAME CRATE TESTS…: runs these tests one after the other. CRATE is `it`, the tests of each crate, or `http`.
part() {
  local name=$1 crate=$2 began=$SECONDS
  shift 2
  [[ " ${PARTS:-$name} " == *" $name "* ]] || return 0
  tests/postgres.sh cargo test --workspace --test "$crate" -- --nocapture --test-threads 1 "$@" | tee -a "$REPORT" ||
    FAILED+=("$name")
  printf '==> %s: %d s\n' "$name" $((SECONDS - began)) | tee -a "$REPORT"
}

cargo test --workspace --no-run
# Minutes are those of a machine with two processors. All parts together may take 90.
part pages it sunat_portal::damage                                             # 4
printf 'figure | U10, U22 | every cut and %d changes of each recorded page | 0 wrong answers |\n' \
  "$KURAKA_MUTATIONS" >>"$REPORT"
part kills it killed:: paused:: rolling_restart:: stores::a_killed_migration   # 6
part framing it smuggling:: certificates:: hostile::                           # 2
part memory it eviction::                                                      # 1
part sources http ruc_official:: fault_matrix:: cpe:: cpe_fault_matrix:: unreachable:: cpe_unreachable:: crowds:: # 6
part floods http login_flood:: black_hole:: revocations:: cancelled_calls::    # 8
part servers http replicas:: partitions::                                      # 3

printf '\n| row | tried | measured |\n|---|---|---|\n'
grep --only-matching 'figure |.*' "$REPORT" | sed 's/^figure //'
printf '\n'
grep '^==> ' "$REPORT"
if ((${#FAILED[@]})); then
  printf 'Failed: %s\n' "${FAILED[*]}" >&2
  exit 1
fi
