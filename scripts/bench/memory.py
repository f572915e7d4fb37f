#!/usr/bin/env python3
"""Trains policies with memory where memory is needed: Dray's GRU and a perceptron of Dray's against RecurrentPPO of sb3-contrib.

CartPole without velocities (500 is the most) and a recall task (1 is the most; 0.25 without memory), both written in Python; the same
number of steps, environments and epochs for all, three seeds. Prints the mean return of 100 episodes with the likeliest actions after
training, and the steps per second of training.

  scripts/bench/memory.py                              three seeds; about an hour on two cores, nearly all of it RecurrentPPO's
  scripts/bench/memory.py --seeds 1 --without-peer     Dray alone

Run bazel build //:train //src/api:libdray_envs.so first. The peer has its own virtual environment, .venv-peers, as for peers.py.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
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
from training_runs import measure, train_own_env

ENVS = {"CartPoleWithoutVelocities": "CartPole without velocities", "Recall": "recall"}
STEPS = {"CartPoleWithoutVelocities": 400_000, "Recall": 200_000}
COUNT, ROLLOUT, EPOCHS, EPISODES = 8, 128, 10, 100
LEARNING_RATE, GAMMA, LAMBDA = 1e-3, 0.99, 0.95
NETWORKS = {"Dray, GRU": "gru", "Dray, perceptron": "mlp"}
PEER = "sb3-contrib, RecurrentPPO"


def run_dray(env, kind, seed):
    settings = {
        "env.python.folder": HERE,
        "train.rollout_steps": ROLLOUT,
        "train.total_steps": STEPS[env],
        "train.seed": seed,
        "scale.num_envs": COUNT,
        "network.kind": kind,
        "network.hidden": "[64]" if kind == "gru" else "[64,64]",
        "ppo.minibatch_size": 256,
        "ppo.policy_epochs": EPOCHS,
        "ppo.learning_rate": LEARNING_RATE,
        "ppo.gamma": GAMMA,
        "ppo.gae_lambda": LAMBDA,
        "ppo.entropy_coefficient": 0,
        "evaluation.episodes": EPISODES,
    }
    reports = train_own_env(f"memory_envs:{env}", settings)
    score = next(report["eval/return_mean"] for report in reversed(reports) if "eval/return_mean" in report)
    return score, measure(reports)["samples_per_s"]


def run_peer(env, seed, python):
    command = [str(python), __file__, "--peer", env, str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **ONE_THREAD})
    if done.returncode != 0:
        raise SystemExit(f"{done.stderr}\nerror: the peer failed")
    return json.loads(done.stdout.splitlines()[-1])


def train_peer(env, seed):
    """The peer's own process. Its minibatches are of single steps of whole sequences, as it makes them."""
    import memory_envs
    from sb3_contrib import RecurrentPPO
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.evaluation import evaluate_policy

    model = RecurrentPPO(
        "MlpLstmPolicy", make_vec_env(getattr(memory_envs, env), COUNT, seed=seed), n_steps=ROLLOUT, batch_size=256,
        n_epochs=EPOCHS, learning_rate=LEARNING_RATE, gamma=GAMMA, gae_lambda=LAMBDA, ent_coef=0, seed=seed, device="cpu",
        policy_kwargs={"net_arch": [64], "lstm_hidden_size": 64},
    )  # fmt: skip
    begun = time.perf_counter()
    model.learn(STEPS[env])
    seconds = time.perf_counter() - begun
    score, _ = evaluate_policy(
        model, make_vec_env(getattr(memory_envs, env), 1, seed=seed + 1000), n_eval_episodes=EPISODES
    )
    print(json.dumps([float(score), model.num_timesteps / seconds]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--without-peer", action="store_true")
    parser.add_argument(
        "--venv", type=pathlib.Path, default=ROOT / ".venv-peers", help="the peer's virtual environment"
    )
    parser.add_argument("--python", type=pathlib.Path, help="an interpreter that has the peer, instead of --venv")
    parser.add_argument("--peer", nargs=2, metavar=("ENV", "SEED"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        return train_peer(arguments.peer[0], int(arguments.peer[1]))
    python = arguments.python
    if not python and not arguments.without_peer:
        python = make_venv(arguments.venv.resolve(), REQUIREMENTS)
    print(f"# {machine_text(describe_machine())}, {COUNT} environments", flush=True)
    names = [*NETWORKS, *([PEER] if python else [])]
    results = {(env, name): [] for env in ENVS for name in names}
    for seed in range(1, arguments.seeds + 1):
        for env in ENVS:
            for name in names:
                result = run_peer(env, seed, python) if name == PEER else run_dray(env, NETWORKS[name], seed)
                results[env, name].append(result)
                say(f"{ENVS[env]}, {name}, seed {seed}: return {result[0]:.2f}, {result[1]:,.0f} steps/s")
    print("\n| task | policy | return, per seed | steps/s of training, median (range) |\n| --- | --- | ---: | ---: |")
    for (env, name), runs in results.items():
        scores = ", ".join(f"{score:.2f}" for score, _ in runs)
        print(f"| {ENVS[env]} | {name} | {scores} | {range_text(spread([speed for _, speed in runs]), 0)} |")


if __name__ == "__main__":
    if "--peer" not in sys.argv:
        use_project_python()
    main()
