#!/usr/bin/env python3
"""Compares two judges of the delivery task's policies on the same days: Dray's own (ruin and recreate from scratch) and PyVRP.

    bazel run //:evaluate -- --config dvrptw_best --baselines all --episodes 64 --out judged
    .venv/bin/python scripts/bench/judge.py judged/days.jsonl --out judged

evaluate writes each day of each policy as a problem: the agreed requests and the plan of Dray's judge. PyVRP prices the same
problems, best of its seeds (vehicles beyond the free ones at their cost, times in whole ticks); the two share no code.
scripts/bench/routing.py checks every plan of both; one that breaks a rule, or has another cost than its judge says, ends the
comparison.

Fails if the judges disagree by more than chance: if they rank two policies differently, both with intervals that exclude 0; or if a
policy's differences against none are further apart than --tolerance even at the near end of their 95 % interval. Prices are kept in
prices.jsonl in the output folder, so a second run prices only new days.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import importlib.metadata
import itertools
import json
import math
import os
import pathlib
import queue
import statistics
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import routing  # noqa: E402
from measuring import describe_machine, machine_text, say  # noqa: E402
from oracle import Peers, checked  # noqa: E402

JUDGES = ("dray", "pyvrp")
BASE = "none"
Estimate = collections.namedtuple("Estimate", "mean ci95")


def student_t975(degrees):
    """Returns the quantile of Student's t distribution, as in src/base/student_t.h."""
    exact = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060)
    if degrees <= len(exact):
        return exact[degrees - 1]
    z, n = 1.959963985, degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def estimate(values):
    return Estimate(
        statistics.fmean(values), student_t975(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    )


def read_days(path, most):
    """Returns the problems of the first days of each policy, and {policy: [day, ...]} with the results of Dray's judge."""
    with open(path) as lines:
        city = json.loads(next(lines))["city"]
        policies = {}
        for line in lines:
            day = json.loads(line)
            if day["day"] <= most:
                day["problem"] = routing.city_problem(city, day, f"{day['policy']}, day {day['day']}")
                policies.setdefault(day["policy"], []).append(day)
    if BASE not in policies or min(map(len, policies.values())) < 2:
        raise SystemExit(f"error: {path} has no two days of the policy {BASE} to compare with")
    return policies


def check_plan(day):
    """Checks the plan of Dray's judge and its cost."""
    problem = day["problem"]
    checked(problem, day["routes"], "Dray's judge", round(day["cost_min"] * problem["ticks_per_unit"]))


def key_of(problem, seconds, seed):
    """Returns the key of a problem: days on which two policies agreed to the same are one problem."""
    content = {key: value for key, value in problem.items() if key != "name"}
    pairs = sorted((content["stops"][pickup], content["stops"][delivery]) for pickup, delivery in content["requests"])
    content.update(stops=[stop for pair in pairs for stop in pair], requests=len(pairs))
    return hashlib.sha256(json.dumps([content, seconds, seed], sort_keys=True).encode()).hexdigest()


class Prices:
    """PyVRP's price of each problem, in ticks, kept in a file."""

    def __init__(self, path):
        self.path, self.known = path, {}
        if path.exists():
            for line in path.read_text().splitlines():
                priced = json.loads(line)
                self.known[priced["key"]] = priced["cost"]

    def add(self, key, cost):
        self.known[key] = cost
        with open(self.path, "a") as file:
            file.write(json.dumps({"key": key, "cost": cost}) + "\n")

    def best(self, problem, arguments):
        return min(self.known[key_of(problem, arguments.seconds, seed)] for seed in range(1, arguments.seeds + 1))


def price(workers, problem, seconds, seed):
    worker = workers.get()
    try:
        routes = worker.ask(solver="pyvrp", problem=problem, seconds=seconds, seed=seed)["routes"]
    finally:
        workers.put(worker)
    if routes is None:
        raise SystemExit(f"error: PyVRP found no plan for {problem['name']} in {seconds:g} s: give it more --seconds")
    return checked(problem, routes, "PyVRP")["cost"]


def price_all(policies, prices, arguments):
    """Prices all new problems with PyVRP, in several processes."""
    wanted = {}
    for day in itertools.chain(*policies.values()):
        for seed in range(1, arguments.seeds + 1):
            key = key_of(day["problem"], arguments.seconds, seed)
            if key not in prices.known:
                wanted[key] = (day["problem"], arguments.seconds, seed)
    workers = queue.Queue()
    for number in range(arguments.workers):
        workers.put(Peers(sys.executable, arguments.out / f"pyvrp-{number}.log"))
    with concurrent.futures.ThreadPoolExecutor(arguments.workers) as pool:
        asked = {pool.submit(price, workers, *task): key for key, task in wanted.items()}
        for done, answer in enumerate(concurrent.futures.as_completed(asked), 1):
            prices.add(asked[answer], answer.result())
            if done % 100 == 0 or done == len(asked):
                say(f"PyVRP priced {done} of {len(asked)}")
    while not workers.empty():
        workers.get().close()


def objectives(policies, prices, arguments):
    """Returns {policy: {judge: [objective in minutes, by day]}}, with the cheaper of the two as "best"."""
    table = {}
    for policy, days in policies.items():
        ours = [day["objective_min"] for day in days]
        theirs = []
        for day in days:
            problem = day["problem"]
            cost_min = prices.best(problem, arguments) / problem["ticks_per_unit"]
            theirs.append(day["objective_min"] - day["cost_min"] + cost_min)
        table[policy] = {"dray": ours, "pyvrp": theirs, "best": [min(pair) for pair in zip(ours, theirs)]}
    return table


def differences(ours, theirs):
    return [a - b for a, b in zip(ours, theirs)]


def summarise(table):
    """Returns one entry per policy: for each judge the mean and the paired difference against none; and how far these are apart."""
    entries = []
    for policy, by_judge in table.items():
        entry = {"policy": policy}
        for judge, values in by_judge.items():
            entry[judge] = statistics.fmean(values)
            entry[judge + "_against_none"] = estimate(differences(values, table[BASE][judge]))
        gains = (differences(by_judge[judge], table[BASE][judge]) for judge in ("pyvrp", "dray"))
        entry["apart"] = estimate(differences(*gains))
        for judge in JUDGES:
            entry[judge + "_above_best_pct"] = 100 * (entry[judge] / entry["best"] - 1)
        entries.append(entry)
    return entries


def sign(interval):
    """Returns -1 or 1 if the interval is on one side of 0, else 0."""
    return 0 if abs(interval.mean) <= interval.ci95 else int(math.copysign(1, interval.mean))


def disagreements(table, entries, tolerance):
    found = []
    for one, other in itertools.combinations(table, 2):
        by_judge = {judge: estimate(differences(table[one][judge], table[other][judge])) for judge in JUDGES}
        if sign(by_judge["dray"]) * sign(by_judge["pyvrp"]) < 0:
            found.append(
                f"order: {one} less {other} is {text(by_judge['dray'])} by Dray, {text(by_judge['pyvrp'])} by PyVRP"
            )
    for entry in entries:
        apart = entry["apart"]
        if abs(apart.mean) - apart.ci95 > tolerance:
            found.append(f"{entry['policy']} against none: {text(apart)} min apart, more than {tolerance:g}")
    return found


def text(interval):
    return f"{interval.mean:+.1f} ± {interval.ci95:.1f}"


def plain(entry):
    """Returns an entry in JSON form."""
    return {key: value._asdict() if isinstance(value, Estimate) else value for key, value in entry.items()}


def markdown(entries, days, arguments):
    lines = [
        f"{days} days, seconds of the processor per problem and seed: {arguments.seconds:g}, best of {arguments.seeds} seeds; PyVRP "
        f"{importlib.metadata.version('pyvrp')}; minutes, below is better; ± is the 95 % interval of the paired difference.",
        "",
        "| policy | Dray's judge | against none | PyVRP | against none | PyVRP's difference less Dray's | cheaper of both | against none |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for entry in entries:
        against = {
            key: "" if entry["policy"] == BASE else text(entry[key + "_against_none"]) for key in (*JUDGES, "best")
        }
        apart = "" if entry["policy"] == BASE else text(entry["apart"])
        lines.append(
            f"| {entry['policy']} | {entry['dray']:.1f} | {against['dray']} | {entry['pyvrp']:.1f} | {against['pyvrp']} "
            f"| {apart} | {entry['best']:.1f} | {against['best']} |"
        )
    above = {judge: statistics.fmean(entry[judge + "_above_best_pct"] for entry in entries) for judge in JUDGES}
    lines += [
        "",
        f"Above the cheaper of both, mean of all: Dray's judge {above['dray']:.2f} %, PyVRP {above['pyvrp']:.2f} %.",
    ]
    return "\n".join(lines) + "\n"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("days", type=pathlib.Path, help="days.jsonl written by evaluate --out")
    parser.add_argument("--most", type=int, default=64, metavar="N", help="number of days per policy (default 64)")
    parser.add_argument(
        "--seconds", type=float, default=0.5, metavar="S", help="processor seconds per problem and seed (default 0.5)"
    )
    parser.add_argument(
        "--seeds", type=int, default=3, metavar="N", help="seeds per problem, of which the best counts (default 3)"
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=2.0,
        metavar="MIN",
        help="allowed distance between the judges' differences against none, besides chance (default 2)",
    )
    parser.add_argument(
        "--workers", type=int, default=len(os.sched_getaffinity(0)), help="number of processes (default: one per core)"
    )
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        default=pathlib.Path("bench-judge"),
        help="folder for judge.md, judge.json, prices.jsonl and logs (default bench-judge)",
    )
    arguments = parser.parse_args()
    if min(arguments.most, arguments.seconds, arguments.seeds, arguments.workers) <= 0 or arguments.tolerance < 0:
        parser.error("--most, --seconds, --seeds and --workers must be above 0, --tolerance at least 0")
    return arguments


def main():
    arguments = parse_arguments()
    try:
        importlib.metadata.version("pyvrp")
    except importlib.metadata.PackageNotFoundError:
        raise SystemExit(
            f"error: {sys.executable} has no PyVRP: run scripts/setup.sh and start this with .venv/bin/python"
        ) from None
    arguments.out.mkdir(parents=True, exist_ok=True)
    policies = read_days(arguments.days, arguments.most)
    for day in itertools.chain(*policies.values()):
        check_plan(day)
    prices = Prices(arguments.out / "prices.jsonl")
    price_all(policies, prices, arguments)
    table = objectives(policies, prices, arguments)
    entries = summarise(table)
    page = markdown(entries, len(policies[BASE]), arguments)
    (arguments.out / "judge.md").write_text(page)
    results = {"machine": describe_machine(), "policies": list(map(plain, entries)), "objectives": table}
    (arguments.out / "judge.json").write_text(json.dumps(results, indent=1) + "\n")
    print(f"\n{page}\n{machine_text(results['machine'])}. Written to {arguments.out}: judge.md and judge.json.")
    if found := disagreements(table, entries, arguments.tolerance):
        raise SystemExit("error: the judges disagree\n" + "\n".join(found))


if __name__ == "__main__":
    main()
