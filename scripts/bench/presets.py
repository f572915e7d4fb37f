#!/usr/bin/env python3
"""Trains every preset as shipped for a few seconds, locally and on Ray, and prints samples per second.

Dray chooses device, oracle and shards for this machine. The first epoch of a run does not count. The exit code is 1 if a preset fails to
train.

  scripts/bench/presets.py                                       every preset, both runners
  scripts/bench/presets.py --presets dvrptw_best,smoke --runners local --seconds 20
"""

import argparse
import json
import pathlib
import sys

sys.dont_write_bytecode = True
from measuring import ROOT, describe_machine, machine_text, say
from training_runs import RayCluster, TrainingFailed, end_on_sigterm, find_train, measure, train_once

PRESETS = sorted(path.stem for path in (ROOT / "configs").glob("*.yaml"))
RUNNERS = ("local", "ray")


def some_of(names):
    def parse(text):
        chosen = text.split(",")
        if not set(chosen) <= set(names):
            raise argparse.ArgumentTypeError(f"{text}: choose from {','.join(names)}")
        return chosen

    return parse


def run(train, preset, runner, seconds):
    """Returns samples per second, or None if the run ended within its first epoch."""
    timed = [f"train.{name}=0" for name in ("episodes", "epochs", "total_steps")] + [f"train.duration_s={seconds}"]
    flags = [word for setting in timed for word in ("--set", setting)]
    reports = train_once(train, ["--config", preset, "--runner", runner, *flags], limit_s=20 * seconds + 240)
    return measure(reports)["samples_per_s"] if len(reports) > 1 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--presets", type=some_of(PRESETS), default=PRESETS, help="comma-separated names (default: all)"
    )
    parser.add_argument("--runners", type=some_of(RUNNERS), default=RUNNERS, help="local, ray or both (default)")
    parser.add_argument("--seconds", type=int, default=10, help="length of each training (default 10)")
    parser.add_argument("--train", help="train program (default: built by Bazel)")
    parser.add_argument("--out", type=pathlib.Path, help="also write the numbers to this JSON file")
    arguments = parser.parse_args()
    end_on_sigterm()
    train = find_train(arguments.train)
    machine = describe_machine()
    print(f"# {machine_text(machine)}", flush=True)
    rates, failures = {}, []
    with RayCluster() as cluster:
        for runner in arguments.runners:
            for preset in arguments.presets:
                try:
                    if runner == "ray":
                        cluster.ensure()
                    rate = run(train, preset, runner, arguments.seconds)
                    text = "trained for less than two epochs" if rate is None else f"{rate:,.0f} samples/s"
                except TrainingFailed as failure:
                    rate, text = None, str(failure)
                    failures.append(f"{preset}, {runner}: {failure}")
                rates.setdefault(preset, {})[runner] = rate
                say(f"{preset}, {runner}: {text}")
    print(f"\n| preset, samples/s | {' | '.join(arguments.runners)} |")
    print("| --- |" + " ---: |" * len(arguments.runners))
    for preset, found in rates.items():
        print(f"| {preset} |" + "".join(" – |" if rate is None else f" {rate:,.0f} |" for rate in found.values()))
    if arguments.out:
        arguments.out.write_text(
            json.dumps({"machine": machine, "samples_per_s": rates, "failures": failures}, indent=1)
        )
    for failure in failures:
        print(f"failed: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
