#!/usr/bin/env bash
# Reads the workbook of `kuraka lookup --file --output xlsx` with LibreOffice, and compares every sheet with the expected one.
#
#   tests/workbook/run.sh KURAKA
set -euo pipefail
kuraka=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
folder=$(mktemp --directory)
trap 'rm --recursive "$folder"' EXIT
export KURAKA__DATA_DIR=$folder/data KURAKA__DATASETS__ENABLED=padron,ssco KURAKA__DATASETS__PADRON__MAX_AGE_DAYS=0 \
  KURAKA__DATASETS__SSCO__MAX_AGE_DAYS=0
sample=$here/../../crates/sandbox/sample
"$kuraka" dataset import padron "$sample/padron_reducido_ruc.txt" --date 2026-11-20 >/dev/null
"$kuraka" dataset import ssco "$sample/sujesincapacidadOperativa.xlsx" --date 2026-11-20 >/dev/null
"$kuraka" lookup --file "$here/compras.csv" --output xlsx > "$folder/lista.xlsx"
# Semicolons, UTF-8, texts in quotes, numbers and days as they are shown, a file for each sheet.
cd "$folder"
soffice "-env:UserInstallation=file://$folder/profile" --headless --convert-to \
  'csv:Text - txt - csv (StarCalc):59,34,76,1,,0,true,true,true,false,false,-1' lista.xlsx >soffice.log 2>&1 ||
  { cat soffice.log >&2; exit 1; }
# The hour of the lookup differs.
sed --in-place '/^"Consultada";/d' lista-Resumen.csv
for sheet in Resumen Proveedores Fuentes; do
  diff --unified "$here/$sheet.csv" "lista-$sheet.csv"
done
echo "LibreOffice shows every sheet as expected"
