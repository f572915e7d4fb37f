#!/usr/bin/env python3
"""Measures what each step of variance reduction contributes in the delivery task: learning curves and a judged table.

Trains the same task for the same time with PPO alone, with one step added, and with all of them:
  plain          configs/dvrptw_ppo.yaml with reward cost_drop
  ppo            configs/dvrptw_ppo.yaml: encoding tokens, reward against_no_shifts
  baseline       ppo with reward against_cheapest_day, a baseline that depends on the day's arrivals
  sight          ppo with encoding outlook: the policy sees the effect of each shift on the plan
  sight_baseline both
  branching      encoding tokens; instead of PPO, the gain of every shift in one sampled future shared by all shifts (appraisal)
  best           configs/dvrptw_best.yaml: branching with encoding outlook
Each run is evaluated during training on 64 days (played greedily) and at the end judged on 256 other days by a long search.

  scripts/bench/delivery_learning.py                       21 runs of 10 minutes, one after the other
  scripts/bench/delivery_learning.py --parallel 15 --seconds 480 --variants ppo baseline sight branching best
  scripts/bench/delivery_learning.py --out FOLDER --draw   only table and plot, from existing runs

Complete runs in FOLDER are not repeated. Writes FOLDER/learning.md, learning.json and learning.png.
"""

import argparse
import concurrent.futures
import json
import pathlib
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from measuring import ROOT, describe_machine, machine_text, say  # noqa: E402
from training_runs import find_program, run_to_its_end  # noqa: E402

OUTLOOK_MLP = ("env.dvrptw.encoding=outlook", "network.kind=mlp", "network.hidden=[256, 256]")
TOKENS_ATTENTION = (
    "env.dvrptw.encoding=tokens",
    "network.kind=attention",
    "network.attention_layers=0",
    "network.hidden=[128, 128]",
)
BASELINE = ("env.dvrptw.reward=against_cheapest_day",)
VARIANTS = {
    "plain": ("dvrptw_ppo", "env.dvrptw.reward=cost_drop"),
    "ppo": ("dvrptw_ppo",),
    "baseline": ("dvrptw_ppo", *BASELINE),
    "sight": ("dvrptw_ppo", *OUTLOOK_MLP),
    "sight_baseline": ("dvrptw_ppo", *OUTLOOK_MLP, *BASELINE),
    "branching": ("dvrptw_best", *TOKENS_ATTENTION),
    "best": ("dvrptw_best",),
}
REFERENCE = "myopic_true"
ON_THE_WAY = 64  # days


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "runs" / "delivery_learning")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--seconds", type=int, default=600, help="duration of each training [600]")
    parser.add_argument("--days", type=int, default=256, help="number of judged days [256]")
    parser.add_argument("--points", type=int, default=10, help="approximate number of evaluations during training [10]")
    parser.add_argument(
        "--parallel", type=int, default=1, help="number of parallel runs, which share the cores evenly [1]"
    )
    parser.add_argument("--train", help="train program [built by Bazel]")
    parser.add_argument("--evaluate", help="evaluate program [built by Bazel]")
    parser.add_argument("--draw", action="store_true", help="do not train")
    return parser.parse_args()


class Bench:
    def __init__(self, arguments):
        self.arguments = arguments
        if not arguments.draw:
            self.train = find_program("--train", arguments.train, "//:train", "ray_actors/train")
            self.evaluate = find_program("--evaluate", arguments.evaluate, "//:evaluate", "ray_actors/evaluate")

    def folder(self, variant, seed):
        return self.arguments.out / f"{variant}-{seed}"

    def run(self, variant, seed):
        folder = self.folder(variant, seed)
        if (folder / "judged.json").exists():
            return
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "log", "w") as log:
            if run_to_its_end(self.training(variant, seed), log) != 0:
                raise SystemExit(f"error: {variant} with seed {seed} failed; see {folder / 'log'}")
        judged = subprocess.run(
            [
                str(self.evaluate),
                "--run-dir",
                str(folder / "run"),
                "--baselines",
                REFERENCE,
                "--episodes",
                str(self.arguments.days),
                "--out",
                str(folder),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        if judged.returncode != 0:
            raise SystemExit(f"error: {variant} with seed {seed} was not judged: {judged.stderr.strip()}")
        (folder / "evaluation.json").rename(folder / "judged.json")
        say(f"{variant}, seed {seed}: done")

    def training(self, variant, seed):
        config, *settings = VARIANTS[variant]
        # Epochs of these presets take one to two seconds of two cores.
        settings += [
            "train.episodes=0",
            f"train.duration_s={self.arguments.seconds}",
            "run.log_interval=10",
            f"evaluation.interval={max(1, self.arguments.seconds // self.arguments.points)}",
            f"evaluation.episodes={ON_THE_WAY}",
        ]
        command = [
            self.train,
            "--config",
            f"configs/{config}.yaml",
            "--runner",
            "local",
            "--device",
            "cpu",
            "--seed",
            seed,
            "--run-dir",
            self.folder(variant, seed) / "run",
        ]
        for setting in settings:
            command += ["--set", setting]
        return command


def read_run(folder):
    """Returns the curve of a run, its gradient statistics, and its judged objective with the reference's."""
    reports = [json.loads(line) for line in open(folder / "run" / "metrics.jsonl")]
    curve = [
        (report["time/elapsed_s"] / 60, report["eval/stat/objective_min"])
        for report in reports
        if "eval/stat/objective_min" in report
    ]
    late = reports[len(reports) // 2 :]

    def mean(name):
        return statistics.mean([r[name] for r in late if r.get(name) is not None] or [float("nan")])

    policies = {policy["policy"]: policy for policy in json.loads((folder / "judged.json").read_text())["policies"]}
    return {
        "curve": curve,
        "return_std": mean("episode/return_std"),
        "steps": reports[-1]["total_steps"],
        "explained_variance": mean("train/explained_variance"),
        "gradient_signal": mean("train/gradient_signal"),
        "objective_min": policies["learned"]["objective"]["mean"],
        "reference_min": policies[REFERENCE]["objective"]["mean"],
    }


def table(runs, arguments):
    lines = [
        f"Judged on {arguments.days} days; {arguments.seconds} s of training, {arguments.parallel} runs at once; "
        f"{machine_text(describe_machine())}.",
        "",
        "| variant | objective by seed, min | mean | less myopic | steps | std of returns | explained variance | signal in the gradient |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for variant, found in runs.items():
        objectives = [run["objective_min"] for run in found]

        def mean(name):
            return statistics.mean(run[name] for run in found)

        lines.append(
            f"| {variant} | {', '.join(f'{value:.1f}' for value in objectives)} | {statistics.mean(objectives):.1f} "
            f"| {statistics.mean(objectives) - mean('reference_min'):+.1f} | {mean('steps'):,.0f} | {mean('return_std'):.0f} "
            f"| {100 * mean('explained_variance'):.0f} % | {100 * mean('gradient_signal'):.1f} % |"
        )
    return "\n".join(lines) + "\n"


def on_one_clock(curves, points=12):
    """Returns evenly spaced minutes covered by all curves, and each curve's values there, linearly interpolated."""
    first, last = max(curve[0][0] for curve in curves), min(curve[-1][0] for curve in curves)
    minutes = [first + (last - first) * i / (points - 1) for i in range(points)]
    return minutes, [[value_at(minute, curve) for curve in curves] for minute in minutes]


def value_at(minute, curve):
    for (x, y), (next_x, next_y) in zip(curve, curve[1:]):
        if minute <= next_x:
            return y + (next_y - y) * (minute - x) / (next_x - x)
    return curve[-1][1]


def draw(runs, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    picture, axes = pyplot.subplots(figsize=(8, 5), dpi=120)
    for variant, found in runs.items():
        minutes, values = on_one_clock([run["curve"] for run in found])
        (line,) = axes.plot(minutes, [statistics.mean(v) for v in values], label=variant)
        axes.fill_between(
            minutes, list(map(min, values)), list(map(max, values)), color=line.get_color(), alpha=0.2, linewidth=0
        )
    axes.set_xlabel("minutes of training")
    axes.set_ylabel(f"cost and patience of {ON_THE_WAY} days that were not trained on, min")
    axes.set_title("Learning to propose delivery times: mean and range over seeds", fontsize=10)
    axes.grid(alpha=0.3)
    axes.legend()
    picture.tight_layout()
    picture.savefig(path)


def main():
    arguments = parse_arguments()
    arguments.out = arguments.out.resolve()
    bench = Bench(arguments)
    pairs = [(variant, seed) for seed in arguments.seeds for variant in arguments.variants]
    if not arguments.draw:
        say(f"{len(pairs)} runs of {arguments.seconds} s, {arguments.parallel} at once, in {arguments.out}")
        with concurrent.futures.ThreadPoolExecutor(arguments.parallel) as pool:
            for done in [pool.submit(bench.run, *pair) for pair in pairs]:
                done.result()
    runs = {
        variant: [read_run(bench.folder(variant, seed)) for seed in arguments.seeds] for variant in arguments.variants
    }
    text = table(runs, arguments)
    (arguments.out / "learning.md").write_text(text)
    (arguments.out / "learning.json").write_text(json.dumps(runs, indent=1) + "\n")
    print(text)
    try:
        draw(runs, arguments.out / "learning.png")
        say(f"picture: {arguments.out / 'learning.png'}")
    except ModuleNotFoundError:
        say("no plot: matplotlib is not installed; copy the folder to a machine that has it and use --draw")


if __name__ == "__main__":
    main()
