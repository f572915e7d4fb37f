#!/usr/bin/env python3
"""Compares steps per second of Dray's and Gymnasium's environments from Python, interleaved, one core each.

  scripts/bench/python_envs.py                     64 environments, three repeats
  scripts/bench/python_envs.py --envs 256 --repeats 5

Random actions, resets included, processor time. Dray's environments come from dray.make_vec, with and without copies. Run
bazel build //src/api:libdray_envs.so first.
"""

import argparse
import pathlib
import statistics
import sys
import time

sys.dont_write_bytecode = True
from measuring import describe_machine, machine_text, say, use_project_python

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "src/python"))


def of_gymnasium(envs):
    import gymnasium

    return gymnasium.make_vec("CartPole-v1", num_envs=envs, vectorization_mode="vector_entry_point")


def of_dray(name, copy=True, **settings):
    import dray

    return lambda envs: dray.make_vec(name, num_envs=envs, copy=copy, **settings)


RUNS = {
    "CartPole, Gymnasium's vectorised": of_gymnasium,
    "CartPole, Dray": of_dray("cartpole"),
    "CartPole, Dray, copy=False": of_dray("cartpole", copy=False),
    "cage2, Dray": of_dray("cage2"),
    "cage2, Dray, copy=False": of_dray("cage2", copy=False),
    "cage2, winner's interface, Dray": of_dray("cage2", config="cage2_bline"),
    "deliveries (dvrptw_best), Dray": of_dray("dvrptw", config="dvrptw_best"),
}


def steps_per_s(make, envs, seconds):
    batch = make(envs)
    batch.reset(seed=1)
    actions = [batch.action_space.sample() for _ in range(32)]
    steps, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        for action in actions:
            batch.step(action)
        steps += envs * len(actions)
    return steps / (time.process_time() - begun)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    print(f"# {machine_text(describe_machine())}, {arguments.envs} environments", flush=True)
    found = {name: [] for name in RUNS}
    for _repeat in range(arguments.repeats):
        for name, make in RUNS.items():
            found[name].append(steps_per_s(make, arguments.envs, arguments.seconds))
            say(f"{name}: {found[name][-1]:,.0f} steps per CPU second")
    print("\n| environments | steps per CPU second |\n| --- | ---: |")
    for name, rates in found.items():
        print(f"| {name} | {statistics.median(rates):,.0f} ({min(rates):,.0f} – {max(rates):,.0f}) |")


if __name__ == "__main__":
    use_project_python()
    main()
