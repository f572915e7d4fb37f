"""All compiler and linker flags of the project, and the rules that use them.

Code with and without Ray never shares a translation unit (ARCHITECTURE.md, "The hourglass"):
  engine_*  C++20, current ABI of the standard library: LibTorch, Protobuf, yaml-cpp. No Ray.
  driver_*  C++17, old ABI, as libray_api.so was built: uses the engine's C++17 wrapper. No torch.
  ray_*     like driver_*, with Ray.
"""

load("@libtorch//:lib_dir.bzl", "CUDA_RUNTIME", "HAS_CUDA", "HAS_CUDA_HEADERS", "PYTHON", TORCH_LIB = "LIB_DIR", TORCH_VERSION = "VERSION")
load("@ray_cpp//:lib_dir.bzl", RAY_LIB = "LIB_DIR", RAY_VERSION = "VERSION")
load(":joined.bzl", "joined_sources")
load(":layers.bzl", _above = "above")
load(":precompiled.bzl", "precompiled_header")
load(":preludes.bzl", "ENGINE_PRELUDE", "TEST_PRELUDE", "TORCH_PRELUDE")

# The visibility of a module, used by every BUILD file of src/.
above = _above

# With precompiled headers, GCC 12 reports false positives of these in the standard library's strings.
_WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-array-bounds",
    "-Wno-restrict",
    "-Wno-stringop-overflow",
    "-Wno-stringop-overread",
]

# No implicit fused multiply-add, so that environments give the same bits on every architecture.
_ENGINE = _WARNINGS + [
    "-std=c++20",
    "-O3",
    "-fvisibility=hidden",
    "-ffp-contract=off",
]

# -idirafter makes Debian's protobuf headers take precedence over the older ones inside the wheel. DRAY_LIBTORCH makes the command depend
# on LibTorch's version, because Bazel does not see what a file reads from a precompiled header.
_TORCH = [
    "-DAT_PER_OPERATOR_HEADERS",
    "-DDRAY_LIBTORCH=%s" % TORCH_VERSION,
    "-isystem",
    "external/libtorch/include/torch/csrc/api/include",
    "-idirafter",
    "external/libtorch/include",
] + (["-DDRAY_CUDA", "-isystem", "external/libtorch/cuda_include"] if HAS_CUDA_HEADERS else [])
_TORCH_LINK = [
    "-L%s" % TORCH_LIB,
    "-Wl,-rpath,%s" % TORCH_LIB,
    "-Wl,--no-as-needed",
    "-ltorch",
    "-ltorch_cpu",
    "-lc10",
] + (["-ltorch_cuda", "-lc10_cuda"] if HAS_CUDA else []) + ["-Wl,--as-needed"] + \
              ([CUDA_RUNTIME, "-Wl,-rpath," + CUDA_RUNTIME.rpartition("/")[0]] if CUDA_RUNTIME else [])
_ENGINE_LINK = ["-lprotobuf", "-lyaml-cpp", "-lpthread"]

# Numeric kernels may fuse: their results are compared up to rounding, and fusing makes them twice as fast. Ignoring floating-point traps
# and errno allows loops with conditions or roots to be vectorised. avoid-fma-max-bits=0 makes GCC 13 fuse everywhere: on some processors
# it would skip some loops, and the result of a row would depend on the rows computed with it.
_KERNELS = [
    "-ffp-contract=fast",
    "--param=avoid-fma-max-bits=0",
    "-fno-trapping-math",
    "-fno-math-errno",
    "-Wno-psabi",
]

# Modules that take no time in a run, only in a build: a file compiles in two thirds of the time with -O1.
_SELDOM_RUN = ["api", "cluster", "commands", "config", "loop", "metrics", "search"]

def _copts(torch, test = False, seldom_run = False):
    seldom_run = seldom_run or test or native.package_name().partition("src/")[2].partition("/")[0] in _SELDOM_RUN
    return _ENGINE + (_TORCH if torch else []) + (["-O1"] if seldom_run else []) + \
           ["-include", "$(BINDIR)/scripts/bazel/%s.h" % _prelude(torch, test)]

def _deps(torch, test = False):
    return ["//scripts/bazel:" + _prelude(torch, test)] + (["@libtorch//:headers"] if torch else [])

def _prelude(torch, test):
    return ("torch" if torch else "engine") + ("_test" if test else "") + "_prelude"

def preludes():
    """Makes a precompiled header for each kind of file, with the flags of those files."""
    for torch in (False, True):
        for test in (False, True):
            precompiled_header(
                name = _prelude(torch, test),
                copts = _ENGINE + (_TORCH if torch else []),
                includes = ENGINE_PRELUDE + (TORCH_PRELUDE if torch else []) + (TEST_PRELUDE if test else []),
                visibility = ["//visibility:public"],
                deps = ["@libtorch//:headers"] if torch else [],
            )

def _found(files, without, ending):
    """Returns the files with these names in this folder and below; names have no extension and may be patterns."""
    for name in without + files:
        if "*" not in name and not native.glob([name + ".cc", name + ".h"]):
            fail("//%s lists %s, which does not exist" % (native.package_name(), name))
    return native.glob([name + ending for name in files], exclude = [name + ending for name in without])

# Most files of a library that are compiled as one. A file alone spends most of its time on templates of headers that its neighbours
# include, too: eight together take half of the time of one by one. A change of one file compiles its neighbours again, unless Bazel is
# called with --config=edit.
_JOINED = 8

def _join(name, sources):
    """Returns the files to compile in place of these sources, and the libraries that let them include these."""
    if len(sources) < 2:
        return sources, []
    parts = (len(sources) + _JOINED - 1) // _JOINED
    labels = ["%s_part%d" % (name, part) for part in range(parts)]
    for part, label in enumerate(labels):
        begin, end = [len(sources) * edge // parts for edge in (part, part + 1)]
        joined_sources(name = label, srcs = sources[begin:end])
    native.cc_library(name = name + "_sources", textual_hdrs = sources)
    return select({"//scripts/bazel:one_by_one": sources, "//conditions:default": labels}), [name + "_sources"]

def engine_library(name, files = ["**/*"], without = [], torch = False, kernels = False, srcs = [], hdrs = [], deps = [], **kwargs):
    """Makes a library of all or some .cc and .h files of a folder and its subfolders.

    files, without: names without extension, or patterns.
    torch: compile against LibTorch. kernels: use the flags for numeric kernels.
    srcs, hdrs: additional files, such as generated ones or another library's headers.
    """
    sources = _found(files, without, ".cc")
    joined, includable = (sources, []) if kernels else _join(name, sources)
    native.cc_library(
        name = name,
        srcs = srcs + joined,
        hdrs = hdrs + _found(files, without, ".h"),
        copts = (_ENGINE + _KERNELS) if kernels else _copts(torch),
        deps = deps + includable + ([] if kernels else _deps(torch)),
        linkopts = _ENGINE_LINK + (_TORCH_LINK if torch else []),
        linkstatic = True,
        **kwargs
    )

def engine_test(name, srcs, torch = False, deps = [], size = "small", **kwargs):
    native.cc_test(
        name = name,
        size = size,
        srcs = srcs,
        copts = _copts(torch, test = True),
        linkopts = ["-lgmock_main", "-lgmock", "-lgtest"] + _ENGINE_LINK + (_TORCH_LINK if torch else []),
        linkstatic = True,
        deps = deps + _deps(torch, test = True),
        **kwargs
    )

def engine_binary(name, torch = False, deps = [], **kwargs):
    native.cc_binary(
        name = name,
        deps = deps + _deps(torch),
        copts = _copts(torch),
        linkopts = _ENGINE_LINK + (_TORCH_LINK if torch else []),
        **kwargs
    )

def engine_proto(name, imports = [], files = ["**/*"], **kwargs):
    """Makes a C++ library from the .proto files of a folder and its subfolders; `imports` lists other engine_proto targets."""
    protos = native.glob([file + ".proto" for file in files])
    stems = [proto[:-len(".proto")] for proto in protos]
    native.filegroup(name = name + "_src", srcs = protos + [i + "_src" for i in imports], **kwargs)
    native.genrule(
        name = name + "_gen",
        srcs = [name + "_src"],
        outs = [stem + ending for stem in stems for ending in (".pb.h", ".pb.cc")],
        cmd = "protoc -I. --cpp_out=$(GENDIR) " + " ".join(["%s/%s" % (native.package_name(), proto) for proto in protos]),
    )
    native.cc_library(
        name = name,
        srcs = [stem + ".pb.cc" for stem in stems],
        hdrs = [stem + ".pb.h" for stem in stems],
        copts = _copts(torch = False, seldom_run = True),
        linkopts = _ENGINE_LINK,
        linkstatic = True,
        # Environments' messages are found by reflection, not by symbol, so every binary must keep them.
        alwayslink = True,
        deps = imports + _deps(torch = False),
        **kwargs
    )

def task(name, imports = [], deps = [], **kwargs):
    """Makes the library of a task of src/envs from its folder, including its settings in .proto files."""
    engine_proto(
        name = name + "_proto",
        imports = ["//src/config:config_proto"] + imports,
    )
    engine_library(
        name = name,
        deps = [":%s_proto" % name, "//src/base", "//src/env"] + deps,
        **kwargs
    )

def engine_shared_library(name, deps, exports, torch = True, **kwargs):
    """Makes a shared library of the engine, or a part of it, that exports only the symbols of the export map."""
    native.cc_binary(
        name = name,
        linkshared = True,
        linkopts = _ENGINE_LINK + (_TORCH_LINK if torch else ["-Wl,-rpath,\\$$ORIGIN"]) + [
            "-Wl,-Bsymbolic",
            "-Wl,--version-script=$(location %s)" % exports,
        ],
        deps = deps + [exports],
        **kwargs
    )

_DRIVER = _WARNINGS + ["-std=c++17", "-D_GLIBCXX_USE_CXX11_ABI=0"]

_RAY = ["-isystem", "external/ray_cpp/include"]

# --no-as-needed, because workers skip a library that does not depend directly on libray_api.so.
_RAY_LINK = [
    "-L%s" % RAY_LIB,
    "-Wl,-rpath,%s" % RAY_LIB,
    "-Wl,--no-as-needed",
    "-lray_api",
    "-Wl,--as-needed",
    "-lpthread",
    "-ldl",
]
_RAY_DEPS = ["@ray_cpp//:headers"]

def driver_binary(name, **kwargs):
    """Makes a command's program, with Ray's ABI and C++ standard but without Ray, which a local run never loads."""
    native.cc_binary(
        name = name,
        copts = _DRIVER,
        **kwargs
    )

def driver_library(name, exports = [], python = False, **kwargs):
    """Makes a library for commands that knows the version of Ray but includes neither Ray nor torch.

    exports: functions that replace those of the C library for libraries loaded by the command.
    python: also define the interpreter's path on this machine.
    """
    native.cc_library(
        name = name,
        copts = _DRIVER,
        local_defines = ['DRAY_RAY_VERSION=\\"%s\\"' % RAY_VERSION] +
                        (['DRAY_PYTHON_PATH=\\"%s\\"' % PYTHON] if python else []),
        linkopts = ["-Wl,--export-dynamic-symbol=" + symbol for symbol in exports] + ["-ldl"],
        linkstatic = True,
        **kwargs
    )

def ray_library(name, deps = [], **kwargs):
    """Makes a library that uses Ray, for an actor library or a test program."""
    native.cc_library(
        name = name,
        copts = _DRIVER + _RAY,
        deps = deps + _RAY_DEPS,
        linkstatic = True,
        # Actors are found by registration, not by symbol.
        alwayslink = True,
        **kwargs
    )

def ray_shared_library(name, deps, **kwargs):
    """Makes the library that Ray's workers load. Its symbols are visible, because Ray looks them up by name."""
    native.cc_binary(
        name = name,
        linkshared = True,
        linkopts = _RAY_LINK + ["-Wl,-rpath,$$ORIGIN"],
        deps = deps,
        **kwargs
    )
