#!/usr/bin/env bash
# Makes the .deb of the staged files: packaging/deb/build.sh [VERSION]
# A version lower than this one is for the test of an upgrade.
set -euo pipefail
cd "$(dirname "$0")/../.."
. packaging/tools.sh

version=${1:-$VERSION}
folder=$TARGET/package/deb
doc=$folder/usr/share/doc/kuraka
rm --recursive --force "$folder"
cp --archive "$TARGET/package/stage" "$folder"

# Debian has the licences in files of its own.
rm "$doc/LICENSE-MIT" "$doc/LICENSE-APACHE"
{ cat LICENSE-MIT && printf '\nOr, at your choice, the Apache License 2.0: /usr/share/common-licenses/Apache-2.0\n'; } >"$doc/copyright"
gzip --best --no-name <CHANGELOG.md >"$doc/changelog.gz"
printf 'kuraka (%s-1) stable; urgency=medium\n\n  * The changes are in changelog.gz.\n\n -- %s  %s\n' "$version" "$MAINTAINER" \
  "$(date --utc --rfc-email --date "@$SOURCE_DATE_EPOCH")" | gzip --best --no-name >"$doc/changelog.Debian.gz"
install -D --mode 644 packaging/deb/lintian-overrides "$folder/usr/share/lintian/overrides/kuraka"

mkdir "$folder/DEBIAN"
for script in postinst prerm postrm; do install --mode 755 packaging/deb/$script "$folder/DEBIAN/$script"; done
echo /etc/kuraka/kuraka.toml >"$folder/DEBIAN/conffiles"
sed --expression "s/@VERSION@/$version/; s/@ARCHITECTURE@/$(dpkg --print-architecture)/; s/@MAINTAINER@/$MAINTAINER/" \
  --expression "s/@SIZE@/$(du --summarize --apparent-size --block-size 1K "$folder" | cut --fields 1)/" \
  packaging/deb/control >"$folder/DEBIAN/control"
(cd "$folder" && find usr -type f -exec md5sum {} + | LC_ALL=C sort --key 2 >DEBIAN/md5sums)
find "$folder" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
mkdir -p "$TARGET/package/out"
dpkg-deb --root-owner-group -Zxz --build "$folder" "$TARGET/package/out/kuraka_$version-1_$(dpkg --print-architecture).deb" >/dev/null
