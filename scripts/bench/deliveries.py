#!/usr/bin/env python3
"""Measures samples per second of the delivery task for several numbers of environments.

    scripts/bench/deliveries.py [--quick] [--out FOLDER]

Trains a few epochs with the original settings (configs/dvrptw_64.yaml: counts, cost_drop, 40 value and 10 policy epochs) and 1, 16, 64 and
256 environments, with the neural oracle on the CPU, and with configs/dvrptw_ppo.yaml and dvrptw_best.yaml. Repeats are interleaved; prints
median, minimum and maximum. The system that Dray replaces reached 384 samples/s with 64 environments and 512 with 256.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUIN = ("--set", "env.dvrptw.oracle.kind=ruin_recreate")
NEURAL = ("--set", "env.dvrptw.oracle.kind=neural")


def preset(envs, *flags):
    shard = max(1, envs // 2)
    # The same number of samples in every row: a single environment needs 64 epochs for one of 64 environments.
    epochs = max(4, 256 // envs)
    scale = ("--num-envs", str(envs), "--set", f"scale.envs_per_shard={shard}", "--epochs", str(epochs))
    return ("--config", "dvrptw_64", *scale, *flags)


ROWS = {
    "1 environment": preset(1, *RUIN),
    "16 environments": preset(16, *RUIN),
    "64 environments": preset(64, *RUIN),
    "256 environments": preset(256, *RUIN),
    "64 environments, neural oracle": preset(64, *NEURAL),
    "dvrptw_ppo, 256 environments (tokens, against_no_shifts, 30 rounds)": ("--config", "dvrptw_ppo", "--epochs", "4"),
    "dvrptw_best, 64 environments (outlook, a future for every shift)": ("--config", "dvrptw_best", "--epochs", "16"),
}


def measure(train, flags):
    """Returns samples per second in rollouts and overall, and megabytes, of one short run without its first epoch."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            train,
            *flags,
            "--runner",
            "local",
            "--device",
            "cpu",
            "--run-dir",
            f"{folder}/run",
            "--log-interval",
            "1",
        ]
        command += ["--save-interval", "0", "--set", "evaluation.episodes=1"]
        subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
        reports = [json.loads(line) for line in open(f"{folder}/run/metrics.jsonl")]
    first, last = reports[0], reports[-1]
    steps = last["total_steps"] - first["total_steps"]
    # The evaluation in the last report is left out.
    busy = sum(
        r["time/rollout_s"] + r["time/transfer_s"] + r["time/learn_s"] + r["time/weights_s"] for r in reports[1:]
    )
    rollouts = sum(r["time/rollout_s"] for r in reports[1:])
    return steps / rollouts, steps / busy, max(r["memory/rss_mb"] for r in reports)


def spread(values, digits=0):
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} - {max(values):,.{digits}f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--train", default=ROOT / "bazel-bin/ray_actors/train", help="train program [bazel-bin/ray_actors/train]"
    )
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="only one repeat")
    parser.add_argument("--out", type=pathlib.Path, help="folder for deliveries.md and deliveries.json")
    options = parser.parse_args()
    measured = {name: [] for name in ROWS}
    for repeat in range(1 if options.quick else options.repeats):
        for name, flags in ROWS.items():
            print(f"repeat {repeat + 1}: {name}", flush=True)
            measured[name].append(measure(options.train, flags))
    one = statistics.median(total for _, total, _ in measured["1 environment"])
    lines = [
        "| | rollouts alone, samples/s | end to end, samples/s | times one environment | memory, MB |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name, rows in measured.items():
        rollouts, total, memory = zip(*rows)
        ratio = statistics.median(total) / one
        lines.append(f"| {name} | {spread(rollouts)} | {spread(total)} | {ratio:.1f} | {max(memory):.0f} |")
    text = "\n".join(lines) + "\n"
    print("\n" + text)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "deliveries.md").write_text(text)
        (options.out / "deliveries.json").write_text(json.dumps(measured))


if __name__ == "__main__":
    main()
