#!/bin/sh
# Submits a plan in waves to Slurm, where it is not over. Written by `arena plan`; change what you like. Words behind it go
# to `sbatch`: `sh submit.sh --partition=short`.
set -u

@HEAD@
cd -- "$PLAN" || exit 2
mkdir -p logs || exit 3

@QUEUED@
"$ARENA" status --missing "$PLAN" >logs/missing || exit
if [ ! -s logs/missing ]; then
  echo "already finished: $PLAN/whole.txt"
  exit
fi
job=$(sbatch --parsable "$@" plan.sbatch) || exit
echo "job ${job%%;*}; progress: $ARENA status $PLAN"
