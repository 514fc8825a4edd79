#!/usr/bin/env bash
# Makes docs/images/report.png again: the commands that the README names under it, and a picture of the page's first screen.
# Needs Chromium and a release build.
set -euo pipefail
cd "$(dirname "$0")/../.."
arena="${ARENA:-$PWD/target/release/arena}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
"$arena" run table+rules rules rules:caution=5 rules+mc:worlds=5 --deals 2000 --seed 1 --out "$work/four" --progress none
"$arena" report "$work/four" --out "$work/report.html"
"${CHROMIUM:-chromium}" --headless --no-sandbox --hide-scrollbars --window-size=1280,1000 \
  --screenshot="$PWD/docs/images/report.png" "file://$work/report.html"
