#!/usr/bin/env bash
# Sends deliveries to receivers that verify them with the libraries of Standard Webhooks. `make webhooks` calls it.
set -euo pipefail
cd "$(dirname "$0")"

HOME_FOLDER=$1
KURAKA=$2
export KURAKA_CONFIG= KURAKA__DATA_DIR=$HOME_FOLDER/data KURAKA__WEBHOOKS__ALLOWED_NETWORKS=127.0.0.1
rm -rf "$HOME_FOLDER/data" "$HOME_FOLDER"/*.port

RECEIVERS=()
trap 'kill "${RECEIVERS[@]}"' EXIT
"$HOME_FOLDER/bin/python" receiver.py "$HOME_FOLDER/python.port" "$HOME_FOLDER/secret" &
RECEIVERS+=($!)
node receiver.mjs "$HOME_FOLDER/node.port" "$HOME_FOLDER/secret" "$HOME_FOLDER/" &
RECEIVERS+=($!)

# expect STATUS ID: a test gets this answer.
expect() {
  local said
  said=$("$KURAKA" webhook test "$2" 2>&1 || true)
  [[ $said == *"answered $1 "* ]] || { echo "expected $1: $said" >&2; exit 1; }
}

"$KURAKA" account create --email ana@example.pe 2>/dev/null
id=0
for language in python node; do
  for _ in $(seq 100); do [[ -s $HOME_FOLDER/$language.port ]] && break; sleep 0.1; done
  url=http://127.0.0.1:$(cat "$HOME_FOLDER/$language.port")/
  id=$((id + 1))
  "$KURAKA" webhook create --email ana@example.pe --url "$url" 2>/dev/null >"$HOME_FOLDER/secret"
  expect 204 "$id"
  # While it is replaced, the previous secret verifies too.
  "$KURAKA" webhook rotate "$id" >"$HOME_FOLDER/new"
  expect 204 "$id"
  mv "$HOME_FOLDER/new" "$HOME_FOLDER/secret"
  expect 204 "$id"
  echo whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw >"$HOME_FOLDER/secret"
  expect 400 "$id"
  echo "$language verifies the deliveries"
done
