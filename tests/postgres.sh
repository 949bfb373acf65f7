#!/usr/bin/env bash
# Starts a temporary PostgreSQL server, runs a command, and removes the server when the command ends:
#
#   tests/postgres.sh cargo test --workspace
#
# TEST_POSTGRES passes the address to the command. If it is set already, no server is started.
# PostgreSQL comes from PATH or from Debian's folders. If it is missing, root installs it with apt-get.
set -euo pipefail

if [ -n "${TEST_POSTGRES:-}" ]; then
  exec "$@"
fi

say() { printf 'tests/postgres.sh: %s\n' "$*" >&2; }

# Prints the folder with the programs of the newest PostgreSQL.
programs() {
  local folder
  for folder in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort --version-sort --reverse); do
    if [ -x "$folder/initdb" ]; then echo "$folder"; return; fi
  done
  dirname "$(readlink -f "$(command -v initdb)" 2>/dev/null)" 2>/dev/null
}

BIN=$(programs) || BIN=
if [ ! -x "$BIN/initdb" ]; then
  if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
    say 'the tests need PostgreSQL (initdb, postgres): install it, or name a running server in TEST_POSTGRES'
    exit 1
  fi
  say 'PostgreSQL is missing: installing it'
  export DEBIAN_FRONTEND=noninteractive
  { apt-get install --yes --quiet postgresql || { apt-get update --quiet && apt-get install --yes --quiet postgresql; }; } \
    >/dev/null || { say 'apt-get could not install postgresql: see above'; exit 1; }
  BIN=$(programs) || BIN=
  [ -x "$BIN/initdb" ] || { say 'apt-get installed postgresql, but there is no initdb'; exit 1; }
fi

# PostgreSQL refuses to run as root.
as=()
if [ "$(id -u)" = 0 ]; then
  owner=nobody
  ! id postgres >/dev/null 2>&1 || owner=postgres
  as=(runuser --user "$owner" --)
fi

HOME_FOLDER=$(mktemp --directory /tmp/kuraka-postgres.XXXXXX)
stop() {
  [ ! -f "$HOME_FOLDER/data/postmaster.pid" ] || "${as[@]}" "$BIN/pg_ctl" stop --pgdata "$HOME_FOLDER/data" \
    --mode immediate --silent >&2 || say "could not stop the server in $HOME_FOLDER"
  rm --recursive --force "$HOME_FOLDER"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
[ ${#as[@]} = 0 ] || chown "$owner" "$HOME_FOLDER"

cd "$HOME_FOLDER"
"${as[@]}" "$BIN/initdb" --pgdata data --username kuraka --auth trust --encoding UTF8 --locale C --no-sync \
  --no-instructions >"$HOME_FOLDER/initdb.log" 2>&1 || { cat "$HOME_FOLDER/initdb.log" >&2; exit 1; }

# Tries other ports if one is taken. The data is temporary, so nothing is synced to the disk.
for try in 1 2 3 4 5 6 7 8; do
  port=$((20000 + RANDOM % 12000))
  if "${as[@]}" "$BIN/pg_ctl" start --pgdata data --silent --wait --log log --options \
    "-h 127.0.0.1 -p $port -k '$HOME_FOLDER' -c fsync=off -c full_page_writes=off -c max_connections=400 \
     -c shared_buffers=64MB" >&2; then
    started=yes
    break
  fi
done
[ "${started:-no}" = yes ] || { cat log >&2; say 'PostgreSQL did not start: its log is above'; exit 1; }
cd "$OLDPWD"

export TEST_POSTGRES="postgres://kuraka@127.0.0.1:$port/postgres"
"$@"
