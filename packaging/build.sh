#!/usr/bin/env bash
# Builds everything that a release has into target/package/out, for the architecture of this machine: packaging/build.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/tools.sh

out=$TARGET/package/out
architecture=$(uname -m)
rm --recursive --force "$out"
mkdir -p "$out"
packaging/binary.sh
packaging/stage.sh
packaging/deb/build.sh
packaging/rpm/build.sh
packaging/oci/build.sh

# The files of the packages, for other systems: its folders are those of the root.
tar --create --gzip --sort=name --mtime "@$SOURCE_DATE_EPOCH" --owner 0 --group 0 --numeric-owner \
  --transform "s|^\.|kuraka-$VERSION|" --file "$out/kuraka_${VERSION}_$architecture.tar.gz" --directory "$TARGET/package/stage" .
cp "$TARGET/package/$architecture/kuraka.debug" "$out/kuraka_${VERSION}_$architecture.debug"

need_python
"$TARGET/tools/python/bin/python" packaging/helm/build.py "$out" "$VERSION"

# The parts of the binary. The folder of this clone does not appear in it.
need_cargo cyclonedx 0.5.9
cargo cyclonedx --manifest-path crates/cli/Cargo.toml --quiet --format json --spec-version 1.5 --describe binaries \
  --no-build-deps --target "$architecture-unknown-linux-gnu"
sed "s|$PWD|/kuraka|g" crates/cli/kuraka_bin.cdx.json >"$out/kuraka_${VERSION}_$architecture.cdx.json"
rm crates/*/*.cdx.json generators/*.cdx.json packaging/*/*.cdx.json tests/*.cdx.json 2>/dev/null || true

(cd "$out" && sha256sum -- * >SHA256SUMS)
ls -l "$out" | awk 'NR > 1 { printf "%12d  %s\n", $5, $9 }'
