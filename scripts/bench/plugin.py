#!/usr/bin/env python3
"""Compares the training speed of the built-in CartPole with that of the example plug-in, which computes the same.

  scripts/bench/plugin.py                                     five pairs of runs
  scripts/bench/plugin.py --pairs 9 --steps 1000000 --out build/plugin.json

Runs take turns, so that a change of the machine's speed meets both. The exit code is 1 if the plug-in's median is below 95 % of the
built-in one's.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

import measuring
from measuring import ROOT, range_text, say, spread
from training_runs import begin, error_line, run_to_its_end

LEAST_SHARE = 0.95
STEPS_PER_S = "time/steps_per_s"


def compile_plugin(folder):
    """Compiles the example project and returns the library."""
    library = pathlib.Path(folder) / "libmy_cartpole.so"
    source = ROOT / "scripts/examples/own_env_c/cartpole.c"
    flags = ["-std=c99", "-O3", "-shared", "-fPIC", "-ffp-contract=off"]
    subprocess.run(["cc", *flags, "-o", library, source, "-lm"], check=True)
    return library


def steps_per_s(train, flags, run):
    """Trains and returns the median speed of the reports, without the first, which includes the start."""
    with tempfile.TemporaryFile("w+") as output:
        code = run_to_its_end([train, *flags, "--run-dir", run], output)
        output.seek(0)
        if code != 0:
            raise SystemExit(f"error: {error_line(output.read(), code)}")
    reports = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return statistics.median(report[STEPS_PER_S] for report in reports[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", help="train program [default: built with Bazel]")
    parser.add_argument("--pairs", type=int, default=5, help="runs of each")
    parser.add_argument("--steps", type=int, default=300_000, help="steps per run")
    parser.add_argument("--out", type=pathlib.Path, help="JSON file to write")
    arguments = parser.parse_args()
    train, machine = begin(arguments.train)
    common = ["--config", "cartpole", "--num-envs", "64", "--total-steps", arguments.steps, "--runner", "local"]
    common += [
        "--device",
        "cpu",
        "--set",
        "ppo.minibatch_size=1024",
        "--set",
        "scale.envs_per_shard=64",
        "--log-interval",
        "5",
    ]
    with tempfile.TemporaryDirectory() as folder:
        kinds = {"built-in": ["--env", "cartpole"], "plug-in": ["--env", compile_plugin(folder)]}
        speeds = {kind: [] for kind in kinds}
        for pair in range(arguments.pairs):
            for kind, flags in kinds.items():
                run = pathlib.Path(folder) / f"{kind}-{pair}"
                speeds[kind].append(steps_per_s(train, [*common, *flags], run))
                say(f"{kind:8} {speeds[kind][-1]:12,.0f} steps/s")
    spreads = {kind: spread(values) for kind, values in speeds.items()}
    share = spreads["plug-in"]["median"] / spreads["built-in"]["median"]
    print("\n| CartPole | steps/s: median (range) |\n| --- | --- |")
    for kind, numbers in spreads.items():
        print(f"| {kind} | {range_text(numbers, 0)} |")
    print(f"\nThe plug-in trains at {share:.3f} of the built-in environment's speed.")
    if arguments.out:
        result = {"machine": machine, "speeds": speeds, "spreads": spreads, "share": share}
        arguments.out.write_text(json.dumps(measuring.without_nan(result), indent=1) + "\n")
    return 0 if share >= LEAST_SHARE else 1


if __name__ == "__main__":
    raise SystemExit(main())
