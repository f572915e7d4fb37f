"""The named experiments of scripts/scaling.py, on the delivery task: for each, the flags of train behind each row's name."""

import re

TASK = ("--config", "configs/dvrptw_64.yaml", "--device", "cpu", "--set", "env.dvrptw.oracle.kind=ruin_recreate")
SHARDS = (1, 2, 4, 8, 14)
ENVS_PER_SHARD = 16
STRONG_ENVS = 224  # 14 shards of 16
LAGS = {"synchronous": 0, "asynchronous, lag 1": 1, "asynchronous, lag 2": 2}

# Rollouts and learning count as equal within this factor.
ABOUT_EQUAL = 1.15
CALIBRATIONS = 6
FEWEST_PASSES = 4  # of learning: fewer could not be tuned finely


def scaled(envs, workers):
    return ("--num-envs", str(envs), "--num-workers", str(workers))


def passes(count):
    return ("--set", f"ppo.policy_epochs={count}", "--set", f"ppo.value_epochs={count}")


def two_core(cores):
    return {runner: (*TASK, "--runner", runner, *scaled(64, 2), "--epochs", "9") for runner in ("local", "ray")}


def workers(cores):
    if cores < 4:
        return {}
    short = (*passes(1), "--epochs", "21")
    return {
        "one process": (*TASK, "--runner", "local", *scaled(32, 1), "--set", "scale.threads=1", *short),
        "4 workers": (*TASK, "--runner", "ray", *scaled(32, 4), *short),
    }


def shards(cores, strong=False):
    return {
        f"{runner} {count}": (
            *TASK, "--runner", runner, *scaled(STRONG_ENVS if strong else count * ENVS_PER_SHARD, count), *passes(1),
            "--epochs", "8" if strong else "21")
        for count in SHARDS if count <= cores
        for runner in ("local", "ray")
    }


def strong(cores):
    return shards(cores, strong=True)


def asynchronous(cores, balance):
    """With passes over a batch and rounds of the oracle that make rollouts and learning about equally long."""
    # Long enough that what shards had collected ahead when the first epoch was reported hardly counts.
    return {name: (*balanced_task(cores, *balance), "--set", f"ppo.max_policy_lag={lag}", "--epochs", "31")
            for name, lag in LAGS.items()}


def balanced_task(cores, learning_passes, rounds):
    """The learner has a core of its own; from four cores on, so has the driver."""
    shards = max(1, min(8, cores - (1 if cores < 4 else 2)))
    task = (*TASK, "--runner", "ray", *scaled(64, shards))
    return (*task, *passes(learning_passes), "--set", f"env.dvrptw.oracle.rounds={rounds}")


def find_balance(cores, measure, say):
    """Passes and rounds, by short runs of `measure`."""
    balance = FEWEST_PASSES, 10
    for _ in range(CALIBRATIONS):
        run = measure([*balanced_task(cores, *balance), "--epochs", "6"])
        say("async: {} passes, {} rounds".format(*balance) +
            f" · rollouts {run['rollout_s']:.3f} s, learning {run['learn_s']:.3f} s")
        following = next_balance(*balance, run["rollout_s"], run["learn_s"])
        if not following:
            break
        balance = following
    return balance


def next_balance(learning_passes, rounds, rollout_s, learn_s):
    """Passes over a batch and rounds of the oracle that bring rollouts and learning closer; None when they are about equal."""
    if 1 / ABOUT_EQUAL <= rollout_s / learn_s <= ABOUT_EQUAL:
        return None
    wanted = round(learning_passes * rollout_s / learn_s)
    if wanted >= FEWEST_PASSES and wanted != learning_passes:
        return wanted, rounds
    per_pass_s = learn_s / learning_passes
    return FEWEST_PASSES, max(rounds + 1, round(rounds * FEWEST_PASSES * per_pass_s / rollout_s))


def balance_of(command):
    """The passes and rounds in a command of `asynchronous`."""
    return tuple(int(re.search(rf"{key}=(\d+)", command)[1]) for key in ("policy_epochs", "oracle.rounds"))


PARTS = {"two_core": two_core, "workers": workers, "shards": shards, "strong": strong, "async": asynchronous}
