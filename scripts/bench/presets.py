#!/usr/bin/env python3
"""Trains every preset as shipped for a few seconds, locally and on Ray, and prints samples per second, how busy the machine was, and
the memory in use on its GPUs.

Dray chooses device, oracle and shards for this machine. The first epoch of a run does not count. The exit code is 1 if a preset fails to
train.

  scripts/bench/presets.py                                       every preset, both runners
  scripts/bench/presets.py --presets dvrptw_best,smoke --runners local --seconds 20
"""

import argparse
import json
import pathlib
import statistics
import sys

sys.dont_write_bytecode = True
from measuring import ROOT, say
from training_runs import RayCluster, TrainingFailed, begin, gpu_memory_mb, measure, train_once

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
    """Returns samples per second, None if the run ended within its first epoch, and how the machine was used."""
    timed = [f"train.{name}=0" for name in ("episodes", "epochs", "total_steps")] + [f"train.duration_s={seconds}"]
    flags = [word for setting in timed for word in ("--set", setting)]
    reports = train_once(train, ["--config", preset, "--runner", runner, *flags], limit_s=20 * seconds + 240)
    found = {"samples_per_s": measure(reports)["samples_per_s"] if len(reports) > 1 else None}
    for name in ("cpu/busy", "gpu/busy"):
        shares = [report[name] for report in reports[1:] if report.get(name) is not None]
        found[name] = statistics.mean(shares) if shares else None
    found["memory/gpu_mb"] = gpu_memory_mb(reports)
    return found


def cells(found):
    """Returns the cells of a run: samples per second, shares of cores and GPUs, and memory of GPUs."""

    def cell(name, scale, unit=""):
        return "–" if found.get(name) is None else f"{found[name] * scale:,.0f}{unit}"

    return [
        cell("samples_per_s", 1),
        cell("cpu/busy", 100, " %"),
        cell("gpu/busy", 100, " %"),
        cell("memory/gpu_mb", 1),
    ]


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
    train, machine = begin(arguments.train)
    results, failures = {}, []
    with RayCluster() as cluster:
        for runner in arguments.runners:
            for preset in arguments.presets:
                try:
                    if runner == "ray":
                        cluster.ensure()
                    found = run(train, preset, runner, arguments.seconds)
                    rate = found["samples_per_s"]
                    text = "trained for less than two epochs" if rate is None else f"{rate:,.0f} samples/s"
                except TrainingFailed as failure:
                    found, text = {}, str(failure)
                    failures.append(f"{preset}, {runner}: {failure}")
                results.setdefault(preset, {})[runner] = found
                say(f"{preset}, {runner}: {text}")
    heads = [f"{runner}: samples/s | cores | GPU | GPU memory, MB" for runner in arguments.runners]
    print(f"\n| preset | {' | '.join(heads)} |")
    print("| --- |" + " ---: |" * 4 * len(arguments.runners))
    for preset, by_runner in results.items():
        print(f"| {preset} | " + " | ".join(text for found in by_runner.values() for text in cells(found)) + " |")
    if arguments.out:
        arguments.out.write_text(json.dumps({"machine": machine, "results": results, "failures": failures}, indent=1))
    for failure in failures:
        print(f"failed: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
