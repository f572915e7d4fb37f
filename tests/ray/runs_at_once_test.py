"""Runs that start at the same moment, each with a head of its own, all finish and leave nothing behind.

Started with the number of runs and the path of train, from the folder that holds configs/.
"""

import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

RUNS = int(sys.argv.pop(1))
TRAIN = os.path.abspath(sys.argv.pop(1))
PACKAGES = pathlib.Path("src/python").resolve()
ON_RAY = ("--runner", "ray", "--num-workers", "1")


class RunsAtOnceTest(unittest.TestCase):
    def setUp(self):
        # In /tmp whatever TMPDIR says: paths of unix sockets are short.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dr-", dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.temp = self.folder / "t"
        self.temp.mkdir()
        # A home without a token, which all of the runs need and one of them makes.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
        self.environment.update(
            HOME=str(self.folder),
            TMPDIR=str(self.temp),
            DRAY_PYTHON=sys.executable,
            DRAY_TRAIN=TRAIN,
            PYTHONPATH=str(PACKAGES),
        )

    def start(self, command, log):
        with open(log, "w") as out:
            process = subprocess.Popen(
                list(map(str, command)), env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_all_of_them_finish(self):
        logs = [self.folder / f"{number}.log" for number in range(RUNS)]
        runs = [
            self.start([TRAIN, "--config", "smoke", "--run-dir", log.with_suffix(""), *ON_RAY], log) for log in logs
        ]
        codes = [run.wait() for run in runs]
        texts = [log.read_text() for log in logs]
        self.assertEqual(codes, [0] * RUNS, "\n".join(texts))
        # A head of its own: another run may take over its port only when it is over.
        times = sorted(
            (
                re.search(r"http://127\.0\.0\.1:\d+", text)[0],
                (log.with_suffix("") / "config.yaml").stat().st_mtime,
                log.stat().st_mtime,
            )
            for log, text in zip(logs, texts)
        )
        for (dashboard, _, end), (other, begin, _) in itertools.pairwise(times):
            self.assertTrue(dashboard != other or begin > end, times)
        self.assertEqual(list(self.temp.iterdir()), [])

    def test_a_sweep_of_parallel_runs_finishes(self):
        command = [
            sys.executable,
            "-m",
            "dray.sweep",
            "--config",
            "smoke",
            "--grid",
            "ppo.clip=0.1,0.2",
            "--parallel",
            2,
        ]
        sweep = self.start([*command, "--dir", self.folder / "sweep", "--", *ON_RAY], self.folder / "sweep.log")
        self.assertEqual(sweep.wait(), 0, (self.folder / "sweep.log").read_text())
        self.assertEqual(list(self.temp.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
