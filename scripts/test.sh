#!/usr/bin/env bash
# Sets up, checks the layout, builds and runs the tests; ends with one line "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/test.sh [--all] [--asan] [--tsan] [--under-load] [--help]

Sets up, checks the layout of the source (scripts/layout.py), builds and runs the tests, and shows progress; the last line says how
many passed and failed. Takes about half an hour on a fresh machine with 2 cores (a third of it for training on Ray), and seconds
if nothing changed.

  --all    also run the long tests: published scores (3 seeds each), scores of the cyber-defence game, memory over ten million
           steps, delivery tasks with 3 seeds, a second judge of their days (PyVRP), a kill at every write, fuzzing of every reader
           (scripts/fuzz.py, 30 s each after a build with clang), random faults on two nodes, half an hour on Ray; then run
           --asan and --tsan, and compile each source by itself. The long tests take about two and a half hours
  --asan   run the engine's unit tests with address, undefined-behaviour and leak sanitizers instead, and the Python tests of
           closing, copying and sharing objects between threads; takes an hour and a quarter
  --tsan   run the tests of multi-threaded code with the thread sanitizer instead; takes a quarter of an hour
  --under-load
           run four busy loops at the same time, as on a machine shared with others; on 2 cores this takes about twice as long
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
busy_loop() {  # ends when this script ends, even if it was killed
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
  echo "test: compiling each source by itself"  # as build_without_bazel.sh does: joined sources hide a missing #include
  bazel build --config=edit //src/... || status=1
fi
exit $status
