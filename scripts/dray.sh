#!/usr/bin/env bash
# The commands of Dray that are Python's: bazel run //:dray -- --help
set -euo pipefail
root="${BUILD_WORKSPACE_DIRECTORY:-$(cd "$(dirname "$0")/.." && pwd)}"
cd "${BUILD_WORKING_DIRECTORY:-$PWD}"
PYTHONPATH="$root/src/python" exec "${DRAY_VENV:-$root/.venv}/bin/python" -m dray.command "$@"
