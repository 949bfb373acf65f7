#!/usr/bin/env bash
# Installs, upgrades, removes and purges the .deb in a machine with systemd, with the commands of docs/guides/go-live.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
. packaging/tools.sh
. packaging/test/machine.sh
need lintian lintian
trap shut_down EXIT

say() { printf '%5d s  %s\n' "$SECONDS" "$*"; }
# guide FILE HEADING: prints the commands below a heading of a page.
guide() { awk -v heading="## $2" '/^## / { on = $0 == heading } /^```/ { code = on && $0 == "```sh"; next } code' "docs/$1"; }
# follow FILE HEADING: runs these commands, of which there are some.
follow() { local commands; commands=$(guide "$1" "$2"); [ -n "$commands" ]; inside "$commands"; }
accounts() { inside 'sudo -u kuraka kuraka account list --json'; }
used() { accounts | jq '.[0].used'; }
# settled: restarts the server, which returns its leases: they count as used.
settled() { inside 'systemctl restart kuraka.service'; eventually 'kuraka healthcheck --ready'; }
same() { [ "$1" = "$2" ] || { printf 'was: %s\nis:  %s\n' "$1" "$2" >&2; return 1; }; }
no_process() { ! inside 'pgrep --exact kuraka'; }
# no_line GREP_ARGUMENTS: fails if a line of its input matches. bash would not end the test at a line that begins with `!`.
no_line() { ! grep "$@"; }

version=$VERSION-1
deb=kuraka_${version}_$(dpkg --print-architecture).deb
lintian --allow-root --fail-on error "$TARGET/package/out/$deb"
for unit in kuraka kuraka-update kuraka-backup; do
  systemd-analyze security --offline=true --threshold=15 "$TARGET/package/stage/usr/lib/systemd/system/$unit.service" | tail --lines 1
done
# The same source with a lower version.
lower=0.0.1
packaging/deb/build.sh $lower

make_root
publish
mv "$TARGET/package/out/kuraka_$lower-1_$(dpkg --print-architecture).deb" "$root/root/"
cp packaging/test/load.py "$root/root/"
boot
inside 'systemctl enable --quiet --now published.service'
say 'the machine has booted'

follow guides/go-live.md Install
eventually 'kuraka healthcheck --ready'
say "kuraka_$lower is installed and ready"
inside 'systemctl is-enabled kuraka.service; systemctl is-active kuraka.service'
inside 'ls /usr/share/man/man1/kuraka-serve.1.gz /usr/share/bash-completion/completions/kuraka' >/dev/null

# The unit's restrictions hold for the server, and its system calls let work give way to calls.
pid=$(inside 'systemctl show --property MainPID --value kuraka.service')
status=$(inside "cat /proc/$pid/status")
for line in 'NoNewPrivs:	1' 'Seccomp:	2' 'CapBnd:	0000000000000000' 'CapEff:	0000000000000000'; do
  grep --quiet --fixed-strings "$line" <<<"$status" || { echo "the server lacks: $line" >&2; exit 1; }
done
same kuraka "$(inside "stat --format %U /proc/$pid")"
inside "sed 's|^ExecStart=.*|ExecStart=/usr/bin/chrt --idle 0 /bin/true|; s/^Type=.*/Type=oneshot/; /^Restart/d; /^Watchdog/d' \
  /usr/lib/systemd/system/kuraka.service >/run/systemd/system/probe.service; systemctl start probe.service"
inside 'systemctl start kuraka-update.service'
# Three warnings are of a first start.
inside 'journalctl --unit kuraka.service --unit kuraka-update.service --output cat' | grep '"level":"\(WARN\|ERROR\)"' |
  no_line --invert-match --regexp 'new, empty store' --regexp 'no edition of the padrón yet' --regexp 'no voucher credentials'
say 'the restrictions hold, an import has run under them'

# PostgreSQL is down when the server starts, then the server is killed. The unit needs no operator.
inside 'systemctl start postgresql.service'
inside "sudo -u postgres psql --quiet --command \"CREATE USER kuraka PASSWORD 'secret'\" --command 'CREATE DATABASE kuraka OWNER kuraka'"
inside 'systemctl stop postgresql.service; mkdir --parents /run/systemd/system/kuraka.service.d
  printf "[Service]\nEnvironment=KURAKA__STORE__URL=postgres://kuraka:secret@127.0.0.1/kuraka\n" >/run/systemd/system/kuraka.service.d/store.conf
  systemctl daemon-reload; systemctl restart kuraka.service; kuraka healthcheck; if kuraka healthcheck --ready 2>/dev/null; then exit 1; fi
  systemctl start postgresql.service'
eventually 'kuraka healthcheck --ready'
same 0 "$(inside 'systemctl show --property NRestarts --value kuraka.service')"
inside 'systemctl kill --signal KILL kuraka.service'
eventually 'test "$(systemctl show --property NRestarts --value kuraka.service)" = 1 && kuraka healthcheck --ready'
inside 'rm --recursive /run/systemd/system/kuraka.service.d; systemctl daemon-reload; systemctl restart kuraka.service'
eventually 'kuraka healthcheck --ready'
inside 'cp --archive /etc/kuraka/kuraka.toml /root/; echo nonsense = 1 >>/etc/kuraka/kuraka.toml; if systemctl reload kuraka.service 2>/dev/null; then exit 1; fi
  cp --archive /root/kuraka.toml /etc/kuraka/; rm /root/kuraka.toml; systemctl reload kuraka.service'
say 'the server waits for PostgreSQL, is started again, and refuses to reload settings that are not valid'

inside "sed --in-place '/plans.standard/,/burst/s/^# //; s/^# \[http\]/[http]/; s/^# trusted/trusted/; s/= 20\$/= 100000/; s/= 40\$/= 100000/' /etc/kuraka/kuraka.toml"
follow guides/go-live.md Settings
inside "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=api.example.pe -keyout /etc/ssl/api.example.pe.key \
  -out /etc/ssl/api.example.pe.pem" 2>/dev/null
follow guides/go-live.md 'A TLS proxy'
eventually 'kuraka healthcheck --ready'
token=$(follow guides/go-live.md 'The first caller' | tail --lines 1)
inside "TOKEN=$token; $(guide guides/go-live.md 'The first calls')" | grep --count '^HTTP/1.1 200' | grep --quiet '^[12]$'
# The machine has no internet, and nothing else is wrong with it.
doctor=$(follow guides/go-live.md Checklist || true)
for good in store ports padron 'disk space'; do grep --quiet "^✔ $good " <<<"$doctor"; done
{ grep '^✘' <<<"$doctor" || echo 'no host was checked'; } | no_line --invert-match ' not reachable '
say 'the guide has been followed to its end'

settled
kept=$(accounts)
follow operations/run.md 'Back up'
follow operations/run.md Restore
eventually 'kuraka healthcheck --ready'
same "$kept" "$(accounts)"
inside 'test -f /var/lib/kuraka/kuraka.db.before; systemctl reload kuraka.service; kuraka healthcheck'
say 'the store was backed up and restored, the settings reloaded'

before=$(inside 'sudo -u kuraka kuraka dataset changes padron; ls /var/lib/kuraka/registry/*/editions')
settled
earlier=$(used)
inside "python3 /root/load.py https://127.0.0.1/ruc/20100119227 $token /root/stop" >"$machine/load.json" &
load=$!
sleep 2
cp "$TARGET/package/out/$deb" "$root/root/"
rm "$root/root/kuraka_$lower-1_$(dpkg --print-architecture).deb"
follow operations/run.md Upgrade
eventually 'kuraka healthcheck --ready'
sleep 2
inside 'touch /root/stop'
wait "$load"
say "upgraded under load: $(cat "$machine/load.json")"
same "$version" "$(inside 'dpkg-query --show --showformat "\${Version}" kuraka')"
jq --exit-status '.failed == 0 and .answered > 100' "$machine/load.json" >/dev/null
# Each answered call is charged, and no other.
settled
same "$((earlier + $(jq .answered "$machine/load.json")))" "$(used)"
same "$before" "$(inside 'sudo -u kuraka kuraka dataset changes padron; ls /var/lib/kuraka/registry/*/editions')"
inside 'grep --quiet "^\[plans.standard\]" /etc/kuraka/kuraka.toml'
say 'accounts, queries, editions, history and settings are as before'

kept=$(accounts | jq '.[0]')
inside 'apt-get remove --yes kuraka' >/dev/null
no_process
inside 'test -f /var/lib/kuraka/kuraka.db; test -f /etc/kuraka/kuraka.toml; test ! -e /usr/bin/kuraka'
follow ../README.md Install >/dev/null
eventually 'kuraka healthcheck --ready'
same "$kept" "$(accounts | jq '.[0]')"
say 'removal keeps the data; the next installation finds it'

# A new machine, on which nothing but the archive is left. The next day's file continues the record.
kept=$(accounts | jq '.[0]')
day=$(inside 'sudo -u kuraka kuraka dataset list --json || true' | jq --raw-output '.[0].date')
inside 'rm /var/lib/kuraka/backups/today.tar.zst'
follow operations/run.md 'Back up'
inside 'mv /var/lib/kuraka/backups/today.tar.zst /srv/; apt-get purge --yes kuraka; test ! -e /var/lib/kuraka' >/dev/null
follow guides/go-live.md Install >/dev/null
eventually 'kuraka healthcheck --ready'
inside 'install -D --owner kuraka --mode 600 /srv/today.tar.zst /var/lib/kuraka/backups/today.tar.zst; chown kuraka /var/lib/kuraka/backups'
follow operations/run.md Restore
inside 'cp /var/lib/kuraka/restored.toml /etc/kuraka/kuraka.toml; systemctl restart kuraka.service'
eventually 'kuraka healthcheck --ready'
same "$kept" "$(accounts | jq '.[0]')"
inside 'cat /srv/published/padron_reducido_ruc.txt - >/var/tmp/next.txt <<<"20999999990|EMPRESA NUEVA INVENTADA S.A.C.|ACTIVO|HABIDO|150101|AV.|GRAU|-|-|1|-|-|-|-|-|"
  sudo -u kuraka kuraka dataset import padron /var/tmp/next.txt --date "$(date --date tomorrow +%F)"'
inside "sudo -u kuraka kuraka lookup 20100119227 --date $day"
same '' "$(inside 'sudo -u kuraka kuraka dataset changes padron 2>&1 >/dev/null')"
say 'a new machine has what was backed up, and continues the record'

inside 'apt-get purge --yes kuraka' >/dev/null
no_process
inside '! getent passwd kuraka'
inside 'rm -r /etc/systemd/system/kuraka*.service.d /root/kuraka*; rm /etc/nginx/conf.d/kuraka.conf'
left=$(inside 'find / -xdev -name "*kuraka*" -not -path "/proc/*" -not -path "/sys/*" -not -path "/run/*" -not -path "/var/log/*"')
[ -z "$left" ] || { echo "left after the purge: $left" >&2; exit 1; }
say 'the purge leaves nothing'

# The .rpm has the same files. Its requirements are not Debian's.
cp "$TARGET"/package/out/*.rpm "$root/root/kuraka.rpm"
inside 'rpm --install --nodeps /root/kuraka.rpm; systemctl is-active kuraka.service'
eventually 'kuraka healthcheck'
inside 'rpm --erase --nodeps kuraka; test -d /var/lib/kuraka'
no_process
say 'the .rpm installs, starts the server, and is removed'
