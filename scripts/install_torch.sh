#!/usr/bin/env bash
# Installs LibTorch, as the Python package torch, into a virtual environment: without CUDA if the machine has no GPU.
set -euo pipefail
cd "$(dirname "$0")/.."

TORCH_VERSION=$(sed -n 's/^torch===//p' scripts/packages/torch.in)

usage() {
  cat <<TEXT
Usage: scripts/install_torch.sh [--venv DIR] [--torch cpu|cuda] [--torch-index URL|none] [--beside GB]
                                [--allow-newer] [--help]

Installs torch $TORCH_VERSION and its dependencies. The build without CUDA downloads 0.2 GB and takes 0.7 GB of disk; pip's default build downloads 2.6 GB and takes
5 GB, on x86_64 and on aarch64. Checks first that there is enough disk space.

  --venv DIR           virtual environment [DRAY_VENV, else .venv]
  --torch cpu          the build without CUDA (default without an NVIDIA GPU) from pip's index, else from --torch-index;
                       if neither has it, the default build, with a note
  --torch cuda         pip's default build (default if nvidia-smi finds a GPU)
  --torch-index URL    index for the build without CUDA if pip's index does not have it; none: no other index
                       [DRAY_TORCH_INDEX, else none; see PyTorch's installation page for its index]
  --beside GB          disk space needed in addition to torch [0]
  --allow-newer        allow newer releases of torch's dependencies than scripts/packages lists
  --version            print the version of torch and exit
TEXT
}

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }
misuse() { printf 'setup: %s; see scripts/install_torch.sh --help\n' "$*" >&2; exit 2; }

venv="${DRAY_VENV:-.venv}" torch=auto index="${DRAY_TORCH_INDEX:-none}" beside=0 newer=()
while [ $# -gt 0 ]; do
  case "$1" in
    -h|--help) usage; exit 0 ;;
    --version) echo "$TORCH_VERSION"; exit 0 ;;
    --allow-newer) newer=(--allow-newer); shift; continue ;;
    --venv|--torch|--torch-index|--beside) [ $# -ge 2 ] || misuse "$1 needs a value" ;;
    *) misuse "unknown argument $1" ;;
  esac
  case "$1" in --venv) venv=$2 ;; --torch) torch=$2 ;; --torch-index) index=$2 ;; --beside) beside=$2 ;; esac
  shift 2
done
case "$torch" in
  auto) if command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q GPU; then torch=cuda; else torch=cpu; fi ;;
  cpu|cuda) ;;
  *) misuse "--torch $torch: use cpu or cuda" ;;
esac
pip="$venv/bin/pip"
[ -x "$pip" ] || fail "$venv is not a virtual environment: run python3 -m venv $venv"

# An installed torch of this version stays, unless it lacks the requested CUDA.
if there=$("$venv/bin/python" -c 'import importlib.metadata as m; print(m.version("torch"))' 2>/dev/null); then
  case "$torch $there" in
    "cuda $TORCH_VERSION+cpu") ;;
    *" $TORCH_VERSION"|*" $TORCH_VERSION+"*) say "torch $there is already installed"; exit 0 ;;
  esac
fi

# Succeeds if an index has the build without CUDA. Reads only its list of files.
offers() { "$pip" index versions torch --disable-pip-version-check --retries 0 --timeout 15 "$@" 2>/dev/null | grep -qwF "$TORCH_VERSION+cpu"; }

download=0.2 disk=0.9 what=(--build "torch==$TORCH_VERSION+cpu" torch)
if [ "$torch" = cpu ] && offers; then
  say "LibTorch $TORCH_VERSION without CUDA, from pip's own index"
elif [ "$torch" = cpu ] && [ "$index" != none ] && offers --index-url "$index"; then
  say "LibTorch $TORCH_VERSION without CUDA, from $index"
  what=(--build-index "$index" "${what[@]}")
else
  download=2.6 disk=7.6 what=(torch cuda)
  if [ "$torch" = cpu ]; then
    where="pip's own index"
    [ "$index" = none ] || where="$where and at $index"
    say "no LibTorch without CUDA (torch $TORCH_VERSION+cpu) at $where: using the default build, which works here but is larger"
    say "to use another source: --torch-index URL, PIP_EXTRA_INDEX_URL or PIP_FIND_LINKS"
  fi
fi

free_kb=$(df -Pk "$venv" | awk 'NR==2 {print $4}')
awk -v free="$free_kb" -v disk="$disk" -v beside="$beside" 'BEGIN { exit !(free / 1048576 >= disk + beside) }' ||
  fail "$(awk -v k="$free_kb" 'BEGIN { printf "%.1f", k / 1048576 }') GB of disk are free at $venv; LibTorch needs $disk GB, including pip's cache, and the rest needs $beside GB"
say "downloading $download GB"
python3 scripts/install_packages.py --venv "$venv" "${newer[@]}" "${what[@]}"
