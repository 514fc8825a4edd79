#!/bin/sh
# Merges the parts of a plan: the bytes of the undivided command. Written by `arena plan`; change what you like.
#
# whole.txt is what `arena merge` prints@RESULT@. The exit code is that of
# `arena merge`@CODES@.
set -u

# The environment may name another program or directory, as for part.sh.
ARENA=${ARENA:-}
[ -n "$ARENA" ] || ARENA=@ARENA@
FROM=${FROM:-}
[ -n "$FROM" ] || FROM=@FROM@

PLAN=$(cd -- "$(dirname -- "$0")" && pwd) || exit 2
mkdir -p -- "$PLAN/logs" || exit 3
cd -- "$FROM" || exit 2
log=$PLAN/logs/merge
rm -f -- "$log.exit"
echo "== $(uname -n), $(date -u '+%Y-%m-%d %H:%M:%S UTC'), merge" >>"$log.err"
@CHECK@
"$ARENA" merge @MERGE@ >"$log.out" 2>>"$log.err"
code=$?
echo "$code" >"$log.exit.new" && mv -- "$log.exit.new" "$log.exit"
case $code in
  @RIGHT@) cp -- "$log.out" "$PLAN/whole.txt" && cat -- "$log.out" ;;
  12) echo "another wave is needed" ;;
  *) tail -n 5 -- "$log.err" >&2 ;;
esac
exit "$code"
