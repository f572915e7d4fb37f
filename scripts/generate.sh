#!/usr/bin/env bash
# Regenerates every file that is derived from the source (CONTRIBUTING.md, "Generated files").
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/generate.sh [--built FOLDER] [--help]

Regenerates all derived files: the reference, schema and metrics pages of configs/, the Grafana dashboard, the map of modules,
the table of dependencies, and the recorded episodes of environments that have none. Prints one line per file.
Run it after adding an environment, a setting, a metric or a dependency, and commit what changed.

  --built FOLDER  use the generators in FOLDER, which has the layout of bazel-bin, instead of building them
TEXT
}

built=""
while [ $# -gt 0 ]; do
  case "$1" in
    --built) built="${2:?--built needs a folder}"; shift 2 ;;
    -h|--help) usage; exit 0 ;;
    *) echo "generate: unknown argument $1; see scripts/generate.sh --help" >&2; exit 2 ;;
  esac
done
python="${DRAY_VENV:-.venv}/bin/python"
[ -x "$python" ] || { echo "generate: no virtual environment at ${DRAY_VENV:-.venv}: run scripts/setup.sh first" >&2; exit 1; }
package=src/python

if [ -z "$built" ]; then
  echo "generate: building the generators"
  bazel build //src/envs:reference_generator //src/envs:schema_generator //src/metrics:reference_generator //tests/envs:playthrough_test
  built=$(bazel info bazel-bin 2>/dev/null)
fi

write() {  # file, command...: the command's output becomes the file
  local file="$1"
  shift
  "$@" > "$file.new" || { rm -f "$file.new"; echo "generate: $file: the command failed (above): $*" >&2; exit 1; }
  if cmp -s "$file.new" "$file"; then
    rm "$file.new"
    echo "generate: $file is current"
  else
    mv "$file.new" "$file"
    echo "generate: $file written"
  fi
}

# Editors find the schema by the last line of a preset.
schema_line='# yaml-language-server: $schema=schema.json'
for preset in configs/*.yaml; do
  [ "$(tail -n 1 "$preset")" = "$schema_line" ] && continue
  echo "$schema_line" >> "$preset"
  echo "generate: $preset names the schema"
done

write configs/REFERENCE.md "$built/src/envs/reference_generator"
write configs/schema.json "$built/src/envs/schema_generator"
write configs/METRICS.md "$built/src/metrics/reference_generator"
write "$package/grafana/dray.json" env PYTHONPATH="$package" "$python" -m dray.grafana
write docs/dependencies.md "$python" scripts/dependencies.py --table
"$python" scripts/map.py
BUILD_WORKSPACE_DIRECTORY="$PWD" "$built/tests/envs/playthrough_test" --record-missing
echo "generate: done; git status shows what changed"
