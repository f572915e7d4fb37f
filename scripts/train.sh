#!/usr/bin/env bash
# Sets up, builds and trains: scripts/train.sh [flags of //:train]. See scripts/train.sh --help. Without flags: the delivery
# task for ten minutes, then the learned policy beside the greedy one, and a picture of its routes.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
user_folder=${OLDPWD:-$PWD}

scripts/setup.sh
echo "build: the engine and the commands; about 5 minutes the first time on 2 cores"
start=$SECONDS
log=$(mktemp)
if [ -t 2 ]; then  # Bazel's own line of progress
  bazel build --ui_event_filters=-info //:train //:evaluate || { echo "build: failed (above)" >&2; exit 1; }
else
  bazel build //:train //:evaluate >"$log" 2>&1 || { cat "$log" >&2; echo "build: failed (above)" >&2; exit 1; }
fi
rm -f "$log"
echo "build: done in $((SECONDS - start)) s"

# As `bazel run` would: paths are meant from where the user stands, configs from the repository.
export BUILD_WORKING_DIRECTORY=$user_folder BUILD_WORKSPACE_DIRECTORY=$root
[ $# -gt 0 ] && exec bazel-bin/ray_actors/train "$@"

run="$root/runs/first-$(date +%Y%m%d-%H%M%S)"
bazel-bin/ray_actors/train --config configs/dvrptw_best.yaml --runner local --run-dir "$run"
echo
echo "What it learned beside the greedy rule (myopic) and with planning on top (plan), on 128 days that were not trained on (some minutes):"
bazel-bin/ray_actors/evaluate --run-dir "$run" --baselines myopic_believed,plan --episodes 128 --out "$run/evaluation" --render "$run/evaluation" \
  --episode best,median,worst
echo
echo "All of it as a page for a browser:"
scripts/dray.sh report --run-dir "$run"
