#!/usr/bin/env python3
"""Plays the 100 final days of the dynamic problem of EURO Meets NeurIPS 2022, and compares with the teams of the competition, day by day.

  git clone https://github.com/ortec/euro-neurips-vrp-2022-quickstart
  scripts/bench/waves.py --quickstart euro-neurips-vrp-2022-quickstart --seconds 10 --out played.jsonl

--seconds is the time of one core for each decision, of which there are 631; days are played on all cores at the same time. A run that was
interrupted continues with the days that --out lacks. Every day is checked by waves_replay. --set public plays the 250 public instances
instead, with seeds of their own, for tuning; there is nothing to compare with.

The costs of iterative conditional dispatch by its authors are compared if --authors names data/euro-neurips.csv of
https://github.com/leonlan/dynamic-dispatch-waves. The competition's data are licensed CC BY-NC 4.0 and are not part of Dray.
"""

import argparse
import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from training_runs import find_program  # noqa: E402
from waves_replay import read_plan, replay  # noqa: E402

TEAMS = {
    "Kleopatra": "Kleopatra, the winner",
    "Team_sb": "Team_SB",
    "OptiML": "OptiML",
    "baseline_greedy": "greedy, by HGS",
}
AUTHORS = {
    "icd-double-threshold": "conditional dispatch by its authors, 120 s",
    "icd-double-threshold600": "conditional dispatch by its authors, 600 s",
    "hindsight": "hindsight",
}


def final_days(quickstart):
    """Returns the final days in the order of the competition's list, and the number of each in its results."""
    configs = json.loads((quickstart / "instances" / "final" / "configs.json").read_text())
    numbered = [(number, config) for number, config in enumerate(configs) if not config["static"]]
    days = [
        {
            "instance": str(quickstart / "instances" / "final" / config["instance"]),
            "seed": config["instance_seed"],
            "epochs": {},
        }
        for _, config in numbered
    ]
    return days, [number for number, _ in numbered]


def public_days(quickstart, seed, step):
    """Returns every `step`-th public instance, each with its own seed."""
    paths = sorted((quickstart / "instances").glob("*.txt"))
    return [
        {"instance": str(path), "seed": seed + number, "epochs": {}}
        for number, path in enumerate(paths)
        if number % step == 0
    ]


def play(program, days, arguments):
    """Plays the days that the output file lacks, and returns all of them by instance and seed."""
    listed = arguments.out.with_suffix(".days.jsonl")
    listed.write_text("".join(json.dumps(day) + "\n" for day in days))
    effort = ["--rounds", str(arguments.rounds)] if arguments.rounds else ["--seconds", str(arguments.seconds)]
    command = [
        program,
        "--days",
        listed,
        "--policy",
        arguments.policy,
        "--threads",
        str(arguments.threads),
        "--out",
        arguments.out,
        *effort,
    ]
    subprocess.run([str(word) for word in command], check=True)
    played = [json.loads(line) for line in arguments.out.read_text().splitlines()]
    return {(pathlib.Path(day["instance"]).name, day["seed"]): day for day in played}


def rivals(quickstart, numbers, days, authors):
    """Returns costs by name, one per day."""
    costs = {}
    for team, name in TEAMS.items():
        folder = quickstart / "results" / team
        costs[name] = [read_plan(folder / f"run_dynamic_{number}.out")[0] for number in numbers]
    if authors:
        with open(authors, newline="") as lines:
            by_instance = {row["instance"]: row for row in csv.DictReader(lines)}
        for column, name in AUTHORS.items():
            costs[name] = [float(by_instance[pathlib.Path(day["instance"]).stem][column]) for day in days]
    return costs


def comparison_row(name, theirs, ours):
    difference = [our - their for our, their in zip(ours, theirs, strict=True)]
    mean = statistics.mean(difference)
    half = 1.96 * statistics.stdev(difference) / math.sqrt(len(difference))
    cheaper = sum(value < 0 for value in difference)
    return f"| {name} | {statistics.mean(theirs):,.1f} | {mean:+,.0f} ± {half:,.0f} | {cheaper} of {len(difference)} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quickstart", type=pathlib.Path, required=True, help="clone of the competition's repository")
    parser.add_argument(
        "--authors", type=pathlib.Path, help="euro-neurips.csv of the authors of iterative conditional dispatch"
    )
    parser.add_argument("--out", type=pathlib.Path, required=True, help="file for the days that were played")
    parser.add_argument("--policy", default="conditional", help="a policy of waves_play [conditional]")
    parser.add_argument("--seconds", type=float, default=10, help="time of one core for each decision [10]")
    parser.add_argument("--rounds", type=int, default=0, help="rounds of search for each decision, instead of a time")
    parser.add_argument("--threads", type=int, default=0, help="days played at the same time [one per core]")
    parser.add_argument("--set", choices=("final", "public"), default="final", help="which days [final]")
    parser.add_argument("--step", type=int, default=1, help="with --set public: play every STEP-th instance [1]")
    parser.add_argument("--seed", type=int, default=10_000, help="with --set public: seed of the first day [10000]")
    parser.add_argument("--waves-play", help="path of the command; default: built by Bazel")
    parser.add_argument("--waves-replay", help="path of the command; default: built by Bazel")
    arguments = parser.parse_args()
    quickstart = arguments.quickstart.resolve()
    if not (quickstart / "instances" / "final" / "configs.json").exists():
        raise SystemExit(f"error: --quickstart {arguments.quickstart}: has no instances/final/configs.json")
    arguments.out = arguments.out.absolute()

    program = find_program("--waves-play", arguments.waves_play, "//:waves_play", "ray_actors/waves_play")
    checker = find_program("--waves-replay", arguments.waves_replay, "//:waves_replay", "ray_actors/waves_replay")
    if arguments.set == "final":
        days, numbers = final_days(quickstart)
    else:
        days, numbers = public_days(quickstart, arguments.seed, arguments.step), []
    played = play(program, days, arguments)
    played = [played[pathlib.Path(day["instance"]).name, day["seed"]] for day in days]
    checked = replay(checker, played, arguments.out.parent)
    wrong = sum(not day["accepted"] or day["cost"] != day["recorded_cost"] for day in checked)
    if wrong:
        raise SystemExit(f"error: waves_replay rejects {wrong} of {len(checked)} days")
    ours = [day["cost"] for day in played]
    effort = f"{arguments.rounds:,} rounds" if arguments.rounds else f"{arguments.seconds:g} s"
    print(
        f"{arguments.policy}, {effort} per decision: mean cost {statistics.mean(ours):,.1f} of {len(ours)} days, all checked"
    )
    if numbers:
        print("\n| | mean cost | Dray minus it, paired by day, 95 % | days on which Dray is cheaper |")
        print("| --- | ---: | ---: | ---: |")
        for name, theirs in rivals(quickstart, numbers, days, arguments.authors).items():
            print(comparison_row(name, theirs, ours))


if __name__ == "__main__":
    sys.exit(main())
