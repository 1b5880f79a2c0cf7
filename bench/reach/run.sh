#!/usr/bin/env bash
# Searches the whole zone graph of the models of models.py and prints a markdown table: what was stored, visited and
# followed, time and memory; where tck-reach is on the PATH also its figures on the same network, and how many times
# as much time and memory it takes. Time is processor time of the whole process, the best of some runs, on one core.
# With -v it asks for the targets of each model instead and compares the verdicts.
# usage: bench/reach/run.sh [-v] [-r RUNS] [-l SECONDS] [-c CORE] [TIOC [MODEL:N …]]
set -euo pipefail
here=$(dirname "$0")
verdicts='' runs=3 limit=600 core=0
while getopts vr:l:c: option; do
  case $option in
    v) verdicts=yes ;;
    r) runs=$OPTARG ;;
    l) limit=$OPTARG ;;
    c) core=$OPTARG ;;
    *) sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
tioc=${1:-build/release/driver/tioc}
shift $(($# > 0))
if [ $# -eq 0 ]; then
  set -- fischer:{5..10} csmacd:{6..11} fddi:{7..11} critical_region:{2..4} philosophers:{3..5} train_gate:{3..5}
fi
peer=$(command -v tck-reach || true)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# measured COMMAND…: leaves what COMMAND prints in out, the least processor seconds of all runs in seconds and the peak
# memory of the last one in kilobytes. Fails if COMMAND does, or if it reaches the limit.
measured() {
  local user system TIMEFORMAT='%3U %3S'
  seconds=
  for _ in $(seq "$runs"); do
    { time timeout "$limit" taskset -c "$core" /usr/bin/time -f %M -o "$folder/memory" "$@" \
      >"$folder/out" 2>"$folder/err"; } 2>"$folder/time" || return
    read -r user system <"$folder/time"
    seconds=$(awk -v t="$user" -v s="$system" -v best="$seconds" 'BEGIN { t += s; print best == "" || t < best ? t : best }')
  done
  kilobytes=$(tail -1 "$folder/memory")
}

tioc_explore() { measured "$tioc" explore "$folder/model.tio" --system Network --stats json "$@"; }
tck_reach() { measured "$peer" -a covreach "$@" "$folder/model.tck"; }
json() { python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin)[sys.argv[1]]))' "$1" <"$folder/out"; }
field() { awk -v key="$1" '$1 == key { print $2 }' "$folder/out"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f", a / b; else print "–" }'; }

# Why a measured command gave no figures.
failure() {
  if [ "$1" -eq 124 ]; then echo "over $limit s"; else echo "exit $1: $(head -1 "$folder/err")"; fi
}

figures() {
  local line status=0 ours ours_kilobytes theirs='| – | – | – | – | – | – | – |'
  tioc_explore || status=$?
  if [ $status -ne 0 ]; then echo "| $1 | $2 | $(failure $status) |"; return; fi
  ours=$seconds ours_kilobytes=$kilobytes
  line="| $1 | $2 | $(json states) | $(json visited) | $(json transitions) | $ours | $(ratio "$ours_kilobytes" 1024)"
  line+=" | $(awk -v s="$ours" -v t="$(json transitions)" 'BEGIN { printf "%.2f", s * 1e6 / t }')"
  if [ -n "$peer" ]; then
    tck_reach || status=$?
    if [ $status -ne 0 ]; then
      theirs="| $(failure $status) | | | | | | |"
    else
      theirs="| $(field STORED_STATES) | $(field VISITED_STATES) | $(field VISITED_TRANSITIONS) | $seconds"
      theirs+=" | $(ratio "$kilobytes" 1024) | $(ratio "$seconds" "$ours") | $(ratio "$kilobytes" "$ours_kilobytes") |"
    fi
  fi
  echo "$line $theirs"
}

# Fails if a verdict is not the expected one.
check_targets() {
  local expected condition labels ours theirs wrong=0
  while IFS=$'\t' read -r expected condition labels; do
    tioc_explore --reach "$condition" && ours=$(json reachable) || ours=$(failure $?)
    theirs=–
    if [ -n "$peer" ]; then tck_reach -l "$labels" && theirs=$(field REACHABLE) || theirs=$(failure $?); fi
    echo "| $1 | $2 | \`$condition\` | $expected | $ours | $theirs |"
    case $expected:$ours:$theirs in
      reachable:true:true | reachable:true:– | unreachable:false:false | unreachable:false:–) ;;
      *) wrong=1 ;;
    esac
  done <"$folder/targets"
  return $wrong
}

if [ -n "$verdicts" ]; then
  runs=1
  echo '| model | N | target | expected | tioc | tck-reach |'
  echo '| --- | ---: | --- | --- | --- | --- |'
else
  echo '| model | N | stored | visited | transitions | seconds | MB | µs per transition | stored, tck-reach | visited | transitions | seconds | MB | times the time | times the memory |'
  echo '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
fi
status=0
for instance; do
  model=${instance%:*} n=${instance#*:}
  "$here/models.py" "$model" "$n" >"$folder/model.tio"
  "$here/models.py" "$model" "$n" --tchecker >"$folder/model.tck"
  if [ -n "$verdicts" ]; then
    "$here/models.py" "$model" "$n" --targets >"$folder/targets"
    check_targets "$model" "$n" || status=1
  else
    figures "$model" "$n"
  fi
done
exit $status
