#!/usr/bin/env bash
# Installs what Dray needs on a Debian 12 machine (x86_64 or aarch64): Bazel, Protobuf, GoogleTest, yaml-cpp, a JSON
# library and clang-format from apt; Ray, LibTorch and the test tools from pip into .venv. Quick when there is nothing to do.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/setup.sh [--torch cpu|cuda] [--help]

Installs what Dray needs and is quick when it is there already: about 3 minutes the first time.

  --torch cpu    LibTorch without CUDA where pip offers one (default on a machine without an NVIDIA GPU)
  --torch cuda   pip's default build of LibTorch, with CUDA and several GB (default where nvidia-smi finds a GPU)

Environment: DRAY_VENV  folder of the virtual environment (default .venv)
TEXT
}

torch=auto
while [ $# -gt 0 ]; do
  case "$1" in
    --torch) torch="${2:-}"; shift 2 || { echo "setup: --torch needs cpu or cuda" >&2; exit 2; } ;;
    --torch=*) torch="${1#*=}"; shift ;;
    -h|--help) usage; exit 0 ;;
    *) echo "setup: unknown argument $1; see scripts/setup.sh --help" >&2; exit 2 ;;
  esac
done
case "$torch" in
  auto) if command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q GPU; then torch=cuda; else torch=cpu; fi ;;
  cpu|cuda) ;;
  *) echo "setup: --torch $torch: use cpu or cuda" >&2; exit 2 ;;
esac

RAY_VERSION=2.59.0
TORCH_VERSION=2.13.0
APT_PACKAGES="bazel-bootstrap bazel-rules-java bazel-rules-proto bazel-platforms bazel-skylib protobuf-compiler
  libprotobuf-dev libgtest-dev libgmock-dev libyaml-cpp-dev nlohmann-json3-dev clang-format g++ python3 python3-venv valgrind"
# gymnasium, tensorboard, pyvrp, onnx, onnxruntime and wandb are used by tests alone, as the references to compare with; matplotlib draws
# benchmarks' plots, mkdocs-material builds the site of docs/.
PIP_PACKAGES="ray[default]==$RAY_VERSION ray-cpp==$RAY_VERSION gymnasium==1.4.0 tensorboard==2.21.0 pyvrp==0.14.1
  matplotlib==3.11.2 mkdocs-material==9.8.1 onnx==1.23.2 onnxruntime==1.31.1"
venv="${DRAY_VENV:-.venv}"
stamp="$venv/.dray-setup"
wanted="apt 1 · ray $RAY_VERSION · torch $TORCH_VERSION $torch · $(uname -m) · $(printf '%s' "$APT_PACKAGES$PIP_PACKAGES" | cksum | cut -d' ' -f1)"

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && command -v bazel >/dev/null && [ -x "$venv/bin/python" ]; then
  say "everything is there ($wanted)"
  exit 0
fi

start=$SECONDS
case "$(uname -m)" in
  x86_64|aarch64) ;;
  *) fail "this machine is $(uname -m); Dray runs on x86_64 and aarch64" ;;
esac
[ -f /etc/debian_version ] || fail "this is not a Debian system; install by hand what scripts/setup.sh names, then create $stamp"
free_kb=$(df -Pk . | awk 'NR==2 {print $4}')
need_gb=6; [ "$torch" = cuda ] && need_gb=16
[ "$free_kb" -ge $((need_gb * 1024 * 1024)) ] || fail "$((free_kb / 1024 / 1024)) GB of disk are free here, $need_gb GB are needed"
memory_kb=$(awk '/MemTotal/ {print $2}' /proc/meminfo)
[ "$memory_kb" -ge $((3 * 1024 * 1024)) ] || fail "$((memory_kb / 1024 / 1024)) GB of memory; compiling needs at least 4 GB"
say "$(uname -m), $(nproc) cores, $((memory_kb / 1024 / 1024)) GB memory, $((free_kb / 1024 / 1024)) GB disk free; this takes about 3 minutes"

missing=""
for package in $APT_PACKAGES; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
  say "1/3 apt packages:$missing"
  if [ "$(id -u)" = 0 ]; then as_root=""; elif command -v sudo >/dev/null; then as_root=sudo; else
    fail "apt packages are missing and this user may not install them: run as root or install sudo:$missing"
  fi
  log=$(mktemp)
  { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
    >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "apt-get failed (above); is the network there?"; }
  rm -f "$log"
else
  say "1/3 apt packages: all there"
fi

# Debian's own Python: the wheels of Ray exist for it, and another one on the PATH may lack them.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
say "2/3 virtual environment $venv ($("$python" --version))"
if [ ! -x "$venv/bin/pip" ]; then
  rm -rf "$venv"
  "$python" -m venv "$venv" || fail "could not make $venv; is python3-venv installed?"
fi

say "3/3 Python packages: LibTorch $TORCH_VERSION ($torch), Ray $RAY_VERSION; the longest part"
pip_install() {
  log=$(mktemp)
  "$venv/bin/pip" install --disable-pip-version-check --quiet "$@" >"$log" 2>&1 ||
    { grep -v '^WARNING: Location' "$log" | tail -n 20 >&2; fail "pip could not install $* (above)"; }
  rm -f "$log"
}
if [ "$torch" = cpu ] && ! "$venv/bin/python" -c 'import torch' 2>/dev/null; then
  # Only where pip is configured with an index of CPU builds does this version exist; elsewhere the default build will do.
  "$venv/bin/pip" install --disable-pip-version-check --quiet "torch==$TORCH_VERSION+cpu" >/dev/null 2>&1 ||
    say "pip offers no build of LibTorch without CUDA here; taking the default one, which is larger"
fi
# shellcheck disable=SC2086  # a list of packages
pip_install "torch==$TORCH_VERSION" numpy $PIP_PACKAGES

printf '%s\n' "$wanted" >"$stamp"
say "done in $((SECONDS - start)) s"
