#!/usr/bin/env bash
# Generates clients from the committed OpenAPI document, compiles a program for each, runs it against `kuraka demo` on
# loopback, and prints a table. Every program makes the same calls and must print `expected.txt`. A line of the table is a
# call of `client`, whose steps are the functions NAME.generate, NAME.compile and NAME.call, or none of that name.
# Everything generated or installed is in target/clients. Run by `make clients`, which installs the languages. The
# arguments are the program `kuraka`, the folder, and the names of clients if not all are wanted.
set -euo pipefail
kuraka=$(realpath "$1")
mkdir -p "$2"
target=$(realpath "$2")
shift 2
cd "$(dirname "$0")/../.."

document=$PWD/docs/reference/openapi.json
programs=$PWD/tests/clients
node=$target/node_modules/.bin
python=$target/python
generated=$target/generated
logs=$target/logs
api=127.0.0.1:${CLIENTS_PORT:-18112}
admin=127.0.0.1:${CLIENTS_ADMIN_PORT:-18113}
newtonsoft=/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll
export PYTHONDONTWRITEBYTECODE=1

# Installs what package.json and requirements.txt name, if that is not what was installed last.
install() {
  if ! cmp --quiet "$programs/package.json" "$target/package.json"; then
    cp "$programs/package.json" "$target"
    npm install --silent --no-fund --no-audit --prefix "$target" || { rm "$target/package.json"; return 1; }
  fi
  if ! cmp --quiet "$programs/requirements.txt" "$target/requirements.txt"; then
    python3 -m venv "$python"
    "$python/bin/pip" install --quiet --disable-pip-version-check --requirement "$programs/requirements.txt"
    cp "$programs/requirements.txt" "$target"
  fi
  jar=$(find "$python" -name openapi-generator.jar)
}

# generator GENERATOR FOLDER PROPERTIES…
generator() {
  local name=$1 folder=$2
  shift 2
  java -jar "$jar" generate --input-spec "$document" --generator-name "$name" --output "$generated/$folder" \
    --global-property models,apis,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false \
    --additional-properties "$(IFS=,; echo "hideGenerationTimestamp=true${*:+,$*}")"
}

# Fails unless the command fails and prints this text.
refuses() {
  local expected=$1 printed
  shift
  if printed=$("$@" 2>&1); then
    echo "accepted, although it must be refused: $*"
    return 1
  fi
  grep --quiet --fixed-strings -- "$expected" <<<"$printed" || { printf 'without "%s":\n%s\n' "$expected" "$printed"; return 1; }
}

typescript() {
  "$node/tsc" --strict --target es2022 --module nodenext --types node --typeRoots "$target/node_modules/@types" "$@"
}
compile_typescript() { typescript --outDir "$generated/built" "$generated/$1.mts"; }
call_typescript() { node "$generated/built/$1.mjs" "http://$api" "$token"; }
check_python() { "$python/bin/mypy" --strict --no-error-summary --cache-dir "$target/mypy" "$@"; }
call_python() { "$python/bin/python" "$programs/python/$1.py" "http://$api" "$token"; }

openapi-typescript.generate() { "$node/openapi-typescript" "$document" --output "$generated/api.d.ts"; }
openapi-typescript.compile() {
  compile_typescript openapi-fetch
  refuses "empty_voucher.mts(4,14): error TS2740: Type '{}' is missing the following properties" \
    typescript --noEmit "$generated/empty_voucher.mts"
}
openapi-typescript.call() { call_typescript openapi-fetch; }

hey-api.generate() { "$node/openapi-ts" --input "$document" --output "$generated/hey" --client @hey-api/client-fetch; }
hey-api.compile() { compile_typescript hey-api; }
hey-api.call() { call_typescript hey-api; }

orval-fetch.generate() { "$node/orval" --input "$document" --output "$generated/orval/fetch.ts" --client fetch; }
orval-fetch.compile() { compile_typescript orval-fetch; }
orval-fetch.call() { call_typescript orval-fetch; }

orval-zod.generate() { "$node/orval" --input "$document" --output "$generated/orval/zod.ts" --client zod; }
orval-zod.compile() { compile_typescript orval-zod; }
orval-zod.call() { call_typescript orval-zod; }

typescript-fetch.generate() { generator typescript-fetch typescript-fetch importFileExtension=.js; }
typescript-fetch.compile() { compile_typescript openapi-generator; }
typescript-fetch.call() { call_typescript openapi-generator; }

openapi-python-client.generate() {
  # It knows no body of lines, which other programs send; it leaves such a body as bytes.
  printf 'post_hooks: []\ncontent_type_overrides:\n  text/plain: application/octet-stream\n' >"$generated/options.yaml"
  "$python/bin/openapi-python-client" generate --meta none --path "$document" --config "$generated/options.yaml" \
    --fail-on-warning --output-path "$generated/python/kuraka_client"
  local nameless
  nameless=$(find "$generated/python/kuraka_client/models" -name '*_type_[0-9]*')
  [ -z "$nameless" ] || { echo "these models are of inline schemas without a name: $nameless"; return 1; }
}
openapi-python-client.compile() {
  check_python "$programs/python/openapi_python_client.py"
  refuses 'empty_voucher.py:5: error: Missing positional arguments' check_python "$programs/python/empty_voucher.py"
}
openapi-python-client.call() { call_python openapi_python_client; }

datamodel-code-generator.generate() {
  "$python/bin/datamodel-codegen" --input "$document" --input-file-type openapi --output "$generated/python/models.py" \
    --output-model-type pydantic_v2.BaseModel --target-python-version 3.11 --use-annotated --formatters builtin
}
datamodel-code-generator.compile() {
  check_python "$generated/python/models.py" "$programs/python/datamodel_code_generator.py"
}
datamodel-code-generator.call() { call_python datamodel_code_generator; }

# Its client does not pass mypy --strict.
python.generate() { generator python python-openapi packageName=kuraka_openapi; }
python.compile() { "$python/bin/python" -m compileall -q "$generated/python-openapi"; }
python.call() { call_python openapi_generator; }

java.generate() { generator java java library=native openApiNullable=false useJakartaEe=true; }
java.compile() {
  # The generator itself contains the JSON library that its clients use.
  find "$generated/java/src/main" -name '*.java' -print0 | xargs -0 javac -nowarn -Xlint:none \
    -d "$generated/java/classes" -classpath "$jar:/usr/share/java/jakarta-annotation-api.jar" "$programs/java/Calls.java"
}
java.call() {
  java -classpath "$generated/java/classes:$jar:/usr/share/java/jakarta-annotation-api.jar" Calls "http://$api" "$token"
}

csharp.generate() {
  generator csharp csharp targetFramework=net48 library=httpclient packageName=Kuraka
  # The system's JSON library has no naming strategies; the generated types name every field themselves.
  find "$generated/csharp/src" -name '*.cs' -exec sed --in-place '/NamingStrategy = new Camel/,/^ *}/d' {} +
}
csharp.compile() {
  find "$generated/csharp/src/Kuraka" -name '*.cs' -print0 | xargs -0 mcs -langversion:latest -warn:0 \
    -out:"$generated/csharp/calls.exe" -reference:"$newtonsoft" \
    -reference:System.Net.Http,System.Runtime.Serialization,System.ComponentModel.DataAnnotations,System.Web \
    "$programs"/csharp/*.cs
  cp "$newtonsoft" "$generated/csharp"
}
csharp.call() { mono "$generated/csharp/calls.exe" "http://$api" "$token"; }

php.generate() { generator php php; }
php.compile() { find "$generated/php/lib" -name '*.php' -print0 | xargs -0 --max-args 1 php --syntax-check; }
php.call() { php "$programs/php/calls.php" "http://$api" "$token" "$generated/php"; }

redocly.generate() {
  "$node/redocly" lint --config "$programs/redocly.yaml" "$document" "${document/openapi/webhooks}"
}
spectral.generate() {
  "$node/spectral" lint --fail-severity hint --ruleset "$programs/spectral.yaml" "$document" "${document/openapi/webhooks}"
}

# The original interface's program, which must work with another address.
invoicing.call() { php "$programs/php/invoicing.php" "http://$api" "$token" 2026-09-06; }

rows=()
failed=0
# client NAME: takes the steps, each only after the one before.
client() {
  local name=$1 step row="| $1 |" is_well=yes
  for step in generate compile call; do
    if ! declare -F "$name.$step" >/dev/null; then
      row+=" – |"
    elif [ $is_well = no ]; then
      row+=" not tried |"
    elif take "$name" "$step"; then
      row+=" yes |"
    else
      is_well=no failed=1 row+=" **no** |"
      tail -n 20 "$logs/$name.$step" >&2
    fi
  done
  rows+=("$row")
  echo "$row"
}
take() {
  # A process of its own, which ends at the first command that fails.
  "$1.$2" >"$logs/$1.$2" 2>&1 &
  wait $! || return 1
  if [ "$2" = call ] && [ "$1" != invoicing ]; then diff "$programs/expected.txt" "$logs/$1.call" >&2; fi
}

rm --recursive --force "$generated" "$logs"
mkdir -p "$generated/python" "$logs"
install
cp "$programs"/typescript/*.mts "$generated"
printf '{"type": "module"}' >"$generated/package.json"
# @hey-api/openapi-ts reads from it how files are imported.
printf '{"compilerOptions": {"module": "nodenext"}}' >"$target/tsconfig.json"
export MYPYPATH=$generated/python:$programs/python PYTHONPATH=$generated/python:$generated/python-openapi

KURAKA__DATA_DIR=$target/data KURAKA__HTTP__BIND=$api KURAKA__ADMIN__BIND=$admin \
  KURAKA__PLANS__FREE__QUERIES=1000000 KURAKA__PLANS__FREE__RATE=100000 KURAKA__PLANS__FREE__BURST=100000 \
  "$kuraka" demo >"$target/server.log" 2>&1 &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 300); do
  if curl --silent --fail "http://$admin/readyz" >/dev/null; then break; fi
  sleep 0.1
done
token=$(cat "$target/data/demo-token")

all=(openapi-typescript hey-api orval-fetch orval-zod typescript-fetch openapi-python-client datamodel-code-generator
  python java csharp php redocly spectral invoicing)
for name in "${@:-${all[@]}}"; do
  client "$name"
done
echo
printf '%s\n' '| client | generates | compiles | calls |' '|---|---|---|---|' "${rows[@]}"
exit $failed
