#!/usr/bin/env bash
# Signs the checksums of a release: packaging/sign.sh FOLDER VERSION
# MINISIGN_KEY is the text of an unencrypted secret key. Nothing else runs beside it: no tool of the build sees the key.
set -euo pipefail
cd "$1"
sha256sum --check --quiet SHA256SUMS
{ apt-get update --quiet && apt-get install --yes --quiet minisign; } >/dev/null
minisign -S -W -s <(printf '%s\n' "$MINISIGN_KEY") -m SHA256SUMS -t "kuraka $2" >/dev/null
