"""Half an hour of scripts/soak.py. Arguments: the script and train. SOAK_MINUTES sets another length."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT, TRAIN = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))


class SoakTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dray-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def soak(self, *flags):
        return subprocess.run(
            [sys.executable, SCRIPT, *map(str, flags)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def test_nothing_grows(self):
        result = self.soak("--minutes", os.environ.get("SOAK_MINUTES", "30"), "--train", TRAIN, "--out", self.folder)
        print(result.stdout)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("nothing grew", result.stdout)
        self.assertTrue((self.folder / "soak.png").exists())
        for process in ("local training", "Ray driver", "Ray actor learner", "raylet", "object store"):
            self.assertIn(f"| {process} ", result.stdout)

    def test_wrong_usage_is_told(self):
        (self.folder / "something").touch()
        result = self.soak("--train", TRAIN, "--out", self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("is not empty; give another folder", result.stdout)


if __name__ == "__main__":
    unittest.main()
