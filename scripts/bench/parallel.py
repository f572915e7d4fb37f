#!/usr/bin/env python3
"""What parallel actors bring on the delivery task (configs/dvrptw_64.yaml): Ray against one process, shards, asynchronous learning.

Every kind of run is repeated, the kinds in turn, every second time in reverse; tables have the median (smallest - largest).
A run's first epoch warms up and does not count. rollout samples/s: environment steps / time/rollout_s (configs/METRICS.md);
end to end: environment steps / wall-clock time of training; outside learning: the same less time/learn_s.

  two_core   64 environments in 2 shards: the Ray runner against the local one
  workers    4 workers x 8 environments on Ray against 32 environments in one process on one thread
  shards     1, 2, 4, 8, 14 shards of 16 environments each; efficiency: samples/s / (shards x samples/s of one shard)
  strong     224 environments in as many shards; efficiency as above
  async      asynchronous against synchronous, where rollouts and learning take about the same time

  scripts/bench/parallel.py                                           all of it
  scripts/bench/parallel.py --parts two_core --repeats 7
  RAY_ADDRESS=10.0.0.1:6379 scripts/bench/parallel.py --train bin/train --parts workers,shards --json parallel.json
"""

import argparse
import json
import pathlib
import shlex
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import parallel_tables  # noqa: E402
from measuring import describe_machine, duration, say, without_nan  # noqa: E402
from training_runs import RayCluster, TrainingFailed, end_on_sigterm, find_train, measure, train_once  # noqa: E402

PARTS = ("two_core", "workers", "shards", "strong", "async")
TASK = ("--config", "configs/dvrptw_64.yaml", "--device", "cpu", "--set", "env.dvrptw.oracle.kind=ruin_recreate")
SHARDS = (1, 2, 4, 8, 14)
ENVS_PER_SHARD = 16
STRONG_ENVS = 224  # 14 shards of 16
LAGS = (1, 2)

# Rollouts and learning count as equal within this factor.
ABOUT_EQUAL = 1.15
CALIBRATIONS = 6
FEWEST_PASSES = 4  # of learning: fewer could not be tuned finely


def scaled(envs, workers):
    return ("--num-envs", str(envs), "--num-workers", str(workers))


def passes(count):
    return ("--set", f"ppo.policy_epochs={count}", "--set", f"ppo.value_epochs={count}")


def two_core_rows(cores):
    return {runner: (*TASK, "--runner", runner, *scaled(64, 2), "--epochs", "9") for runner in ("local", "ray")}


def workers_rows(cores):
    if cores < 4:
        return {}
    short = (*passes(1), "--epochs", "21")
    return {
        "one process": (*TASK, "--runner", "local", *scaled(32, 1), "--set", "scale.threads=1", *short),
        "4 workers": (*TASK, "--runner", "ray", *scaled(32, 4), *short),
    }


def shards_rows(cores, strong=False):
    return {
        f"{runner} {shards}": (
            *TASK, "--runner", runner, *scaled(STRONG_ENVS if strong else shards * ENVS_PER_SHARD, shards), *passes(1),
            "--epochs", "8" if strong else "21")
        for shards in SHARDS if shards <= cores
        for runner in ("local", "ray")
    }


def async_task(cores):
    """The learner has a core of its own; from four cores on, so has the driver."""
    workers = max(1, min(8, cores - (1 if cores < 4 else 2)))
    return (*TASK, "--runner", "ray", *scaled(64, workers))


def async_rows(task):
    lags = {"synchronous": 0, **{f"asynchronous, lag {lag}": lag for lag in LAGS}}
    # Long enough that what shards had collected ahead when the first epoch was reported hardly counts.
    return {name: (*task, "--set", f"ppo.max_policy_lag={lag}", "--epochs", "31") for name, lag in lags.items()}


def next_balance(learning_passes, rounds, rollout_s, learn_s):
    """Passes over a batch and rounds of the oracle that bring rollouts and learning closer; None when they are about equal."""
    if 1 / ABOUT_EQUAL <= rollout_s / learn_s <= ABOUT_EQUAL:
        return None
    wanted = round(learning_passes * rollout_s / learn_s)
    if wanted >= FEWEST_PASSES and wanted != learning_passes:
        return wanted, rounds
    per_pass_s = learn_s / learning_passes
    return FEWEST_PASSES, max(rounds + 1, round(rounds * FEWEST_PASSES * per_pass_s / rollout_s))


class Bench:
    def __init__(self, arguments, train, cluster, machine):
        self.arguments, self.train, self.cluster = arguments, train, cluster
        self.results = {"machine": machine, "repeats": arguments.repeats, "parts": {}}
        self.failures = 0

    def run(self, flags):
        if "ray" in flags:
            self.cluster.ensure()
        return measure(train_once(self.train, flags, self.arguments.limit_s))

    def measure_rows(self, part, rows, **facts):
        """Runs every row so often as told, in turn; what is done is written at once."""
        result = {**facts, "rows": {name: {"command": shlex.join(["train", *flags]), "runs": []} for name, flags in rows.items()}}
        self.results["parts"][part] = result
        start, total = time.monotonic(), len(rows) * self.arguments.repeats
        done = 0
        for repeat in range(self.arguments.repeats):
            for name in list(rows)[:: -1 if repeat % 2 else 1]:
                try:
                    run = self.run(rows[name])
                    said = f"{run['samples_per_s']:,.0f} samples/s end to end"
                    if part != "async":  # there, rollouts go on while the learner works
                        said = f"{run['rollout_samples_per_s']:,.0f} samples/s in rollouts, {said}"
                except TrainingFailed as failure:
                    self.failures += 1
                    run = {"error": str(failure)}
                    said = f"failed: {failure}"
                result["rows"][name]["runs"].append(run)
                self.write()
                done += 1
                left = (time.monotonic() - start) * (total - done) / done
                say(f"{part}: run {done}/{total} · {name} · {said} · ETA {duration(left)}")

    def measure_async(self, cores):
        task = async_task(cores)
        learning_passes, rounds = FEWEST_PASSES, 10
        for _ in range(CALIBRATIONS):
            balanced = (*task, *passes(learning_passes), "--set", f"env.dvrptw.oracle.rounds={rounds}")
            run = self.run((*balanced, "--epochs", "6"))
            say(f"async: {learning_passes} passes, {rounds} rounds · rollouts {run['rollout_s']:.3f} s, "
                f"learning {run['learn_s']:.3f} s")
            following = next_balance(learning_passes, rounds, run["rollout_s"], run["learn_s"])
            if not following:
                break
            learning_passes, rounds = following
        self.measure_rows("async", async_rows(balanced))

    def write(self):
        if self.arguments.json:
            self.arguments.json.write_text(json.dumps(without_nan(self.results), indent=1, allow_nan=False) + "\n")
        if self.arguments.markdown:
            self.arguments.markdown.write_text(parallel_tables.markdown(self.results))


def measure_part(bench, part, cores):
    if part == "async":
        try:
            bench.measure_async(cores)
        except TrainingFailed as failure:
            bench.failures += 1
            say(f"async: failed: {failure}")
        return
    rows = {
        "two_core": two_core_rows,
        "workers": workers_rows,
        "shards": shards_rows,
        "strong": lambda cores: shards_rows(cores, strong=True),
    }[part](cores)
    if not rows:
        say(f"{part}: left out, it wants 4 cores and there are {cores}")
        return
    bench.measure_rows(part, rows)


def part_names(text):
    names = text.split(",")
    if not set(names) <= set(PARTS):
        raise argparse.ArgumentTypeError(f"{text}: want some of {','.join(PARTS)}")
    return names


def parse_arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=part_names, default=list(PARTS), metavar="NAMES", help=f"[{','.join(PARTS)}]")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each kind [5]")
    parser.add_argument("--train", help="the built train command [built by Bazel]")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="all numbers, written after every run")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="the tables, written after every run")
    parser.add_argument("--limit-s", type=float, default=1800, help="a run that takes longer has failed [1800]")
    arguments = parser.parse_args(words)
    if arguments.repeats < 1:
        parser.error("--repeats must be at least 1")
    return arguments


def main():
    arguments = parse_arguments()
    end_on_sigterm()
    machine = describe_machine()
    train = find_train(arguments.train)
    status = 0
    with RayCluster() as cluster:
        bench = Bench(arguments, train, cluster, machine)
        try:
            for part in arguments.parts:
                measure_part(bench, part, machine["cores"])
            status = 1 if bench.failures else 0
        except KeyboardInterrupt:
            say("stopped; these are the runs so far")
            status = 130
    bench.write()
    print("\n" + parallel_tables.markdown(bench.results))
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
