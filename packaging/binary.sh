#!/usr/bin/env bash
# Builds the binary that is shipped, for glibc 2.28 or later: packaging/binary.sh [x86_64|aarch64]
# Writes kuraka and kuraka.debug, its debug information, to target/package/ARCHITECTURE. The bytes depend on the commit
# only, not on the folder of the clone. KURAKA_PROFILE=dev builds without optimisation, for tests of the packages.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/tools.sh

architecture=${1:-$(uname -m)}
profile=${KURAKA_PROFILE:-release}
target=$architecture-unknown-linux-gnu
folder=$TARGET/package/$architecture
rustup target add "$target" 2>/dev/null
need_python
need_cargo auditable 0.7.7

# The folders of this machine do not appear in the binary.
remap="--remap-path-prefix=$PWD=/kuraka --remap-path-prefix=$TARGET=/kuraka/target"
for registry in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do remap+=" --remap-path-prefix=$registry=/cargo"; done
export RUSTFLAGS="$remap -C link-arg=-Wl,--build-id=sha1"
# The debug information of C sources would name the folder of the compiler.
export CFLAGS=-g0
export CARGO_TARGET_DIR=$TARGET

cargo auditable zigbuild --locked --profile "$profile" --target "$target.2.28" --package kuraka-cli --bin kuraka
mkdir -p "$folder"
if [ "$profile" = dev ]; then built=debug; else built=$profile; fi
cp "$TARGET/$target/$built/kuraka" "$folder/kuraka"
objcopy=objcopy
if [ "$architecture" != "$(uname -m)" ]; then
  objcopy=$architecture-linux-gnu-objcopy
  need "$objcopy" "binutils-$architecture-linux-gnu"
fi
"$objcopy" --only-keep-debug --compress-debug-sections=zlib "$folder/kuraka" "$folder/kuraka.debug"
(cd "$folder" && "$objcopy" --strip-all --add-gnu-debuglink=kuraka.debug kuraka)
