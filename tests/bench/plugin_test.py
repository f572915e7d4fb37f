"""scripts/bench/plugin.py with the real train; arguments: the script, the train command."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT, TRAIN = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))


class PluginTest(unittest.TestCase):
    def test_both_environments_are_timed_and_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "plugin.json"
            words = [SCRIPT, "--train", TRAIN, "--pairs", "1", "--steps", "200000", "--out", out]
            done = subprocess.run([sys.executable, *words], capture_output=True, text=True)
            written = json.loads(out.read_text())
        self.assertEqual(
            {kind: len(values) for kind, values in written["speeds"].items()}, {"built-in": 1, "plug-in": 1}
        )
        self.assertEqual(done.returncode, 0 if written["share"] >= 0.95 else 1, done.stderr)
        self.assertIn(f"The plug-in trains at {written['share']:.3f} of ", done.stdout)


if __name__ == "__main__":
    unittest.main()
