#!/usr/bin/env bash
# Builds the documentation site into dist/site, or serves it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/docs.sh [--serve] [--out FOLDER] [--help]

Builds the documentation as a site into dist/site; open dist/site/index.html in a browser (search needs --serve, or any web server).
Run scripts/setup.sh first; needs no network. Fails if a link or anchor is broken or a page is not in the menu.

  --serve        serve the site at http://127.0.0.1:8000 and rebuild it when pages change
  --out FOLDER   build into another folder
TEXT
}

out="$PWD/dist/site"
serve=no
while [ $# -gt 0 ]; do
  case "$1" in
    --serve) serve=yes; shift ;;
    --out) [ $# -ge 2 ] || { echo "docs: --out needs a folder" >&2; exit 2; }; out=$(realpath -m "$2"); shift 2 ;;
    -h|--help) usage; exit 0 ;;
    *) echo "docs: unknown argument $1; see scripts/docs.sh --help" >&2; exit 2 ;;
  esac
done

python="${DRAY_VENV:-.venv}/bin/python"
"$python" -c 'import material' 2>/dev/null || { echo "docs: $python has no mkdocs-material: run scripts/setup.sh" >&2; exit 1; }
# Suppress announcements of the theme in the build output.
export NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1
if [ "$serve" = yes ]; then
  exec "$python" -m mkdocs serve --config-file scripts/docs/mkdocs.yml
fi
"$python" -m mkdocs build --quiet --strict --clean --config-file scripts/docs/mkdocs.yml --site-dir "$out"
echo "docs: $out/index.html"
