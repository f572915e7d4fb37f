#!/usr/bin/env bash
# Runs Dray's Python commands: bazel run //:dray -- --help
set -euo pipefail
root="${BUILD_WORKSPACE_DIRECTORY:-$(cd "$(dirname "$0")/.." && pwd)}"
cd "${BUILD_WORKING_DIRECTORY:-$PWD}"
PYTHONPATH="$root/src/python" exec "${DRAY_VENV:-$root/.venv}/bin/python" -m dray.command "$@"
