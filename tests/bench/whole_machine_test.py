"""scripts/bench/whole_machine.py with the real train; arguments: the script, the train command."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT, TRAIN = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))


def run(*words):
    return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True)


class WholeMachineTest(unittest.TestCase):
    def test_a_preset_is_measured_as_shipped_and_as_chosen(self):
        with tempfile.TemporaryDirectory() as folder:
            # Trains for some epochs, whatever time they take.
            train = pathlib.Path(folder) / "train"
            train.write_text(f'#!/bin/sh\nexec {TRAIN} "$@" --duration 0s --epochs 6 --log-interval 1\n')
            train.chmod(0o755)
            out = pathlib.Path(folder) / "machine.json"
            done = run(
                "--train",
                train,
                "--presets",
                "cartpole_256",
                "--seconds",
                "5",
                "--repeats",
                "1",
                "--choice",
                "one thread: --set scale.learner_threads=1",
                "--choice",
                "nonsense: --no-such-flag 1",
                "--out",
                out,
            )
            results = json.loads(out.read_text())["results"]
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(results), ["cartpole_256, as shipped", "cartpole_256, one thread"])
        self.assertEqual(results["cartpole_256, one thread"][0]["learner_threads"], 1)
        self.assertIn("| cartpole_256, as shipped | ", done.stdout)
        self.assertIn("cartpole_256, nonsense: dray: --no-such-flag: unknown flag", done.stdout)

    def test_what_it_does_not_know_is_said(self):
        self.assertIn("choose from dvrptw_64", run("--presets", "dvrptw_65").stderr)
        self.assertIn("expected NAME: FLAGS", run("--choice", "--device cpu").stderr)


if __name__ == "__main__":
    unittest.main()
