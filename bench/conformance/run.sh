#!/usr/bin/env bash
# Verdict throughput on long logs, and the latency of on-the-fly steps: run.sh TIOC [EVENTS]
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
examples="$here/../../examples"
tioc="$1"
events="${2:-1000000}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

for model in atm session; do
  python3 "$here/log.py" "$model" "$events" > "$folder/$model.jsonl"
  best=""
  for _ in 1 2 3; do
    # CPU seconds, which a busy machine does not change much.
    seconds="$({ TIMEFORMAT=%U; time "$tioc" verdict "$examples/$model.tio" "$folder/$model.jsonl" -q > /dev/null; } 2>&1)"
    best="$(python3 -c "print(min([float(x) for x in '$best $seconds'.split()]))")"
  done
  memory="$(/usr/bin/env python3 -c "
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)" "$tioc" verdict "$examples/$model.tio" "$folder/$model.jsonl")"
  python3 -c "print(f'verdict $model: {$events / $best:,.0f} events/s, $memory MB')"
done

for subject in atm:Atm spec1:Spec1 spec2:Spec2 light:Light trajectory:Trajectory session:Sender infusion_pump:Pump crossing:Crossing; do
  file="$examples/${subject%%:*}.tio" system="${subject##*:}"
  echo "test $system: $("$tioc" test "$file" --system "$system" --sut "model:$file#$system" --virtual-time --runs 20 \
    --steps 100 -q --stats | grep "own work")"
done
