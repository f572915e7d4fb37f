"""Named experiments of scripts/scaling.py on the delivery task: for each, the names of its rows and their flags of train."""

import re

TASK = ("--config", "configs/dvrptw_64.yaml", "--device", "cpu", "--set", "env.dvrptw.oracle.kind=ruin_recreate")
SHARDS = (1, 2, 4, 8, 14)
ENVS_PER_SHARD = 16
STRONG_ENVS = 224  # 14 shards of 16
LAGS = {"synchronous": 0, "asynchronous, lag 1": 1, "asynchronous, lag 2": 2}

# Growth experiments: in each, one quantity increases and the rest stays as in the preset.
BEST = ("--config", "configs/dvrptw_best.yaml", "--device", "cpu", "--runner", "local", "--set", "train.duration_s=0")
GROWING_ENVS = (1, 4, 8, 16, 64, 256, 1024)
GROWING_RIDERS = (10, 20, 30, 50, 100, 200)
GROWING_SHARDS = (1, 2, 4, 8, 16)
GROWING_THREADS = (1, 2, 4, 8, 16)

# Rollouts and learning count as equal within this factor.
ABOUT_EQUAL = 1.15
CALIBRATIONS = 6
FEWEST_PASSES = 4  # passes of learning; fewer could not be tuned finely


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
            *TASK,
            "--runner",
            runner,
            *scaled(STRONG_ENVS if strong else count * ENVS_PER_SHARD, count),
            *passes(1),
            "--epochs",
            "8" if strong else "21",
        )
        for count in SHARDS
        if count <= cores
        for runner in ("local", "ray")
    }


def strong(cores):
    return shards(cores, strong=True)


def asynchronous(cores, balance):
    """Returns the rows of the experiment, with passes and oracle rounds that make rollouts and learning take equally long."""
    # Long enough that samples collected ahead before the first report hardly count.
    return {
        name: (*balanced_task(cores, *balance), "--set", f"ppo.max_policy_lag={lag}", "--epochs", "31")
        for name, lag in LAGS.items()
    }


def balanced_task(cores, learning_passes, rounds):
    """Returns the flags of the task. The learner has its own core and, from four cores on, so does the driver."""
    shards = max(1, min(8, cores - (1 if cores < 4 else 2)))
    task = (*TASK, "--runner", "ray", *scaled(64, shards))
    return (*task, *passes(learning_passes), "--set", f"env.dvrptw.oracle.rounds={rounds}")


def find_balance(cores, measure, say):
    """Finds passes and rounds by short runs of `measure`."""
    balance = FEWEST_PASSES, 10
    for _ in range(CALIBRATIONS):
        run = measure([*balanced_task(cores, *balance), "--epochs", "6"])
        say(
            "async: {} passes, {} rounds".format(*balance)
            + f" · rollouts {run['rollout_s']:.3f} s, learning {run['learn_s']:.3f} s"
        )
        following = next_balance(*balance, run["rollout_s"], run["learn_s"])
        if not following:
            break
        balance = following
    return balance


def next_balance(learning_passes, rounds, rollout_s, learn_s):
    """Returns passes over a batch and oracle rounds that bring rollouts and learning closer; None if they are about equal."""
    if 1 / ABOUT_EQUAL <= rollout_s / learn_s <= ABOUT_EQUAL:
        return None
    wanted = round(learning_passes * rollout_s / learn_s)
    if wanted >= FEWEST_PASSES and wanted != learning_passes:
        return wanted, rounds
    per_pass_s = learn_s / learning_passes
    return FEWEST_PASSES, max(rounds + 1, round(rounds * FEWEST_PASSES * per_pass_s / rollout_s))


def balance_of(command):
    """Returns the passes and rounds in a command of `asynchronous`."""
    return tuple(int(re.search(rf"{key}=(\d+)", command)[1]) for key in ("policy_epochs", "oracle.rounds"))


def grow_envs(cores):
    # About the same number of samples each.
    return {
        str(envs): (*BEST, "--num-envs", str(envs), "--epochs", str(min(33, max(4, 256 // envs))))
        for envs in GROWING_ENVS
    }


def grow_riders(cores):
    return {
        str(riders): (*BEST, "--num-envs", "16", "--customers", str(riders), "--epochs", "4")
        for riders in GROWING_RIDERS
    }


def grow_shards(cores):
    return {str(count): (*BEST, *scaled(64, count), "--epochs", "5") for count in GROWING_SHARDS if count <= cores}


def grow_threads(cores):
    """Returns rows in which learning takes most of the time: the preset of the system that Dray replaces, with a quarter of its passes."""
    task = (
        *TASK,
        "--runner",
        "local",
        "--num-envs",
        "64",
        "--set",
        "ppo.policy_epochs=3",
        "--set",
        "ppo.value_epochs=10",
    )
    return {
        str(count): (*task, "--set", f"scale.learner_threads={count}", "--epochs", "4")
        for count in GROWING_THREADS
        if count <= cores
    }


GROWTH = {
    "grow_envs": "parallel environments",
    "grow_riders": "riders per episode",
    "grow_shards": "shards",
    "grow_threads": "threads of the learner",
}
PARTS = {
    "two_core": two_core,
    "workers": workers,
    "shards": shards,
    "strong": strong,
    "async": asynchronous,
    "grow_envs": grow_envs,
    "grow_riders": grow_riders,
    "grow_shards": grow_shards,
    "grow_threads": grow_threads,
}
