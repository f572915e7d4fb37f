#!/usr/bin/env python3
"""Benchmarks Dray against Stable-Baselines3 and RLlib on CartPole-v1: same machine, same settings, one thread each.

The runs of all libraries are interleaved (repeat 1 of each, repeat 2 of each, ...), so that a slow moment of the machine
hits all of them. Every run is a process of its own; its speed is steps / seconds of training, without imports and process
start. The peers live in a virtual environment of their own, .venv-peers, which this script makes when it is missing.

  scripts/bench/peers.py                                the whole comparison (about half an hour and more)
  scripts/bench/peers.py --repeats 1 --steps 20000      a first look
  scripts/bench/peers.py --peers-only --rows zoo        without Dray, one row of settings
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

WORKER = pathlib.Path(__file__).resolve().with_name("peers_worker.py")
sys.dont_write_bytecode = True
sys.path.insert(0, str(WORKER.parent))
from measuring import (  # noqa: E402
    ONE_THREAD, ROOT, describe_machine, duration, make_venv, range_text, say, spread, without_nan)
from peers_worker import SETTINGS  # noqa: E402  (it imports no peer before a run)

# In this order: whatever comes after torch must take the torch that is there.
REQUIREMENTS = [["torch==2.13.0"], ["stable-baselines3==2.9.2", "gymnasium", "ray[rllib]==2.59.0"]]
PACKAGES = ("torch", "stable-baselines3", "gymnasium", "ray", "numpy")
ROW_TITLES = {
    "cleanrl": "CleanRL's settings (4 envs x 128, 4 epochs)",
    "zoo": "SB3 zoo's settings (8 envs x 32, 20 epochs)",
}
LIBRARY_TITLES = {"dray": "Dray", "sb3": "Stable-Baselines3", "rllib": "RLlib"}
DIFFERENCES = [
    "Stable-Baselines3 clips the value's change without PPO2's maximum over the clipped and the plain error.",
    "RLlib has no clipping of the value's change, no annealed clip range, PyTorch's initialisation, Adam's epsilon 1e-8, and "
    "normalises advantages over the batch rather than the minibatch.",
    "RLlib runs in one process here (no remote env runners, no remote learner), as the others do.",
]


def run_process(command, log, **options):
    """Runs a command with its output in a file; a failure ends the benchmark with the last lines of it."""
    environment = {**os.environ, **ONE_THREAD}
    with open(log, "w") as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, env=environment, **options).returncode
    if status != 0:
        tail = "\n".join(pathlib.Path(log).read_text(errors="replace").splitlines()[-15:])
        raise SystemExit(f"{tail}\nerror: exit code {status} from: {shlex.join(map(str, command))} (whole output: {log})")


def run_peer(library, row, steps, seed, arguments, log):
    command = [arguments.python, WORKER, library, row, f"--steps={steps}", f"--seed={seed}"]
    command.append(f"--evaluation-episodes={arguments.evaluation_episodes}")
    run_process(list(map(str, command)), log)
    return json.loads(log.read_text().splitlines()[-1])


def last_number(reports, name):
    values = [report[name] for report in reports if report.get(name) is not None]
    return values[-1] if values else float("nan")


def read_dray_run(folder):
    """The result of a run, from its metrics.jsonl (names: configs/METRICS.md)."""
    lines = (pathlib.Path(folder) / "metrics.jsonl").read_text().splitlines()
    reports = [json.loads(line) for line in lines]
    return {
        "steps": last_number(reports, "total_steps"),
        "seconds": last_number(reports, "time/elapsed_s"),
        "training_return": last_number(reports, "episode/return_mean"),
        "evaluation": last_number(reports, "eval/return_mean"),
    }


def run_dray(row, steps, seed, arguments, log):
    with tempfile.TemporaryDirectory(prefix="dray-bench-") as folder:
        run_dir = pathlib.Path(folder) / "run"
        command = shlex.split(arguments.dray_command)
        command += ["--config", arguments.dray_configs[row], "--runner", "local", "--seed", str(seed), "--run-dir", str(run_dir)]
        if arguments.steps:
            command += [arguments.dray_steps_flag, str(steps)]
        command += arguments.dray_flag
        run_process(command, log, cwd=ROOT)
        return read_dray_run(run_dir)


def summarise(runs):
    """One entry per row of settings and library; ratio is Dray's median speed over this library's."""
    table = []
    for row in ROW_TITLES:
        entries = []
        for library in LIBRARY_TITLES:
            mine = [run for run in runs if (run["row"], run["library"]) == (row, library)]
            if not mine:
                continue
            entries.append({
                "row": row,
                "library": library,
                "repeats": len(mine),
                "steps": mine[0]["steps"],
                "steps_per_s": spread([run["steps"] / run["seconds"] for run in mine]),
                "training_return": spread([run["training_return"] for run in mine]),
                "evaluation": spread([run["evaluation"] for run in mine]),
            })
        dray = next((entry for entry in entries if entry["library"] == "dray"), None)
        for entry in entries:
            known = dray is not None and entry is not dray
            entry["dray_over_this"] = dray["steps_per_s"]["median"] / entry["steps_per_s"]["median"] if known else None
        table += entries
    return table


def markdown(table, machine, arguments):
    last_seed = arguments.seed + arguments.repeats - 1
    seeds = f"seed {last_seed}" if arguments.repeats == 1 else f"seeds {arguments.seed} to {last_seed}"
    lines = [
        "# Dray and its peers on CartPole-v1",
        "",
        f"Measured {machine['date']} by `scripts/bench/peers.py` on {machine['cpu']}, {machine['cores']} cores, "
        f"{machine['system']}; one thread per run, runs interleaved, {seeds}. "
        "Numbers are the median (smallest - largest).",
    ]
    for row, title in ROW_TITLES.items():
        entries = [entry for entry in table if entry["row"] == row]
        if not entries:
            continue
        lines += [
            "",
            f"## {title}, {entries[0]['steps']:,} steps",
            "",
            "| library | steps/s | mean return, last 100 training episodes "
            f"| evaluation ({arguments.evaluation_episodes} episodes, deterministic) | Dray / this, speed |",
            "| --- | --- | --- | --- | --- |",
        ]
        for entry in entries:
            ratio = f"{entry['dray_over_this']:.2f} x" if entry["dray_over_this"] else ""
            lines.append(
                f"| {LIBRARY_TITLES[entry['library']]} | {range_text(entry['steps_per_s'], 0)} "
                f"| {range_text(entry['training_return'], 1)} | {range_text(entry['evaluation'], 1)} | {ratio} |"
            )
    lines += ["", "What differs:", ""] + [f"- {difference}" for difference in DIFFERENCES]
    return "\n".join(lines) + "\n"


def write_results(runs, machine, arguments):
    table = summarise(runs)
    text = markdown(table, machine, arguments)
    (arguments.out / "peers.md").write_text(text)
    results = {"machine": machine, "differences": DIFFERENCES, "table": table, "runs": runs}
    (arguments.out / "peers.json").write_text(json.dumps(without_nan(results), indent=1, allow_nan=False) + "\n")
    return text


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="runs per library and row, seeds count up (default 3)")
    parser.add_argument("--steps", type=int, help="shorten every run to so many steps (default: 500,000 and 100,000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first repeat (default 1)")
    parser.add_argument("--rows", nargs="+", choices=SETTINGS, default=list(SETTINGS), help="settings (default: both)")
    parser.add_argument("--peers", nargs="+", choices=["sb3", "rllib"], default=["sb3", "rllib"], help="default: both")
    parser.add_argument("--peers-only", action="store_true", help="leave Dray out")
    parser.add_argument("--evaluation-episodes", type=int, default=20, help="default 20")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("bench-peers"),
                        help="folder for peers.md, peers.json and the logs (default bench-peers)")
    parser.add_argument("--venv", type=pathlib.Path, default=ROOT / ".venv-peers", help="the peers' virtual environment")
    parser.add_argument("--dray-command", default="bazel run //:train --", help="how to train with Dray (default: %(default)s)")
    parser.add_argument("--dray-config", action="append", default=[], metavar="ROW=FILE",
                        help="Dray's configuration for a row (default: cleanrl=configs/cartpole.yaml zoo=configs/cartpole_zoo.yaml)")
    parser.add_argument("--dray-steps-flag", default="--total-steps", help="Dray's flag for --steps (default %(default)s)")
    parser.add_argument("--dray-flag", action="append", default=[], metavar="FLAG", help="a further flag for Dray; repeatable")
    arguments = parser.parse_args()
    if arguments.repeats < 1 or (arguments.steps is not None and arguments.steps < 1):
        parser.error("--repeats and --steps must be at least 1")
    arguments.dray_configs = {"cleanrl": "configs/cartpole.yaml", "zoo": "configs/cartpole_zoo.yaml"}
    for given in arguments.dray_config:
        row, _, file = given.partition("=")
        if row not in SETTINGS or not file:
            parser.error(f"--dray-config {given}: expected ROW=FILE with ROW one of {', '.join(SETTINGS)}")
        arguments.dray_configs[row] = file
    return arguments


def plan(arguments):
    """All runs in their order: every library and row once per repeat."""
    runs = []
    for repeat in range(arguments.repeats):
        for row in arguments.rows:
            libraries = list(arguments.peers)
            if not arguments.peers_only:
                if (ROOT / arguments.dray_configs[row]).exists():
                    libraries.insert(0, "dray")
                elif repeat == 0:
                    say(f"note: {arguments.dray_configs[row]} is not there: no Dray in row {row} (see --dray-config)")
            runs += [(row, library, arguments.seed + repeat) for library in libraries]
    return runs


def main():
    arguments = parse_arguments()
    arguments.out = arguments.out.resolve()
    arguments.out.mkdir(parents=True, exist_ok=True)
    arguments.python = make_venv(arguments.venv.resolve(), REQUIREMENTS)
    machine = describe_machine(arguments.python, PACKAGES)
    planned = plan(arguments)
    steps_of = {row: arguments.steps or SETTINGS[row]["steps"] for row in SETTINGS}
    runs, start, steps_done = [], time.monotonic(), 0
    steps_planned = sum(steps_of[row] for row, _, _ in planned)
    text = ""
    for number, (row, library, seed) in enumerate(planned, 1):
        log = arguments.out / f"{library}-{row}-{seed}.log"
        run = run_dray if library == "dray" else lambda *rest: run_peer(library, *rest)
        result = run(row, steps_of[row], seed, arguments, log)
        runs.append({"row": row, "library": library, "seed": seed, **result})
        text = write_results(runs, machine, arguments)
        steps_done += steps_of[row]
        left = (time.monotonic() - start) * (steps_planned - steps_done) / steps_done
        say(f"run {number}/{len(planned)} · {LIBRARY_TITLES[library]}, {row}, seed {seed} · "
            f"{result['steps'] / result['seconds']:,.0f} steps/s · return {result['training_return']:.1f} (last 100) · "
            f"evaluation {result['evaluation']:.1f} · ETA {duration(left)}")
    print("\n" + text + f"\nWritten to {arguments.out}: peers.md, peers.json and a log per run.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("stopped; the runs so far are in the output folder")
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"error: exit code {error.returncode} from: {shlex.join(map(str, error.cmd))}")
