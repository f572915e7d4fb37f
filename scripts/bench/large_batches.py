#!/usr/bin/env python3
"""Compares Dray with PPO written wholly in JAX on CartPole with many environments and large minibatches, on a machine with a GPU.

Both train networks of 64-64 units for 4 epochs per rollout, interleaved and repeated. Dray's environments run on the processors and its
learner on the GPU; JAX runs environments and learner on the GPU as one compiled loop (scripts/bench/large_batches_jax.py). Numbers are
steps per second end to end, without the compilation and without Dray's first epoch.

  scripts/bench/large_batches.py                                      all shapes, three repeats
  scripts/bench/large_batches.py --shapes 4096x64/16384 --repeats 1   environments x steps / rows of a minibatch
  scripts/bench/large_batches.py --jax-python venv/bin/python         an interpreter that can import jax (default: this one)
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
from measuring import say
from training_runs import TrainingFailed, begin, measure, train_once

WORKER = pathlib.Path(__file__).resolve().with_name("large_batches_jax.py")
SHAPES = [
    "256x128/128",
    "256x128/4096",
    "4096x64/16384",
    "8192x32/8192",
    "16384x64/65536",
]


def shape(text):
    found = re.fullmatch(r"(\d+)x(\d+)/(\d+)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r}: expected ENVIRONMENTSxSTEPS/MINIBATCH, for example {SHAPES[2]}")
    return tuple(map(int, found.groups()))


def run_dray(train, numbers, arguments):
    envs, steps, minibatch = numbers
    settings = {
        "train.rollout_steps": steps,
        "ppo.minibatch_size": minibatch,
        "train.total_steps": 0,
        "train.episodes": 0,
        "train.duration_s": arguments.seconds,
    }
    flags = [
        "--config",
        "cartpole",
        "--runner",
        "local",
        "--num-envs",
        envs,
        "--log-interval",
        10,
        *arguments.flag,
    ]
    for name, value in settings.items():
        flags += ["--set", f"{name}={value}"]
    result = measure(train_once(train, flags, limit_s=20 * arguments.seconds + 120))
    return {name: result[name] for name in ("samples_per_s", "epoch_s", "rollout_s", "transfer_s", "learn_s")}


def run_jax(numbers, arguments):
    command = [arguments.jax_python, WORKER, *numbers, arguments.seconds]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["it said nothing"]
        raise TrainingFailed(f"JAX: {lines[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def table(results):
    lines = [
        "| environments × steps / minibatch | Dray, steps/s | JAX, steps/s | Dray / JAX |",
        "| --- | ---: | ---: | ---: |",
    ]
    for name, found in results.items():
        speeds = {library: [run["samples_per_s"] for run in runs] for library, runs in found.items() if runs}
        texts = [
            f"{statistics.median(rates):,.0f} ({min(rates):,.0f} - {max(rates):,.0f})" if rates else "–"
            for rates in (speeds.get("dray"), speeds.get("jax"))
        ]
        ratio = "–"
        if len(speeds) == 2:
            ratio = f"{statistics.median(speeds['dray']) / statistics.median(speeds['jax']):.2f}"
        lines.append(f"| {name} | {texts[0]} | {texts[1]} | {ratio} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--shapes",
        nargs="+",
        type=shape,
        default=[shape(text) for text in SHAPES],
        metavar="SHAPE",
    )
    parser.add_argument("--seconds", type=int, default=5, help="seconds per run (default 5)")
    parser.add_argument("--repeats", type=int, default=3, help="repeats of each run (default 3)")
    parser.add_argument("--train", help="train program (default: built by Bazel)")
    parser.add_argument(
        "--jax-python",
        default=sys.executable,
        help="interpreter that can import jax (default: this one)",
    )
    parser.add_argument(
        "--flag",
        action="append",
        default=[],
        help="additional flag of train; repeatable",
    )
    parser.add_argument("--out", type=pathlib.Path, help="also write all numbers to this JSON file")
    arguments = parser.parse_args()
    train, machine = begin(arguments.train)
    results = {}
    for numbers in arguments.shapes:
        name = "{:,} × {:,} / {:,}".format(*numbers)
        found = results.setdefault(name, {"dray": [], "jax": []})
        for _repeat in range(arguments.repeats):
            for library, run in (
                ("dray", lambda *rest: run_dray(train, *rest)),
                ("jax", run_jax),
            ):
                try:
                    result = run(numbers, arguments)
                except TrainingFailed as failure:
                    say(f"{name}: {failure}")
                    continue
                found[library].append(result)
                say(f"{name}, {library}: {result['samples_per_s']:,.0f} steps/s")
        if arguments.out:
            arguments.out.write_text(json.dumps({"machine": machine, "results": results}, indent=1))
    print("\n" + table(results))


if __name__ == "__main__":
    main()
