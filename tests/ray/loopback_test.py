"""A run without a cluster starts one that nobody else can reach: neither head nor actors nor driver listen for others.

Started with the path of train, from the folder that holds configs/.
"""

import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

from listening import listening

TRAIN = os.path.abspath(sys.argv.pop(1))
PATIENCE_S = 240


def family(pid):
    """The process and all that came from it; Ray's head leads a session of its own."""
    parents = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            pass
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


class LoopbackTest(unittest.TestCase):
    def test_nobody_else_can_reach_a_run_with_a_head_of_its_own(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="dr-", dir="/tmp"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
        environment.update(HOME=str(folder), RAY_TMPDIR=str(folder), DRAY_PYTHON=sys.executable)
        command = [TRAIN, "--config", "cartpole", "--runner", "ray", "--num-workers", "2", "--num-envs", "16"]
        command += ["--run-dir", folder / "run", "--set", "run.log_interval=1", "--set", "train.total_steps=100000000"]
        with open(folder / "log", "w") as log:
            run = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        self.await_report(run, folder)

        sockets = listening(family(run.pid))
        self.assertEqual({(program, str(address)) for program, address in sockets if not address.is_loopback}, set())
        programs = {program for program, _ in sockets}
        # What was looked at: the control service, the node, an actor, the driver, the agent with the metrics.
        for program in ("gcs_server", "raylet", "train"):
            self.assertIn(program, programs)
        self.assertTrue(any(program.startswith("dray ") for program in programs), programs)
        self.assertTrue(any(program.startswith("ray::Dashboard") for program in programs), programs)

        (own,) = folder.glob("dray-*")
        self.assertEqual(stat.S_IMODE(own.stat().st_mode), 0o700)
        run.send_signal(signal.SIGTERM)
        run.wait(PATIENCE_S)
        self.assertEqual(list(folder.glob("dray-*")), [])

    def await_report(self, run, folder):
        deadline = time.monotonic() + PATIENCE_S
        metrics = folder / "run" / "metrics.jsonl"
        while not (metrics.exists() and metrics.read_text().count("\n") > 1):
            self.assertIsNone(run.poll(), (folder / "log").read_text())
            self.assertLess(time.monotonic(), deadline, (folder / "log").read_text())
            time.sleep(0.1)
        json.loads(metrics.read_text().splitlines()[0])


if __name__ == "__main__":
    unittest.main()
