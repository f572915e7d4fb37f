#!/usr/bin/env python3
"""Compares the speed of cage2 with that of the original, CybORG, and of MiniCAGE; also times the evaluation of a workflow.

Measures environment steps per second on one core with random actions, in 25 environments and episodes of 100 steps. Resets and
sampling of actions are included, imports and process start are not. Every measurement is a separate single-threaded process,
pinned to one core; they are interleaved (repeat 1 of each, repeat 2 of each, ...), and ratios are taken within each repeat. Each
repeat ends with one training of configs/cage2_workflow_original.yaml: 1,250 episodes with updates, on two cores.
On a shared machine, use the numbers per second of processor time, which do not depend on other processes.

  scripts/bench/cage2.py                                                       only Dray
  scripts/bench/cage2.py --cyborg cage-challenge-2 --minicage CybORG_plus_plus --python venv/bin/python
  scripts/bench/cage2.py --seconds 0.1 --repeats 1                             a first look

CybORG is github.com/cage-challenge/cage-challenge-2 and needs numpy < 2, gym, networkx, prettytable, paramiko and pyyaml. MiniCAGE
is github.com/alan-turing-institute/CybORG_plus_plus and needs numpy.
"""

import argparse
import contextlib
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

WORKER = pathlib.Path(__file__).resolve().with_name("cage2_worker.py")
sys.dont_write_bytecode = True
sys.path.insert(0, str(WORKER.parent))
from measuring import ONE_THREAD, describe_machine, duration, range_text, say, spread, without_nan  # noqa: E402
from training_runs import (  # noqa: E402
    TrainingFailed,
    end_on_sigterm,
    error_line,
    find_program,
    find_train,
    read_reports,
    run_to_its_end,
)

ENVS, STEPS = 25, 100
REDS = {"bline": "B_line", "meander": "Meander"}
PEERS = {"cyborg": "CybORG", "minicage": "MiniCAGE"}
# In the order in which they are run; the peers are compared with the first.
SIDES = {
    "batch": "Dray, batch environment",
    "cyborg": "CybORG, ChallengeWrapper",
    "minicage": "MiniCAGE",
    "game": "Dray, bare game",
    "workflow": "Dray, rollout: 77 inputs, 64x64 network, 145 masked actions",
    "reduced": "Dray, rollout: 62 inputs, 64x64 network, 36 masked actions",
}
ROLLOUTS = ("workflow", "reduced")  # with an untrained network: their returns are meaningless
WANTED = {"cyborg": 10_000, "minicage": 300}
WORKFLOW = ("--config", "configs/cage2_workflow_original.yaml", "--runner", "local", "--device", "cpu")
WORKFLOW_CORES = 2
ORIGINAL_EPISODES_PER_S = 40  # of the workflow system that Dray replaces, with 25 processes
WANTED_EPISODES_PER_S = 400
SPEED_TARGET = "//tests/envs/cage2:cage2_speed"


class NotMeasured(Exception):
    """One-line reason why a number is missing."""


@contextlib.contextmanager
def pinned(cores):
    """Restricts processes started in this context to these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def find_speed(given):
    """Returns the program that measures Dray."""
    return find_program("--cage2-speed", given, SPEED_TARGET, "tests/envs/cage2/cage2_speed")


def run_side(side, red, seed, arguments):
    """Runs one process and returns its measurement."""
    if side in PEERS:
        folder = getattr(arguments, side)
        if not folder:
            raise NotMeasured(f"give its folder with --{side}")
        command = [arguments.python, WORKER, side, folder, red, "--envs", ENVS, "--steps", STEPS]
        command += ["--seconds", arguments.seconds, "--seed", seed]
    else:
        command = [arguments.cage2_speed, side, red, arguments.seconds, seed]
    with pinned({arguments.core}):
        result = subprocess.run(
            [str(word) for word in command], capture_output=True, text=True, env={**os.environ, **ONE_THREAD}
        )
    if result.returncode != 0:
        lines = result.stderr.strip().splitlines() or [f"exit code {result.returncode}, it said nothing"]
        raise NotMeasured(lines[-1])
    return json.loads(result.stdout.splitlines()[-1])


def children_cpu_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_workflow(seed, arguments, cores):
    """Times one evaluation of a workflow: the training alone, and the whole process."""
    with tempfile.TemporaryDirectory(prefix="dray-bench-") as folder:
        run, log = pathlib.Path(folder) / "run", pathlib.Path(folder) / "log"
        start, cpu_start = time.perf_counter(), children_cpu_s()
        with open(log, "w") as output, pinned(cores):
            command = [arguments.train, *WORKFLOW, "--seed", seed, "--run-dir", run, *arguments.train_flag]
            code = run_to_its_end(command, output)
        process_s, cpu_s = time.perf_counter() - start, children_cpu_s() - cpu_start
        if code != 0:
            raise NotMeasured(error_line(log.read_text(errors="replace"), code))
        try:
            last = read_reports(run / "metrics.jsonl")[-1]
        except (TrainingFailed, IndexError) as failure:
            raise NotMeasured(str(failure) or "no report") from None
    return {
        "episodes": last["completed_episodes"],
        "seconds": last["time/elapsed_s"],
        "process_s": process_s,
        "cpu_s": cpu_s,
    }


class Bench:
    def __init__(self, arguments, machine):
        self.arguments, self.machine = arguments, machine
        self.runs = []
        self.workflow_runs = []
        self.missing = {}  # what was not measured, and why
        self.loads = []
        self.start = time.monotonic()

    def measure(self, name, run, said):
        """Measures one side; a side that failed once is skipped from then on."""
        if name in self.missing:
            return None
        self.loads.append(os.getloadavg()[0])
        try:
            result = run()
        except NotMeasured as reason:
            self.missing[name] = str(reason)
            say(f"{name}: not measured: {reason}")
            return None
        say(f"{name}, {said(result)}")
        return result

    def repeat(self, number):
        arguments, seed = self.arguments, self.arguments.seed + number
        for red in REDS:
            for side in SIDES:
                result = self.measure(
                    PEERS.get(side, SIDES[side]),
                    lambda: run_side(side, red, seed, arguments),
                    lambda result: f"{REDS[red]} · {result['steps'] / result['seconds']:,.0f} steps/s",
                )
                if result:
                    self.runs.append({"repeat": number, "red": red, "side": side, **result})
        cores = set(sorted(os.sched_getaffinity(0))[-WORKFLOW_CORES:])
        result = self.measure(
            "Workflow evaluation",
            lambda: run_workflow(seed, arguments, cores),
            lambda result: f"{result['episodes'] / result['seconds']:,.0f} episodes/s",
        )
        if result:
            self.workflow_runs.append({"repeat": number, "cores": len(cores), **result})
        left = (time.monotonic() - self.start) / (number + 1) * (arguments.repeats - number - 1)
        say(f"repeat {number + 1}/{arguments.repeats} · ETA {duration(left)}")

    def results(self):
        return {
            "machine": {**self.machine, "load": spread(self.loads)},
            "repeats": self.arguments.repeats,
            "seconds": self.arguments.seconds,
            "commits": self.arguments.commits,
            "table": summarise(self.runs),
            "workflow": summarise_workflow(self.workflow_runs),
            "not_measured": self.missing,
            "runs": self.runs,
            "workflow_runs": self.workflow_runs,
        }


def speed(run, clock):
    return run["steps"] / run[clock] if run[clock] > 0 else float("nan")


def summarise(runs):
    """Returns one entry per red agent and side; the ratio is Dray's batch environment over the side, within each repeat."""
    table = []
    for red in REDS:
        batch = {run["repeat"]: run for run in runs if (run["red"], run["side"]) == (red, "batch")}
        for side in SIDES:
            mine = [run for run in runs if (run["red"], run["side"]) == (red, side)]
            if not mine:
                continue

            def ratios(clock):
                return spread(
                    [speed(batch[run["repeat"]], clock) / speed(run, clock) for run in mine if run["repeat"] in batch]
                )

            table.append(
                {
                    "red": red,
                    "side": side,
                    "repeats": len(mine),
                    "steps_per_s": spread([speed(run, "seconds") for run in mine]),
                    "steps_per_cpu_s": spread([speed(run, "cpu_s") for run in mine]),
                    "mean_return": statistics.mean(run["mean_return"] for run in mine)
                    if side not in ROLLOUTS
                    else None,
                    "dray_over_this": ratios("seconds") if side in PEERS else None,
                    "dray_over_this_cpu": ratios("cpu_s") if side in PEERS else None,
                    "wanted": WANTED.get(side),
                }
            )
    return table


def summarise_workflow(runs):
    if not runs:
        return None
    own = [run["episodes"] / run["seconds"] for run in runs]
    return {
        "episodes": runs[0]["episodes"],
        "cores": runs[0]["cores"],
        "repeats": len(runs),
        "episodes_per_s": spread(own),
        "process_episodes_per_s": spread([run["episodes"] / run["process_s"] for run in runs]),
        "episodes_per_cpu_s": spread([run["episodes"] / run["cpu_s"] for run in runs]),
        "over_original": spread([speed / ORIGINAL_EPISODES_PER_S for speed in own]),
        "wanted_episodes_per_s": WANTED_EPISODES_PER_S,
    }


def table_lines(table):
    lines = [
        "| red | side | environment steps/s | per second of processor time | Dray's batch environment / this "
        "| by processor time | wanted | mean return of an episode |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for entry in table:
        ratio, wanted, played = entry["dray_over_this"], entry["wanted"], entry["mean_return"]
        lines.append(
            f"| {REDS[entry['red']]} | {SIDES[entry['side']]} | {range_text(entry['steps_per_s'], 0)} "
            f"| {range_text(entry['steps_per_cpu_s'], 0)} | {range_text(ratio, 0) + ' x' if ratio else ''} "
            f"| {range_text(entry['dray_over_this_cpu'], 0) + ' x' if ratio else ''} | {f'{wanted:,} x' if wanted else ''} "
            f"| {'' if played is None else f'{played:.0f}'} |"
        )
    return lines


def workflow_lines(workflow):
    return [
        f"| workflow evaluation: {workflow['episodes']:,} episodes of {STEPS} steps with updates, {workflow['cores']} cores "
        "| episodes/s | / the original's 40 episodes/s | wanted, episodes/s |",
        "| --- | ---: | ---: | ---: |",
        f"| by the training's own clock (`time/elapsed_s`) | {range_text(workflow['episodes_per_s'], 0)} "
        f"| {range_text(workflow['over_original'], 1)} x | {workflow['wanted_episodes_per_s']} |",
        f"| by the clock of the whole process | {range_text(workflow['process_episodes_per_s'], 0)} | | |",
        f"| per second of processor time, the whole process | {range_text(workflow['episodes_per_cpu_s'], 0)} | | |",
    ]


def markdown(results):
    machine, commits = results["machine"], results["commits"]
    lines = [
        "# cage2 beside its peers",
        "",
        f"Measured {machine['date']} by `scripts/bench/cage2.py` on {machine['cpu']}, {machine['cores']} cores, "
        f"{machine['system']}; load average {range_text(machine['load'], 1)}. One core and thread per run, {ENVS} environments, "
        f"random actions, episodes of {STEPS} steps, {results['repeats']} interleaved repeats of {results['seconds']:g} s or one "
        "round of episodes. Numbers are the median (smallest - largest).",
    ]
    if commits:
        lines += ["", "Peers: " + ", ".join(f"{PEERS[peer]} at {commit}" for peer, commit in commits.items()) + "."]
    if results["table"]:
        lines += ["", *table_lines(results["table"])]
    if results["workflow"]:
        lines += ["", *workflow_lines(results["workflow"])]
    if results["not_measured"]:
        lines += ["", *(f"{name}: not measured: {reason}" for name, reason in results["not_measured"].items())]
    return "\n".join(lines) + "\n"


def commit_of(folder):
    answer = subprocess.run(
        ["git", "-C", str(folder), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True
    )
    return f"commit {answer.stdout.strip()}" if answer.returncode == 0 else "an unknown commit"


def parse_arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cyborg", type=pathlib.Path, metavar="FOLDER", help="clone of challenge 2 [skip CybORG]")
    parser.add_argument(
        "--minicage", type=pathlib.Path, metavar="FOLDER", help="clone of CybORG_plus_plus [skip MiniCAGE]"
    )
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the peers' packages [this one]")
    parser.add_argument("--repeats", type=int, default=5, help="number of repeats; seeds count up [5]")
    parser.add_argument("--seconds", type=float, default=3, help="seconds per run, at least one round of episodes [3]")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first repeat [1]")
    parser.add_argument("--core", type=int, help="core for single-core runs [the last]")
    parser.add_argument("--train", help="train program [built by Bazel]")
    parser.add_argument(
        "--train-flag", action="append", default=[], metavar="FLAG", help="additional flag for train; repeatable"
    )
    parser.add_argument("--cage2-speed", metavar="PROGRAM", help=f"the built {SPEED_TARGET} [built by Bazel]")
    parser.add_argument(
        "--json", type=pathlib.Path, metavar="FILE", help="file for all numbers, written after every repeat"
    )
    arguments = parser.parse_args(words)
    if arguments.repeats < 1 or arguments.seconds < 0:
        parser.error("--repeats must be at least 1, --seconds at least 0")
    allowed = sorted(os.sched_getaffinity(0))
    if arguments.core is None:
        arguments.core = allowed[-1]
    if arguments.core not in allowed:
        parser.error(f"--core {arguments.core}: this process may run on {', '.join(map(str, allowed))}")
    arguments.commits = {peer: commit_of(getattr(arguments, peer)) for peer in PEERS if getattr(arguments, peer)}
    return arguments


def main():
    arguments = parse_arguments()
    end_on_sigterm()
    arguments.train, arguments.cage2_speed = find_train(arguments.train), find_speed(arguments.cage2_speed)
    bench = Bench(arguments, describe_machine())
    status = 0
    try:
        for number in range(arguments.repeats):
            bench.repeat(number)
            if arguments.json:
                text = json.dumps(without_nan(bench.results()), indent=1, allow_nan=False)
                arguments.json.write_text(text + "\n")
    except KeyboardInterrupt:
        say("stopped; these are the runs so far")
        status = 130
    print("\n" + markdown(bench.results()))
    # A missing peer is not a failure; a missing measurement of Dray is.
    return status or (1 if set(bench.missing) - set(PEERS.values()) else 0)


if __name__ == "__main__":
    sys.exit(main())
