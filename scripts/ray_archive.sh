#!/usr/bin/env bash
# Packs Ray and its C++ API into one small archive, for a machine without a network.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: scripts/ray_archive.sh --python VERSION --out FILE [--machine x86_64|aarch64] [--help]

Downloads Ray, ray-cpp and the packages they import for a Python version such as 3.12, removes what C++ training does not use, and
packs the rest into FILE (.tar.xz, about 50 MB). On the other machine:

    mkdir ray && tar xJf FILE -C ray
    PYTHONPATH=$PWD/ray python3 -m ray.scripts.scripts start --head --include-dashboard=false

scripts/build_without_bazel.sh --ray ray then builds the actors. The variable PIP selects another pip (default: pip of .venv, else pip3).
TEXT
}

python="" out="" machine=$(uname -m)
while [ $# -gt 0 ]; do
  case "$1" in
    --python) python="${2:?--python needs a version, as in 3.12}"; shift 2 ;;
    --out) out="${2:?--out needs a file}"; shift 2 ;;
    --machine) machine="${2:?--machine needs x86_64 or aarch64}"; shift 2 ;;
    -h|--help) usage; exit 0 ;;
    *) echo "ray_archive: unknown argument $1; see --help" >&2; exit 2 ;;
  esac
done
[ -n "$python" ] && [ -n "$out" ] || { echo "ray_archive: --python and --out are required; see --help" >&2; exit 2; }

root=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n 's/^ray-cpp==//p' "$root/scripts/packages/ray.in")
pip="${PIP:-$root/.venv/bin/pip}"
command -v "$pip" >/dev/null || pip=pip3

# Packages imported by `import ray`, `ray start` and a Python actor; Ray's other requirements are for the dashboard.
PACKAGES="ray==$version ray-cpp==$version click msgpack protobuf pyyaml jsonschema jsonschema-specifications referencing
  rpds-py attrs filelock requests urllib3 idna charset-normalizer certifi packaging typing-extensions"
UNUSED="jars rllib data serve tune train air llm dashboard/client"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# shellcheck disable=SC2086  # a list of packages
"$pip" install --quiet --disable-pip-version-check --target "$folder" --no-deps --no-compile --python-version "$python" \
  --platform "manylinux2014_$machine" --only-binary=:all: $PACKAGES ||
  { echo "ray_archive: pip found no Ray $version for Python $python on $machine (above)" >&2; exit 1; }
for part in $UNUSED; do rm -rf "$folder/ray/$part"; done
rm -rf "$folder/bin"

mkdir -p "$(dirname "$out")"
tar -c -C "$folder" --owner=0 --group=0 --sort=name . | xz -3 -T0 > "$out"
echo "ray_archive: $out, Ray $version for Python $python on $machine, $(($(stat -c %s "$out") / 1000000)) MB"
