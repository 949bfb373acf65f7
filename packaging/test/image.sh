#!/usr/bin/env bash
# Starts the image as its user with a read-only root and an empty volume, and then the services of compose.yaml: three
# servers, a builder, PostgreSQL and nginx. There are no containers: the unpacked image is the root folder of services in
# a machine with systemd.
set -euo pipefail
cd "$(dirname "$0")/../.."
. packaging/tools.sh
. packaging/test/machine.sh
need umoci umoci
need jq jq
need ip iproute2
trap shut_down EXIT

say() { printf '%5d s  %s\n' "$SECONDS" "$*"; }
units=/etc/systemd/system
# compose_exec SERVICE COMMAND: as `docker compose exec`.
compose_exec() { inside "$(in_service "$1" "$2")"; }
in_service() { echo "set -a; . $units/compose-$1.env; chroot --userspec=65532:65532 /srv/image $2"; }
healthy() { eventually "$(in_service "$1" "$(cat "$root$units/compose-$1.health")")"; }
ready() { eventually "$(in_service "$1" '/usr/bin/kuraka healthcheck --ready')"; }

bundle=$machine/bundle
rm --recursive --force "$bundle"
mkdir -p "$machine/layout"
tar --extract --file "$TARGET/package/out/kuraka_${VERSION}_$(uname -m).oci.tar" --directory "$machine/layout"
umoci unpack --image "$machine/layout:kuraka" "$bundle"
size=$(du --summarize --apparent-size --block-size 1 "$bundle/rootfs" | cut --fields 1)
say "the unpacked image has $((size / 1000000)) MB"
[ "$size" -le 40000000 ]

make_root
mv "$bundle/rootfs" "$root/srv/image"
publish
python3 -c 'import yaml' 2>/dev/null || need no-program python3-yaml
python3 packaging/test/services.py compose.yaml "$bundle" "$root$units"
cat "$root$units/hosts.txt" >>"$root/etc/hosts"
cp "$root/etc/hosts" "$root/srv/image/etc/hosts"
# The builder downloads from the machine; the image's root has no settings file.
mkdir -p "$root$units/compose-builder.service.d" "$root"/srv/{builder,server-1,server-2,server-3,postgres}
cp "$root$units/kuraka.service.d/published.conf" "$root$units/compose-builder.service.d/"
# systemd looks the user up outside of the image.
cat "$root/srv/image/etc/passwd" >>"$root/etc/passwd"
cat "$root/srv/image/etc/group" >>"$root/etc/group"
cp packaging/nginx/kuraka.conf "$root/etc/nginx/kuraka.conf"
cp packaging/test/load.py "$root/root/"
echo secret >"$root/srv/postgres/password"
boot
while read -r address _; do
  nsenter --target "$leader" --net ip address add "$address/32" dev lo
done <"$root$units/hosts.txt"
inside 'systemctl enable --quiet --now published.service
  systemctl disable --quiet --now nginx postgresql; rm /etc/nginx/sites-enabled/default
  chown 65532:65532 /srv/builder /srv/server-*; chmod 700 /srv/builder; chown -R postgres /srv/postgres
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=api.example.pe -keyout /etc/ssl/api.example.pe.key \
    -out /etc/ssl/api.example.pe.pem' 2>/dev/null

# As PostgreSQL's own image does at its first start.
inside 'cd /srv/postgres; as="runuser --user postgres --"; bin=/usr/lib/postgresql/15/bin
  $as $bin/initdb --pgdata data --username kuraka --auth scram-sha-256 --pwfile password
  echo "host all all all scram-sha-256" >>data/pg_hba.conf
  echo "CREATE DATABASE kuraka" | $as $bin/postgres --single -D data postgres' >/dev/null
# As the chart does: the builder, a server and PostgreSQL at once.
inside 'systemctl start --no-block compose-builder.service compose-server-1.service compose-postgres.service'
eventually 'journalctl --unit compose-builder.service --output cat | grep --quiet listening'
began=$(inside 'systemctl show --property ExecMainStartTimestampMonotonic --value compose-builder.service')
listening=$(inside 'journalctl --unit compose-builder.service --output json' |
  jq --raw-output 'select(.MESSAGE | contains("\"listening\"")) | .__MONOTONIC_TIMESTAMP' | head --lines 1)
say "the image listens $(((listening - began) / 1000)) ms after its start"
ready builder
built=$SECONDS
ready server-1
say "a server that started together with its builder was ready $((SECONDS - built)) s after it"
[ $((SECONDS - built)) -le 30 ]
pid=$(inside 'systemctl show --property MainPID --value compose-builder.service')
inside "grep --quiet 'NoNewPrivs:	1' /proc/$pid/status; grep --quiet 'CapEff:	0000000000000000' /proc/$pid/status"
inside "! nsenter --target $pid --mount --root touch /written 2>/dev/null"
say 'the image has fetched its data with a read-only root'

# As compose.yaml does: the others when the builder's health check succeeds.
healthy builder
inside 'systemctl start compose-server-2.service compose-server-3.service compose-nginx.service'
for server in server-1 server-2 server-3; do
  ready "$server"
done
compose_exec server-1 '/usr/bin/kuraka account create --email ana@example.pe'
token=$(compose_exec server-1 '/usr/bin/kuraka token create --email ana@example.pe --name test')
compose_exec server-1 '/usr/bin/kuraka store check'
say 'three servers share PostgreSQL'

inside "python3 /root/load.py https://127.0.0.1/ruc/20100119227 $token /root/stop" >"$machine/load.json" &
load=$!
for server in server-1 server-2 server-3; do
  inside "systemctl restart compose-$server.service"
  ready "$server"
done
inside 'touch /root/stop'
wait "$load"
say "each server was restarted under load: $(cat "$machine/load.json")"
jq --exit-status '.failed == 0 and .refused == 0 and .answered > 100' "$machine/load.json" >/dev/null
