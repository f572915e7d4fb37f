#!/usr/bin/env python3
"""Runs trainings on a Ray cluster of two nodes while injecting random faults from a seed.

Kills and suspends (SIGSTOP) actors, the second node, the head's Ray processes and the driver, and fills the object store. A killed driver
is resumed, a killed node is replaced. Trainings follow one another; when the time is over, the faults end and the last training may finish.
Each training must make the requested number of updates, account for every batch, and learn as much as undisturbed runs. At the end no
process and no temporary file may be left. The exit code is 1 if any of this fails.

  scripts/chaos.py                              15 minutes, 3 times, each on a new cluster
  scripts/chaos.py --minutes 1 --times 1 --seed 7 --keep /tmp/chaos

The script starts its own cluster on this machine, with its own folders, ports and token.
"""

import argparse
import collections
import heapq
import itertools
import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts/bench")]
import own_ray  # noqa: E402
from measuring import say, use_project_python  # noqa: E402

# Rollouts and updates take some tenths of a second; batches go through the object store.
CONFIG = """
env: {name: cartpole}
train: {epochs: %d, rollout_steps: 256}
scale: {num_envs: 32, envs_per_shard: 8}
ppo: {policy_epochs: 4, minibatch_size: 256, learning_rate: 0.001}
network: {hidden: [32, 32]}
evaluation: {interval: 10, episodes: 10}
run: {save_interval: 10, recovery_interval_s: 2, tensorboard: false}
ray: {heartbeat_interval_s: 0.5, hang_timeout_s: 8, max_restarts: 100000, shard_cpus: 0.4, learner_cpus: 0.4}
"""
PATIENCE_S = 900  # for the rest of a training when the faults are over
# Quantiles of Student's t distribution, by degrees of freedom.
STUDENT_T_999 = {2: 22.33, 3: 10.21, 4: 7.17, 5: 5.89, 6: 5.21, 7: 4.79, 8: 4.50, 9: 4.30}
FILL = """
import ray, numpy, sys
ray.init(address=sys.argv[1], log_to_driver=False)
held = [ray.put(numpy.ones(10_000_000, dtype=numpy.uint8)) for _ in range(int(sys.argv[2]))]
print("full", flush=True)
sys.stdin.read()
"""


def result_of(reports):
    """Returns the mean return over the whole training, which shows how much and how fast it learned. The last reports alone say less:
    even undisturbed runs have low phases of ten updates at any time."""
    values = [report["episode/return_mean"] for report in reports if report.get("episode/return_mean") is not None]
    return sum(values) / max(1, len(values))


def reports_in(folder):
    path = folder / "metrics.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def undisturbed(train, config, folder, seeds):
    """Returns the results of runs in one process. With the same shards they give the same numbers as on Ray."""
    results = []
    for seed in seeds:
        run = folder / f"undisturbed-{seed}"
        command = [train, "--config", config, "--runner", "local", "--run-dir", run, "--seed", seed]
        subprocess.run(list(map(str, command)), check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        results.append(result_of(reports_in(run)))
    return results


def least_result(reference):
    """Returns the result that another undisturbed run reaches with a probability of 99.9 %, given the spread of these."""
    count = len(reference)
    spread = max(statistics.stdev(reference), 0.01 * statistics.mean(reference))
    return statistics.mean(reference) - STUDENT_T_999[count - 1] * spread * (1 + 1 / count) ** 0.5


def least_mean(reference, results):
    """Returns the mean that as many undisturbed runs reach with a probability of at least 99.9 %; minus infinity for fewer than three."""
    if len(results) < 3:
        return float("-inf")
    error = (statistics.variance(reference) / len(reference) + statistics.variance(results) / len(results)) ** 0.5
    degrees = min(len(reference), len(results), 1 + max(STUDENT_T_999)) - 1  # Welch's are at least as many
    return statistics.mean(reference) - STUDENT_T_999[degrees] * error


def patiently(start):
    """Starts a cluster and retries: Ray allows its processes half a minute to start, which may be too short on a busy machine."""
    for left in range(5, -1, -1):
        try:
            return start()
        except RuntimeError as error:
            if left == 0:
                raise
            say(f"  Ray did not start: {str(error).strip().splitlines()[-1]}")


class Chaos:
    """One training and its faults."""

    def __init__(self, options, seed, folder):
        self.random = random.Random(seed)
        self.seed, self.folder, self.train = seed, folder, options.train
        self.mark = uuid.uuid4().hex  # in the environment of every process that comes of this one
        os.environ["DRAY_CHAOS"] = self.mark
        self.temp = folder / "temp"
        self.temp.mkdir()
        os.environ["TMPDIR"] = str(self.temp)
        self.faults = collections.Counter()
        self.later, self.numbers = [], itertools.count()  # (when, number, what): to be freed, or replaced
        self.driver, self.drivers, self.trainings, self.broken = None, 0, 0, []
        self.start_cluster()

    # --- The cluster and the driver

    def start_cluster(self):
        self.ray = patiently(lambda: own_ray.OwnRay(cpus=2, object_store_mb=150))
        self.join()

    def join(self):
        self.node = patiently(lambda: self.ray.join(cpus=2))

    def run_folder(self):
        return self.folder / f"run-{self.trainings}"

    def start_driver(self):
        self.drivers += 1
        resume = ["--resume"] if (self.run_folder() / "config.yaml").exists() else []
        self.log = self.folder / f"driver{self.drivers}.log"
        command = [
            self.train,
            "--config",
            self.folder / "chaos.yaml",
            "--runner",
            "ray",
            "--run-dir",
            self.run_folder(),
        ]
        command += ["--seed", self.seed + self.trainings, "--set", "ray.placement=spread", *resume]
        with open(self.log, "w") as out:
            self.driver = subprocess.Popen(
                list(map(str, command)),
                env={**self.ray.environment, "DRAY_PYTHON": sys.executable},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.expected = None  # the exit code that a fault has made of it

    def look_after(self):
        """Ends faults that are due, and resumes a driver that a fault has ended. Returns False if the training is over."""
        while self.later and self.later[0][0] <= time.monotonic():
            heapq.heappop(self.later)[2]()
        code = self.driver.poll()
        if code is None:
            return True
        if code == 0:
            return False
        if self.expected is None and "could not" in self.last_line() and not self.moves():
            # Losing an actor while actors start ends a run with one line and exit code 1; start it again.
            self.faults["starts that failed"] += 1
            say(f"  a start failed: {self.last_line()[:160]}")
            self.expected = code
        if self.expected is None:
            self.broken.append(f"the driver ended by itself, with exit code {code}: {self.log.read_text()[-600:]}")
            return False
        if self.expected not in ("any", code):
            self.broken.append(
                f"the driver ended with exit code {code}, not {self.expected}: {self.log.read_text()[-600:]}"
            )
        self.start_driver()
        return True

    def last_line(self):
        return (self.log.read_text().strip().splitlines() or [""])[-1]

    def moves(self):
        """Returns True if this driver has reported since it was started."""
        return "% " in self.log.read_text() and "epoch " in self.log.read_text()

    def in_a_while(self, least_s, most_s, what):
        heapq.heappush(self.later, (time.monotonic() + self.random.uniform(least_s, most_s), next(self.numbers), what))

    # --- Faults

    def actors(self):
        """Returns the training's actors as {name: process}."""
        found = {}
        for pid in self.ray.workers():
            try:
                name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
            except OSError:
                continue
            if name.startswith("dray "):
                found[name.removeprefix("dray ")] = pid
        return found

    def signal(self, pid, number):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass

    def stop(self, pid, least_s, most_s):
        self.signal(pid, signal.SIGSTOP)
        self.in_a_while(least_s, most_s, lambda: self.signal(pid, signal.SIGCONT))

    def any_actor(self):
        actors = self.actors()
        return self.random.choice(sorted(actors.items())) if actors else (None, None)

    def kill_actor(self):
        name, pid = self.any_actor()
        if pid:
            self.signal(pid, signal.SIGKILL)
        return name

    def stop_actor(self):
        name, pid = self.any_actor()
        if pid:
            self.stop(pid, 1, 6)
        return name

    def hang_actor(self):
        """Suspends an actor for longer than ray.hang_timeout_s."""
        name, pid = self.any_actor()
        if pid:
            self.stop(pid, 12, 15)
        return name

    def kill_node(self):
        if not self.node:
            return None
        self.node.end()
        self.node = None
        ray = self.ray

        def join():
            if self.ray is ray:
                self.join()

        self.in_a_while(1, 4, join)
        return "the second node"

    def stop_raylet(self):
        raylets = sorted(pid for pid, line in self.ray.processes().items() if line.split(" ")[0].endswith("/raylet"))
        if raylets:
            self.stop(self.random.choice(raylets), 1, 4)
        return "a raylet"

    def stop_gcs(self):
        self.stop(self.ray.process_of("gcs_server"), 1, 4)
        return "the control service"

    def kill_driver(self):
        self.expected = -signal.SIGKILL
        self.driver.kill()
        return "the driver"

    def interrupt_driver(self):
        # A process without any output may not have installed its signal handlers yet.
        self.expected = 128 + signal.SIGTERM if self.last_line() else "any"
        self.driver.terminate()
        return "the driver, by SIGTERM"

    def stop_driver(self):
        self.stop(self.driver.pid, 1, 5)
        return "the driver"

    def fill_store(self):
        filling = subprocess.Popen(
            [sys.executable, "-c", FILL, self.ray.address, str(self.random.randint(10, 14))],
            env=self.ray.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

        def free():
            filling.kill()
            filling.communicate()

        self.in_a_while(6, 12, free)
        return "the object store"

    def kill_head(self):
        """Kills a Ray process of the head. The driver must then end by itself."""
        self.expected = "any"
        self.signal(self.ray.process_of(self.random.choice(("raylet", "gcs_server"))), signal.SIGKILL)
        try:
            self.driver.wait(90)
        except subprocess.TimeoutExpired:
            self.broken.append("the driver outlived its cluster by 90 s")
            self.driver.kill()
        self.driver.wait()
        self.ray.end()
        self.start_cluster()
        return "the head"

    FAULTS = {
        kill_actor: 8,
        stop_actor: 5,
        hang_actor: 2,
        kill_node: 3,
        stop_raylet: 3,
        stop_gcs: 1,
        kill_driver: 3,
        interrupt_driver: 1,
        stop_driver: 2,
        fill_store: 2,
        kill_head: 1,
    }

    def strike(self):
        kinds, weights = zip(*self.FAULTS.items())
        fault = self.random.choices(kinds, weights)[0]
        if self.driver.poll() is not None or self.expected is not None:
            return
        if not self.moves() and self.random.random() < 0.9:
            return  # most faults strike runs, few their starts
        what = fault(self)
        if what:
            self.faults[fault.__name__] += 1
            say(f"  {fault.__name__}: {what}")

    # --- A whole training

    def train_on(self, faults_until):
        """Runs one training to its end."""
        self.start_driver()
        next_s = time.monotonic()
        patience_s = faults_until + PATIENCE_S
        while self.look_after():
            now = time.monotonic()
            if now > patience_s:
                self.broken.append(f"not over {PATIENCE_S} s after the last fault: {self.log.read_text()[-600:]}")
                return
            if next_s <= now < faults_until:
                self.strike()
                next_s = time.monotonic() + self.random.uniform(2, 8)
            time.sleep(0.1)

    def run(self, options, reference):
        """Runs trainings until the time is over. Returns the result of each."""
        begun, results = time.monotonic(), []
        while not self.broken and (not results or time.monotonic() - begun < 60 * options.minutes):
            self.trainings += 1
            self.train_on(faults_until=begun + 60 * options.minutes)
            results.append(self.check(options.updates, reference))
            say(f"training {self.trainings}: {results[-1]}")
        returns = [result["return"] for result in results]
        if statistics.mean(returns) < least_mean(reference, returns):
            self.broken.append(
                f"mean return {statistics.mean(returns):.1f}, less than that of undisturbed runs, {statistics.mean(reference):.1f}"
            )
        return {
            "minutes": round((time.monotonic() - begun) / 60, 1),
            "seed": self.seed,
            "drivers": self.drivers,
            "faults": dict(self.faults),
            "trainings": results,
        }

    def end(self):
        for _, _, what in self.later:
            if what.__name__ != "join":
                what()
        if self.driver and self.driver.poll() is None:
            self.driver.kill()
            self.driver.wait()
        self.ray.end()

    def check(self, epochs, reference):
        reports = reports_in(self.run_folder())
        last = reports[-1] if reports else collections.defaultdict(int)
        expect = [
            (last["update"] == epochs, f"{last['update']} updates, not {epochs}"),
            (
                [report["epoch"] for report in reports] == list(range(1, epochs + 1)),
                "reports are missing or there twice",
            ),
        ]
        ends = {end: last[f"batches/{end}"] for end in ("trained", "dropped", "lost", "undone")}
        expect.append(
            (
                last["batches/collected"] == sum(ends.values()),
                f"{last['batches/collected']} batches collected, but {ends}",
            )
        )
        found, least = result_of(reports), least_result(reference)
        expect.append(
            (found >= least, f"return {found:.1f}, less than the {least:.1f} that an undisturbed run reaches")
        )
        self.broken += [f"training {self.trainings}: {text}" for holds, text in expect if not holds]
        return {
            "updates": last["update"],
            "undone": last["updates/undone"],
            "batches": ends,
            "actors_restarted": last["actors/restarted"],
            "return": round(found, 1),
        }

    def left(self):
        """Returns the processes and temporary files that should be gone."""
        deadline = time.monotonic() + 30  # what was killed just now may still be ending
        while True:
            found = []
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    if (
                        int(pid) != os.getpid()
                        and f"DRAY_CHAOS={self.mark}".encode() in pathlib.Path(f"/proc/{pid}/environ").read_bytes()
                    ):
                        found.append("a process is left: " + pathlib.Path(f"/proc/{pid}/comm").read_text().strip())
                except OSError:
                    pass
            if not found or time.monotonic() > deadline:
                break
            time.sleep(0.2)
        files = [*self.temp.iterdir(), *self.folder.rglob("*.tmp"), self.ray.folder]
        return found + [f"a temporary file is left: {path}" for path in files if path.exists()]


def once(options, seed, folder, reference):
    """Returns a summary of what happened, and what was wrong."""
    (folder / "chaos.yaml").write_text(CONFIG % options.updates)
    chaos = Chaos(options, seed, folder)
    try:
        summary = chaos.run(options, reference)
    finally:
        chaos.end()
    return summary, chaos.broken + chaos.left()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=15, help="duration of the faults on each cluster [15]")
    parser.add_argument("--times", type=int, default=3, help="number of repetitions, each on a new cluster [3]")
    parser.add_argument("--updates", type=int, default=60, help="number of updates per training [60]")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first repetition; the others count up [1]")
    parser.add_argument(
        "--references",
        type=int,
        default=10,
        choices=range(3, 11),
        metavar="N",
        help="number of undisturbed runs to compare with [10]",
    )
    parser.add_argument(
        "--train", default=str(ROOT / "bazel-bin/ray_actors/train"), help="the program [bazel-bin/ray_actors/train]"
    )
    parser.add_argument("--keep", metavar="DIR", help="keep runs and logs in this folder")
    options = parser.parse_args()
    use_project_python()
    if not os.access(options.train, os.X_OK):
        parser.error(f"--train {options.train}: no such program; build it with bazel build //:train")
    options.train = os.path.abspath(options.train)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # by way of end(): no process stays
    place = pathlib.Path(options.keep or tempfile.gettempdir()).resolve()
    folder = place / f"chaos-{os.getpid()}"
    folder.mkdir(parents=True)
    (folder / "chaos.yaml").write_text(CONFIG % options.updates)
    seeds = range(options.seed, options.seed + options.references)
    reference = undisturbed(options.train, folder / "chaos.yaml", folder, seeds)
    say(f"undisturbed, {options.updates} updates: return {', '.join(f'{value:.1f}' for value in reference)}")
    if not options.keep:
        shutil.rmtree(folder)
    failures = 0
    for seed in range(options.seed, options.seed + options.times):
        folder = place / f"chaos-{os.getpid()}-{seed}"
        folder.mkdir(parents=True)
        summary, broken = once(options, seed, folder, reference)
        say(json.dumps(summary))
        for text in broken:
            say(f"WRONG: {text}")
        failures += bool(broken)
        if not options.keep and not broken:
            shutil.rmtree(folder)
    say(f"{options.times - failures} of {options.times} times all came through")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
