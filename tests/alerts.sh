#!/usr/bin/env bash
# Kills a server that a running Prometheus scrapes, and waits until the alarms tell: tests/alerts.sh KURAKA
# The alarms, with seconds instead of minutes, are those of docs/operations.
set -euo pipefail
kuraka=$(realpath "$1")
cd "$(dirname "$0")/../docs/operations"

folder=$(mktemp --directory)
admin=127.0.0.1:${ADMIN_PORT:-18120}
prometheus=127.0.0.1:${PROMETHEUS_PORT:-18121}
trap 'kill -9 ${server:-} ${scraper:-} 2>/dev/null || true; wait; rm --recursive --force "$folder"' EXIT

sed 's/for: \(.*\)m$/for: \1s/' alerts.yml >"$folder/alerts.yml"
sed "s/127.0.0.1:9464/$admin/; s/15s/1s/" prometheus.yml >"$folder/prometheus.yml"
prometheus --config.file "$folder/prometheus.yml" --storage.tsdb.path "$folder/prometheus" --web.listen-address "$prometheus" \
  --log.level error &
scraper=$!
export KURAKA_CONFIG='' KURAKA__DATA_DIR=$folder/data
"$kuraka" dataset import padron ../../crates/sandbox/sample/padron_reducido_ruc.txt --date "$(TZ=PET5 date +%F)" >/dev/null
KURAKA__HTTP__BIND=127.0.0.1:0 KURAKA__ADMIN__BIND=$admin \
  KURAKA__DATASETS__ENABLED=padron KURAKA__DATASETS__UPDATE_EVERY=off KURAKA__LOG__LEVEL=off "$kuraka" serve &
server=$!

# firing: the names of the alarms that fire, sorted, in one line.
firing() {
  curl --silent "http://$prometheus/api/v1/alerts" | python3 -c 'import json, sys
print(*sorted(alert["labels"]["alertname"] for alert in json.load(sys.stdin)["data"]["alerts"] if alert["state"] == "firing"))'
}
# wait_for WHAT COMMAND…: repeats the command until it succeeds, for a minute.
wait_for() {
  local what=$1
  shift
  for _ in $(seq 300); do
    if "$@" 2>/dev/null; then return; fi
    sleep 0.2
  done
  echo "this did not become true: $what" >&2
  return 1
}
is_scraped() { curl --silent "http://$prometheus/api/v1/query?query=kuraka_ready" | grep --quiet ',"1"\]'; }
is_quiet() { test -z "$(firing)"; }
fires() { firing | tr ' ' '\n' | grep --quiet --line-regexp "$1"; }

wait_for 'Prometheus scrapes a ready server' is_scraped
wait_for 'no alarm fires' is_quiet
kill -9 "$server"
began=$SECONDS
wait_for 'KurakaDown fires' fires KurakaDown
wait_for 'KurakaAbsent fires' fires KurakaAbsent
echo "Prometheus saw the killed server: KurakaDown and KurakaAbsent fired after $((SECONDS - began)) s"
