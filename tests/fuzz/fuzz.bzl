"""Fuzz targets: every NAME_fuzz.cc, run here on its corpus and on changed copies of it, and by scripts/fuzz.py with libFuzzer."""

load("//scripts/bazel:dray.bzl", "engine_test")

def fuzz_targets(deps, special):
    """A test from every *_fuzz.cc; special has further attributes by a target's name, deps on top of the others among them."""
    for source in native.glob(["*_fuzz.cc"]):
        name = source[:-len("_fuzz.cc")]
        attributes = dict(special.get(name, {}))
        engine_test(
            name = name + "_fuzz_test",
            srcs = [source],
            args = ["tests/fuzz/corpus/" + name],
            data = native.glob(["corpus/%s/*" % name]),
            deps = deps + attributes.pop("deps", []),
            **attributes
        )
