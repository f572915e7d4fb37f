"""The reference tasks of PPO reach their published scores, median of three seeds, with the published hyperparameters.

Takes some minutes on two cores, so it is not part of `bazel test //...`:

    bazel test //tests/learning:published_scores_test --test_output=streamed

It prints a table of what was measured. For a few tasks alone, or from a build at hand:

    python tests/learning/published_scores_test.py bazel-bin/ray_actors/train bazel-bin/ray_actors/evaluate cartpole_zoo

The last row, that a truncation taken for an end scores clearly lower, does not hold: with these settings such a run
scores higher more often than not (seeds 1 to 6, median 463 against 234). Six other settings were tried with seeds 1 to 3;
the one where it held, gamma 0.999 (235 against 424), shrank to 289 against 398 with overlap on seeds 4 to 12. What does
tell the two apart is the critic, printed below the table.
"""

import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import torch

SEEDS = (1, 2, 3)
PROCESSES = 2  # at a time; each has one thread

TRAIN, EVALUATE = (os.path.abspath(path) for path in sys.argv[1:3])
CONFIGS = pathlib.Path("configs").resolve()


def last_hundred(run):
    """Mean return of the last 100 training episodes."""
    return last_report(run)["episode/return_mean"]


def deterministic(run):
    """Mean return of the evaluation at the end of the run."""
    return last_report(run)["eval/return_mean"]


def uncut(run):
    """Deterministic evaluation of a CartPole that was trained on short episodes, at the full length."""
    command = [EVALUATE, "--run-dir", run, "--set", "env.cartpole.max_steps=500", "--episodes", "100", "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["return_mean"]


def value_of_balance(run):
    """What the critic thinks of the upright pole at rest in the middle."""
    tensors = torch.load(run / "weights.pt", weights_only=True)
    values = torch.zeros(4)
    for layer in range(3):
        values = tensors[f"critic.{layer}.weight"] @ values + tensors[f"critic.{layer}.bias"]
        values = torch.tanh(values) if layer < 2 else values
    return values.item()


def last_report(run):
    return json.loads((run / "metrics.jsonl").read_text().splitlines()[-1])


# Without a bootstrap at the cut no state is worth more than 50 discounted rewards of 1; with it, a balanced one is worth 100.
CUT_WORTH = (1 - 0.99**50) / (1 - 0.99)

# Task: its config with flags, what is measured, what was published, and what the median must fulfil.
TASKS = {
    "cartpole": dict(
        title="CartPole-v1, CleanRL",
        score=last_hundred,
        published="490.0 ± 6.1",
        bar="≥ 475",
        passes=lambda median: median >= 475,
    ),
    "cartpole_zoo": dict(
        title="CartPole-v1, SB3 zoo",
        score=deterministic,
        published="500 ± 0",
        bar="500",
        passes=lambda median: median == 500,
    ),
    "acrobot": dict(
        title="Acrobot-v1",
        score=last_hundred,
        published="−86.4 ± 1.3",
        bar="≥ −100",
        passes=lambda median: median >= -100,
    ),
    "pendulum": dict(
        title="Pendulum-v1",
        score=last_hundred,
        published="≥ −300",
        bar="≥ −300",
        passes=lambda median: median >= -300,
    ),
    "mountaincar": dict(
        title="MountainCar-v0, negative control",
        score=last_hundred,
        published="−200 ± 0",
        bar="−200",
        passes=lambda median: median == -200,
    ),
    "cartpole_cut": dict(
        title="CartPole cut at 50, at 500",
        score=uncut,
        published="≥ 80",
        bar="≥ 80",
        passes=lambda median: median >= 80,
    ),
    "cartpole_cut_wrong": dict(
        title="the same, truncation taken for an end",
        config="cartpole_cut",
        flags=("--set", "ppo.bootstrap_truncated=false"),
        score=uncut,
        published="clearly lower",
        bar="< ⅔ of the above",
    ),
}


def play(folder, name, seed):
    """(score, steps, seconds, value of a balanced pole) of one whole training."""
    task = TASKS[name]
    run = folder / f"{name}-{seed}"
    config = CONFIGS / f"{task.get('config', name)}.yaml"
    started = time.monotonic()
    command = [TRAIN, "--config", config, "--run-dir", run, "--seed", str(seed), "--device", "cpu"]
    subprocess.run([*command, *task.get("flags", ())], check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - started
    worth = value_of_balance(run) if name.startswith("cartpole_cut") else None
    return task["score"](run), last_report(run)["total_steps"], seconds, worth


def verdict(name, medians):
    if name != "cartpole_cut_wrong":
        return TASKS[name]["passes"](medians[name])
    return "cartpole_cut" not in medians or medians[name] < 2 / 3 * medians["cartpole_cut"]


def row(name, played, good):
    task = TASKS[name]
    scores = [score for score, *_ in played]
    cells = [
        task["title"],
        f"{played[0][1]:,}",
        task["published"],
        task["bar"],
        f"{statistics.median(scores):.1f}",
        ", ".join(f"{score:.1f}" for score in scores),
        f"{statistics.mean(seconds for _, _, seconds, _ in played):.0f}",
        "yes" if good else "**no**",
    ]
    return "| " + " | ".join(cells) + " |"


def truncation_is_seen(results):
    """Prints the critics' values of both kinds of run; whether they lie on their sides of CUT_WORTH."""
    right, wrong = ([worth for *_, worth in results[name]] for name in ("cartpole_cut", "cartpole_cut_wrong"))
    seen = statistics.median(right) > CUT_WORTH > max(wrong)
    for title, worths in (("bootstrapped", right), ("taken for an end", wrong)):
        print(f"value of a balanced pole, cut {title}: " + ", ".join(f"{worth:.1f}" for worth in worths))
    print(f"without a bootstrap it is at most {CUT_WORTH:.1f}: {'as it should be' if seen else 'NOT SO'}")
    return seen


def main():
    names = sys.argv[3:] or list(TASKS)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        plays = {name: [pool.submit(play, pathlib.Path(folder), name, seed) for seed in SEEDS] for name in names}
        results = {name: [future.result() for future in futures] for name, futures in plays.items()}
    medians = {name: statistics.median(score for score, *_ in played) for name, played in results.items()}
    good = {name: verdict(name, medians) for name in names}
    print("| task | steps | published | pass | median | seeds 1, 2, 3 | seconds per run | passed |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in names:
        print(row(name, results[name], good[name]))
    if {"cartpole_cut", "cartpole_cut_wrong"} <= set(names):
        print()
        good["truncation"] = truncation_is_seen(results)
    print(f"\n{len(names) * len(SEEDS)} runs, {PROCESSES} at a time: {time.monotonic() - started:.0f} s")
    sys.exit(0 if all(good.values()) else 1)


if __name__ == "__main__":
    main()
