"""scripts/bench/presets.py with the real train; arguments: the script, the train command."""

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


class PresetsTest(unittest.TestCase):
    def test_a_preset_trains_as_shipped(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "presets.json"
            done = run("--train", TRAIN, "--presets", "smoke", "--runners", "local", "--seconds", "2", "--out", out)
            written = json.loads(out.read_text())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(written["failures"], [])
        self.assertEqual(list(written["results"]), ["smoke"])
        # On a busy machine a run may end within its first epoch.
        self.assertIn("samples_per_s", written["results"]["smoke"]["local"])
        self.assertRegex(done.stdout, r"\| smoke \| ([\d,]+|–) \| (\d+ %|–) \| ")

    def test_a_preset_that_fails_is_named_and_ends_the_check_with_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            failing = pathlib.Path(folder) / "train"
            failing.write_text("#!/bin/sh\necho 'dray: training diverged at update 8' >&2\nexit 1\n")
            failing.chmod(0o755)
            done = run("--train", failing, "--presets", "smoke", "--runners", "local")
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed: smoke, local: dray: training diverged at update 8", done.stdout)

    def test_unknown_names_are_refused(self):
        self.assertIn("dvrptw_65: choose from ", run("--presets", "dvrptw_65").stderr)
        self.assertIn("slurm: choose from local,ray", run("--runners", "slurm").stderr)


if __name__ == "__main__":
    unittest.main()
