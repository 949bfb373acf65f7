#!/usr/bin/env bash
# Makes the container image, as an OCI layout and for `docker load`, without a daemon: packaging/oci/build.sh
# Its files are the C library, root certificates, the user, the data folder and the program.
set -euo pipefail
cd "$(dirname "$0")/../.."
. packaging/tools.sh
need umoci umoci
need skopeo skopeo

folder=$TARGET/package/oci
root=$folder/root
layout=$folder/layout
rm --recursive --force "$folder"
mkdir -p "$folder/debian" "$root"/{etc/ssl/certs,tmp,proc,dev,sys,var/lib/kuraka,usr/share/doc,usr/bin}
(
  cd "$folder/debian"
  download() { apt-get download --quiet --option APT::Sandbox::User=root libc6 ca-certificates >/dev/null; }
  download || { apt-get update --quiet && download; }
  for package in *.deb; do dpkg-deb --extract "$package" .; done
)
program=$TARGET/package/$(uname -m)/kuraka
loader=$(readelf --program-headers --wide "$program" | sed --quiet 's/.*program interpreter: \(.*\)]/\1/p')
libraries=$(dirname "$(cd "$folder/debian" && find . -name libc.so.6)")
mkdir -p "$root/$libraries"
for library in libc.so.6 libdl.so.2 libm.so.6 libnss_dns.so.2 libnss_files.so.2 libpthread.so.0 libresolv.so.2 librt.so.1; do
  cp --dereference "$folder/debian/$libraries/$library" "$root/$libraries/"
done
install -D --mode 755 "$folder/debian/$libraries/$(basename "$loader")" "$root$loader"
cp --recursive "$folder/debian/usr/share/doc/"{libc6,ca-certificates} "$root/usr/share/doc/"
cat "$folder"/debian/usr/share/ca-certificates/mozilla/*.crt >"$root/etc/ssl/certs/ca-certificates.crt"
echo 'kuraka:x:65532:65532::/var/lib/kuraka:/sbin/nologin' >"$root/etc/passwd"
echo 'kuraka:x:65532:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
install --mode 755 "$program" "$root/usr/bin/kuraka"
install -D --mode 644 --target-directory "$root/usr/share/doc/kuraka" LICENSE-MIT LICENSE-APACHE
chmod --recursive go-w "$root"
chmod 1777 "$root/tmp"
# A new volume takes its owner from this folder.
chmod 700 "$root/var/lib/kuraka"
chown 65532:65532 "$root/var/lib/kuraka"
tar --create --sort=name --mtime "@$SOURCE_DATE_EPOCH" --numeric-owner --format=gnu --file "$folder/layer.tar" --directory "$root" .

created=$(date --utc --date "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
umoci init --layout "$layout"
umoci new --image "$layout:kuraka"
umoci raw add-layer --image "$layout:kuraka" --history.created "$created" --history.created_by kuraka "$folder/layer.tar"
umoci config --image "$layout:kuraka" --created "$created" --history.created "$created" --history.created_by kuraka \
  --author 'Kuraka developers' --architecture "$(dpkg --print-architecture)" --os linux \
  --config.entrypoint /usr/bin/kuraka --config.cmd serve --config.user 65532:65532 --config.workingdir /var/lib/kuraka \
  --config.exposedports 8080/tcp --config.volume /var/lib/kuraka --config.stopsignal SIGTERM \
  --config.env KURAKA__DATA_DIR=/var/lib/kuraka --config.env KURAKA__HTTP__BIND=0.0.0.0:8080 \
  --config.env KURAKA__ADMIN__BIND=127.0.0.1:9464 --config.env SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
  --config.label org.opencontainers.image.title=kuraka --config.label "org.opencontainers.image.version=$VERSION" \
  --config.label 'org.opencontainers.image.description=Lookups of Peruvian taxpayers over HTTP' \
  --config.label 'org.opencontainers.image.licenses=MIT OR Apache-2.0' \
  --config.label "org.opencontainers.image.revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)"
umoci gc --layout "$layout"
mkdir -p "$TARGET/package/out"
out=$TARGET/package/out/kuraka_${VERSION}_$(uname -m)
tar --create --sort=name --mtime "@$SOURCE_DATE_EPOCH" --owner 0 --group 0 --file "$out.oci.tar" --directory "$layout" .
rm --force "$out.docker.tar"
skopeo copy --quiet "oci:$layout:kuraka" "docker-archive:$out.docker.tar:kuraka:$VERSION"
