"""What the tests of whole trainings on Ray share: a cluster for a test class, and runs of the real command on it.

A test that imports this is started with the path of train, then unittest's arguments, from the folder that holds configs/.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).absolute().parents[2] / "scripts"))
import own_ray  # noqa: E402

TRAIN = os.path.abspath(sys.argv.pop(1))
CONFIGS = pathlib.Path("configs").resolve()
PATIENCE_S = 240  # for anything that takes seconds on an idle machine

# The delivery task with rollouts, updates and evaluations of some tenths of a second each: long enough to be struck at.
STRIKABLE = """
env: {name: dvrptw, dvrptw: {encoding: counts, num_customers: 10, oracle: {rounds: 300}, flexibility: {synchronous: true, update_epochs: 2}}}
train: {epochs: 14}
scale: {num_envs: 16, envs_per_shard: 8}
ppo: {value_epochs: 30, policy_epochs: 10, minibatch_size: 32, learning_rate_schedule: constant}
network: {hidden: [64, 64]}
evaluation: {interval: 2, episodes: 20}
run: {save_interval: 2, tensorboard: false}
ray: {heartbeat_interval_s: 0.5, shards_per_actor: 1}
"""
EPOCHS = 14
STEPS_PER_EPOCH = 160


def wait_until(condition, what):
    """The condition's value once it is true."""
    deadline = time.monotonic() + PATIENCE_S
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not after {PATIENCE_S} s: {what}")
        time.sleep(0.05)
    return value


class Training:
    """One run of the command, under way."""

    def __init__(self, folder, environment, arguments, program=TRAIN):
        self.folder = folder
        self.log = open(folder.parent / f"{folder.name}.log", "w+")
        self.process = subprocess.Popen(
            [program, "--runner", "ray", "--run-dir", str(folder), *map(str, arguments)],
            cwd=folder.parent,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )

    def reports(self):
        path = self.folder / "metrics.jsonl"
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]

    def wait_for_epoch(self, epoch):
        def reached():
            if self.process.poll() is not None:
                raise AssertionError(self.output())
            return self.reports() and self.reports()[-1]["epoch"] >= epoch

        wait_until(reached, f"epoch {epoch}")

    def end(self):
        """Exit code, once it ended."""
        return self.process.wait(PATIENCE_S)

    def output(self):
        self.log.seek(0)
        return self.log.read()


class TrainingTest(unittest.TestCase):
    ray_options = {"cpus": 2, "object_store_mb": 150}

    @classmethod
    def setUpClass(cls):
        cls.ray = own_ray.OwnRay(**cls.ray_options)
        cls.addClassCleanup(cls.ray.end)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dray-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.config = self.folder / "strikable.yaml"
        self.config.write_text(STRIKABLE)

    def environment(self, **extra):
        return {**self.ray.environment, "DRAY_PYTHON": sys.executable, **extra}

    def start(self, *arguments, run="run", config=None, program=TRAIN, **environment):
        training = Training(
            self.folder / run, self.environment(**environment), ["--config", config or self.config, *arguments], program
        )
        self.addCleanup(training.log.close)
        self.addCleanup(training.process.wait)
        self.addCleanup(training.process.kill)
        return training

    def actor(self, name):
        return wait_until(lambda: self.ray.actor(name), f"an actor {name}")

    def strike(self, name, with_signal=signal.SIGKILL):
        os.kill(self.actor(name), with_signal)

    def assert_whole(self, training, restarted=None, lost=None):
        """It ended well, with as many updates as were asked for, each from whole batches that were used once."""
        self.assertEqual(training.end(), 0, training.output())
        last = training.reports()[-1]
        self.assertEqual((last["epoch"], last["update"]), (EPOCHS, EPOCHS))
        self.assertEqual(last["total_steps"], EPOCHS * STEPS_PER_EPOCH)
        ends = ("trained", "dropped", "lost", "undone")
        self.assertEqual(last["batches/collected"], sum(last["batches/" + end] for end in ends), last)
        # A learner that was called early may have learned from the rollout that was lost: it is replaced, too.
        early = training.output().count("learner was lost (it has learned from a rollout that counts as lost)")
        if restarted is not None:
            self.assertEqual(last["actors/restarted"], restarted + early, training.output())
        if lost is not None and not early:
            self.assertIn(last["batches/lost"], lost, training.output())
        return last
