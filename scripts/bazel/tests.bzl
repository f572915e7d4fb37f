"""Tests by the folder: a file NAME_test.cc is a test of its own, in Python one says what it is run with."""

load("@libtorch//:lib_dir.bzl", "PYTHON")
load(":dray.bzl", "engine_library", "engine_test")

def fixtures(name = "fixtures", files = ["*"], without = [], **kwargs):
    """The files of a folder of tests that are no tests, for tests here and elsewhere."""
    engine_library(
        name = name,
        testonly = True,
        files = files,
        without = ["*_test"] + without,
        visibility = ["//tests:__subpackages__"],
        **kwargs
    )

def unit_tests(deps, data = [], torch = [], torch_deps = [], special = {}):
    """A test from every *_test.cc of the folder.

    deps, data: what all of them are linked with, and read. torch: names of those compiled against LibTorch, which have torch_deps, too.
    special: further attributes by a test's name; deps and data among them come on top of the others.
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
    """A test written in Python, run by the virtual environment's interpreter.

    src: the file [NAME.py]. args: a label, which begins with // or :, is passed as the path of its file.
    sanitized: it runs with the address sanitizer, too. Its first argument is the engine's library, whose sanitizer's runtime
    run_python.sh loads before the interpreter.
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
    """Tests that differ in their files alone."""
    for name in names:
        python_test(name = name, **kwargs)
