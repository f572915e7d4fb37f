#!/usr/bin/env python3
"""Compares `dray sweep --search bayes` with random draws on Pendulum, over learning rate, clip range and discount.

    scripts/bench/sweep_search.py --parallel 16 --out runs/sweep_search

Each repeat is a search of 24 trials with its own seed. It matches the best of 64 random trials if one of its trials has at least
their best final evaluation (mean over seeds). A training takes one or two seconds of processor time. The same command resumes.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

from measuring import ONE_THREAD, ROOT, say, use_project_python
from training_runs import begin

SWEEP = ["-m", "dray.sweep", "--config", "pendulum"]
SWEEP += ["--range", "ppo.learning_rate=1e-5..1e-1", "--range", "ppo.clip=0.02..1"]
SWEEP += ["--grid", "ppo.gamma=0.8,0.9,0.95,0.98,0.99,0.999"]
TRAIN = ["--runner", "local", "--total-steps", "30000"]
TRAIN += ["--set", "evaluation.episodes=100", "--set", "scale.num_workers=1"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=10, help="number of searches [10]")
    parser.add_argument("--references", type=int, help="number of random sets, used in turn [--repeats]")
    parser.add_argument("--trials", type=int, default=24, help="trials of a search [24]")
    parser.add_argument("--random", type=int, default=64, help="trials of a random set [64]")
    parser.add_argument("--seeds", type=int, default=3, help="trainings of each trial, whose mean counts [3]")
    parser.add_argument("--parallel", type=int, default=2, help="searches, and random trainings, at a time [2]")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "runs/sweep_search", help="[runs/sweep_search]")
    parser.add_argument("--train", help="the train program [built by Bazel]")
    return parser.parse_args()


def run_sweep(train, folder, *words):
    """Runs a sweep, whose text goes to a file beside its folder."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, *SWEEP, "--dir", folder, *words, "--", *TRAIN]
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(ROOT / "src/python"), "DRAY_TRAIN": str(train)}
    with open(f"{folder}.log", "w") as log:
        code = subprocess.run(list(map(str, command)), cwd=ROOT, env=environment, stdout=log, stderr=log).returncode
    if code not in (0, 1):  # 1: a training failed, which is a result
        raise SystemExit(f"error: a sweep ended with status {code}; see {folder}.log")


def read_trials(folder, seeds):
    """Returns the points of a sweep in the order in which they were chosen, and their mean evaluations (-inf: failed)."""
    sys.path.insert(0, str(ROOT / "src/python"))
    from dray.sweep_schedule import Trial

    points = json.loads((folder / "sweep.json").read_text())["points"]
    scores = [Trial(point, seeds, folder).score(None) for point in points]
    return points, [float("-inf") if score is None else score for score in scores]


def search_all(train, arguments):
    """Runs the searches, several at a time; the trials of each run one after the other. Returns their scores."""
    folders = [arguments.out / f"search-{repeat}" for repeat in range(1, arguments.repeats + 1)]

    def search(repeat):
        words = ["--search", "bayes", "--trials", arguments.trials, "--draw-seed", repeat, "--seeds", arguments.seeds]
        run_sweep(train, folders[repeat - 1], *words)
        say(f"search {repeat}: best {max(read_trials(folders[repeat - 1], arguments.seeds)[1]):.1f}")

    with concurrent.futures.ThreadPoolExecutor(arguments.parallel) as pool:
        list(pool.map(search, range(1, arguments.repeats + 1)))
    return [read_trials(folder, arguments.seeds)[1][: arguments.trials] for folder in folders]


def draw_all(train, arguments):
    """Trains all random points. Returns the best score of each set."""
    sets = arguments.references or arguments.repeats
    count = sets * arguments.random
    say(f"{count} random trials")
    words = ["--random", count, "--seeds", arguments.seeds, "--parallel", arguments.parallel]
    run_sweep(train, arguments.out / "random", *words)
    scores = read_trials(arguments.out / "random", arguments.seeds)[1][:count]
    return [max(scores[start : start + arguments.random]) for start in range(0, count, arguments.random)]


def result_of(scores, target):
    """Returns a repeat's row: its best score, the random trials' best, and the trial that matched it (None: no trial)."""
    matched = next((place for place, score in enumerate(scores, 1) if score >= target), None)
    return {"search": max(scores), "random": target, "matched_at": matched}


def main():
    arguments = parse_arguments()
    use_project_python()
    train, machine = begin(arguments.train)
    searches = search_all(train, arguments)
    targets = draw_all(train, arguments)
    rows = [result_of(scores, targets[i % len(targets)]) for i, scores in enumerate(searches)]
    (arguments.out / "results.json").write_text(json.dumps({"machine": machine, "repeats": rows}, indent=1) + "\n")
    print(f"\n| repeat | best of {arguments.random} random | best of {arguments.trials} by search | matched at trial |")
    print("| ---: | ---: | ---: | ---: |")
    for place, row in enumerate(rows, 1):
        print(f"| {place} | {row['random']:.1f} | {row['search']:.1f} | {row['matched_at'] or '-'} |")
    matched = sum(row["matched_at"] is not None for row in rows)
    print(f"\nmatched in {matched} of {len(rows)} repeats")


if __name__ == "__main__":
    main()
