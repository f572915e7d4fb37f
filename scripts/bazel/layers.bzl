"""The modules of src/ from the bottom up. A module may use those of the rows before its own, and no other."""

LAYERS = [
    ["base"],
    ["config", "metrics", "routing"],
    ["env"],
    ["nets"],
    ["oracle"],
    ["envs"],
    ["rollout"],
    ["learn"],
    ["loop"],
    ["cluster"],
    ["search"],
    ["commands"],
    ["api"],
]

def above(module):
    """Who may see what is in a module: itself, the modules above it, and tests."""
    seen = [module]
    reached = False
    for row in LAYERS:
        if reached:
            seen = seen + row
        if module in row:
            reached = True
    if not reached:
        fail("src/%s is not in scripts/bazel/layers.bzl: give it a row there" % module)
    return ["//src/%s:__subpackages__" % name for name in seen] + ["//tests:__subpackages__"]
