#!/usr/bin/env bash
# Every generated model compiles without a warning and is laid out as `tioc fmt` would.
# usage: bench/reach/models_test.sh TIOC
set -euo pipefail
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for model in fischer csmacd fddi critical_region philosophers train_gate; do
  for n in 2 3 12; do
    "$here/models.py" "$model" "$n" >"$folder/$model$n.tio"
  done
done
"$1" check -q -Werror "$folder"/*.tio
"$1" fmt --check "$folder"/*.tio
