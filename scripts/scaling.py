#!/usr/bin/env python3
"""Measures how training scales with parallel environments, shards and asynchronous learning: a CSV file, Markdown tables and plots.

Trains a few epochs for every runner and number of environments, or the experiments named by --parts, and reads the speeds from
the run folders. Writes a row after every run: started again with the same --out, the script resumes and repeats runs that failed.
On Ray it uses RAY_ADDRESS, else the cluster running on this machine, else its own.

  scripts/scaling.py --out scaling                                      the delivery task, both runners, 1 to 256 environments
  scripts/scaling.py --out scaling --envs 64 --workers 1,2,4,8 --runners ray
  scripts/scaling.py --out scaling --set ppo.policy_epochs=1 --set ppo.value_epochs=1 --epochs 10 --repeats 5
  scripts/scaling.py --out scaling --config cartpole --envs 1,8,64 --runners local
  RAY_ADDRESS=10.0.0.1:6379 scripts/scaling.py --out scaling --runners ray --train bin/train
  scripts/scaling.py --out scaling --parts two_core,async --repeats 7

Parts, all on the delivery task (configs/dvrptw_64.yaml):

  two_core   64 environments in 2 shards: the Ray runner against the local one
  workers    4 workers x 8 environments on Ray against 32 environments in one process on one thread; needs 4 cores
  shards     1, 2, 4, 8, 14 shards of 16 environments each; efficiency: samples/s / (shards x samples/s of one shard)
  strong     224 environments in as many shards; efficiency as above
  async      asynchronous against synchronous, with rollouts and learning taking about the same time

and growth, the first three on configs/dvrptw_best.yaml:

  grow_envs     1 to 1,024 environments
  grow_riders   10 to 200 riders per episode, 16 environments
  grow_shards   64 environments in 1 to 16 shards, at most one per core
  grow_threads  1 to 16 threads of the learner, at most one per core
"""

import argparse
import datetime
import math
import pathlib
import shlex
import sys
import time
import typing

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "bench"))
import scaling_parts  # noqa: E402
import scaling_tables  # noqa: E402
from measuring import describe_machine, duration, machine_text, say, use_project_python  # noqa: E402
from training_runs import (  # noqa: E402
    RayCluster,
    TrainingFailed,
    config_flag,
    end_on_sigterm,
    find_train,
    measure,
    preflight,
    train_once,
)

RUNNERS = ("local", "ray")


def whole_numbers(text):
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        numbers = [0]
    if min(numbers) < 1:
        raise argparse.ArgumentTypeError(f"{text}: give whole numbers from 1, separated by commas")
    return numbers


def some_of(known):
    def names(text):
        if not set(text.split(",")) <= set(known):
            raise argparse.ArgumentTypeError(f"{text}: choose from {','.join(known)}")
        return text.split(",")

    return names


def parse_arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        default=pathlib.Path("scaling"),
        help="folder for scaling.csv, scaling.md and the plots [scaling]",
    )
    parser.add_argument(
        "--parts", type=some_of(scaling_parts.PARTS), metavar="NAMES", help="run these experiments (above) instead"
    )
    parser.add_argument(
        "--envs",
        type=whole_numbers,
        default=whole_numbers("1,4,8,16,32,64,128,256"),
        metavar="N,N,...",
        help="numbers of environments [1,4,8,16,32,64,128,256]",
    )
    parser.add_argument(
        "--workers",
        type=whole_numbers,
        metavar="N,N,...",
        help="numbers of shards (train's --num-workers) for each of them [the config's choice]",
    )
    parser.add_argument(
        "--runners", type=some_of(RUNNERS), default=list(RUNNERS), metavar="NAMES", help="runners [local,ray]"
    )
    parser.add_argument("--config", default="configs/dvrptw_64.yaml", help="train's --config [%(default)s]")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="settings",
        help="passed on to train; may be repeated",
    )
    parser.add_argument(
        "--epochs", type=int, default=5, help="epochs per run; the first is a warm-up and does not count [5]"
    )
    parser.add_argument(
        "--min-samples",
        type=int,
        default=1000,
        metavar="N",
        help="use more epochs if a run would have fewer than N samples, as with one environment [1000]",
    )
    parser.add_argument("--repeats", type=int, default=3, help="repetitions of each run, interleaved [3]")
    parser.add_argument("--limit-s", type=float, default=3600, help="time limit of a run in seconds [3600]")
    parser.add_argument("--train", help="train program [built by Bazel]")
    arguments = parser.parse_args(words)
    if arguments.epochs < 2 or arguments.repeats < 1 or arguments.min_samples < 0:
        parser.error("--epochs must be at least 2, --repeats at least 1, --min-samples at least 0")
    for name in ("envs", "workers", "runners", "config", "settings", "epochs", "min_samples"):
        if arguments.parts and getattr(arguments, name) != parser.get_default(name):
            parser.error(
                "--parts cannot be combined with environments, workers, runners and settings: each part has its own"
            )
    return arguments


class Kind(typing.NamedTuple):
    """A kind of run: the table it belongs to, its name there, and train's flags."""

    part: str
    name: str
    flags: list

    @property
    def cost(self):
        """Returns the estimated relative duration of a run: its environments plus its start-up."""
        return int(self.flags[self.flags.index("--num-envs") + 1]) + 16


def kinds_over_environments(arguments):
    common = ["--config", config_flag(arguments.config)]
    for setting in arguments.settings:
        common += ["--set", setting]
    part = shlex.join([*common, "--epochs", str(arguments.epochs)])
    return [
        Kind(
            part,
            f"{runner}, {envs} environments" + (f" in {workers} shards" if workers else ""),
            [
                *common,
                "--runner",
                runner,
                "--num-envs",
                str(envs),
                *(["--num-workers", str(workers)] if workers else []),
            ],
        )
        for envs in arguments.envs
        for workers in (arguments.workers or [None])
        if workers is None or workers <= envs
        for runner in arguments.runners
    ]


class Bench:
    def __init__(self, arguments, train, cluster, machine):
        self.arguments, self.train, self.cluster, self.machine = arguments, train, cluster, machine
        self.path = arguments.out / "scaling.csv"
        self.rows = read_back(self.path, machine)
        self.previews = {}
        self.failures = 0

    def kinds_of_part(self, part):
        cores = self.machine["cores"]
        more = [self.balance(cores)] if part == "async" else []
        kinds = [Kind(part, name, list(flags)) for name, flags in scaling_parts.PARTS[part](cores, *more).items()]
        if not kinds:
            say(f"{part}: skipped, it needs 4 cores and there are {cores}")
        return kinds

    def balance(self, cores):
        """Returns the balance of earlier rows in the same file, else measures it."""
        earlier = [row["command"] for row in self.rows if row["part"] == "async"]
        return scaling_parts.balance_of(earlier[0]) if earlier else scaling_parts.find_balance(cores, self.measure, say)

    def measure(self, flags):
        if "ray" in flags:
            self.cluster.ensure()
        return measure(train_once(self.train, flags, self.arguments.limit_s))

    def describe(self, kind):
        """Returns the row of a run before it starts: its kind and its command."""
        words = tuple(kind.flags)
        if words not in self.previews:
            try:
                self.previews[words] = preflight(self.train, kind.flags)
            except TrainingFailed as failure:
                self.previews[words] = {"envs": kind.cost - 16, "error": str(failure)}
        preview, flags = self.previews[words], kind.flags
        if "--epochs" not in flags:
            enough = math.ceil(self.arguments.min_samples / preview.get("samples_per_epoch", math.inf))
            flags = [*flags, "--epochs", str(max(self.arguments.epochs - 1, enough) + 1)]
        return flags, {
            "part": kind.part,
            "name": kind.name,
            "runner": flags[flags.index("--runner") + 1],
            "error": "",
            **preview,
            "machine": machine_text(self.machine),
            "date": datetime.datetime.now().isoformat(timespec="seconds"),
            "command": shlex.join(["train", *flags]),
        }

    def run(self, flags, row):
        """Returns the row with its numbers, or with the error."""
        if row["error"]:
            return row
        try:
            return {**row, **self.measure(flags)}
        except TrainingFailed as failure:
            return {**row, "error": str(failure)}

    def run_all(self, kinds):
        """Does the missing runs, interleaved, every second repeat in reverse order."""
        repeats = range(1, self.arguments.repeats + 1)
        planned = [(repeat, kind) for repeat in repeats for kind in kinds[:: 1 if repeat % 2 else -1]]
        start, spent, left = time.monotonic(), 0, sum(kind.cost for _, kind in planned)
        for number, (repeat, kind) in enumerate(planned, 1):
            left -= kind.cost
            flags, row = self.describe(kind)
            part = f"{kind.part}: " if kind.part in scaling_parts.PARTS else ""
            name = f"{part}run {number}/{len(planned)} · {kind.name}, repeat {repeat}"
            if scaling_tables.is_done(self.rows, row["command"], repeat):
                say(f"{name} · already done")
                continue
            row = self.run(flags, {**row, "repeat": repeat})
            self.rows = scaling_tables.with_row(self.rows, row)
            scaling_tables.write_rows(self.path, self.rows)
            spent += kind.cost
            eta = f"ETA {duration((time.monotonic() - start) * left / spent)}"
            if row["error"]:
                self.failures += 1
                say(f"{name} · failed: {row['error']} · {eta}")
            else:
                say(
                    f"{name} · {row['samples_per_s']:,.0f} samples/s, {row['rollout_samples_per_s']:,.0f} in rollouts · "
                    f"{row['memory_mb']:,.0f} MB · {eta}"
                )

    def run_part(self, part):
        try:
            self.run_all(self.kinds_of_part(part))
        except TrainingFailed as failure:  # of the runs that find a balance
            self.failures += 1
            say(f"{part}: failed: {failure}")


def read_back(path, machine):
    rows = scaling_tables.read_rows(path)
    for row in rows:
        if row["machine"] != machine_text(machine):
            raise SystemExit(f"error: {path} was measured on {row['machine']}: give another --out")
    return rows


def write_tables(out, rows, machine):
    """Writes the rows as Markdown and as plots."""
    if not rows:
        return
    text = scaling_tables.markdown(rows, machine)
    (out / "scaling.md").write_text(text)
    print("\n" + text)
    written = ["scaling.csv", "scaling.md"]
    entries, growth = scaling_tables.summarise(rows), scaling_tables.growth(rows)
    if entries or growth:
        try:
            import scaling_plots

            if entries:
                written += scaling_plots.draw(entries, machine_text(machine), out)
            if growth:
                written += scaling_plots.draw_growth(growth, machine_text(machine), out)
        except ImportError:
            say("no plots: matplotlib is not installed; run scripts/setup.sh, then the same command again")
    say(f"written to {out}: {', '.join(written)}")


def main():
    arguments = parse_arguments()
    end_on_sigterm()
    machine = describe_machine()
    arguments.out = arguments.out.resolve()
    arguments.out.mkdir(parents=True, exist_ok=True)
    read_back(arguments.out / "scaling.csv", machine)  # before a build that may take long
    train = find_train(arguments.train)
    with RayCluster() as cluster:
        bench = Bench(arguments, train, cluster, machine)
        try:
            if arguments.parts:
                for part in arguments.parts:
                    bench.run_part(part)
            else:
                bench.run_all(kinds_over_environments(arguments))
            status = 1 if bench.failures else 0
        except KeyboardInterrupt:
            say("stopped; finished runs are kept, the same command resumes")
            status = 130
    write_tables(arguments.out, bench.rows, machine)
    return status


if __name__ == "__main__":
    use_project_python()
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
