#!/usr/bin/env bash
# Installs what is needed to build Dray: Bazel, Protobuf, GoogleTest, yaml-cpp, a JSON library and clang-format from apt; Ray, LibTorch and
# the test tools from pip into .venv. Tested on Debian 12, x86_64 and aarch64; docs/installing.md has the list for other systems.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/setup.sh [--torch cpu|cuda] [--torch-index URL|none] [--allow-newer] [--fuzz] [--help]

Installs what Dray needs, on Debian 12; finishes immediately if everything is installed. The first time it downloads about 0.8 GB and
takes about 3 minutes at 100 Mbit/s; if LibTorch comes with CUDA, 3.2 GB and about 7 minutes. Other systems: docs/installing.md.

  --torch cpu          LibTorch without CUDA (default on a machine without an NVIDIA GPU)
  --torch cuda         pip's default build of LibTorch, with CUDA (default if nvidia-smi finds a GPU)
  --torch-index URL    index for the build without CUDA if pip's index does not have it; none: no other index
                       (see scripts/install_torch.sh --help)
  --allow-newer        allow newer releases of Python packages than scripts/packages lists; Ray and LibTorch keep their versions.
                       By default, set-up installs exactly the listed files and fails if the package index has others.
  --fuzz               also install clang with libFuzzer, for scripts/fuzz.py

Environment: DRAY_VENV          folder of the virtual environment (default .venv)
             DRAY_TORCH_INDEX   same as --torch-index
TEXT
}

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

torch=() newer=() wish=auto fuzz=no
while [ $# -gt 0 ]; do
  case "$1" in
    --torch=*|--torch-index=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
    --torch|--torch-index)
      [ $# -ge 2 ] || { echo "setup: $1 needs a value; see scripts/setup.sh --help" >&2; exit 2; }
      if [ "$1" = --torch ]; then
        case "$2" in cpu|cuda) wish=$2 ;; *) echo "setup: --torch $2: use cpu or cuda" >&2; exit 2 ;; esac
      fi
      torch+=("$1" "$2"); shift 2 ;;
    --allow-newer) newer=(--allow-newer); shift ;;
    --fuzz) fuzz=yes; shift ;;
    -h|--help) usage; exit 0 ;;
    *) echo "setup: unknown argument $1; see scripts/setup.sh --help" >&2; exit 2 ;;
  esac
done

RAY_VERSION=$(sed -n 's/^ray-cpp==//p' scripts/packages/ray.in)
TORCH_VERSION=$(scripts/install_torch.sh --version)
APT_PACKAGES="bazel-bootstrap bazel-rules-java bazel-rules-proto bazel-platforms bazel-skylib protobuf-compiler
  libprotobuf-dev libgtest-dev libgmock-dev libyaml-cpp-dev nlohmann-json3-dev clang-format g++ python3 python3-venv strace valgrind"
REST_GB=6  # apt packages 0.7, Python packages with pip's cache 1.8, a build with its tests 3
venv="${DRAY_VENV:-.venv}"
stamp="$venv/.dray-setup"
wanted="apt 1 · ray $RAY_VERSION · torch $TORCH_VERSION $wish · $(uname -m) · $(printf '%s\n' "$APT_PACKAGES" | cat - scripts/packages/*.txt | cksum | cut -d' ' -f1)"

if [ "$fuzz" = yes ]; then APT_PACKAGES="$APT_PACKAGES clang-16 libclang-rt-16-dev"; fi

if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && command -v bazel >/dev/null && [ -x "$venv/bin/python" ] &&
  { [ "$fuzz" = no ] || command -v clang++-16 >/dev/null; }; then
  say "everything is installed ($wanted)"
  exit 0
fi

start=$SECONDS
case "$(uname -m)" in
  x86_64|aarch64) ;;
  *) fail "this machine is $(uname -m); Dray runs on x86_64 and aarch64" ;;
esac
system=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-unknown}")
command -v apt-get >/dev/null || fail "this system ($system) has no apt-get: docs/installing.md lists what to install by hand, and how to use Dray without building it"
grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release || say "this system is $system; set-up was tested only on Debian 12 (docs/installing.md)"
free_kb=$(df -Pk . | awk 'NR==2 {print $4}')
[ "$free_kb" -ge $(((REST_GB + 1) * 1024 * 1024)) ] || fail "$((free_kb / 1024 / 1024)) GB of disk are free here; at least $((REST_GB + 1)) GB are needed"
memory_kb=$(awk '/MemTotal/ {print $2}' /proc/meminfo)
[ "$memory_kb" -ge $((3 * 1024 * 1024)) ] || fail "$((memory_kb / 1024 / 1024)) GB of memory; compiling needs at least 4 GB"
say "$system, $(uname -m), $(nproc) cores, $((memory_kb / 1024 / 1024)) GB memory, $((free_kb / 1024 / 1024)) GB disk free"

missing=""
for package in $APT_PACKAGES; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
  say "1/4 apt packages:$missing"
  if [ "$(id -u)" = 0 ]; then as_root=""; elif command -v sudo >/dev/null; then as_root=sudo; else
    fail "apt packages are missing and this user cannot install them: run as root or install sudo:$missing"
  fi
  log=$(mktemp)
  $as_root apt-get update >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "apt-get update failed (above); is there a network connection?"; }
  unknown=""
  for package in $missing; do apt-cache show "$package" >/dev/null 2>&1 || unknown="$unknown $package"; done
  [ -z "$unknown" ] || fail "$system does not have the packages$unknown; see docs/installing.md for other ways"
  # shellcheck disable=SC2086  # a list of packages
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; fail "apt-get install failed (above)"; }
  rm -f "$log"
else
  say "1/4 apt packages: all installed"
fi

# Uses the system's Python: Ray has wheels for Debian 12's version, but perhaps not for another one on the PATH.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
say "2/4 virtual environment $venv ($("$python" --version))"
if [ ! -x "$venv/bin/pip" ]; then
  rm -rf "$venv"
  "$python" -m venv "$venv" || fail "cannot create $venv; is python3-venv installed?"
fi

say "3/4 LibTorch $TORCH_VERSION"
scripts/install_torch.sh --venv "$venv" --beside "$REST_GB" "${torch[@]}" "${newer[@]}"

say "4/4 Ray $RAY_VERSION and other Python packages: 0.4 GB"
"$python" scripts/install_packages.py --venv "$venv" "${newer[@]}" torch ray tests

printf '%s\n' "$wanted" >"$stamp"
say "done in $((SECONDS - start)) s"
