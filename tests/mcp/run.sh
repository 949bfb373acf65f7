#!/usr/bin/env bash
# Calls /mcp and `kuraka mcp` as agents do: the official scenarios of conformance, the SDKs of Python and TypeScript, and a
# check of the tools' texts, against `kuraka demo` on loopback. `make mcp` calls it with the program and a folder.
set -euo pipefail
kuraka=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")"
api=127.0.0.1:${MCP_PORT:-18116}
proxy=${MCP_PROXY_PORT:-18117}

if ! cmp --quiet package.json "$folder/package.json"; then
  cp package.json "$folder"
  # The scenarios need a newer Node.js than Debian's, which is a package too.
  npm install --silent --no-fund --no-audit --prefix "$folder" || { rm "$folder/package.json"; exit 1; }
fi
if ! cmp --quiet requirements.txt "$folder/requirements.txt"; then
  python3 -m venv "$folder/python"
  "$folder/python/bin/pip" install --quiet --disable-pip-version-check --requirement requirements.txt
  cp requirements.txt "$folder"
fi
node=$folder/node_modules/node/bin/node

export KURAKA_CONFIG= KURAKA__DATA_DIR=$folder/data KURAKA__HTTP__PUBLIC_URL=http://$api
export KURAKA__PLANS__FREE__QUERIES=1000000 KURAKA__PLANS__FREE__RATE=100000 KURAKA__PLANS__FREE__BURST=100000
# A store of another build may have another schema.
rm -rf "$folder/data"
"$kuraka" demo --port "${api#*:}" >"$folder/server.log" 2>&1 &
processes=($!)
trap 'kill "${processes[@]}"' EXIT
for _ in $(seq 100); do curl --silent --fail "http://$api/llms.txt" >"$folder/llms.txt" && break; sleep 0.1; done
token=$(<"$folder/data/demo-token")
unset KURAKA__DATA_DIR KURAKA__HTTP__PUBLIC_URL

"$node" proxy.mjs "$proxy" "http://$api" "$token" &
processes+=($!)
for _ in $(seq 100); do curl --silent "http://127.0.0.1:$proxy/llms.txt" >"$folder/llms.txt" && break; sleep 0.1; done

# A scenario fails where it needs the diagnostic tools of its own server, or prompts and resources.
needless='Not testable|no method (prompts|resources)/'
failed=0
for scenario in server-initialize ping tools-list dns-rebinding-protection server-stateless http-header-validation caching; do
  log=$folder/$scenario.log
  "$node" "$folder/node_modules/@modelcontextprotocol/conformance/dist/index.js" server --scenario "$scenario" \
    --url "http://127.0.0.1:$proxy/mcp" >"$log" 2>&1 || true
  passed=$(grep --count SUCCESS "$log" || true)
  wrong=$(grep 'Error:' "$log" | grep --count --invert-match --extended-regexp "$needless" || true)
  echo "conformance $scenario: $passed passed, $wrong failed"
  [[ $passed -gt 0 && $wrong == 0 ]] || failed=1
done

"$folder/python/bin/tdqs" lint --fail-on error --url "http://$api/mcp" --header "Authorization: Bearer $token" | tail -n 1
PYTHONDONTWRITEBYTECODE=1 "$folder/python/bin/python" client.py "$kuraka" "http://$api" "$token" "$folder/data"
cp client.mjs "$folder"
"$node" "$folder/client.mjs" "$kuraka" "http://$api" "$token" "$folder/data"
exit "$failed"
