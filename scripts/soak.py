#!/usr/bin/env python3
"""Runs a training in one process and the same training on Ray side by side for an hour, and checks that nothing grows.

Records private memory, open files and threads of every process, and the size of Ray's object store, every few seconds, and plots them.
Compares the last fifth of the time with the second fifth, as the first fills caches and buffers. No batch may be dropped or lost, and no
actor restarted. The exit code is 1 if any of this fails.

  scripts/soak.py                               an hour; soak.png and the runs in runs/soak
  scripts/soak.py --minutes 2 --out /tmp/soak

The script starts its own cluster on this machine, with its own folders, ports and token.
"""

import argparse
import collections
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / part) for part in ("scripts", "scripts/bench", "src/python")]
import own_ray  # noqa: E402
from measuring import say, use_project_python  # noqa: E402

from dray.ray_node import REMEMBERED_CALLS  # noqa: E402

# One of the smallest trainings that needs every role.
CONFIG = """
env: {name: dvrptw, dvrptw: {encoding: counts, oracle: {placement: %s}}}
train: {episodes: 0, duration_s: %f}
scale: {num_envs: 16, envs_per_shard: 8}
ppo: {value_epochs: 4, policy_epochs: 2, minibatch_size: 64, learning_rate_schedule: constant}
network: {hidden: [64, 64]}
evaluation: {interval: 50, episodes: 4}
run: {save_interval: 100, tensorboard: true, log_interval: 10}
%s
"""
STARTING_S = 180  # a training and its actors, on a busy machine, and its end
RAY_PROGRAMS = ("raylet", "gcs_server")
# Growth between two fifths of the time that may be chance.
MORE_MB, MORE_SHARE, MORE_FILES, MORE_THREADS = 10, 0.05, 4, 2
MOST_STORE_MB = 20  # four batches of 0.3 MB, weights and beliefs


def status_of(pid):
    """Returns private memory in MB, open files and threads of a process; None if it is gone."""
    try:
        lines = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
        return {
            "memory_mb": int(lines["RssAnon"].split()[0]) / 1000,
            "files": len(os.listdir(f"/proc/{pid}/fd")),
            "threads": int(lines["Threads"]),
        }
    except (OSError, KeyError):
        return None


def name_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


class Soak:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.series = collections.defaultdict(list)  # (process, figure): [(minute, value)]
        self.ray = own_ray.OwnRay(cpus=2, object_store_mb=150, settings=REMEMBERED_CALLS)  # as heads of Dray's own
        self.processes = {}

    def start(self):
        for runner, placement, further in (("local", "inline", ""), ("ray", "actor", "ray: {embedder: actor}")):
            config = self.folder / f"{runner}.yaml"
            config.write_text(CONFIG % (placement, 60 * self.options.minutes, further))
            command = [self.options.train, "--config", config, "--runner", runner, "--run-dir", self.folder / runner]
            with open(self.folder / f"{runner}.log", "w") as log:
                self.processes[runner] = subprocess.Popen(
                    list(map(str, command)),
                    env={**self.ray.environment, "DRAY_PYTHON": sys.executable},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )

    def watched(self):
        """Returns {name: process id}; Ray's processes are found by their names."""
        found = {"local training": self.processes["local"].pid, "Ray driver": self.processes["ray"].pid}
        for pid, line in self.ray.processes().items():
            program = line.split(" ")[0].rpartition("/")[2]
            if program in RAY_PROGRAMS:
                found[program] = pid
            elif name_of(pid).startswith("dray "):
                found["Ray actor " + name_of(pid).removeprefix("dray ")] = pid
        return found

    def look(self, minute):
        for name, pid in self.watched().items():
            for figure, value in (status_of(pid) or {}).items():
                self.series[name, figure].append((minute, value))

    def watch(self):
        """Measures until both trainings have ended."""
        begun = time.monotonic()
        every_s = max(1.0, 60 * self.options.minutes / 600)
        next_store_s = 0.0
        while any(process.poll() is None for process in self.processes.values()):
            passed_s = time.monotonic() - begun
            if any(process.poll() not in (None, 0) for process in self.processes.values()):
                return
            if passed_s > 60 * self.options.minutes + STARTING_S:
                for process in self.processes.values():
                    process.kill()
                raise RuntimeError("the trainings did not end when their time was over")
            if all(process.poll() is None for process in self.processes.values()):
                self.look(passed_s / 60)
                if passed_s >= next_store_s:
                    next_store_s = passed_s + 60 * self.options.minutes / 40
                    self.series["object store", "memory_mb"].append(
                        (passed_s / 60, self.ray.object_store_bytes() / 1e6)
                    )
            time.sleep(every_s)

    def wrong(self):
        """Returns the problems found."""
        found = []
        for runner, process in self.processes.items():
            if process.returncode != 0:
                found.append(
                    f"the {runner} training ended with exit code {process.returncode}, see {self.folder / runner}.log"
                )
                continue
            last = json.loads((self.folder / runner / "metrics.jsonl").read_text().splitlines()[-1])
            say(f"{runner}: {last['epoch']} epochs, {last['total_steps']} steps")
            for name in ("batches/dropped", "batches/lost", "actors/restarted", "writes/failed"):
                if last.get(name, 0) != 0:
                    found.append(f"the {runner} training: {name} is {last[name]:g}")
        for name, figure, before, after in self.table():
            most = {
                "memory_mb": before * (1 + MORE_SHARE) + MORE_MB,
                "files": before + MORE_FILES,
                "threads": before + MORE_THREADS,
            }[figure]
            if name == "object store":
                before, after = 0, max(value for _, value in self.series[name, figure])
                most = MOST_STORE_MB
            if after > most:
                found.append(f"{name}: {figure} grew from {before:.1f} to {after:.1f}")
        if not any(name.startswith("Ray actor") for name, _, _, _ in self.table()):
            found.append("no actor was seen for long enough: a longer soak is needed")
        return found

    def table(self):
        """Returns (process, figure, median over the second fifth, over the last) for processes that lived that long."""
        end = max((series[-1][0] for series in self.series.values()), default=0)
        rows = []
        for (name, figure), series in sorted(self.series.items()):
            before = [value for minute, value in series if 0.2 * end <= minute < 0.4 * end]
            after = [value for minute, value in series if minute >= 0.8 * end]
            if before and after:
                rows.append((name, figure, statistics.median(before), statistics.median(after)))
        return rows

    def print_table(self):
        cells = collections.defaultdict(dict)
        for name, figure, before, after in self.table():
            cells[name][figure] = (
                f"{before:.1f} -> {after:.1f}" if figure == "memory_mb" else f"{before:.0f} -> {after:.0f}"
            )
        print("\n| process | private memory, MB | open files | threads |\n| --- | ---: | ---: | ---: |")
        for name, row in cells.items():
            print(
                f"| {name} | " + " | ".join(row.get(figure, "") for figure in ("memory_mb", "files", "threads")) + " |"
            )
        print(flush=True)

    def draw(self):
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        labels = {"memory_mb": "memory of its own, MB", "files": "open files", "threads": "threads"}
        picture, axes = pyplot.subplots(len(labels), 1, figsize=(9, 11), dpi=100, sharex=True)
        for panel, (figure, label) in zip(axes, labels.items()):
            for (name, of), series in sorted(self.series.items()):
                if of == figure:
                    panel.plot(*zip(*series), label=name, linewidth=1.2)
            panel.set_ylabel(label)
            panel.set_ylim(bottom=0)
            panel.grid(alpha=0.3)
        axes[0].legend(fontsize=7, ncols=2)
        axes[-1].set_xlabel("minutes")
        axes[0].set_title("The same training in one process and on Ray, side by side", fontsize=10)
        picture.tight_layout()
        picture.savefig(self.folder / "soak.png")
        pyplot.close(picture)

    def end(self):
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
            process.wait()
        self.ray.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60, help="duration [60]")
    parser.add_argument(
        "--train", default=str(ROOT / "bazel-bin/ray_actors/train"), help="the program [bazel-bin/ray_actors/train]"
    )
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        default=pathlib.Path("runs/soak"),
        help="folder for picture, numbers, runs and logs [runs/soak]",
    )
    options = parser.parse_args()
    use_project_python()
    if not os.access(options.train, os.X_OK):
        parser.error(f"--train {options.train}: no such program; build it with bazel build //:train")
    options.train = os.path.abspath(options.train)
    folder = options.out.absolute()
    if folder.exists() and any(folder.iterdir()):
        parser.error(f"--out {folder}: is not empty; give another folder")
    folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # by way of end(): no process stays
    soak = Soak(options, folder)
    try:
        soak.start()
        soak.watch()
    finally:
        soak.end()
    (folder / "soak.json").write_text(
        json.dumps({f"{name}: {figure}": series for (name, figure), series in soak.series.items()})
    )
    soak.draw()
    wrong = soak.wrong()
    soak.print_table()
    for text in wrong:
        say(f"WRONG: {text}")
    say(f"{'something grew or broke' if wrong else 'nothing grew'}; picture in {folder / 'soak.png'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
