#!/usr/bin/env bash
# Cost of exploring and generating from 2 to 16 composed ESTS: scale.sh TIOC [DEPTH]
#
# Of the automata two are used, the others never: the locations of these multiply, but nobody reaches them. Then all of
# them are, one behind the other. Seconds are those of the processor.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
tioc="$1"
depth="${2:-6}"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

seconds() {
  { TIMEFORMAT=%U; time "$@" > "$folder/out" 2> "$folder/err" || true; } 2>&1
}

echo "| automata | used | states of the product | explored to depth $depth | seconds | 20 walks of 10, seconds |"
echo "| ---: | ---: | ---: | ---: | ---: | ---: |"
for used in 2 all; do
  for n in 2 4 8 16; do
    live="$n"
    [ "$used" = all ] || live="$used"
    [ "$used" = all ] && [ "$n" = 2 ] && continue
    python3 "$here/chain.py" --automata "$n" --live "$live" > "$folder/chain.tio"
    explored="$(seconds "$tioc" explore "$folder/chain.tio" --system Chain --as tree --depth "$depth" --bound 20000 --count-only --stats json)"
    states="$(python3 -c "
import json, re, sys
print(json.loads(re.search(r'\{.*\}', open(sys.argv[1]).read(), re.S).group(0))['states'])" "$folder/out" || echo '?')"
    walked="$(seconds "$tioc" gen "$folder/chain.tio" --system Chain --random 20 --length 10 -q -o "$folder/suite")"
    echo "| $n | $live | $((4 ** n)) | $states | $explored | $walked |"
  done
done
