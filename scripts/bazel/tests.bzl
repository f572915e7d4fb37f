"""Rules for tests: every NAME_test.cc of a folder is a test; Python tests are listed with their arguments."""

load("@libtorch//:lib_dir.bzl", "PYTHON")
load(":dray.bzl", "engine_library", "engine_test")

def fixtures(name = "fixtures", files = ["*"], without = [], **kwargs):
    """Makes a library of the files in a test folder that are not tests, for tests here and elsewhere."""
    engine_library(
        name = name,
        testonly = True,
        files = files,
        without = ["*_test"] + without,
        visibility = ["//tests:__subpackages__"],
        **kwargs
    )

def unit_tests(deps, data = [], torch = [], torch_deps = [], special = {}):
    """Makes a test from every *_test.cc of the folder.

    deps, data: dependencies and data of all tests. torch: names of the tests compiled against LibTorch, which also get torch_deps.
    special: further attributes by test name; its deps and data are added to the others.
    """
    names = [source[:-len(".cc")] for source in native.glob(["*_test.cc"])]
    for name in torch + special.keys():
        if name not in names:
            fail("//%s has no %s.cc" % (native.package_name(), name))
    for name in names:
        attributes = dict(special.get(name, {}))
        engine_test(
            name = name,
            srcs = [name + ".cc"],
            torch = name in torch,
            data = data + attributes.pop("data", []),
            deps = deps + (torch_deps if name in torch else []) + attributes.pop("deps", []),
            **attributes
        )

def python_test(name, src = None, args = [], data = [], tags = [], sanitized = False, **kwargs):
    """Makes a Python test, run by the virtual environment's interpreter.

    src: the file [NAME.py]. args: arguments; a label, which begins with // or :, is passed as the path of its file.
    sanitized: also run it with the address sanitizer. Its first argument must be the engine's library; run_python.sh preloads the
    sanitizer's runtime.
    """
    src = src or name + ".py"
    labels = [arg for arg in args if arg.startswith("//") or arg.startswith(":")]
    native.sh_test(
        name = name,
        srcs = ["//scripts/bazel:run_python.sh"],
        args = [PYTHON, "$(location %s)" % src] + ["$(location %s)" % arg if arg in labels else arg for arg in args],
        data = [src] + labels + [label for label in data if label not in labels],
        tags = tags + ([] if sanitized else ["no_asan"]),
        **kwargs
    )

def python_tests(names, **kwargs):
    """Makes Python tests that differ only in their files."""
    for name in names:
        python_test(name = name, **kwargs)
