#!/usr/bin/env bash
# Tries the connector in a real n8n, next to a fresh Kith with sample data, both on the loopback interface only.
# The first run installs n8n from npm: 2.8 GB, and about ten minutes. Everything is in TRY_DIR, which can be deleted.
#   TRY_DIR    where n8n is installed (default: kith-n8n-try in the temporary folder)
#   KITH_PORT  default 3340      N8N_PORT  default 3341
set -euo pipefail

n8n_version=2.41.1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
export TRY_DIR=${TRY_DIR:-${TMPDIR:-/tmp}/kith-n8n-try}
mkdir -p "$TRY_DIR/app"

# n8n needs Node 24. Kith brings its own for machines that have an older one.
node=$(command -v node)
if (($("$node" -p 'process.versions.node.split(".")[0]') < 24)); then
  node=$(ls "$root"/node_modules/node-*/bin/node 2>/dev/null | head -1 || true)
  [ -n "$node" ] || { echo 'Run npm start in the root folder once: it installs Node 24.' >&2; exit 1; }
fi

install_n8n() {
  echo "{ \"private\": true, \"dependencies\": { \"n8n\": \"$n8n_version\" } }" >"$TRY_DIR/app/package.json"
  echo "Installing n8n $n8n_version in $TRY_DIR/app ..."
  # n8n does not pin its dependencies: as they were when this version was tried.
  (cd "$TRY_DIR/app" && npm install --before=2026-10-20 --ignore-scripts --no-audit --no-fund --loglevel=error)
  # The only package whose binary does not come with it. Built here, with the headers that came with Node if there are
  # any, so that nothing is downloaded from elsewhere.
  local prefix
  prefix=$(dirname "$(dirname "$(command -v node)")")
  [ ! -e "$prefix/include/node/node_api.h" ] || export npm_config_nodedir=$prefix
  (cd "$TRY_DIR/app" && npm_config_build_from_source=true npm rebuild sqlite3 --loglevel=error)
}
[ -e "$TRY_DIR/app/node_modules/sqlite3/build/Release/node_sqlite3.node" ] || install_n8n

echo "Building the connector and checking it with n8n's linter ..."
cd "$here"
[ -d node_modules ] || npm ci --loglevel=error
for step in build lint; do
  npm run --silent $step >"$TRY_DIR/$step.log" 2>&1 || { cat "$TRY_DIR/$step.log"; exit 1; }
done

# As n8n itself installs a community package: the packed files, in its folder for downloaded nodes.
rm -rf "$TRY_DIR/n8n" "$TRY_DIR/kith"
packages=$TRY_DIR/n8n/.n8n/nodes/node_modules
mkdir -p "$packages/n8n-nodes-kith"
tarball=$(npm pack --silent --pack-destination "$TRY_DIR")
tar -xzf "$TRY_DIR/$tarball" -C "$packages/n8n-nodes-kith" --strip-components=1

exec "$node" "$here/try/run.mjs"
