#!/usr/bin/env bash
# Shows that the server answers the tests of tests/http as it did at another commit:
#
#   tests/compare_answers.sh FIRST [SECOND]
#
# FIRST and SECOND are commits, recordings that an earlier call left in target/answers, or `.`, the working tree, which
# SECOND is if it is left out. A commit is checked out into a temporary worktree. The tests of FIRST run RUNS times (2),
# because what differs between runs of the same code is no change, and those of SECOND once. tests/http/recorder.rs
# records them. Compared are the distinct answers to each request of each test, without times, ids and secrets.
#
# A test that fails, or is answered otherwise than in FIRST, runs up to three times more: it may depend on a busy
# machine, and a change of the answers comes again.
#
# Prints the differences and the numbers. Exit code 1: an answer differs in every run, or a test passes in none.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 1 ] || [ $# = 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }

TARGET=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
ANSWERS=$TARGET/answers
TREE=$ANSWERS/tree
mkdir -p "$ANSWERS"

say() { printf 'tests/compare_answers.sh: %s\n' "$*" >&2; }
drop_tree() { [ ! -e "$TREE" ] || git worktree remove --force "$TREE"; }
trap drop_tree EXIT

# attempt RUN [TEST…]: runs the tests in `folder`, or these, appends their exchanges to `recording` and sets `failed`.
attempt() {
  local run=$1 raw=$ANSWERS/raw.jsonl log=$ANSWERS/log.txt
  shift
  say "$what, run $run${*:+: $*}"
  rm --force "$raw"
  (cd "$folder" && KURAKA_RECORD_ANSWERS=$raw CARGO_TARGET_DIR=$target tests/postgres.sh \
    cargo test --workspace --test http -- ${@:+--exact "$@"}) >"$log" 2>&1 ||
    grep --quiet '^test result' "$log" || { tail "$log" >&2; exit 1; }
  [ -s "$raw" ] || { say "$what records no answers: it has no tests/http/recorder.rs"; exit 1; }
  python3 tests/compare_answers.py mask "$run" "$log" <"$raw" >>"$recording"
  failed=$(sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$log")
  rm "$raw"
}

# begin WHAT NAME: sets `recording`, which is WHAT if that is a file, and where the tests run.
begin() {
  what=$1 recording=$1 folder=. target=$TARGET
  [ ! -f "$1" ] || return 0
  recording=$ANSWERS/$2.jsonl
  rm --force "$recording"
  [ "$1" != . ] || return 0
  # Cargo would take what it built for another tree as built for this one.
  folder=$TREE target=$ANSWERS/target
  drop_tree
  git worktree add --quiet --detach "$TREE" "$1"
}

begin "$1" first
if [ "$recording" != "$1" ]; then
  for run in $(seq "${RUNS:-2}"); do
    attempt "$run"
    [ -z "$failed" ] || attempt "$run" $failed
  done
fi
first=$recording

begin "${2:-.}" second
if [ "$recording" != "${2:-.}" ]; then
  attempt 1
  for run in 2 3 4; do
    again=$(python3 tests/compare_answers.py unsettled "$first" "$recording")
    [ -z "$again" ] || attempt "$run" $again
  done
fi
say "recordings: $first $recording"
python3 tests/compare_answers.py compare "$first" "$recording"
