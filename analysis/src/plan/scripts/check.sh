
# A part that is missing is named before anything is merged.
missing=$("$ARENA" status --missing "$PLAN" 2>>"$log.err" | tr '\n' ' ')
if [ -n "$missing" ]; then
  echo "parts that are not done: $missing" | tee -a "$log.err" >&2
  echo "give the script of the plan again, or make one: sh $PLAN/part.sh NUMBER" >&2
  echo 1 >"$log.exit"
  exit 1
fi
