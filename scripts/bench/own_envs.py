#!/usr/bin/env python3
"""Benchmarks training on Python environments: Dray against Stable-Baselines3 (SubprocVecEnv) and a PPO loop in the manner of
CleanRL (AsyncVectorEnv), on Gymnasium's CartPole and on an environment that computes for 50 µs per step.

Eight environments, 64-64 networks and the same settings of PPO for all; the peers have eight worker processes, Dray has eight or as
many as it chooses. Runs are interleaved, each in its own process. Also measures what Dray adds to an environment's own step: the
processor time of engine and worker for 16 environments, without a policy, against a plain loop over these environments.

  scripts/bench/own_envs.py                             three repeats of 50,000 steps
  scripts/bench/own_envs.py --repeats 1 --steps 10000   a first look

Run bazel build //:train //src/api:libdray_envs.so first. The peers have their own virtual environment, .venv-peers, as for peers.py.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

WORKER = pathlib.Path(__file__).resolve().with_name("own_envs_worker.py")
sys.dont_write_bytecode = True
sys.path.insert(0, str(WORKER.parent))
import own_envs_worker as shared
from measuring import (
    ONE_THREAD,
    ROOT,
    describe_machine,
    machine_text,
    make_venv,
    range_text,
    say,
    spread,
    use_project_python,
)
from peers import REQUIREMENTS
from training_runs import train_own_env

ENVS = {"cartpole": "gym:CartPole-v1", "busy": "own_envs_worker:Busy"}
TITLES = {"cartpole": "CartPole-v1", "busy": "50 µs per step"}
SHARDS = 2
# What differs between the runs of Dray: workers of each shard.
DRAY = {"Dray, 8 workers": shared.ENVS // SHARDS, "Dray, workers chosen": 0}
PEERS = {"Stable-Baselines3, SubprocVecEnv": "sb3", "CleanRL-style, AsyncVectorEnv": "async_vector"}


def run_peer(library, env, steps, python):
    command = [str(python), str(WORKER), library, env, str(steps)]
    path = os.pathsep.join(filter(None, [str(ROOT / "src/python"), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": path, "DRAY_PYTHON": sys.executable}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"{done.stderr}\nerror: {library} failed")
    return json.loads(done.stdout.splitlines()[-1])


def run_dray(env, steps, settings):
    """Trains, and returns the reports of all epochs but the last, after which the run is evaluated."""
    settings = {
        "env.python.folder": WORKER.parent,
        "train.rollout_steps": shared.ROLLOUT,
        "train.total_steps": steps + 2 * shared.ENVS * shared.ROLLOUT,
        "scale.num_envs": shared.ENVS,
        "network.hidden": "[64,64]",
        "ppo.minibatch_size": shared.MINIBATCH,
        "ppo.policy_epochs": shared.EPOCHS,
        "ppo.learning_rate": shared.LEARNING_RATE,
        "ppo.entropy_coefficient": shared.ENTROPY,
        "normalize.observations": "false",
        "normalize.rewards": "false",
        "evaluation.interval": 0,
        **settings,
    }
    reports = train_own_env(ENVS[env], settings, ONE_THREAD)
    return [report for report in reports if "time/rollout_s" in report][:-1]


def samples_per_s(env, steps, workers):
    settings = {"scale.envs_per_shard": shared.ENVS // SHARDS, "env.python.workers": workers}
    reports = run_dray(env, steps, settings)
    seconds = reports[-1]["time/elapsed_s"] - reports[0]["time/elapsed_s"]
    return shared.ENVS * shared.ROLLOUT * (len(reports) - 1) / seconds


def overhead_us(env, steps):
    """Returns the processor time per step that Dray adds, and the environment's own, in µs."""
    own, whole = (run_peer(library, env, steps, sys.executable) for library in ("plain", "engine"))
    own_us = 1e6 * own["seconds"] / own["steps"]
    return 1e6 * whole["seconds"] / whole["steps"] - own_us, own_us


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--venv", type=pathlib.Path, default=ROOT / ".venv-peers", help="the peers' virtual environment"
    )
    parser.add_argument("--python", type=pathlib.Path, help="an interpreter that has the peers, instead of --venv")
    arguments = parser.parse_args()
    python = arguments.python or make_venv(arguments.venv.resolve(), REQUIREMENTS)
    print(f"# {machine_text(describe_machine())}, {shared.ENVS} environments", flush=True)
    speeds = {env: {name: [] for name in (*DRAY, *PEERS)} for env in ENVS}
    added = {env: [] for env in ENVS}
    for _repeat in range(arguments.repeats):
        for env in ENVS:
            for name, library in PEERS.items():
                result = run_peer(library, env, arguments.steps, python)
                speeds[env][name].append(result["steps"] / result["seconds"])
                say(f"{TITLES[env]}, {name}: {speeds[env][name][-1]:,.0f} samples/s")
            for name, workers in DRAY.items():
                speeds[env][name].append(samples_per_s(env, arguments.steps, workers))
                say(f"{TITLES[env]}, {name}: {speeds[env][name][-1]:,.0f} samples/s")
            more, own = overhead_us(env, arguments.steps)
            added[env].append(more)
            say(f"{TITLES[env]}: Dray adds {more:.2f} µs to a step of {own:.1f} µs")
    print("\n| samples/s of training, median (range) | " + " | ".join(TITLES.values()) + " |\n| --- | ---: | ---: |")
    for name in (*DRAY, *PEERS):
        print(f"| {name} | " + " | ".join(range_text(spread(speeds[env][name]), 0) for env in ENVS) + " |")
    print(
        "| processor time added by Dray, µs per environment step | "
        + " | ".join(range_text(spread(added[env]), 2) for env in ENVS)
        + " |"
    )


if __name__ == "__main__":
    use_project_python()
    main()
