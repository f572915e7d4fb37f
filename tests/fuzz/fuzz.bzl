"""A fuzz target: NAME_fuzz.cc, run here on its corpus and on changed copies of it, and by scripts/fuzz.py with libFuzzer."""

load("//scripts/bazel:dray.bzl", "engine_test")

def fuzz_target(name, deps, **kwargs):
    engine_test(
        name = name + "_fuzz_test",
        srcs = [name + "_fuzz.cc"],
        args = ["tests/fuzz/corpus/" + name],
        data = native.glob(["corpus/%s/*" % name]),
        deps = deps + [":replay"],
        **kwargs
    )
