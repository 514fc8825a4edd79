#!/bin/sh
# Carries a plan in waves out on HyperQueue, whose server is running: the parts of a wave as tasks, then a merge here, which
# ends with 12 while another wave is needed. Written by `arena plan`; change what you like. It waits: start it in tmux, or
# with nohup. Given again it goes on with the wave that it was in. Words behind it go to `hq submit`.
set -u

@HEAD@
mkdir -p -- "$PLAN/logs" || exit 3

while :; do
  missing=$("$ARENA" status --missing "$PLAN") || exit
  if [ -n "$missing" ]; then
    hq submit --wait --name=@NAME@ --array=1-@SHARDS@ --cpus=@THREADS@ --time-request=@SECONDS@s \
      --stdout=none --stderr=none --env=PLAN="$PLAN" --env=THREADS=@THREADS@ --env=ARENA="$ARENA" "$@" \
      -- sh -c 'exec sh "$PLAN/part.sh" "$HQ_TASK_ID"' || {
      echo "a part failed: $ARENA status $PLAN" >&2
      exit 1
    }
  fi
  sh "$PLAN/merge.sh"
  code=$?
  [ "$code" -eq 12 ] || exit "$code"
done
