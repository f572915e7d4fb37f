#!/usr/bin/env python3
"""Measures the gaps of `solve` to the best known plans of Solomon's and Li and Lim's files of 100, worst first.

There are three lists, each with the objective it was published for:
  travel     Solomon, travel alone, distances cut off after one decimal (tests/data/solomon/best_known.csv, *_trunc01)
  li_lim     Li and Lim, fewest vehicles first, then travel, exact distances (`solve --fewest-vehicles`)
  vehicles   Solomon, fewest vehicles first, then travel, exact distances
A plan with more vehicles than the best known has no gap, because the objectives cannot be compared. Each file is solved with each
of --first-seeds, best of --searches searches; the row shows the worst of these. The default number of rounds is that of `solve`,
100 per request.

  scripts/bench/gaps.py                        all three; half an hour on one busy core
  scripts/bench/gaps.py --lists li_lim --rounds 1000
  scripts/bench/gaps.py --lists li_lim --round-distances trunc01
"""

import argparse
import csv
import json
import os
import pathlib
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from measuring import ONE_THREAD, ROOT, describe_machine, machine_text, say  # noqa: E402

DATA = ROOT / "tests" / "data"
ROUNDING = {"travel": "trunc01", "li_lim": "exact", "vehicles": "exact"}


def solomon(cost, vehicles):
    """Returns file, best cost and its vehicles of each Solomon file, from these columns of the table; None: any number of vehicles."""
    with open(DATA / "solomon" / "best_known.csv") as table:
        for row in csv.DictReader(table):
            if row["customers"] == "100":
                best = next(row[column] for column in cost if row[column])
                yield DATA / "solomon" / "100" / f"{row['instance']}.txt", float(best), vehicles and int(row[vehicles])


def li_lim():
    with open(DATA / "li_lim_100" / "best_known.csv") as table:
        for row in csv.DictReader(table):
            path = DATA / "li_lim_100" / f"{row['instance']}.txt"
            yield path, float(row["bks_vehicles_first_cost"]), int(row["bks_vehicles_first_vehicles"])


def files_of(name):
    if name == "li_lim":
        return list(li_lim())
    if name == "vehicles":
        return list(solomon(["bks_vehicles_first_cost"], "bks_vehicles_first_vehicles"))
    return list(solomon(["lkh3_cost_trunc01", "pyvrp_best_trunc01"], None))


def solve(arguments, path, flags):
    command = [str(ROOT / arguments.solve), "--instance", str(path), "--json", *map(str, flags)]
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **ONE_THREAD})
    if result.returncode != 0:
        raise SystemExit(f"{result.stderr}error: exit code {result.returncode} from: {shlex.join(command)}")
    answer = json.loads(result.stdout)
    if not answer["feasible"] or answer["unserved"]:
        raise SystemExit(f"error: a plan that breaks a rule or leaves out a request, from: {shlex.join(command)}")
    return answer


def measure(arguments, name, path, best, vehicles):
    """Solves one file and returns for each run: percent above the best (None: more vehicles), vehicles, seconds."""
    flags = ["--seeds", arguments.searches]
    flags += ["--rounds", arguments.rounds] if arguments.rounds is not None else []
    flags += ["--round-distances", arguments.round_distances or ROUNDING[name]]
    flags += ["--fewest-vehicles"] if vehicles else []
    runs = []
    for seed in arguments.first_seeds:
        answer = solve(arguments, path, [*flags, "--seed", seed])
        more = vehicles is not None and answer["vehicles"] > vehicles
        gap = None if more else 100 * (answer["cost"] / best - 1)
        runs.append({"gap": gap, "vehicles": answer["vehicles"], "seconds": answer["seconds"]})
    return {"file": path.stem, "best": best, "best_vehicles": vehicles, "runs": runs}


def worst(row):
    """Returns the largest gap; more vehicles than the best known count as the worst."""
    return max(float("inf") if run["gap"] is None else run["gap"] for run in row["runs"])


def table_text(rows):
    lines = ["| file | best known | vehicles | worst gap | gap of each seed |", "| --- | ---: | ---: | ---: | --- |"]
    for row in sorted(rows, key=worst, reverse=True):
        gaps = [f"{run['vehicles']} vehicles" if run["gap"] is None else f"{run['gap']:.2f} %" for run in row["runs"]]
        largest = "more vehicles" if worst(row) == float("inf") else f"{worst(row):.2f} %"
        lines.append(
            f"| {row['file']} | {row['best']} | {row['best_vehicles'] or 'any'} | {largest} | {', '.join(gaps)} |"
        )
    return "\n".join(lines)


def summary_text(rows, limit):
    runs = [run for row in rows for run in row["runs"]]
    gaps = [run["gap"] for run in runs if run["gap"] is not None]
    seconds = sum(run["seconds"] for run in runs) / len(runs)
    mean = f"{sum(gaps) / len(gaps):.2f} %" if gaps else "n/a"
    return (
        f"{len(rows)} files: mean gap {mean}, files with a seed above {limit:g} %: "
        f"{sum(limit < worst(row) < float('inf') for row in rows)}, with more vehicles: "
        f"{sum(worst(row) == float('inf') for row in rows)}; {seconds:.2f} s a solve"
    )


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)

    def names(text):
        return text.split(",")

    parser.add_argument("--lists", type=names, default=list(ROUNDING), help="lists to solve: travel, li_lim, vehicles")
    parser.add_argument("--rounds", type=int, help="number of rounds (default: that of solve)")
    parser.add_argument("--searches", type=int, default=3, help="searches per solve, which keeps the best (default 3)")
    parser.add_argument("--first-seeds", type=lambda text: [int(seed) for seed in names(text)], default=[0, 1, 2])
    parser.add_argument("--round-distances", help="rounding of distances (default: that of the list)")
    parser.add_argument("--limit", type=float, default=3, help="gap in percent that counts as large (default 3)")
    parser.add_argument(
        "--solve", default="bazel-bin/ray_actors/solve", help="solve program; build it with: bazel build //:solve"
    )
    arguments = parser.parse_args()
    for name in arguments.lists:
        if name not in ROUNDING:
            parser.error(f"--lists {name}: expected some of {', '.join(ROUNDING)}")
    if not (ROOT / arguments.solve).exists():
        parser.error(f"{arguments.solve} does not exist; build it with: bazel build //:solve")
    return arguments


def main():
    arguments = parse_arguments()
    print(machine_text(describe_machine()))
    for name in arguments.lists:
        rounds = "rounds by size" if arguments.rounds is None else f"{arguments.rounds:,} rounds"
        say(f"{name}, {rounds}, best of {arguments.searches}")
        rows = [measure(arguments, name, *one) for one in files_of(name)]
        print(f"\n{table_text(rows)}\n\n{summary_text(rows, arguments.limit)}\n", flush=True)


if __name__ == "__main__":
    main()
