#!/usr/bin/env bash
# Sets up, checks the layout, builds and runs the tests; ends with one line "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/test.sh [--all] [--asan] [--help]

Sets up, checks the layout of the source (scripts/layout.py), builds and runs the tests, and shows how far it is; the last line
says how many passed and failed. About half an hour on a fresh machine with 2 cores (a third of it trainings on Ray clusters of
their own), seconds when nothing changed.

  --all    also the long tests: published scores (3 seeds each), the cyber-defence game's, memory over ten million steps,
           deliveries with 3 seeds, a second judge of their days (PyVRP), and half an hour on Ray; about 100 minutes more
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
python="${DRAY_VENV:-.venv}/bin/python"
"$python" scripts/layout.py || { echo "0 passed, 1 failed"; exit 1; }
echo "test: building and running ${targets[*]} ${flags[*]:-}"
exec "$python" scripts/test_progress.py "${flags[@]}" -- "${targets[@]}"
