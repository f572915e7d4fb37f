#!/usr/bin/env python3
"""Measures learning in cyber defence over many seeds: the tables of docs/experiments.md.

  scripts/bench/cage2_learning.py seeds       cage2_mixture with 10 seeds under both sets of rules: the challenge's nine
                                              scores and their total (20 trainings of 20 million steps)
  scripts/bench/cage2_learning.py orders      does the order of a workflow matter? 20 random orders with 5 seeds in each of
                                              six settings; then the best two, the middle one and the worst two again, with
                                              5 other seeds, as the best of many is partly luck (765 short trainings)

Orders are compared by the game's own return, without the alignment reward, of the final policy with its most probable actions. F
compares the variance between orders with that between seeds; p is the share of shuffles of the scores among orders, seed by seed,
that give at least this F. Trainings whose results are in FOLDER are not repeated.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from measuring import ONE_THREAD, ROOT, describe_machine, duration, machine_text, say  # noqa: E402
from training_runs import end_on_sigterm, find_program, find_train, run_to_its_end  # noqa: E402

RELEASES = ("leaderboard", "head")
KINDS = ("defender", "enterprise", "op_server", "op_host", "user")
WORKFLOW = "env.cage2.workflow."
FREE = (f"{WORKFLOW}useless_price=0",)
SETTINGS = {
    "a": (f"{WORKFLOW}definition=a", *FREE),
    "b": (f"{WORKFLOW}definition=b", *FREE),
    "c": (f"{WORKFLOW}definition=c", *FREE),
    "c, useless repairs cost 1": (f"{WORKFLOW}definition=c", f"{WORKFLOW}useless_price=1"),
    "c, a repair every 6 steps": (f"{WORKFLOW}definition=c", *FREE, f"{WORKFLOW}rest_steps=5"),
    "c, Meander attacks": (f"{WORKFLOW}definition=c", *FREE, "env.cage2.red=meander"),
}
NO_WORKFLOW = "no workflow"
COMPLIANT = 0.95
SHUFFLES = 2000


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiment", choices=("seeds", "orders"))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "runs" / "cage2_learning")
    parser.add_argument("--seeds", type=int, help="number of seeds, counted from 1 [10; orders: 5]")
    parser.add_argument("--orders", type=int, default=20, help="number of random orders out of 120 [20]")
    parser.add_argument(
        "--settings", nargs="+", choices=SETTINGS, default=list(SETTINGS), help="settings for orders [all]"
    )
    parser.add_argument("--episodes", type=int, help="episodes to score a policy [1000; orders: 500]")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="setting for each training")
    parser.add_argument(
        "--parallel", type=int, default=len(os.sched_getaffinity(0)), help="number of parallel trainings [one per core]"
    )
    parser.add_argument("--train", help="train program [built by Bazel]")
    parser.add_argument("--evaluate", help="evaluate program [built by Bazel]")
    arguments = parser.parse_args()
    ranking = arguments.experiment == "orders"
    arguments.seeds = arguments.seeds or (5 if ranking else 10)
    arguments.episodes = arguments.episodes or (500 if ranking else 1000)
    arguments.out = arguments.out.resolve()
    if ranking and (arguments.seeds < 2 or not 5 <= arguments.orders <= 120):
        parser.error("comparing orders needs at least 2 --seeds and 5 to 120 --orders")
    return arguments


class Bench:
    """Trains and scores in parallel, each training on one core."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.train = find_train(arguments.train)
        self.evaluate = find_program("--evaluate", arguments.evaluate, "//:evaluate", "ray_actors/evaluate")
        os.environ.update(ONE_THREAD)

    def all(self, jobs):
        """Returns the result of each job; a job is a key and a tuple of arguments of one()."""
        started = time.monotonic()
        say(f"{len(jobs)} trainings, {self.arguments.parallel} at once, in {self.arguments.out}")
        results = {}
        with concurrent.futures.ThreadPoolExecutor(self.arguments.parallel) as pool:
            futures = {pool.submit(self.one, *job): key for key, job in jobs.items()}
            for future in concurrent.futures.as_completed(futures):
                results[futures[future]] = future.result()
                left = (time.monotonic() - started) / len(results) * (len(jobs) - len(results))
                if len(results) % max(1, len(jobs) // 20) == 0:
                    say(f"{len(results)} of {len(jobs)}, ETA {duration(left)}")
        return results

    def one(self, name, config, settings, seed, flags=()):
        """Returns the evaluation of a policy, with the training's seconds."""
        run = self.arguments.out / name
        result = run.with_name(run.name + ".json")
        if result.exists():
            return json.loads(result.read_text())
        shutil.rmtree(run, ignore_errors=True)
        run.mkdir(parents=True)
        command = [
            self.train,
            "--config",
            f"configs/{config}.yaml",
            "--runner",
            "local",
            "--device",
            "cpu",
            "--run-dir",
            run / "run",
            "--seed",
            seed,
        ]
        for setting in (*settings, *self.arguments.set, "run.save_interval=0", "evaluation.episodes=1"):
            command += ["--set", setting]
        started = time.monotonic()
        with open(run / "log", "w") as log:
            if run_to_its_end(command, log) != 0:
                raise SystemExit(f"error: a training failed; see {run / 'log'}")
        seconds = time.monotonic() - started
        scored = subprocess.run(
            [self.evaluate, "--run-dir", run / "run", "--episodes", str(self.arguments.episodes), "--json", *flags],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        if scored.returncode != 0:
            raise SystemExit(f"error: {run} was not evaluated: {scored.stderr.strip()}")
        found = {**json.loads(scored.stdout), "train_s": seconds}
        result.write_text(json.dumps(found))
        shutil.rmtree(run)
        return found


def many_seeds(bench, arguments):
    jobs = {
        (release, seed): (
            f"mixture-{release}-{seed}",
            "cage2_mixture",
            (f"env.cage2.release={release}",),
            seed,
            ("--release", release, "--red", "all"),
        )
        for release in RELEASES
        for seed in range(1, arguments.seeds + 1)
    }
    results = bench.all(jobs)
    lines = [
        "| rules | seed | total | B_line 30 / 50 / 100 steps | Meander 30 / 50 / 100 steps | training, s |",
        "| --- | ---: | ---: | --- | --- | ---: |",
    ]
    for (release, seed), found in sorted(results.items(), key=lambda item: (RELEASES.index(item[0][0]), item[0][1])):
        cells = [
            " / ".join(f"{score['mean']:.2f}" for score in found["scores"][red]["returns"].values())
            for red in ("bline", "meander")
        ]
        lines.append(
            f"| {release} | {seed} | {found['total']:.2f} | {cells[0]} | {cells[1]} | {found['train_s']:.0f} |"
        )
    for release in RELEASES:
        totals = [found["total"] for (rules, _), found in results.items() if rules == release]
        lines.append(
            f"| {release} | median | **{statistics.median(totals):.2f}** | worst {min(totals):.2f} | best {max(totals):.2f} | |"
        )
    return lines


def random_orders(count):
    rng, orders = random.Random(20261116), []
    while len(orders) < count:
        order = list(KINDS)
        rng.shuffle(order)
        if tuple(order) not in orders:
            orders.append(tuple(order))
    return orders


def order_job(setting, order, seed):
    name = f"{list(SETTINGS).index(setting)}-{'-'.join(order)}-{seed}"
    return name, "cage2_workflow", (*SETTINGS[setting], f"{WORKFLOW}order=[{', '.join(order)}]"), seed


def compare_orders(bench, arguments):
    orders, seeds = random_orders(arguments.orders), range(1, arguments.seeds + 1)
    jobs = {
        (NO_WORKFLOW, (), seed): (f"none-{seed}", "cage2_workflow", (f"{WORKFLOW}enabled=false",), seed)
        for seed in seeds
    }
    jobs |= {
        (setting, order, seed): order_job(setting, order, seed)
        for seed in seeds
        for setting in arguments.settings
        for order in orders
    }
    results = bench.all(jobs)
    again = {}
    for setting in arguments.settings:
        ranked = sorted(orders, key=lambda order: -mean_return(results, setting, order))
        chosen = ranked[:2] + [ranked[len(ranked) // 2]] + ranked[-2:]
        again |= {
            (setting, order, seed): order_job(setting, order, seed)
            for seed in range(2 * arguments.seeds + 1, 3 * arguments.seeds + 1)
            for order in chosen
        }
    fresh = bench.all(again)
    lines = [
        f"Without a workflow: {statistics.mean(found['return_mean'] for key, found in results.items() if key[0] == NO_WORKFLOW):.1f}.",
        "",
        f"| setting | F | p | sd of orders | sd of seeds | mean return | orders that comply (≥ {COMPLIANT}) | repairs that count / useless, per episode |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [setting_row(setting, orders, seeds, results) for setting in arguments.settings]
    lines += [
        "",
        "Mean return by the place of enterprise in the order:",
        "",
        "| setting | first | second | third | fourth | last |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [place_row(setting, "enterprise", orders, results) for setting in arguments.settings]
    lines += ["", "| setting | order | return | with other seeds |", "| --- | --- | ---: | ---: |"]
    for setting in arguments.settings:
        for order in dict.fromkeys(order for (name, order, _) in again if name == setting):
            lines.append(
                f"| {setting} | {' > '.join(order)} | {mean_return(results, setting, order):.1f} "
                f"| {mean_return(fresh, setting, order):.1f} |"
            )
    return lines


def returns_of(results, setting, order):
    return [
        found["return_mean"] for (name, one, _), found in sorted(results.items()) if (name, one) == (setting, order)
    ]


def mean_return(results, setting, order):
    return statistics.mean(returns_of(results, setting, order))


def setting_row(setting, orders, seeds, results):
    scores = [returns_of(results, setting, order) for order in orders]
    found = [results[setting, order, seed] for order in orders for seed in seeds]
    within = statistics.mean(statistics.variance(row) for row in scores)
    between = statistics.variance([statistics.mean(row) for row in scores])
    comply = sum(
        statistics.mean(results[setting, order, seed]["stats"]["compliance"]["mean"] for seed in seeds) >= COMPLIANT
        for order in orders
    )

    def stat(name):
        return statistics.mean(one["stats"][name]["mean"] for one in found)

    return (
        f"| {setting} | {f_ratio(scores):.1f} | {p_text(shuffled_p(scores))} | {max(0, between - within / len(seeds)) ** 0.5:.1f} "
        f"| {within**0.5:.1f} | {statistics.mean(map(statistics.mean, scores)):.1f} | {comply} of {len(orders)} "
        f"| {stat('fixes'):.1f} / {stat('useless_fixes'):.1f} |"
    )


def place_row(setting, kind, orders, results):
    by_place = [
        [mean_return(results, setting, order) for order in orders if order[place] == kind]
        for place in range(len(KINDS))
    ]
    return f"| {setting} | " + " | ".join(f"{statistics.mean(means):.1f}" if means else "" for means in by_place) + " |"


def p_text(p):
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def f_ratio(scores):
    """Returns the ratio of the variance between the rows' means to that within rows."""
    within = statistics.mean(statistics.variance(row) for row in scores)
    return len(scores[0]) * statistics.variance([statistics.mean(row) for row in scores]) / within


def shuffled_p(scores):
    """Returns the share of shuffles of the scores among rows, column by column, that give at least this F."""
    rng, measured, as_large = random.Random(1), f_ratio(scores), 0
    columns = list(zip(*scores))
    for _ in range(SHUFFLES):
        shuffled = zip(*(rng.sample(column, len(column)) for column in columns))
        as_large += f_ratio([list(row) for row in shuffled]) >= measured
    return (as_large + 1) / (SHUFFLES + 1)


def main():
    arguments = parse_arguments()
    end_on_sigterm()
    bench = Bench(arguments)
    lines = (many_seeds if arguments.experiment == "seeds" else compare_orders)(bench, arguments)
    text = f"{machine_text(describe_machine())}\n\n" + "\n".join(lines) + "\n"
    (arguments.out / f"{arguments.experiment}.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
