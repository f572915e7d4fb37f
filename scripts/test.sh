#!/usr/bin/env bash
# Sets up, builds and runs the tests; ends with one line "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/test.sh [--all] [--asan] [--help]

Sets up, builds and runs the tests; the last line says how many passed and failed. About half an hour on a fresh
machine with 2 cores (a third of it trainings on Ray clusters of their own), seconds when nothing changed.

  --all    also the long tests: published scores (3 seeds each), the cyber-defence game's, memory over ten million steps,
           deliveries with 3 seeds, and half an hour on Ray; about 90 minutes more
  --asan   the engine's unit tests with address and undefined-behaviour sanitizers instead
TEXT
}

targets=("//...")
flags=()
for argument in "$@"; do
  case "$argument" in
    --all) targets+=("//tests/learning:all_long") ;;
    --asan) flags+=("--config=asan") ;;
    -h|--help) usage; exit 0 ;;
    *) echo "test: unknown argument $argument; see scripts/test.sh --help" >&2; exit 2 ;;
  esac
done

scripts/setup.sh
echo "test: building and running ${targets[*]} ${flags[*]:-}"
log=$(mktemp)
set +e
bazel test --keep_going --test_summary=short "${flags[@]}" -- "${targets[@]}" 2>&1 | tee "$log" |
  grep -vE '^\[[0-9,]+ / |^(Loading|Analyzing):'
status=${PIPESTATUS[0]}
set -e
passed=$(grep -cE '^//.* PASSED in ' "$log" || true)
# Whatever is listed without having passed has failed: tests that broke, ran out of time or could not be built.
failed=$(grep -E '^//' "$log" | grep -cvE ' PASSED in ' || true)
# A build that broke before any test, or no test at all, is a failure too.
if [ "$failed" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$passed" -eq 0 ]; }; then failed=1; fi
rm -f "$log"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
