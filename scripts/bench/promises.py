#!/usr/bin/env python3
"""Puts the promises of the system that Dray replaces beside measured numbers: 1 to 256 delivery environments, locally and on Ray.

Trains the presets dvrptw_16, dvrptw_64 and dvrptw_256 as shipped, and dvrptw_16 with 1, 4 and 8 environments, for --epochs epochs each.
Then compares 4 workers of 8 environments on Ray with 32 environments in one process, asynchronous with synchronous training, and one
oracle call for 64 problems with 64 calls. Use a machine with a GPU and at least 4 cores.

  scripts/bench/promises.py --out promises.json
  scripts/bench/promises.py --train build/train --oracle-speed build/sequence_speed       built without Bazel
  scripts/bench/promises.py --runners local --envs 16,64 --epochs 20 --ratios none
"""

import argparse
import functools
import json
import pathlib
import re
import subprocess
import sys
import typing

sys.dont_write_bytecode = True
import scaling_parts
from measuring import describe_machine, duration, say
from training_runs import RayCluster, TrainingFailed, begin, gpu_memory_mb, measure, train_once

PRESETS = {1: "dvrptw_16", 4: "dvrptw_16", 8: "dvrptw_16", 16: "dvrptw_16", 64: "dvrptw_64", 256: "dvrptw_256"}
RUNNERS = ("local", "ray")
RATIOS = ("workers", "async", "oracle")


class Promise(typing.NamedTuple):
    """The numbers promised for a number of environments; an empty text where there was none."""

    samples_per_s: str = ""
    epoch_s: str = ""
    update_s: str = ""
    hundred_epochs: str = ""
    gpu_gb: str = ""
    times_one: str = ""


PROMISES = {
    1: Promise(samples_per_s="3", epoch_s="10"),
    4: Promise(times_one="2.5"),
    8: Promise(times_one="4"),
    16: Promise(times_one="6"),
    64: Promise("384", "5", "2-3", "8 min", "2-4"),
    256: Promise("512", "15", "8-12", "25 min", "8-16"),
}


def list_of(kind, allowed):
    def parse(text):
        try:
            chosen = [kind(word) for word in text.split(",")] if text != "none" else []
        except ValueError:
            chosen = [None]
        if not set(chosen) <= set(allowed):
            raise argparse.ArgumentTypeError(f"{text}: choose from {','.join(map(str, allowed))}")
        return chosen

    return parse


def train_size(train, envs, runner, epochs):
    flags = ["--config", PRESETS[envs], "--num-envs", envs, "--runner", runner, "--epochs", epochs]
    reports = train_once(train, flags)
    found = measure(reports)
    found["samples_per_epoch"] = (reports[-1]["total_steps"] - reports[0]["total_steps"]) / found["epochs"]
    found["wall_s"] = reports[-1]["time/elapsed_s"]
    found["gpu_mb"] = gpu_memory_mb(reports)
    return found


def measure_workers(train):
    runs = {name: measure(train_once(train, flags)) for name, flags in scaling_parts.workers(cores()).items()}
    if not runs:
        raise TrainingFailed("4 workers need 4 cores")
    one, four = runs["one process"], runs["4 workers"]
    return {
        "4 workers × 8 environments against one process, samples/s": four["samples_per_s"] / one["samples_per_s"],
        "the same, time of an epoch": one["epoch_s"] / four["epoch_s"],
    }


def measure_async(train):
    balance = scaling_parts.find_balance(cores(), lambda flags: measure(train_once(train, flags)), say)
    runs = {
        name: measure(train_once(train, flags)) for name, flags in scaling_parts.asynchronous(cores(), balance).items()
    }
    base = runs.pop("synchronous")["samples_per_s"]
    return {"asynchronous against synchronous training": max(run["samples_per_s"] for run in runs.values()) / base}


def measure_oracle(program, device):
    """Returns the ratio of 64 single calls to one call for 64 problems of 30 requests."""
    done = subprocess.run([program, "30", "1", str(cores()), device], check=False, capture_output=True, text=True)
    found = {int(batch): float(ms) for batch, ms in re.findall(r"batch +(\d+):.* answers ([\d.]+) ms", done.stdout)}
    if done.returncode != 0 or not {1, 64} <= set(found):
        raise TrainingFailed(f"{program}: {(done.stderr or done.stdout).strip() or 'no output'}")
    return {f"one oracle call for 64 problems against 64 calls, {device}": 64 * found[1] / found[64]}


def cores():
    return describe_machine()["cores"]


RATIO_PROMISES = {"4 workers": "≥ 3", "the same": "≥ 3", "asynchronous": "3-5", "one oracle": "40-50"}


def size_table(results):
    """Returns the table of sizes: each measured number, and the promised one in parentheses."""

    def with_promise(text, promise):
        return f"{text} ({promise})" if promise else text

    lines = [
        "| environments | runner | samples per epoch | epoch, s | samples/s | times one | update, s | memory, MB | GPU, MB | whole run |",
        "| ---: | --- |" + " ---: |" * 8,
    ]
    for envs, by_runner in results.items():
        promise = PROMISES[envs]
        for runner, found in by_runner.items():
            one = results.get(1, {}).get(runner)
            times = f"{found['samples_per_s'] / one['samples_per_s']:.1f}" if one else "–"
            cells = [
                f"{found['samples_per_epoch']:,.0f}",
                with_promise(f"{found['epoch_s']:.3f}", promise.epoch_s),
                with_promise(f"{found['samples_per_s']:,.0f}", promise.samples_per_s),
                with_promise(times, promise.times_one),
                with_promise(f"{found['learn_s']:.3f}", promise.update_s),
                f"{found['memory_mb']:,.0f}",
                with_promise(
                    f"{found['gpu_mb']:,.0f}" if found["gpu_mb"] else "–", promise.gpu_gb and f"{promise.gpu_gb} GB"
                ),
                with_promise(duration(found["wall_s"]), promise.hundred_epochs),
            ]
            lines.append(f"| {envs} | {runner} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def ratio_table(ratios):
    lines = ["| ratio | measured | promised |", "| --- | ---: | ---: |"]
    for name, ratio in ratios.items():
        promise = next((text for start, text in RATIO_PROMISES.items() if name.startswith(start)), "–")
        lines.append(f"| {name} | {ratio:.1f} | {promise} |")
    return "\n".join(lines)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--envs", type=list_of(int, PRESETS), default=list(PRESETS), help="numbers of environments")
    parser.add_argument("--runners", type=list_of(str, RUNNERS), default=RUNNERS, help="local, ray or both (default)")
    parser.add_argument("--epochs", type=int, default=100, help="epochs of each run (default 100, as promised)")
    parser.add_argument("--ratios", type=list_of(str, RATIOS), default=RATIOS, help="workers, async, oracle or none")
    parser.add_argument("--train", help="train program (default: built by Bazel)")
    parser.add_argument("--oracle-speed", help="sequence_speed program, for the ratio of oracle calls")
    parser.add_argument("--oracle-device", choices=("cpu", "cuda"), default="cuda", help="device of these calls")
    parser.add_argument("--out", type=pathlib.Path, help="also write all numbers to this JSON file")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    train, machine = begin(arguments.train)
    results, ratios, failures = {}, {}, []

    def attempt(what, run):
        try:
            return run()
        except TrainingFailed as failure:
            failures.append(f"{what}: {failure}")
            say(failures[-1])
            return None

    def save():
        if arguments.out:
            written = {"machine": machine, "results": results, "ratios": ratios, "failures": failures}
            arguments.out.write_text(json.dumps(written, indent=1))

    with RayCluster() as cluster:
        if "ray" in arguments.runners:
            attempt("Ray", cluster.ensure)
        for envs in arguments.envs:
            for runner in arguments.runners:
                what = f"{envs} environment{'' if envs == 1 else 's'}, {runner}"
                found = attempt(what, functools.partial(train_size, train, envs, runner, arguments.epochs))
                if found:
                    results.setdefault(envs, {})[runner] = found
                    say(f"{what}: {found['samples_per_s']:,.0f} samples/s")
                save()
        measures = {
            "workers": lambda: measure_workers(train),
            "async": lambda: measure_async(train),
            "oracle": lambda: measure_oracle(arguments.oracle_speed, arguments.oracle_device),
        }
        for name in arguments.ratios:
            if name == "oracle" and not arguments.oracle_speed:
                say("no --oracle-speed: oracle calls are not compared")
                continue
            ratios.update(attempt(name, measures[name]) or {})
            save()
    print("\n" + size_table(results) + "\n\nIn parentheses: what was promised, for runs of 100 epochs.")
    if ratios:
        print("\n" + ratio_table(ratios))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
