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

length ALONE yes             # nothing else runs beside these tests
length KILLS 150             # kills of a server, for each of two plans
length BATCH_KILLS 10        # kills of a server that answers lists
length WEBHOOK_KILLS 10      # kills of a server that delivers to a webhook
length DIGEST_KILLS 20       # kills of a server between a publication and its mail
length MAIL_KILLS 200         # kills of a server while mails are sent and accounts change
length AUDIT_KILLS 100       # kills of a command that changes an account
length BACKUP_KILLS 50       # kills of a backup, and of a restore
length MIGRATION_KILLS 25    # kills of a migration
length RESTARTS 3            # servers replaced, of three
length UPGRADES 20           # replacements of the only server behind nginx
length PAUSE 30              # seconds that a server is paused
length ACCOUNTS 1000000      # accounts that a server sees
length HOSTILE 3000          # rounds of eight hostile bodies
length PROVIDERS all         # providers that suffer every fault
length CROSSINGS 9           # rounds of concurrent calls, 1,100 calls each
length FLOOD 10              # seconds of a flood of log-ins
length SESSIONS 15           # seconds of a flood of invented sessions
length BLACK_HOLE 60         # seconds for which no source answers
length REVOCATIONS 20        # seconds of revocations, and as many without
length KNOWN_TOKENS 10000    # tokens that make calls meanwhile
length LOST_ANSWERS 8        # rounds of leases whose answers are lost
length UNSTABLE_QUERIES 2000 # queries used up over an unstable network
length RANGES 1500           # changes of ranges between tags, for each recorded page
length IMPORT_KILLS 80       # kills of an import or an update, for each of three datasets
length BACKFILL_KILLS 20     # kills of a backfill of the open data's months
length BACKFILL_ROWS 30000   # rows of each of these months
length RATE_WEEKS 3          # simulated weeks of exchange rates, hour by hour
length REPLAY_STEPS 200      # publications and rollbacks of all datasets that are replayed
length REPLAYED_DAYS 20000   # random days of random taxpayers that are compared with the replay
length HISTORY_KILLS 80      # kills of an extension of a history
length SWAP_KILLS 10         # kills of a server that swaps editions, for each of three datasets
length SWAPS 500             # swaps of editions under load
length FLIPS 40000           # changes of an open edition
length SEARCHES 4000         # random searches by name
length DAYS 80               # editions of each random history
length CUTS 1500             # instants at which each replay loses power
length CHARGES 4000          # calls that the replay records
length UNWRITABLE 30         # seconds for which a store takes no writes
length CONNECTIONS 20000     # connections that a flood attempts
length SLOW_CLIENTS default  # the time limits that slow clients meet: those of the default settings
length SLOW_READERS 30       # seconds for which 50 clients hardly read large pages
length OVERLOAD 30           # seconds of ten times the capacity
length TOKENS 1000000        # bad tokens of each kind
length TEST_CALLS 10000     # random calls with a test token
length TIMING 60000          # samples of each kind of refused token
length LOG_INS 600           # samples of each kind of failed log-in
length CANARIES 5            # servers that meet three faults of every source with secrets in their settings
length SOAK 8                # minutes at half load
export KURAKA_MUTATIONS=${MUTATIONS:-5000} # changes to each recorded page

FAILED=()

# Parts that measure no time: two of their tests run at once.
PAIRED="pages kills editions framing"

# part NAME CRATE TESTS…: runs these tests one after the other. CRATE is `it`, the tests of each crate, or `http`.
part() {
  local name=$1 crate=$2 began=$SECONDS threads=1
  shift 2
  [[ " $PAIRED " != *" $name "* ]] || threads=2
  [[ " ${PARTS:-$name} " == *" $name "* ]] || return 0
  tests/postgres.sh cargo test --workspace --test "$crate" -- --nocapture --test-threads "$threads" "$@" | tee -a "$REPORT" ||
    FAILED+=("$name")
  printf '==> %s: %d s\n' "$name" $((SECONDS - began)) | tee -a "$REPORT"
}

cargo test --workspace --no-run
# Minutes are those of a machine with two processors. All parts together may take 75.
part pages it sunat_portal::damage sunat_portal::ranges                        # 3
printf 'figure | U10, U22 | every cut and %d changes of each recorded page | 0 wrong answers |\n' \
  "$KURAKA_MUTATIONS" >>"$REPORT"
part kills it killed:: killed_batches:: killed_deliveries:: killed_mails:: paused:: rolling_restart:: upgrade:: stores::a_killed_migration   # 4
part editions it killed_imports:: backfill::a_backfill_killed history_replay:: truncated:: truncation:: damage::damage_after history::every_edition datasets::searches::random_searches # 19
part swaps http swaps::                                                        # 2
part store it unwritable:: power_loss::                                        # 4
part logs it log_failures:: source_canaries::                                  # 1
part framing it smuggling:: certificates:: hostile::                           # 2
part clients it flood::                                                        # 2
part slow http slow_clients::                                                  # 1
part memory it eviction:: overload:: slow_readers::                            # 2
part tokens it refused_tokens:: known_devices::                                # 1
part test_tokens http test_tokens::random                                    # 1
part timing http unknown_tokens:: token_timing:: log_in_timing::               # 4
part sources http ruc_official:: fault_matrix:: cpe:: cpe_fault_matrix:: unreachable:: cpe_unreachable:: crowds:: # 6
part floods http login_flood:: session_flood:: black_hole:: revocations:: cancelled_calls:: # 6
part overload http overload::                                                  # 3
part servers http replicas:: partitions:: batch_quota::                                      # 3
part soak it soak::                                                            # 9

printf '\n| row | tried | measured |\n|---|---|---|\n'
grep --only-matching 'figure |.*' "$REPORT" | sed 's/^figure //'
printf '\n'
grep '^==> ' "$REPORT"
if ((${#FAILED[@]})); then
  printf 'Failed: %s\n' "${FAILED[*]}" >&2
  exit 1
fi
