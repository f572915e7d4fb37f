#!/usr/bin/env python3
"""How training scales with the number of parallel environments: a CSV file, a Markdown table and plots.

Trains a few epochs for every runner and number of environments and reads the speeds from the run folders. A row is written
after every run: whoever ends this script and starts it again with the same --out goes on where it was; runs that failed are
tried again. On Ray it uses RAY_ADDRESS, else the cluster that runs on this machine, else it starts one and ends it.

  scripts/scaling.py --out scaling                                      the delivery task, both runners, 1 to 256 environments
  scripts/scaling.py --out scaling --envs 64 --workers 1,2,4,8 --runners ray
  scripts/scaling.py --out scaling --set ppo.policy_epochs=1 --set ppo.value_epochs=1 --epochs 10 --repeats 5
  scripts/scaling.py --out scaling --config cartpole --envs 1,8,64 --runners local
  RAY_ADDRESS=10.0.0.1:6379 scripts/scaling.py --out scaling --runners ray --train bin/train
"""

import argparse
import datetime
import math
import pathlib
import shlex
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "bench"))
import scaling_table  # noqa: E402
from measuring import describe_machine, duration, machine_text, say  # noqa: E402
from training_runs import (  # noqa: E402
    RayCluster, TrainingFailed, config_flag, end_on_sigterm, find_train, measure, preflight, train_once)

RUNNERS = ("local", "ray")


def whole_numbers(text):
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        numbers = [0]
    if min(numbers) < 1:
        raise argparse.ArgumentTypeError(f"{text}: want whole numbers from 1, joined by commas")
    return numbers


def runner_names(text):
    names = text.split(",")
    if not set(names) <= set(RUNNERS):
        raise argparse.ArgumentTypeError(f"{text}: want local, ray or local,ray")
    return names


def parse_arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("scaling"),
                        help="folder for scaling.csv, scaling.md and the plots [scaling]")
    parser.add_argument("--envs", type=whole_numbers, default=whole_numbers("1,4,8,16,32,64,128,256"), metavar="N,N,...",
                        help="numbers of environments [1,4,8,16,32,64,128,256]")
    parser.add_argument("--workers", type=whole_numbers, metavar="N,N,...",
                        help="numbers of shards (train's --num-workers) for each of them [as the config lays them out]")
    parser.add_argument("--runners", type=runner_names, default=list(RUNNERS), metavar="NAMES", help="[local,ray]")
    parser.add_argument("--config", default="configs/dvrptw_64.yaml", help="train's --config [%(default)s]")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings",
                        help="passed on to train; may be repeated")
    parser.add_argument("--epochs", type=int, default=5, help="epochs per run; the first warms up and does not count [5]")
    parser.add_argument("--min-samples", type=int, default=1000, metavar="N",
                        help="more epochs where these would count fewer samples than N: one environment gives few [1000]")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each kind, in turn [3]")
    parser.add_argument("--limit-s", type=float, default=3600, help="a run that takes longer has failed [3600]")
    parser.add_argument("--train", help="the built train command [built by Bazel]")
    arguments = parser.parse_args(words)
    if arguments.epochs < 2 or arguments.repeats < 1 or arguments.min_samples < 0:
        parser.error("--epochs must be at least 2, --repeats at least 1, --min-samples at least 0")
    return arguments


def plan(arguments):
    """All runs in their order, interleaved by repeat: (repeat, runner, envs, workers or None)."""
    return [
        (repeat, runner, envs, workers)
        for repeat in range(1, arguments.repeats + 1)
        for envs in arguments.envs
        for workers in (arguments.workers or [None])
        if workers is None or workers <= envs
        for runner in arguments.runners
    ]


class Experiment:
    def __init__(self, arguments, train, cluster, machine):
        self.arguments, self.train, self.cluster = arguments, train, cluster
        self.common = ["--config", config_flag(arguments.config)]
        for setting in arguments.settings:
            self.common += ["--set", setting]
        self.machine = machine_text(machine)
        self.previews = {}

    def flags(self, runner, envs, workers):
        shards = ["--num-workers", str(workers)] if workers else []
        return [*self.common, "--runner", runner, "--num-envs", str(envs), *shards]

    def describe(self, runner, envs, workers):
        """The row of a run before it: what it is, and its command."""
        kind = (runner, envs, workers)
        if kind not in self.previews:
            try:
                self.previews[kind] = preflight(self.train, self.flags(*kind))
            except TrainingFailed as failure:
                self.previews[kind] = {"envs": envs, "workers": workers, "error": str(failure)}
        preview = self.previews[kind]
        samples = preview.get("samples_per_epoch") or 1
        counted = max(self.arguments.epochs - 1, math.ceil(self.arguments.min_samples / samples) if "error" not in preview else 0)
        flags = [*self.flags(*kind), "--epochs", str(counted + 1)]
        return flags, {
            "runner": runner, "error": "", **preview, "machine": self.machine,
            "date": datetime.datetime.now().isoformat(timespec="seconds"),
            "settings": shlex.join([*self.common, "--epochs", str(self.arguments.epochs)]),
            "command": shlex.join(["train", *flags]),
        }

    def run(self, flags, row):
        """The row with its numbers, or with the line that says why there are none."""
        if row["error"]:
            return row
        try:
            if row["runner"] == "ray":
                self.cluster.ensure()
            return {**row, **measure(train_once(self.train, flags, self.arguments.limit_s))}
        except TrainingFailed as failure:
            return {**row, "error": str(failure)}


def read_back(path, machine):
    rows = scaling_table.read_rows(path)
    for row in rows:
        if row["machine"] != machine_text(machine):
            raise SystemExit(f"error: {path} was measured on {row['machine']}: give another --out")
    return rows


def run_all(experiment, path, machine):
    """Runs what is missing; the number of this plan's runs that failed."""
    arguments = experiment.arguments
    rows = read_back(path, machine)
    # How long a run takes: as its environments, and as starting it.
    cost = lambda run: run[2] + 16
    planned, failures, start, spent = plan(arguments), 0, time.monotonic(), 0
    left = sum(map(cost, planned))
    for number, run in enumerate(planned, 1):
        repeat, *kind = run
        left -= cost(run)
        flags, row = experiment.describe(*kind)
        shards = f" in {kind[2]} shards" if kind[2] else ""
        name = f"run {number}/{len(planned)} · {row['runner']}, {row['envs']} environments{shards}, repeat {repeat}"
        if scaling_table.is_done(rows, row["command"], repeat):
            say(f"{name} · there already")
            continue
        row = experiment.run(flags, {**row, "repeat": repeat})
        rows = scaling_table.with_row(rows, row)
        scaling_table.write_rows(path, rows)
        spent += cost(run)
        eta = f"ETA {duration((time.monotonic() - start) * left / spent)}"
        if row["error"]:
            failures += 1
            say(f"{name} · failed: {row['error']} · {eta}")
        else:
            say(f"{name} · {row['samples_per_s']:,.0f} samples/s, {row['rollout_samples_per_s']:,.0f} in rollouts · "
                f"{row['memory_mb']:,.0f} MB · {eta}")
    return failures


def write_tables(out, machine):
    """What the CSV file says, as Markdown and as plots."""
    rows = scaling_table.read_rows(out / "scaling.csv")
    if not rows:
        return
    text = scaling_table.markdown(rows, machine)
    (out / "scaling.md").write_text(text)
    print("\n" + text)
    written = ["scaling.csv", "scaling.md"]
    entries = scaling_table.summarise(rows)
    try:
        import scaling_plots
    except ImportError:
        say(f"no plots: {sys.executable} has no matplotlib. {shlex.quote(sys.executable)} -m pip install matplotlib, then the "
            "same command again")
    else:
        if entries:
            written += scaling_plots.draw(entries, machine_text(machine), out)
    say(f"written to {out}: {', '.join(written)}")


def main():
    arguments = parse_arguments()
    end_on_sigterm()
    machine = describe_machine()
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    read_back(out / "scaling.csv", machine)
    train = find_train(arguments.train)
    status = 0
    try:
        with RayCluster() as cluster:
            status = 1 if run_all(Experiment(arguments, train, cluster, machine), out / "scaling.csv", machine) else 0
    except KeyboardInterrupt:
        say("stopped; what is done is kept, the same command goes on from there")
        status = 130
    write_tables(out, machine)
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
