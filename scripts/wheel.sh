#!/usr/bin/env bash
# Builds Dray's wheel for this machine's architecture into dist/.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  ""|--torch|--torch-index|--torch=*|--torch-index=*) ;;
  -h|--help)
    cat <<'TEXT'
Usage: scripts/wheel.sh [flags of scripts/setup.sh] [--help]

Sets up and builds a wheel with the Python package and the engine into dist/. It runs on any Linux of this architecture with glibc 2.34
(RHEL 9, Ubuntu 22.04, Debian 12) or newer, and needs the torch version it was built with:

  pip install dist/dray-*.whl                      commands (dray --help), environments, policies
  pip install "$(ls dist/dray-*.whl)[ray,gym]"     also training on Ray and Gymnasium environments
TEXT
    exit 0 ;;
  *) echo "wheel: unknown argument $1; see scripts/wheel.sh --help" >&2; exit 2 ;;
esac

scripts/setup.sh "$@"
bazel build //:wheel
made=bazel-bin/wheel.whl
name=$("${DRAY_VENV:-.venv}/bin/python" - "$made" <<'PYTHON'
import re, sys, zipfile

wheel = zipfile.ZipFile(sys.argv[1])
[told] = [wheel.read(file).decode() for file in wheel.namelist() if file.endswith(".dist-info/WHEEL")]
[info] = [file.split("/")[0] for file in wheel.namelist() if file.endswith(".dist-info/WHEEL")]
print(f"{info.removesuffix('.dist-info')}-{re.search('^Tag: (.*)$', told, re.M)[1]}.whl")
PYTHON
)
mkdir -p dist
install -m 644 "$made" "dist/$name"
echo "wheel: dist/$name ($(du -h "dist/$name" | cut -f1))"
