#!/usr/bin/env bash
# Makes the .rpm of the staged files: packaging/rpm/build.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
. packaging/tools.sh
need rpmbuild rpm

folder=$TARGET/package/rpm
rm --recursive --force "$folder"
mkdir -p "$folder" "$TARGET/package/out"
rpmbuild --quiet -bb --define "_topdir $folder" --define "version $VERSION" --define "stage $TARGET/package/stage" \
  --define "packager $MAINTAINER" --define 'clamp_mtime_to_source_date_epoch 1' --define '_buildhost reproducible' \
  --define 'use_source_date_epoch_as_buildtime 1' packaging/rpm/kuraka.spec
cp "$folder"/RPMS/*/*.rpm "$TARGET/package/out/"
