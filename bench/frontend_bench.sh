#!/usr/bin/env bash
# Checks generated models of growing size and prints time and memory per run, and how the time grows.
# usage: bench/frontend_bench.sh [TIOC]
set -euo pipefail
tioc=${1:-build/release/driver/tioc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A model of about $1 lines: automata of 40 states with data, clocks and messages.
generate() {
  awk -v lines="$1" 'BEGIN {
    print "module big;\ntimescale 1 ms;"
    for (n = 2; n < lines; ++k) {
      printf "input req%d(id: int, value: int[0..1000]);\noutput ack%d(id: int), nak%d(id: int, why: int);\n", k, k, k
      printf "tiosts Unit%d {\n  var count: int = 0, last: int, sum: int;\n  clock t, u;\n  init S0 when last >= 0 && sum >= 0;\n", k
      for (i = 0; i < 40; ++i) {
        j = (i + 1) % 40
        printf "  state S%d {\n", i
        printf "    req%d?(id, value) when id > last && value >= %d && count < %d do last := id, sum := sum + value, t := 0 -> S%d;\n", k, i, i + 5, j
        printf "    ack%d!(last) when sum %% %d == 1 && t >= %d && t <= %d do count := count + 1, u := 0 -> S%d;\n", k, i + 2, i, i + 10, j
        printf "    nak%d!(last, sum - count * %d) when (sum > %d || count != %d) && t <= 20ms && u >= 0.5 do count := 0 -> S0;\n  }\n", k, i + 1, i * 3, i
      }
      print "}"
      n += 207
    }
  }'
}

printf '%8s %10s %12s %14s\n' lines seconds 'memory (MB)' 'us per line'
for lines in 1000 5000 20000 50000 100000; do
  generate "$lines" >"$folder/m.tio"
  best=
  for _ in 1 2 3; do
    /usr/bin/time -f '%e %M' -o "$folder/time" taskset -c 0 "$tioc" check -q "$folder/m.tio"
    read -r seconds memory <"$folder/time"
    if [ -z "$best" ] || awk "BEGIN { exit !($seconds < $best) }"; then best=$seconds; fi
  done
  awk -v l="$(wc -l <"$folder/m.tio")" -v s="$best" -v m="$memory" 'BEGIN { printf "%8d %10.2f %12.0f %14.1f\n", l, s, m / 1024, s * 1e6 / l }'
done
