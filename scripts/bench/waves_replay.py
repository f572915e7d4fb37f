#!/usr/bin/env python3
"""Replays the published plans of EURO Meets NeurIPS 2022 with Dray's rules and compares every cost with the published one.

Prints a row per team: days whose plan is accepted, days without a plan, their mean cost, and days whose cost differs. The exit code is 1 if a
plan is rejected or a cost differs.

  git clone https://github.com/ortec/euro-neurips-vrp-2022-quickstart
  scripts/bench/waves_replay.py --quickstart euro-neurips-vrp-2022-quickstart

The competition's data are licensed CC BY-NC 4.0 and are not part of Dray.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from training_runs import error_line, find_program  # noqa: E402


def read_plan(path):
    """Returns cost and routes of a plan as the competition's controller prints them; None if the file is empty."""
    lines = path.read_text().splitlines()
    if not lines:
        return None
    return int(lines[1].split()[-1]), json.loads(lines[-1])


def days_of(team, quickstart, configs):
    """Returns the days that a team played, and how many have no plan."""
    days, missing = [], 0
    for path in sorted(team.glob("run_dynamic_*.out")):
        config = configs[int(path.stem.split("_")[-1])]
        plan = read_plan(path)
        if plan is None:
            missing += 1
            continue
        days.append(
            {
                "instance": str(quickstart / "instances" / "final" / config["instance"]),
                "seed": config["instance_seed"],
                "cost": plan[0],
                "epochs": plan[1],
            }
        )
    return days, missing


def replay(program, days, folder):
    """Returns one result per day, as waves_replay prints them."""
    path = pathlib.Path(folder) / "days.jsonl"
    path.write_text("".join(json.dumps(day) + "\n" for day in days))
    done = subprocess.run([str(program), "--days", str(path), "--json"], capture_output=True, text=True)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    if len(results) != len(days):
        raise SystemExit(f"error: waves_replay: {error_line(done.stderr, done.returncode)}")
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quickstart", type=pathlib.Path, required=True, help="clone of the competition's repository")
    parser.add_argument("--waves-replay", help="path of the command; default: built by Bazel")
    arguments = parser.parse_args()
    quickstart = arguments.quickstart.resolve()
    listed = quickstart / "instances" / "final" / "configs.json"
    if not listed.exists():
        raise SystemExit(f"error: --quickstart {arguments.quickstart}: has no instances/final/configs.json")
    program = find_program("--waves-replay", arguments.waves_replay, "//:waves_replay", "ray_actors/waves_replay")
    configs = json.loads(listed.read_text())

    rows, wrong = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for team in sorted(path for path in (quickstart / "results").iterdir() if path.is_dir()):
            days, missing = days_of(team, quickstart, configs)
            if not days:
                continue
            results = replay(program, days, folder)
            costs = [result["cost"] for result in results if result["accepted"]]
            differ = sum(result["accepted"] and result["cost"] != result["recorded_cost"] for result in results)
            wrong += len(days) - len(costs) + differ
            mean = statistics.mean(costs) if costs else float("nan")
            rows.append((mean, f"| {team.name} | {len(costs)} of {len(days)} | {missing} | {mean:,.1f} | {differ} |"))
    print("| team | days accepted | days without a plan | mean cost | costs that differ |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for _, row in sorted(rows):
        print(row)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
