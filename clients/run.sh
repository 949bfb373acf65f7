#!/usr/bin/env bash
# Packs each client as its ecosystem does, installs the pack in an empty project, and there runs strict checks, the table
# of cases, every operation against `kuraka demo`, 300 calls of 30 workers on a plan of 20 calls a second, and the lines of
# the README. Everything is made in the folder. The arguments are the program `kuraka`, the folder, and the names of
# clients if not all are wanted. Run by `make clients`, which installs the languages.
set -euo pipefail
kuraka=$(realpath "$1")
mkdir -p "$2"
target=$(realpath "$2")
shift 2
clients=$(cd "$(dirname "$0")" && pwd)
programs=$clients/programs
open=127.0.0.1:${CLIENTS_PORT:-18112}
limited=127.0.0.1:${CLIENTS_LIMITED_PORT:-18114}
admin=127.0.0.1:${CLIENTS_ADMIN_PORT:-18113}
export PYTHONDONTWRITEBYTECODE=1

servers=()
trap 'kill "${servers[@]}"' EXIT
# serve NAME ADDRESS RATE BURST
serve() {
  KURAKA__DATA_DIR=$target/$1 KURAKA__HTTP__BIND=$2 KURAKA__ADMIN__BIND=$admin KURAKA__PLANS__FREE__QUERIES=1000000 \
    KURAKA__PLANS__FREE__RATE=$3 KURAKA__PLANS__FREE__BURST=$4 "$kuraka" demo >"$target/$1.log" 2>&1 &
  servers+=($!)
  for _ in $(seq 300); do
    if curl --silent --fail "http://$admin/readyz" >/dev/null; then break; fi
    sleep 0.1
  done
  # The next one has another.
  admin=${admin%:*}:$((${admin##*:} + 2))
}

# check NAME COMMAND…: the table of cases, and the demo servers.
check() {
  python3 "$clients/table.py" "$@"
  python3 "$clients/demo.py" "$1" "http://$open" "$(cat "$target/open/demo-token")" \
    "http://$limited" "$(cat "$target/limited/demo-token")" "${@:2}"
}

code() { sed --quiet '/^```[a-z]/,/^```$/{/^```/d;p}' "$1/README.md"; }
# The code of a README, which must print what the demo answers. Arguments: folder, file for the code, command.
readme() {
  local printed
  code "$1" >>"$2"
  printed=$(KURAKA_URL=http://$open KURAKA_TOKEN=$(cat "$target/open/demo-token") "${@:3}")
  if [ "$(tr '\n' ' ' <<<"$printed" | tr --delete "[]',")" != "HABIDO found document_not_found " ]; then
    printf 'the lines of the README of %s print:\n%s\n' "$1" "$printed"
    return 1
  fi
}

run_php() {
  local project=$target/php
  mkdir "$project" && cd "$project"
  composer archive --quiet --working-dir "$clients/php" --format zip --dir "$project" --file kuraka
  # As `composer require` installs it, but from the archive.
  python3 - "$clients/php/composer.json" "$project/kuraka.zip" >composer.json <<'END'
import json, sys
package = {**json.load(open(sys.argv[1])), "version": "1.0.0", "dist": {"type": "zip", "url": sys.argv[2]}}
source = {"type": "package", "package": package}
print(json.dumps({"repositories": [{"packagist.org": False}, source], "require": {"kuraka/kuraka": "*"}}))
END
  composer install --quiet --no-interaction
  mkdir syntax
  cp "$programs/php74.mjs" syntax
  npm install --prefix syntax --silent --no-fund --no-audit php-parser@3.7.0
  find vendor/kuraka -name '*.php' -print0 | xargs -0 --max-args 1 php --syntax-check >/dev/null
  find vendor/kuraka -name '*.php' -print0 | xargs -0 node syntax/php74.mjs
  php -d zend.assertions=1 "$programs/laravel.php" vendor/autoload.php /usr/share/php/Illuminate/Container/autoload.php \
    /usr/share/php/Illuminate/Support/autoload.php
  echo '<?php' >readme.php
  readme "$clients/php" readme.php php readme.php
  check php php "$programs/call.php" "$project/vendor/autoload.php"
}

run_typescript() {
  local project=$target/typescript
  mkdir "$project" "$project/source" && cd "$project"
  cp --recursive --dereference "$clients"/typescript/. source
  echo '{"private": true, "type": "module"}' >package.json
  npm install --silent --no-fund --no-audit typescript@5.9.3 @types/node@20.19.43
  PATH=$project/node_modules/.bin:$PATH npm pack --silent ./source >/dev/null
  npm install --silent --no-fund --no-audit ./kuraka-*.tgz
  cp "$programs"/*.mjs "$programs/strict.mts" .
  node_modules/.bin/tsc --strict --noEmit --target es2022 --module nodenext --types node strict.mts
  readme "$clients/typescript" readme.mjs node readme.mjs
  check typescript node "$project/call.mjs" kuraka
  python3 "$clients/table.py" typescript-cjs node "$project/call.mjs" kuraka cjs
}

run_python() {
  local project=$target/python
  mkdir "$project" && cd "$project"
  cp --recursive --dereference "$clients"/python source
  python3 -m venv environment
  local bin=$project/environment/bin
  "$bin/pip" install --quiet --disable-pip-version-check build mypy==2.4.1
  "$bin/python" -m build --outdir dist source >build.log 2>&1
  # The wheel, built from the source distribution.
  "$bin/pip" install --quiet --disable-pip-version-check dist/*.whl
  "$bin/mypy" --strict --no-error-summary source/src/kuraka "$programs/strict.py"
  readme "$clients/python" readme.py "$bin/python" readme.py
  check python "$bin/python" "$programs/call.py"
  python3 "$clients/table.py" python-async "$bin/python" "$programs/call.py" async
}

run_rust() {
  local project=$target/rust workspace=${clients%/*}
  mkdir -p "$project/src/bin" && cd "$project"
  export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$workspace/target}/clients-rust
  cargo package --quiet --allow-dirty --no-verify --manifest-path "$workspace/Cargo.toml" \
    --package kuraka-domain --package kuraka-api --package kuraka-client
  find "$CARGO_TARGET_DIR/package" -name 'kuraka-*.crate' -exec tar --extract --directory "$project" --file {} \;
  {
    printf '[workspace]\nexclude = ["kuraka-*"]\n[package]\nname = "project"\nedition = "2024"\n[dependencies]\n'
    printf 'kuraka-client = "*"\nserde = "1"\nserde_json = "1"\n'
    printf 'tokio = { version = "1", features = ["macros", "rt", "time"] }\n[patch.crates-io]\n'
    for crate in domain api client; do printf 'kuraka-%s = { path = "%s" }\n' $crate kuraka-$crate-[0-9]*; done
  } >Cargo.toml
  cp "$workspace/Cargo.lock" "$workspace/rust-toolchain.toml" .
  cp "$programs/call.rs" src/bin/call.rs
  # With the lines that documentation hides, and a main function.
  code "$workspace/crates/client" | sed 's/^# //' >src/bin/readme.rs
  echo '#[tokio::main(flavor = "current_thread")] async fn main() { example().await.unwrap() }' >>src/bin/readme.rs
  cargo build --quiet
  cargo clippy --quiet --no-deps --manifest-path "$workspace/Cargo.toml" --package kuraka-client -- --deny warnings \
    --warn clippy::pedantic
  readme "$workspace/crates/client" /dev/null "$CARGO_TARGET_DIR/debug/readme"
  check rust "$CARGO_TARGET_DIR/debug/call"
}

"$clients/records.py" --check
rm --recursive --force "$target"
mkdir -p "$target"
serve open "$open" 100000 100000
serve limited "$limited" 20 40
failed=0
all=(php typescript python rust)
for client in "${@:-${all[@]}}"; do
  # A process of its own, which ends at the first command that fails.
  (set -e; "run_$client") &
  wait $! || { echo "$client: failed"; failed=1; }
done
exit $failed
