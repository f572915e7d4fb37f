#!/usr/bin/env python3
"""Compares Dray's oracles with PyVRP, OR-Tools and rl4co: same machine, same problems, one thread each, in the same run.

Cost against time: insertion and ruin and recreate against PyVRP and OR-Tools, on Solomon's files of 25, 50 and 100 customers
and on days of the delivery task (30 pickup and dropoff pairs, 5 free vehicles of 4 seats, 50 minutes for each further vehicle).
Speed of decoding: the neural oracle against rl4co's attention model of the same size (128 dims, 3 layers, 8 heads; greedy).

Everything is interleaved (all solvers on one problem, then the next; then the next repeat), so that a slow moment of the machine
affects all of them. scripts/bench/routing.py, which shares no code with any solver, checks every plan; one that breaks a rule, or
has another cost than its solver says, ends the benchmark. The peers have their own virtual environment, .venv-bench, which this
script creates if it is missing. Times and limits are processor time, so that other programs matter little; a quiet machine is still better.

  scripts/bench/oracle.py               the whole comparison (about a quarter of an hour)
  scripts/bench/oracle.py --quick       a first look (two minutes)
  scripts/bench/oracle.py --parts decoding --repeats 5
"""

import argparse
import csv
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

WORKER = pathlib.Path(__file__).resolve().with_name("oracle_worker.py")
sys.dont_write_bytecode = True
sys.path.insert(0, str(WORKER.parent))
import routing  # noqa: E402
from measuring import ONE_THREAD, ROOT, describe_machine, duration, make_venv, range_text, say, spread, without_nan  # noqa: E402

# In this order: packages after torch must use the installed torch.
REQUIREMENTS = [["torch==2.13.0"], ["pyvrp==0.14.1", "ortools==9.15.6755", "rl4co==0.7.0"]]
PACKAGES = ("pyvrp", "ortools", "rl4co", "torch")
SOLOMON = ["C101", "C104", "C203", "R101", "R104", "R110", "R201", "R208"]
QUICK_SOLOMON = ["C104", "R104"]
SIZES = [25, 50, 100]
PAIRS = 30
ROUNDS = [10, 100, 1000]
STARTS = [1, 30]
# rl4co's tasks by number of stops: the usual one of the literature, and one with as many stops as Dray's problems.
DECODERS = {"rl4co, CVRPTW, 30 customers": ("cvrptw", 30), "rl4co, PDP, 30 pairs": ("pdp", 2 * PAIRS)}
DIFFERENCES = [
    "PyVRP and OR-Tools get a time limit, Dray a number of rounds; times are of the search alone, without reading or building "
    "a model. OR-Tools has a limit of its own, by the clock on the wall, stretched by how busy the machine is.",
    "PyVRP has pickups and deliveries as shipments; OR-Tools starts with parallel cheapest insertion and goes on with guided "
    "local search (first: without that). Both have 5 vehicles at 50 minutes each beyond the free ones.",
    "OR-Tools and insertion take no seed: their repeats differ in time alone.",
    "The neural oracle decodes an order of 30 requests and inserts them exactly, so that its plans keep every window; rl4co's "
    "model picks stop by stop, its CVRPTW task with windows and its PDP task without. Neither's speed depends on its weights.",
]


class Dray:
    """//tests/oracle:oracle_speed of this repository."""

    def __init__(self, arguments):
        self.program = ROOT / arguments.oracle_speed
        if not arguments.no_build:
            build = shlex.split(arguments.bazel) + ["build", "//tests/oracle:oracle_speed"]
            say(shlex.join(build))
            if subprocess.run(build, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
                raise SystemExit(f"error: the build failed; see: {shlex.join(build)}")
        if not self.program.exists():
            raise SystemExit(
                f"error: {self.program} does not exist; omit --no-build, or give its path with --oracle-speed"
            )

    def run(self, *flags):
        command = [str(part) for part in (self.program, *flags)]
        result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, **ONE_THREAD})
        if result.returncode != 0:
            raise SystemExit(f"{result.stderr}error: exit code {result.returncode} from: {shlex.join(command)}")
        return json.loads(result.stdout)

    def solve(self, path, flags, seed):
        """Solves a file; returns seconds, cost in ticks and routes of stops."""
        printed = self.run("--instance", path, "--batches", 1, "--repeats", 1, "--seed", seed, "--plans", *flags)
        answer = printed["answers"][0]
        return printed["batches"][0]["milliseconds"][0] / 1000, answer["cost"], answer["routes"]

    def deliveries(self, count, flags, seed):
        """Returns the output for `count` days of the delivery task, solved in one call."""
        return self.run("--pairs", PAIRS, "--batches", count, "--repeats", 1, "--seed", seed, "--plans", *flags)

    def decode(self, oracle, batch, repeats):
        """Returns the milliseconds of each repeat."""
        flags = ["--oracle", oracle, "--pairs", PAIRS, "--batches", batch, "--repeats", repeats]
        return self.run(*flags)["batches"][0]["milliseconds"]


class Peers:
    """A process in the peers' virtual environment that answers requests one by one."""

    def __init__(self, python, log):
        self.log = log
        with open(log, "w") as errors:
            self.process = subprocess.Popen(
                [str(python), str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, **ONE_THREAD},
            )

    def ask(self, **task):
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            tail = "\n".join(self.log.read_text(errors="replace").splitlines()[-10:])
            raise SystemExit(f"{tail}\nerror: the peers' process ended (whole output: {self.log})")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def dray_methods(neural):
    """Returns name and flags of each of Dray's oracles."""
    methods = {"Dray insertion": ["--oracle", "insertion"]}
    for rounds in ROUNDS:
        methods[f"Dray ruin_recreate, {rounds:,} rounds"] = ["--oracle", "ruin_recreate", "--rounds", rounds]
    for starts in STARTS if neural else []:
        name = "Dray neural" + (f", best of {starts}" if starts > 1 else "")
        methods[name] = ["--oracle", "neural", "--starts", starts]
    return methods


def peer_methods(budgets):
    """Returns name, solver and seconds of each of the peers' runs."""
    methods = {"OR-Tools, first": ("ortools", 0)}
    for title, solver in (("OR-Tools", "ortools"), ("PyVRP", "pyvrp")):
        methods.update({f"{title}, {seconds:g} s": (solver, seconds) for seconds in budgets})
    return methods


def checked(problem, routes, method, cost=None):
    """Returns the cost of the plan according to routing.py; ends the benchmark if the plan breaks a rule."""
    driven = routing.drive(problem, routes)
    if driven["unserved"]:
        driven["broken"].append(f"{driven['unserved']} requests are not served")
    if cost is not None and cost != driven["cost"]:
        driven["broken"].append(f"it is said to cost {cost}, it costs {driven['cost']}")
    if driven["broken"]:
        raise SystemExit(f"error: {method} on {problem['name']}: {driven['broken'][0]}")
    return driven


def record(kind, problem, method, repeat, seconds, routes, cost=None):
    run = {"set": kind, "instance": problem["name"], "method": method, "repeat": repeat, "seconds": seconds}
    if routes is None:
        return {**run, "cost": None, "vehicles": None}
    driven = checked(problem, routes, method, cost)
    return {**run, "cost": driven["cost"] / problem["ticks_per_unit"], "vehicles": driven["vehicles"]}


def ask_peers(peers, kind, problem, repeat, budgets):
    for method, (solver, seconds) in peer_methods(budgets).items():
        answer = peers.ask(solver=solver, problem=problem, seconds=seconds, seed=repeat)
        yield record(kind, problem, method, repeat, answer["seconds"], answer["routes"])


def solomon_runs(dray, peers, size, names, repeat, arguments):
    for name in names:
        path = ROOT / "tests" / "data" / "solomon" / str(size) / f"{name}.txt"
        problem = routing.read_solomon(path)
        kind = f"Solomon {size}"
        for method, flags in dray_methods(neural=False).items():
            seconds, cost, routes = dray.solve(path, flags, repeat)
            yield record(kind, problem, method, repeat, seconds, routes, cost)
        yield from ask_peers(peers, kind, problem, repeat, arguments.budgets)


def delivery_runs(dray, peers, count, repeat, arguments):
    kind = f"{PAIRS} pairs"
    problems = []
    for method, flags in dray_methods(neural=True).items():
        printed = dray.deliveries(count, flags, repeat)
        seconds = printed["batches"][0]["milliseconds"][0] / 1000 / count
        problems = [
            routing.city_problem(printed["city"], problem, f"day {day}")
            for day, problem in enumerate(printed["problems"], 1)
        ]
        for problem, answer in zip(problems, printed["answers"]):
            yield record(kind, problem, method, repeat, seconds, answer["routes"], answer["cost"])
    for problem in problems:
        yield from ask_peers(peers, kind, problem, repeat, arguments.budgets)


def decoding_runs(dray, peers, repeat, arguments):
    oracles = {"Dray neural": "neural", "Dray insertion": "insertion"}
    for batch in arguments.batches:
        for method, oracle in oracles.items():
            milliseconds = dray.decode(oracle, batch, arguments.decodes)
            yield {"method": method, "batch": batch, "repeat": repeat, "milliseconds": milliseconds}
        for method, (env, stops) in DECODERS.items():
            answer = peers.ask(
                solver="rl4co", env=env, stops=stops, batch=batch, repeats=arguments.decodes, seed=repeat
            )
            yield {"method": method, "batch": batch, "repeat": repeat, **answer}


def best_known():
    """Returns the best known costs by set and instance, in the files' units; doubtful values are blank in the table."""
    with open(ROOT / "tests" / "data" / "solomon" / "best_known.csv") as rows:
        return {
            (f"Solomon {row['customers']}", row["instance"]): float(row["lkh3_cost_trunc01"])
            for row in csv.DictReader(rows)
            if row["lkh3_cost_trunc01"]
        }


def references(runs, known):
    """Returns the reference for gaps: the best known cost, or the best of all runs if that is lower or none is known."""
    best = {}
    for run in runs:
        key = run["set"], run["instance"]
        found = [known[key]] if key in known else []
        best[key] = min(found + [best.get(key, float("inf"))] + ([run["cost"]] if run["cost"] is not None else []))
    return best


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def summarise(runs, known):
    """Returns one entry per set and method: the spread over repeats of the mean gap and the mean time."""
    best = references(runs, known)
    table = []
    for kind, method in dict.fromkeys((run["set"], run["method"]) for run in runs):
        mine = [run for run in runs if (run["set"], run["method"]) == (kind, method)]
        solved = [run for run in mine if run["cost"] is not None]
        repeats = sorted({run["repeat"] for run in mine})

        def gap(run):
            return 100 * (run["cost"] / best[run["set"], run["instance"]] - 1)

        table.append(
            {
                "set": kind,
                "method": method,
                "instances": len({run["instance"] for run in mine}),
                "without_plan": len(mine) - len(solved),
                "gap_percent": spread(
                    [mean(gap(run) for run in solved if run["repeat"] == repeat) for repeat in repeats]
                ),
                "cost": mean(run["cost"] for run in solved),
                "vehicles": mean(run["vehicles"] for run in solved),
                "ms": spread(
                    [1000 * mean(run["seconds"] for run in mine if run["repeat"] == repeat) for repeat in repeats]
                ),
            }
        )
    return table


def summarise_decoding(runs):
    """Returns one entry per method and batch: the spread over repeats of the median time; the ratio to Dray's neural oracle."""
    table = []
    for method, batch in dict.fromkeys((run["method"], run["batch"]) for run in runs):
        mine = [run for run in runs if (run["method"], run["batch"]) == (method, batch)]
        table.append(
            {"method": method, "batch": batch, "ms": spread([spread(run["milliseconds"])["median"] for run in mine])}
        )
    neural = {entry["batch"]: entry["ms"]["median"] for entry in table if entry["method"] == "Dray neural"}
    for entry in table:
        known = entry["batch"] in neural and entry["method"] != "Dray neural"
        entry["this_over_neural"] = entry["ms"]["median"] / neural[entry["batch"]] if known else None
    return table


def cost_lines(table):
    lines = []
    for kind in dict.fromkeys(entry["set"] for entry in table):
        entries = [entry for entry in table if entry["set"] == kind]
        reference = "the best cost known" if kind.startswith("Solomon") else "the best plan of all runs"
        lines += [
            "",
            f"## {kind}: {entries[0]['instances']} problems",
            "",
            f"| method | % above {reference} | ms per problem | mean cost | mean vehicles |",
            "| --- | --- | --- | --- | --- |",
        ]
        for entry in entries:
            missing = f" ({entry['without_plan']} without a plan)" if entry["without_plan"] else ""
            lines.append(
                f"| {entry['method']} | {range_text(entry['gap_percent'], 2)}{missing} | {range_text(entry['ms'], 2)} "
                f"| {entry['cost']:,.1f} | {entry['vehicles']:.2f} |"
            )
    return lines


def decoding_lines(table):
    if not table:
        return []
    batches = list(dict.fromkeys(entry["batch"] for entry in table))
    lines = [
        "",
        f"## Decoding a batch of {PAIRS}-pair problems",
        "",
        "| method | " + " | ".join(f"ms for {batch}" for batch in batches) + " | times Dray's neural oracle |",
        "| --- |" + " --- |" * (len(batches) + 1),
    ]
    for method in dict.fromkeys(entry["method"] for entry in table):
        entries = {entry["batch"]: entry for entry in table if entry["method"] == method}
        ratios = [entry["this_over_neural"] for entry in entries.values() if entry["this_over_neural"]]
        cells = [range_text(entries[batch]["ms"], 2) if batch in entries else "" for batch in batches]
        lines.append(
            f"| {method} | " + " | ".join(cells) + " | " + ", ".join(f"{ratio:.2g}" for ratio in ratios) + " |"
        )
    return lines


def markdown(table, decoding, machine, arguments):
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    lines = [
        "# Dray's oracles and their peers",
        "",
        f"Measured {machine['date']} by `scripts/bench/oracle.py` on {machine['cpu']}, {machine['cores']} cores, "
        f"{machine['system']}; {versions}; one thread, times of the processor, solvers interleaved, {arguments.repeats} repeats with seeds of their own. "
        "Numbers are the median (smallest - largest) of the repeats; every plan was driven anew in Python.",
    ]
    lines += cost_lines(table) + decoding_lines(decoding)
    lines += ["", "What differs:", ""] + [f"- {difference}" for difference in DIFFERENCES]
    return "\n".join(lines) + "\n"


def write_results(runs, decodings, machine, arguments):
    table, decoding = summarise(runs, best_known()), summarise_decoding(decodings)
    text = markdown(table, decoding, machine, arguments)
    (arguments.out / "oracle.md").write_text(text)
    results = {
        "machine": machine,
        "differences": DIFFERENCES,
        "table": table,
        "decoding": decoding,
        "runs": runs,
        "decoding_runs": decodings,
    }
    (arguments.out / "oracle.json").write_text(json.dumps(without_nan(results), indent=1, allow_nan=False) + "\n")
    return text


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few problems, one repeat, small batches")
    parser.add_argument(
        "--parts",
        nargs="+",
        choices=["solomon", "pairs", "decoding"],
        default=["solomon", "pairs", "decoding"],
        help="default: all",
    )
    parser.add_argument("--repeats", type=int, help="default 3 (quick: 1)")
    parser.add_argument("--solomon", nargs="+", metavar="NAME", help=f"default {' '.join(SOLOMON)}")
    parser.add_argument("--days", type=int, help="problems of the delivery task (default 16; quick: 4)")
    parser.add_argument(
        "--budgets",
        nargs="+",
        type=float,
        default=[0.1, 1.0],
        metavar="S",
        help="seconds that PyVRP and OR-Tools get per problem (default 0.1 1)",
    )
    parser.add_argument(
        "--batches", nargs="+", type=int, help="batch sizes for decoding (default 1 64 256; quick: 1 64)"
    )
    parser.add_argument(
        "--decodes", type=int, default=3, help="timed decodings of a batch in each repeat, after a warm-up (default 3)"
    )
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        default=pathlib.Path("bench-oracle"),
        help="folder for oracle.md, oracle.json and the peers' log (default bench-oracle)",
    )
    parser.add_argument(
        "--venv", type=pathlib.Path, default=ROOT / ".venv-bench", help="the peers' virtual environment"
    )
    parser.add_argument("--bazel", default="bazel", help="Bazel command with its options (default: %(default)s)")
    parser.add_argument("--no-build", action="store_true", help="use the existing program")
    parser.add_argument("--oracle-speed", default="bazel-bin/tests/oracle/oracle_speed", help="default %(default)s")
    arguments = parser.parse_args()
    quick = arguments.quick
    arguments.repeats = arguments.repeats or (1 if quick else 3)
    arguments.solomon = arguments.solomon or (QUICK_SOLOMON if quick else SOLOMON)
    arguments.days = arguments.days or (4 if quick else 16)
    arguments.batches = arguments.batches or ([1, 64] if quick else [1, 64, 256])
    numbers = [arguments.repeats, arguments.days, arguments.decodes, *arguments.batches]
    if min(numbers) < 1 or min(arguments.budgets) <= 0:
        parser.error("--repeats, --days, --batches, --decodes and --budgets must be above 0")
    return arguments


def parts(dray, peers, repeat, arguments):
    """Yields the name, the runs, and True for decoding, of each part of one repeat."""
    if "solomon" in arguments.parts:
        for size in SIZES:
            yield f"Solomon {size}", solomon_runs(dray, peers, size, arguments.solomon, repeat, arguments), False
    if "pairs" in arguments.parts:
        yield f"{PAIRS} pairs", delivery_runs(dray, peers, arguments.days, repeat, arguments), False
    if "decoding" in arguments.parts:
        yield "decoding", decoding_runs(dray, peers, repeat, arguments), True


def main():
    arguments = parse_arguments()
    arguments.out = arguments.out.resolve()
    arguments.out.mkdir(parents=True, exist_ok=True)
    python = make_venv(arguments.venv.resolve(), REQUIREMENTS)
    machine = describe_machine(python, PACKAGES)
    dray = Dray(arguments)
    peers = Peers(python, arguments.out / "peers.log")
    runs, decodings, text, start = [], [], "", time.monotonic()
    for repeat in range(1, arguments.repeats + 1):
        for name, measured, decodes in parts(dray, peers, repeat, arguments):
            for run in measured:
                (decodings if decodes else runs).append(run)
            text = write_results(runs, decodings, machine, arguments)
            say(f"repeat {repeat}/{arguments.repeats} · {name} done · {duration(time.monotonic() - start)} so far")
    peers.close()
    print("\n" + text + f"\nWritten to {arguments.out}: oracle.md, oracle.json and the peers' log.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("stopped; the parts so far are in the output folder") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"error: exit code {error.returncode} from: {shlex.join(map(str, error.cmd))}") from None
