"""Runs the built commands as a user would: in a folder of the test's own, with short trainings.

A test that imports this is started with the paths of train and evaluate, then unittest's arguments, from the
folder that holds configs/.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TRAIN = os.path.abspath(sys.argv.pop(1))
EVALUATE = os.path.abspath(sys.argv.pop(1))
CONFIGS = pathlib.Path("configs").resolve()

PATIENCE_S = 600  # only a process that hangs takes longer, on a machine that is busy as well

# Short trainings that still meet the ends of episodes, several minibatches and an evaluation. What would be measured at their start is given.
SHORT = """
train: {epochs: 12, rollout_steps: 32}
scale: {num_envs: 8, envs_per_shard: 2}
ppo: {minibatch_size: 64}
network: {hidden: [16, 16]}
evaluation: {interval: 4, episodes: 3}
run: {runner: local, device: cpu}
"""
TASKS = {
    "cartpole": "env: {name: cartpole}",
    "acrobot": "env: {name: acrobot, acrobot: {max_steps: 40}}",
    "pendulum": "env: {name: pendulum, pendulum: {max_steps: 40}}\nnormalize: {observations: true, rewards: true}",
}


def environment():
    """This process's, without what `bazel run` says of where the user stands, and without Ray clusters on this machine."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BUILD_", "RAY_"))}
    return {**kept, "RAY_TMPDIR": "/nowhere"}


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dray-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for task, text in TASKS.items():
            self.write(f"{task}.yaml", text + SHORT)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def run_command(self, *command):
        return subprocess.run(
            [str(part) for part in command],
            cwd=self.folder,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )

    def succeeds(self, *command):
        result = self.run_command(*command)
        said = re.sub(r"(?m)^.*% · .*\n", "", result.stderr)  # progress, on a slow machine
        self.assertEqual((result.returncode, said), (0, ""), result.stdout[-2000:])
        return result.stdout

    def train(self, run, *flags, task="cartpole"):
        """A whole run in the folder `run`: what it printed."""
        return self.succeeds(TRAIN, "--config", f"{task}.yaml", "--run-dir", run, *flags)

    def resume(self, run, *flags):
        return self.succeeds(TRAIN, "--resume", run, *flags)

    def evaluate(self, *flags):
        return json.loads(self.succeeds(EVALUATE, "--json", *flags))

    def start(self, run, *flags, task="cartpole"):
        """A run under way, its output in RUN.out."""
        return self.start_command(run, TRAIN, "--config", f"{task}.yaml", "--run-dir", run, *flags)

    def start_command(self, name, *command):
        with open(self.folder / f"{name}.out", "w") as out:
            process = subprocess.Popen(
                [str(part) for part in command],
                cwd=self.folder,
                env=environment(),
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def output(self, run):
        return (self.folder / f"{run}.out").read_text()

    def wait_until(self, condition, process=None):
        """Until the condition holds, while the process, if given, lives."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            self.assertTrue(process is None or process.poll() is None, "ended early")
            self.assertLess(time.monotonic(), deadline, "waited too long")
            time.sleep(0.002)

    def epochs(self, run):
        """Number of reports so far."""
        path = self.folder / run / "metrics.jsonl"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def wait_for_epoch(self, run, epoch, process):
        self.wait_until(lambda: self.epochs(run) >= epoch, process)

    def interrupt(self, run, process, number):
        process.send_signal(number)
        self.assertEqual(process.wait(PATIENCE_S), 128 + number, self.output(run))

    def metrics(self, run):
        """The reports of a run, without what depends on the machine."""
        return [
            {name: value for name, value in report.items() if not name.startswith(("time/", "cpu/", "memory/"))}
            for report in self.all_metrics(run)
        ]

    def all_metrics(self, run):
        with open(self.folder / run / "metrics.jsonl") as lines:
            return [json.loads(line) for line in lines]

    def checkpoints(self, run):
        return sorted(path.name for path in (self.folder / run / "checkpoints").iterdir())

    def assert_same_metrics(self, one, other):
        ours, theirs = self.metrics(one), self.metrics(other)
        for left, right in zip(ours, theirs):
            self.assertEqual(left, right)
        self.assertEqual(len(ours), len(theirs))


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # an ignored one would be inherited
    unittest.main()
