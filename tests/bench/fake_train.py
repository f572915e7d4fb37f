"""Stands in for the train command: writes the metrics of a run at made-up speeds, and a line about itself to FAKE_TRAIN_LOG.

One environment takes 1 ms per step and shard; a pass over a batch takes 10 ms. 13 environments fail; 99 never end.
"""

import json
import os
import pathlib
import signal
import sys

STEPS = 10


def flags_of(words):
    flags, settings = {}, {"ppo.policy_epochs": "1", "ppo.max_policy_lag": "0"}
    while words:
        name = words.pop(0)
        if name == "--set":
            key, _, value = words.pop(0).partition("=")
            settings[key] = value
        else:
            flags[name] = "" if name == "--dry-run" else words.pop(0)
    return flags, settings


def main():
    flags, settings = flags_of(sys.argv[1:])
    envs, shards = int(flags["--num-envs"]), int(flags.get("--num-workers", 1))
    if "--dry-run" in flags:
        print(f"preflight\n  scale         {envs:,} environments in {shards} shards of {envs // shards}")
        print(f"  epoch         {STEPS} steps x {envs} environments = {envs * STEPS:,} samples, 1.5 kB")
        return 0
    with open(os.environ["FAKE_TRAIN_LOG"], "a") as log:
        log.write(f"{flags['--runner']} {envs}\n")
    if envs == 13:
        print("some words\ndray: 13 brings bad luck: take another number", file=sys.stderr)
        return 1
    if envs == 99:
        open(os.environ["FAKE_TRAIN_FIFO"], "w").close()
        signal.pause()
    rollout_s = 0.001 * STEPS * envs / shards
    learn_s = 0.01 * int(settings["ppo.policy_epochs"])
    epoch_s = max(rollout_s, learn_s) if int(settings["ppo.max_policy_lag"]) else rollout_s + learn_s
    folder = pathlib.Path(flags["--run-dir"])
    folder.mkdir()
    with open(folder / "metrics.jsonl", "w") as file:
        for epoch in range(1, int(flags["--epochs"]) + 1):
            # The first epoch is slow.
            report = {
                "epoch": epoch,
                "total_steps": epoch * STEPS * envs,
                "time/elapsed_s": 5 + epoch * epoch_s,
                "time/rollout_s": rollout_s if epoch > 1 else 5.0,
                "time/learn_s": learn_s,
                "memory/rss_mb": 100.0,
            }
            if flags["--runner"] == "ray":
                report["actor/shard-0/memory_mb"] = 50.0
            file.write(json.dumps(report) + "\n")
    return 0


sys.exit(main())
