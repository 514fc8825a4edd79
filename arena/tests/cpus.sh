#!/usr/bin/env bash
# Same bytes on every processor: makes small runs of all that computes with fractions with several builds of the arena,
# and compares what they print and write.
#
#   arena/tests/cpus.sh                           builds for each level of this machine's processors
#   arena/tests/cpus.sh x86-64 native             builds for these (rustc -C target-cpu)
#   arena/tests/cpus.sh --built ARENA ARENA ...   takes these programs, such as 'qemu-aarch64-static target/…/arena'
#   arena/tests/cpus.sh --sums ARENA              prints the sums of one, to be compared with another machine's
#
# A build takes some four minutes of a core. Programs must be built from the same commit. COINCHE_DIR keeps what was made.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
dir=${COINCHE_DIR:-$(mktemp -d)}
mkdir -p "$dir"
dir=$(realpath "$dir")
[ -n "${COINCHE_DIR:-}" ] || trap 'rm -rf "$dir"' EXIT

# Makes everything with one program in one directory. What depends on the time of day is cut out.
make() {
  local arena=$1
  rm -rf "$2"
  mkdir -p "$2"
  cd "$2"
  # Writes what a command says to a file; tells it where the command fails. The program may be two words.
  said() {
    local to=$1
    shift
    # shellcheck disable=SC2086
    $arena "$@" >"$to" 2>&1 || { echo "$arena $*: exit code $?" >&2; cat "$to" >&2; exit 1; }
  }
  # The same for commands that work for a while.
  does() { said "$@" --threads 2 --progress none; }
  said signature.txt bench --signature
  cp "$root/bots/data/bidding.safetensors" own.safetensors

  local bots=(
    'net:file=own.safetensors' 'table+rules' 'table+pimc:worlds=6,pool=20,model=table' 'net+pimc:worlds=6,pool=20'
    'net+pimc:worlds=6,pool=20,model=net,equity=on' 'net+pimc:worlds=6,pool=20,model=system:name=sound-beginner'
    'net+alphamu:worlds=6,batch=3' 'dd:worlds=4,pool=4,model=population+net' 'mc:worlds=6,pool=4,bids=table+mc:worlds=8'
    'mc:worlds=6,pool=4+mc:worlds=8,tricks=3,policy=net'
    'ismcts:iterations=10,pool=4+ismcts:iterations=60,worlds=6,pool=20,policy=net'
    'net+ismcts:iterations=60,worlds=6,pool=20,observer=multiple'
  )
  local n=0 bot
  for bot in "${bots[@]}"; do
    n=$((n + 1))
    does "run-$n.txt" run "$bot" rules --deals 12 --seed 1 --records full --out "run-$n"
  done
  does three.txt run net table+rules rules --deals 400 --seed 2 --table parquet --records full --out three
  does match.txt run net+pimc:worlds=4,equity=on table+rules --match --deals 1 --seed 3 --out match
  does control.txt run net+pimc:worlds=2 table+rules --control rules random --control-deals 2000 --deals 50 --seed 4 --out control
  does sprt.txt sprt net rules --lower 0 --upper 60 --first 64 --every 64 --max-deals 256 --seed 5 --out sprt
  does tune.txt tune rules --param caution=-10..10 --deals 400 --batch 50 --seed 6 --out tune

  does labels.txt label --deals 4 --seed 7 --table both --out labels
  does decisions.txt label --decisions --deals 12 --seed 8 --which all --by net --by table+mc:worlds=6 --table npy --out decisions
  does judge.txt judge run-4 --by net+pimc:worlds=6,pool=20 --csv judge --out judge.html
  does judge-mc.txt judge run-2 --by 'mc:worlds=6+ismcts:iterations=40,worlds=6' --sample 0.3 --seed 9 --csv judge-mc
  does stats.txt stats three --csv stats
  does hands.txt stats hands --deals 60 --seed 10 --csv hands
  does bidding.txt bidding net table --deals 100 --seed 11 --csv bidding
  said report.txt report three --csv report --out report.html
  rm report.html report/times.csv
  said advise.txt advise 'JS 9S AS TS AD KD 7C 8C' --worlds 20 --seed 12 --json

  does train-bidding.txt train bidding --deals 1000 --rounds 1 --seed 13 --out bidding.safetensors
  does train-cards.txt train cards --deals 1000 --rounds 1 --seed 14 --out cards.safetensors
  does train-reading.txt train reading --deals 1000 --seed 15 --out reading.safetensors
  does fit.txt fit --deals 1000 --rounds 1 --rules bga --seed 16 --out table.txt

  # Times of day, seconds and builds are in `timing`, which comes last, and in what depends on it.
  find . -name run.json -o -name sprt.json -o -name tune.json | while read -r file; do
    sed -i '/^  "timing"/,$d' "$file"
  done
  find . -name checksums.txt -delete
  sed -i -E '/[0-9.]+ (seconds|minutes)|\/s\b|a second|merged in|, [0-9.]+ s\b/d' ./*.txt
}

sums() (
  cd "$1"
  find . -type f | LC_ALL=C sort | xargs sha256sum
)

programs=()
case "${1:-}" in
  --sums)
    (make "$2" "$dir/made")
    sums "$dir/made"
    exit
    ;;
  --built)
    shift
    programs=("$@")
    ;;
  *)
    cpus=("$@")
    if [ $# -eq 0 ]; then
      case "$(uname -m)" in
        x86_64) cpus=(x86-64 x86-64-v2 x86-64-v3 native) ;;
        *) cpus=(generic native) ;;
      esac
    fi
    host=$(rustc -vV | sed -n 's/^host: //p')
    for cpu in "${cpus[@]}"; do
      # With --target the flags are not those of build scripts and macros, which are built once for all.
      RUSTFLAGS="-C target-cpu=$cpu" CARGO_TARGET_DIR="$dir/target" CARGO_INCREMENTAL=0 \
        cargo build --quiet --release --locked -p coinche-arena --bin arena --target "$host"
      cp "$dir/target/$host/release/arena" "$dir/arena-$cpu"
      programs+=("$dir/arena-$cpu")
    done
    rm -rf "$dir/target"
    # The C library has functions of its own for processors with FMA, and takes them when a program starts.
    programs+=("env GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4 ${programs[0]}")
    ;;
esac

differing=0
for n in "${!programs[@]}"; do
  program=${programs[$n]}
  # shellcheck disable=SC2086
  $program --version | sed -n 's/^target *//p; s/^cpu */  /p' | paste -sd ' '
  (make "$program" "$dir/made-$n")
  sums "$dir/made-$n" >"$dir/sums-$n.txt"
  if ! diff "$dir/sums-0.txt" "$dir/sums-$n.txt"; then
    echo "differs: $program from ${programs[0]}" >&2
    differing=1
  fi
done
echo "$(wc -l <"$dir/sums-0.txt") files of each of ${#programs[@]} builds compared"
exit $differing
