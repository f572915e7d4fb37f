#!/usr/bin/env bash
# Builds the commands with plain g++, for a machine with LibTorch but without Bazel, such as a GPU node.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: scripts/build_without_bazel.sh [--out FOLDER] [--ray FOLDER] [--jobs N] [--tests] [--help]

Compiles the engine and the commands with g++ and protoc, against the LibTorch of `python3 -c 'import torch'` (PYTHON sets another
interpreter). Needs protobuf, yaml-cpp, nlohmann-json and, with --tests, GoogleTest. For development use Bazel: this script always
rebuilds everything.

  --out FOLDER  output folder (default: build)
  --ray FOLDER  also build libdray_actors.so, which `train --runner ray` loads. FOLDER contains the Python package `ray` with its C++
                API: a site-packages folder, or an unpacked archive of scripts/ray_archive.sh
  --jobs N      number of parallel compilers (default: one per core)
  --tests       also build sequence_speed and the tests whose results depend on the GPU or the compiler
TEXT
}

out=build
ray=""
jobs=$(nproc)
tests=no
while [ $# -gt 0 ]; do
  case "$1" in
    --out) out="${2:?--out needs a folder}"; shift 2 ;;
    --ray) ray="${2:?--ray needs the folder that holds the package ray}"; shift 2 ;;
    --jobs) jobs="${2:?--jobs needs a number}"; shift 2 ;;
    --tests) tests=yes; shift ;;
    -h|--help) usage; exit 0 ;;
    *) echo "build: unknown argument $1; see --help" >&2; exit 2 ;;
  esac
done

python="${PYTHON:-python3}"
torch=$("$python" -c 'import os, torch; print(os.path.dirname(torch.__file__))') ||
  { echo "build: $python has no torch; set PYTHON" >&2; exit 1; }
if [ -n "$ray" ]; then
  [ -e "$ray/ray/cpp/lib/libray_api.so" ] ||
    { echo "build: $ray/ray has no C++ API: install ray-cpp there, or see scripts/ray_archive.sh" >&2; exit 1; }
  ray=$(cd "$ray" && pwd)
fi
rm -rf "$out/gen" "$out/obj"
mkdir -p "$out/gen" "$out/obj/engine" "$out/obj/driver" "$out/obj/actors"
start=$SECONDS

protos=$(find src -name '*.proto')
# shellcheck disable=SC2086  # a list of files
protoc -I. --cpp_out="$out/gen" $protos

# Prints the names in a list of a .bzl file, each in the format $3: %s is the name, %S the name in capitals.
names() {  # file, list, text
  "$python" - "$@" <<'PYTHON'
import ast, sys
path, wanted, text = sys.argv[1:]
for node in ast.parse(open(path).read()).body:
    if isinstance(node, ast.Assign) and node.targets[0].id == wanted:
        names = ast.literal_eval(node.value)
        print("".join(text.replace("%s", name).replace("%S", name.upper()) for name in names))
PYTHON
}
tasks=$(names src/envs/envs.bzl ENVS 'TASK(%s)')
on_clusters=$(names src/commands/commands.bzl CLUSTER_COMMANDS '%s ')
commands=$(names src/commands/commands.bzl COMMANDS '%s ')$on_clusters

# The flags of scripts/bazel/dray.bzl.
engine="-std=c++20 -O3 -fPIC -fvisibility=hidden -ffp-contract=off -DNDEBUG -w -I. -I$out/gen
  -DDRAY_TASKS=$tasks -DDRAY_COMMANDS=$(names src/commands/commands.bzl COMMANDS 'COMMAND(%s)')
  -DDRAY_CLUSTER_COMMANDS=$(names src/commands/commands.bzl CLUSTER_COMMANDS 'COMMAND(%s)')
  -DDRAY_ORACLES=$(names src/oracle/BUILD ORACLES 'ORACLE(%s,%S)')
  -isystem $torch/include/torch/csrc/api/include -idirafter $torch/include"
driver="-std=c++17 -D_GLIBCXX_USE_CXX11_ABI=0 -O2 -fPIC -DNDEBUG -w -I. -DDRAY_PYTHON_PATH=\"$(command -v "$python")\""
actors="$driver"
if [ -n "$ray" ]; then
  driver="$driver -DDRAY_RAY_VERSION=\"$(sed -n 's/^version = "\(.*\)"/\1/p' "$ray/ray/_version.py")\""
  actors="$actors -isystem $ray/ray/cpp/include"
fi
engine="$engine -DAT_PER_OPERATOR_HEADERS"
cuda=""
if [ -e "$torch/lib/libtorch_cuda.so" ]; then
  cuda="-ltorch_cuda -lc10_cuda"
  # CUDA's headers come from the wheels installed with LibTorch, else from an installed toolkit.
  for folder in "$(dirname "$torch")"/nvidia/*/include /usr/local/cuda/include; do
    [ -e "$folder/cuda_runtime_api.h" ] && [ -e "$folder/crt/host_config.h" ] || continue
    engine="$engine -DDRAY_CUDA -isystem $folder"
    break
  done
fi
link="-L$torch/lib -Wl,-rpath,$torch/lib -Wl,--no-as-needed -ltorch -ltorch_cpu -lc10 $cuda -Wl,--as-needed
  -lprotobuf -lyaml-cpp -lpthread"

# Precompiles the headers that nearly all files include.
prelude="$out/gen/torch_prelude.h"
for list in ENGINE_PRELUDE TORCH_PRELUDE; do names scripts/bazel/preludes.bzl "$list" '#include <%s>
'; done > "$prelude"
# shellcheck disable=SC2086
g++ $engine -x c++-header "$prelude" -o "$prelude.gch"
engine="$engine -include $prelude"

# Prints the sources (or another list) of one kind of target in ray_actors/BUILD, one per line.
listed() {  # kind of target, list
  "$python" - "$@" <<'PYTHON'
import sys

class Rules(dict):
    def __missing__(self, kind):
        return lambda *_, **target: self.found.extend(target.get(sys.argv[2], []) if kind == sys.argv[1] else [])

rules = Rules()
rules.found = []
rules["PROGRAMS"] = {}
exec(open("ray_actors/BUILD").read(), {}, rules)
print("\n".join(rules.found))
PYTHON
}

compile() {  # world, source
  local world="$1" source="$2" flags="$engine"
  local object="$out/obj/$world/$(echo "${source#"$out"/gen/}" | tr / _).o"
  [ "$world" = driver ] && flags="$driver"
  [ "$world" = actors ] && flags="$actors"
  [[ "$source" == *kernels.cc ]] && flags="$flags -ffp-contract=fast --param=avoid-fma-max-bits=0 -fno-trapping-math -fno-math-errno -Wno-psabi"
  # shellcheck disable=SC2086
  g++ $flags -c "$source" -o "$object"
}
export -f compile
export out engine driver actors
{
  listed driver_library srcs | sed 's,^,driver ray_actors/,'
  [ -z "$ray" ] || listed ray_library srcs | sed 's,^,actors ray_actors/,'
  find src -name '*.cc' ! -name '*_generator.cc' -printf 'engine %p\n'
  find "$out/gen" -name '*.pb.cc' -printf 'engine %p\n'
} | xargs -P "$jobs" -L 1 bash -c 'compile "$@"' compile || { echo "build: failed (above)" >&2; exit 1; }

# shellcheck disable=SC2086
g++ -shared -o "$out/libdray.so" "$out"/obj/engine/*.o -Wl,-Bsymbolic -Wl,--version-script=src/api/exports.lds $link
made="the commands ${commands}in $out"
if [ -n "$ray" ]; then
  g++ -shared -o "$out/libdray_actors.so" "$out"/obj/actors/*.o -L"$out" -ldray -L"$ray/ray/cpp/lib" \
    -Wl,-rpath,"$ray/ray/cpp/lib" -Wl,--no-as-needed -lray_api -Wl,--as-needed -lpthread -ldl -Wl,-rpath,'$ORIGIN'
  made="$made, $out/libdray_actors.so"
fi
exports=$(listed driver_library exports | sed 's/^/-Wl,--export-dynamic-symbol=/')
for command in $commands; do
  parts="-DDRAY_COMMAND=\"$command\""
  [[ " $on_clusters" == *" $command "* ]] && parts="$parts -DDRAY_OPENS_CLUSTER $out/obj/driver/*.o $exports"
  # shellcheck disable=SC2086
  g++ $driver -o "$out/$command" ray_actors/command_main.cc $parts -L"$out" -ldray -ldl -Wl,-rpath,'$ORIGIN'
done
# The Python package makes the pages of runs and starts Ray.
ln -sfn "$PWD/src/python" "$out/python"
if [ "$tests" = yes ]; then
  # LibTorch's headers need CUDA's runtime, which was installed with LibTorch or with the toolkit.
  runtime=""
  for file in "$(dirname "$torch")"/nvidia/*/lib/libcudart.so.* /usr/local/cuda/lib64/libcudart.so; do
    [ -n "$cuda" ] && [ -e "$file" ] || continue
    runtime="$file -Wl,-rpath,$(dirname "$file")"
    break
  done
  test() {  # name, sources
    local name="$1"
    shift
    rm -f "$out/$name"
    names_of_tests="$names_of_tests $name"
    # shellcheck disable=SC2086
    g++ $engine -o "$out/$name" "$@" "$out"/obj/engine/*.o $link $runtime -lgmock -lgtest &
  }
  names_of_tests=""
  learn="tests/all_tasks.cc tests/learn/loss_cases.cc tests/learn/synthetic_rollouts.cc tests/rollout/shopping_env.cc -lgmock_main"
  for name in learn/gradients_test learn/steps_test learn/perceptron_gradients_test learn/learner_test loop/trials_test; do
    # shellcheck disable=SC2086
    test "${name#*/}" "tests/$name.cc" $learn
  done
  test kernels_test tests/nets/kernels_test.cc -lgmock_main
  test gpu_sequences_test tests/oracle/neural/gpu_sequences_test.cc tests/oracle/random_problems.cc -lgmock_main
  test sequence_speed tests/oracle/neural/sequence_speed.cc tests/oracle/random_problems.cc
  wait
  for name in $names_of_tests; do
    [ -x "$out/$name" ] || { echo "build: $name failed (above)" >&2; exit 1; }
  done
fi
echo "build: $made in $((SECONDS - start)) s"
