#!/usr/bin/env bash
# Builds the commands with plain g++, for a machine that has LibTorch but no Bazel (a GPU node, say).
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/build_without_bazel.sh [--out FOLDER] [--tests] [--help]

Compiles the engine and the commands train and evaluate into FOLDER (default build/) with g++ and protoc, against the
LibTorch of `python3 -c 'import torch'` (PYTHON names another interpreter). Needs protobuf, yaml-cpp and, with --tests,
GoogleTest. Bazel stays the way to develop; this one has no incremental builds.

  --tests   also builds FOLDER/gradients_test and FOLDER/learner_test
TEXT
}

out=build
tests=no
while [ $# -gt 0 ]; do
  case "$1" in
    --out) out="${2:?--out needs a folder}"; shift 2 ;;
    --tests) tests=yes; shift ;;
    -h|--help) usage; exit 0 ;;
    *) echo "build: unknown argument $1; see --help" >&2; exit 2 ;;
  esac
done

python="${PYTHON:-python3}"
torch=$("$python" -c 'import os, torch; print(os.path.dirname(torch.__file__))') ||
  { echo "build: $python has no torch; set PYTHON" >&2; exit 1; }
mkdir -p "$out/gen" "$out/obj"
start=$SECONDS

protos=$(find src -name '*.proto')
# shellcheck disable=SC2086  # a list of files
protoc -I. --cpp_out="$out/gen" $protos

# The flags of scripts/bazel/dray.bzl.
engine="-std=c++20 -O3 -fPIC -fvisibility=hidden -ffp-contract=off -DNDEBUG -w -I. -I$out/gen
  -isystem $torch/include/torch/csrc/api/include -idirafter $torch/include"
cuda=""
[ -e "$torch/lib/libtorch_cuda.so" ] && cuda="-ltorch_cuda -lc10_cuda"
link="-L$torch/lib -Wl,-rpath,$torch/lib -Wl,--no-as-needed -ltorch -ltorch_cpu -lc10 $cuda -Wl,--as-needed
  -lprotobuf -lyaml-cpp -lpthread"

compile() {  # source -> object
  local source="$1" object="$out/obj/$(echo "${1#"$out"/gen/}" | tr / _).o" extra=""
  case "$source" in src/nets/*kernels.cc) extra="-ffp-contract=fast -Wno-psabi" ;; esac
  # shellcheck disable=SC2086
  g++ $engine $extra -c "$source" -o "$object"
}
export -f compile
export out engine
{ find src -name '*.cc' ! -name '*_generator.cc'; find "$out/gen" -name '*.pb.cc'; } |
  xargs -P "$(nproc)" -I{} bash -c 'compile {}' || { echo "build: failed (above)" >&2; exit 1; }

# shellcheck disable=SC2086
g++ -shared -o "$out/libdray.so" "$out"/obj/*.o -Wl,-Bsymbolic -Wl,--version-script=src/api/exports.lds $link
for command in train evaluate; do
  g++ -std=c++17 -D_GLIBCXX_USE_CXX11_ABI=0 -O2 -I. -o "$out/$command" "ray_actors/${command}_main.cc" \
    -L"$out" -ldray -Wl,-rpath,'$ORIGIN'
done
if [ "$tests" = yes ]; then
  # shellcheck disable=SC2086
  g++ $engine -o "$out/gradients_test" tests/learn/gradients_test.cc "$out"/obj/*.o -lgmock_main -lgmock -lgtest $link
  # shellcheck disable=SC2086
  g++ $engine -o "$out/learner_test" tests/learn/learner_test.cc tests/learn/synthetic_rollouts.cc \
    tests/rollout/shopping_env.cc "$out"/obj/*.o \
    -lgmock_main -lgmock -lgtest $link
fi
echo "build: $out/train, $out/evaluate in $((SECONDS - start)) s"
