"""The modules of src/ from the bottom up. A module may use the modules of earlier rows, except the leaves."""

LAYERS = [
    ["base"],
    ["config", "metrics", "routing"],
    ["env", "output"],
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

# Leaves, and the only modules that may use them. Tasks are leaves because the trainer does not depend on any of them, and only
# tasks use oracles. Programs link the tasks and register them (src/envs/all_tasks).
LEAVES = {
    "envs": ["commands", "api"],
    "oracle": ["envs", "commands", "api"],
}

# Descriptions for the map drawn by scripts/map.py.
WORDS = {
    "api": "the C facade: all that programs outside see of the engine",
    "base": "errors, bytes, files of sections, random numbers, threads",
    "cluster": "roles behind calls by name, and the runner that calls them as actors",
    "commands": "train, evaluate, search, solve and the others: flags, texts",
    "config": "every setting: Protobuf, YAML, overrides, dump, reference",
    "env": "the contract of an environment and of a task; the registry",
    "envs": "the tasks, a folder each, and what registers them",
    "learn": "PPO: advantages, losses, gradients, the learner",
    "loop": "coordinator, training, evaluator, checkpoints, the local runner",
    "metrics": "the table of metrics, and a report of their values",
    "nets": "networks of actor and critic, Adam, distributions",
    "oracle": "what prices routing problems: insertion, search, the neural one",
    "output": "what a run shows: terminal, JSONL, TensorBoard, tables",
    "rollout": "the batch, and the shard of environments that fills it",
    "routing": "routing problems, plans, file formats, pictures",
    "search": "GP-UCB over workflow orders: whole trainings as trials",
}

def above(module):
    """Returns the visibility of a module: itself, the modules that may use it, and tests."""
    higher = []
    reached = False
    for row in LAYERS:
        if reached:
            higher = higher + row
        if module in row:
            reached = True
    if not reached:
        fail("src/%s is not in scripts/bazel/layers.bzl: give it a row there" % module)
    seen = [module] + LEAVES.get(module, higher)
    return ["//src/%s:__subpackages__" % name for name in seen] + ["//tests:__subpackages__"]
