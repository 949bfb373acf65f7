#!/usr/bin/env bash
# Packs the crates that other projects use, kuraka-domain and kuraka-api, and checks the unpacked domain with its own lock
# file: without the standard library, with the lints of its oldest compiler (no library function or `const fn` that is
# newer), that no dependency needs a newer compiler, and, where rustup has or finds that compiler, that it builds the
# package. With `full`, builds both packages and runs the domain's tests with all features.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
export CARGO_TARGET_DIR=$target
verify=--no-verify
if [ "${1:-}" = full ]; then verify=; fi
cargo package --quiet --allow-dirty $verify --package kuraka-domain --package kuraka-api
# As other projects get it, without the features of the server.
cargo clippy --quiet --package kuraka-api --lib -- --deny warnings

# Outside the workspace, with its toolchain. With new times, or Cargo would take the files for those of an earlier check.
folder=$(mktemp --directory)
trap 'rm --recursive --force "$folder"' EXIT
for package in "$target"/package/kuraka-domain-*.crate; do tar --extract --touch --file "$package" --directory "$folder"; done
cp rust-toolchain.toml "$folder"
cd "$folder"/kuraka-domain-*/
export CARGO_TARGET_DIR=$target/package/unpacked

oldest=$(sed --quiet 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if grep --quiet '^resolver = "3"' Cargo.toml; then
  echo "Cargo $oldest cannot read this package: it does not know the third resolver" >&2
  exit 1
fi
cargo check --locked --quiet --no-default-features
cargo clippy --locked --quiet --all-features -- --deny warnings
cargo tree --locked --all-features --edges normal,build --prefix none --format '{p}' | sort --unique |
  while read -r name version _; do
    manifest=Cargo.toml
    if [ "$name" != kuraka-domain ]; then
      # Each version of Cargo may have a folder of its own.
      manifests=("${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$name-${version#v}"/Cargo.toml)
      manifest=${manifests[0]}
    fi
    needs=$(sed --quiet 's/^rust-version = "\(.*\)"/\1/p' "$manifest")
    if [ "$(printf '%s\n' "$needs" "$oldest" | sort --version-sort | tail --lines 1)" != "$oldest" ]; then
      echo "$name $version needs Rust $needs, and kuraka-domain supports $oldest" >&2
      exit 1
    fi
  done
if ! cargo "+$oldest" --version >/dev/null 2>&1 && ! rustup toolchain install "$oldest" --profile minimal >/dev/null 2>&1; then
  echo "Rust $oldest is not here and cannot be installed: kuraka-domain is not built with it" >&2
  if [ "${1:-}" = full ]; then exit 1; fi
else
  for features in --no-default-features "" --all-features; do
    # shellcheck disable=SC2086 # no features are no word
    CARGO_TARGET_DIR=$target/package/oldest cargo "+$oldest" check --locked --quiet $features
  done
fi
if [ "${1:-}" = full ]; then cargo test --locked --quiet --all-features; fi
