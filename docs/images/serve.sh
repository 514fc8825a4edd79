#!/usr/bin/env bash
# Makes docs/images/serve.png again: a table of `arena serve` in the third trick, and a picture of it.
# Needs Chromium, Python and a build (ARENA, by default the release build).
set -euo pipefail
cd "$(dirname "$0")/../.."
arena="${ARENA:-$PWD/target/release/arena}"
work="$(mktemp -d)"
"$arena" serve --tables "$work/tables" >"$work/address" &
server=$!
trap 'kill "$server"; rm -rf "$work"' EXIT
until [ -s "$work/address" ]; do sleep 0.1; done
page="$(python3 - "$(cat "$work/address")" <<'PYTHON'
import sys
sys.path.insert(0, "examples")
from serve_client import ask
base = sys.argv[1].rstrip("/")
made = ask(base, "tables", body={"seed": "30", "partner": "net", "others": "net"})
table, token = f"tables/{made['id']}", made["seats"][0]["token"]
state = ask(base, table, token)
while len(state["tricks"]) < 2 or len(state["trick"]) < 3:
    calls, cards = state["legal"]["calls"], state["legal"]["cards"]
    state = ask(base, f"{table}/call", token, {"call": "P"}) if calls else ask(base, f"{table}/play", token, {"card": cards[0]})
print(f"{base}/#/t/{made['id']}/{token}")
PYTHON
)"
"${CHROMIUM:-chromium}" --headless --no-sandbox --hide-scrollbars --disable-background-networking --user-data-dir="$work/profile" \
  --lang=en --window-size=1180,760 --virtual-time-budget=5000 --screenshot="$PWD/docs/images/serve.png" "$page"
