#!/bin/bash
# Plans for Slurm, carried out by the real one: a throw-away cluster of one node in a temporary folder.
#
#   cargo build -p coinche-arena && bash arena/tests/slurm.sh [target/debug/arena]
#
# Needs Slurm and munge (`apt-get install slurm-wlm`) and, since slurmd starts jobs, root: use a container. It takes about
# a minute; continuous integration does not run it. Everything it starts it ends, and nothing is written elsewhere.
set -euo pipefail
arena=$(realpath "${1:-target/debug/arena}")
for program in slurmctld slurmd munged sbatch; do
  command -v "$program" >/dev/null || { echo "$program is not here: nothing is tested"; exit 0; }
done
[ "$(id -u)" -eq 0 ] || { echo "only root can start slurmd: nothing is tested"; exit 0; }

place=$(mktemp -d)
host=$(hostname -s)
pids=()
end() {
  code=$?
  [ "$code" -eq 0 ] || tail -n 20 "$place"/*.log "$place"/*/logs/*.log "$place"/*/logs/*.err 2>/dev/null || true
  kill "${pids[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$place"
  exit "$code"
}
trap end EXIT

mkdir -p "$place"/{state,spool,munge}
chmod 755 "$place"
head -c 128 /dev/urandom >"$place/munge/key"
chmod 711 "$place/munge"
chmod 600 "$place/munge/key"
socket=$place/munge/socket
munged --foreground --force --key-file="$place/munge/key" --socket="$socket" --pid-file="$place/munge/pid" \
  --log-file="$place/munge/log" --seed-file="$place/munge/seed" >"$place/munged.log" 2>&1 &
pids+=($!)

cores=$(nproc)
export SLURM_CONF=$place/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=throwaway
SlurmctldHost=$host
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# A task that is queued again may start that many seconds later.
AuthInfo=socket=$socket,cred_expire=5
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=100000,bf_interval=1
KillWait=2
ReturnToService=2
NodeName=$host CPUs=$cores State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
slurmctld -D >"$place/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D -N "$host" >"$place/slurmd.log" 2>&1 &
pids+=($!)
for _ in $(seq 60); do
  [ "$(sinfo --noheader --format=%t 2>/dev/null)" = idle ] && break
  sleep 0.5
done
sinfo

# Waits until nothing is queued.
wait_for_jobs() {
  for _ in $(seq 240); do
    [ -z "$(squeue --noheader 2>/dev/null)" ] && return
    sleep 0.5
  done
  squeue
  return 1
}

cd "$place"
echo 'base = "coinche"' >"my rules.toml"
run=(run rules table+rules --deals 400k --seed 'a seed' --rules 'my rules.toml')

echo "== an array of 8 tasks with a merge behind them; one is cancelled, one queued again, one part lost"
"$arena" "${run[@]}" --out one --threads 1 --progress none >one.txt
"$arena" plan --shards 8 --for slurm --out plan -- "${run[@]}"
sh plan/submit.sh
sh plan/submit.sh && exit 1 # it is queued already
array=$(squeue --noheader --format=%F --array | head -n 1)
# Two that are under way: one is queued again by force, one is told to end.
for _ in $(seq 300); do
  [ -f plan/parts/0001/part.json ] && [ -f plan/parts/0002/part.json ] && break
  sleep 0.1
done
sleep 1
scontrol requeue "${array}_1"
for _ in $(seq 20); do
  scancel --signal=TERM --batch "${array}_2" 2>/dev/null && break
  sleep 0.1
done
sleep 2
"$arena" status plan
wait_for_jobs
"$arena" status plan
grep -c '^== ' plan/logs/000?.err
sh plan/submit.sh # what was told to end is made now
wait_for_jobs
"$arena" status plan
rm -rf plan/parts/0005
"$arena" status --missing plan
sh plan/submit.sh
wait_for_jobs
"$arena" status plan
for file in config.toml part.json summary.csv; do
  cmp "one/$file" "plan/whole/$file"
done
ls plan/logs | head -n 30

if "$arena" sprt --help | grep -q -e --shard; then
  echo "== a command in waves, as one allocation"
  test=(sprt rules:caution=5 rules --lower 0 --upper 5 --seed 1 --max-deals 8k)
  "$arena" "${test[@]}" --out sprt --progress none >sprt.txt || true
  "$arena" plan --shards "$cores" --for slurm --out waves -- "${test[@]}"
  sh waves/submit.sh
  wait_for_jobs
  "$arena" status waves
  for file in config.toml part.json sprt.csv; do
    cmp "sprt/$file" "waves/whole/$file"
  done
fi
echo "all bytes are those of the undivided commands"
