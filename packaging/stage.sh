#!/usr/bin/env bash
# Writes the files of the packages, as they are installed, to target/package/stage: packaging/stage.sh
# The .deb, the .rpm and the archive are made of them.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/tools.sh

stage=$TARGET/package/stage
made=$TARGET/package/manual
rm --recursive --force "$stage" "$made"
CARGO_TARGET_DIR=$TARGET cargo run --quiet --package kuraka-manual -- "$made"

put() { install -D --mode "$1" "$2" "$stage/$3"; }
put 755 "$TARGET/package/$(uname -m)/kuraka" usr/bin/kuraka
put 640 packaging/etc/kuraka.toml etc/kuraka/kuraka.toml
units=usr/lib/systemd/system
mkdir -p "$stage/$units"
for service in kuraka kuraka-update kuraka-backup; do
  cat packaging/systemd/$service.service packaging/systemd/sandbox.conf > "$stage/$units/$service.service"
done
put 644 packaging/systemd/kuraka-update.timer $units/kuraka-update.timer
put 644 packaging/systemd/kuraka-backup.timer $units/kuraka-backup.timer
for page in "$made"/man/*; do put 644 "$page" "usr/share/man/man1/$(basename "$page")"; done
find "$stage/usr/share/man" -type f -exec gzip --best --no-name {} +
put 644 "$made/kuraka.bash" usr/share/bash-completion/completions/kuraka
put 644 "$made/kuraka.fish" usr/share/fish/vendor_completions.d/kuraka.fish
put 644 "$made/_kuraka" usr/share/zsh/vendor-completions/_kuraka
for file in README.md LICENSE-MIT LICENSE-APACHE docs/operations/alerts.yml docs/operations/prometheus.yml packaging/nginx/kuraka.conf packaging/grafana/kuraka.json; do
  put 644 "$file" "usr/share/doc/kuraka/$(basename "$file" | sed "s/^kuraka.conf/nginx.conf/; s/^kuraka.json/grafana.json/")"
done
chmod --recursive go-w "$stage"
find "$stage" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
