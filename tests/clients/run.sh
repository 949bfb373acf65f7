#!/usr/bin/env bash
# Generates a client in TypeScript, Python and Java from the committed OpenAPI document, compiles a program for each, and
# runs it against `kuraka demo` on loopback, and after them a program in PHP of the original interface. A program calls every operation and handles every error by one type. Fails
# if a type checker accepts an empty voucher, or if Python gets a model of a schema without a name. Everything generated or
# installed is in target/clients. Run by `make clients`, which installs what it needs. The argument is the jar of
# Jakarta's annotations.
set -euo pipefail
cd "$(dirname "$0")/../.."

document=$PWD/docs/reference/openapi.json
programs=$PWD/tests/clients
target=$(mkdir -p "${CARGO_TARGET_DIR:-target}/clients" && cd "${CARGO_TARGET_DIR:-target}/clients" && pwd)
kuraka=$target/../debug/kuraka
annotations=$1
api=127.0.0.1:18112
admin=127.0.0.1:18113

# Fails unless the command fails and prints this text.
refuses() {
  local expected=$1 printed
  shift
  if printed=$("$@" 2>&1); then
    echo "accepted, although it must be refused: $*" >&2
    return 1
  fi
  if ! grep --quiet --fixed-strings -- "$expected" <<<"$printed"; then
    printf 'refused, but not with "%s":\n%s\n' "$expected" "$printed" >&2
    return 1
  fi
}

# Removes what was generated before: a type that the document no longer has must not stay.
fresh() {
  rm --recursive --force "$@"
}

echo "==> TypeScript"
node=$target/typescript
mkdir -p "$node"
npm install --silent --no-fund --no-audit --prefix "$node" \
  openapi-typescript@7 openapi-fetch@0.17 typescript@5 @types/node@20
fresh "$node/built" "$node"/*.ts "$node"/*.mts
cp "$programs"/typescript/*.mts "$node"
"$node/node_modules/.bin/openapi-typescript" "$document" --output "$node/api.d.ts"
compile=("$node/node_modules/.bin/tsc" --strict --target es2022 --module nodenext --types node
  --typeRoots "$node/node_modules/@types")
"${compile[@]}" --outDir "$node/built" "$node/calls.mts"
refuses "empty_voucher.mts(4,14): error TS2740: Type '{}' is missing the following properties" \
  "${compile[@]}" --noEmit "$node/empty_voucher.mts"

echo "==> Python"
python=$target/python
test -x "$python/bin/mypy" || python3 -m venv "$python"
"$python/bin/pip" install --quiet --disable-pip-version-check \
  'openapi-python-client>=0.29,<0.30' 'mypy>=2,<3' 'openapi-generator-cli>=7.26,<8'
fresh "$target/generated"
mkdir "$target/generated"
# The generator knows no body of lines, which other programs send; it leaves such a body as bytes.
printf 'post_hooks: []\ncontent_type_overrides:\n  text/plain: application/octet-stream\n' >"$target/generated/options.yaml"
"$python/bin/openapi-python-client" generate --meta none --path "$document" \
  --config "$target/generated/options.yaml" --fail-on-warning --output-path "$target/generated/kuraka_client"
nameless=$(find "$target/generated/kuraka_client/models" -name '*_type_[0-9]*')
if [ -n "$nameless" ]; then
  echo "these models are of inline schemas without a name: $nameless" >&2
  exit 1
fi
check=("$python/bin/mypy" --strict --no-error-summary --cache-dir "$target/generated/cache")
export MYPYPATH=$target/generated PYTHONPATH=$target/generated PYTHONDONTWRITEBYTECODE=1
"${check[@]}" "$programs/python/calls.py"
refuses 'empty_voucher.py:5: error: Missing positional arguments' "${check[@]}" "$programs/python/empty_voucher.py"

echo "==> Java"
java=$target/java
fresh "$java"
generator=$(find "$python" -name openapi-generator.jar)
java -jar "$generator" generate --input-spec "$document" --generator-name java --library native --output "$java/source" \
  --additional-properties openApiNullable=false,useJakartaEe=true,hideGenerationTimestamp=true \
  --global-property models,apis,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false \
  >"$target/java.log" 2>&1 || { tail "$target/java.log" >&2; exit 1; }
# The generator itself contains the JSON library that its clients use.
find "$java/source/src/main" -name '*.java' -print0 | xargs -0 \
  javac -nowarn -Xlint:none -d "$java/classes" -classpath "$generator:$annotations" "$programs/java/Calls.java"

echo "==> Calls"
KURAKA__DATA_DIR=$target/data KURAKA__HTTP__BIND=$api KURAKA__ADMIN__BIND=$admin \
  KURAKA__PLANS__FREE__QUERIES=1000000 KURAKA__PLANS__FREE__RATE=100000 KURAKA__PLANS__FREE__BURST=100000 \
  "$kuraka" demo >"$target/server.log" 2>&1 &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do
  if curl --silent --fail "http://$admin/readyz" >/dev/null; then break; fi
  sleep 0.1
done
token=$(cat "$target/data/demo-token")
node "$node/built/calls.mjs" "http://$api" "$token"
"$python/bin/python" "$programs/python/calls.py" "http://$api" "$token"
java -classpath "$java/classes:$generator:$annotations" Calls "http://$api" "$token"
php "$programs/php/invoicing.php" "http://$api" "$token" 2026-09-06
