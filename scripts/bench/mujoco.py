#!/usr/bin/env python3
"""Trains on MuJoCo's environments from Gymnasium with the settings of CleanRL's ppo_continuous_action.py, and compares with its
published scores and its speed.

HalfCheetah, Hopper, Walker2d and InvertedPendulum (version 4, as published), one million steps, three seeds. The score is the mean
return of the last 100 training episodes. Dray divides CleanRL's batch of 2,048 steps among eight environments; the rest is the same.
CleanRL itself runs for --peer-steps on the same machine, between Dray's runs, and tells its own steps per second.

  scripts/bench/mujoco.py                                       about an hour and a half on two cores
  scripts/bench/mujoco.py --seeds 1 --envs Hopper-v4 --without-peer

Run bazel build //:train first. Needs gymnasium[mujoco] in the Python that runs this (.venv). CleanRL has a virtual environment of its
own, .venv-cleanrl, with the version of Gymnasium that it is written for; the script is downloaded unless --cleanrl names it.
"""

import argparse
import pathlib
import statistics
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
from measuring import (
    ROOT,
    describe_machine,
    machine_text,
    make_venv,
    range_text,
    say,
    spread,
    use_project_python,
)
from peers import fetch_cleanrl, read_cleanrl_log, run_process
from training_runs import measure, train_own_env

# Published: mean and half-width, https://docs.cleanrl.dev/rl-algorithms/ppo/#ppo_continuous_actionpy (MuJoCo v4).
PUBLISHED = {
    "HalfCheetah-v4": (1442.64, 46.03),
    "Walker2d-v4": (2287.95, 571.78),
    "Hopper-v4": (2382.86, 271.74),
    "InvertedPendulum-v4": (963.09, 22.20),
}
SCRIPT = "ppo_continuous_action.py"
REQUIREMENTS = [["torch==2.13.0"], ["gymnasium[mujoco]==0.29.1", "mujoco<3", "numpy<2", "tyro", "tensorboard"]]
COUNT, BATCH = 8, 2048


def run_dray(env, steps, seed):
    settings = {
        "train.seed": seed,
        "train.total_steps": steps,
        "train.rollout_steps": BATCH // COUNT,
        "scale.num_envs": COUNT,
        "ppo.learning_rate": 3e-4,
        "ppo.learning_rate_schedule": "linear",
        "ppo.gamma": 0.99,
        "ppo.gae_lambda": 0.95,
        "ppo.clip": 0.2,
        "ppo.clip_value_loss": "true",
        "ppo.policy_epochs": 10,
        "ppo.minibatch_size": 64,
        "ppo.entropy_coefficient": 0,
        "network.hidden": "[64,64]",
        "normalize.observations": "true",
        "normalize.rewards": "true",
        "evaluation.interval": 0,
    }
    reports = train_own_env(f"gym:{env}", settings)
    score = next(report["episode/return_mean"] for report in reversed(reports) if "episode/return_mean" in report)
    return score, measure(reports)["samples_per_s"]


def run_cleanrl(env, steps, seed, script, python):
    """Returns the steps per second that CleanRL prints last."""
    command = [python, script, "--no-cuda", f"--env-id={env}", f"--total-timesteps={steps}", f"--seed={seed}"]
    with tempfile.TemporaryDirectory(prefix="dray-bench-") as folder:
        log = pathlib.Path(folder) / "log"
        run_process(list(map(str, command)), log, cwd=folder)
        return steps / read_cleanrl_log(log.read_text(), steps)["seconds"]


def verdict(scores, published):
    mean, half = published
    return "within or above" if statistics.mean(scores) >= mean - half else "below"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--envs", nargs="+", choices=[*PUBLISHED], default=[*PUBLISHED], metavar="ENV")
    parser.add_argument("--peer-steps", type=int, default=50_000)
    parser.add_argument("--without-peer", action="store_true")
    parser.add_argument("--cleanrl", type=pathlib.Path, help=f"a copy of CleanRL's {SCRIPT}")
    parser.add_argument(
        "--venv", type=pathlib.Path, default=ROOT / ".venv-cleanrl", help="CleanRL's virtual environment"
    )
    parser.add_argument(
        "--python", type=pathlib.Path, help="an interpreter that has what CleanRL needs, instead of --venv"
    )
    arguments = parser.parse_args()
    python = script = None
    if not arguments.without_peer:
        python = arguments.python or make_venv(arguments.venv.resolve(), REQUIREMENTS)
        script = fetch_cleanrl(SCRIPT, arguments.cleanrl, arguments.venv)
    print(f"# {machine_text(describe_machine())}, {arguments.steps:,} steps", flush=True)
    runs = {env: [] for env in arguments.envs}
    peers = {env: [] for env in arguments.envs}
    for seed in range(1, arguments.seeds + 1):
        for env in arguments.envs:
            runs[env].append(run_dray(env, arguments.steps, seed))
            say(f"{env}, Dray, seed {seed}: return {runs[env][-1][0]:,.0f}, {runs[env][-1][1]:,.0f} steps/s")
            if script:
                peers[env].append(run_cleanrl(env, arguments.peer_steps, seed, script, python))
                say(f"{env}, CleanRL: {peers[env][-1]:,.0f} steps/s")
    print("\n| environment | Dray, per seed | CleanRL, published | mean of Dray's | steps/s: Dray | CleanRL | ratio |")
    print("| --- | ---: | ---: | --- | ---: | ---: | ---: |")
    for env, results in runs.items():
        scores, speeds = ([result[place] for result in results] for place in (0, 1))
        mean, half = PUBLISHED[env]
        ratio = f"{statistics.median(speeds) / statistics.median(peers[env]):.1f}" if peers[env] else "–"
        cells = [
            env,
            ", ".join(f"{score:,.0f}" for score in scores),
            f"{mean:,.0f} ± {half:,.0f}",
            verdict(scores, PUBLISHED[env]),
            range_text(spread(speeds), 0),
            range_text(spread(peers[env]), 0) if peers[env] else "–",
            ratio,
        ]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    use_project_python()
    main()
