#!/usr/bin/env python3
"""Plays the challenge's own code (CybORG) with a policy trained by Dray and compares the scores with Dray's own evaluation.

Follows the challenge's protocol: the red agents B_line, Meander and Sleep, 30, 50 and 100 steps, the policy's most likely actions. Prints
both means of each of the nine cells with their 95 % intervals. The exit code is 1 if the means differ by more than 3.5 standard errors in a
cell, or by more than 1.6 in the root mean square of all cells.

  git clone https://github.com/cage-challenge/cage-challenge-2
  scripts/bench/cage2_original.py --run-dir runs/mixture --cyborg cage-challenge-2
  scripts/bench/cage2_original.py --run-dir runs/mixture --cyborg cage-challenge-2 --release head --episodes 1000
  scripts/bench/cage2_original.py --run-dir runs/mixture --cyborg cage-challenge-2 --episodes 30       a first look

Uses the clone's commit of the release that the run was trained for, or of --release: 606813b (leaderboard), used for the challenge's
final leaderboard, or 26ce1c1 (head), the current one. CybORG runs in its own virtual environment, .venv-cyborg, which this script
creates if it is missing. How the policy sees CybORG: docs/cage2_interface.md.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

WORKER = pathlib.Path(__file__).resolve().with_name("cage2_original_worker.py")
sys.dont_write_bytecode = True
sys.path.insert(0, str(WORKER.parent))
from measuring import ONE_THREAD, ROOT, describe_machine, duration, machine_text, make_venv, say  # noqa: E402
from training_runs import end_on_sigterm, error_line, find_program  # noqa: E402

COMMITS = {
    "leaderboard": "606813b",
    "head": "26ce1c1",
}
REQUIREMENTS = [["numpy<2", "gym==0.26.2", "networkx", "prettytable", "paramiko", "pyyaml"]]
SCENARIO = "CybORG/CybORG/Shared/Scenarios/Scenario2.yaml"
REDS = {"bline": "B_line", "meander": "Meander", "sleep": "Sleep"}
STEPS = (30, 50, 100)
MOST_Z, MOST_RMS_Z = 3.5, 1.6
NORMAL_95 = 1.96
FEWEST_EPISODES = 30  # fewer give unreliable standard errors
PROGRESS_S = 15


def failure(what, text, code):
    """Returns a one-line error: the process's own error line, else how it ended."""
    lines = [line for line in text.splitlines() if line.startswith("error: ")]
    return SystemExit(lines[-1] if lines else f"error: {what}: {error_line(text, code)}")


def run_text(command, what, **options):
    """Runs a command and returns its output."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        raise failure(what, result.stderr, result.returncode)
    return result.stdout


def unpack_cyborg(clone, commit, folder):
    """Extracts the files of one commit of a clone, independent of what is checked out."""
    archive = folder / "cyborg.tar"
    made = subprocess.run(
        ["git", "-C", str(clone), "archive", "-o", str(archive), commit, "CybORG"], capture_output=True, text=True
    )
    if made.returncode != 0:
        raise SystemExit(
            f"error: --cyborg {clone}: commit {commit} is not to be had ({made.stderr.strip().splitlines()[-1]}); "
            "clone https://github.com/cage-challenge/cage-challenge-2 with its history"
        )
    run_text(["tar", "-xf", archive, "-C", folder], "unpacking CybORG")
    return folder


def evaluate(arguments, release, scenario):
    """Returns Dray's scores on the network of CybORG's scenario file: mean and standard error by (red, steps)."""
    command = [arguments.evaluate, "--run-dir", arguments.run_dir, "--red", "all", "--release", release, "--json"]
    command += [
        "--episodes",
        arguments.dray_episodes,
        "--set",
        "env.cage2.max_steps=100",
        "--set",
        f"env.cage2.scenario={scenario}",
    ]
    scores = json.loads(run_text(command, "evaluate", cwd=ROOT).splitlines()[-1])["scores"]
    return {
        (red, steps): (scores[red]["returns"][str(steps)]["mean"], scores[red]["returns"][str(steps)]["sem"])
        for red in REDS
        for steps in STEPS
    }


class Play:
    """Plays all cells in CybORG, in parallel processes."""

    def __init__(self, arguments, cyborg):
        self.arguments, self.cyborg = arguments, cyborg
        self.lock = threading.Lock()
        self.processes = set()
        self.steps, self.all_steps = 0, arguments.episodes * len(REDS) * sum(STEPS)
        self.start = self.said = time.monotonic()

    def all_returns(self):
        """Gets the returns of the episodes of each cell. Long cells start first, so that none remains at the end."""
        cells = [(red, steps) for steps in sorted(STEPS, reverse=True) for red in REDS]
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            futures = {cell: pool.submit(self._cell, number, *cell) for number, cell in enumerate(cells)}
            try:
                return {cell: future.result() for cell, future in futures.items()}
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in list(self.processes):
                    process.kill()
                raise

    def _cell(self, number, red, steps):
        arguments = self.arguments
        command = [
            arguments.python,
            WORKER,
            "play",
            arguments.run_dir,
            "--cyborg",
            self.cyborg,
            "--red",
            red,
            "--steps",
            steps,
        ]
        command += ["--episodes", arguments.episodes, "--seed", arguments.seed + number]
        with tempfile.TemporaryFile("w+") as errors:
            process = subprocess.Popen(
                [str(word) for word in command],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, **ONE_THREAD},
            )
            self.processes.add(process)
            # CybORG prints other lines, too.
            returns = [
                self._played(float(line.split()[1]), steps) for line in process.stdout if line.startswith("return ")
            ]
            code = process.wait()
            self.processes.discard(process)
            errors.seek(0)
            text = errors.read()
        if code != 0 or len(returns) != arguments.episodes:
            raise failure(f"CybORG, {REDS[red]}, {steps} steps", text, code)
        return returns

    def _played(self, value, steps):
        with self.lock:
            self.steps += steps
            now = time.monotonic()
            if now - self.said >= PROGRESS_S:
                self.said = now
                passed = now - self.start
                say(
                    f"CybORG {self.steps:,}/{self.all_steps:,} steps · {self.steps / passed:,.0f} steps/s · "
                    f"ETA {duration(passed / self.steps * (self.all_steps - self.steps))}"
                )
        return value


def difference_z(one, other):
    """Returns the difference of two means in standard errors; each argument is (mean, standard error)."""
    difference, error = other[0] - one[0], math.hypot(one[1], other[1])
    if error > 0:
        return difference / error
    return 0.0 if abs(difference) < 1e-9 else math.copysign(math.inf, difference)


def compare(dray, returns):
    """Returns one entry per cell, and True if they agree."""
    cells = []
    for (red, steps), own in dray.items():
        played = returns[red, steps]
        mean, sem = statistics.mean(played), statistics.stdev(played) / math.sqrt(len(played))
        cells.append(
            {
                "red": red,
                "steps": steps,
                "episodes": len(played),
                "dray": own[0],
                "dray_sem": own[1],
                "cyborg": mean,
                "cyborg_sem": sem,
                "z": difference_z(own, (mean, sem)),
            }
        )
    # A deterministic cell agrees or not; it does not contribute to the spread of the others.
    chancy = [cell["z"] for cell in cells if cell["dray_sem"] > 0 or cell["cyborg_sem"] > 0]
    largest = max(abs(cell["z"]) for cell in cells)
    rms = math.sqrt(statistics.mean(z * z for z in chancy)) if chancy else 0.0
    return {"cells": cells, "largest_z": largest, "rms_z": rms, "agree": largest <= MOST_Z and rms <= MOST_RMS_Z}


def mean_text(mean, sem):
    return f"{mean:.2f} ± {NORMAL_95 * sem:.2f}"


def table_text(result):
    lines = ["| red | steps | Dray | CybORG | difference, standard errors |", "| --- | ---: | ---: | ---: | ---: |"]
    for cell in result["cells"]:
        lines.append(
            f"| {REDS[cell['red']]} | {cell['steps']} | {mean_text(cell['dray'], cell['dray_sem'])} "
            f"| {mean_text(cell['cyborg'], cell['cyborg_sem'])} | {cell['z']:+.2f} |"
        )
    total = [sum(cell[side] for cell in result["cells"]) for side in ("dray", "cyborg")]
    lines.append(f"| total | | {total[0]:.2f} | {total[1]:.2f} | |")
    return "\n".join(lines)


def parse_arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--run-dir", type=pathlib.Path, required=True, metavar="DIR", help="run folder whose weights.pt plays"
    )
    parser.add_argument("--cyborg", type=pathlib.Path, required=True, metavar="CLONE", help="clone of cage-challenge-2")
    parser.add_argument("--release", choices=COMMITS, help="rules [those that the run was trained for]")
    parser.add_argument("--commit", help="commit of the clone [that of the release]")
    parser.add_argument(
        "--episodes",
        type=int,
        default=100,
        help="episodes per cell in CybORG [100, as in the challenge's evaluation.py]",
    )
    parser.add_argument(
        "--dray-episodes", type=int, default=1000, metavar="N", help="episodes per red agent in Dray [1000]"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of CybORG's first cell [1]")
    parser.add_argument(
        "--jobs", type=int, default=len(os.sched_getaffinity(0)), help="number of parallel cells [one per core]"
    )
    parser.add_argument("--venv", type=pathlib.Path, default=ROOT / ".venv-cyborg", help="CybORG's virtual environment")
    parser.add_argument("--python", help="interpreter that has CybORG's packages [that of --venv]")
    parser.add_argument("--evaluate", metavar="PROGRAM", help="evaluate program [built by Bazel]")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="file for all numbers")
    arguments = parser.parse_args(words)
    if min(arguments.episodes, arguments.dray_episodes) < FEWEST_EPISODES:
        parser.error(
            f"--episodes and --dray-episodes must be at least {FEWEST_EPISODES}: fewer give unreliable standard errors"
        )
    if arguments.jobs < 1:
        parser.error("--jobs must be at least 1")
    arguments.run_dir = arguments.run_dir.resolve()
    return arguments


def main():
    arguments = parse_arguments()
    end_on_sigterm()
    arguments.evaluate = find_program("--evaluate", arguments.evaluate, "//:evaluate", "ray_actors/evaluate")
    arguments.python = arguments.python or make_venv(arguments.venv.resolve(), REQUIREMENTS)
    settings = json.loads(run_text([arguments.python, WORKER, "settings", arguments.run_dir], "reading the run"))
    release = arguments.release or settings.get("release", "head")
    commit = arguments.commit or COMMITS[release]
    with tempfile.TemporaryDirectory(prefix="dray-cyborg-") as folder:
        cyborg = unpack_cyborg(arguments.cyborg, commit, pathlib.Path(folder))
        say(f"Dray plays {arguments.dray_episodes:,} episodes against each red agent, release {release}")
        dray = evaluate(arguments, release, cyborg / SCENARIO)
        say(
            f"CybORG at {commit} plays {arguments.episodes:,} episodes in each of {len(dray)} cells, {arguments.jobs} at once"
        )
        result = compare(dray, Play(arguments, cyborg).all_returns())
    wrapper = settings.get("wrapper", "stock")
    result.update({"machine": describe_machine(), "release": release, "commit": commit, "wrapper": wrapper})
    print(
        f"\n{arguments.run_dir.name}: interface {settings.get('interface', 'raw')}, release {release} (CybORG {commit}), wrapper {wrapper}; "
        f"{arguments.dray_episodes:,} and {arguments.episodes:,} episodes, ± is the 95 % interval; {machine_text(result['machine'])}\n"
    )
    print(table_text(result))
    print(
        f"\nlargest difference {result['largest_z']:.2f} standard errors (at most {MOST_Z}), root mean square "
        f"{result['rms_z']:.2f} (at most {MOST_RMS_Z}): {'they agree' if result['agree'] else 'THEY DIFFER'}"
    )
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    return 0 if result["agree"] else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted")
