#!/bin/sh
# Makes one part of a plan: `sh part.sh 3` makes part 3 of @SHARDS@. Written by `arena plan`; change what you like.
#
# A part goes on where it stopped, and one that is done costs nothing: give it again at any time. Two at work on the same
# part are no harm either: the second is refused. The exit code is that of arena: 0 done, 130 interrupted; others failed,
# and the end of logs/NUMBER.err says why.
set -u

# The environment may name another program, directory or number of threads, where machines differ.
ARENA=${ARENA:-}
[ -n "$ARENA" ] || ARENA=@ARENA@
# Where the plan was made: paths in the command begin here.
FROM=${FROM:-}
[ -n "$FROM" ] || FROM=@FROM@
THREADS=${THREADS:-${SLURM_CPUS_PER_TASK:-@THREADS@}}

PLAN=$(cd -- "$(dirname -- "$0")" && pwd) || exit 2
I=$(expr "${1:-}" + 0) || { echo "part.sh: expected the number of a part, 1 to @SHARDS@" >&2; exit 2; }
NAME=$(printf '@FORMAT@' "$I")
OUT=@OUT@
mkdir -p -- "$PLAN/parts" "$PLAN/logs" || exit 3
cd -- "$FROM" || exit 2

# logs/NUMBER.err keeps what all attempts said, logs/NUMBER.exit the exit code of the last; there is none while it is at work.
log=$PLAN/logs/$NAME
rm -f -- "$log.exit"
echo "== $(uname -n), $(date -u '+%Y-%m-%d %H:%M:%S UTC'), part $I of @SHARDS@" >>"$log.err"

"$ARENA" @COMMAND@ \
  --shard "$I/@SHARDS@" --out "$OUT" --threads "$THREADS" --progress plain >"$log.out" 2>>"$log.err" &

# Schedulers tell this shell, not its children, to end: it passes that on, and arena saves what was played.
child=$!
trap 'kill -TERM "$child" 2>/dev/null' HUP INT TERM
wait "$child"
code=$?
while kill -0 "$child" 2>/dev/null; do
  wait "$child"
  code=$?
done
trap - HUP INT TERM
echo "$code" >"$log.exit.new" && mv -- "$log.exit.new" "$log.exit"
exit "$code"
