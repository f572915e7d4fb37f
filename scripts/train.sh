#!/usr/bin/env bash
# Sets up, builds and trains: scripts/train.sh [flags of //:train]; see scripts/train.sh --help. Without flags, trains the
# delivery task for four minutes, then compares the learned policy with the greedy one and draws its routes.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
user_folder=${OLDPWD:-$PWD}

scripts/setup.sh
echo "build: the engine and the commands; 4 to 8 minutes the first time on 2 cores"
start=$SECONDS
log=$(mktemp)
if [ -t 2 ]; then  # Bazel's own line of progress
  bazel build --ui_event_filters=-info //:train //:evaluate || { echo "build: failed (above)" >&2; exit 1; }
else
  bazel build //:train //:evaluate >"$log" 2>&1 || { cat "$log" >&2; echo "build: failed (above)" >&2; exit 1; }
fi
rm -f "$log"
echo "build: done in $((SECONDS - start)) s"

# Like `bazel run`: paths are relative to the user's folder, configs to the repository.
export BUILD_WORKING_DIRECTORY=$user_folder BUILD_WORKSPACE_DIRECTORY=$root
[ $# -gt 0 ] && exec bazel-bin/ray_actors/train "$@"

run="$root/runs/first-$(date +%Y%m%d-%H%M%S)"
bazel-bin/ray_actors/train --config configs/dvrptw_best.yaml --runner local --run-dir "$run" --duration 4m
echo
echo "Comparing the learned policy with the greedy rule (myopic_believed) on 256 days not used in training; this takes about half a minute:"
bazel-bin/ray_actors/evaluate --run-dir "$run" --baselines myopic_believed --episodes 256 --out "$run/evaluation" --render "$run/evaluation" \
  --episode best,median,worst
echo
echo "Writing the results as an HTML page:"
scripts/dray.sh report --run-dir "$run"
