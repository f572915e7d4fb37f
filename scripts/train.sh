#!/usr/bin/env bash
# Sets up, builds and trains: scripts/train.sh [flags of //:train]. See scripts/train.sh --help.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
user_folder=${OLDPWD:-$PWD}

scripts/setup.sh
echo "build: the engine and the commands; about 3 minutes the first time on 2 cores"
start=$SECONDS
log=$(mktemp)
bazel build //:train //:evaluate >"$log" 2>&1 || { cat "$log" >&2; echo "build: failed (above)" >&2; exit 1; }
rm -f "$log"
echo "build: done in $((SECONDS - start)) s"

# As `bazel run` would: paths are meant from where the user stands, configs from the repository.
export BUILD_WORKING_DIRECTORY=$user_folder BUILD_WORKSPACE_DIRECTORY=$root
exec bazel-bin/ray_actors/train "$@"
