"""scripts/bench/promises.py with made-up trainings. Argument: the script."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.abspath(sys.argv.pop(1))
FAKE = pathlib.Path(__file__).resolve().with_name("fake_train.py")


class PromisesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, name, text):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    def run_script(self, *words):
        environment = {**os.environ, "FAKE_TRAIN_LOG": str(self.folder / "log")}
        command = [sys.executable, SCRIPT, "--runners", "local", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    def fake_train(self):
        return self.program("train", f'exec {sys.executable} {FAKE} "$@"')

    def test_measured_numbers_stand_beside_the_promised_ones(self):
        out = self.folder / "out.json"
        words = ["--train", self.fake_train(), "--envs", "1,64", "--epochs", "5", "--ratios", "none", "--out", out]
        done = self.run_script(*words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # Rollouts take 10 ms per environment, learning 10 ms.
        self.assertIn("| 1 | local | 10 | 0.020 (10) | 500 (3) | 1.0 |", done.stdout)
        self.assertIn(
            "| 64 | local | 640 | 0.650 (5) | 985 (384) | 2.0 | 0.010 (2-3) | 100 | – (2-4 GB) | 8s (8 min) |",
            done.stdout,
        )
        self.assertEqual(list(json.loads(out.read_text())["results"]), ["1", "64"])

    def test_oracle_calls_are_compared(self):
        speed = self.program("speed", "for n in 1 64; do echo batch $n: features 1 ms, answers 2.0 ms; done")
        words = [
            "--train",
            self.fake_train(),
            "--envs",
            "16",
            "--epochs",
            "5",
            "--ratios",
            "oracle",
            "--oracle-speed",
            speed,
        ]
        self.assertIn("64 calls, cuda | 64.0 | 40-50 |", self.run_script(*words).stdout)

    def test_a_failure_is_said_and_the_rest_is_measured(self):
        failing = self.program("train", "echo 'dray: no room' >&2; exit 1")
        done = self.run_script("--train", failing, "--envs", "1,16", "--ratios", "none")
        self.assertEqual(done.returncode, 1)
        for envs in ("1 environment", "16 environments"):
            self.assertIn(f" {envs}, local: dray: no room", done.stdout)

    def test_other_sizes_are_refused(self):
        self.assertIn("17: choose from 1,4,8,16,64,256", self.run_script("--envs", "17").stderr)


if __name__ == "__main__":
    unittest.main()
