#!/usr/bin/env bash
# Sets up, checks the layout, builds and runs the tests; ends with one line "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/test.sh [--all] [--asan] [--tsan] [--under-load] [--help]

Sets up, checks the layout of the source (scripts/layout.py), builds and runs the tests, and shows how far it is; the last line
says how many passed and failed. About half an hour on a fresh machine with 2 cores (a third of it trainings on Ray clusters of
their own), seconds when nothing changed.

  --all    also the long tests: published scores (3 seeds each), the cyber-defence game's, memory over ten million steps,
           deliveries with 3 seeds, a second judge of their days (PyVRP), a kill at every write, damaged bytes for every reader
           (scripts/fuzz.py, 30 s each after a build with clang), faults at random on two nodes, half an hour on Ray; about
           two and a half hours more, then what --asan and --tsan run
  --asan   the engine's unit tests with address, undefined-behaviour and leak sanitizers instead, and the Python tests of
           what is closed, copied and shared between threads; an hour and a quarter
  --tsan   the tests of what has threads, with the thread sanitizer instead; a quarter of an hour
  --under-load
           with four busy loops beside the tests, as on a machine that others use too; on 2 cores about twice the time
TEXT
}

targets=("//...")
flags=() setup=()
all=no loops=0
for argument in "$@"; do
  case "$argument" in
    --all) targets+=("//tests/learning:all_long"); setup=(--fuzz); all=yes ;;
    --asan) flags+=("--config=asan") ;;
    --tsan) flags+=("--config=tsan"); targets=("//tests/loop:threads") ;;
    --under-load) loops=4 ;;
    -h|--help) usage; exit 0 ;;
    *) echo "test: unknown argument $argument; see scripts/test.sh --help" >&2; exit 2 ;;
  esac
done

scripts/setup.sh "${setup[@]}"
python="${DRAY_VENV:-.venv}/bin/python"
"$python" scripts/layout.py || { echo "0 passed, 1 failed"; exit 1; }
busy_loop() {  # ends once this script is no longer its parent, even if that was killed
  local parent=$$
  while [ "$parent" = $$ ]; do
    for ((j = 0; j < 20000; ++j)); do :; done
    read -r _ _ _ parent _ <"/proc/$BASHPID/stat"
  done
}
for ((i = 0; i < loops; ++i)); do busy_loop >/dev/null & done
status=0
run() {  # flags -- targets
  echo "test: building and running $*"
  "$python" scripts/test_progress.py "$@" || status=1
}
run "${flags[@]}" -- "${targets[@]}"
if [ "$all" = yes ]; then
  run --config=asan -- //...
  run --config=tsan -- //tests/loop:threads
fi
exit $status
