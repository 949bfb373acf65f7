# A Debian with systemd, booted from a folder in namespaces of its own, without a network. Read by the tests with `.`.
# Needs root. `boot`, then `inside COMMANDS`; `shut_down` stops it and removes the folder.

machine=$TARGET/package/test
root=$machine/root

# make_root: unpacks the machine, which is made once.
make_root() {
  need mmdebstrap mmdebstrap
  need systemd-nspawn systemd-container
  mkdir -p "$machine"
  [ -f "$machine/root.tar" ] || mmdebstrap --quiet --variant=minbase \
    --include=systemd,systemd-sysv,dbus,adduser,ca-certificates,curl,jq,nginx,openssl,postgresql,procps,python3,rpm,sudo,tzdata \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$machine/root.tar"
  rm --recursive --force "$root"
  mkdir "$root"
  tar --extract --preserve-permissions --file "$machine/root.tar" --directory "$root"
  echo localhost >"$root/etc/hostname"
}

# publish: lets the machine serve the sample as the published files, to the services of the packages.
publish() {
  local name file units=$root/etc/systemd/system
  mkdir -p "$root/srv/published"
  cp crates/sandbox/sample/* "$root/srv/published"
  # The text of the rates is one line, of today.
  TZ=America/Lima date '+%d/%m/%Y|3.401|3.412|' >"$root/srv/published/tipo_de_cambio.txt"
  cat >"$units/published.service" <<'UNIT'
[Service]
ExecStart=/usr/bin/python3 -m http.server --bind 127.0.0.1 --directory /srv/published 8000
[Install]
WantedBy=multi-user.target
UNIT
  mkdir -p "$units"/kuraka{,-update}.service.d
  {
    echo '[Service]'
    while read -r name file; do echo "Environment=KURAKA__DATASETS__${name^^}__URL=http://127.0.0.1:8000/$file"; done <<'FILES'
padron padron_reducido_ruc.txt
retencion AgenRet_TXT.txt
buenos_contribuyentes BueCont_TXT.txt
percepcion_venta_interna AgenPercVI_TXT.txt
percepcion_combustibles AgenPerc_TXT.txt
anexos padron_reducido_local_anexo.txt
datos_abiertos PadronRUC_202609.csv
ssco sujesincapacidadOperativa.xlsx
sanciones sancionados.csv
tipo_de_cambio tipo_de_cambio.txt
FILES
    echo 'Environment=KURAKA__DATASETS__TIPO_DE_CAMBIO__SERIES_URL=off'
  } | tee "$units/kuraka.service.d/published.conf" >"$units/kuraka-update.service.d/published.conf"
}

boot() {
  systemd-nspawn --quiet --register=no --keep-unit --private-network --console=pipe --hostname=kuraka --directory "$root" \
    --boot </dev/null >"$machine/console.log" 2>&1 &
  nspawn=$!
  # Another child comes first and ends.
  until leader=$(pgrep --parent "$nspawn" --exact systemd); do
    kill -0 "$nspawn" || { cat "$machine/console.log" >&2; return 1; }
    sleep 0.1
  done
  eventually 'test -S /run/dbus/system_bus_socket && [ -n "$(systemctl is-system-running | grep -E "running|degraded")" ]'
}

# inside COMMANDS: runs them in the machine as root.
inside() {
  nsenter --target "$leader" --all --root --wdns=/root env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -euo pipefail -c "$1"
}

# eventually COMMANDS: waits until they succeed in the machine, for 90 seconds.
eventually() {
  local try
  for try in $(seq 450); do
    ! inside "$1" >/dev/null 2>&1 || return 0
    sleep 0.2
  done
  echo "this did not become true: $1" >&2
  inside 'journalctl --no-pager --lines 30 --output cat' >&2
  return 1
}

shut_down() {
  if [ -n "${nspawn:-}" ]; then
    kill "$nspawn" 2>/dev/null || true
    wait "$nspawn" 2>/dev/null || true
  fi
  rm --recursive --force "$root"
}
