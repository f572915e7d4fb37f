"""Stands in for `train` in tests of sweeps: writes a run whose evaluation is a known function of its settings and length.

A call is a line of $CALLS. The best settings are a.x = 0.1 and a.y = 0.01. A training fails if a.x is above 0.5; the one
whose number is $KILLED_AT kills the sweep instead.
"""

import json
import math
import os
import pathlib
import signal
import sys

DEFAULT = {"env.name": "cartpole", "train.total_steps": "9000"}


def read(words):
    """Returns the settings and folder that the flags ask for, and whether they resume it."""
    settings, folder, resumed = {}, None, "--resume" in words
    for flag, value in zip(words, words[1:]):
        if flag in ("--run-dir", "--resume"):
            folder = pathlib.Path(value)
        elif flag == "--set":
            settings.update([value.split("=", 1)])
        elif flag in ("--seed", "--total-steps"):
            settings["train." + flag[2:].replace("-", "_")] = value
    before = json.loads((folder / "settings.json").read_text()) if resumed else DEFAULT
    return {**before, **settings}, folder, resumed


def yaml_of(settings):
    groups = {}
    for path, value in settings.items():
        groups.setdefault(path.partition(".")[0], []).append(f"  {path.partition('.')[2]}: {value}\n")
    return "".join(f"{group}:\n{''.join(lines)}" for group, lines in groups.items())


def main():
    settings, folder, resumed = read(sys.argv[1:])
    if "--dry-run" in sys.argv:
        print(yaml_of(settings))
        return
    with open(os.environ["CALLS"], "a+") as calls:
        calls.write(json.dumps([folder.parent.name, resumed, int(settings["train.total_steps"])]) + "\n")
        calls.seek(0)
        number = len(calls.readlines())
    if resumed:
        (folder / "config.yaml").write_text(yaml_of(settings))
    if str(number) == os.environ.get("KILLED_AT"):
        os.kill(os.getppid(), signal.SIGKILL)
        sys.exit(1)
    x, y = float(settings["a.x"]), float(settings["a.y"])
    if x > 0.5:
        sys.exit("dray: training diverged")
    steps = int(settings["train.total_steps"])
    score = -((math.log10(x) + 1) ** 2) - (math.log10(y) + 2) ** 2 - 100 / steps + 1e-3 * int(settings["train.seed"])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.json").write_text(json.dumps(settings))
    (folder / "config.yaml").write_text(yaml_of(settings))
    report = {
        "epoch": 1,
        "total_steps": steps,
        "progress": 1,
        "eval/return_mean": score,
        "eval/return_std": 1.0,
    }
    with open(folder / "metrics.jsonl", "a") as metrics:
        metrics.write(json.dumps({**report, "eval/episodes": 10}) + "\n")


if __name__ == "__main__":
    main()
