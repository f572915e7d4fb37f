#!/usr/bin/env python3
"""Compares the speed of the presets as shipped with other choices of flags, to see how well they use a machine.

Trains every preset for some seconds with every choice, interleaved and repeated, and prints samples per second end to end (median,
minimum and maximum) and where the time went. The first epoch of a run does not count.

  scripts/bench/whole_machine.py                                              every preset, as shipped
  scripts/bench/whole_machine.py --presets dvrptw_64 --choice "threads=1: --set scale.learner_threads=1"
  scripts/bench/whole_machine.py --choice "cpu: --device cpu" --choice "cuda: --device cuda" --seconds 15 --out machine.json
"""

import argparse
import json
import pathlib
import shlex
import statistics
import sys

sys.dont_write_bytecode = True
from measuring import say
from training_runs import TrainingFailed, begin, measure, train_once

NEURAL = ["--set", "env.dvrptw.oracle.kind=neural"]
PRESETS = {
    "dvrptw_64": ["--config", "dvrptw_64"],
    "dvrptw_256": ["--config", "dvrptw_256"],
    "dvrptw_256_neural": ["--config", "dvrptw_256", *NEURAL],
    "dvrptw_best": ["--config", "dvrptw_best"],
    # These have such short epochs that a report of each would take a quarter of the time.
    "cage2_bline": ["--config", "cage2_bline", "--log-interval", "20"],
    "cartpole_256": ["--config", "cartpole", "--n-envs", "256", "--log-interval", "5"],
}
SHIPPED = "as shipped"


def choice(text):
    name, colon, flags = text.partition(":")
    if not colon or not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r}: expected NAME: FLAGS")
    return name.strip(), shlex.split(flags)


def preset_names(text):
    names = text.split(",")
    if not set(names) <= set(PRESETS):
        raise argparse.ArgumentTypeError(f"{text}: choose from {','.join(PRESETS)}")
    return names


def run(train, preset, flags, seconds):
    timed = ["--set", "train.episodes=0", "--set", "train.total_steps=0", "--set", f"train.duration_s={seconds}"]
    reports = train_once(train, [*PRESETS[preset], "--runner", "local", *timed, *flags], limit_s=20 * seconds + 120)
    result = measure(reports)
    result["learner_threads"] = reports[-1].get("time/learner_threads", 1)
    return result


def line(name, results):
    rates = [result["samples_per_s"] for result in results]
    middle = sorted(results, key=lambda result: result["samples_per_s"])[len(results) // 2]

    def share(phase):
        return 100 * middle[f"{phase}_s"] / middle["epoch_s"]

    return (
        f"| {name} | {statistics.median(rates):,.0f} ({min(rates):,.0f} – {max(rates):,.0f}) "
        f"| {middle['rollout_samples_per_s']:,.0f} | {share('rollout'):.0f} % | {share('learn'):.0f} % "
        f"| {middle['learner_threads']:.0f} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--presets",
        type=preset_names,
        default=list(PRESETS),
        help="presets, comma-separated, from " + ",".join(PRESETS),
    )
    parser.add_argument(
        "--choice",
        type=choice,
        action="append",
        default=[],
        metavar="NAME: FLAGS",
        help=f"flags of train to compare with '{SHIPPED}'",
    )
    parser.add_argument("--seconds", type=int, default=10, help="seconds per run (default 10)")
    parser.add_argument("--repeats", type=int, default=3, help="repeats of each choice (default 3)")
    parser.add_argument("--train", help="train program (default: built by Bazel)")
    parser.add_argument("--out", type=pathlib.Path, help="also write all numbers to this JSON file")
    arguments = parser.parse_args()
    train, machine = begin(arguments.train)
    choices = [(SHIPPED, []), *arguments.choice]
    results = {}
    for preset in arguments.presets:
        for _repeat in range(arguments.repeats):
            for name, flags in choices:
                try:
                    result = run(train, preset, flags, arguments.seconds)
                except TrainingFailed as failure:
                    say(f"{preset}, {name}: {failure}")
                    continue
                results.setdefault(f"{preset}, {name}", []).append(result)
                say(f"{preset}, {name}: {result['samples_per_s']:,.0f} samples/s")
        if arguments.out:
            arguments.out.write_text(json.dumps({"machine": machine, "results": results}, indent=1))
    print("\n| preset, choice | samples/s, end to end | rollouts alone | rollouts | learning | learner threads |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, found in results.items():
        print(line(name, found))


if __name__ == "__main__":
    main()
