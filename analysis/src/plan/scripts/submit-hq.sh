#!/bin/sh
# Submits a plan to HyperQueue, whose server is running: the parts, and the merge behind them. Written by `arena plan`; change
# what you like. Words behind it go to `hq job submit-file`. A part that is done costs a task of some hundredths of a second:
# given again it makes what is missing.
set -u

PLAN=$(cd -- "$(dirname -- "$0")" && pwd) || exit 2
mkdir -p -- "$PLAN/logs" || exit 3
exec hq job submit-file "$@" "$PLAN/plan.hq.toml"
