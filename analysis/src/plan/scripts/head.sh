ARENA=${ARENA:-}
[ -n "$ARENA" ] || ARENA=@ARENA@
export ARENA
PLAN=$(cd -- "$(dirname -- "$0")" && pwd) || exit 2
