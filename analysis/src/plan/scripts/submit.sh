#!/bin/sh
# Submits a plan to Slurm: the parts that are missing, and the merge behind them. Written by `arena plan`; change what you
# like. Words behind it go to `sbatch`: `sh submit.sh --partition=short`. Given again it submits what is missing then.
set -u

@HEAD@
cd -- "$PLAN" || exit 2
mkdir -p logs || exit 3

# What is queued already is not submitted twice.
@QUEUED@

"$ARENA" status --missing "$PLAN" >logs/missing || exit

# A line for each array: from where it counts, and its numbers as ranges. Slurm's default for MaxArraySize allows 1,000.
awk '
  function range() { if (last) list = list (list == "" ? "" : ",") first (last > first ? "-" last : "") }
  function flush() { range(); if (list != "") print offset, list; list = ""; last = 0 }
  {
    block = int(($1 - 1) / 1000) * 1000
    if (block != offset) { flush(); offset = block }
    number = $1 - offset
    if (last && number == last + 1) last = number
    else { range(); first = last = number }
  }
  BEGIN { offset = 0 }
  END { flush() }
' logs/missing >logs/arrays

jobs=
while read -r offset list; do
  job=$(sbatch --parsable --export="ALL,OFFSET=$offset" --array="$list" "$@" plan.sbatch) || exit
  job=${job%%;*}
  echo "parts $list, counted from $offset: job $job"
  jobs=$jobs:$job
done <logs/arrays

if [ -n "$jobs" ]; then
  # Without all of its parts the merge is taken out of the queue.
  merge=$(sbatch --parsable --dependency="afterok$jobs" --kill-on-invalid-dep=yes "$@" merge.sbatch) || exit
else
  merge=$(sbatch --parsable "$@" merge.sbatch) || exit
fi
echo "merge: job ${merge%%;*}; progress: $ARENA status $PLAN"
