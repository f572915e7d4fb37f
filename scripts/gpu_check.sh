#!/usr/bin/env bash
# Checks Dray on a machine with a GPU: builds it, runs the tests that depend on the GPU, and trains every preset.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/gpu_check.sh [--ray FOLDER] [--seconds N] [--skip-build] [--help]

Builds with scripts/build_without_bazel.sh, runs the tests of the GPU kernels, then trains every preset as shipped for a few seconds,
locally and on Ray (scripts/bench/presets.py). Takes about ten minutes on 16 cores. The exit code is 1 if anything fails.

  --ray FOLDER    folder with the Python package ray and its C++ API: a site-packages folder, or an unpacked archive of
                  scripts/ray_archive.sh; without it, only local trainings are checked
  --seconds N     length of each training (default 5)
  --skip-build    use the existing build in build/
TEXT
}

ray="" seconds=5 builds=yes
while [ $# -gt 0 ]; do
  case "$1" in
    --ray) ray=$(cd "${2:?--ray needs a folder}" && pwd); shift 2 ;;
    --seconds) seconds="${2:?--seconds needs a number}"; shift 2 ;;
    --skip-build) builds=no; shift ;;
    -h|--help) usage; exit 0 ;;
    *) echo "gpu_check: unknown argument $1; see --help" >&2; exit 2 ;;
  esac
done

runners=local
if [ -n "$ray" ]; then
  runners=local,ray
  export PYTHONPATH="$ray${PYTHONPATH:+:$PYTHONPATH}"
  DRAY_PYTHON="${DRAY_PYTHON:-$(command -v python3)}"
  export DRAY_PYTHON
fi
if [ "$builds" = yes ]; then scripts/build_without_bazel.sh --tests ${ray:+--ray "$ray"}; fi

status=0
passed=0
failed=0
for test in build/*_test; do
  if ! told=$("$test" --gtest_brief=1 2>&1); then
    why="failed"
  elif grep -q SKIPPED <<<"$told"; then
    why="skipped what a machine with a GPU can test"
  else
    passed=$((passed + 1))
    continue
  fi
  printf '%s\n' "$told" "gpu_check: $test $why (above)" >&2
  failed=$((failed + 1))
done
echo "gpu_check: $passed test programs passed, $failed failed"
python3 scripts/bench/presets.py --train build/train --runners "$runners" --seconds "$seconds" || status=1
[ "$failed" = 0 ] || status=1
exit $status
