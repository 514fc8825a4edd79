#!/bin/bash
# A plan for HyperQueue, carried out by the real one: a server and a worker on this machine.
#
#   cargo build -p coinche-arena && bash arena/tests/hyperqueue.sh [target/debug/arena]
#
# Needs the program `hq` in PATH: https://it4innovations.github.io/hyperqueue/stable/installation. The Python package
# has none. It takes some seconds. Everything it starts it ends, and nothing is written elsewhere.
set -euo pipefail
arena=$(realpath "${1:-target/debug/arena}")
command -v hq >/dev/null || { echo "hq is not here: nothing is tested"; exit 0; }

place=$(mktemp -d)
export HQ_SERVER_DIR=$place/server
pids=()
end() {
  code=$?
  [ "$code" -eq 0 ] || tail -n 20 "$place"/*.log "$place"/*/logs/*.err 2>/dev/null || true
  hq server stop >/dev/null 2>&1 || true
  kill "${pids[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$place"
  exit "$code"
}
trap end EXIT
cd "$place"
hq server start >server.log 2>&1 &
pids+=($!)
for _ in $(seq 50); do
  hq server info >/dev/null 2>&1 && break
  sleep 0.2
done
hq worker start >worker.log 2>&1 &
worker=$!
pids+=("$worker")

echo 'base = "coinche"' >"my rules.toml"
run=(run rules table+rules --deals 60k --seed 'a seed' --rules 'my rules.toml')
"$arena" "${run[@]}" --out one --threads 1 --progress none >one.txt
"$arena" plan --shards 8 --for hq --out 'a plan' -- "${run[@]}"

echo "== a worker vanishes while it is at work, and another one goes on"
sh 'a plan/submit-hq.sh'
for _ in $(seq 100); do
  [ -n "$(ls 'a plan/parts' 2>/dev/null)" ] && break
  sleep 0.05
done
kill -KILL "$worker"
sleep 1
hq worker start >worker2.log 2>&1 &
pids+=($!)
hq job wait last
hq job info last | head -n 12
"$arena" status 'a plan'
for file in config.toml part.json summary.csv; do
  cmp "one/$file" "a plan/whole/$file"
done

echo "== given again, what is lost is made"
rm -rf 'a plan/whole' 'a plan/parts/0002'
sh 'a plan/submit-hq.sh'
hq job wait last
for file in config.toml part.json summary.csv; do
  cmp "one/$file" "a plan/whole/$file"
done

if "$arena" sprt --help | grep -q -e --shard; then
  echo "== a command in waves"
  test=(sprt rules:caution=5 rules --lower 0 --upper 5 --seed 1 --max-deals 8k)
  "$arena" "${test[@]}" --out sprt --progress none >sprt.txt || true
  "$arena" plan --shards 2 --for hq --out waves -- "${test[@]}"
  sh waves/waves-hq.sh || [ $? -eq 10 ] || [ $? -eq 11 ]
  for file in config.toml part.json sprt.csv; do
    cmp "sprt/$file" "waves/whole/$file"
  done
fi
echo "all bytes are those of the undivided commands"
