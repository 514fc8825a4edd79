#!/bin/sh
# Carries a plan out on this machine: `sh run.sh 8` makes 8 parts at a time, `sh run.sh` one for each core.
# Written by `arena plan`; change what you like. Given again it makes what is missing. `arena status` shows the progress.
set -u

@HEAD@
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
JOBS=${1:-$(((cores + @THREADS@ - 1) / @THREADS@))}

while :; do
  # Others are made when one fails: xargs ends with 123 then.
  "$ARENA" status --missing "$PLAN" >"$PLAN/logs/missing" || exit
  if [ -s "$PLAN/logs/missing" ]; then
    xargs -n 1 -P "$JOBS" sh "$PLAN/part.sh" <"$PLAN/logs/missing" || {
      echo "a part failed: $ARENA status $PLAN" >&2
      exit 1
    }
  fi
  sh "$PLAN/merge.sh"
  code=$?
  # Only commands in waves have this code: the next one is made of what was merged.
  [ "$code" -eq 12 ] || exit "$code"
done
